//! Faults in resuming what is *damaged*, torn or odd: a reader that gives up too early, or guesses.

use std::collections::HashMap;
use std::iter::successors;

use turnproof_reference::transcript::{Reason, Transcript};
use turnproof_rules::operation::{Conversation, ConversationRecord};
use turnproof_suite::subject::{Outcome, Subject};

use super::memoized_reference::MemoizedReference;
use super::view::{Seen, found, seeing, view};
use super::walk::{kind, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("resume/stops-at-the-first-bad-line", "resume/complete")
        .that("reads a file up to the first line that does not parse")
        .seen_in("anthropics/claude-code#49876")
        .by(Wrong::Resume(|file| {
            let rejected = Transcript::from_bytes(file.to_vec()).rejected().first().map(|bad| bad.0);
            seeing(file, |view| view.retain(|seen| rejected.is_none_or(|bad| seen.start < bad)))
        })),
    fault("resume/loses-glued-records", "resume/complete")
        .that("loses all records of a line that holds two")
        .seen_in("anthropics/claude-code#81843")
        .by(Wrong::Records(|view| {
            let mut on_line: HashMap<u64, usize> = HashMap::new();
            view.iter().for_each(|seen| *on_line.entry(seen.line).or_default() += 1);
            view.retain(|seen| on_line.get(&seen.line) == Some(&1));
        })),
    fault("resume/splits-at-line-separators", "resume/complete")
        .that("ends lines at U+2028, which JSON strings may hold")
        .seen_in("anthropics/claude-code#27472")
        .by(Wrong::Records(|view| {
            view.retain(|seen| !String::from_utf8_lossy(&seen.record.bytes).contains('\u{2028}'));
        })),
    fault("resume/overflows-on-circles", "resume/total")
        .that("walks over parents without a guard, and does not come back from a circle")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.30")
        .by(Wrong::Resume(|file| {
            let view = view(file);
            let linked = view.iter().filter(|seen| !seen.parent().is_empty());
            let parents: HashMap<&str, &str> = linked.map(|seen| (seen.uuid(), seen.parent())).collect();
            // A walk of more steps than there are links is in a circle.
            let walk = |seen: &Seen| successors(parents.get(seen.uuid()), |uuid| parents.get(*uuid)).nth(parents.len());
            assert!(!view.iter().any(|seen| walk(seen).is_some()), "the stack overflows");
            MemoizedReference.resume(file)
        })),
    fault("resume/trips-over-odd-parents", "resume/total")
        .that("fails on a parent that is an object or a list")
        .seen_in("anthropics/claude-agent-sdk-python")
        .by(Wrong::Resume(|file| {
            let is_odd = |seen: &Seen| seen.value["parentUuid"].is_object() || seen.value["parentUuid"].is_array();
            failing(file, is_odd, "unhashable type")
        })),
    fault("resume/wants-a-message-first", "resume/total")
        .that("finds no conversation when the first line is a side record")
        .seen_in("anthropics/claude-code#62851")
        .by(Wrong::Resume(|file| {
            let first = view(file).into_iter().next();
            let is_message = |seen: Seen| turnproof_reference::message::Kind::of(kind(&seen.value)).is_some();
            match first.is_none_or(is_message) {
                true => MemoizedReference.resume(file),
                false => Outcome::Output(None),
            }
        })),
    fault("resume/finds-one-in-side-records", "resume/total")
        .that("returns an empty conversation when there is none")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.187")
        .by(Wrong::Resume(|file| Outcome::Output(Some(found(&view(file)).unwrap_or_default())))),
    fault("resume/needs-metadata", "resume/total")
        .that("fails on a boundary without metadata")
        .seen_in("omnigent-ai/omnigent#1957")
        .by(Wrong::Resume(|file| {
            let lacks = |seen: &Seen| seen.is_boundary() && !seen.value["compactMetadata"].is_object();
            failing(file, lacks, "cannot destructure property of null")
        })),
    fault("resume/writes-records-anew", "resume/total")
        .that("returns records in its own JSON text, not as they were written")
        .by(Wrong::Resume(|file| {
            let view = view(file);
            let Some(mut conversation) = found(&view) else { return Outcome::Output(None) };
            for record in &mut conversation.records {
                if let Some(seen) = view.iter().find(|seen| seen.record == *record) {
                    record.bytes = seen.value.to_string().into_bytes();
                }
            }
            Outcome::Output(Some(conversation))
        })),
    fault("resume/blank-after-a-torn-line", "resume/crash-prefix")
        .that("finds no conversation in a file whose last line is torn")
        .seen_in("anthropics/claude-code#53821")
        .by(Wrong::Resume(|file| match torn(file) {
            Some(_) => Outcome::Output(None),
            None => MemoizedReference.resume(file),
        })),
    fault("resume/drops-an-unterminated-line", "resume/crash-prefix")
        .that("does not read a whole last line that lacks its line end")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.89")
        .by(Wrong::Resume(|file| MemoizedReference.resume(&file[..whole_lines(file)]))),
    fault("resume/guesses-the-torn-line", "resume/crash-prefix")
        .that("returns half a record, as far as it was written")
        .seen_in("anthropics/claude-code#20992")
        .by(Wrong::Resume(|file| {
            let mut found = found(&view(file));
            if let (Some(found), Some(line)) = (&mut found, torn(file)) {
                let text = String::from_utf8_lossy(line);
                let uuid = text.split("\"uuid\":\"").nth(1).and_then(|rest| rest.split_once('"'));
                let half = |(uuid, _): (&str, &str)| ConversationRecord { uuid: uuid.to_owned(), bytes: line.to_vec() };
                found.records.extend(uuid.map(half));
            }
            Outcome::Output(found)
        })),
    fault("resume/drops-the-last-record-of-a-torn-file", "resume/crash-prefix")
        .that("drops the last whole message when the line after it is torn")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.77")
        .by(Wrong::Resume(|file| {
            let is_torn = torn(file).is_some();
            seeing(file, |view| view.truncate(view.len() - usize::from(is_torn && !view.is_empty())))
        })),
    fault("resume/loses-the-line-after-a-torn-one", "resume/then-continue")
        .that("reads a torn line and the next one as one record, and rejects both")
        .seen_in("anthropics/claude-code#53821")
        .by(Wrong::Resume(|file| {
            let transcript = Transcript::from_bytes(file.to_vec());
            let torn = transcript.rejected().iter().filter(|(_, _, reason)| *reason == Reason::CutShort);
            seeing(file, |view| {
                for &(_, end, _) in torn {
                    let next = view.iter().find(|seen| seen.start >= end).map(|seen| seen.line);
                    view.retain(|seen| Some(seen.line) != next);
                }
            })
        })),
    fault("resume/keeps-to-one-session", "resume/then-continue")
        .that("drops records that name another session than the first, as they do after a resume")
        .seen_in("anthropics/claude-code#58760")
        .by(Wrong::Records(|view| {
            let session = |seen: &Seen| text(&seen.value, "sessionId").to_owned();
            let first = view.iter().map(session).find(|session| !session.is_empty());
            view.retain(|seen| first.as_ref().is_none_or(|first| session(seen) == *first));
        })),
];

/// What a reader answers that fails on some records.
fn failing(file: &[u8], is_bad: fn(&Seen) -> bool, why: &str) -> Outcome<Option<Conversation>> {
    match view(file).iter().any(is_bad) {
        true => Outcome::Rejected(why.to_owned()),
        false => MemoizedReference.resume(file),
    }
}

/// Where the last line ends that has a line end.
fn whole_lines(file: &[u8]) -> usize {
    file.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

/// The last line, if it is torn.
fn torn(file: &[u8]) -> Option<&[u8]> {
    let line = &file[whole_lines(file)..];
    (!line.is_empty() && view(line).is_empty()).then_some(line)
}
