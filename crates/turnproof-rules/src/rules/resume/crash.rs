//! A *crash* cuts a file at any byte; what was on disk comes back, and the session goes on from there.

use super::difference::uuids;
use super::model::record::{self, Record};
use super::model::{Resumption, find_among};
use crate::operation::{Continued, ResumeAnswer};
use crate::rules::{Applies, Place, Report, ResumeEvidence, applies};

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
        if let Some((found, expected)) = wrong(file, &right, answer) {
            report.old_add(
                Place::Bytes { start: *cut, end: *cut },
                format!("cut after {cut} bytes, {found}"),
                expected,
            );
        }
        last = torn.is_empty().then_some((count, right));
    }
    applies(!case.cuts.is_empty(), "the file was not cut")
}

/// What is wrong with the answer for a cut file, and what would be right.
fn wrong(file: &[u8], right: &Resumption, answer: &ResumeAnswer) -> Option<(String, String)> {
    let conversation = match answer {
        Ok(conversation) => conversation,
        Err(why) => return Some((format!("there is no answer: {why}"), "an answer".to_owned())),
    };
    if conversation.is_some() == right.order.is_empty() {
        let [found, expected] = match conversation {
            Some(_) => ["there is a conversation", "none: no user or assistant record is whole"],
            None => ["there is no conversation", "the conversation of the lines that are whole"],
        };
        return Some((found.to_owned(), expected.to_owned()));
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
            let found = format!("`{}` comes back, which is no whole record before the cut", record.uuid);
            return Some((found, "whole records alone".to_owned()));
        };
        let alone = right.records[index].predecessor.filter(|&before| !returns(before));
        if let Some(before) = alone.filter(|_| right.records[index].fate.is_kept()) {
            let found = format!("`{}` comes back without `{}`, which it comes after", name(index), name(before));
            return Some((found, "no message without its predecessors".to_owned()));
        }
        if !right.records[index].fate.is_kept() {
            let expected = right.records[index].fate.in_words();
            return Some((format!("`{}` comes back", name(index)), expected.to_owned()));
        }
    }
    if let Some(&lost) = right.order.iter().find(|&&index| !returns(index)) {
        let record = &right.records[lost];
        let found = format!("`{}`, which is whole on line {}, does not come back", name(lost), record.line);
        return Some((found, record.fate.in_words().to_owned()));
    }
    let expected = right.order.iter().map(|&index| name(index)).collect::<Vec<_>>().join(", ");
    Some(("the records come back in another order or number".to_owned(), expected))
}

pub(super) fn then_continue(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    for continued in &case.continued {
        if let Some((found, expected)) = not_continued(&case.file, continued) {
            let cut = continued.cut;
            report.old_add(Place::Bytes { start: cut, end: cut }, format!("cut after {cut} bytes, {found}"), expected);
        }
    }
    applies(!case.continued.is_empty(), "nothing was recorded after a resume")
}

/// What is wrong after a resume and recording after it, and what would be right.
fn not_continued(file: &[u8], continued: &Continued) -> Option<(String, String)> {
    let end = usize::try_from(continued.cut).unwrap_or(usize::MAX).min(file.len());
    for (answer, which) in [(&continued.before, "first"), (&continued.after, "second")] {
        if let Err(why) = answer {
            return Some((format!("the {which} resume has no answer: {why}"), "an answer".to_owned()));
        }
    }
    match &continued.file {
        Err(why) => {
            return Some((format!("nothing could be recorded: {why}"), "a file that goes on".to_owned()));
        }
        Ok(after) if !after.starts_with(&file[..end]) => {
            let expected = "the bytes of the cut file, and after them what is new";
            return Some(("the new file does not begin with the old one".to_owned(), expected.to_owned()));
        }
        Ok(_) => {}
    }
    let mut expected = uuids(&continued.before);
    expected.extend(continued.added.iter().map(String::as_str));
    let found = uuids(&continued.after);
    let in_words = |uuids: &[&str]| format!("the second resume gives: {}", uuids.join(", "));
    (found != expected).then(|| (in_words(&found), in_words(&expected)))
}
