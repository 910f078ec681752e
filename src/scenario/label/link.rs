//! Labels of *links*: ids of lines, and the parents that they name.

use crate::scenario::line::{LineKind, LinePlan, Link};
use crate::scenario::pool::id;

use super::line::{BOUNDARY, line_id};
use super::{Label, Labels, put, shuffled};

pub(super) const LABELS: &[Label] = &[
    shuffled("uuid/missing", "a line without an id", 0.062),
    shuffled("uuid/twice", "an id that two lines have", 0.06),
    shuffled("uuid/twice-in-a-row", "an id that two lines have, one after the other", 0.025),
    shuffled("uuid/alike-for-24", "two ids that differ after 24 characters", 0.051),
    shuffled("uuid/all-differ-in-24", "ids that all differ in 24 characters", 0.28),
    shuffled("uuid/no-uuid", "an id that is no UUID", 0.19),
    shuffled("uuid/empty", "an empty id", 0.045),
    shuffled("uuid/in-upper-case", "an id in upper case", 0.045),
    shuffled("uuid/beyond-ascii", "an id beyond ASCII", 0.043),
    shuffled("uuid/named-by-a-snapshot", "an id that a snapshot of files names too", 0.0095),
    shuffled("parent/absent", "a message without a link", 0.15),
    shuffled("parent/null", "a message that starts a segment", 0.38),
    shuffled("parent/the-line-before", "a message that hangs on the line before", 0.34),
    shuffled("parent/an-earlier-line", "a message that hangs on an earlier line", 0.049),
    shuffled("parent/missing", "a parent that was never written", 0.23),
    shuffled(
        "parent/missing-in-the-middle",
        "a parent that was never written, with messages before and after",
        0.13,
    ),
    shuffled("parent/forward", "a parent that comes later", 0.037),
    shuffled("parent/self", "a message that is its own parent", 0.036),
    shuffled("parent/cycle", "messages that hang on each other", 0.014),
    shuffled("parent/progress", "a parent that is progress", 0.06),
    shuffled("parent/progress-of-progress", "progress that hangs on progress", 0.012),
    shuffled("parent/attachment", "a parent that is an attachment", 0.064),
    shuffled("parent/api-error", "a reply that hangs on an error that is tried again", 0.0023),
    shuffled("parent/no-message", "a parent that is no message", 0.021),
    shuffled("parent/of-a-boundary", "a boundary with a parent", 0.0035),
    shuffled("parent/of-another-session", "a parent of another session", 0.06),
    shuffled("parent/withdrawn", "a message that hangs on one that it withdraws", 0.04),
    shuffled("parent/of-a-sidechain", "a subagent's message that hangs on the conversation", 0.042),
    shuffled("fork/two-children", "two messages that hang on one", 0.077),
    shuffled("fork/reply-and-notice", "a reply and a notice that hang on one message", 0.023),
    shuffled("fork/notice-wins", "a prompt that hangs on the notice beside a reply", 0.015),
    shuffled("tombstone/hits", "a tombstone of an earlier reply", 0.0079),
    shuffled("tombstone/too-early", "a tombstone of a later reply", 0.0013),
    shuffled("tombstone/of-no-reply", "a tombstone of a line that is no reply", 0.0016),
];

/// The extras that withdraw lines by id, and the id that each names.
const WITHDRAWING: [(u16, u8); 3] = [(1 << 11, 11), (1 << 13, 11), (1 << 15, 17)];

/// Lines with their ids and parents.
struct Chain<'a> {
    lines: &'a [LinePlan],
    ids: Vec<Option<&'static str>>,
    parents: Vec<Option<&'static str>>,
}

impl<'a> Chain<'a> {
    fn of(lines: &'a [LinePlan]) -> Self {
        let mut previous = None;
        let mut parents = Vec::with_capacity(lines.len());
        for line in lines {
            parents.push(match line.parent {
                Link::Absent | Link::Null => None,
                Link::Previous => previous,
                Link::To(which) => Some(id(which)),
            });
            previous = line_id(line).or(previous);
        }
        Self { lines, ids: lines.iter().map(line_id).collect(), parents }
    }

    /// The place of the line that a link from another place means: the last one of that id before it, or else the
    /// first one after it.
    fn place(&self, wanted: &str, from: usize) -> Option<usize> {
        let is_it = |other: &Option<&str>| *other == Some(wanted);
        let before = self.ids[..from].iter().rposition(is_it);
        before.or_else(|| self.ids[from..].iter().position(is_it).map(|at| from + at))
    }

    fn parent(&self, at: usize) -> Option<usize> {
        self.place(self.parents.get(at).copied().flatten()?, at)
    }
}

impl Labels {
    /// Ids and parents of lines.
    pub(super) fn links(&mut self, lines: &[LinePlan]) {
        let chain = Chain::of(lines);
        self.ids(&chain);
        for (at, line) in lines.iter().enumerate() {
            self.parent(&chain, at);
            self.children(&chain, at);
            if line.kind == LineKind::Tombstone && line.form < 2 {
                self.tombstone(&chain, at);
            }
        }
        self.cycles(&chain);
    }

