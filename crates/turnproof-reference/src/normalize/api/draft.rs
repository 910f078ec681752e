//! A *turn* is one element of a request: a role, and the blocks that it says.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::json::{Text, named};
use crate::message::{
    Assistant, AssistantBody, Block, Content, Event, Maybe, Message, TextBlock, Typed, User, UserBody,
};

named! {
    /// Who speaks: the user (people, tools, and the client itself), or the model.
    pub enum Role {
        User = "user",
        Assistant = "assistant",
    }
    /// The role's name in a request.
    name
}

/// A block of a turn, and the message that it comes from. Parts are equal when both are, whether the block is borrowed
/// from the message or not.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The place in the input of the message that it comes from; `None` when it was made up.
    pub source: Option<u32>,
    pub(super) piece: Piece<'a>,
}

/// What a part holds.
#[derive(Clone, Debug)]
pub(super) enum Piece<'a> {
    /// A block, as the message has it.
    Block(&'a Block),
    /// A message's plain string, to be sent as a text block.
    Plain(&'a Text),
    /// A block that was made or changed.
    Made(Box<Block>),
}

impl<'a> Part<'a> {
    pub(super) fn of_block(source: u32, block: &'a Block) -> Self {
        Self { source: Some(source), piece: Piece::Block(block) }
    }

    pub(super) fn of_plain(source: u32, text: &'a Text) -> Self {
        Self { source: Some(source), piece: Piece::Plain(text) }
    }

    pub(super) fn made(source: Option<u32>, block: impl Into<Block>) -> Self {
        Self { source, piece: Piece::Made(Box::new(block.into())) }
    }

    /// The block; `None` when the part is a plain string.
    pub fn block(&self) -> Option<&Block> {
        match &self.piece {
            Piece::Block(block) => Some(block),
            Piece::Made(block) => Some(block),
            Piece::Plain(_) => None,
        }
    }

    /// The text of a text block or a plain string.
    pub fn text(&self) -> Option<&Text> {
        match &self.piece {
            Piece::Plain(text) => Some(text),
            _ => self.block().and_then(Block::text),
        }
    }

    /// The block's type.
    pub fn type_name(&self) -> &str {
        self.block().map_or("text", Block::type_name)
    }

    /// The block with the input's lifetime, when it is borrowed from it.
    pub(super) fn borrowed(&self) -> Option<&'a Block> {
        match self.piece {
            Piece::Block(block) => Some(block),
            Piece::Plain(_) | Piece::Made(_) => None,
        }
    }

    pub(super) fn is_thinking(&self) -> bool {
        matches!(self.block(), Some(Block::Thinking(_) | Block::RedactedThinking(_)))
    }

    /// Puts a changed block in the part's place.
    pub(super) fn change(&mut self, block: impl Into<Block>) {
        self.piece = Piece::Made(Box::new(block.into()));
    }

    /// The block, as a block of its own.
    pub fn to_block(&self) -> Block {
        match self.piece {
            Piece::Block(block) => block.clone(),
            Piece::Made(ref block) => (**block).clone(),
            Piece::Plain(text) => TextBlock::new(text.clone()).into(),
        }
    }

    /// Gives a call or a result another id.
    pub(super) fn rename(&mut self, id: &Text) {
        let mut block = self.to_block();
        match &mut block {
            Block::ToolUse(call) | Block::ServerToolUse(call) => call.id = Maybe::Is(id.clone()),
            Block::ToolResult(result) => result.tool_use_id = Maybe::Is(id.clone()),
            Block::ServerToolResult(_, result) => result.tool_use_id = Maybe::Is(id.clone()),
            Block::Unknown(_, fields) => fields.set("id", id.write()),
            _ => return,
        }
        self.change(block);
    }

    /// The same part, free of the input.
    fn into_owned(self) -> Part<'static> {
        let block = match self.piece {
            Piece::Made(block) => block,
            _ => Box::new(self.to_block()),
        };
        Part { source: self.source, piece: Piece::Made(block) }
    }
}

impl PartialEq for Part<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.to_block() == other.to_block()
    }
}

