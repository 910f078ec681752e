//! A *text* is what stands between two quotes. Its letters are replaced; escapes, white space, and what rules look for
//! in it stay.

use super::letters::{Class, Key, Letter, replace};
use super::media::media;
use super::shape::{Time, id_at, is_uuid, time, uuid, uuid_at};
use super::vocabulary::{is_vocabulary, phrase_at};

/// A character as it is written.
#[derive(Clone, Copy, Debug)]
struct Unit {
    start: usize,
    end: usize,
    /// The character; NUL for what is none, such as half of a surrogate pair, and for escapes that are no letters.
    letter: char,
    /// Whether it is written as `\uXXXX`.
    escaped: bool,
}

/// Replaces texts; its memory is used again.
pub(super) struct Texts<'k> {
    key: &'k Key,
    units: Vec<Unit>,
    letters: Vec<Letter>,
    /// Digits become digits of the same kind: zero, or not.
    pub(super) keeps_zeros: bool,
}

impl<'k> Texts<'k> {
    pub(super) fn new(key: &'k Key) -> Self {
        Self { key, units: Vec::new(), letters: Vec::new(), keeps_zeros: false }
    }

    /// Appends what stands in place of a text.
    pub(super) fn replace(&mut self, text: &[u8], out: &mut Vec<u8>) {
        if is_uuid(text) {
            return out.extend(uuid(self.key, text));
        }
        match time(self.key, text) {
            Some(Time::Kept) => return out.extend_from_slice(text),
            Some(Time::Shifted(time)) => return out.extend(time),
            None => {}
        }
        if let Some(media) = media(self.key, text) {
            return out.extend(media);
        }
        self.read_units(text);
        let start = out.len();
        for again in 0.. {
            out.truncate(start);
            self.write(text, again, out);
            if !is_vocabulary(&out[start..]) || again > 8 || out[start..] == *text {
                break;
            }
        }
    }

    /// The text as people read it.
    pub(super) fn unescaped(&mut self, text: &[u8]) -> String {
        self.read_units(text);
        self.units.iter().map(|unit| unit.letter).collect()
    }

    fn read_units(&mut self, text: &[u8]) {
        self.units.clear();
        let mut at = 0;
        while at < text.len() {
            let unit = unit_at(text, at);
            at = unit.end;
            self.units.push(unit);
        }
    }

    /// Writes the text with other letters. Ids that are known by their shape are replaced alone, all others together.
    fn write(&mut self, text: &[u8], again: u32, out: &mut Vec<u8>) {
        let base = out.len();
        out.extend_from_slice(text);
        self.letters.clear();
        let mut ids = Vec::new();
        let mut index = 0;
        while let Some(unit) = self.units.get(index) {
            let at = unit.start;
            let mut end = unit.end;
            if unit.letter.is_ascii_hexdigit()
                && let Some(range) = uuid_at(text, at)
            {
                out[base + at..base + range.end].copy_from_slice(&uuid(self.key, &text[range.clone()]));
                end = range.end;
            } else if unit.letter.is_ascii_lowercase()
                && let Some((range, prefix)) = id_at(text, at)
            {
                end = range.end;
                ids.push(range.start + prefix..range.end);
            } else if let Some(length) = phrase_at(self.units[index..].iter().map(|unit| unit.letter)) {
                end = self.units[index + length - 1].end;
            } else if let Some(class) = self.class(unit.letter) {
                self.letters.push(Letter { letter: unit.letter, class, place: index });
            }
            while self.units.get(index).is_some_and(|unit| unit.start < end) {
                index += 1;
            }
        }
        self.write_letters(again, base, out);
        for id in ids {
            self.letters.clear();
            let first = self.units.partition_point(|unit| unit.start < id.start);
            let units = self.units.iter().enumerate().skip(first).take_while(|(_, unit)| unit.end <= id.end);
            for (place, unit) in units {
                self.letters.extend(self.class(unit.letter).map(|class| Letter { letter: unit.letter, class, place }));
            }
            self.write_letters(0, base, out);
        }
    }

