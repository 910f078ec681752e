//! A *tape* is where the values of a JSON text stand, found in one walk: whoever reads the text steps from value to value
//! and never over the same bytes again.

use super::cursor::find_special;
use super::surrogate::hex4;
use super::text::Text;
use super::token::JsonType;

/// A value or a key.
#[derive(Clone, Copy)]
struct Node {
    /// The first byte of a value; of a key, the byte after its quote.
    start: u32,
    /// The byte after the last one; of a key, that of its quote.
    end: u32,
    /// How many nodes after this one stand inside the value. For a key, whether it has escapes.
    inside: u32,
}

/// The values and keys of a JSON text, in the order in which they begin.
pub(crate) struct Tape<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

impl<'t> Tape<'t> {
    /// Walks a text; `None` when it is not one JSON value, as `serde_json` takes a
    /// [`RawValue`](serde_json::value::RawValue): however deep, and with halves of surrogate pairs.
    pub(crate) fn of(text: &'t str) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        let mut walk = Walk { bytes: text.as_bytes(), at: 0, nodes: Vec::with_capacity(text.len() / 16 + 1) };
        walk.values()?;
        walk.skip_space();
        (walk.at == text.len()).then_some(Self { text, nodes: walk.nodes })
    }

    /// The value that the text is.
    pub(crate) fn value(&self) -> Json<'_> {
        Json { text: self.text, nodes: &self.nodes }
    }
}

/// A value of a JSON text that has been walked.
#[derive(Clone, Copy)]
pub struct Json<'t> {
    text: &'t str,
    /// The value's node, and those inside it.
    nodes: &'t [Node],
}

impl<'t> Json<'t> {
    /// The value's text, as it was written.
    #[inline]
    pub fn get(self) -> &'t str {
        &self.text[self.nodes[0].start as usize..self.nodes[0].end as usize]
    }

    /// The value's type.
    #[inline]
    pub fn json_type(self) -> JsonType {
        JsonType::of(self.text.as_bytes()[self.nodes[0].start as usize])
    }

    /// The string that the value is; `None` for other values.
    pub(crate) fn text(self) -> Option<Text> {
        Some(Text::from_token(self.get().strip_prefix('"')?.strip_suffix('"')?))
    }

    /// The elements of an array; `None` for other values.
    pub(crate) fn elements(self) -> Option<Elements<'t>> {
        (self.json_type() == JsonType::Array).then(|| Elements { text: self.text, nodes: &self.nodes[1..] })
    }

    /// The members of an object, in the order in which they are written, repeated ones too; `None` for other values.
    pub(crate) fn members(self) -> Option<Members<'t>> {
        (self.json_type() == JsonType::Object)
            .then(|| Members { values: Elements { text: self.text, nodes: &self.nodes[1..] }, skips_type: false })
    }
}

/// Gives the elements of an array.
#[derive(Clone)]
pub(crate) struct Elements<'t> {
    text: &'t str,
    nodes: &'t [Node],
}

impl<'t> Iterator for Elements<'t> {
    type Item = Json<'t>;

    #[inline]
    fn next(&mut self) -> Option<Json<'t>> {
        let first = self.nodes.first()?;
        let (nodes, rest) = self.nodes.split_at(first.inside as usize + 1);
        self.nodes = rest;
        Some(Json { text: self.text, nodes })
    }
}

/// Gives the members of an object.
#[derive(Clone)]
pub(crate) struct Members<'t> {
    values: Elements<'t>,
    skips_type: bool,
}

impl<'t> Members<'t> {
    /// The `type`, if it is there: of several, the last.
    pub(crate) fn type_value(&self) -> Option<Json<'t>> {
        let members = Self { values: self.values.clone(), skips_type: false };
        members.filter(|(name, _)| &**name == "type").last().map(|(_, value)| value)
    }

    /// The same members without the `type`.
    pub(crate) fn without_type(self) -> Self {
        Self { skips_type: true, ..self }
    }
}

impl<'t> Iterator for Members<'t> {
    type Item = (Name<'t>, Json<'t>);

    #[inline]
    fn next(&mut self) -> Option<(Name<'t>, Json<'t>)> {
        loop {
            let (key, rest) = self.values.nodes.split_first()?;
            self.values.nodes = rest;
            let token = &self.values.text[key.start as usize..key.end as usize];
            let value = self.values.next()?;
            let name = if key.inside == 0 { Name::Written(token) } else { Name::Escaped(Text::from_token(token)) };
            if !(self.skips_type && &*name == "type") {
                return Some((name, value));
            }
        }
    }
}

