//! A *plain* dialogue holds only what any client of the Messages API has: what user and assistant say, block by block.
//!
//! It is for libraries that turn a history of their own into a request. A message has `type` and `message` with `role`
//! and `content`, and nothing else (SPEC 10.4.1). About half of the dialogues are [legal](is_legal) as they are. In the
//! others something went wrong in one of the ways of the field.

mod block;
mod mistake;
mod reading;
mod story;

pub use block::{CallShape, Paper, Picture, ResultShape, Thought, TurnBlock, Words};
pub use reading::{is_in_order, is_legal};
pub(super) use story::dialogue;

use serde::{Deserialize, Serialize};

use super::line::is_default;

/// Who speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The user.
    #[default]
    User,
    /// The model.
    Assistant,
}

impl Speaker {
    /// The role's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a dialogue. The default is the plainest: a user's message without blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TurnPlan {
    /// Who says it.
    pub role: Speaker,
    /// Its blocks.
    #[serde(default, skip_serializing_if = "is_default")]
    pub blocks: Vec<TurnBlock>,
    /// Whether the content is a string: that of the only block, a text.
    #[serde(default, skip_serializing_if = "is_default")]
    pub as_text: bool,
}

impl TurnPlan {
    pub(super) const fn new(role: Speaker, blocks: Vec<TurnBlock>) -> Self {
        Self { role, blocks, as_text: false }
    }

    /// The text that is the content, if the content is a string.
    pub(super) fn only_text(&self) -> Option<Words> {
        match self.blocks.as_slice() {
            [TurnBlock::Text { text }] if self.as_text => Some(*text),
            _ => None,
        }
    }

    /// All choices in order, the plainest of each as 0.
    pub(super) fn choices(&self) -> impl Iterator<Item = u64> + '_ {
        let own = [u64::from(self.role == Speaker::Assistant), u64::from(self.as_text), self.blocks.len() as u64];
        own.into_iter().chain(self.blocks.iter().flat_map(|block| block.parts().map(u64::from)))
    }

    /// How much there is beyond the plainest message.
    pub(super) fn weight(&self) -> usize {
        let is_odd = |part: &u8| *part != 0;
        let of_block = |block: &TurnBlock| 1 + block.parts()[1..].iter().copied().filter(is_odd).count();
        let own = usize::from(self.role == Speaker::Assistant) + 2 * usize::from(self.as_text);
        own + self.blocks.iter().map(of_block).sum::<usize>()
    }
}

/// A message as JSON.
pub(super) fn message(turn: &TurnPlan) -> String {
    let role = turn.role.name();
    let content = match turn.only_text() {
        Some(text) => text.what().to_string(),
        None => format!("[{}]", turn.blocks.iter().map(|block| block.json()).collect::<Vec<_>>().join(",")),
    };
    format!(r#"{{"type":"{role}","message":{{"role":"{role}","content":{content}}}}}"#)
}

/// The messages as lines.
pub(super) fn transcript(turns: &[TurnPlan]) -> Vec<u8> {
    turns.iter().flat_map(|turn| (message(turn) + "\n").into_bytes()).collect()
}

/// Whether a text is empty, or white space alone.
pub(super) const fn is_blank(text: Words) -> bool {
    matches!(text, Words::Empty | Words::Blank)
}
