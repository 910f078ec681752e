//! A *reply* is judged by every rule on replies: what a host, a gateway or a mock server sends back.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use turnproof_rules::operation::{Reply, ReplyForm};
use turnproof_rules::rules::{Judge, Place, Rule, Severity, Violation};

use super::input::{InputError, describe};

/// A rule that a reply breaks.
#[derive(Clone, Debug)]
pub struct ReplyFinding {
    /// The rule.
    pub rule: &'static Rule,
    /// Where and what.
    pub violation: Violation,
    /// The beginning of the event or the block in question.
    pub excerpt: String,
}

/// What judging one or more replies counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyTally {
    /// Replies judged.
    pub replies: u64,
    /// Replies that break no rule but those that inform.
    pub legal: u64,
    /// Events of streams.
    pub events: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Inputs that could not be read, or are no replies.
    pub unreadable: u64,
    /// Violations, by the rule's id.
    pub violations: BTreeMap<&'static str, u64>,
}

impl ReplyTally {
    /// Violations of all rules.
    pub fn violation_count(&self) -> u64 {
        self.violations.values().sum()
    }

    /// Adds the counts of another reply.
    pub fn add(&mut self, other: &Self) {
        self.replies += other.replies;
        self.legal += other.legal;
        self.events += other.events;
        self.bytes += other.bytes;
        self.unreadable += other.unreadable;
        for (rule, count) in &other.violations {
            *self.violations.entry(rule).or_default() += count;
        }
    }
}

/// Whether the rule judges replies.
pub fn is_on_replies(rule: &Rule) -> bool {
    matches!(rule.judge, Judge::Reply(_))
}

/// Reads the reply at `path`; `-` is standard input.
/// It fails when there is nothing to read, or what is read is no reply.
pub fn read_reply(path: &Path, stdin: impl FnOnce() -> io::Result<Vec<u8>>) -> Result<Reply, InputError> {
    let name = path.display().to_string();
    let bytes = if path.as_os_str() == "-" { stdin() } else { fs::read(path) };
    let bytes = bytes.map_err(|error| InputError::new(&name, describe(&error)))?;
    Reply::read(&bytes).map_err(|error| InputError::new(&name, error))
}

/// Judges a reply by those of `rules` that judge replies; gives each finding to `sink`, in the order of the reply.
/// Linear in the size of the reply.
pub fn judge_reply(reply: &Reply, rules: &[&'static Rule], sink: &mut dyn FnMut(ReplyFinding)) -> ReplyTally {
    let mut found = Vec::new();
    for &rule in rules {
        let Judge::Reply(judge) = rule.judge else { continue };
        judge(reply, &mut |violation| {
            let excerpt = excerpt(reply, violation.place);
            found.push(ReplyFinding { rule, violation, excerpt });
        });
    }
    found.sort_by_key(|finding| order(finding.violation.place));
    let mut tally =
        ReplyTally { replies: 1, events: reply.events.len() as u64, bytes: reply.bytes, ..ReplyTally::default() };
    let breaks = |finding: &ReplyFinding| finding.rule.severity > Severity::Info;
    tally.legal = u64::from(!found.iter().any(breaks));
    for finding in found {
        *tally.violations.entry(finding.rule.id).or_default() += 1;
        sink(finding);
    }
    tally
}

/// What a reply is, in words.
pub fn describe_reply(reply: &Reply) -> &'static str {
    match reply.form {
        ReplyForm::Stream => "a stream",
        ReplyForm::Events => "the events of a stream",
        ReplyForm::Message => "a message",
        ReplyForm::Error => "an error",
        ReplyForm::Foreign(foreign) => foreign.describe(),
    }
}

fn order(place: Place) -> (u32, u32) {
    match place {
        Place::Event { number, line } => (number, line),
        Place::Reply { block, .. } => (0, block.map_or(0, |block| block + 1)),
        _ => (0, 0),
    }
}

/// How much of an event or a block is shown.
const SHOWN: usize = 512;

fn excerpt(reply: &Reply, place: Place) -> String {
    let whole = match place {
        Place::Event { number, .. } => {
            let event = (number as usize).checked_sub(1).and_then(|at| reply.events.get(at));
            event.map(|event| event.data.clone())
        }
        Place::Reply { block: Some(block), .. } => {
            reply.message.get("content").and_then(|content| content.get(block as usize)).map(|block| block.to_string())
        }
        _ => None,
    };
    whole.unwrap_or_default().chars().take(SHOWN).collect()
}
