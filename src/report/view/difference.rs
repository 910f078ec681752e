//! The *difference* between bytes before and after a change: what stays at both ends is left out.

use std::ops::Range;

/// So many bytes around a difference are shown.
const AROUND: usize = 60;

/// The parts of both that differ, with a little of what stands around them.
pub(super) fn difference(before: &[u8], after: &[u8]) -> (Range<usize>, Range<usize>) {
    let same = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let most = before.len().min(after.len()) - same;
    let ends = before.iter().rev().zip(after.iter().rev()).take(most);
    let same_end = ends.take_while(|(one, other)| one == other).count();
    let around = |bytes: &[u8]| {
        let from = same.saturating_sub(AROUND);
        let to = (bytes.len() - same_end + AROUND).min(bytes.len());
        boundary(bytes, from)..boundary(bytes, to)
    };
    (around(before), around(after))
}

/// The place, moved to the beginning of the character that it stands in.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let is_inside = |at: &usize| bytes.get(*at).is_some_and(|byte| (0x80..0xC0).contains(byte));
    (at.saturating_sub(3)..=at).rev().find(|at| !is_inside(at)).unwrap_or(at)
}
