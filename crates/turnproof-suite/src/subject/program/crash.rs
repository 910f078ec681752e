//! A *crash* is what a program did instead of answering a question.
//!
//! The words hold no numbers of questions and no times that were measured, so that they are the same however many
//! processes share the work.

use std::process::ExitStatus;
use std::time::Duration;

use turnproof_rules::subject::CrashKind;

/// What a program did instead of answering.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the words say it, and the fields are their values")]
pub enum Crash {
    #[error("it ended before it answered, {how}")]
    Ended { how: String },
    #[error("it did not answer within {}", seconds(*.within))]
    Silent { within: Duration },
    #[error("it took more than {} MiB of memory", .most >> 20)]
    Memory { most: u64 },
    #[error("it printed more than {most} bytes without an end")]
    Flood { most: usize },
    #[error("it closed its standard input, and did not answer")]
    ClosedInput,
    #[error("it closed its standard output, and went on")]
    ClosedOutput,
    #[error("it printed a line that is no answer: {line}")]
    NoAnswer { line: String },
    #[error("its answer has no `seq`")]
    NoSeq,
    #[error("its answer has another `seq` than the question")]
    OtherSeq,
    #[error("its answer has {found} of `output`, `rejected` and `unsupported`, and should have one")]
    NotOne { found: &'static str },
    #[error("its output has another shape: `{path}`: {why}")]
    Shape { path: String, why: String },
    #[error("it was ended, because all is to end")]
    Stopped,
    #[error("it could not be started again: {why}")]
    NotStarted { why: String },
    #[error("it cannot be spoken to: {why}")]
    System { why: String },
}

impl Crash {
    /// The crash as rules see it.
    pub(super) fn to_judge(&self) -> turnproof_rules::subject::Crash {
        let (kind, at) = match self {
            Self::Ended { how } => (CrashKind::Ended, Some(how.clone())),
            Self::ClosedInput | Self::ClosedOutput => (CrashKind::Ended, Some(self.to_string())),
            Self::Silent { .. } => (CrashKind::TimedOut, None),
            Self::Memory { .. } => (CrashKind::OutOfMemory, None),
            Self::Shape { path, .. } => (CrashKind::WrongShape, Some(without_indexes(path))),
            Self::NoAnswer { .. } => (CrashKind::NoAnswer, None),
            Self::Flood { .. } | Self::NoSeq | Self::OtherSeq | Self::NotOne { .. } => {
                (CrashKind::NoAnswer, Some(self.to_string()))
            }
            Self::Stopped | Self::NotStarted { .. } | Self::System { .. } => (CrashKind::NotAsked, None),
        };
        turnproof_rules::subject::Crash { kind, how: self.to_string(), at }
    }
}

/// A path with `#` for each number in brackets.
fn without_indexes(path: &str) -> String {
    let part = |part: &str| match part.split_once(']') {
        Some((_, rest)) => format!("[#]{rest}"),
        None => format!("[{part}"),
    };
    let mut parts = path.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, next| path + &part(next))
}

/// What a program did at the end instead of ending with exit code 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the words say it, and the fields are their values")]
pub enum BadEnd {
    #[error("it went on for {} after `stop`, and was ended; leave the loop when `cmd` is `stop`", seconds(*.within))]
    Ignored { within: Duration },
    #[error("it ended {how} after `stop`; expected exit code 0")]
    Code { how: String },
}

/// How a process ended, in words.
pub(super) fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("by signal {signal}");
    }
    status.code().map_or_else(|| "in an unknown way".to_owned(), |code| format!("with exit code {code}"))
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
