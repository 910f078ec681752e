//! *Text* is a JSON string as read: what it shows, and, where that differs, what was written. A *text buffer* is one
//! that grows by pieces.
//!
//! JavaScript strings may hold half of a surrogate pair, and clients that cut strings write such
//! halves to disk (`"\ud83d"`; issues 3277, 56064 and others of anthropics/claude-code). Rust's
//! `str` cannot hold them, so a [`Text`] shows U+FFFD in their place and keeps the escapes.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use memchr::memchr;
use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

use super::shared::Shared;
use super::surrogate::{escaped_unit, joined, of_wtf8, push_wtf8};
use super::write::push_escaped;

/// A string that may hold lone surrogates.
///
/// It dereferences to the `str` that a reader sees. Two texts are equal when they are the same
/// sequence of UTF-16 units, whatever their escapes.
///
/// ```
/// use turnproof_reference::json::Text;
///
/// let text: Text = serde_json::from_str(r#""half \ud83d of a pair""#)?;
/// assert_eq!(&*text, "half \u{fffd} of a pair");
/// assert_eq!(serde_json::to_string(&text)?, r#""half \ud83d of a pair""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Text(Repr);

/// How a text is kept.
#[derive(Clone)]
enum Repr {
    /// All of it is shown.
    Shown(Shared),
    /// It holds a lone surrogate; nearly none does.
    Broken(Arc<Broken>),
}

/// A string with a lone surrogate.
struct Broken {
    shown: String,
    /// The whole string.
    wtf8: Vec<u8>,
}

impl Default for Repr {
    fn default() -> Self {
        Self::Shown(Shared::default())
    }
}

impl Text {
    /// The text that a reader sees, U+FFFD in place of each lone surrogate.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Shown(shown) => shown,
            Repr::Broken(broken) => &broken.shown,
        }
    }

    /// Whether the text holds half of a surrogate pair, which no UTF-8 request may carry.
    pub fn has_lone_surrogate(&self) -> bool {
        matches!(self.0, Repr::Broken(_))
    }

    /// Reads the characters between the quotes of a JSON string that a scanner has accepted.
    pub fn from_token(token: &str) -> Self {
        if memchr(b'\\', token.as_bytes()).is_some() {
            Self::from_wtf8(unescape(token.as_bytes()))
        } else {
            token.into()
        }
    }

    /// Characters that are all shown.
    #[inline]
    pub(super) fn of(shown: Shared) -> Self {
        Self(Repr::Shown(shown))
    }

    /// The string as a JSON token, quotes included; lone surrogates stay escapes.
    pub fn to_token(&self) -> String {
        let mut token = String::with_capacity(self.len() + 2);
        self.push_token(&mut token);
        token
    }

    /// Appends the string as a JSON token.
    pub(crate) fn push_token(&self, json: &mut String) {
        json.push('"');
        match &self.0 {
            Repr::Shown(shown) => push_escaped(json, shown),
            Repr::Broken(broken) => push_wtf8_escaped(json, &broken.wtf8, push_escaped),
        }
        json.push('"');
    }

    /// The string, each lone surrogate written as the escape that JSON has for it. `None` when a backslash before one
    /// makes another escape of it.
    pub(crate) fn escaped(&self) -> Option<Cow<'_, str>> {
        let Repr::Broken(broken) = &self.0 else { return Some(Cow::Borrowed(self)) };
        let bytes = &broken.wtf8;
        if wtf8_parts(bytes).any(|(valid, unit, _)| unit.is_some() && ends_with_open_escape(valid)) {
            return None;
        }
        let mut escaped = String::with_capacity(bytes.len() + 8);
        push_wtf8_escaped(&mut escaped, bytes, |text, valid| text.push_str(valid));
        Some(Cow::Owned(escaped))
    }

    /// The whole string in WTF-8: UTF-8, and lone surrogates in the three bytes that it would give them.
    pub(super) fn wtf8(&self) -> &[u8] {
        match &self.0 {
            Repr::Shown(shown) => shown.as_bytes(),
            Repr::Broken(broken) => &broken.wtf8,
        }
    }

    pub(super) fn from_wtf8(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(shown) => shown.into(),
            Err(error) => {
                let wtf8 = error.into_bytes();
                let shown = show_wtf8(&wtf8);
                Self(Repr::Broken(Arc::new(Broken { shown, wtf8 })))
            }
        }
    }
}

impl Deref for Text {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::of(text.into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::of(text.into())
    }
}

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.wtf8() == other.wtf8()
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.wtf8().hash(state);
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In the order of what is shown.
impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other).then_with(|| self.wtf8().cmp(other.wtf8()))
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.wtf8() == other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_token())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.has_lone_surrogate() {
            RawValue::from_string(self.to_token()).map_err(S::Error::custom)?.serialize(serializer)
        } else {
            serializer.serialize_str(self)
        }
    }
}

