//! *Content* is what a user or assistant message says: a string, or a list of blocks. A *block* is one piece of it:
//! text, a call, a result, thinking, an image, a document.

use crate::json::{FieldError, Fields, Json, JsonType, ObjectWriter, Raw, Text, push_quoted};

use turnproof_format::SERVER_RESULTS;

use super::document::{Maybe, document, serde_through_raw};
use super::shape::{Member, Shape};
use super::typed::Typed;

document! {
    /// `text`: what a person or the model wrote.
    pub struct TextBlock {
        /// The text.
        text: Text = "text",
        /// The sources that it cites.
        citations: Raw = "citations",
        /// Where a prompt cache may end.
        cache_control: Raw = "cache_control",
    }
}

document! {
    /// `tool_use` or `server_tool_use`: the model calls a tool.
    pub struct ToolUse {
        /// The call's id, `toolu_…` or `srvtoolu_…`; its result names it.
        id: Text = "id",
        /// The tool's name.
        name: Text = "name",
        /// The arguments; an object for tools of the client.
        input: Raw = "input",
        /// Who called, when the call was made by code that the model ran.
        caller: Raw = "caller",
        /// Where a prompt cache may end.
        cache_control: Raw = "cache_control",
    }
}

document! {
    /// `tool_result`: what a tool of the client answered.
    pub struct ToolResult {
        /// The call that it answers.
        tool_use_id: Text = "tool_use_id",
        /// The answer: a string, or blocks of text, image and the like.
        content: Raw = "content",
        /// Whether the tool failed or was refused.
        is_error: bool = "is_error",
        /// Where a prompt cache may end.
        cache_control: Raw = "cache_control",
    }
}

document! {
    /// The result of a tool that the server ran, such as `web_search_tool_result`.
    pub struct ServerToolResult {
        /// The call that it answers, in the same reply.
        tool_use_id: Text = "tool_use_id",
        /// The answer, of the tool's own shape.
        content: Raw = "content",
        /// Who called, when the call was made by code that the model ran.
        caller: Raw = "caller",
        /// Where a prompt cache may end.
        cache_control: Raw = "cache_control",
    }
}

document! {
    /// `thinking`: the model's reasoning, signed.
    pub struct Thinking {
        /// The reasoning; may be empty.
        thinking: Text = "thinking",
        /// The signature under which the API takes it back.
        signature: Text = "signature",
    }
}

document! {
    /// `redacted_thinking`: reasoning that only the API can read.
    pub struct RedactedThinking {
        /// The encrypted reasoning.
        data: Text = "data",
    }
}

document! {
    /// `image` or `document`: a picture, a PDF or a text file.
    pub struct Media {
        /// Where the bytes are: `base64`, `url`, `file`, `text` or `content`.
        source: Fields = "source",
        /// A document's title.
        title: Text = "title",
        /// What the model is to know of a document.
        context: Text = "context",
        /// Whether a document may be cited.
        citations: Raw = "citations",
        /// Where a prompt cache may end.
        cache_control: Raw = "cache_control",
    }
}

/// Declares the blocks: the variant of each type, its document and its name.
macro_rules! blocks {
    ($( $Variant:ident($Document:ident) = $name:literal, )*) => {
        /// One content block. A type that is not known is carried whole.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Block {
            $( #[doc = concat!("`", $name, "`")] $Variant(Box<$Document>), )*
            /// One of [`SERVER_RESULTS`], by its index there.
            ServerToolResult(usize, Box<ServerToolResult>),
            /// Any other type, or none (then empty): its name, and all members, `type` included.
            Unknown(Text, Fields),
            /// An element of the content that is no object, and so no block.
            Stray(Raw),
        }

        impl Block {
            /// The known types, without [`SERVER_RESULTS`].
            pub(crate) const TYPES: &[&str] = &[$( $name ),*];

            /// The block's `type`; the empty string when it has none.
            pub fn type_name(&self) -> &str {
                match self {
                    $( Self::$Variant(_) => $name, )*
                    Self::ServerToolResult(index, _) => SERVER_RESULTS[*index],
                    Self::Unknown(name, _) => name,
                    Self::Stray(_) => "",
                }
            }

            /// The known members of a block of this type, beside `type` itself.
            pub fn members_of(type_name: &str) -> &'static [Member] {
                match type_name {
                    $( $name => $Document::MEMBERS, )*
                    name if SERVER_RESULTS.contains(&name) => ServerToolResult::MEMBERS,
                    _ => &[],
                }
            }

            /// The members that are not known for the block's type; all of them for an unknown type.
            pub fn extra(&self) -> &Fields {
                match self {
                    $( Self::$Variant(block) => &block.extra, )*
                    Self::ServerToolResult(_, block) => &block.extra,
                    Self::Unknown(_, fields) => fields,
                    Self::Stray(_) => &NO_MEMBERS,
                }
            }

            /// The same members, to change; a `type` must stay. `None` for what is no object.
            pub fn extra_mut(&mut self) -> Option<&mut Fields> {
                match self {
                    $( Self::$Variant(block) => Some(&mut block.extra), )*
                    Self::ServerToolResult(_, block) => Some(&mut block.extra),
                    Self::Unknown(_, fields) => Some(fields),
                    Self::Stray(_) => None,
                }
            }
        }

        impl Typed for Block {
            const SHAPE: Shape = Shape::Object(&[]);

            fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
                let Some(members) = json.members() else { return Ok(Self::Stray(json.into())) };
                let name = members.type_name();
                Ok(match &*name {
                    $( $name => Self::$Variant($Document::boxed(members.without_type())), )*
                    name => match SERVER_RESULTS.iter().position(|&known| name == known) {
                        Some(index) => Self::ServerToolResult(index, ServerToolResult::boxed(members.without_type())),
                        None => Self::Unknown(members.type_text(), Fields::of(members)),
                    },
                })
            }

            fn misfit(&self) -> Option<FieldError> {
                match self {
                    $( Self::$Variant(block) => block.misfit(), )*
                    Self::ServerToolResult(_, block) => block.misfit(),
                    Self::Unknown(_, fields) => misfit_type(fields),
                    Self::Stray(raw) => Some(FieldError::new(Self::SHAPE.expected(), raw.get())),
                }
            }

            fn write_to(&self, json: &mut String) {
                if let Self::Stray(raw) = self {
                    return raw.write_to(json);
                }
                let mut object = ObjectWriter::begin(json);
                if !matches!(self, Self::Unknown(..)) {
                    push_quoted(object.member("type"), self.type_name());
                }
                match self {
                    $( Self::$Variant(block) => block.write_into(&mut object), )*
                    Self::ServerToolResult(_, block) => block.write_into(&mut object),
                    Self::Unknown(_, fields) => fields.push_members(&mut object),
                    Self::Stray(_) => {}
                }
                object.end();
            }

            fn is_whole(&self) -> bool {
                match self {
                    $( Self::$Variant(block) => block.is_whole(), )*
                    Self::ServerToolResult(_, block) => block.is_whole(),
                    Self::Unknown(_, fields) => fields.is_whole(),
                    Self::Stray(raw) => raw.is_whole(),
                }
            }
        }
    };
}

