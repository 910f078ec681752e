//! A *tree* is one JSON value with nothing tidied up: numbers as text, strings with their lone surrogates, objects as
//! lists of members.
//!
//! So `1.0` and `1` differ, as do a lone surrogate and U+FFFD, and a repeated key and a single one. The reader is plain
//! recursive descent; [`MAX_DEPTH`] bounds the recursion. A string without escapes is not copied.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::quick::plain_run;

/// How many items there is room for at once.
const FEW: usize = 8;

/// How deep containers may nest.
pub(crate) const MAX_DEPTH: usize = 128;

/// A string; bytes of it that are not UTF-8 are U+FFFD. Equal strings are equal however they are written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Text<'a> {
    /// One that is Unicode.
    Whole(Cow<'a, str>),
    /// One that holds half of a surrogate pair, and perhaps whole ones, as UTF-16 units.
    Torn(Vec<u16>),
}

impl<'a> Text<'a> {
    fn of_units(units: Vec<u16>) -> Self {
        String::from_utf16(&units).map_or(Self::Torn(units), |text| Self::Whole(Cow::Owned(text)))
    }

    /// Whether it holds half of a surrogate pair.
    pub(crate) fn is_torn(&self) -> bool {
        matches!(self, Self::Torn(_))
    }

    /// The text, lone surrogates as U+FFFD.
    pub(crate) fn lossy(&self) -> Cow<'a, str> {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Torn(units) => Cow::Owned(String::from_utf16_lossy(units)),
        }
    }

    pub(crate) fn is(&self, said: &str) -> bool {
        matches!(self, Self::Whole(text) if text == said)
    }
}

/// A JSON value, read from bytes that it borrows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree<'a> {
    Null,
    Boolean(bool),
    /// The number as it is written.
    Number(&'a [u8]),
    Text(Text<'a>),
    Array(Vec<Tree<'a>>),
    /// The members in the order of the text, repeated keys and all.
    Object(Vec<(Text<'a>, Tree<'a>)>),
}

/// Why reading stopped before a whole value was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The bytes end inside the value: more of them could make it whole.
    End,
    /// No value continues like this.
    Wrong,
    /// A container would be the 129th around itself.
    TooDeep,
}

impl<'a> Tree<'a> {
    /// The member of an object; of a repeated key the last one.
    pub(crate) fn member(&self, key: &str) -> Option<&Self> {
        let Tree::Object(members) = self else { return None };
        members.iter().rev().find(|(name, _)| name.is(key)).map(|(_, value)| value)
    }

    /// The text of a string, lone surrogates as U+FFFD.
    pub(crate) fn text(&self) -> Option<Cow<'a, str>> {
        if let Tree::Text(text) = self { Some(text.lossy()) } else { None }
    }

    pub(crate) fn says(&self, said: &str) -> bool {
        matches!(self, Tree::Text(text) if text.is(said))
    }

    /// Whether a string in it, keys included, holds half of a surrogate pair.
    pub(crate) fn has_lone_surrogate(&self) -> bool {
        match self {
            Tree::Text(text) => text.is_torn(),
            Tree::Array(items) => items.iter().any(Tree::has_lone_surrogate),
            Tree::Object(members) => members.iter().any(|(key, value)| key.is_torn() || value.has_lone_surrogate()),
            _ => false,
        }
    }

    /// Whether an object in it has the same key twice.
    pub(crate) fn has_repeated_key(&self) -> bool {
        match self {
            Tree::Array(items) => items.iter().any(Tree::has_repeated_key),
            Tree::Object(members) => {
                let mut keys: Vec<&Text> = members.iter().map(|(key, _)| key).collect();
                keys.sort_unstable();
                keys.array_windows().any(|[key, next]| key == next)
                    || members.iter().any(|(_, value)| value.has_repeated_key())
            }
            _ => false,
        }
    }

    /// Whether both are the same document: members in any order, of a repeated key the last one, and numbers by their
    /// text.
    pub(crate) fn same_document(&self, other: &Tree<'_>) -> bool {
        match (self, other) {
            (Tree::Array(ours), Tree::Array(theirs)) => {
                ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(our, their)| our.same_document(their))
            }
            (Tree::Object(ours), Tree::Object(theirs)) => same_members(ours, theirs),
            _ => self == other,
        }
    }
}

fn same_members(ours: &[(Text<'_>, Tree<'_>)], theirs: &[(Text<'_>, Tree<'_>)]) -> bool {
    let (ours, theirs) = (last_of_each_key(ours), last_of_each_key(theirs));
    ours.len() == theirs.len()
        && ours.iter().all(|(key, our)| theirs.get(key).is_some_and(|their| our.same_document(their)))
}

/// The members that count: of a repeated key the last one.
pub(crate) fn last_of_each_key<'a, 'b>(members: &'b [(Text<'a>, Tree<'a>)]) -> BTreeMap<&'b Text<'a>, &'b Tree<'a>> {
    members.iter().map(|(key, value)| (key, value)).collect()
}

/// Reads the value that begins with the first byte, and says where it ends. Anything may follow it.
pub(crate) fn read(bytes: &[u8]) -> Result<(Tree<'_>, usize), Stop> {
    let mut reader = Reader::new(bytes);
    let tree = reader.value(0)?;
    Ok((tree, reader.at))
}

