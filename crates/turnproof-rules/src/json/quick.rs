//! The *quick* way from JSON text to a [`Value`]: one walk, and one piece of memory for each list, object and text.
//!
//! It takes what nearly all JSON is made of, and gives up on the rest: what is no JSON, halves of surrogate pairs, deep
//! nesting. So whoever asks reads those the other way, which says what is wrong and where.

use serde_json::Number;

use super::known::{self, Known};
use super::words::Str;
use super::{Object, Value};

/// How deep containers may nest here; `serde_json` allows some levels more.
const DEEPEST: usize = 100;

/// In how many containers the messages of a list stand.
const OF_LISTS: usize = 1;

/// A message alone is longer; the events of a stream mostly are not, and each of them is read once.
const SHORTEST_ALONE: usize = 200;

/// Why a text has to be read another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It holds half of a surrogate pair, which no value can hold.
    Torn,
    /// It is no JSON, or JSON of a rare sort.
    Rare,
}

/// The value of a JSON text; or why it has to be read another way.
pub(crate) fn read(json: &str) -> Result<Value, Unread> {
    known::with(|known| {
        let mut reader =
            Reader { json, at: 0, depth: 0, is_torn: false, values: Vec::new(), members: Vec::new(), known };
        let value = reader.whole();
        value.ok_or(if reader.is_torn { Unread::Torn } else { Unread::Rare })
    })
}

struct Reader<'a> {
    json: &'a str,
    at: usize,
    depth: usize,
    /// Whether half of a surrogate pair was met.
    is_torn: bool,
    /// The elements of lists that are still open.
    values: Vec<Value>,
    /// The members of objects that are still open.
    members: Vec<(Str, Value)>,
    known: &'a mut Known,
}

impl Reader<'_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    #[inline]
    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// The value, and nothing but white space around it.
    fn whole(&mut self) -> Option<Value> {
        self.skip_white_space();
        let value = self.item()?;
        self.skip_white_space();
        (self.at == self.json.len()).then_some(value)
    }

    fn value(&mut self) -> Option<Value> {
        match self.peek()? {
            b'"' => self.text().map(Value::String),
            b'{' => self.inside(Self::object),
            b'[' => self.inside(Self::list),
            b'n' => self.word("null", Value::Null),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        let is_there = self.json.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += word.len();
        is_there.then_some(value)
    }

    fn inside(&mut self, container: fn(&mut Self) -> Option<Value>) -> Option<Value> {
        self.at += 1;
        self.depth += 1;
        let value = if self.depth > DEEPEST { None } else { container(self) };
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Option<Value> {
        let first = self.values.len();
        self.skip_white_space();
        if self.peek()? == b']' {
            self.at += 1;
            return Some(Value::Array(Vec::new()));
        }
        loop {
            self.skip_white_space();
            let value = self.item()?;
            self.values.push(value);
            self.skip_white_space();
            match self.next()? {
                b',' => {}
                b']' => return Some(Value::Array(self.values.drain(first..).collect())),
                _ => return None,
            }
        }
    }

    /// The whole text, or an element of a list. An object that is a message or a turn may be known.
    fn item(&mut self) -> Option<Value> {
        let is_short = self.depth < OF_LISTS && self.json.len() < SHORTEST_ALONE;
        if self.depth > OF_LISTS || is_short || self.peek() != Some(b'{') {
            return self.value();
        }
        let start = self.at;
        if let Some((object, length)) = self.known.find(&self.json[start..]) {
            self.at += length;
            return Some(Value::Object(object));
        }
        match self.inside(Self::object)? {
            Value::Object(object) => Some(Value::Object(self.known.keep(&self.json[start..self.at], object))),
            other => Some(other),
        }
    }

    fn object(&mut self) -> Option<Value> {
        let first = self.members.len();
        self.skip_white_space();
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(Value::Object(Object::new()));
        }
        loop {
            self.skip_white_space();
            let name = self.text()?;
            self.skip_white_space();
            if self.next()? != b':' {
                return None;
            }
            self.skip_white_space();
            let value = self.value()?;
            self.members.push((name, value));
            self.skip_white_space();
            match self.next()? {
                b',' => {}
                b'}' => return Some(Value::Object(Object::of(self.members.drain(first..).collect()))),
                _ => return None,
            }
        }
    }

    fn text(&mut self) -> Option<Str> {
        if self.next()? != b'"' {
            return None;
        }
        let start = self.at;
        self.at += plain_run(&self.json.as_bytes()[start..]);
        let plain = &self.json[start..self.at];
        match self.next()? {
            b'"' => Some(Str::from(plain)),
            b'\\' => self.escaped(plain.to_owned()).map(Str::from),
            _ => None,
        }
    }

    /// What a text says whose first escape has begun.
    fn escaped(&mut self, mut said: String) -> Option<String> {
        loop {
            let letter = match self.next()? {
                byte @ (b'"' | b'\\' | b'/') => char::from(byte),
                b'b' => '\u{8}',
                b'f' => '\u{C}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => self.letter()?,
                _ => return None,
            };
            said.push(letter);
            let start = self.at;
            self.at += plain_run(&self.json.as_bytes()[start..]);
            said.push_str(&self.json[start..self.at]);
            match self.next()? {
                b'"' => return Some(said),
                b'\\' => {}
                _ => return None,
            }
        }
    }

    /// The letter of four digits, or of two times four.
    fn letter(&mut self) -> Option<char> {
        let first = self.unit()?;
        if !(0xD800..0xDC00).contains(&first) {
            self.is_torn = char::from_u32(first).is_none();
            return char::from_u32(first);
        }
        let is_pair = self.json.as_bytes()[self.at..].starts_with(b"\\u");
        self.at += 2;
        let second = if is_pair { self.unit()? } else { 0 };
        let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400);
        self.is_torn = low.is_none();
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + low?)
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.json.as_bytes().get(self.at..self.at + 4)?;
        self.at += 4;
        digits.iter().try_fold(0, |unit, &digit| Some(unit * 16 + char::from(digit).to_digit(16)?))
    }

    fn number(&mut self) -> Option<Value> {
        /// So many digits are less than 2⁶³.
        const MOST_DIGITS: usize = 18;
        let bytes = &self.json.as_bytes()[self.at..];
        let is_negative = bytes.first() == Some(&b'-');
        let digits = &bytes[usize::from(is_negative)..];
        let count = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
        let is_short = (1..=MOST_DIGITS).contains(&count);
        // It is no JSON, or minus nought, which is a double.
        let is_odd = digits.first() == Some(&b'0') && (count > 1 || is_negative);
        if !is_short || is_odd || matches!(digits.get(count), Some(b'.' | b'e' | b'E')) {
            return self.odd_number();
        }
        self.at += usize::from(is_negative) + count;
        let whole = digits[..count].iter().fold(0, |whole, digit| whole * 10 + i64::from(digit - b'0'));
        Some(Value::Number(if is_negative { Number::from(-whole) } else { Number::from(whole as u64) }))
    }

    /// A number that is long or not whole, as `serde_json` reads it.
    fn odd_number(&mut self) -> Option<Value> {
        let rest = &self.json[self.at..];
        let is_of_number = |byte: u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest.bytes().position(|byte| !is_of_number(byte)).unwrap_or(rest.len());
        self.at += length;
        serde_json::from_str(&rest[..length]).ok().map(Value::Number)
    }
}

