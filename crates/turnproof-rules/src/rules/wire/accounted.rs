//! Bytes are *accounted for* when each is in exactly one record, blank or rejected range.

use crate::operation::Parsed;
use crate::rules::{Judge, ParseEvidence, Place, RuleEntry, Verdict, Violation};

const ID: &str = "wire/every-byte-accounted";

pub(super) const EVERY_BYTE_ACCOUNTED: RuleEntry = rule!("wire/every-byte-accounted", Error, Judge::Parse(judge));

/// A range of the subject: its bounds, and what it is said to be.
type Named = (u64, u64, &'static str);

fn judge(case: &ParseEvidence<'_>) -> Verdict {
    let (bytes, parsed) = (case.bytes.as_slice(), &case.parsed);
    let lists = named_lists(parsed);
    if bytes.is_empty() && lists.iter().all(Vec::is_empty) {
        return Verdict::NotApplicable("the file is empty");
    }
    let mut violations: Vec<Violation> = lists.iter().flat_map(|list| out_of_order(list)).collect();
    let mut ranges = lists.concat();
    ranges.sort_unstable();
    violations.extend(out_of_bounds(&ranges, bytes.len() as u64));
    violations.extend(gaps_and_overlaps(&ranges, bytes.len() as u64));
    Verdict::from_violations(violations)
}

fn named_lists(parsed: &Parsed) -> [Vec<Named>; 3] {
    [
        parsed.records.iter().map(|record| (record.start, record.end, "a record")).collect(),
        parsed.blank.iter().map(|&(start, end)| (start, end, "a blank")).collect(),
        parsed.rejected.iter().map(|range| (range.start, range.end, "a rejected range")).collect(),
    ]
}

fn violation(start: u64, end: u64, found: String, expected: &str) -> Violation {
    Violation { rule: ID, place: Place::Bytes { start, end }, found, expected: expected.to_owned(), error: None }
}

fn out_of_order(list: &[Named]) -> Vec<Violation> {
    let pairs = list.windows(2).filter(|pair| pair[1].0 < pair[0].0);
    pairs
        .map(|pair| {
            let found = format!("{} at byte {} after one at byte {}", pair[1].2, pair[1].0, pair[0].0);
            violation(pair[1].0, pair[1].1, found, "records, blanks and rejected ranges each in file order")
        })
        .collect()
}

fn out_of_bounds(ranges: &[Named], length: u64) -> Vec<Violation> {
    let wrong = ranges.iter().filter(|(start, end, _)| start >= end || *end > length);
    wrong
        .map(|&(start, end, name)| {
            let found = format!("{name} from byte {start} to byte {end} of a file of {length} bytes");
            violation(start, end, found, "a range of at least one byte that lies in the file")
        })
        .collect()
}

fn gaps_and_overlaps(ranges: &[Named], length: u64) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut covered = 0;
    let end_of_file = (length, length, "the end of the file");
    for &(start, end, name) in ranges.iter().chain([&end_of_file]) {
        if start > covered && covered < length {
            let found = format!("{} bytes that are in no range", start.min(length) - covered);
            violations.push(violation(covered, start.min(length), found, "a record, a blank or a rejected range"));
        }
        if start < covered && start < end {
            let found = format!("{name} that begins at byte {start}, where another range goes on");
            violations.push(violation(start, end.min(covered), found, "each byte in one range only"));
        }
        covered = covered.max(end);
    }
    violations
}
