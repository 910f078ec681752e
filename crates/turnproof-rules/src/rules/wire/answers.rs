//! What a subject's *answers* show without a second reader: every byte accounted for, records written back as they were
//! read, and the same answer when asked again.

use crate::json;
use crate::operation::Parsed;
use crate::rules::{Applies, ParseEvidence, Place, Report, applies};

/// A range of the subject: its bounds, and what it is said to be.
type Named = (u64, u64, &'static str);

pub(super) fn every_byte_accounted(case: &ParseEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let (length, parsed) = (case.bytes.len() as u64, &case.parsed);
    let lists: [Vec<Named>; 3] = [
        parsed.records.iter().map(|record| (record.start, record.end, "a record")).collect(),
        parsed.blank.iter().map(|&(start, end)| (start, end, "a blank")).collect(),
        parsed.rejected.iter().map(|range| (range.start, range.end, "a rejected range")).collect(),
    ];
    let mut ranges = lists.concat();
    applies(length > 0 || !ranges.is_empty(), "the file is empty")?;
    for [(before, ..), (start, end, name)] in lists.iter().flat_map(|list| list.array_windows()) {
        if start < before {
            let found = sentence!("{name} at byte {start} after one at byte {before}", name, start, before);
            let place = Place::Bytes { start: *start, end: *end };
            report.add(place, "wrong-order", found, "records, blanks and rejected ranges each in file order");
        }
    }
    ranges.sort_unstable();
    for &(start, end, name) in ranges.iter().filter(|(start, end, _)| start >= end || *end > length) {
        let found =
            sentence!("{name} from byte {start} to byte {end} of a file of {length} bytes", name, start, end, length);
        let expected = "a range of at least one byte that lies in the file";
        report.add(Place::Bytes { start, end }, "no-range", found, expected);
    }
    gaps_and_overlaps(&ranges, length, report);
    Ok(())
}

fn gaps_and_overlaps(ranges: &[Named], length: u64, report: &mut Report<'_>) {
    let mut covered = 0;
    let end_of_file = (length, length, "the end of the file");
    for &(start, end, name) in ranges.iter().chain([&end_of_file]) {
        if start > covered && covered < length {
            let gap_end = start.min(length);
            let found = sentence!("{count} bytes that are in no range", count = gap_end - covered);
            let place = Place::Bytes { start: covered, end: gap_end };
            report.add(place, "gap", found, "a record, a blank or a rejected range");
        }
        if start < covered && start < end {
            let found = sentence!("{name} that begins at byte {start}, where another range goes on", name, start);
            let place = Place::Bytes { start, end: end.min(covered) };
            report.add(place, "overlap", found, "each byte in one range only");
        }
        covered = covered.max(end);
    }
}

pub(super) fn lossless(case: &ParseEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut is_read = false;
    for record in &case.parsed.records {
        let Some(read) = slice(&case.bytes, record.start, record.end) else { continue };
        is_read = true;
        if let Some([kind, found, expected]) = change(read, &record.written) {
            report.add(Place::Bytes { start: record.start, end: record.end }, kind, found, expected);
        }
    }
    applies(is_read, "no record was read")
}

/// The bytes of a range, if they are in the file.
pub(super) fn slice(bytes: &[u8], start: u64, end: u64) -> Option<&[u8]> {
    bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

/// What became of a record that is written as another one: the kind, what is found and what is expected.
fn change(read: &[u8], written: &[u8]) -> Option<[&'static str; 3]> {
    if read == written {
        return None;
    }
    if written.contains(&b'\n') {
        return Some(["line-end", "a record that is written with a line end in it", "one line, without its LF"]);
    }
    let Ok(before) = json::read_all(read) else {
        return Some(["other-bytes", "other bytes for a record that is not whole JSON", "the bytes of the record"]);
    };
    match json::read_all(written) {
        Err(_) => Some(["not-whole", "a record that is written as something else than whole JSON", "the record"]),
        Ok(after) if before.same_document(&after) => None,
        Ok(_) => Some([
            "changed",
            "a record that is written as another document",
            "the same members and values, numbers and lone surrogates as they are written in the file",
        ]),
    }
}

pub(super) fn deterministic(case: &ParseEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let (place, found) = match case.again.as_ref().ok_or("the subject was asked once")? {
        Err(why) => (Place::Whole, sentence!("there is no output: {why}", why)),
        Ok(_) if case.bytes.is_empty() => return Err("the file is empty"),
        Ok(again) => match difference(&case.parsed, again) {
            None => return Ok(()),
            Some((range, found)) => {
                (range.map_or(Place::Whole, |(start, end)| Place::Bytes { start, end }), found.into())
            }
        },
    };
    report.add(place, "not-deterministic", sentence!("asked again, {found}", found), "the same answer");
    Ok(())
}

/// The first range in which two readings differ, if it is known, and how they differ.
fn difference(first: &Parsed, second: &Parsed) -> Option<(Option<(u64, u64)>, &'static str)> {
    let records = differs(&first.records, &second.records, |record| (record.start, record.end));
    let blank = || differs(&first.blank, &second.blank, |range| *range);
    let rejected = || differs(&first.rejected, &second.rejected, |range| (range.start, range.end));
    let [ours, theirs] = [first, second].map(|parsed| parsed.reports.as_deref().unwrap_or_default());
    let reports = || differs(ours, theirs, |report| (report.start, report.end));
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
