//! Where the *bytes* of a damaged file went: line by line, without a thought of what they mean.

use std::collections::{HashMap, HashSet};

use crate::operation::{RemovedPiece, RepairChange};
use crate::rules::Sentence;
use crate::rules::wire::model::{PieceContent, pieces};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The lines of a file, numbered from 1, without the blank bytes around them; those that are not blank.
fn lines(file: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = (1..).zip(file.split(|&byte| byte == b'\n').map(plain));
    lines.filter(|(_, line)| !line.is_empty())
}

/// Bytes without white space and byte order marks in front.
fn unblanked(mut bytes: &[u8]) -> &[u8] {
    bytes = bytes.trim_ascii_start();
    while let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK) {
        bytes = rest.trim_ascii_start();
    }
    bytes
}

/// A line without white space and byte order marks around it.
fn plain(line: &[u8]) -> &[u8] {
    let mut line = unblanked(line).trim_ascii_end();
    while let Some(rest) = line.strip_suffix(BYTE_ORDER_MARK) {
        line = rest.trim_ascii();
    }
    line
}

/// What is said of a line: the bytes that left it, and how many times it was touched.
#[derive(Default)]
struct Said<'a> {
    times: usize,
    bytes: Vec<&'a [u8]>,
}

/// What changes and removed pieces say, by line.
fn said<'a>(changes: &'a [RepairChange], removed: &'a [RemovedPiece]) -> HashMap<u64, Said<'a>> {
    let changes = changes.iter().map(|change| (change.line, &change.before));
    let removed = removed.iter().map(|piece| (piece.line, &piece.bytes));
    let mut said: HashMap<u64, Said<'a>> = HashMap::new();
    for (line, bytes) in changes.chain(removed) {
        let of_line = said.entry(line).or_default();
        of_line.times += 1;
        of_line.bytes.push(bytes);
    }
    said
}

/// How often a file holds each line.
fn counts(file: &[u8]) -> HashMap<&[u8], usize> {
    let mut counts = HashMap::new();
    lines(file).for_each(|(_, line)| *counts.entry(line).or_default() += 1);
    counts
}

