//! The *page* of snapshots: what was reviewed and what it is now, side by side.

use maud::{Markup, html};
use similar::{DiffOp, TextDiff};
use turnproof_suite::table::count;

use crate::report::html::text::{glance, text, words};
use crate::report::html::{aside, contents, document, header};
use crate::report::run::html::plain_file;

use super::{CONTEXT, Conversation, Fate, Reviewed, Snapshot};

/// The page, for people who review.
pub fn page(reviewed: &Reviewed, conversations: &[Conversation]) -> String {
    let wrong: Vec<&Snapshot> = reviewed.wrong().collect();
    let ids: Vec<String> = wrong.iter().map(|one| format!("{}-{}", one.operation.name(), one.name)).collect();
    let links: Vec<_> =
        wrong.iter().zip(&ids).map(|(one, id)| (one.fate != Fate::New, id.as_str(), title(one))).collect();
    let verdict = reviewed.counts();
    let facts = [("subject", glance(&reviewed.subject))];
    let body = html! {
        (header(env!("CARGO_PKG_VERSION"), !wrong.is_empty(), &verdict, &html! {}, &facts))
        (contents(&links))
        main { @for (snapshot, id) in wrong.iter().zip(&ids) {
            section.failure id=(id) {
                h2 { a href={ "#" (id) } { (title(snapshot)) } }
                p.quiet { (fate(snapshot.fate)) ": " code { (glance(&snapshot.path.display().to_string())) } }
                (shown(snapshot))
                @if let Some(conversation) = conversations.iter().find(|one| one.name == snapshot.name) {
                    (aside("The conversation", &plain_file("", conversation.messages.as_bytes())))
                }
            }
        } }
    };
    document(&html! { (verdict) }, &body)
}

fn title(snapshot: &Snapshot) -> Markup {
    html! { (glance(&snapshot.name)) ", " (snapshot.operation.name()) }
}

const fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Same => "as reviewed",
        Fate::New => "new, and not reviewed",
        Fate::Changed => "changed since it was reviewed",
        Fate::Accepted => "accepted",
        Fate::Crashed => "the pipeline crashed",
    }
}

fn shown(snapshot: &Snapshot) -> Markup {
    match snapshot.fate {
        Fate::Crashed => html! { p { (words(&snapshot.now)) } },
        Fate::Changed => side_by_side(snapshot.reviewed.trim_end(), snapshot.now.trim_end()),
        _ => plain_file("", snapshot.now.as_bytes()),
    }
}

/// The lines that differ, each beside the one in whose place it is, with some lines around.
fn side_by_side(reviewed: &str, now: &str) -> Markup {
    let diff = TextDiff::from_lines(reviewed, now);
    let groups = diff.grouped_ops(CONTEXT);
    let row = |old: Option<usize>, new: Option<usize>, is_change: bool| {
        html! { tr {
            (side(old, diff.old_slices(), is_change.then_some("was")))
            (side(new, diff.new_slices(), is_change.then_some("is")))
        } }
    };
    let rows = |op: &DiffOp| {
        let (old, new) = (op.old_range(), op.new_range());
        let is_change = !matches!(op, DiffOp::Equal { .. });
        let pairs = (0..old.len().max(new.len())).map(|at| (old.clone().nth(at), new.clone().nth(at)));
        html! { @for (old, new) in pairs { (row(old, new, is_change)) } }
    };
    html! {
        div.scroll { table.sides {
            thead { tr { th.number scope="col" { "" } th scope="col" { "reviewed" } th.number scope="col" { "" } th scope="col" { "now" } } }
            @for group in &groups { tbody { @for op in group { (rows(op)) } } }
        } }
    }
}

/// One side of a row: the number of the line, and the line.
fn side(line: Option<usize>, lines: &[&str], class: Option<&str>) -> Markup {
    let shown = line.and_then(|at| lines.get(at)).map(|line| line.trim_end_matches('\n'));
    html! {
        td.number { @if let Some(line) = line { (count(line as u64 + 1)) } }
        td class=[class.filter(|_| shown.is_some())] { @if let Some(shown) = shown { code { (text(shown)) } } }
    }
}