blocks! {
    ToolUse(ToolUse) = "tool_use",
    ToolResult(ToolResult) = "tool_result",
    Text(TextBlock) = "text",
    Thinking(Thinking) = "thinking",
    RedactedThinking(RedactedThinking) = "redacted_thinking",
    ServerToolUse(ToolUse) = "server_tool_use",
    Image(Media) = "image",
    Document(Media) = "document",
}

impl Block {
    /// The text of a `text` block.
    pub(crate) fn text(&self) -> Option<&Text> {
        match self {
            Self::Text(block) => block.text.get(),
            _ => None,
        }
    }
}

impl TextBlock {
    /// A block of text.
    pub fn new(text: impl Into<Text>) -> Self {
        Self { text: text.into().into(), ..Self::default() }
    }
}

impl ToolUse {
    /// A call of a tool.
    pub fn new(id: impl Into<Text>, name: impl Into<Text>, input: Raw) -> Self {
        Self { id: id.into().into(), name: name.into().into(), input: input.into(), ..Self::default() }
    }
}

impl ToolResult {
    /// The answer to a call, in words. A success leaves `is_error` out.
    pub fn new(tool_use_id: impl Into<Text>, content: impl Into<Text>, is_error: bool) -> Self {
        Self {
            tool_use_id: tool_use_id.into().into(),
            content: content.into().write().into(),
            is_error: is_error.then_some(true).into(),
            ..Self::default()
        }
    }
}

impl From<TextBlock> for Block {
    fn from(block: TextBlock) -> Self {
        Self::Text(Box::new(block))
    }
}

impl From<ToolUse> for Block {
    fn from(block: ToolUse) -> Self {
        Self::ToolUse(Box::new(block))
    }
}

impl From<ToolResult> for Block {
    fn from(block: ToolResult) -> Self {
        Self::ToolResult(Box::new(block))
    }
}

/// What is wrong with the `type` of a tagged object, if it is there and no string.
pub(super) fn misfit_type(fields: &Fields) -> Option<FieldError> {
    Maybe::<Text>::of(fields, "type").misfit("type")
}

/// The members of what is no object.
static NO_MEMBERS: Fields = Fields::new();

serde_through_raw!(Block);

/// What a message says. An assistant's is a list; a string is tolerated when read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A plain string.
    Text(Text),
    /// Content blocks.
    Blocks(Vec<Block>),
}

impl Content {
    /// One text block.
    pub fn one_text(text: impl Into<Text>) -> Self {
        Self::Blocks(vec![TextBlock::new(text).into()])
    }

    /// The blocks; nothing when the content is a string.
    pub fn blocks(&self) -> &[Block] {
        match self {
            Self::Text(_) => &[],
            Self::Blocks(blocks) => blocks,
        }
    }

    /// The blocks; a string is one text block.
    pub fn into_blocks(self) -> Vec<Block> {
        match self {
            Self::Text(text) => vec![TextBlock::new(text).into()],
            Self::Blocks(blocks) => blocks,
        }
    }

    /// Whether there is nothing: the empty string or no blocks.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.as_str().is_empty(),
            Self::Blocks(blocks) => blocks.is_empty(),
        }
    }
}

impl<T: Into<Text>> From<T> for Content {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

impl From<Vec<Block>> for Content {
    fn from(blocks: Vec<Block>) -> Self {
        Self::Blocks(blocks)
    }
}

impl Typed for Content {
    const SHAPE: Shape = Shape::Content;

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        match json.json_type() {
            JsonType::String => Text::read_json(json).map(Self::Text),
            JsonType::Array => Vec::read_json(json).map(Self::Blocks),
            _ => Err(FieldError::new(Self::SHAPE.expected(), json.get())),
        }
    }

    fn write_to(&self, json: &mut String) {
        match self {
            Self::Text(text) => text.write_to(json),
            Self::Blocks(blocks) => blocks.write_to(json),
        }
    }

    fn misfit(&self) -> Option<FieldError> {
        match self {
            Self::Text(_) => None,
            Self::Blocks(blocks) => blocks.misfit(),
        }
    }
}

serde_through_raw!(Content);
