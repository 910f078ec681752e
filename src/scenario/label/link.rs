//! Labels of *links*: ids of lines, and the parents that they name.

use std::ops::Range;

use crate::scenario::pool::{Flag, Subtype, id};
use crate::scenario::{LineKind, LinePlan, Link, TombstoneForm};

use super::line::is_side;
use super::{Labels, OFTEN, SELDOM, SHUFFLED, labels, put};

use LineKind::{Assistant, Attachment, Progress, Side, System, Tombstone, Unknown, Untyped};

labels! { LINKS, fn link(it: &Linked<'_>) match (it.line.kind, it.parent.map(|parent| parent.kind)) => {
    SHUFFLED OFTEN
    "uuid/missing" "a line without an id" if it.own.is_none(),
    "uuid/twice" "an id that two lines have" if it.later().any(|other| Some(other) == it.own),
    "uuid/twice-in-a-row" "an id that two lines have, one after the other"
        if it.own.is_some() && it.chain.ids.get(it.at + 1) == Some(&it.own),
    "uuid/alike-for-24" "two ids that differ after 24 characters"
        if it.later().any(|other| Some(other) != it.own && it.is_alike(other)),
    "uuid/all-differ-in-24" "ids that all differ in 24 characters",
    "uuid/no-uuid" "an id that is no UUID" if it.own.is_some_and(|own| own.len() != 36),
    "uuid/empty" "an empty id" if it.own == Some(""),
    "uuid/in-upper-case" "an id in upper case" if it.own.is_some_and(|own| own.starts_with('A')),
    "uuid/beyond-ascii" "an id beyond ASCII" if it.own.is_some_and(|own| !own.is_ascii()),
    "parent/absent" "a message without a link" if it.line.parent == Link::Absent,
    "parent/null" "a message that starts a segment" if it.line.parent != Link::Absent && it.named.is_none(),
    "parent/the-line-before" "a message that hangs on the line before"
        if it.place.is_some_and(|place| place + 1 == it.at),
    "parent/an-earlier-line" "a message that hangs on an earlier line"
        if it.place.is_some_and(|place| place + 1 < it.at),
    "parent/missing" "a parent that was never written" if it.is_missing(),
    "parent/missing-in-the-middle" "a parent that was never written, with messages before and after"
        if it.is_missing() && it.at > 0 && it.at + 1 < it.chain.lines.len(),
    "parent/forward" "a parent that comes later" if it.place.is_some_and(|place| place > it.at),
    "parent/self" "a message that is its own parent" if it.named.is_some() && it.named == it.own,
    "parent/cycle" "messages that hang on each other",
    "parent/progress" "a parent that is progress": (_, Some(Progress { .. })),
    "parent/progress-of-progress" "progress that hangs on progress": (Progress { .. }, Some(Progress { .. })),
    "parent/attachment" "a parent that is an attachment": (_, Some(Attachment { .. })),
    "parent/no-message" "a parent that is no message": (_, Some(Side { .. } | Unknown | Untyped)),
    "parent/of-another-session" "a parent of another session"
        if it.parent.is_some_and(|parent| parent.session != it.line.session),
    "parent/withdrawn" "a message that hangs on one that it withdraws"
        if it.parent.is_some() && it.withdraws_its_parent(),
    "parent/of-a-sidechain" "a subagent's message that hangs on the conversation"
        if it.line.is(Flag::IsSidechain) && it.parent.is_some_and(|parent| !parent.is(Flag::IsSidechain)),
    "fork/two-children" "two messages that hang on one",
    "fork/reply-and-notice" "a reply and a notice that hang on one message",
    "fork/notice-wins" "a prompt that hangs on the notice beside a reply",
    SHUFFLED SELDOM
    "uuid/named-by-a-snapshot" "an id that a snapshot of files names too"
        if it.own == Some("u1") && it.chain.lines.iter().any(is_side),
    "parent/api-error" "a reply that hangs on an error that is tried again":
        (Assistant { .. }, Some(System { subtype: Subtype::ApiError, .. })),
    "parent/of-a-boundary" "a boundary with a parent":
        (System { subtype: Subtype::CompactBoundary, .. }, _) if it.named.is_some(),
    "tombstone/hits" "a tombstone of an earlier reply" if it.withdraws(0..it.at, LineKind::is_reply),
    "tombstone/too-early" "a tombstone of a later reply"
        if it.withdraws(it.at..it.chain.lines.len(), LineKind::is_reply),
    "tombstone/of-no-reply" "a tombstone of a line that is no reply" if it.withdraws(0..it.at, |kind| !kind.is_reply()),
} }

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
            previous = line.uuid.map(id).or(previous);
        }
        Self { lines, ids: lines.iter().map(|line| line.uuid.map(id)).collect(), parents }
    }

    /// The place of the line that a link from another place means: the last one of that id before it, or else the
    /// first one after it.
    fn place(&self, wanted: &str, from: usize) -> Option<usize> {
        let is_it = |other: &Option<&str>| *other == Some(wanted);
        let before = self.ids[..from].iter().rposition(is_it);
        before.or_else(|| self.ids[from..].iter().position(is_it).map(|at| from + at))
    }

    fn parent(&self, at: usize) -> Option<usize> {
        self.place(self.parents[at]?, at)
    }
}