/// Reads bytes that hold one value and, around it, nothing but white space.
pub(crate) fn read_all(bytes: &[u8]) -> Result<Tree<'_>, Stop> {
    let mut reader = Reader::new(bytes);
    reader.skip_white_space();
    let tree = reader.value(0)?;
    reader.skip_white_space();
    if reader.at == bytes.len() { Ok(tree) } else { Err(Stop::Wrong) }
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// As many of the bytes, from the first on, as are UTF-8.
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        Self { bytes, text, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Result<u8, Stop> {
        let byte = self.peek().ok_or(Stop::End)?;
        self.at += 1;
        Ok(byte)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let eaten = self.peek() == Some(byte);
        self.at += usize::from(eaten);
        eaten
    }

    fn demand(&mut self, byte: u8) -> Result<(), Stop> {
        if self.next()? == byte { Ok(()) } else { Err(Stop::Wrong) }
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// A value inside `depth` containers.
    fn value(&mut self, depth: usize) -> Result<Tree<'a>, Stop> {
        match self.peek().ok_or(Stop::End)? {
            b'{' | b'[' if depth == MAX_DEPTH => Err(Stop::TooDeep),
            b'{' => self.items(b'}', depth, Self::one_member).map(Tree::Object),
            b'[' => self.items(b']', depth, Self::value).map(Tree::Array),
            b'"' => Ok(Tree::Text(self.string()?)),
            b'-' | b'0'..=b'9' => self.number(),
            b'n' => self.word(b"null", Tree::Null),
            b't' => self.word(b"true", Tree::Boolean(true)),
            b'f' => self.word(b"false", Tree::Boolean(false)),
            _ => Err(Stop::Wrong),
        }
    }

    fn word(&mut self, word: &[u8], tree: Tree<'a>) -> Result<Tree<'a>, Stop> {
        word.iter().try_for_each(|&byte| self.demand(byte))?;
        Ok(tree)
    }

    /// The items of a container, up to the bracket that closes it.
    fn items<T>(
        &mut self,
        close: u8,
        depth: usize,
        item: fn(&mut Self, usize) -> Result<T, Stop>,
    ) -> Result<Vec<T>, Stop> {
        self.at += 1;
        self.skip_white_space();
        if self.eat(close) {
            return Ok(Vec::new());
        }
        let mut items = Vec::with_capacity(FEW);
        loop {
            self.skip_white_space();
            items.push(item(self, depth + 1)?);
            self.skip_white_space();
            match self.next()? {
                b',' => {}
                byte if byte == close => return Ok(items),
                _ => return Err(Stop::Wrong),
            }
        }
    }

    fn one_member(&mut self, depth: usize) -> Result<(Text<'a>, Tree<'a>), Stop> {
        let key = self.string()?;
        self.skip_white_space();
        self.demand(b':')?;
        self.skip_white_space();
        Ok((key, self.value(depth)?))
    }

    fn string(&mut self) -> Result<Text<'a>, Stop> {
        self.demand(b'"')?;
        let start = self.at;
        let first = self.plain_run();
        if let (Some(b'"'), Some(whole)) = (self.peek(), self.text.get(start..self.at)) {
            self.at += 1;
            return Ok(Text::Whole(Cow::Borrowed(whole)));
        }
        let start = self.at;
        let mut said = String::from_utf8_lossy(first).into_owned();
        loop {
            match self.next()? {
                b'"' => return Ok(Text::Whole(Cow::Owned(said))),
                b'\\' => match self.letter()? {
                    Some(letter) => said.push(letter),
                    None => {
                        self.at = start;
                        return self.torn(first);
                    }
                },
                _ => return Err(Stop::Wrong),
            }
            said.push_str(&String::from_utf8_lossy(self.plain_run()));
        }
    }

    /// The character of an escape, or of two of a pair; `None` for half of a pair.
    fn letter(&mut self) -> Result<Option<char>, Stop> {
        let first = self.escape()?;
        let letter = char::from_u32(u32::from(first));
        if letter.is_some() || !self.bytes[self.at..].starts_with(b"\\u") {
            return Ok(letter);
        }
        self.at += 1;
        let pair = [first, self.escape()?];
        Ok(char::decode_utf16(pair).next().and_then(Result::ok))
    }

    /// A text that has some half of a pair; the first escape is the next byte.
    fn torn(&mut self, first: &[u8]) -> Result<Text<'a>, Stop> {
        let mut units: Vec<u16> = String::from_utf8_lossy(first).encode_utf16().collect();
        loop {
            match self.next()? {
                b'"' => return Ok(Text::of_units(units)),
                b'\\' => units.push(self.escape()?),
                _ => return Err(Stop::Wrong),
            }
            units.extend(String::from_utf8_lossy(self.plain_run()).encode_utf16());
        }
    }

    /// The bytes up to the next quote, backslash or control character.
    #[inline]
    fn plain_run(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let run = &rest[..plain_run(rest)];
        self.at += run.len();
        run
    }

    fn escape(&mut self) -> Result<u16, Stop> {
        match self.next()? {
            byte @ (b'"' | b'\\' | b'/') => Ok(u16::from(byte)),
            b'b' => Ok(0x08),
            b'f' => Ok(0x0C),
            b'n' => Ok(0x0A),
            b'r' => Ok(0x0D),
            b't' => Ok(0x09),
            b'u' => (0..4).try_fold(0, |unit, _| {
                let digit = char::from(self.next()?).to_digit(16).ok_or(Stop::Wrong)?;
                Ok(unit * 16 + digit as u16)
            }),
            _ => Err(Stop::Wrong),
        }
    }

    fn number(&mut self) -> Result<Tree<'a>, Stop> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _signed = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(Tree::Number(&self.bytes[start..self.at]))
    }

    /// One digit or more.
    fn digits(&mut self) -> Result<(), Stop> {
        if !self.next()?.is_ascii_digit() {
            return Err(Stop::Wrong);
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }
}
