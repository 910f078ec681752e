//! The transcript records what *waits* in the queue: each input that is put in, and each that is taken out.

use std::collections::HashSet;

use crate::json::Value;

use super::NOT_WHOLE;
use super::queue::as_blocks;
use crate::operation::{Moment, Plain};
use crate::rules::alike::in_short;
use crate::rules::value::{kind, text};
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

/// A record that must be in the file.
struct Expected<'a> {
    /// The kind of the violation when it is not there.
    kind: &'static str,
    operation: &'static str,
    /// What was typed; only for what is put in.
    content: Option<&'a Value>,
}

impl Expected<'_> {
    fn is_said_by(&self, record: &Value) -> bool {
        let has_time = text(record, "timestamp").is_some_and(|time| time.contains('T'));
        let has_session = text(record, "sessionId").is_some_and(|session| !session.is_empty());
        let says_the_same = match (self.content, record.get("content")) {
            (Some(typed), Some(said)) => as_blocks(typed) == as_blocks(said),
            (typed, said) => typed.is_none() && said.is_none(),
        };
        text(record, "operation") == Some(self.operation) && has_time && has_session && says_the_same
    }
}

/// What a log asks for, and how much of it the file has recorded.
#[derive(Default)]
struct Recorded<'a> {
    expected: Vec<Expected<'a>>,
    waiting: HashSet<u64>,
    /// How many of the expected records were found, and the file in which they were.
    found: usize,
    file: &'a [u8],
    /// How many inputs wait, as the file says.
    waits: usize,
    /// Whether it says that one was taken out where none waited.
    is_overdrawn: bool,
}

pub(super) fn queue_recorded(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.whole, NOT_WHOLE)?;
    let mut recorded = Recorded::default();
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        match moment {
            Moment::Typed { input, content, queued: true } => {
                recorded.waiting.insert(*input);
                recorded.expected.push(Expected {
                    kind: "no-enqueue",
                    operation: "enqueue",
                    content: Some(&content.value),
                });
            }
            Moment::Joined { input, .. } if recorded.waiting.remove(input) => {
                recorded.expected.push(Expected { kind: "no-dequeue", operation: "dequeue", content: None });
            }
            Moment::Requested { transcript, .. } => {
                judged += recorded.expected.len() - recorded.found;
                let missing = recorded.read(transcript);
                if let Some(Expected { kind, operation, content }) = missing {
                    let operation = *operation;
                    let found = sentence!("the transcript does not say `{operation}` where it happened", operation);
                    let expected = match content.map(in_short) {
                        Some(typed) => {
                            sentence!("a record queue-operation `{operation}` of {typed}", operation, typed)
                        }
                        None => sentence!("a record queue-operation `{operation}`", operation),
                    };
                    report.add(Place::message(index), kind, found, expected);
                    recorded.found = recorded.expected.len();
                }
                if std::mem::take(&mut recorded.is_overdrawn) {
                    judged += 1;
                    const FOUND: &str = "the transcript says `dequeue` where nothing waits";
                    report.add(
                        Place::message(index),
                        "takes-nothing",
                        FOUND,
                        "one `dequeue` for each `enqueue` at most",
                    );
                }
            }
            // What has not been waited for may be lost.
            Moment::Crashed { .. } => recorded.expected.truncate(recorded.found),
            Moment::Forked(_) => recorded = Recorded::default(),
            _ => {}
        }
        if matches!(moment, Moment::Crashed { .. } | Moment::Resumed(_)) {
            recorded.waiting.clear();
        }
    }
    applies(judged > 0, "nothing that waits is followed by a request")
}

impl<'a> Recorded<'a> {
    /// Reads what a file has more; gives the first expected record that it does not have.
    fn read(&mut self, file: &'a [u8]) -> Option<&Expected<'a>> {
        let new = file.strip_prefix(self.file).unwrap_or_else(|| {
            (self.found, self.waits) = (0, 0);
            file
        });
        self.file = file;
        for line in new.split(|&byte| byte == b'\n') {
            let record = std::str::from_utf8(line).ok().filter(|line| line.contains("queue-operation"));
            let record = record.and_then(|line| Plain::read(line).ok()).unwrap_or_default().into_value();
            let is_next = self.expected.get(self.found).is_some_and(|expected| expected.is_said_by(&record));
            self.found += usize::from(kind(&record) == "queue-operation" && is_next);
            match text(&record, "operation").filter(|_| kind(&record) == "queue-operation") {
                Some("enqueue") => self.waits += 1,
                Some("popAll") => self.waits = 0,
                Some(taken @ ("dequeue" | "remove")) => {
                    self.is_overdrawn |= taken == "dequeue" && self.waits == 0;
                    self.waits = self.waits.saturating_sub(1);
                }
                _ => {}
            }
        }
        self.expected.get(self.found)
    }
}
