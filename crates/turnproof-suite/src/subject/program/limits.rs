//! *Limits* of a program: how long it may think, and how much it may take.

use std::time::Duration;

/// What a program may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time until it has answered a question.
    pub answer: Duration,
    /// The time until it has answered `start`: some load for long.
    pub start: Duration,
    /// The time until it has ended after `stop`.
    pub stop: Duration,
    /// The most bytes of memory. They are measured on Linux alone, of the process that was started, and not of others
    /// that this one starts.
    pub memory: u64,
    /// The most bytes of a line, and of all that a program of one question prints.
    pub line: usize,
}

impl Default for Limits {
    /// 5 s for an answer, 30 s to start, 2 s to stop, 2 GiB of memory, lines of 64 MiB.
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(5),
            start: Duration::from_secs(30),
            stop: Duration::from_secs(2),
            memory: 2 << 30,
            line: 64 << 20,
        }
    }
}