/// The lines of the damaged file that are not in the repaired one as often, whose lines are left. Of equal lines those
/// count as gone first of which something is said.
fn missing<'f>(
    before: &'f [u8],
    mut left: HashMap<&'f [u8], usize>,
    said: &HashMap<u64, Said<'_>>,
) -> Vec<(u64, &'f [u8])> {
    let mut all: Vec<(u64, &[u8])> = lines(before).collect();
    all.sort_by_key(|(number, _)| said.contains_key(number));
    all.retain(|(_, line)| match left.get_mut(line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    all.sort_unstable();
    all
}

/// What is lost: the kind, and what.
pub(super) type Lost = (&'static str, Sentence);

/// What of the damaged file is neither in the repaired one nor in what was removed or changed.
///
/// What is no record must stand somewhere in one piece. A record of a line that was touched so many times falls into at
/// most so many parts, and the parts between them. Each part must stand somewhere in one piece.
pub(super) fn lost(before: &[u8], after: &[u8], changes: &[RepairChange], removed: &[RemovedPiece]) -> Vec<Lost> {
    let (said, nothing) = (said(changes, removed), Said::default());
    let (old, left) = (counts(before), counts(after));
    // Nearly all parts stand in new lines or in what is said, so that the whole file is the last place to look.
    let new: Vec<&[u8]> = lines(after).map(|(_, line)| line).filter(|line| !old.contains_key(line)).collect();
    let missing: HashMap<u64, &[u8]> = missing(before, left.clone(), &said).into_iter().collect();
    let lost = pieces(before).into_iter().filter_map(|piece| {
        let line = missing.get(&piece.line)?;
        let bytes = &before[piece.start as usize..piece.end as usize];
        let of_line = said.get(&piece.line).unwrap_or(&nothing);
        let most = if piece.is_record() { 2 * of_line.times + 1 } else { 1 };
        let near = [&of_line.bytes[..], &new].concat();
        let at = match of_line.times {
            // Another line has equal bytes there.
            0 if left.contains_key(line) => 0,
            _ if covered(bytes, &near, most) == bytes.len() => return None,
            _ => covered(bytes, &[&of_line.bytes[..], &[after]].concat(), most),
        };
        let what = |line: u64| {
            let rest = excerpt(&bytes[at..]);
            ("lost-bytes", sentence!("line {line}, from byte {byte} of it on: {rest}", line, byte = at, rest))
        };
        (at < bytes.len()).then(|| what(piece.line))
    });
    lost.collect()
}

/// How many bytes of a line at least are in at most `most` parts, each of which is in one of the places. Blank bytes
/// between parts do not count.
fn covered(line: &[u8], places: &[&[u8]], most: usize) -> usize {
    let mut at = 0;
    for _ in 0..most {
        at = line.len() - unblanked(&line[at..]).len();
        let rest = &line[at..];
        // Mostly a place is the rest, or ends with it.
        if places.iter().any(|place| place.ends_with(rest)) {
            return line.len();
        }
        let borders = borders(rest);
        at += places.iter().map(|place| longest_prefix(rest, &borders, place)).max().unwrap_or_default();
    }
    at
}

/// The length of the longest beginning of some bytes that others contain. The bytes are those of these [`borders`]. The
/// time is linear in the length of both.
fn longest_prefix(bytes: &[u8], borders: &[usize], place: &[u8]) -> usize {
    let (mut longest, mut matched) = (0, 0);
    for byte in place {
        while matched > 0 && bytes.get(matched) != Some(byte) {
            matched = borders[matched - 1];
        }
        matched += usize::from(bytes.get(matched) == Some(byte));
        longest = longest.max(matched);
        if longest == bytes.len() {
            break;
        }
    }
    longest
}

/// Of each beginning of some bytes: how long the longest shorter beginning is that it ends with.
fn borders(bytes: &[u8]) -> Vec<usize> {
    let mut borders: Vec<usize> = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        let mut border = if at == 0 { 0 } else { borders[at - 1] };
        while border > 0 && bytes[border] != *byte {
            border = borders[border - 1];
        }
        borders.push(border + usize::from(at > 0 && bytes[border] == *byte));
    }
    borders
}

fn common(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// The uuids of records that are neither in the repaired file nor in what was removed.
pub(super) fn lost_uuids(before: &[u8], after: &[u8], removed: &[RemovedPiece]) -> Vec<Lost> {
    let mut left: HashSet<String> = uuids(after).collect();
    removed.iter().for_each(|piece| left.extend(uuids(&piece.bytes)));
    let lost = uuids(before).filter(|uuid| left.insert(uuid.clone()));
    lost.map(|uuid| ("lost-record", sentence!("the record `{uuid}` is gone", uuid))).collect()
}

/// The uuids of the records of a file.
pub(super) fn uuids(file: &[u8]) -> impl Iterator<Item = String> {
    pieces(file).into_iter().filter_map(|piece| match piece.found {
        PieceContent::Record { uuid, .. } => uuid,
        PieceContent::Rejected(_) => None,
    })
}

/// The lines of the damaged file that are not in the repaired one, and of which nothing is said.
pub(super) fn unnamed(before: &[u8], after: &[u8], changes: &[RepairChange], removed: &[RemovedPiece]) -> Vec<u64> {
    let said = said(changes, removed);
    let missing = missing(before, counts(after), &said).into_iter().map(|(number, _)| number);
    missing.filter(|number| !said.contains_key(number)).collect()
}

/// Where two files begin to differ, in words.
pub(super) fn first_difference(one: &[u8], other: &[u8]) -> Sentence {
    let at = common(one, other);
    let line = one[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let (before, after) = (excerpt(&one[at..]), excerpt(&other[at..]));
    sentence!("line {line} is `{before}` and becomes `{after}`", line, before, after)
}

/// The beginning of some bytes, as a text.
fn excerpt(bytes: &[u8]) -> String {
    const MOST: usize = 60;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]);
    format!("{}{}", text.escape_debug(), if bytes.len() > MOST { "…" } else { "" })
}
