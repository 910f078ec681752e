//! A *crash* is what a program did instead of answering a question.
//!
//! The words hold no numbers of questions and no times that were measured, so that they are the same however many
//! processes share the work.

use std::process::ExitStatus;
use std::time::Duration;

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
