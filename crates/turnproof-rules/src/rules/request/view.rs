//! A *view* is a request as its rules see it: turns, blocks and parts of tool results, whatever JSON they are made of.
//!
//! Content that is a string counts as one text block. Nothing here fails or recurses: what has the wrong shape has no
//! blocks, no type, or no such field.

use crate::json::{Object, Value};

use crate::operation::Request;
use crate::rules::Place;
use crate::rules::value::{kind, list, text, text_of};
pub(super) use crate::vocabulary::{SERVER_CALLS, SERVER_RESULTS};

/// Who speaks in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
    System,
    /// No role, or an unknown one.
    Other,
}

impl Role {
    /// The role's name; empty for `Other`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Other => "",
        }
    }
}

/// A turn of a request, and its number from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<'a> {
    pub(super) index: usize,
    pub(super) value: &'a Value,
}

impl<'a> Turn<'a> {
    pub(super) fn role(self) -> Role {
        match text(self.value, "role") {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("system") => Role::System,
            _ => Role::Other,
        }
    }

    /// Whether its content is a list without a block.
    pub(super) fn is_empty(self) -> bool {
        self.value.get("content").and_then(Value::as_array).is_some_and(Vec::is_empty)
    }

    pub(super) fn blocks(self) -> impl DoubleEndedIterator<Item = Block<'a>> {
        let whole = self.value.get("content").filter(|content| content.is_string());
        let whole = whole.map(|value| Block { turn: self, at: At::Whole, value });
        let listed = list(self.value, "content").iter().enumerate();
        let listed = listed.map(move |(index, value)| Block { turn: self, at: At::Block(index), value });
        whole.into_iter().chain(listed)
    }

    /// The blocks, each followed by its parts.
    pub(super) fn blocks_and_parts(self) -> impl Iterator<Item = Block<'a>> {
        self.blocks().flat_map(|block| std::iter::once(block).chain(block.parts()))
    }

    pub(super) fn place(self) -> Place {
        Place::message(self.index)
    }

    /// `messages.N`.
    pub(super) fn path(self) -> String {
        format!("messages.{}", self.index)
    }
}

/// Where a block is in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// It is the content.
    Whole,
    /// An element of the content.
    Block(usize),
    /// An element of a tool result's content: which block, which element.
    Part(usize, usize),
}

/// A block of a turn, or a part of a tool result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    pub(super) turn: Turn<'a>,
    at: At,
    value: &'a Value,
}