/// Read straight from JSON text, a `Text` also takes raw control characters, which JSON forbids: `serde_json` does not
/// look for them in strings that may hold lone surrogates. Read a [`Raw`](super::Raw) first where that matters.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl de::Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
        Ok(text.into())
    }

    /// `serde_json` gives strings asked for as bytes in WTF-8, lone surrogates and all.
    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Text, E> {
        Ok(std::str::from_utf8(bytes).map_or_else(|_| Text::from_wtf8(bytes.to_vec()), Text::from))
    }
}

/// Reads the escapes of a JSON string's inside, lone surrogates as WTF-8.
///
/// Meant for text that a scanner has accepted; a malformed escape stays as it is written.
pub(crate) fn unescape(token: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(token.len());
    let mut rest = token;
    while let Some(at) = memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let (unit, length) = read_escape(&rest[at..]);
        match unit {
            Some(code) => push_wtf8(&mut out, code),
            None => out.extend_from_slice(&rest[at..at + length]),
        }
        rest = &rest[at + length..];
    }
    out.extend_from_slice(rest);
    out
}

/// Text of bytes, U+FFFD in place of what is not UTF-8.
///
/// The standard library looks for such bytes one by one. Nearly always there are none; that is checked eight at a time.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The code point of the escape that `bytes` begin with, and how many bytes it takes.
fn read_escape(bytes: &[u8]) -> (Option<u32>, usize) {
    let code = match bytes.get(1) {
        Some(b'b') => 0x08,
        Some(b't') => 0x09,
        Some(b'n') => 0x0A,
        Some(b'f') => 0x0C,
        Some(b'r') => 0x0D,
        Some(&byte @ (b'"' | b'\\' | b'/')) => u32::from(byte),
        _ => {
            return match (escaped_unit(bytes, 0), escaped_unit(bytes, 6)) {
                (Some(unit), next) => {
                    next.and_then(|low| joined(unit, low)).map_or((Some(unit), 6), |code| (Some(code), 12))
                }
                (None, _) => (None, bytes.len().min(2)),
            };
        }
    };
    (Some(code), 2)
}

/// The parts of WTF-8 bytes: well-formed text, and the surrogate (or stray bytes) after it.
fn wtf8_parts(bytes: &[u8]) -> impl Iterator<Item = (&str, Option<u32>, bool)> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let chunk = rest.utf8_chunks().next()?;
        let valid = chunk.valid();
        let after = &rest[valid.len()..];
        let unit = of_wtf8(after);
        let skipped = if unit.is_some() { 3 } else { chunk.invalid().len() };
        rest = &after[skipped..];
        Some((valid, unit, skipped > 0))
    })
}

/// Whether an odd number of backslashes ends the text.
fn ends_with_open_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}

fn show_wtf8(bytes: &[u8]) -> String {
    let shown = wtf8_parts(bytes).flat_map(|(valid, _, is_broken)| [valid, if is_broken { "\u{FFFD}" } else { "" }]);
    shown.collect()
}

/// Appends WTF-8: text by `push`, lone surrogates as escapes, and U+FFFD for what is neither.
fn push_wtf8_escaped(out: &mut String, bytes: &[u8], push: impl Fn(&mut String, &str)) {
    for (valid, unit, is_broken) in wtf8_parts(bytes) {
        push(out, valid);
        match unit {
            Some(unit) => out.push_str(&format!("\\u{unit:04x}")),
            None if is_broken => out.push(char::REPLACEMENT_CHARACTER),
            None => {}
        }
    }
}

/// A string that grows by pieces, each of which may hold lone surrogates.
///
/// ```
/// use turnproof_reference::json::{Text, TextBuffer};
///
/// let piece = |token: &str| serde_json::from_str::<Text>(token);
/// let mut buffer = TextBuffer::from(piece(r#""a\ud83d""#)?);
/// buffer.push(&piece(r#""\ude00b""#)?);
/// assert_eq!(buffer.into_text(), "a\u{1F600}b");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextBuffer {
    /// WTF-8: a pair of surrogates is always one character.
    wtf8: Vec<u8>,
}

impl TextBuffer {
    /// An empty buffer.
    pub const fn new() -> Self {
        Self { wtf8: Vec::new() }
    }

    /// Appends a piece.
    pub fn push(&mut self, piece: &Text) {
        let mut bytes = piece.wtf8();
        let last = self.wtf8.last_chunk::<3>().and_then(|last| of_wtf8(last));
        if let Some(code) = last.zip(of_wtf8(bytes)).and_then(|(high, low)| joined(high, low)) {
            self.wtf8.truncate(self.wtf8.len() - 3);
            push_wtf8(&mut self.wtf8, code);
            bytes = &bytes[3..];
        }
        self.wtf8.extend_from_slice(bytes);
    }

    /// The whole string.
    pub fn into_text(self) -> Text {
        Text::from_wtf8(self.wtf8)
    }
}

impl From<Text> for TextBuffer {
    fn from(text: Text) -> Self {
        Self { wtf8: text.wtf8().to_vec() }
    }
}
