//! A *crash* cuts a file at any byte; what was on disk comes back, and the session continues from there.

use super::difference::uuids;
use super::model::record::{self, Record};
use super::model::{Fate, FoundRecord, Resumption, find_among};
use crate::operation::{Continued, ResumeAnswer};
use crate::rules::{Applies, Place, Report, ResumeEvidence, Sentence, applies};

pub(super) fn crash_prefix(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let whole = case.records();
    // The model of the last cut without half a record, and of how many records: the next is often the same.
    let mut last: Option<(usize, Resumption)> = None;
    for (cut, answer) in &case.cuts {
        let end = usize::try_from(*cut).unwrap_or(usize::MAX).min(case.file.len());
        let file = &case.file[..end];
        let line = file.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let count = whole.partition_point(|record| record.end <= line);
        let mut torn = record::read(&file[line..]);
        for record in &mut torn {
            (record.start, record.end) = (record.start + line, record.end + line);
        }
        let right = match last.take().filter(|(same, _)| *same == count && torn.is_empty()) {
            Some((_, right)) => right,
            None => find_among(&whole[..count].iter().chain(&torn).collect::<Vec<&Record>>()),
        };
        if let Some(wrong) = wrong(file, &right, answer) {
            add(*cut, wrong, report);
        }
        last = torn.is_empty().then_some((count, right));
    }
    applies(!case.cuts.is_empty(), "the file was not cut")
}

/// A kind, what is found, and what is expected.
type Wrong = (&'static str, Sentence, Sentence);

/// Reports what is wrong with a file that was cut after so many bytes.
fn add(cut: u64, (kind, found, expected): Wrong, report: &mut Report<'_>) {
    let found = sentence!("cut after {cut} bytes, {found}", cut, found);
    report.add(Place::Bytes { start: cut, end: cut }, kind, found, expected);
}

/// What is wrong with the answer for a cut file.
fn wrong(file: &[u8], right: &Resumption, answer: &ResumeAnswer) -> Option<Wrong> {
    let conversation = match answer {
        Ok(conversation) => conversation,
        Err(why) => return Some(("refused", sentence!("there is no answer: {why}", why), "an answer".into())),
    };
    if conversation.is_some() == right.order.is_empty() {
        let [kind, found, expected] = match conversation {
            Some(_) => ["extra-conversation", "there is a conversation", "none: no user or assistant record is whole"],
            None => ["no-conversation", "there is no conversation", "the conversation of the lines that are whole"],
        };
        return Some((kind, found.into(), expected.into()));
    }
    let returned = conversation.as_ref().map_or(&[][..], |conversation| &conversation.records);
    let bytes = |index: usize| &file[right.records[index].start..right.records[index].end];
    let name = |index: usize| right.records[index].uuid.clone().unwrap_or_default();
    let returns = |index: usize| returned.iter().any(|record| record.bytes == bytes(index));
    if returned.len() == right.order.len()
        && returned.iter().zip(&right.order).all(|(own, &index)| own.bytes == bytes(index) && own.uuid == name(index))
    {
        return None;
    }
    for record in returned {
        let Some(index) = (0..right.records.len()).rfind(|&index| bytes(index) == record.bytes) else {
            let found = sentence!("`{uuid}` comes back, which is no whole record before the cut", uuid = &record.uuid);
            return Some(("not-whole", found, "whole records alone".into()));
        };
        let alone = right.records[index].predecessor.filter(|&before| !returns(before));
        if let Some(before) = alone.filter(|_| right.records[index].fate.is_kept()) {
            let (uuid, before) = (name(index), name(before));
            let found = sentence!("`{uuid}` comes back without `{before}`, which it comes after", uuid, before);
            return Some(("no-predecessor", found, "no message without its predecessors".into()));
        }
        if !right.records[index].fate.is_kept() {
            let expected = right.records[index].fate.in_words();
            return Some(("extra", sentence!("`{uuid}` comes back", uuid = name(index)), expected.into()));
        }
    }
    if let Some(&lost) = right.order.iter().find(|&&index| !returns(index)) {
        let record = &right.records[lost];
        let (uuid, line) = (name(lost), record.line);
        let found = sentence!("`{uuid}`, which is whole on line {line}, does not come back", uuid, line);
        return Some(("missing", found, record.fate.in_words().into()));
    }
    let expected = right.order.iter().map(|&index| name(index)).collect::<Vec<_>>().join(", ");
    let found = "the records come back in another order or number".into();
    Some(("wrong-order", found, sentence!("{uuids}", uuids = expected)))
}

pub(super) fn then_continue(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    for continued in &case.continued {
        if let Some(wrong) = not_continued(&case.file, continued) {
            add(continued.cut, wrong, report);
        }
    }
    applies(!case.continued.is_empty(), "nothing was recorded after a resume")
}

/// What is wrong after a resume and recording after it.
fn not_continued(file: &[u8], continued: &Continued) -> Option<Wrong> {
    let end = usize::try_from(continued.cut).unwrap_or(usize::MAX).min(file.len());
    for (answer, which) in [(&continued.before, "first"), (&continued.after, "second")] {
        if let Err(why) = answer {
            let kind = if which == "first" { "refused" } else { "refused-after" };
            let found = sentence!("the {which} resume has no answer: {why}", which, why);
            return Some((kind, found, "an answer".into()));
        }
    }
    let after = match &continued.file {
        Err(why) => {
            let found = sentence!("nothing could be recorded: {why}", why);
            return Some(("not-recorded", found, "a file that continues".into()));
        }
        Ok(after) if !after.starts_with(&file[..end]) => {
            let expected = "the bytes of the cut file, and after them what is new";
            return Some(("changed", "the new file does not begin with the old one".into(), expected.into()));
        }
        Ok(after) => after,
    };
    let mut expected = uuids(&continued.before);
    expected.extend(continued.added.iter().map(String::as_str));
    let found = uuids(&continued.after);
    if found != expected {
        // A call without a result is left when the conversation goes on beside it.
        let left = left_calls(after);
        expected.retain(|uuid| !left.iter().any(|call| call == uuid));
    }
    let in_words = |uuids: &[&str]| sentence!("the second resume gives: {uuids}", uuids = uuids.join(", "));
    (found != expected).then(|| ("other-records", in_words(&found), in_words(&expected)))
}

/// The uuids of calls in a file that stay away because the conversation left them.
fn left_calls(file: &[u8]) -> Vec<String> {
    let records = record::read(file);
    let right = find_among(&records.iter().collect::<Vec<_>>());
    let is_left = |(own, found): &(&Record<'_>, &FoundRecord)| {
        own.is_calls_alone && matches!(found.fate, Fate::OtherBranch | Fate::ErrorBeside)
    };
    let left = records.iter().zip(&right.records).filter(is_left);
    left.filter_map(|(_, found)| found.uuid.clone()).collect()
}
