//! Labels of *links*: ids of lines, and the parents that they name.

use crate::scenario::line::{LineKind, LinePlan, Link, TombstoneForm};
use crate::scenario::pool::{Flag, Subtype, id};

use super::line::line_id;
use super::{Group, Labels, OFTEN, SELDOM, SHUFFLED, group, put};

pub(super) const LABELS: &[Group] = &[
    group(
        SHUFFLED,
        OFTEN,
        &[
            ("uuid/missing", "a line without an id"),
            ("uuid/twice", "an id that two lines have"),
            ("uuid/twice-in-a-row", "an id that two lines have, one after the other"),
            ("uuid/alike-for-24", "two ids that differ after 24 characters"),
            ("uuid/all-differ-in-24", "ids that all differ in 24 characters"),
            ("uuid/no-uuid", "an id that is no UUID"),
            ("uuid/empty", "an empty id"),
            ("uuid/in-upper-case", "an id in upper case"),
            ("uuid/beyond-ascii", "an id beyond ASCII"),
            ("parent/absent", "a message without a link"),
            ("parent/null", "a message that starts a segment"),
            ("parent/the-line-before", "a message that hangs on the line before"),
            ("parent/an-earlier-line", "a message that hangs on an earlier line"),
            ("parent/missing", "a parent that was never written"),
            ("parent/missing-in-the-middle", "a parent that was never written, with messages before and after"),
            ("parent/forward", "a parent that comes later"),
            ("parent/self", "a message that is its own parent"),
            ("parent/cycle", "messages that hang on each other"),
            ("parent/progress", "a parent that is progress"),
            ("parent/progress-of-progress", "progress that hangs on progress"),
            ("parent/attachment", "a parent that is an attachment"),
            ("parent/no-message", "a parent that is no message"),
            ("parent/of-another-session", "a parent of another session"),
            ("parent/withdrawn", "a message that hangs on one that it withdraws"),
            ("parent/of-a-sidechain", "a subagent's message that hangs on the conversation"),
            ("fork/two-children", "two messages that hang on one"),
            ("fork/reply-and-notice", "a reply and a notice that hang on one message"),
            ("fork/notice-wins", "a prompt that hangs on the notice beside a reply"),
        ],
    ),
    group(
        SHUFFLED,
        SELDOM,
        &[
            ("uuid/named-by-a-snapshot", "an id that a snapshot of files names too"),
            ("parent/api-error", "a reply that hangs on an error that is tried again"),
            ("parent/of-a-boundary", "a boundary with a parent"),
            ("tombstone/hits", "a tombstone of an earlier reply"),
            ("tombstone/too-early", "a tombstone of a later reply"),
            ("tombstone/of-no-reply", "a tombstone of a line that is no reply"),
        ],
    ),
];

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
            match line.kind {
                LineKind::Tombstone { form: TombstoneForm::OfU1, .. } => self.tombstone(&chain, at, "u1"),
                LineKind::Tombstone { form: TombstoneForm::OfId, id: which } => {
                    self.tombstone(&chain, at, id(which));
                }
                _ => {}
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
            let is_snapshot = |line: &LinePlan| matches!(line.kind, LineKind::Side { .. });
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
        let is_boundary = matches!(line.kind, LineKind::System { subtype: Subtype::CompactBoundary, .. });
        put!(self, "parent/of-a-boundary", is_boundary);
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
        let is_apart = line.is(Flag::IsSidechain) && !other.is(Flag::IsSidechain);
        put!(self, "parent/of-a-sidechain", is_apart);
        let withdrawn = line.extras.iter().filter_map(|extra| extra.withdrawn());
        put!(self, "parent/withdrawn", withdrawn.map(id).any(|withdrawn| withdrawn == named));
    }

    fn parent_kind(&mut self, line: &LinePlan, parent: &LinePlan) {
        match parent.kind {
            LineKind::Progress { .. } => {
                put!(self, "parent/progress");
                put!(self, "parent/progress-of-progress", matches!(line.kind, LineKind::Progress { .. }));
            }
            LineKind::Attachment { .. } => put!(self, "parent/attachment"),
            LineKind::System { subtype: Subtype::ApiError, .. } => {
                put!(self, "parent/api-error", line.kind.is_reply());
            }
            LineKind::Side { .. } | LineKind::Unknown | LineKind::Untyped => put!(self, "parent/no-message"),
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
                (LineKind::Assistant { .. }, LineKind::System { .. }) => other,
                (LineKind::System { .. }, LineKind::Assistant { .. }) => at,
                _ => continue,
            };
            put!(self, "fork/reply-and-notice");
            let is_after =
                |child: usize| child > other && chain.lines[child].kind.is_user() && chain.parents[child].is_some();
            let wins = (0..chain.lines.len()).any(|child| is_after(child) && chain.parents[child] == chain.ids[notice]);
            put!(self, "fork/notice-wins", wins);
        }
    }

    fn tombstone(&mut self, chain: &Chain<'_>, at: usize, named: &str) {
        for (other, own) in chain.ids.iter().enumerate().filter(|(_, own)| **own == Some(named)) {
            let is_reply = chain.lines[other].kind.is_reply();
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
