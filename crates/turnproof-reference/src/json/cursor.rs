//! A *cursor* walks JSON text once, byte by byte, and never recurses on what it skips.
//!
//! It accepts the grammar of RFC 8259 with two differences. A string may hold lone surrogate escapes and bytes that are
//! not UTF-8: the caller looks at those. Containers nest [`MAX_DEPTH`] deep at most. A defect that leaves the text
//! readable becomes a [`Flaw`]. The first that does not becomes a [`Fault`] with its byte.

use super::hash::hash_written;
use super::key_set::KeySet;
use super::special::Window;
use super::surrogate::{escaped_unit, hex4, joined};
use super::token::{Fault, FaultKind, Flaw, FlawKind, JsonType, Key, Span};

/// How deep containers may nest, by SPEC.md section 3.5. The trees of `serde_json` end one
/// level above; what it skips or keeps raw has no limit.
pub const MAX_DEPTH: usize = 128;

/// So many defects of one document are noted at most.
const MAX_NOTES: usize = 1 << 20;

/// What a cursor writes down; kept between documents so that nothing is allocated twice.
pub struct Scratch {
    keys: KeySet,
    /// The first byte of each open container.
    starts: [u32; MAX_DEPTH],
    /// The defects noted since the last [`Scratch::clear`], repeated keys of large objects last.
    pub notes: Vec<Flaw>,
    /// The object that closed last: its first byte, and the byte after it.
    pub last_object: Option<(usize, usize)>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self { keys: KeySet::default(), starts: [0; MAX_DEPTH], notes: Vec::new(), last_object: None }
    }
}

impl Scratch {
    /// Makes ready for another document.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.notes.clear();
        self.last_object = None;
    }

    fn note(&mut self, flaw: Flaw) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(flaw);
        }
    }
}

/// A place in JSON text, moving forward.
pub struct Cursor<'t, 's> {
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    window: Window,
    scratch: &'s mut Scratch,
}

impl<'t, 's> Cursor<'t, 's> {
    /// A cursor at byte `at` of `bytes`, which must be shorter than 4 GiB.
    pub fn new(bytes: &'t [u8], at: usize, scratch: &'s mut Scratch) -> Self {
        scratch.clear();
        Self { bytes, at, depth: 0, window: Window::new(), scratch }
    }