impl<'a> Block<'a> {
    /// Its type; empty when it is missing or no string.
    pub(super) fn kind(self) -> &'a str {
        if self.is_whole() { "text" } else { kind(self.value) }
    }

    pub(super) fn is(self, kind: &str) -> bool {
        self.kind() == kind
    }

    /// Whether it is `thinking` or `redacted_thinking`.
    pub(super) fn is_thinking(self) -> bool {
        matches!(self.kind(), "thinking" | "redacted_thinking")
    }

    /// Its JSON.
    pub(super) fn value(self) -> &'a Value {
        self.value
    }

    /// Its members, if it is an object.
    pub(super) fn fields(self) -> Option<&'a Object> {
        self.value.as_object()
    }

    /// Whether it is neither an object nor a string as content.
    pub(super) fn is_malformed(self) -> bool {
        !self.is_whole() && !self.value.is_object()
    }

    /// A member, null or not.
    pub(super) fn field(self, name: &str) -> Option<&'a Value> {
        self.fields().and_then(|fields| fields.get(name))
    }

    /// A member that is a string.
    pub(super) fn string(self, name: &str) -> Option<&'a str> {
        self.field(name).and_then(Value::as_str)
    }

    /// A member that is not null.
    pub(super) fn given(self, name: &str) -> Option<&'a Value> {
        self.field(name).filter(|value| !value.is_null())
    }

    /// The words of a text block.
    pub(super) fn text(self) -> Option<&'a str> {
        if self.is_whole() { self.value.as_str() } else { text_of(self.value) }
    }

    /// The elements of a tool result's content, when that is a list.
    pub(super) fn parts(self) -> impl Iterator<Item = Block<'a>> {
        let (index, list) = match self.at {
            At::Block(index) if self.is("tool_result") => (index, list(self.value, "content")),
            _ => (0, &[][..]),
        };
        let parts = list.iter().enumerate();
        parts.map(move |(part, value)| Block { turn: self.turn, at: At::Part(index, part), value })
    }

    /// Whether it is the content itself, not an element of a list.
    pub(super) fn is_whole(self) -> bool {
        self.at == At::Whole
    }

    /// Whether it is a part of a tool result.
    pub(super) fn is_part(self) -> bool {
        matches!(self.at, At::Part(..))
    }

    pub(super) fn place(self) -> Place {
        let block = match self.at {
            At::Whole => None,
            At::Block(index) | At::Part(index, _) => Some(index),
        };
        Place::block(self.turn.index, block)
    }

    /// Its turn and its number there, which say which of two blocks comes first.
    pub(super) fn place_in_order(self) -> (usize, usize) {
        match self.at {
            At::Whole => (self.turn.index, 0),
            At::Block(block) | At::Part(block, _) => (self.turn.index, block),
        }
    }

    /// The path in an error about the block itself: `messages.N.content.M`. Content that is a string has the path of
    /// its first block.
    pub(super) fn path(self) -> String {
        let turn = self.turn.index;
        match self.at {
            At::Whole => format!("messages.{turn}.content.0"),
            At::Block(block) => format!("messages.{turn}.content.{block}"),
            At::Part(block, part) => format!("messages.{turn}.content.{block}.tool_result.content.{part}"),
        }
    }

    /// The path in an error about a member: the block's type follows its place.
    pub(super) fn member(self, name: &str) -> String {
        match self.kind() {
            "" => format!("{}.{name}", self.path()),
            kind => format!("{}.{kind}.{name}", self.path()),
        }
    }

    /// The kind of a violation that is about nothing but a text.
    pub(super) fn kind_of_place(self) -> &'static str {
        match self.at {
            At::Whole => "content",
            At::Block(_) => "block",
            At::Part(..) => "part",
        }
    }

    pub(super) fn in_words(self) -> String {
        match self.at {
            At::Whole => "the content".to_owned(),
            At::Block(index) => format!("block {index}"),
            At::Part(block, part) => format!("part {part} of the tool result in block {block}"),
        }
    }
}

pub(super) fn turns(request: &Request) -> impl DoubleEndedIterator<Item = Turn<'_>> {
    request.messages.iter().enumerate().map(|(index, value)| Turn { index, value })
}

/// The blocks of all turns, in order.
pub(super) fn blocks(request: &Request) -> impl Iterator<Item = Block<'_>> {
    turns(request).flat_map(Turn::blocks)
}

/// The blocks of all turns, each followed by its parts.
pub(super) fn blocks_and_parts(request: &Request) -> impl Iterator<Item = Block<'_>> {
    turns(request).flat_map(Turn::blocks_and_parts)
}

pub(super) fn last_turn(request: &Request) -> Option<Turn<'_>> {
    turns(request).next_back()
}

/// Neighbouring turns of one role, which some hosts read as one turn. Turns of other roles than user and assistant do
/// not separate them.
#[derive(Clone, Debug)]
pub(super) struct Run<'a> {
    pub(super) role: Role,
    /// The blocks of all its turns, in order.
    pub(super) blocks: Vec<Block<'a>>,
    pub(super) last: Turn<'a>,
}

/// The runs of a request: their roles alternate.
pub(super) fn runs(request: &Request) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    for turn in turns(request) {
        let role = turn.role();
        if !matches!(role, Role::User | Role::Assistant) {
            continue;
        }
        match runs.last_mut().filter(|run| run.role == role) {
            Some(run) => {
                run.blocks.extend(turn.blocks());
                run.last = turn;
            }
            None => {
                runs.push(Run { role, blocks: turn.blocks().collect(), last: turn });
            }
        }
    }
    runs
}

/// Whether blocks of this type are calls or results of tools that run on the server.
pub(super) fn is_server(kind: &str) -> bool {
    SERVER_CALLS.contains(&kind) || SERVER_RESULTS.contains(&kind)
}
