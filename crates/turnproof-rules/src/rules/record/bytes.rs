//! The *bytes* of the file: it only grows, by whole lines.

use super::lines::{Region, limits};
use crate::operation::RecordStep;
use crate::rules::wire::model::Piece;
use crate::rules::{Judge, Place, RecordEvidence, RuleEntry, Verdict, Violation};

pub(super) const APPEND_ONLY: RuleEntry = rule!("record/append-only", Error, Judge::Record(append_only));

fn append_only(case: &RecordEvidence<'_>) -> Verdict {
    let Ok(answers) = &case.answers else { return Verdict::NotApplicable("there are no answers") };
    let mut before: &[u8] = &case.before;
    let mut violations = Vec::new();
    for (step, ((does, answer), is_limited)) in case.steps.iter().zip(answers).zip(limits(&case.steps)).enumerate() {
        let same = before.iter().zip(&answer.file).take_while(|(a, b)| a == b).count();
        let appended = answer.file.get(before.len()..).unwrap_or_default();
        if same < before.len() {
            let place = Place::Bytes { start: same as u64, end: before.len() as u64 };
            let found = format!("step {step} changed the file from byte {same} on");
            violations.push(Violation::new(APPEND_ONLY.id, place, found, "the bytes that were there"));
        } else if let RecordStep::OtherWriter(bytes) = does
            && !is_limited
            && !bytes.is_empty()
            && !appended.windows(bytes.len()).any(|window| window == bytes)
        {
            let found = format!("the bytes that another process wrote in step {step} are not in the file");
            violations.push(Violation::new(APPEND_ONLY.id, Place::Whole, found, "the bytes in one piece"));
        }
        before = &answer.file;
    }
    match answers.iter().all(|answer| answer.file.is_empty()) && case.before.is_empty() {
        true => Verdict::NotApplicable("the file is empty"),
        false => Verdict::from_violations(violations),
    }
}

pub(super) const WHOLE_LINES: RuleEntry = rule!("record/whole-lines", Error, Judge::Record(whole_lines));

fn whole_lines(case: &RecordEvidence<'_>) -> Verdict {
    let regions = match case.regions() {
        Ok(regions) => regions,
        Err(why) => return Verdict::NotApplicable(why),
    };
    match regions.is_empty() {
        true => Verdict::NotApplicable("nothing is appended"),
        false => Verdict::from_violations(regions.iter().flat_map(broken_lines).collect()),
    }
}

/// What is wrong with the lines that were appended at once.
fn broken_lines(region: &Region<'_>) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut report = |from: usize, to: usize, found: &str, expected: &str| {
        let place = Place::Bytes { start: (region.start + from) as u64, end: (region.start + to) as u64 };
        let found = format!("{found} in step {}", region.step);
        violations.push(Violation::new(WHOLE_LINES.id, place, found, expected));
    };
    let is_torn = region.before.last().is_some_and(|&byte| byte != b'\n');
    if is_torn && region.bytes.first() != Some(&b'\n') {
        report(0, 0, "a line is glued to the torn one before it", "a LF first");
    }
    let mut from = 0;
    let mut by_line = region.pieces.chunk_by(|piece, next| piece.line == next.line).peekable();
    for (number, line) in (1..).zip(region.bytes.split_inclusive(|&byte| byte == b'\n')) {
        let to = from + line.len();
        if line.last() != Some(&b'\n') {
            if !(region.is_limited && to == region.bytes.len()) {
                report(from, to, "a line has no LF", "a LF at the end of each line");
            }
        } else {
            let is_its = |pieces: &&[Piece]| pieces.first().is_some_and(|piece| piece.line == number);
            let pieces = by_line.next_if(is_its).unwrap_or_default();
            let is_record = matches!(pieces, [piece] if piece.is_record());
            if !pieces.is_empty() && !is_record {
                report(from, to, "a line is not one record", "one record on each line");
            }
        }
        from = to;
    }
    violations
}