/// The name of a member.
pub(crate) enum Name<'t> {
    /// As it is written.
    Written(&'t str),
    /// Escapes have been read.
    Escaped(Text),
}

impl std::ops::Deref for Name<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Self::Written(name) => name,
            Self::Escaped(name) => name,
        }
    }
}

impl From<Name<'_>> for Text {
    fn from(name: Name<'_>) -> Self {
        match name {
            Name::Written(name) => name.into(),
            Name::Escaped(name) => name,
        }
    }
}

/// A place in a text that is walked.
struct Walk<'t> {
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<Node>,
}

impl Walk<'_> {
    /// Steps over one value and all that is inside it, without recursion.
    fn values(&mut self) -> Option<()> {
        // The containers that are open, the innermost last: their nodes.
        let mut open: Vec<usize> = Vec::new();
        loop {
            self.skip_space();
            let (node, first) = (self.begin(), self.peek()?);
            if let b'{' | b'[' = first {
                self.at += 1;
                self.skip_space();
                if !self.passes(closing(first)) {
                    open.push(node);
                    self.key_of(first)?;
                    continue;
                }
            } else {
                self.scalar(first)?;
            }
            self.end(node);
            // A value has ended here, and so has each container whose last one it is.
            loop {
                let Some(&container) = open.last() else { return Some(()) };
                let first = self.bytes[self.nodes[container].start as usize];
                self.skip_space();
                if self.passes(b',') {
                    self.skip_space();
                    self.key_of(first)?;
                    break;
                }
                if !self.passes(closing(first)) {
                    return None;
                }
                self.end(container);
                open.pop();
            }
        }
    }

    fn begin(&mut self) -> usize {
        self.nodes.push(Node { start: self.at as u32, end: 0, inside: 0 });
        self.nodes.len() - 1
    }

    fn end(&mut self, node: usize) {
        let inside = self.nodes.len() - node - 1;
        self.nodes[node].end = self.at as u32;
        self.nodes[node].inside = inside as u32;
    }

    /// Steps over a key and its colon, in an object; in an array there is nothing to step over.
    #[inline]
    fn key_of(&mut self, first: u8) -> Option<()> {
        if first == b'[' {
            return Some(());
        }
        if !self.passes(b'"') {
            return None;
        }
        let start = self.at;
        let has_escapes = self.string()?;
        self.nodes.push(Node { start: start as u32, end: self.at as u32 - 1, inside: u32::from(has_escapes) });
        self.skip_space();
        self.passes(b':').then_some(())
    }

    /// Steps over what is no container.
    #[inline]
    fn scalar(&mut self, first: u8) -> Option<()> {
        match first {
            b'"' => {
                self.at += 1;
                self.string().map(drop)
            }
            b't' => self.literal(b"true"),
            b'f' => self.literal(b"false"),
            b'n' => self.literal(b"null"),
            _ => self.number(),
        }
    }

    fn literal(&mut self, word: &[u8]) -> Option<()> {
        let is_there = self.bytes[self.at..].starts_with(word);
        self.at += word.len();
        is_there.then_some(())
    }

    fn number(&mut self) -> Option<()> {
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
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// Steps to the byte after the closing quote; gives whether the string has escapes.
    #[inline]
    fn string(&mut self) -> Option<bool> {
        let mut has_escapes = false;
        loop {
            self.at = find_special(self.bytes, self.at);
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(has_escapes);
                }
                b'\\' => {
                    has_escapes = true;
                    self.at += match self.bytes.get(self.at + 1)? {
                        b'n' | b'"' | b'\\' | b't' | b'/' | b'r' | b'b' | b'f' => 2,
                        b'u' => hex4(self.bytes, self.at + 2).map(|_| 6)?,
                        _ => return None,
                    };
                }
                _ => return None,
            }
        }
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

    /// Steps over a byte, if it comes next.
    #[inline]
    fn passes(&mut self, byte: u8) -> bool {
        if self.peek() == Some(byte) {
            self.at += 1;
            return true;
        }
        false
    }
}

/// The byte that closes what this one opens.
const fn closing(first: u8) -> u8 {
    first + 2
}