impl Eq for Part<'_> {}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.block() {
            Some(block) => block.serialize(serializer),
            None => self.to_block().serialize(serializer),
        }
    }
}

impl Part<'_> {
    fn write_to(&self, json: &mut String) {
        match self.block() {
            Some(block) => block.write_to(json),
            None => self.to_block().write_to(json),
        }
    }
}

/// A turn in the making.
#[derive(Clone, Debug)]
pub(super) struct Draft<'a> {
    pub(super) role: Role,
    /// The place in the input of the first message that went into it; `None` when it was made up.
    pub(super) source: Option<u32>,
    /// The reply that it is a line of.
    pub(super) reply: Option<&'a str>,
    /// The id of its first part that is not meta; of its first part, when all are.
    pub(super) uuid: Option<&'a Text>,
    /// Whether all its parts are meta.
    pub(super) is_meta: bool,
    pub(super) parts: Vec<Part<'a>>,
}

impl<'a> Draft<'a> {
    /// A turn that comes from no message.
    pub(super) fn made_up(role: Role, parts: Vec<Part<'a>>) -> Self {
        Self { role, source: None, reply: None, uuid: None, is_meta: true, parts }
    }

    /// Takes up what another draft says, after its own.
    pub(super) fn join(&mut self, other: Self) {
        if self.is_meta && !other.is_meta {
            self.uuid = other.uuid;
            self.is_meta = false;
        }
        self.source = self.source.or(other.source);
        self.parts.extend(other.parts);
    }
}

/// A turn of a request.
///
/// Written as JSON it is `{"role": …, "content": [blocks]}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn<'a> {
    /// Who speaks.
    pub role: Role,
    /// The blocks, at least one.
    pub content: Vec<Part<'a>>,
    /// The id of the first message in it that is not meta; of the first one, when all are.
    pub uuid: Option<Cow<'a, Text>>,
    /// The place in the input of the first message that went into it; `None` when it was made up.
    pub source: Option<u32>,
}

impl<'a> From<Draft<'a>> for Turn<'a> {
    fn from(draft: Draft<'a>) -> Self {
        Self { role: draft.role, content: draft.parts, uuid: draft.uuid.map(Cow::Borrowed), source: draft.source }
    }
}

impl Turn<'_> {
    /// The same turn, free of the input.
    pub fn into_owned(self) -> Turn<'static> {
        Turn {
            role: self.role,
            content: self.content.into_iter().map(Part::into_owned).collect(),
            uuid: self.uuid.map(|uuid| Cow::Owned(uuid.into_owned())),
            source: self.source,
        }
    }

    /// Appends the turn as JSON, as `serde_json` writes it.
    pub fn push_json(&self, json: &mut String) {
        json.push_str("{\"role\":\"");
        json.push_str(self.role.name());
        json.push_str("\",\"content\":[");
        for (index, part) in self.content.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            part.write_to(json);
        }
        json.push_str("]}");
    }

    /// The turn as a plain message, as a client could hold it: normalizing it again changes nothing.
    pub fn to_message(&self) -> Event {
        let content = Content::Blocks(self.content.iter().map(Part::to_block).collect());
        let (role, content) = (self.role.name().into(), content.into());
        let message: Message = match self.role {
            Role::User => {
                let body = UserBody { role, content, ..UserBody::default() };
                User { message: body.into(), ..User::default() }.into()
            }
            Role::Assistant => {
                let body = AssistantBody { role, content, ..AssistantBody::default() };
                Assistant { message: body.into(), ..Assistant::default() }.into()
            }
        };
        message.into()
    }
}

/// Turns as a JSON array, as `serde_json` writes them.
pub fn to_json(turns: &[Turn<'_>]) -> String {
    let mut json = String::from("[");
    for (index, turn) in turns.iter().enumerate() {
        if index > 0 {
            json.push(',');
        }
        turn.push_json(&mut json);
    }
    json.push(']');
    json
}

impl Serialize for Turn<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut turn = serializer.serialize_struct("Turn", 2)?;
        turn.serialize_field("role", self.role.name())?;
        turn.serialize_field("content", &self.content)?;
        turn.end()
    }
}
