//! A *record* is one JSON object of a transcript: its bytes, and the typed head read from them.

use std::borrow::Cow;

use memchr::memchr;

use crate::json::{Cursor, Fault, FaultKind, FieldError, JsonType, Scratch, Span, Text, decoded, unescape, walked};
use crate::message::{Entry, Kind, Shape, Typed};

use super::head::{Flag, Head, Link, Members};
use super::outline::{Outline, outline};
use super::schema::{BLOCK, BODY, Misfit, Shapes, TOP, Table, block, block_tag, body, fit, has_inside, top};

/// One content block of a record, as places in the record's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHead {
    /// The block's index in the content.
    pub index: u32,
    /// The whole block.
    pub span: Span,
    /// `type`
    pub type_name: Option<Span>,
    /// `id`
    pub id: Option<Span>,
    /// `tool_use_id`
    pub tool_use_id: Option<Span>,
    /// `content`, of any type
    pub content: Option<Span>,
    /// `text`
    pub text: Option<Span>,
    /// `name`
    pub name: Option<Span>,
    /// What it is, where all of it is in order.
    pub outline: Option<Outline>,
}

/// A record in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The record's bytes, from `{` to `}`; written back as they are.
    pub bytes: &'a [u8],
    /// The same bytes as text, where it is known that they are UTF-8.
    pub utf8: Option<&'a str>,
    /// Where its first byte stands in the file.
    pub start: u64,
    /// Its line, counted like the line that was scanned.
    pub line: u64,
    /// Its typed part.
    pub head: Head,
    /// The blocks of its content, when that is a list.
    pub blocks: &'a [BlockHead],
}

impl<'a> Record<'a> {
    /// The byte after the last one.
    pub fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Reads a string of the record; lone surrogates and bytes that are not UTF-8 show as U+FFFD.
    pub fn text(&self, span: Span) -> Cow<'a, str> {
        let inside = span.start as usize + 1..(span.end as usize).saturating_sub(1);
        let text = match self.utf8.and_then(|utf8| utf8.get(inside.clone())) {
            Some(text) => Cow::Borrowed(text),
            None => decoded(self.bytes.get(inside).unwrap_or_default()),
        };
        if memchr(b'\\', text.as_bytes()).is_none() {
            return text;
        }
        Cow::Owned(Text::from_token(&text).as_str().to_owned())
    }

    /// The record's `type`; empty when it has none.
    pub fn type_name(&self) -> Cow<'a, str> {
        self.head.type_name.map_or(Cow::Borrowed(""), |span| self.text(span))
    }

    /// Whether a string of the record is this text.
    pub(super) fn is(&self, span: Option<Span>, text: &str) -> bool {
        span.is_some_and(|span| self.text(span) == text)
    }

    /// Whether a compaction ends here.
    pub(crate) fn is_compact_boundary(&self) -> bool {
        self.head.kind == Some(Kind::System) && self.is(self.head.subtype, "compact_boundary")
    }

    /// Whether it is of the main conversation: of no subagent.
    pub(crate) fn is_of_main(&self) -> bool {
        !self.head.has(Flag::Sidechain)
    }

    /// The record's `uuid`.
    pub fn uuid(&self) -> Option<Cow<'a, str>> {
        self.head.uuid.map(|span| self.text(span))
    }

    /// The record's `parentUuid`.
    pub fn parent(&self) -> Link<Cow<'a, str>> {
        match self.head.parent {
            Some(span) => Link::To(self.text(span)),
            None if self.head.parent_is_null => Link::Null,
            None => Link::Absent,
        }
    }

    /// The whole record, typed. Bytes that are not UTF-8 are read as U+FFFD. A known field of a wrong JSON type counts as
    /// missing ([`Typed::misfit`]). Fails when the bytes are no JSON object.
    pub fn entry(&self) -> Result<Entry, FieldError> {
        read_entry(self.bytes)
    }
}

