//! The same bytes *again*: a second reading finds what the first one found.

use crate::operation::Parsed;
use crate::rules::{Judge, ParseEvidence, Place, RuleEntry, Verdict, Violation};

const ID: &str = "wire/deterministic";

pub(super) const DETERMINISTIC: RuleEntry = rule!("wire/deterministic", Error, Judge::Parse(judge));

fn judge(case: &ParseEvidence<'_>) -> Verdict {
    let (bytes, parsed, again) = (case.bytes.as_slice(), &case.parsed, case.again.as_ref());
    let violation = |place, found: &str| {
        Verdict::Broken(vec![Violation::new(ID, place, format!("asked again, {found}"), "the same answer")])
    };
    match again {
        None => Verdict::NotApplicable("the subject was asked once"),
        Some(Err(why)) => violation(Place::Whole, &format!("there is no output: {why}")),
        Some(Ok(_)) if bytes.is_empty() => Verdict::NotApplicable("the file is empty"),
        Some(Ok(again)) => match difference(parsed, again) {
            None => Verdict::Holds,
            Some((Some((start, end)), found)) => violation(Place::Bytes { start, end }, found),
            Some((None, found)) => violation(Place::Whole, found),
        },
    }
}

/// The first range that two readings take otherwise, and in what they differ.
fn difference(first: &Parsed, second: &Parsed) -> Option<(Option<(u64, u64)>, &'static str)> {
    let records = differs(&first.records, &second.records, |record| (record.start, record.end));
    let blank = || differs(&first.blank, &second.blank, |range| *range);
    let rejected = || differs(&first.rejected, &second.rejected, |range| (range.start, range.end));
    let reports = || differs(&first.reports, &second.reports, |report| (report.start, report.end));
    (records.map(|range| (Some(range), "a record is another one")))
        .or_else(|| Some((Some(blank()?), "the blanks are others")))
        .or_else(|| Some((Some(rejected()?), "other bytes are rejected")))
        .or_else(|| Some((Some(reports()?), "the reports are others")))
        .or_else(|| (first != second).then_some((None, "the output is another one")))
}

fn differs<T: PartialEq>(first: &[T], second: &[T], range: impl Fn(&T) -> (u64, u64)) -> Option<(u64, u64)> {
    let same = first.iter().zip(second).take_while(|(one, other)| one == other).count();
    first.get(same).or_else(|| second.get(same)).map(range)
}
