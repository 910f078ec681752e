//! A *surrogate* is half of a UTF-16 pair. Alone it is no character: JSON can escape it, and UTF-8 cannot carry it.
//!
//! In WTF-8, an extension of UTF-8, it takes the three bytes that UTF-8 would give it.

use std::borrow::Cow;

use memchr::memchr;

/// The number that the four hex digits from `at` spell.
pub(super) fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digit = |number: u32, &byte: &u8| Some(number << 4 | char::from(byte).to_digit(16)?);
    bytes.get(at..at + 4)?.iter().try_fold(0, digit)
}

/// The UTF-16 unit of the escape `\uXXXX` at this byte.
pub(super) fn escaped_unit(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.starts_with(b"\\u").then(|| hex4(bytes, at + 2))?
}

/// The code point of a pair; `None` when the two units are none.
pub(super) fn joined(high: u32, low: u32) -> Option<u32> {
    let is_pair = (0xD800..0xDC00).contains(&high) && (0xDC00..0xE000).contains(&low);
    is_pair.then(|| 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}

/// The surrogate that three WTF-8 bytes stand for.
pub(super) fn of_wtf8(bytes: &[u8]) -> Option<u32> {
    match bytes {
        &[0xED, high @ 0xA0..=0xBF, low @ 0x80..=0xBF, ..] => {
            Some(0xD000 | u32::from(high & 0x3F) << 6 | u32::from(low & 0x3F))
        }
        _ => None,
    }
}

/// Appends a code point as WTF-8.
pub(super) fn push_wtf8(out: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => out.extend_from_slice(&[0xED, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8]),
    }
}

/// JSON text with U+FFFD for each escape of a lone surrogate.
pub fn without_lone_surrogates(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let mut repaired = String::new();
    let (mut kept, mut from) = (0, 0);
    while let Some(at) = bytes.get(from..).and_then(|rest| memchr(b'\\', rest)).map(|at| from + at) {
        from = match (escaped_unit(bytes, at), escaped_unit(bytes, at + 6)) {
            // Any other escape is two bytes long, and its second one may be a backslash.
            (None, _) => at + 2,
            (Some(high), Some(low)) if joined(high, low).is_some() => at + 12,
            (Some(0xD800..0xE000), _) => {
                repaired.push_str(&json[kept..at]);
                repaired.push(char::REPLACEMENT_CHARACTER);
                kept = at + 6;
                kept
            }
            (Some(_), _) => at + 6,
        };
    }
    if kept == 0 {
        return Cow::Borrowed(json);
    }
    repaired.push_str(&json[kept..]);
    Cow::Owned(repaired)
}