/// A line with what it is linked to.
struct Linked<'a> {
    chain: &'a Chain<'a>,
    at: usize,
    line: &'a LinePlan,
    /// Its id.
    own: Option<&'static str>,
    /// The id of its parent.
    named: Option<&'static str>,
    /// The place of its parent. `None` when the parent is missing, or the line itself.
    place: Option<usize>,
    parent: Option<&'a LinePlan>,
}

impl<'a> Linked<'a> {
    fn of(chain: &'a Chain<'a>, at: usize) -> Self {
        let place = chain.parent(at).filter(|place| *place != at);
        let parent = place.map(|place| &chain.lines[place]);
        Self { chain, at, line: &chain.lines[at], own: chain.ids[at], named: chain.parents[at], place, parent }
    }

    /// The ids of later lines, if the line has an id.
    fn later(&self) -> impl Iterator<Item = &'static str> {
        let later = if self.own.is_some() { &self.chain.ids[self.at + 1..] } else { &[] };
        later.iter().flatten().copied()
    }

    /// Whether another id begins with the same 24 characters.
    fn is_alike(&self, other: &str) -> bool {
        let head = |id: &str| id.get(..24).unwrap_or(id).to_owned();
        self.own.is_some_and(|own| head(own) == head(other))
    }

    fn is_missing(&self) -> bool {
        self.named.is_some() && self.named != self.own && self.place.is_none()
    }

    fn withdraws_its_parent(&self) -> bool {
        self.line.extras.iter().filter_map(|extra| extra.withdrawn()).any(|withdrawn| self.named == Some(id(withdrawn)))
    }

    /// Whether it is the tombstone of a line at these places, of such a kind.
    fn withdraws(&self, mut places: Range<usize>, is_such: fn(LineKind) -> bool) -> bool {
        let withdrawn = match self.line.kind {
            Tombstone { form: TombstoneForm::OfU1, .. } => "u1",
            Tombstone { form: TombstoneForm::OfId, id: which } => id(which),
            _ => return false,
        };
        places.any(|at| self.chain.ids[at] == Some(withdrawn) && is_such(self.chain.lines[at].kind))
    }
}

impl Labels {
    pub(super) fn links(&mut self, lines: &[LinePlan]) {
        let chain = Chain::of(lines);
        let mut all_differ = lines.len() > 1;
        for at in 0..lines.len() {
            let linked = Linked::of(&chain, at);
            self.link(&linked);
            all_differ &= linked.own.is_some() && !linked.later().any(|other| linked.is_alike(other));
            self.children(&chain, at);
        }
        put!(self, "uuid/all-differ-in-24", all_differ);
        self.cycles(&chain);
    }

    /// What else hangs on the parent of a line.
    fn children(&mut self, chain: &Chain<'_>, at: usize) {
        let Some(named) = chain.parents[at] else { return };
        for other in (at + 1..chain.lines.len()).filter(|other| chain.parents[*other] == Some(named)) {
            put!(self, "fork/two-children");
            let kinds = (chain.lines[at].kind, chain.lines[other].kind);
            let notice = match kinds {
                (Assistant { .. }, System { .. }) => other,
                (System { .. }, Assistant { .. }) => at,
                _ => continue,
            };
            put!(self, "fork/reply-and-notice");
            let is_after =
                |child: usize| child > other && chain.lines[child].kind.is_user() && chain.parents[child].is_some();
            let wins = (0..chain.lines.len()).any(|child| is_after(child) && chain.parents[child] == chain.ids[notice]);
            put!(self, "fork/notice-wins", wins);
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
