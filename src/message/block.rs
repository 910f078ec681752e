//! A *block* is one piece of content: text, a call, a result, thinking, an image, a document.

use crate::json::{FieldError, Fields, ObjectWriter, Raw, Text, push_quoted};

use super::document::{Maybe, Member, Shape, Typed, document, serde_through_raw};

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

/// The types of result that tools on the server give, each in the reply that called.
pub const SERVER_TOOL_RESULTS: &[&str] = &[
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "advisor_tool_result",
    "mcp_tool_result",
];

/// Does the same with the block inside, of whatever known type it is, and something else with the members of
/// an unknown one.
macro_rules! of_block {
    ($union:expr, $block:ident => $result:expr, $members:ident => $other:expr) => {
        match $union {
            Self::Text($block) => $result,
            Self::ToolUse($block) | Self::ServerToolUse($block) => $result,
            Self::ToolResult($block) => $result,
            Self::Thinking($block) => $result,
            Self::RedactedThinking($block) => $result,
            Self::ServerToolResult(_, $block) => $result,
            Self::Image($block) | Self::Document($block) => $result,
            Self::Unknown(_, $members) => $other,
        }
    };
}

/// One content block. A type that is not known is carried whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// `text`
    Text(Box<TextBlock>),
    /// `tool_use`
    ToolUse(Box<ToolUse>),
    /// `tool_result`
    ToolResult(Box<ToolResult>),
    /// `thinking`
    Thinking(Box<Thinking>),
    /// `redacted_thinking`
    RedactedThinking(Box<RedactedThinking>),
    /// `server_tool_use`
    ServerToolUse(Box<ToolUse>),
    /// One of [`SERVER_TOOL_RESULTS`], by its index there.
    ServerToolResult(usize, Box<ServerToolResult>),
    /// `image`
    Image(Box<Media>),
    /// `document`
    Document(Box<Media>),
    /// Any other type, or none (then empty): its name, and all members, `type` included.
    Unknown(Text, Fields),
}

impl Block {
    /// The block's `type`; the empty string when it has none.
    pub fn type_name(&self) -> &str {
        match self {
            Self::Text(_) => "text",
            Self::ToolUse(_) => "tool_use",
            Self::ToolResult(_) => "tool_result",
            Self::Thinking(_) => "thinking",
            Self::RedactedThinking(_) => "redacted_thinking",
            Self::ServerToolUse(_) => "server_tool_use",
            Self::ServerToolResult(index, _) => SERVER_TOOL_RESULTS[*index],
            Self::Image(_) => "image",
            Self::Document(_) => "document",
            Self::Unknown(name, _) => name,
        }
    }

    /// The text of a `text` block.
    pub(crate) fn text(&self) -> Option<&Text> {
        match self {
            Self::Text(block) => block.text.get(),
            _ => None,
        }
    }

    /// The known members of a block of this type, beside `type` itself.
    pub fn members_of(type_name: &str) -> &'static [Member] {
        match type_name {
            "text" => TextBlock::MEMBERS,
            "tool_use" | "server_tool_use" => ToolUse::MEMBERS,
            "tool_result" => ToolResult::MEMBERS,
            "thinking" => Thinking::MEMBERS,
            "redacted_thinking" => RedactedThinking::MEMBERS,
            "image" | "document" => Media::MEMBERS,
            name if SERVER_TOOL_RESULTS.contains(&name) => ServerToolResult::MEMBERS,
            _ => &[],
        }
    }

    /// The members that are not known for the block's type; all of them for an unknown type.
    pub fn extra(&self) -> &Fields {
        of_block!(self, block => &block.extra, fields => fields)
    }

    /// The same members, to change; a `type` must stay.
    pub fn extra_mut(&mut self) -> &mut Fields {
        of_block!(self, block => &mut block.extra, fields => fields)
    }

    fn from_fields(mut fields: Fields) -> Result<Self, FieldError> {
        let name = type_of(&fields)?.unwrap_or_default();
        if Self::members_of(&name).is_empty() {
            return Ok(Self::Unknown(name, fields));
        }
        fields.take("type");
        Ok(match name.as_str() {
            "text" => TextBlock::from_fields(fields)?.into(),
            "tool_use" => ToolUse::from_fields(fields)?.into(),
            "tool_result" => ToolResult::from_fields(fields)?.into(),
            "thinking" => Self::Thinking(Box::new(Thinking::from_fields(fields)?)),
            "redacted_thinking" => Self::RedactedThinking(Box::new(RedactedThinking::from_fields(fields)?)),
            "server_tool_use" => Self::ServerToolUse(Box::new(ToolUse::from_fields(fields)?)),
            "image" => Self::Image(Box::new(Media::from_fields(fields)?)),
            "document" => Self::Document(Box::new(Media::from_fields(fields)?)),
            name => {
                let index = SERVER_TOOL_RESULTS.iter().position(|&known| name == known).unwrap_or_default();
                Self::ServerToolResult(index, Box::new(ServerToolResult::from_fields(fields)?))
            }
        })
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

/// The `type` of a tagged object; `None` when it is absent or null.
pub(crate) fn type_of(fields: &Fields) -> Result<Option<Text>, FieldError> {
    Maybe::of(fields, "type").map(|name| name.get().cloned())
}

impl Typed for Block {
    const SHAPE: Shape = Shape::Object(&[]);

    fn read(raw: &Raw) -> Result<Self, FieldError> {
        Fields::from_raw(raw).and_then(Self::from_fields)
    }

    fn write_to(&self, json: &mut String) {
        of_block!(self, block => {
            let mut object = ObjectWriter::begin(json);
            push_quoted(object.member("type"), self.type_name());
            block.write_into(&mut object);
            object.end();
        }, members => members.write_to(json));
    }

    fn is_whole(&self) -> bool {
        of_block!(self, block => block.is_whole(), members => members.is_whole())
    }
}

serde_through_raw!(Block);