    /// The byte that comes next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The text under the cursor.
    pub fn bytes(&self) -> &'t [u8] {
        self.bytes
    }

    /// The type of the value that begins here, after white space.
    #[inline]
    pub fn peek_type(&mut self) -> Option<JsonType> {
        self.skip_space();
        self.bytes.get(self.at).map(|&byte| JsonType::of(byte))
    }

    /// Steps over an object, handing each member to `member`, which must step over its value.
    #[inline]
    pub fn object(&mut self, mut member: impl FnMut(&mut Self, Key) -> Result<(), Fault>) -> Result<Span, Fault> {
        self.skip_space();
        let start = self.at;
        self.expect(b'{', "an object")?;
        self.enter(start)?;
        self.scratch.keys.open();
        let mut closed = self.is_empty(b'}');
        while !closed {
            self.skip_space();
            let key = self.key()?;
            member(self, key)?;
            closed = self.closes(b'}', "`,` or `}`")?;
        }
        self.depth -= 1;
        self.close_object(start);
        Ok(Span::new(start, self.at))
    }

    /// Steps over an array, calling `element` before each element; it must step over it.
    #[inline]
    pub fn array(&mut self, mut element: impl FnMut(&mut Self, usize) -> Result<(), Fault>) -> Result<Span, Fault> {
        self.skip_space();
        let start = self.at;
        self.expect(b'[', "an array")?;
        self.enter(start)?;
        let mut closed = self.is_empty(b']');
        let mut index = 0;
        while !closed {
            element(self, index)?;
            index += 1;
            closed = self.closes(b']', "`,` or `]`")?;
        }
        self.depth -= 1;
        Ok(Span::new(start, self.at))
    }

    /// Steps over any value.
    #[inline]
    pub fn value(&mut self) -> Result<(JsonType, Span), Fault> {
        self.skip_space();
        let start = self.at;
        let found = match self.peek() {
            Some(b'"') => {
                self.at += 1;
                self.string()?;
                JsonType::String
            }
            Some(byte @ (b'{' | b'[')) => {
                self.container()?;
                JsonType::of(byte)
            }
            _ => self.scalar()?,
        };
        Ok((found, Span::new(start, self.at)))
    }

    /// Steps over an object or array without recursion.
    fn container(&mut self) -> Result<(), Fault> {
        let floor = self.depth;
        // A bit for each container open here, the innermost lowest: whether it is an object.
        let mut objects: u128 = 0;
        loop {
            // A value begins here.
            let mut closed = false;
            match self.peek() {
                Some(b'{') => {
                    self.enter(self.at)?;
                    self.at += 1;
                    objects = objects << 1 | 1;
                    self.scratch.keys.open();
                    closed = self.is_empty(b'}');
                    if !closed {
                        self.key()?;
                        self.skip_space();
                        continue;
                    }
                }
                Some(b'[') => {
                    self.enter(self.at)?;
                    self.at += 1;
                    objects <<= 1;
                    closed = self.is_empty(b']');
                    if !closed {
                        continue;
                    }
                }
                Some(b'"') => {
                    self.at += 1;
                    self.string()?;
                }
                _ => {
                    self.scalar()?;
                }
            }
            // A value has ended here: its container continues, or closes and is itself such a value.
            loop {
                if closed {
                    self.depth -= 1;
                    if objects & 1 == 1 {
                        self.close_object(self.scratch.starts[self.depth] as usize);
                    }
                    objects >>= 1;
                    if self.depth == floor {
                        return Ok(());
                    }
                }
                let in_object = objects & 1 == 1;
                closed = match in_object {
                    true => self.closes(b'}', "`,` or `}`")?,
                    false => self.closes(b']', "`,` or `]`")?,
                };
                if !closed {
                    self.skip_space();
                    if in_object {
                        self.key()?;
                        self.skip_space();
                    }
                    break;
                }
            }
        }
    }

    /// After the byte that opens a container: true past the byte that closes it at once.
    #[inline]
    fn is_empty(&mut self, close: u8) -> bool {
        self.skip_space();
        self.passes(close)
    }

    /// After a value: true past the closing byte, false past a comma.
    #[inline]
    fn closes(&mut self, close: u8, expected: &'static str) -> Result<bool, Fault> {
        self.skip_space();
        match self.passes(b',') {
            true => Ok(false),
            false => self.expect(close, expected).map(|()| true),
        }
    }

    /// Steps over a key and its colon.
    #[inline]
    fn key(&mut self) -> Result<Key, Fault> {
        self.expect(b'"', "a key")?;
        let start = self.at;
        let escaped = self.string()?;
        let span = Span::new(start, self.at - 1);
        let hash = hash_written(self.bytes, span, escaped);
        if self.scratch.keys.insert(self.bytes, span, hash) {
            self.scratch.note(Flaw { kind: FlawKind::RepeatedKey, span });
        }
        self.skip_space();
        self.expect(b':', "`:`")?;
        Ok(Key { span, escaped, hash })
    }

    /// Steps to the byte after the closing quote; true when the string holds escapes.
    #[inline]
    fn string(&mut self) -> Result<bool, Fault> {
        let mut escaped = false;
        loop {
            self.at = self.window.find(self.bytes, self.at);
            match self.next() {
                Some(b'"') => return Ok(escaped),
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err(Fault { at: self.at - 1, kind: FaultKind::ControlInString }),
                None => return Err(self.end()),
            }
        }
    }

    /// Steps over the escape whose backslash has been read.
    #[inline]
    fn escape(&mut self) -> Result<(), Fault> {
        match self.next() {
            Some(b'n' | b'"' | b'\\' | b't' | b'/' | b'r' | b'b' | b'f') => Ok(()),
            Some(b'u') => self.unicode_escape(),
            None => Err(self.end()),
            Some(_) => Err(Fault { at: self.at - 1, kind: FaultKind::BadEscape }),
        }
    }

    fn unicode_escape(&mut self) -> Result<(), Fault> {
        let start = self.at - 2;
        let unit = self.hex_digits()?;
        if escaped_unit(self.bytes, self.at).is_some_and(|low| joined(unit, low).is_some()) {
            self.at += 6;
        } else if (0xD800..0xE000).contains(&unit) {
            let span = Span::new(start, self.at);
            self.scratch.note(Flaw { kind: FlawKind::LoneSurrogate, span });
        }
        Ok(())
    }

    fn hex_digits(&mut self) -> Result<u32, Fault> {
        if let Some(unit) = hex4(self.bytes, self.at) {
            self.at += 4;
            return Ok(unit);
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
            self.at += 1;
        }
        match self.peek() {
            None => Err(self.end()),
            Some(_) => Err(Fault { at: self.at, kind: FaultKind::BadEscape }),
        }
    }

    /// Steps over a number or a literal.
    #[inline]
    fn scalar(&mut self) -> Result<JsonType, Fault> {
        match self.peek() {
            Some(b't') => self.literal("true", JsonType::Bool),
            Some(b'f') => self.literal("false", JsonType::Bool),
            Some(b'n') => self.literal("null", JsonType::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.fault("a value")),
        }
    }

    fn literal(&mut self, word: &'static str, found: JsonType) -> Result<JsonType, Fault> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(found);
        }
        if word.as_bytes().starts_with(rest) { Err(self.end()) } else { Err(self.fault("a value")) }
    }

    fn number(&mut self) -> Result<JsonType, Fault> {
        self.passes(b'-');
        if !self.passes(b'0') {
            self.digits()?;
        }
        if self.passes(b'.') {
            self.digits()?;
        }
        if self.passes(b'e') || self.passes(b'E') {
            if !self.passes(b'+') {
                self.passes(b'-');
            }
            self.digits()?;
        }
        Ok(JsonType::Number)
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(self.fault("a digit")) }
    }

    #[inline]
    fn enter(&mut self, at: usize) -> Result<(), Fault> {
        if self.depth == MAX_DEPTH {
            return Err(Fault { at, kind: FaultKind::TooDeep });
        }
        self.scratch.starts[self.depth] = at as u32;
        self.depth += 1;
        Ok(())
    }

    #[inline]
    fn close_object(&mut self, start: usize) {
        let Scratch { keys, notes, last_object, .. } = &mut *self.scratch;
        keys.close(self.bytes, |span| notes.push(Flaw { kind: FlawKind::RepeatedKey, span }));
        *last_object = Some((start, self.at));
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    #[inline]
    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Fault> {
        if self.passes(byte) { Ok(()) } else { Err(self.fault(what)) }
    }

    /// Steps over a byte, if it comes next.
    #[inline]
    fn passes(&mut self, byte: u8) -> bool {
        // A branch that is guessed lets the walk run ahead; a sum would wait for the byte.
        if self.peek() == Some(byte) {
            self.at += 1;
            return true;
        }
        false
    }

    #[cold]
    fn fault(&self, expected: &'static str) -> Fault {
        match self.peek() {
            Some(_) => Fault { at: self.at, kind: FaultKind::Expected(expected) },
            None => self.end(),
        }
    }

    #[cold]
    fn end(&self) -> Fault {
        Fault { at: self.bytes.len(), kind: FaultKind::EndOfText }
    }
}
