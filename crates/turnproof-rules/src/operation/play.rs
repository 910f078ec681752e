//! The operation `play`: what people, model, tools and disk do, to the log of a conversation's loop.

use serde::{Deserialize, Serialize};

use super::plain::Plain;
use crate::rules::PlayWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, NoAnswer, Observation};

/// One entry of a loop's log, in the order in which things happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Somebody typed something. `queued` says that the loop was held by a tool, a permission prompt or a reply, so
    /// that the input has to wait.
    Typed {
        /// Names the input in [`Moment::Joined`].
        input: u64,
        /// What was typed, as message content (a string or blocks).
        content: Plain,
        /// Whether it has to wait.
        queued: bool,
    },
    /// A typed input became a message of the conversation.
    Joined {
        /// The input.
        input: u64,
        /// The message's uuid.
        uuid: String,
    },
    /// The loop yielded an event: a message, a tombstone, a summary, a stream event, a request start.
    Yielded(Plain),
    /// A yielded assistant message got its late fields in place: the message as it is now.
    Amended(Plain),
    /// A request was sent.
    Requested {
        /// The live messages that it was made of, an array.
        messages: Plain,
        /// The turns that were sent, an array.
        turns: Plain,
        /// The transcript at that moment, as bytes.
        transcript: Vec<u8>,
    },
    /// A tool-use summary was ordered for these calls.
    SummaryOrdered(Vec<String>),
    /// It failed; nothing of it may be yielded.
    SummaryFailed(Vec<String>),
    /// The conversation was compacted: what is live from here on is this list.
    Compacted(Plain),
    /// The process died; the transcript as it was found after.
    Crashed(Vec<u8>),
    /// The session was resumed: the messages that came back, an array.
    Resumed(Plain),
    /// The session went on as a fork of itself: the messages under their new ids, an array.
    Forked(Plain),
}

/// The log of a loop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// What happened, in order.
    pub moments: Vec<Moment>,
    /// The transcript at the end.
    pub transcript: Vec<u8>,
    /// Whether the file's disk took everything, with a conforming writer alone on the file, so that the transcript can
    /// be compared with the messages.
    pub whole: bool,
    /// What happened to the loop, an array; a subject leaves it out, and the observation fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Plain>,
    /// The log of the same inputs, played again; a subject leaves it out, and the observation fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Result<Box<Self>, String>>,
}

impl Observation for Played {
    type WorkedOut<'a> = PlayWorkedOut<'a>;

    /// Lets the subject play the inputs of the case; then again.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let inputs = material.inputs();
        let ask = || subject.play(&inputs).into_answer();
        let mut played = match ask()? {
            Ok(played) => played,
            Err(why) => return Some(Err(NoAnswer::Refused(why))),
        };
        played.inputs = Plain::read(&inputs).ok();
        if depth.asks_again(2) {
            played.again = ask().map(|again| again.map(Box::new));
        }
        Some(Ok(vec![played]))
    }
}