    fn ids(&mut self, chain: &Chain<'_>) {
        let mut all_differ = !chain.ids.is_empty();
        for (at, own) in chain.ids.iter().enumerate() {
            let Some(own) = *own else {
                put!(self, "uuid/missing");
                all_differ = false;
                continue;
            };
            let head = own.get(..24).unwrap_or(own);
            for (other_at, other) in chain.ids.iter().enumerate().skip(at + 1) {
                let Some(other) = *other else { continue };
                let is_alike = other.get(..24).unwrap_or(other) == head;
                put!(self, "uuid/twice", other == own);
                put!(self, "uuid/twice-in-a-row", other == own && other_at == at + 1);
                put!(self, "uuid/alike-for-24", is_alike && other != own);
                all_differ &= !is_alike;
            }
            put!(self, "uuid/no-uuid", own.len() != 36);
            put!(self, "uuid/empty", own.is_empty());
            put!(self, "uuid/in-upper-case", own.starts_with('A'));
            put!(self, "uuid/beyond-ascii", !own.is_ascii());
            let is_snapshot = |line: &LinePlan| matches!(line.kind, LineKind::Side(_));
            put!(self, "uuid/named-by-a-snapshot", own == "u1" && chain.lines.iter().any(is_snapshot));
        }
        put!(self, "uuid/all-differ-in-24", all_differ && chain.lines.len() > 1);
    }

    fn parent(&mut self, chain: &Chain<'_>, at: usize) {
        let line = &chain.lines[at];
        put!(self, "parent/absent", line.parent == Link::Absent);
        let Some(named) = chain.parents[at] else {
            put!(self, "parent/null", line.parent != Link::Absent);
            return;
        };
        put!(self, "parent/self", chain.ids[at] == Some(named));
        put!(self, "parent/of-a-boundary", line.kind == LineKind::System(BOUNDARY));
        let Some(parent) = chain.place(named, at).filter(|parent| *parent != at) else {
            if chain.ids[at] != Some(named) {
                put!(self, "parent/missing");
                let is_inside = at > 0 && at + 1 < chain.lines.len();
                put!(self, "parent/missing-in-the-middle", is_inside);
            }
            return;
        };
        put!(self, "parent/forward", parent > at);
        put!(self, "parent/the-line-before", parent + 1 == at);
        put!(self, "parent/an-earlier-line", parent + 1 < at);
        let other = &chain.lines[parent];
        put!(self, "parent/of-another-session", other.session != line.session);
        self.parent_kind(line, other);
        let sidechain = |line: &LinePlan| line.flags & 0b100_0001 == 0b100_0001;
        put!(self, "parent/of-a-sidechain", sidechain(line) && !sidechain(other));
        let names = |(extra, which): (u16, u8)| line.extras & extra != 0 && id(which) == named;
        put!(self, "parent/withdrawn", WITHDRAWING.into_iter().any(names));
    }

    fn parent_kind(&mut self, line: &LinePlan, parent: &LinePlan) {
        let is_reply = line.kind == LineKind::Assistant;
        match parent.kind {
            LineKind::Progress => {
                put!(self, "parent/progress");
                put!(self, "parent/progress-of-progress", line.kind == LineKind::Progress);
            }
            LineKind::Attachment => put!(self, "parent/attachment"),
            LineKind::System(2) => put!(self, "parent/api-error", is_reply),
            LineKind::Side(_) | LineKind::Unknown | LineKind::Untyped => put!(self, "parent/no-message"),
            _ => {}
        }
    }

    /// What else hangs on the parent of a line.
    fn children(&mut self, chain: &Chain<'_>, at: usize) {
        let Some(named) = chain.parents[at] else { return };
        for other in (at + 1..chain.lines.len()).filter(|other| chain.parents[*other] == Some(named)) {
            put!(self, "fork/two-children");
            let kinds = (chain.lines[at].kind, chain.lines[other].kind);
            let notice = match kinds {
                (LineKind::Assistant, LineKind::System(_)) => other,
                (LineKind::System(_), LineKind::Assistant) => at,
                _ => continue,
            };
            put!(self, "fork/reply-and-notice");
            let is_after = |child: usize| {
                child > other && chain.lines[child].kind == LineKind::User && chain.parents[child].is_some()
            };
            let wins = (0..chain.lines.len())
                .any(|child| is_after(child) && chain.parents[child] == chain.ids[notice]);
            put!(self, "fork/notice-wins", wins);
        }
    }

    fn tombstone(&mut self, chain: &Chain<'_>, at: usize) {
        let line = &chain.lines[at];
        let named = if line.form == 0 { "u1" } else { id(line.about) };
        for (other, own) in chain.ids.iter().enumerate().filter(|(_, own)| **own == Some(named)) {
            let is_reply = chain.lines[other].kind == LineKind::Assistant;
            put!(self, "tombstone/hits", own.is_some() && is_reply && other < at);
            put!(self, "tombstone/too-early", is_reply && other > at);
            put!(self, "tombstone/of-no-reply", !is_reply && other < at);
        }
    }

    fn cycles(&mut self, chain: &Chain<'_>) {
        // A cycle needs a link forward.
        let has_forward = (0..chain.lines.len()).any(|at| chain.parent(at).is_some_and(|other| other > at));
        if !has_forward {
            return;
        }
        for start in 0..chain.lines.len() {
            let mut place = start;
            for _ in 0..chain.lines.len() {
                match chain.parent(place) {
                    Some(next) if next == start && place != start => return put!(self, "parent/cycle"),
                    Some(next) => place = next,
                    None => break,
                }
            }
        }
    }
}