/// The texts of the elements of a list that is JSON, each without the white space around it; `None` for anything else.
pub(crate) fn elements(json: &str) -> Option<Vec<&str>> {
    let bytes = json.as_bytes();
    let mut at = json.find('[').filter(|&at| json[..at].trim().is_empty())? + 1;
    let (mut elements, mut start, mut depth) = (Vec::new(), at, 0usize);
    loop {
        at += bytes.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b',' | b'[' | b']' | b'{' | b'}'))?;
        match bytes[at] {
            b'"' => at = behind_text(bytes, at + 1)?,
            b'[' | b'{' => depth += 1,
            b']' if depth == 0 => break,
            b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                elements.push(json[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    let last = json[start..at].trim();
    elements.extend(Some(last).filter(|last| !last.is_empty()));
    Some(elements)
}

/// The place of the quote that ends a text which begins at a place.
pub(crate) fn behind_text(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += plain_run(bytes.get(at..)?);
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGHS: u64 = ONES << 7;

/// The high bit of each byte that is `byte`; above the first of them perhaps others.
const fn equal(word: u64, byte: u8) -> u64 {
    let differs = word ^ (ONES * byte as u64);
    differs.wrapping_sub(ONES) & !differs & HIGHS
}

/// How many bytes come before the first that a search finds, which marks the bytes of eight by their high bits.
#[inline(always)]
fn before(bytes: &[u8], is_found: impl Fn(u64) -> u64) -> usize {
    let (eights, rest) = bytes.as_chunks::<8>();
    for (number, eight) in eights.iter().enumerate() {
        let found = is_found(u64::from_le_bytes(*eight));
        if found != 0 {
            return number * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let mut last = [b'a'; 8];
    last[..rest.len()].copy_from_slice(rest);
    let found = is_found(u64::from_le_bytes(last));
    bytes.len() - rest.len() + if found == 0 { rest.len() } else { found.trailing_zeros() as usize / 8 }
}

/// How many bytes come before the next quote, backslash or control character.
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    let controls = |word: u64| word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
    before(bytes, |word| equal(word, b'"') | equal(word, b'\\') | controls(word))
}

/// The lines of a file, each with its LF.
pub(crate) fn lines(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = file;
    std::iter::from_fn(move || {
        let end = before(rest, |word| equal(word, b'\n'));
        let line = rest.split_off(..(end + 1).min(rest.len()))?;
        (!line.is_empty()).then_some(line)
    })
}
