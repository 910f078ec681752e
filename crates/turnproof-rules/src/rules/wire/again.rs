//! The same bytes *again*: a second reading finds what the first one found.

use crate::operation::Parsed;
use crate::rules::{Judge, ParseEvidence, Place, Rule, Severity, Verdict, Violation};

const ID: &str = "wire/deterministic";

pub(super) const DETERMINISTIC: Rule = Rule {
    id: ID,
    title: "the same bytes are read the same way each time",
    severity: Severity::Error,
    doc: "A reader that is given the same bytes a second time finds the same records, blanks and rejected \
          ranges, writes each record back to the same bytes and reports the same.\n\n\
          Sessions are read over and over: for the list of sessions, for a preview, at a resume, and by tools that \
          watch a file grow. A reader that remembers uuids from the file before, or that gives up after so many \
          milliseconds, shows a conversation the first time and a shorter one the next, and whoever looks for \
          the cause finds a file in which nothing is wrong.",
    example: b"{\"type\":\"user\",\"uuid\":\"u1\"}\n",
    remedy: "Make all that a reading remembers at its start, and let no clock decide how far it goes.",
    sources: &["spec section 3", "spec section 10"],
    judge: Judge::Parse(judge),
};

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
