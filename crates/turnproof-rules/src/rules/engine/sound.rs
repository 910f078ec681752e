//! What the loop writes is *sound*: the rules on transcripts hold in its file. The broken rule comes first in what is
//! found.

use std::collections::{BTreeSet, HashSet};

use crate::json::Value;

use super::live::{is_boundary, is_persisted};
use super::{NOT_WHOLE, name_of, of_asked};
use crate::operation::Moment;
use crate::rules::catalogue::of_family;
use crate::rules::value::{is_true, text, uuid};
use crate::rules::wire::model::{Piece, read};
use crate::rules::{Applies, Judge, PlayEvidence, Report, Severity, applies};

pub(super) fn sound_messages(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    // Models write blank texts.
    judge(case, "message", &["message/no-blank-text"], report)
}

pub(super) fn sound_chain(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    judge(case, "id", &[], report)?;
    let records = case.file_records().iter().map(|record| &record.value);
    let linked: Vec<&Value> =
        records.filter(|record| is_persisted(record) && !is_true(record, "isSidechain")).collect();
    // A side record says its session itself.
    let mut free = vec!["chain/session-matches-file"];
    if case.moments.iter().any(|moment| matches!(moment, Moment::Crashed { .. })) {
        // A crash may part a boundary from what it names.
        free.push("chain/preserved-segment");
    }
    if linked.first().is_some_and(|first| is_boundary(first)) {
        // Nothing was on disk that it could name.
        free.push("chain/boundary-starts-segment");
    }
    judge(case, "chain", &free, report)?;
    // Only the first message begins a conversation. After a resume that brings nothing back there is another first one.
    let is_empty = |moment: &&Moment| matches!(moment, Moment::Resumed(list) if list.elements().is_empty());
    let most = 1 + case.moments.iter().filter(is_empty).count();
    let session = |record: &&Value| text(record, "sessionId").map(str::to_owned);
    let sessions: BTreeSet<String> = linked.iter().filter_map(session).collect();
    if sessions.len() > 1 {
        let (count, sessions) = (sessions.len(), format!("{sessions:?}"));
        let found = sentence!("chain/session-matches-file: messages of {count} sessions: {sessions}", count, sessions);
        report.whole("session-matches-file", found, "messages of one session");
    }
    let goes_elsewhere = |moment: &Moment| matches!(moment, Moment::Crashed { .. } | Moment::Forked(_));
    if !case.moments.iter().any(goes_elsewhere) {
        unwritten_logical_parents(&linked, report);
    }
    let begins = |record: &&Value| !record.get("parentUuid").is_some_and(Value::is_string) && !is_boundary(record);
    for record in linked.into_iter().filter(begins).skip(most) {
        let uuid = uuid(record).unwrap_or_default();
        let found = sentence!("{uuid:?} has no parent, and is not the first", uuid);
        report.whole("no-parent", found, "the message before it, as `parentUuid`");
    }
    Ok(())
}

/// Reports boundaries that name what has no line. After a crash or in a fork they may name what was elsewhere.
fn unwritten_logical_parents(linked: &[&Value], report: &mut Report<'_>) {
    let written: HashSet<&str> = linked.iter().filter_map(|record| uuid(record)).collect();
    for boundary in linked.iter().filter(|record| is_boundary(record)) {
        if let Some(named) = text(boundary, "logicalParentUuid").filter(|named| !written.contains(named)) {
            let found = sentence!("a boundary names {named:?}, which has no line", named);
            report.whole("logical-parent-unwritten", found, "the last line before the boundary");
        }
    }
}

/// The ids of calls are the model's, and a file may hold a call that nobody has answered yet. A placeholder is right
/// where a result is lost.
pub(super) fn sound_calls(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let free = ["tool/unique-call-id", "tool/single-result", "tool/call-answered", "tool/placeholder-marked"];
    judge(case, "tool", &free, report)
}

/// Asks a family of rules of the file, but for those that are free here. What is only an info is up to who said it.
fn judge(case: &PlayEvidence<'_>, family: &str, free: &[&str], report: &mut Report<'_>) -> Applies {
    applies(case.whole, NOT_WHOLE)?;
    let facts = case.file_facts();
    for rule in of_family(family).filter(|rule| rule.severity > Severity::Info && !free.contains(&rule.id)) {
        let Judge::Transcript(judge) = rule.judge else { continue };
        judge(facts, &mut |violation| {
            let (kind, found, expected) = of_asked(violation);
            report.whole(kind, found, expected);
        });
    }
    applies(!facts.nodes.is_empty(), "nothing was written")
}

/// What no input can bring into a line. Text and values of a wrong type are carried as they came.
const LINES: [(&str, &str); 7] = [
    ("wire/json-object", "one JSON object in each line"),
    ("wire/one-record-per-line", "one record in each line"),
    ("wire/terminated", "a line end behind each record"),
    ("wire/no-nul", "no zero bytes"),
    ("wire/utf8", "UTF-8"),
    ("wire/unique-keys", "no key twice in one object"),
    ("wire/live-only-kind", "only what a transcript holds: the rest lives in memory"),
];

pub(super) fn sound_lines(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.whole, NOT_WHOLE)?;
    let torn = torn_lines(&case.moments);
    let is_torn = |piece: &&Piece| torn.iter().any(|&(start, end)| (start..end).contains(&piece.start));
    let reading = read(&case.transcript);
    for (rule, expected) in LINES {
        for piece in reading.breaking(rule).filter(|piece| !is_torn(piece)) {
            let Piece { start, end, line, .. } = piece;
            let found = sentence!(
                "{rule}: bytes {start} to {end} (line {line})",
                rule,
                start = *start,
                end = *end,
                line = *line
            );
            report.whole(name_of(rule), found, expected);
        }
    }
    applies(!case.transcript.is_empty(), "nothing was written")
}

/// Where a crash has left a part of a line.
fn torn_lines(moments: &[Moment]) -> Vec<(u64, u64)> {
    let crashed = moments.iter().filter_map(|moment| match moment {
        Moment::Crashed { transcript: file } => Some(file),
        _ => None,
    });
    let start = |file: &Vec<u8>| file.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    crashed.map(|file| (start(file) as u64, file.len() as u64)).collect()
}
