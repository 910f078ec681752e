//! An *excerpt* is the part of a line around a place, made fit for a terminal.

use std::ops::Range;

use crate::check::Finding;
use turnproof_suite::printable;

/// How many characters are shown before and after the place.
const AROUND: usize = 60;

/// The longest marked text; a longer one is marked at its beginning.
const MARKED: usize = 60;

/// How many bytes a character takes at most.
const LONGEST_CHARACTER: usize = 4;

/// The part of a line around a place, one printable character for each character of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text: control characters as their pictures (U+2400 on), line separators as `␤`, a byte order mark as `␣`,
    /// bytes that are not UTF-8 and characters without a width of their own as U+FFFD, `…` where the line goes on.
    pub text: String,
    /// The marked bytes of `text`.
    pub marked: Range<usize>,
}

impl Excerpt {
    /// The excerpt of `line` around the bytes `place`.
    pub fn new(line: &[u8], place: Range<usize>) -> Self {
        Self::within(line, place, None)
    }

    /// The same, in at most so many characters; `None` for as many as are shown without a limit.
    pub fn within(line: &[u8], place: Range<usize>, columns: Option<usize>) -> Self {
        // Two characters say that the line goes on.
        let part = columns.map_or(usize::MAX, |columns| columns.saturating_sub(2) / 3);
        let (around, most_marked) = (part.min(AROUND), part.clamp(1, MARKED));
        let start = place.start.min(line.len());
        let place = whole_characters(line, start..place.end.clamp(start, line.len()));
        let from = place.start.saturating_sub(LONGEST_CHARACTER * around);
        let before: Vec<char> = printable::characters(&line[from..place.start]).collect();
        let cut_before = from > 0 || before.len() > around;
        let (inside, marked) = beginning(&line[place.start..place.end], most_marked);
        let rest = &line[place.start + marked..];
        let (after, shown) = beginning(rest, around);

        let mut text = String::from(if cut_before { "…" } else { "" });
        text.extend(&before[before.len().saturating_sub(around)..]);
        let start = text.len();
        text.push_str(&inside);
        let end = text.len();
        text.push_str(&after);
        text.push_str(if shown < rest.len() { "…" } else { "" });
        Self { text, marked: start..end }
    }

    /// The excerpt of a finding's line around its place.
    pub(super) fn of(finding: &Finding<'_>, columns: Option<usize>) -> Self {
        let at = |byte: u64| byte.saturating_sub(finding.text_start) as usize;
        Self::within(finding.text, at(finding.start)..at(finding.end), columns)
    }

    /// A whole line, made fit for a terminal; cut after 2,000 characters.
    pub fn whole(line: &[u8]) -> String {
        printable::line(line)
    }
}

/// A place that a character of several bytes reaches over is widened to that character.
fn whole_characters(line: &[u8], place: Range<usize>) -> Range<usize> {
    let is_inside = |at: usize| line.get(at).is_some_and(|byte| (0x80..0xC0).contains(byte));
    let widest = place.start.saturating_sub(3)..(place.end + 3).min(line.len());
    let start = (widest.start..=place.start).rev().find(|&at| !is_inside(at)).unwrap_or(place.start);
    let end = (place.end..=widest.end).find(|&at| !is_inside(at)).unwrap_or(place.end);
    let is_text = |range: &Range<usize>| std::str::from_utf8(&line[range.clone()]).is_ok();
    [start..end, start..place.end, place.start..end].into_iter().find(is_text).unwrap_or(place)
}

/// The first `count` characters of some bytes, and how many bytes they take.
fn beginning(bytes: &[u8], count: usize) -> (String, usize) {
    let head = &bytes[..bytes.len().min(LONGEST_CHARACTER * count)];
    let (characters, lengths): (String, Vec<usize>) = printable::measured(head).take(count).unzip();
    (characters, lengths.iter().sum())
}
