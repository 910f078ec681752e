//! *Faults* are what fails on the way: cuts, errors, stalls, and harmless ways to write the same stream.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{ApiError, ErrorKind};

/// What fails with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Fault {
    /// The connection breaks after so many events (`cut-event=N`).
    CutEvent(usize),
    /// The connection breaks after so many bytes (`cut-byte=N`).
    CutByte(usize),
    /// The stream ends in order after so many events (`end-event=N`).
    EndEvent(usize),
    /// The stream ends in order after so many bytes (`end-byte=N`).
    EndByte(usize),
    /// An event `error` comes after so many events, and is the last (`error-event=N`).
    ErrorEvent(usize),
    /// Nothing more comes after so many events, and the connection stays open (`stall-event=N`).
    StallEvent(usize),
    /// An event comes twice, by its number from 1 (`double-event=N`).
    DoubleEvent(usize),
    /// Nothing comes for so many milliseconds (`slow-start=MS`).
    SlowStart(u64),
    /// So many milliseconds pass before each event (`slow-events=MS`).
    SlowEvents(u64),
    /// An error instead of an answer, by its status (`429`, `500`, …), with the seconds to wait (`429=5`).
    Status(u16, Option<u64>),
    /// No `message_stop` (`no-message-stop`).
    NoMessageStop,
    /// The counts come with `message_delta` alone (`late-usage`).
    LateUsage,
    /// Lines end with CR LF (`crlf`).
    Crlf,
    /// A ping before each event (`pings`).
    Pings,
    /// Pieces of three bytes, which tear characters (`split`).
    Split,
    /// An event of a type that nobody knows (`unknown-event`).
    UnknownEvent,
    /// A delta of a type that nobody knows (`unknown-delta`).
    UnknownDelta,
}

/// A fault that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no fault {name:?}; there are {}", NAMES.join(", "))]
pub struct UnknownFault {
    /// As it was named.
    pub name: String,
}

/// How faults are written.
pub const NAMES: [&str; 17] = [
    "cut-event=N",
    "cut-byte=N",
    "end-event=N",
    "end-byte=N",
    "error-event=N",
    "stall-event=N",
    "double-event=N",
    "slow-start=MS",
    "slow-events=MS",
    "400 to 599, with =SECONDS",
    "no-message-stop",
    "late-usage",
    "crlf",
    "pings",
    "split",
    "unknown-event",
    "unknown-delta",
];

impl Fault {
    /// Whether the answer does not arrive whole.
    pub(crate) const fn is_a_loss(&self) -> bool {
        matches!(
            self,
            Self::Status(..)
                | Self::CutEvent(_)
                | Self::CutByte(_)
                | Self::EndEvent(_)
                | Self::EndByte(_)
                | Self::ErrorEvent(_)
                | Self::StallEvent(_)
        )
    }

    /// The error that comes instead of an answer.
    pub fn error(&self) -> Option<ApiError> {
        let Self::Status(status, wait) = *self else { return None };
        let kind = ErrorKind::of_status(status);
        let retry_after = wait.or((status == 429).then_some(1));
        Some(ApiError { status, retry_after, ..ApiError::new(kind, kind.words()) })
    }
}

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let unknown = || UnknownFault { name: text.to_owned() };
        let (name, number) = text.split_once('=').map_or((text, None), |(name, number)| (name, Some(number)));
        let number: Option<u64> = number.map(|number| number.parse().map_err(|_| unknown())).transpose()?;
        let count = number.and_then(|number| usize::try_from(number).ok());
        let plain = number.is_none();
        let fault = match name {
            "cut-event" => count.map(Self::CutEvent),
            "cut-byte" => count.map(Self::CutByte),
            "end-event" => count.map(Self::EndEvent),
            "end-byte" => count.map(Self::EndByte),
            "error-event" => count.map(Self::ErrorEvent),
            "stall-event" => count.map(Self::StallEvent),
            "double-event" => count.map(Self::DoubleEvent),
            "slow-start" => number.map(Self::SlowStart),
            "slow-events" => number.map(Self::SlowEvents),
            "no-message-stop" => plain.then_some(Self::NoMessageStop),
            "late-usage" => plain.then_some(Self::LateUsage),
            "crlf" => plain.then_some(Self::Crlf),
            "pings" => plain.then_some(Self::Pings),
            "split" => plain.then_some(Self::Split),
            "unknown-event" => plain.then_some(Self::UnknownEvent),
            "unknown-delta" => plain.then_some(Self::UnknownDelta),
            status => {
                let status = status.parse().ok().filter(|status| (400..600).contains(status));
                status.map(|status| Self::Status(status, number))
            }
        };
        fault.ok_or_else(unknown)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutEvent(count) => write!(f, "cut-event={count}"),
            Self::CutByte(count) => write!(f, "cut-byte={count}"),
            Self::EndEvent(count) => write!(f, "end-event={count}"),
            Self::EndByte(count) => write!(f, "end-byte={count}"),
            Self::ErrorEvent(count) => write!(f, "error-event={count}"),
            Self::StallEvent(count) => write!(f, "stall-event={count}"),
            Self::DoubleEvent(count) => write!(f, "double-event={count}"),
            Self::SlowStart(time) => write!(f, "slow-start={time}"),
            Self::SlowEvents(time) => write!(f, "slow-events={time}"),
            Self::Status(status, Some(wait)) => write!(f, "{status}={wait}"),
            Self::Status(status, None) => write!(f, "{status}"),
            Self::NoMessageStop => f.write_str("no-message-stop"),
            Self::LateUsage => f.write_str("late-usage"),
            Self::Crlf => f.write_str("crlf"),
            Self::Pings => f.write_str("pings"),
            Self::Split => f.write_str("split"),
            Self::UnknownEvent => f.write_str("unknown-event"),
            Self::UnknownDelta => f.write_str("unknown-delta"),
        }
    }
}

impl TryFrom<String> for Fault {
    type Error = UnknownFault;

    fn try_from(text: String) -> Result<Self, UnknownFault> {
        text.parse()
    }
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.to_string()
    }
}

/// Reads the faults of a run: one answer's between commas, several of one answer joined by `+`. Fails at one that there
/// is not.
pub fn faults(text: &str) -> Result<Vec<Vec<Fault>>, UnknownFault> {
    let answers = text.split(',').map(str::trim).filter(|answer| !answer.is_empty());
    answers.map(|answer| answer.split('+').map(|fault| fault.trim().parse()).collect()).collect()
}