/// Reads a record's bytes as [`Record::entry`] does.
pub fn read_entry(record: &[u8]) -> Result<Entry, FieldError> {
    let text = decoded(record);
    walked(&text, Entry::read_json).unwrap_or_else(|| Err(FieldError::new("a JSON object", "\"\"")))
}

/// The known members of one object, and what is wrong inside them.
#[derive(Default)]
struct Known {
    members: Members,
    /// Misfits inside members, by the member's index.
    nested: Vec<(usize, Misfit)>,
}

impl Known {
    fn clear(&mut self) {
        self.members.clear();
        self.nested.clear();
    }

    /// Steps over the value of a member, and keeps what is found.
    #[inline]
    fn take(&mut self, cursor: &mut Cursor<'_, '_>, table: &Table, index: usize) -> Result<(), Fault> {
        let mut misfit = None;
        let (found, span) = fit(cursor, table.hints[index], true, &mut misfit)?;
        self.set(index, found, span);
        self.nested.extend(misfit.filter(|misfit| misfit.span != span).map(|misfit| (index, misfit)));
        Ok(())
    }

    /// Sets a member; what an earlier one of the same name had inside is void.
    #[inline]
    fn set(&mut self, index: usize, found: JsonType, span: Span) {
        if self.members.set(index, found, span) {
            self.nested.retain(|&(other, _)| other != index);
        }
    }

    /// The first member, or part of one, whose type is not the one that `shapes` gives it.
    fn misfit(&self, shapes: &Shapes) -> Option<Misfit> {
        let nested = self.nested.iter().filter(|&&(index, _)| shapes[index].is_some_and(has_inside));
        let nested = nested.map(|&(_, misfit)| misfit);
        nested.chain(self.members.misfit(shapes)).min_by_key(|misfit| misfit.span.start)
    }
}

/// A record of more content blocks is not looked into: 262,144.
const MAX_BLOCKS: usize = 1 << 18;

/// Scans records; kept between them, so that nothing is allocated twice.
#[derive(Default)]
pub(super) struct RecordScan {
    pub(super) blocks: Vec<BlockHead>,
    top: Known,
    body: Known,
    block: Members,
    block_misfit: Option<Misfit>,
}

impl RecordScan {
    /// Scans the object that begins at `at`; gives the byte after it. Spans count from the object's first byte.
    pub(super) fn scan(&mut self, bytes: &[u8], at: usize, scratch: &mut Scratch) -> Result<usize, Fault> {
        self.top.clear();
        self.body.clear();
        self.clear_blocks();
        let scanned = self.top(&mut Cursor::new(&bytes[at..], 0, scratch));
        scratch.last_object = scratch.last_object.map(|(start, end)| (at + start, at + end));
        scanned.map(|span| at + span.end as usize).map_err(|fault| Fault { at: at + fault.at, ..fault })
    }

    fn clear_blocks(&mut self) {
        self.blocks.clear();
        self.block_misfit = None;
    }