    fn class(&self, letter: char) -> Option<Class> {
        match Class::of(letter) {
            Some(Class::Digit) if self.keeps_zeros => (letter != '0').then_some(Class::NonZero),
            class => class,
        }
    }

    /// Replaces the letters at hand, and writes each at its place.
    fn write_letters(&mut self, again: u32, base: usize, out: &mut [u8]) {
        mark_hexadecimal(&mut self.letters);
        replace(self.key, &mut self.letters, again);
        for Letter { letter, place, .. } in &self.letters {
            let unit = self.units[*place];
            let bytes = &mut out[base + unit.start..base + unit.end];
            match unit.escaped {
                true => write_escaped(*letter, bytes),
                false => drop(letter.encode_utf8(bytes)),
            }
        }
    }
}

/// Words of hexadecimal digits, such as the names of commits, stay such words.
fn mark_hexadecimal(letters: &mut [Letter]) {
    const SHORTEST: usize = 7;
    for word in letters.chunk_by_mut(|one, next| one.place + 1 == next.place) {
        let is_hex = word.iter().all(|letter| matches!(letter.letter, '0'..='9' | 'a'..='f'));
        if word.len() >= SHORTEST && is_hex && word.iter().any(|letter| letter.letter.is_ascii_digit()) {
            word.iter_mut().filter(|letter| letter.class == Class::Lower).for_each(|letter| letter.class = Class::Hex);
        }
    }
}

/// The character that begins at a byte.
fn unit_at(text: &[u8], at: usize) -> Unit {
    let opaque = |length: usize| Unit { start: at, end: (at + length).min(text.len()), letter: '\0', escaped: false };
    match text[at] {
        b'\\' => match text.get(at + 1) {
            Some(b'u') => escape_at(text, at),
            Some(b'n') => Unit { letter: '\n', ..opaque(2) },
            Some(&byte @ (b'"' | b'\\' | b'/')) => Unit { letter: char::from(byte), ..opaque(2) },
            _ => opaque(2),
        },
        byte if byte.is_ascii() => Unit { letter: char::from(byte), ..opaque(1) },
        byte => {
            let length = byte.leading_ones() as usize;
            let letter = text.get(at..at + length).and_then(|bytes| std::str::from_utf8(bytes).ok());
            match letter.and_then(|text| text.chars().next()) {
                Some(letter) => Unit { letter, ..opaque(length) },
                None => opaque(1),
            }
        }
    }
}

/// The escape `\uXXXX` that begins at a byte, or two of them that are one character.
fn escape_at(text: &[u8], at: usize) -> Unit {
    let hex = |at: usize| {
        let digits = text.get(at..at + 6).filter(|escape| escape.starts_with(b"\\u"))?.get(2..)?;
        let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    };
    let unit = |length: usize, letter| Unit { start: at, end: at + length, letter, escaped: true };
    let Some(first) = hex(at) else {
        // Not an escape: what makes it none stays.
        let digits = text[at + 2..].iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let end = (at + 3 + digits).min(text.len());
        let is_cut = text.get(at + 2 + digits).is_none_or(|byte| !byte.is_ascii());
        return Unit { start: at, end: if is_cut { at + 2 + digits } else { end }, letter: '\0', escaped: false };
    };
    let pair = hex(at + 6).and_then(|second| char::decode_utf16([first, second]).next()?.ok());
    match (char::from_u32(first.into()), pair) {
        (Some(letter), _) => unit(6, letter),
        (None, Some(letter)) => unit(12, letter),
        (None, None) => unit(6, '\0'),
    }
}

/// Writes a character as escapes, with hexadecimal digits of the same case.
fn write_escaped(letter: char, bytes: &mut [u8]) {
    let is_upper = bytes.iter().any(u8::is_ascii_uppercase);
    let mut units = [0; 2];
    for (unit, escape) in letter.encode_utf16(&mut units).iter().zip(bytes.chunks_exact_mut(6)) {
        let digits = if is_upper { format!("{unit:04X}") } else { format!("{unit:04x}") };
        escape[2..].copy_from_slice(digits.as_bytes());
    }
}
