//! A *repair* on the page of a session: each change with the bytes before and after, what is removed, and the verdicts.

use std::ops::Range;

use maud::{Markup, html};

use crate::check::Verdict;
use crate::report::html::aside;
use crate::report::html::text::{boundary, line_end, within, words};
use turnproof_reference::repair::{Change, Removed, Repair, RepairError};
use turnproof_suite::table::{count, size};

use super::row::Rows;

/// So many changes and removed pieces are shown, and so many bytes of each.
const CHANGES: usize = 100;
const OF_CHANGE: usize = 700;

/// So many of them are not folded.
const OPEN: usize = 10;

pub(super) fn section(before: &Verdict, repaired: &Result<(Repair, Verdict), RepairError>, rows: &Rows<'_>) -> Markup {
    html! {
        section #repair {
            h2 { "The repair" }
            @match repaired {
                Err(why) => p { "A repair leaves it as it is: " (words(&why.to_string())) "." },
                Ok((repair, _)) if repair.is_unchanged() => p { "A repair finds nothing that it would change." },
                Ok((repair, after)) => {
                    p.quiet { "What turnproof repair would do. Nothing has been written." }
                    dl.verdicts {
                        dt { "before" } dd { (words(&before.to_string())) }
                        dt { "after" } dd { (words(&after.to_string())) }
                    }
                    @let all = by_line(repair, rows);
                    @let (open, folded) = all.split_at(all.len().min(OPEN));
                    ol.changes { @for change in open { (change) } }
                    @if !folded.is_empty() {
                        @let more = html! { ol.changes { @for change in folded { (change) } } };
                        (aside(format!("{} more", count(folded.len() as u64)), &more))
                    }
                    (left_out("changes", repair.changes.get(CHANGES).map(|next| next.line), repair.changes.len()))
                    (left_out("removed pieces", repair.removed.get(CHANGES).map(|next| next.line), repair.removed.len()))
                }
            }
        }
    }
}

/// The first changes and removed pieces, by their lines.
fn by_line(repair: &Repair, rows: &Rows<'_>) -> Vec<Markup> {
    let changes = repair.changes.iter().take(CHANGES).map(|one| (one.line, change(one, rows)));
    let removed = repair.removed.iter().take(CHANGES).map(|one| (one.line, removed(one, rows)));
    let mut all: Vec<(u64, Markup)> = changes.chain(removed).collect();
    all.sort_by_key(|(line, _)| *line);
    all.into_iter().map(|(_, drawn)| drawn).collect()
}

fn left_out(what: &str, next: Option<u64>, all: usize) -> Markup {
    html! {
        @if let Some(line) = next {
            p.quiet { "… and " (count((all - CHANGES) as u64)) " more " (what) ", from line " (line) " on: turnproof repair --format json shows all" }
        }
    }
}

fn change(change: &Change, rows: &Rows<'_>) -> Markup {
    let (before, after) = difference(&change.before, &change.after);
    let part = |bytes: &[u8], range: Range<usize>| {
        html! {
            @if range.start > 0 { span.cut { "…" } }
            @if bytes == b"\n" { (line_end()) } @else { (within(&bytes[range.clone()], OF_CHANGE)) }
            @if range.end < bytes.len() { span.cut { "…" } }
        }
    };
    html! {
        li.change {
            p { (rows.line_link(change.line)) " " (words(&change.what)) " " (rows.rule_link(change.rule)) }
            @if !change.before.is_empty() { p.was { b { "before" } " " code { (part(&change.before, before)) } } }
            @if !change.after.is_empty() { p.is { b { "after" } " " code { (part(&change.after, after)) } } }
        }
    }
}

fn removed(removed: &Removed, rows: &Rows<'_>) -> Markup {
    html! {
        li.change {
            p {
                (rows.line_link(removed.line)) " " (size(removed.bytes.len() as u64, "byte")) " removed: " (words(&removed.reason))
                " " (rows.rule_link(removed.rule))
            }
            p.was { b { "removed" } " " code { (within(&removed.bytes, OF_CHANGE)) } }
        }
    }
}

/// So many bytes around a difference are shown.
const AROUND: usize = 60;

/// The parts of both that differ, with a little of what stands around them.
fn difference(before: &[u8], after: &[u8]) -> (Range<usize>, Range<usize>) {
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