    fn top(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Span, Fault> {
        cursor.object(|cursor, key| {
            let Some(index) = TOP.names.find(cursor.bytes(), key) else {
                return cursor.value().map(drop);
            };
            if index == top::MESSAGE {
                self.body.clear();
                self.clear_blocks();
                if cursor.peek_type() == Some(JsonType::Object) {
                    let span = self.message(cursor)?;
                    self.top.set(index, JsonType::Object, span);
                    return Ok(());
                }
            }
            self.top.take(cursor, &TOP, index)
        })
    }

    fn message(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Span, Fault> {
        cursor.object(|cursor, key| {
            let Some(index) = BODY.names.find(cursor.bytes(), key) else {
                return cursor.value().map(drop);
            };
            if index == body::CONTENT {
                self.clear_blocks();
                if cursor.peek_type() == Some(JsonType::Array) {
                    let span = self.content(cursor)?;
                    self.body.set(index, JsonType::Array, span);
                    return Ok(());
                }
            }
            self.body.take(cursor, &BODY, index)
        })
    }

    fn content(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Span, Fault> {
        cursor.array(|cursor, index| {
            if cursor.peek_type() == Some(JsonType::Object) {
                return self.content_block(cursor, index);
            }
            let (found, span) = cursor.value()?;
            let misfit = Misfit { span, expected: "an object", found };
            self.block_misfit = Misfit::earlier(self.block_misfit, Some(misfit));
            Ok(())
        })
    }

    fn content_block(&mut self, cursor: &mut Cursor<'_, '_>, index: usize) -> Result<(), Fault> {
        if self.blocks.len() == MAX_BLOCKS {
            return Err(Fault { at: cursor.at(), kind: FaultKind::TooMany });
        }
        self.block.clear();
        let mut has_others = false;
        let span = cursor.object(|cursor, key| {
            let (found, span) = cursor.value()?;
            match BLOCK.names.find(cursor.bytes(), key) {
                Some(index) => drop(self.block.set(index, found, span)),
                None => has_others = true,
            }
            Ok(())
        })?;
        let bytes = cursor.bytes();
        let text = |index| self.block.of_type(index, JsonType::String);
        let type_name = text(block::TYPE);
        let misfit = match (type_name, self.block.get(block::TYPE)) {
            (Some(name), _) => {
                let tag = block_tag(&name_of(bytes, name));
                tag.and_then(|tag| self.block.misfit(&BLOCK.shapes[tag]))
            }
            (None, slot) => slot.and_then(|slot| slot.misfit(Shape::Text)),
        };
        self.block_misfit = Misfit::earlier(self.block_misfit, misfit);
        self.blocks.push(BlockHead {
            index: index as u32,
            span,
            type_name,
            id: text(block::ID),
            tool_use_id: text(block::TOOL_USE_ID),
            content: self.block.get(block::CONTENT).map(|slot| slot.span),
            text: text(block::TEXT),
            name: text(block::NAME),
            outline: type_name.filter(|_| !has_others).and_then(|name| outline(bytes, name, &self.block)),
        });
        Ok(())
    }

    /// The kind of the record that was scanned.
    fn kind(&self, bytes: &[u8]) -> Option<Kind> {
        let name = name_of(bytes, self.top.members.of_type(top::TYPE, JsonType::String)?);
        Kind::ALL.into_iter().find(|kind| kind.name().as_bytes() == &*name)
    }

    /// The head of the record that was scanned.
    pub(super) fn head(&self, bytes: &[u8]) -> Head {
        Head::new(self.kind(bytes), &self.top.members, &self.body.members, bytes)
    }

    /// Whether the object that was scanned has a `type` that is a string, and one of these members.
    pub(super) fn is_marked(&self, marks: &[usize]) -> bool {
        let members = &self.top.members;
        members.of_type(top::TYPE, JsonType::String).is_some() && marks.iter().any(|&mark| members.get(mark).is_some())
    }

    /// The first known field, in the order of the bytes, that has a wrong JSON type.
    pub(super) fn misfit(&self, bytes: &[u8]) -> Option<Misfit> {
        let Some(kind) = self.kind(bytes) else {
            return self.top.members.get(top::TYPE)?.misfit(Shape::Text);
        };
        let first = self.top.misfit(&TOP.shapes[kind as usize]);
        let tag = match kind {
            Kind::User => 0,
            Kind::Assistant => 1,
            _ => return first,
        };
        Misfit::earlier(Misfit::earlier(first, self.body.misfit(&BODY.shapes[tag])), self.block_misfit)
    }
}

/// The characters of a string, its escapes read.
fn name_of(bytes: &[u8], span: Span) -> Cow<'_, [u8]> {
    let token = span.of(bytes);
    let inside = &token[1..token.len() - 1];
    if inside.contains(&b'\\') { Cow::Owned(unescape(inside)) } else { Cow::Borrowed(inside) }
}
