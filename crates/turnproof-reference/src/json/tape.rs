//! A *tape* is where the values of a JSON text stand, found in one walk: whoever reads the text steps from value to
//! value and never over the same bytes again.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use super::shared::{Shared, SharedLine};
use super::text::{Text, unescape};
use super::token::JsonType;
use super::value::Raw;
use super::walk::{KeyAt, Node, TYPE, inside_from, walk};

thread_local! {
    /// Memory for nodes, used again for each text.
    static NODES: Cell<Vec<Node>> = const { Cell::new(Vec::new()) };
}

/// Reads a text by walking it; `None` when it is not one JSON value, as `serde_json` takes a
/// [`RawValue`](serde_json::value::RawValue), or has 4 GiB.
pub(crate) fn walked<T>(text: &str, read: impl FnOnce(Json<'_>) -> T) -> Option<T> {
    // After a text of some hundred kilobytes the memory is given back.
    const KEPT: usize = 1 << 14;
    let mut nodes = NODES.take();
    nodes.clear();
    let is_json = walk(text, &mut nodes).is_some();
    let found = is_json.then(|| read(Json { tape: &Tape { text, nodes: &nodes, line: None }, at: 0 }));
    if nodes.capacity() <= KEPT {
        NODES.set(nodes);
    }
    found
}

/// The values and keys of a JSON text, in the order in which they begin.
pub(crate) struct Tape<'t> {
    text: &'t str,
    nodes: &'t [Node],
    /// What is read shares the memory of this line.
    line: Option<SharedLine>,
}

impl Tape<'_> {
    /// Hands over the characters at a place, to be kept. Each sort is handed over apart: so they are made where they
    /// are to stand, since moving short ones takes longer than reading them.
    #[inline(always)]
    fn hand<R>(&self, place: Range<usize>, take: impl FnOnce(Shared) -> R) -> R {
        match (&self.line, place.len() <= Shared::SHORT) {
            (_, true) => take(Shared::short(&self.text[place])),
            (Some(line), false) => take(line.part(place)),
            (None, false) => take(Shared::from(&self.text[place])),
        }
    }
}

/// A value of a JSON text that has been walked.
#[derive(Clone, Copy)]
pub struct Json<'t> {
    tape: &'t Tape<'t>,
    at: usize,
}

impl<'t> Json<'t> {
    #[inline]
    fn node(self) -> &'t Node {
        &self.tape.nodes[self.at]
    }

    #[inline]
    fn place(self) -> Range<usize> {
        self.node().start as usize..self.node().end as usize
    }

    /// The value's text, as it was written.
    #[inline]
    pub fn get(self) -> &'t str {
        &self.tape.text[self.place()]
    }

    /// The key of the value in its object.
    #[inline(always)]
    fn name(self) -> Name<'t> {
        Name { text: self.tape.text, key: self.node().key }
    }

    /// The value's type.
    #[inline]
    pub fn json_type(self) -> JsonType {
        JsonType::of(self.tape.text.as_bytes()[self.node().start as usize])
    }

    /// Hands over the value's text, to be kept.
    #[inline(always)]
    pub(crate) fn hand_raw<R>(self, take: impl FnOnce(Raw) -> R) -> R {
        self.tape.hand(self.place(), |shared| take(Raw::of(shared)))
    }

    /// Reads the value so that what is kept of it shares memory.
    pub(crate) fn on_one_line<T>(self, read: impl FnOnce(Json<'_>) -> T) -> T {
        let Tape { text, nodes, .. } = *self.tape;
        let line = SharedLine::of(text, self.place());
        read(Json { tape: &Tape { text, nodes, line }, at: self.at })
    }

    /// The string that the value is; `None` for other values.
    pub(crate) fn text(self) -> Option<Text> {
        self.hand_text(|text| text)
    }

    /// Hands over the string that the value is; `None` for other values.
    #[inline(always)]
    pub(crate) fn hand_text<R>(self, take: impl FnOnce(Text) -> R) -> Option<R> {
        let Node { start, end, more: has_escapes, .. } = *self.node();
        if self.tape.text.as_bytes()[start as usize] != b'"' {
            return None;
        }
        let inside = start as usize + 1..end as usize - 1;
        Some(match has_escapes {
            0 => self.tape.hand(inside, |shared| take(Text::of(shared))),
            _ => take(unescaped(&self.tape.text[inside])),
        })
    }

    /// What is shown of the string that the value is.
    fn token(self) -> Option<Cow<'t, str>> {
        let token = self.get().strip_prefix('"')?.strip_suffix('"')?;
        Some(if self.node().more == 0 { token.into() } else { Text::from_token(token).as_str().to_owned().into() })
    }

    /// The elements of an array; `None` for other values.
    pub(crate) fn elements(self) -> Option<Elements<'t>> {
        (self.json_type() == JsonType::Array).then(|| Elements(self.inside()))
    }

    /// The members of an object, in the order in which they are written, repeated ones too; `None` for other values.
    #[inline]
    pub(crate) fn members(self) -> Option<Members<'t>> {
        (self.json_type() == JsonType::Object).then(|| Members {
            inside: self.inside(),
            type_at: self.at + self.node().more as usize,
            skips_type: false,
        })
    }

    #[inline]
    fn inside(self) -> Inside<'t> {
        let first = self.at + 1;
        Inside { tape: self.tape, at: first, end: first + self.node().inside as usize }
    }
}

