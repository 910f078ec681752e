//! A *walk* reads a JSON text once and notes where each value is: a *node* each.

use super::hash::{hash_name, hash_written};
use super::special::find_special;
use super::surrogate::hex4;
use super::token::Span;

/// A value, and its key.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one. While a container is open: the container that holds it.
    pub end: u32,
    /// How many nodes after this one stand inside the value.
    pub inside: u32,
    /// For a string, whether it has escapes. For an object, where the value of its last member with the hash of `type`
    /// is, counted from this node; 0 where there is none.
    pub more: u32,
    pub key: KeyAt,
}

/// Where a key is. An element of an array has none.
#[derive(Clone, Copy, Default)]
pub(super) struct KeyAt {
    /// The byte after its quote.
    pub start: u32,
    /// Its hash, escapes read.
    pub hash: u32,
}

/// No container: the value is the whole text.
const NONE: u32 = u32::MAX;

/// Appends the nodes of a text, in the order in which they begin. `None` when it is not one JSON value, as `serde_json`
/// takes a [`RawValue`](serde_json::value::RawValue): however deep, and with halves of surrogate pairs.
pub(super) fn walk(text: &str, nodes: &mut Vec<Node>) -> Option<()> {
    u32::try_from(text.len()).ok()?;
    let mut walk = Walk { bytes: text.as_bytes(), at: 0, nodes, key: KeyAt::default(), holder: NONE, opening: b'[' };
    loop {
        walk.skip_space();
        match walk.peek()? {
            b'"' => walk.text()?,
            opening @ (b'{' | b'[') => {
                walk.open(opening);
                walk.skip_space();
                if walk.peek()? != closing(opening) {
                    walk.key()?;
                    continue;
                }
            }
            first => walk.word(first)?,
        }
        if walk.after_value()? {
            walk.skip_space();
            return (walk.at == text.len()).then_some(());
        }
    }
}

/// A place in a text that is walked, between two values.
struct Walk<'t, 'n> {
    bytes: &'t [u8],
    at: usize,
    nodes: &'n mut Vec<Node>,
    /// The key whose value comes next.
    key: KeyAt,
    /// The innermost container that is open.
    holder: u32,
    /// The byte that opened it.
    opening: u8,
}

impl Walk<'_, '_> {
    /// A container begins.
    #[inline(always)]
    fn open(&mut self, opening: u8) {
        let node = Node { start: self.at as u32, end: self.holder, inside: 0, more: 0, key: self.key };
        (self.holder, self.opening) = (self.nodes.len() as u32, opening);
        self.nodes.push(node);
        self.at += 1;
    }

    /// Steps past the containers that end after a value, up to the next value. True at the end of the outermost value.
    #[inline(always)]
    fn after_value(&mut self) -> Option<bool> {
        while self.holder != NONE {
            self.skip_space();
            let byte = self.peek()?;
            self.at += 1;
            if byte == b',' {
                self.skip_space();
                self.key()?;
                return Some(false);
            }
            if byte != closing(self.opening) {
                return None;
            }
            self.close();
        }
        Some(true)
    }

    /// The innermost container has ended.
    #[inline(always)]
    fn close(&mut self) {
        let inside = self.nodes.len() as u32 - self.holder - 1;
        let node = &mut self.nodes[self.holder as usize];
        node.inside = inside;
        self.holder = std::mem::replace(&mut node.end, self.at as u32);
        let holder = self.nodes.get(self.holder as usize);
        self.opening = holder.map_or(b'[', |node| self.bytes[node.start as usize]);
    }

    /// Steps over a key and its colon, in an object; in an array there is nothing to step over.
    #[inline(always)]
    fn key(&mut self) -> Option<()> {
        if self.opening == b'[' {
            return Some(());
        }
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at + 1;
        let (end, has_escapes) = string(self.bytes, start)?;
        let hash = hash_written(self.bytes, Span::new(start, end - 1), has_escapes);
        self.key = KeyAt { start: start as u32, hash };
        // Written each time, since the place of a `type` follows no rule.
        let count = self.nodes.len() as u32;
        let holder = &mut self.nodes[self.holder as usize];
        holder.more = if hash == TYPE { count - self.holder } else { holder.more };
        self.at = end;
        self.skip_space();
        let is_colon = self.peek()? == b':';
        self.at += 1;
        is_colon.then_some(())
    }

    /// Steps over a string.
    #[inline(always)]
    fn text(&mut self) -> Option<()> {
        let (end, has_escapes) = string(self.bytes, self.at + 1)?;
        self.push(end, u32::from(has_escapes));
        Some(())
    }

    /// Steps over a number or a literal.
    #[inline(always)]
    fn word(&mut self, first: u8) -> Option<()> {
        let end = match first {
            b't' => literal(self.bytes, self.at, b"true"),
            b'f' => literal(self.bytes, self.at, b"false"),
            b'n' => literal(self.bytes, self.at, b"null"),
            _ => number(self.bytes, self.at),
        };
        self.push(end?, 0);
        Some(())
    }

    #[inline(always)]
    fn push(&mut self, end: usize, more: u32) {
        self.nodes.push(Node { start: self.at as u32, end: end as u32, inside: 0, more, key: self.key });
        self.at = end;
    }

    #[inline(always)]
    fn skip_space(&mut self) {
        // Most texts have none: then one comparison is enough.
        while self.peek().is_some_and(|byte| byte <= b' ' && matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}

/// The byte after the string whose inside begins at `at`, and whether it has escapes.
#[inline(always)]
fn string(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let end = find_special(bytes, at);
    if bytes.get(end)? == &b'"' { Some((end + 1, false)) } else { Some((end_after_escape(bytes, end)?, true)) }
}

/// The byte after a string that has a backslash, or what no string has, at `at`.
fn end_after_escape(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => {
                at += match bytes.get(at + 1)? {
                    b'n' | b'"' | b'\\' | b't' | b'/' | b'r' | b'b' | b'f' => 2,
                    b'u' => hex4(bytes, at + 2).map(|_| 6)?,
                    _ => return None,
                };
            }
            _ => return None,
        }
        at = find_special(bytes, at);
    }
}

fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    bytes[at..].starts_with(word).then_some(at + word.len())
}

fn number(bytes: &[u8], mut at: usize) -> Option<usize> {
    let is = |at: usize, byte: u8| usize::from(bytes.get(at) == Some(&byte));
    at += is(at, b'-');
    at = if is(at, b'0') == 1 { at + 1 } else { digits(bytes, at)? };
    if is(at, b'.') == 1 {
        at = digits(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        at += is(at, b'+') | is(at, b'-');
        at = digits(bytes, at)?;
    }
    Some(at)
}

/// The byte after at least one digit.
fn digits(bytes: &[u8], at: usize) -> Option<usize> {
    let count = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then_some(at + count)
}

/// The inside of the key or string that begins at `at`.
pub(super) fn inside_from(text: &str, at: usize) -> &str {
    let end = string(text.as_bytes(), at).map_or(text.len(), |(end, _)| end - 1);
    &text[at..end]
}

/// The hash of the key `type`.
pub(super) const TYPE: u32 = hash_name(b"type");

/// The byte that closes what this one opens.
const fn closing(opening: u8) -> u8 {
    opening + 2
}
