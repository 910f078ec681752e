//! A loop *on the wire*: what happens to it, and its log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::operation::{self, Plain};

use super::{Bytes, IntoPlain, Json, List};

/// The input of `play`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Inputs {
    /// What people, model, tools and disk do, in order.
    pub inputs: List,
}

/// The output of `play`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Played {
    /// The log, in the order in which things happened.
    pub moments: Vec<Moment>,
    /// The transcript at the end.
    pub transcript_b64: Bytes,
    /// Whether the disk took everything, with one writer on the file.
    pub whole: bool,
}

/// One entry of the log.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Somebody typed something.
    Typed {
        /// Names the input in `joined`.
        input: u64,
        /// What was typed, as message content.
        content: Json,
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
    Yielded(Json),
    /// A yielded assistant message got its late fields in place: the message as it is now.
    Amended(Json),
    /// A request was sent.
    Requested {
        /// The live messages that it was made of.
        messages: List,
        /// The turns that were sent.
        turns: List,
        /// The transcript at that moment.
        transcript_b64: Bytes,
    },
    /// A tool-use summary was ordered for these calls.
    SummaryOrdered(Vec<String>),
    /// It failed.
    SummaryFailed(Vec<String>),
    /// The conversation was compacted: what is live from here on.
    Compacted(List),
    /// The process died.
    Crashed {
        /// The transcript as it was found after.
        transcript_b64: Bytes,
    },
    /// The session was resumed: the messages that came back.
    Resumed(List),
    /// The session went on as a fork of itself: the messages under their new ids.
    Forked(List),
}

fn plain(text: &str) -> Result<Plain, String> {
    Plain::read(text).map_err(|error| error.to_string())
}

impl IntoPlain for Moment {
    type Plain = operation::Moment;

    fn into_plain(self) -> Result<operation::Moment, String> {
        use operation::Moment as To;
        Ok(match self {
            Self::Typed { input, content, queued } => To::Typed { input, content: plain(content.text())?, queued },
            Self::Joined { input, uuid } => To::Joined { input, uuid },
            Self::Yielded(event) => To::Yielded(plain(event.text())?),
            Self::Amended(message) => To::Amended(plain(message.text())?),
            Self::Requested { messages, turns, transcript_b64: Bytes(transcript) } => {
                To::Requested { messages: plain(messages.text())?, turns: plain(turns.text())?, transcript }
            }
            Self::SummaryOrdered(calls) => To::SummaryOrdered(calls),
            Self::SummaryFailed(calls) => To::SummaryFailed(calls),
            Self::Compacted(live) => To::Compacted(plain(live.text())?),
            Self::Crashed { transcript_b64: Bytes(transcript) } => To::Crashed(transcript),
            Self::Resumed(messages) => To::Resumed(plain(messages.text())?),
            Self::Forked(messages) => To::Forked(plain(messages.text())?),
        })
    }
}

impl From<operation::Moment> for Moment {
    fn from(moment: operation::Moment) -> Self {
        use operation::Moment as From;
        let json = |plain: Plain| Json::value(&plain);
        let list = |plain: Plain| List::of(&plain.value.to_string());
        match moment {
            From::Typed { input, content, queued } => Self::Typed { input, content: json(content), queued },
            From::Joined { input, uuid } => Self::Joined { input, uuid },
            From::Yielded(event) => Self::Yielded(json(event)),
            From::Amended(message) => Self::Amended(json(message)),
            From::Requested { messages, turns, transcript } => {
                Self::Requested { messages: list(messages), turns: list(turns), transcript_b64: Bytes(transcript) }
            }
            From::SummaryOrdered(calls) => Self::SummaryOrdered(calls),
            From::SummaryFailed(calls) => Self::SummaryFailed(calls),
            From::Compacted(live) => Self::Compacted(list(live)),
            From::Crashed(transcript) => Self::Crashed { transcript_b64: Bytes(transcript) },
            From::Resumed(messages) => Self::Resumed(list(messages)),
            From::Forked(messages) => Self::Forked(list(messages)),
        }
    }
}

impl IntoPlain for Played {
    type Plain = operation::Played;

    fn into_plain(self) -> Result<operation::Played, String> {
        let moments = self.moments.into_iter().enumerate();
        let read = |(at, moment): (usize, Moment)| {
            moment.into_plain().map_err(|why| format!("moments[{at}] cannot be read: {why}"))
        };
        Ok(operation::Played {
            moments: moments.map(read).collect::<Result<_, _>>()?,
            transcript: self.transcript_b64.0,
            whole: self.whole,
            ..operation::Played::default()
        })
    }
}

impl From<operation::Played> for Played {
    fn from(played: operation::Played) -> Self {
        Self {
            moments: played.moments.into_iter().map(Moment::from).collect(),
            transcript_b64: Bytes(played.transcript),
            whole: played.whole,
        }
    }
}
