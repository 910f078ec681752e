//! The *quick* way from JSON text to a [`Value`]: one walk, and one piece of memory for each list, object and text.
//!
//! It takes what nearly all JSON is made of, and gives up on the rest: what is no JSON, halves of surrogate pairs,
//! numbers that are not short and whole where `serde_json` has its own mind, deep nesting. So whoever asks reads those
//! the other way, which says what is wrong and where.

use serde_json::Number;

use super::words::Str;
use super::{Object, Value};

/// How deep containers may nest here; `serde_json` goes some levels deeper.
const DEEPEST: usize = 100;

/// The value of a JSON text; `None` when it has to be read the other way.
pub(super) fn read(json: &str) -> Option<Value> {
    let mut reader = Reader { json, at: 0, depth: 0, values: Vec::new(), members: Vec::new() };
    reader.skip_white_space();
    let value = reader.value()?;
    reader.skip_white_space();
    (reader.at == json.len()).then_some(value)
}

struct Reader<'a> {
    json: &'a str,
    at: usize,
    depth: usize,
    /// The elements of lists that are still open.
    values: Vec<Value>,
    /// The members of objects that are still open.
    members: Vec<(Str, Value)>,
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
            let value = self.value()?;
            self.values.push(value);
            self.skip_white_space();
            match self.next()? {
                b',' => {}
                b']' => return Some(Value::Array(self.values.drain(first..).collect())),
                _ => return None,
            }
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
            return char::from_u32(first);
        }
        let is_pair = self.json.as_bytes()[self.at..].starts_with(b"\\u");
        self.at += 2;
        let second = if is_pair { self.unit()? } else { return None };
        let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + low)
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
        // The second is no JSON, or minus nought, which is a double.
        let is_odd = digits.first() == Some(&b'0') && (count > 1 || is_negative);
        if matches!(digits.get(count), Some(b'.' | b'e' | b'E')) {
            return self.double();
        }
        if !is_short || is_odd {
            return None;
        }
        self.at += usize::from(is_negative) + count;
        let whole = digits[..count].iter().fold(0, |whole, digit| whole * 10 + i64::from(digit - b'0'));
        Some(Value::Number(if is_negative { Number::from(-whole) } else { Number::from(whole as u64) }))
    }

    /// A number that is not whole, as `serde_json` reads it.
    fn double(&mut self) -> Option<Value> {
        let rest = &self.json[self.at..];
        let is_of_number = |byte: u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest.bytes().position(|byte| !is_of_number(byte)).unwrap_or(rest.len());
        self.at += length;
        serde_json::from_str(&rest[..length]).ok().map(Value::Number)
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
