//! A *text* is what two quotes enclose. Its letters are replaced; escapes, white space, and what rules look for
//! in it stay.

use memchr::memmem;

use super::letters::{Class, Key, Letter, replace};
use super::media::media;
use super::shape::{id_at, time, uuid, uuid_at};
use super::vocabulary::{is_error, is_vocabulary, phrase_at, refusal_at};

/// A character as it is written.
#[derive(Clone, Copy, Debug)]
struct Unit {
    start: usize,
    end: usize,
    /// The character; NUL for half of a surrogate pair and the like, and for escapes that are no letters.
    letter: char,
    /// Whether it is written as `\uXXXX`.
    escaped: bool,
}

impl Unit {
    /// Writes another character in its place. A short escape, which is no letter, stays.
    fn put(self, letter: char, text: &mut [u8]) {
        let bytes = &mut text[self.start..self.end];
        if self.escaped {
            write_escaped(letter, bytes);
        } else if bytes[0] != b'\\' {
            letter.encode_utf8(bytes);
        }
    }
}

/// Where a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stand {
    /// Between quotes.
    Quoted,
    /// In place of a number: a zero stays one.
    Number,
    /// In a range that is damaged, behind a quote or not. What could begin a literal or a number stays.
    Torn { behind_quote: bool },
}

/// What clients append to the result of a tool begins so. Each part is replaced by itself, so that what was sent still
/// begins with what the tool said.
const APPENDED: &[u8] = br"\n\n<system-reminder>";

/// A longer text is replaced in pieces: what is known of its characters takes many times its size.
const LONG: usize = 1 << 20;

/// Replaces texts; its memory is used again.
pub(super) struct Texts<'k> {
    key: &'k Key,
    units: Vec<Unit>,
    /// The characters of the units in ASCII; NUL for others.
    plain: Vec<u8>,
    letters: Vec<Letter>,
    /// Where the text is.
    pub(super) at: Stand,
}

impl<'k> Texts<'k> {
    pub(super) fn new(key: &'k Key) -> Self {
        Self { key, units: Vec::new(), plain: Vec::new(), letters: Vec::new(), at: Stand::Quoted }
    }

    /// Appends the replacement of a text.
    pub(super) fn replace(&mut self, text: &[u8], out: &mut Vec<u8>) {
        if self.has_shape()
            && text.is_ascii()
            && !text.contains(&b'\\')
            && let Some(media) = media(self.key, text)
        {
            return out.extend(media);
        }
        let mut start = 0;
        for end in memmem::find_iter(text, APPENDED).filter(|at| *at > 0).chain([text.len()]) {
            let mut rest = &text[start..end];
            while rest.len() > LONG {
                let (piece, after) = rest.split_at(piece_end(rest));
                self.replace_piece(piece, out);
                rest = after;
            }
            self.replace_piece(rest, out);
            start = end;
        }
    }

    fn replace_piece(&mut self, text: &[u8], out: &mut Vec<u8>) {
        self.read_units(text);
        let start = out.len();
        out.extend_from_slice(text);
        if self.has_shape()
            && let Some(time) = time(self.key, &self.plain)
        {
            return self.put(0, &time, &mut out[start..]);
        }
        for again in 0..8 {
            self.write(again, &mut out[start..]);
            if !is_vocabulary(&out[start..]) {
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
        self.plain.clear();
        let mut at = 0;
        while at < text.len() {
            let unit = unit_at(text, at);
            at = unit.end;
            self.units.push(unit);
            self.plain.push(u8::try_from(unit.letter).ok().filter(u8::is_ascii).unwrap_or(0));
        }
    }

    /// Writes the text with other letters. Ids that are known by their shape are replaced alone, all others together.
    fn write(&mut self, again: u32, out: &mut [u8]) {
        let mut others = Vec::new();
        let is_error = is_error(&self.plain);
        let mut at = 0;
        while at < self.units.len() {
            let letter = self.units[at].letter;
            let has_shape = self.at == Stand::Quoted || at == 0 && self.has_shape();
            if has_shape && let Some(range) = uuid_at(&self.plain, at) {
                self.put(at, &uuid(self.key, &self.plain[range.clone()]), out);
                at = range.end;
            } else if has_shape && let Some((range, prefix)) = id_at(&self.plain, at) {
                self.letters.clear();
                for place in range.start + prefix..range.end {
                    let letter = self.units[place].letter;
                    self.letters.extend(self.class(letter).map(|class| Letter { letter, class, place }));
                }
                self.put_letters(0, out);
                at = range.end;
            } else if let Some(length) = phrase_at(self.units[at..].iter().map(|unit| unit.letter)) {
                at += length;
            } else if is_error && let Some(length) = refusal_at(&self.plain[at..]) {
                at += length;
            } else if let length @ 1.. = self.literal_at(at) {
                at += length;
            } else {
                others.extend(self.class(letter).map(|class| Letter { letter, class, place: at }));
                at += 1;
            }
        }
        self.letters = others;
        self.put_letters(again, out);
    }

    /// Whether the whole text may be a uuid, an id or a time.
    fn has_shape(&self) -> bool {
        matches!(self.at, Stand::Quoted | Stand::Torn { behind_quote: true })
    }

    /// How many letters stay here, in a damaged range: of the beginning of a literal, or of an exponent.
    fn literal_at(&self, at: usize) -> usize {
        let before = at.checked_sub(1).map(|before| self.plain[before]);
        match (self.at, self.plain[at]) {
            (Stand::Torn { .. }, b'e' | b'E') if before.is_some_and(|byte| byte.is_ascii_digit()) => 1,
            (Stand::Torn { .. }, b't' | b'f' | b'n') if !before.is_some_and(|byte| byte.is_ascii_alphanumeric()) => {
                let rest = &self.plain[at..];
                let common = |word: &&[u8]| word.iter().zip(rest).take_while(|(one, other)| one == other).count();
                [&b"true"[..], b"false", b"null"].iter().map(common).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    fn class(&self, letter: char) -> Option<Class> {
        match (Class::of(letter), self.at) {
            (Some(Class::Digit), Stand::Number | Stand::Torn { .. }) => (letter != '0').then_some(Class::NonZero),
            (Some(Class::Lower), Stand::Torn { .. }) => Some(Class::TornLower),
            (Some(Class::Upper), Stand::Torn { .. }) => Some(Class::TornUpper),
            (class, _) => class,
        }
    }

    /// Replaces the letters at hand, and writes each at its place.
    fn put_letters(&mut self, again: u32, out: &mut [u8]) {
        mark_hexadecimal(&mut self.letters);
        replace(self.key, &mut self.letters, again);
        self.letters.iter().for_each(|letter| self.units[letter.place].put(letter.letter, out));
    }

    /// Writes ASCII from a unit on.
    fn put(&self, first: usize, ascii: &[u8], out: &mut [u8]) {
        self.units[first..].iter().zip(ascii).for_each(|(unit, &byte)| unit.put(char::from(byte), out));
    }
}

/// Where a long text is cut: behind the last white space of its first part, or else behind a whole character.
fn piece_end(text: &[u8]) -> usize {
    let (mut at, mut behind_space) = (0, None);
    while at < LONG {
        let unit = unit_at(text, at);
        at = unit.end;
        behind_space = if unit.letter.is_whitespace() { Some(at) } else { behind_space };
    }
    behind_space.unwrap_or(at)
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
