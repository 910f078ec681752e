//! Faults of *size*: what is wrong only when a text, a record, a message, a file or a conversation is large.

use serde_json::value::{RawValue, to_raw_value};
use turnproof_rules::operation::{Conversation, Parsed, ParsedRecord, Rejected, Value};
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::part::{keep, name};
use super::record::filtered;
use super::recorder::{Members, Slip};
use super::{Fault, Wrong, fault};

const KIB: usize = 1024;

pub(super) const FAULTS: &[Fault] = &[
    fault("parse/loses-records-over-16-kib", "wire/json-object")
        .that("rejects a line that does not fit a buffer of 16 KiB")
        .by(Wrong::Unread(|line| line.bytes.len() > 16 * KIB)),
    fault("parse/loses-records-over-64-kib", "wire/json-object")
        .that("rejects a line that does not fit a buffer of 64 KiB")
        .by(Wrong::Unread(|line| line.bytes.len() > 64 * KIB)),
    fault("parse/loses-records-across-8-kib", "wire/json-object")
        .that("reads 8 KiB at a time, and loses the record that extends across the first two reads")
        .by(Wrong::Parsed(|_, parsed| lose_across(8 * KIB, parsed))),
    fault("parse/loses-records-across-16-kib", "wire/json-object")
        .that("reads 16 KiB at a time, and loses the record that extends across the first two reads")
        .by(Wrong::Parsed(|_, parsed| lose_across(16 * KIB, parsed))),
    fault("parse/loses-records-across-64-kib", "wire/json-object")
        .that("reads 64 KiB at a time, and loses the record that extends across the first two reads")
        .by(Wrong::Parsed(|_, parsed| lose_across(64 * KIB, parsed))),
    fault("parse/cuts-what-it-writes", "wire/lossless")
        .that("writes texts of more than 10,000 characters back without their ends")
        .by(Wrong::Parsed(|_, parsed| parsed.records.iter_mut().for_each(cut_written))),
    fault("resume/reads-the-tail", "resume/complete")
        .that("reads the last 8 KiB of a file, and continues without what came before")
        .by(Wrong::Resume(|file| {
            let start = file.len().saturating_sub(8 * KIB);
            let line = file[start..].iter().position(|&byte| byte == b'\n').map_or(start, |at| start + at + 1);
            Reference.resume(if start > 0 { &file[line..] } else { file })
        })),
    fault("resume/skips-records-over-8-kib", "resume/complete")
        .that("skips a record that does not fit a buffer of 8 KiB, and bridges the gap")
        .by(Wrong::Records(|view| view.retain(|seen| seen.record.bytes.len() <= 8 * KIB))),
    fault("resume/keeps-the-last-hundred", "resume/complete")
        .that("brings back the last hundred messages of a conversation")
        .by(Wrong::Resume(|file| match Reference.resume(file) {
            Outcome::Output(Some(Conversation { mut records, notes })) => {
                records.drain(..records.len().saturating_sub(100));
                Outcome::Output(Some(Conversation { records, notes }))
            }
            other => other,
        })),
    fault("record/cuts-long-texts", "record/nothing-lost")
        .that("writes the first 10,000 characters of a text")
        .by(Wrong::Record(Slip::Line(cut_members))),
    fault("record/drops-records-over-8-kib", "record/nothing-lost")
        .that("does not write a line of more than 8 KiB, and says nothing")
        .by(Wrong::Record(Slip::Append(|file, lines| {
            let short = |line: &&[u8]| line.len() <= 8 * KIB;
            file.right(&lines.split_inclusive(|&byte| byte == b'\n').filter(short).collect::<Vec<_>>().concat())
        }))),
    fault("record/looks-back-a-hundred", "record/nothing-lost")
        .that("records the first hundred messages of a list, and takes the rest for old")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let mut place = 0;
            let step = filtered(step, |_| {
                place += 1;
                place <= 100
            });
            process.right(&step)
        }))),
    fault("normalize_ui/derives-in-decimal", "ui/derived-after-split")
        .that("writes the number of a block in decimal digits, which shows from the eleventh block on")
        .by(Wrong::UiPart(|part, message| {
            if let (true, Some(own)) = (part.is_derived, part.whole["uuid"].as_str()) {
                let head: String = own.chars().take(24).collect();
                name(message, Some(Value::from(format!("{head}{:012}", part.index))));
            }
        })),
    fault("normalize_ui/is-off-by-one-from-16-on", "ui/derived-after-split")
        .that("passes over a number when the number of a block gets its second digit")
        .by(Wrong::UiPart(|part, message| {
            if part.is_derived && part.index >= 16 {
                name(message, part.derived(part.index + 1));
            }
        })),
    fault("normalize_ui/shows-ten-blocks", "ui/conserves")
        .that("shows the first ten blocks of a message")
        .by(Wrong::List(|asked, shown| keep(asked, shown, |part| part.index < 10))),
];

/// Rejects the record that extends across a byte.
fn lose_across(edge: usize, parsed: &mut Parsed) {
    let edge = edge as u64;
    let is_across = |record: &ParsedRecord| record.start < edge && edge < record.end;
    let lost: Vec<ParsedRecord> = parsed.records.extract_if(.., |record| is_across(record)).collect();
    for ParsedRecord { start, end, .. } in lost {
        parsed.reports.get_or_insert_default().retain(|report| !(start..end).contains(&report.start));
        parsed.rejected.push(Rejected { start, end, reason: "not-json".into() });
    }
    parsed.rejected.sort_by_key(|range| range.start);
}

/// How many characters of a text stay.
const KEPT: usize = 10_000;

fn cut_written(record: &mut ParsedRecord) {
    if let Ok(mut members) = serde_json::from_slice::<Members>(&record.written)
        && record.written.len() > KEPT
    {
        cut_members(&mut members);
        record.written = serde_json::to_vec(&members).unwrap_or_default();
    }
}

/// Cuts the texts of a message's content.
fn cut_members(members: &mut Members) {
    let Some(raw) = members.get("message").filter(|message| message.get().len() > KEPT) else { return };
    let Ok(mut message) = serde_json::from_str::<Value>(raw.get()) else { return };
    message.get_mut("content").into_iter().for_each(cut);
    members.extend(to_raw_value(&message).ok().map(|message: Box<RawValue>| ("message".to_owned(), message)));
}

/// Cuts the texts in a value.
fn cut(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(KEPT) {
                text.to_mut().truncate(end);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(cut),
        Value::Object(members) => members.values_mut().for_each(cut),
        _ => {}
    }
}
