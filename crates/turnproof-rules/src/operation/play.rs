//! The operation `play`: what people, model, tools and disk do, to the log of a conversation's loop.

use serde::{Deserialize, Serialize};

use super::form::{Base64, PlainList};
use super::plain::Plain;
use crate::rules::PlayWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, NoAnswer, Observation};

/// One entry of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Somebody typed something.
    Typed {
        /// Names the input in `joined`.
        input: u64,
        /// What was typed, as message content.
        content: Plain,
        /// Whether it has to wait.
        queued: bool,
    },
    /// A typed input became a message.
    Joined {
        /// The input.
        input: u64,
        /// The message's uuid.
        uuid: String,
    },
    /// The loop yielded an event.
    Yielded(Plain),
    /// A yielded assistant message got its late fields in place: the message as it is now.
    Amended(Plain),
    /// A request was sent.
    Requested {
        /// The live messages that it was made of.
        #[serde(with = "PlainList")]
        messages: Plain,
        /// The turns that were sent.
        #[serde(with = "PlainList")]
        turns: Plain,
        /// The transcript at that moment.
        #[serde(rename = "transcript_b64", with = "Base64")]
        transcript: Vec<u8>,
    },
    /// A tool-use summary was ordered for these calls.
    SummaryOrdered(Vec<String>),
    /// It failed.
    SummaryFailed(Vec<String>),
    /// The conversation was compacted: what is live from here on.
    Compacted(#[serde(with = "PlainList")] Plain),
    /// The process died.
    Crashed {
        /// The transcript as it was found after.
        #[serde(rename = "transcript_b64", with = "Base64")]
        transcript: Vec<u8>,
    },
    /// The session was resumed: the messages that came back.
    Resumed(#[serde(with = "PlainList")] Plain),
    /// The session went on as a fork of itself: the messages under their new ids.
    Forked(#[serde(with = "PlainList")] Plain),
}

/// The output of `play`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Played {
    /// The log, in the order in which things happened.
    pub moments: Vec<Moment>,
    /// The transcript at the end.
    #[serde(rename = "transcript_b64", with = "Base64")]
    pub transcript: Vec<u8>,
    /// Whether the disk took everything, with one writer on the file.
    pub whole: bool,
    /// What happened to the loop, an array; a subject leaves it out, and the observation fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub inputs: Option<Plain>,
    /// The log of the same inputs, played again; a subject leaves it out, and the observation fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
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
