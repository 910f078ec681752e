//! *Content* is what a user or assistant message says: a string, or a list of content blocks.

use crate::json::{FieldError, JsonType, Raw, Text};

use super::block::{Block, TextBlock};
use super::document::{Shape, Typed, serde_through_raw};

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

    fn read(raw: &Raw) -> Result<Self, FieldError> {
        match raw.json_type() {
            JsonType::String => Text::read(raw).map(Self::Text),
            JsonType::Array => Vec::read(raw).map(Self::Blocks),
            _ => Err(FieldError::new(Self::SHAPE.expected(), raw)),
        }
    }

    fn write_to(&self, json: &mut String) {
        match self {
            Self::Text(text) => text.write_to(json),
            Self::Blocks(blocks) => blocks.write_to(json),
        }
    }
}

serde_through_raw!(Content);
