//! A *normalized message* is a message of one of the five kinds that a UI shows, with one content block.

use std::ops::Deref;

use super::{Content, Kind, Message};

/// A message of kind user, assistant, progress, system or attachment; a user or assistant message
/// holds a list of exactly one content block.
///
/// ```
/// use turnproof_reference::message::{Factory, FixedContext, Message, NormalizedMessage};
///
/// let mut context = FixedContext::new(1);
/// let hello = Message::from(Factory::new(&mut context).assistant("Hello"));
/// let normalized = NormalizedMessage::try_from(hello)?;
/// assert_eq!(normalized.blocks().len(), 1);
/// # Ok::<(), turnproof_reference::message::NotNormalized>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Message")]
pub struct NormalizedMessage(Message);

/// Why a message is not a normalized one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotNormalized {
    /// The message is of another kind.
    #[error("a `{}` message is not user, assistant, progress, system or attachment; leave it out", .0.name())]
    Kind(Kind),
    /// The message's content is a string, or there is none.
    #[error("the `{}` message has no list of content blocks; make its text one block", .0.name())]
    NoList(Kind),
    /// The message's content has no block, or several.
    #[error("the `{}` message has {count} content blocks; split it into messages of one each", kind.name())]
    Blocks {
        /// The message's kind.
        kind: Kind,
        /// How many blocks it has.
        count: usize,
    },
}

impl NormalizedMessage {
    /// The message, no longer held to one block.
    pub fn into_message(self) -> Message {
        self.0
    }
}

impl TryFrom<Message> for NormalizedMessage {
    type Error = NotNormalized;

    fn try_from(message: Message) -> Result<Self, NotNormalized> {
        let kind = message.kind();
        match kind {
            Kind::Progress | Kind::System | Kind::Attachment => Ok(Self(message)),
            Kind::User | Kind::Assistant => match message.content() {
                Some(Content::Blocks(blocks)) if blocks.len() == 1 => Ok(Self(message)),
                Some(Content::Blocks(blocks)) => Err(NotNormalized::Blocks { kind, count: blocks.len() }),
                Some(Content::Text(_)) | None => Err(NotNormalized::NoList(kind)),
            },
            _ => Err(NotNormalized::Kind(kind)),
        }
    }
}

impl Deref for NormalizedMessage {
    type Target = Message;

    fn deref(&self) -> &Message {
        &self.0
    }
}
