//! Each message is written *once*, and what lives in memory alone never.

use std::collections::HashMap;

use super::message::{is_true, text};
use super::{by_line, played};
use crate::rules::{Judge, RecordEvidence, Rule, Severity, Verdict};
use crate::vocabulary::Kind;

pub(super) const INCREMENTAL: Rule = Rule {
    id: "record/incremental",
    title: "a message is written once, however often it is given, and nothing else is written",
    severity: Severity::Error,
    doc: "\
A recorder is given the whole list of messages again and again, and writes only what is new in it. A uuid that is \
recorded is not written again: not when the same list comes twice, not when a session is resumed and its old \
messages are given to a new process, not when messages come back after a compaction. And what was in no list, or in \
one that was refused, gets no line.

Where it is broken, a file grows with each resume although nothing was said, and readers that take the last \
record of a uuid, or the first, or both, disagree on the conversation. Files from the field have thousands of \
repeated groups. A line that a full disk left without its LF may be written again, since nobody can tell whether \
it counts.",
    example: include_bytes!("examples/incremental.json"),
    remedy: "Keep the set of recorded uuids, filled from the file when a session is resumed, and ask it before a \
message is queued.",
    sources: &["spec 3.2", "anthropics/claude-code#66947", "anthropics/claude-code#48936"],
    judge: Judge::Record(incremental),
};

fn incremental(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let mut violations = Vec::new();
        let mut first_of: HashMap<&str, bool> = HashMap::new();
        for (line, entry) in &model.lines {
            let kind = text(&line.value, "type").and_then(Kind::of);
            let is_message = kind.is_some_and(Kind::is_persisted);
            let is_hidden = line.uuid().is_some_and(|uuid| model.ephemeral.contains(uuid));
            if is_message && entry.is_none() && !is_hidden && !is_true(&line.value, "isVirtual") {
                let found = match line.uuid() {
                    Some(uuid) if model.held.contains(uuid) => {
                        format!("{uuid:?}, which was in the file, again")
                    }
                    Some(uuid) => format!("{uuid:?}, which was in no list that was accepted"),
                    None => "a message without a uuid".to_owned(),
                };
                violations.push(by_line(INCREMENTAL.id, line, found, "lines of new messages alone"));
            }
            let Some(uuid) = line.uuid().filter(|_| entry.is_some()) else { continue };
            if first_of.get(uuid).is_some_and(|is_torn| !is_torn) {
                let found = format!("{uuid:?} is written again in step {}", line.step);
                violations.push(by_line(INCREMENTAL.id, line, found, "one line of each message"));
            }
            first_of.insert(uuid, line.is_torn);
        }
        match model.given_again + model.demands.len().saturating_sub(1) {
            0 if violations.is_empty() => Verdict::NotApplicable("nothing is given or flushed twice"),
            _ => Verdict::from_violations(violations),
        }
    })
}

pub(super) const NO_EPHEMERAL: Rule = Rule {
    id: "record/no-ephemeral",
    title: "progress, tombstones, summaries, stream events, groups and virtual messages are not written",
    severity: Severity::Error,
    doc: "\
Some of what is in a list of messages lives in memory alone: the output of a running tool, the withdrawal of a \
message, a summary for users of the SDK, raw events of the stream, groups that a UI made, and messages that are \
marked virtual. A transcript holds none of them.

Old clients wrote progress. One file of 5.27 GB was progress to 99.6 %, each piece with the whole history of a \
subagent in it; and since progress lines were parents too, resuming lost up to 80 % of a conversation when a \
hook's progress became the end of a chain of its own.",
    example: include_bytes!("examples/no-ephemeral.json"),
    remedy: "Choose by kind what is queued: user, assistant, system, attachment and hook result, unless virtual.",
    sources: &["spec 3.2", "anthropics/claude-code#18905", "anthropics/claude-code#35024"],
    judge: Judge::Record(no_ephemeral),
};

fn no_ephemeral(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let mut violations = Vec::new();
        for (line, entry) in &model.lines {
            let kind = text(&line.value, "type").and_then(Kind::of);
            let is_virtual = is_true(&line.value, "isVirtual");
            let is_hidden = entry.is_none() && line.uuid().is_some_and(|uuid| model.ephemeral.contains(uuid));
            if kind.is_some_and(|kind| !kind.is_persisted() || is_virtual) || is_hidden {
                let name = text(&line.value, "type").unwrap_or("record");
                let found = format!("a line of type {name:?}{}", if is_virtual { ", virtual" } else { "" });
                violations.push(by_line(
                    NO_EPHEMERAL.id,
                    line,
                    found,
                    "no line of what lives in memory alone",
                ));
            }
        }
        match model.has_ephemeral {
            false if violations.is_empty() => {
                Verdict::NotApplicable("everything in the lists is to be written")
            }
            _ => Verdict::from_violations(violations),
        }
    })
}