#[cold]
#[inline(never)]
fn unescaped(token: &str) -> Text {
    Text::from_wtf8(unescape(token.as_bytes()))
}

/// The nodes inside a container that are still to come.
#[derive(Clone)]
struct Inside<'t> {
    tape: &'t Tape<'t>,
    at: usize,
    end: usize,
}

impl<'t> Inside<'t> {
    /// The next value, and all inside it.
    #[inline]
    fn value(&mut self) -> Json<'t> {
        let value = Json { tape: self.tape, at: self.at };
        self.at += 1 + value.node().inside as usize;
        value
    }
}

/// Gives the elements of an array.
#[derive(Clone)]
pub(crate) struct Elements<'t>(Inside<'t>);

impl Elements<'_> {
    /// How many are still to come.
    pub(crate) fn count_left(&self) -> usize {
        self.clone().count()
    }
}

impl<'t> Iterator for Elements<'t> {
    type Item = Json<'t>;

    #[inline]
    fn next(&mut self) -> Option<Json<'t>> {
        (self.0.at < self.0.end).then(|| self.0.value())
    }
}

/// Gives the members of an object.
#[derive(Clone)]
pub(crate) struct Members<'t> {
    inside: Inside<'t>,
    /// Where the value of the `type` is, if the object has one: past its own node.
    type_at: usize,
    skips_type: bool,
}

impl<'t> Members<'t> {
    /// The `type`, if it is there and a string: of several, the last.
    #[inline]
    pub(crate) fn type_name(&self) -> Cow<'t, str> {
        self.type_value().and_then(Json::token).unwrap_or_default()
    }

    /// The same, as it was written; empty if it is not there.
    pub(crate) fn type_text(&self) -> Text {
        self.type_value().and_then(Json::text).unwrap_or_default()
    }

    #[inline]
    fn type_value(&self) -> Option<Json<'t>> {
        let Inside { tape, at, .. } = self.inside;
        let value = (self.type_at >= at).then_some(Json { tape, at: self.type_at })?;
        if value.name().is(TYPE, "type") { Some(value) } else { self.find_type() }
    }

    /// The same, where another name has the hash of `type`.
    #[cold]
    fn find_type(&self) -> Option<Json<'t>> {
        let members = Self { skips_type: false, ..self.clone() };
        members.filter(|(name, _)| name.is(TYPE, "type")).last().map(|(_, value)| value)
    }

    /// The same members without the `type`.
    pub(crate) fn without_type(self) -> Self {
        Self { skips_type: true, ..self }
    }
}

impl<'t> Iterator for Members<'t> {
    type Item = (Name<'t>, Json<'t>);

    #[inline(always)]
    fn next(&mut self) -> Option<(Name<'t>, Json<'t>)> {
        while self.inside.at < self.inside.end {
            let value = self.inside.value();
            let name = value.name();
            if name.key.hash != TYPE || !self.skips_type || !name.is(TYPE, "type") {
                return Some((name, value));
            }
        }
        None
    }
}

/// The name of a member.
#[derive(Clone, Copy)]
pub(crate) struct Name<'t> {
    text: &'t str,
    key: KeyAt,
}

impl<'t> Name<'t> {
    /// The name's [hash](super::hash_name), its escapes read.
    #[inline]
    pub(crate) fn hash(self) -> u32 {
        self.key.hash
    }

    /// Whether it is the name of this hash.
    #[inline]
    pub(crate) fn is(self, hash: u32, name: &str) -> bool {
        let (start, name) = (self.key.start as usize, name.as_bytes());
        let bytes = self.text.as_bytes();
        let is_written_so =
            || bytes.get(start..start + name.len()) == Some(name) && bytes.get(start + name.len()) == Some(&b'"');
        self.hash() == hash && (is_written_so() || self.is_escaped(name))
    }

    #[cold]
    fn is_escaped(self, name: &[u8]) -> bool {
        unescape(self.written().as_bytes()) == name
    }

    /// The name as it is written.
    fn written(self) -> &'t str {
        inside_from(self.text, self.key.start as usize)
    }
}

impl From<Name<'_>> for Text {
    #[inline]
    fn from(name: Name<'_>) -> Self {
        Self::from_token(name.written())
    }
}
