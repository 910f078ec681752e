//! Labels of *links*: ids of lines, and the parents that they name.

use std::ops::Range;

use crate::scenario::pool::{Extra, Flag, HEAD_ID, SideKind, Subtype, id};
use crate::scenario::{LineKind, LinePlan, Link, TombstoneForm};

use super::call::has_id;
use super::line::{has_result, is_mixed, is_side, preserves};
use super::{Labels, OFTEN, SELDOM, SHUFFLED, labels, put};

use LineKind::{Assistant, Attachment, Progress, Side, System, Tombstone, Unknown, Untyped, User};

const SNAPSHOT: LineKind = Side { side: SideKind::FileHistorySnapshot };

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
    "uuid/beyond-16-bits" "an id with a character beyond 16 bits"
        if it.own.is_some_and(|own| own.chars().any(|letter| letter.len_utf16() > 1)),
    "uuid/in-upper-case" "an id in upper case" if it.own.is_some_and(|own| own.starts_with('A')),
    "uuid/of-few-digits" "an id of fewer than ten hexadecimal digits"
        if it.own.is_some_and(|own| (1..10).contains(&own.len()) && own.chars().all(is_of_digits)),
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
    "parent/cycle" "messages that hang on each other" if it.is_in_a_cycle(),
    "parent/progress" "a parent that is progress": (_, Some(Progress { .. })),
    "parent/progress-of-progress" "progress that hangs on progress": (Progress { .. }, Some(Progress { .. })),
    "parent/attachment" "a parent that is an attachment": (_, Some(Attachment { .. })),
    "parent/no-message" "a parent that is no message": (_, Some(Side { .. } | Unknown | Untyped { .. })),
    "parent/of-another-session" "a parent of another session"
        if it.parent.is_some_and(|parent| parent.session != it.line.session),
    "parent/withdrawn" "a message that hangs on one that it withdraws"
        if it.parent.is_some() && it.withdraws_its_parent(),
    "parent/of-a-sidechain" "a subagent's message that hangs on the conversation"
        if it.line.is(Flag::IsSidechain) && it.parent.is_some_and(|parent| !parent.is(Flag::IsSidechain)),
    "fork/two-children" "two messages that hang on one" if it.siblings().next().is_some(),
    "fork/reply-and-notice" "a reply and a notice that hang on one message"
        if it.notices().next().is_some(),
    "fork/notice-wins" "a prompt that hangs on the notice beside a reply"
        if it.notices().any(|(last, notice)| it.chain.has_prompt_after(last, notice)),
    "fork/hooks-and-result" "two notices and a result that hang on one call":
        (Attachment { .. }, Some(Assistant { .. })) if it.is_beside_a_hook_and_a_result(),
    SHUFFLED SELDOM
    "parent/call-behind-its-result" "a result that hangs on a reply behind it": (User { .. }, Some(Assistant { .. }))
        if has_result(it.line) && it.place.is_some_and(|place| place > it.at),
    "source/without-a-result" "a message that names the line of a call, and has no result"
        if it.line.kind.is_user() && !has_result(it.line) && it.line.extras.contains(&Extra::ToolError),
    "source/of-a-mixed-message" "words beside a result that names the line of its call" if is_mixed(it.line)
        && it.line.extras.contains(&Extra::ToolError) && it.chain.ids[..it.at].contains(&Some(id(HEAD_ID))),
    "parent/withdrawn-of-words" "words beside the result of a call that is withdrawn": (User { .. }, Some(Assistant { .. }))
        if is_mixed(it.line) && it.chain.is_withdrawn_after(it.at, it.named),
    "fork/error-and-notice" "an error of the API and a notice that hang on one message"
        if it.notices().any(|(last, notice)| it.chain.has_error(if notice == it.at { last } else { it.at })),
    "boundary/gone-back-over" "a boundary that a later prompt goes back over, behind one that preserves messages":
        (System { subtype: Subtype::CompactBoundary, .. }, _) if it.chain.goes_back_over(it.at),
    "parent/withdrawn-by-a-subagent" "a subagent's message that hangs on one that it would withdraw"
        if it.line.is(Flag::IsSidechain) && it.parent.is_some_and(is_of_main) && it.withdraws_its_parent(),
    "fork/replies-without-ids" "two replies without an id, in two branches from one message": (Assistant { .. }, _)
        if !has_id(it.line) && it.siblings().any(|other| it.chain.has_nameless_reply_after(other)),
    "uuid/of-a-snapshot" "a message that a snapshot of files names": (User { .. }, _)
        if it.own == Some("u1") && it.chain.lines.iter().any(|line| line.kind == SNAPSHOT),
    "uuid/named-by-a-snapshot" "an id that a snapshot of files names too"
        if it.own == Some("u1") && it.chain.lines.iter().any(is_side),
    "parent/api-error" "a reply that hangs on an error that is tried again":
        (Assistant { .. }, Some(System { subtype: Subtype::ApiError, .. })),
    "parent/of-a-boundary" "a boundary with a parent":
        (System { subtype: Subtype::CompactBoundary, .. }, _) if it.named.is_some(),
    "tombstone/hits" "a tombstone of an earlier reply" if it.withdraws(0..it.at, LineKind::is_reply),
    "tombstone/hits-two" "a tombstone of two earlier lines of replies"
        if (1..it.at).any(|at| it.withdraws(0..at, LineKind::is_reply) && it.withdraws(at..it.at, LineKind::is_reply)),
    "tombstone/too-early" "a tombstone of a later reply"
        if it.withdraws(it.at..it.chain.lines.len(), LineKind::is_reply),
    "tombstone/of-a-prompt" "a tombstone of a user's line" if it.withdraws(0..it.at, LineKind::is_user),
    "tombstone/of-no-reply" "a tombstone of a line that is no reply" if it.withdraws(0..it.at, |kind| !kind.is_reply()),
} }

/// Lines with their ids, the ids of their parents, and the places of their parents.
struct Chain<'a> {
    lines: &'a [LinePlan],
    ids: Vec<Option<&'static str>>,
    named: Vec<Option<&'static str>>,
    parents: Vec<Option<usize>>,
}

impl<'a> Chain<'a> {
    fn of(lines: &'a [LinePlan]) -> Self {
        let ids: Vec<_> = lines.iter().map(|line| line.uuid.map(id)).collect();
        let mut previous = None;
        let (mut named, mut parents) = (Vec::new(), Vec::new());
        for (at, line) in lines.iter().enumerate() {
            named.push(match line.parent {
                Link::Absent | Link::Null => None,
                Link::Previous => previous,
                Link::To(which) => Some(id(which)),
            });
            // The last line of that id before this one, or else the first one after it.
            let is_it = |other: &Option<&str>| other.is_some() && *other == named[at];
            let before = ids[..at].iter().rposition(is_it);
            parents.push(before.or_else(|| ids[at..].iter().position(is_it).map(|later| at + later)));
            previous = ids[at].or(previous);
        }
        Self { lines, ids, named, parents }
    }

    /// Whether a prompt after a place names this line as its parent.
    fn has_prompt_after(&self, place: usize, parent: usize) -> bool {
        let is_child = |at: usize| self.named[at].is_some() && self.named[at] == self.ids[parent];
        (place + 1..self.lines.len()).any(|at| self.lines[at].kind.is_user() && is_child(at))
    }

    /// Whether a line behind a place withdraws the line of an id.
    fn is_withdrawn_after(&self, place: usize, id_of: Option<&str>) -> bool {
        let withdrawn = self.lines[place..].iter().flat_map(|line| &line.extras).filter_map(|extra| extra.withdrawn());
        withdrawn.map(id).any(|withdrawn| id_of == Some(withdrawn))
    }

    fn has_error(&self, place: usize) -> bool {
        self.lines[place].is(Flag::IsApiErrorMessage)
    }

    /// Whether a boundary before a place preserves messages, and a prompt behind it hangs on what comes between.
    fn goes_back_over(&self, place: usize) -> bool {
        let is_boundary = |line: &LinePlan| matches!(line.kind, System { subtype: Subtype::CompactBoundary, .. });
        let Some(before) = self.lines[..place].iter().position(|line| is_boundary(line) && preserves(line)) else {
            return false;
        };
        let hangs = |at: usize| self.parents[at].is_some_and(|parent| before < parent && parent < place);
        (place + 1..self.lines.len()).any(|at| self.lines[at].kind.is_user() && hangs(at))
    }

    /// Whether a reply without an id hangs on the line at a place.
    fn has_nameless_reply_after(&self, place: usize) -> bool {
        let is_nameless = |line: &LinePlan| line.kind.is_reply() && !has_id(line);
        (place + 1..self.lines.len()).any(|at| self.parents[at] == Some(place) && is_nameless(&self.lines[at]))
    }
}

/// Whether a character may stand in the digits of an id.
fn is_of_digits(letter: char) -> bool {
    letter == '-' || letter.is_ascii_hexdigit()
}

fn is_of_main(line: &LinePlan) -> bool {
    !line.is(Flag::IsSidechain)
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
        let place = chain.parents[at].filter(|place| *place != at);
        let parent = place.map(|place| &chain.lines[place]);
        Self { chain, at, line: &chain.lines[at], own: chain.ids[at], named: chain.named[at], place, parent }
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
            Tombstone { form: TombstoneForm::OfId | TombstoneForm::OfAReply, id: which } => id(which),
            _ => return false,
        };
        places.any(|at| self.chain.ids[at] == Some(withdrawn) && is_such(self.chain.lines[at].kind))
    }

    /// The later lines with the same parent.
    fn siblings(&self) -> impl Iterator<Item = usize> {
        let has_same_parent = |at: &usize| self.named.is_some() && self.chain.named[*at] == self.named;
        (self.at + 1..self.chain.lines.len()).filter(has_same_parent)
    }

    /// Whether another attachment and a result, both later, have the same parent.
    fn is_beside_a_hook_and_a_result(&self) -> bool {
        let others = || self.siblings().map(|at| &self.chain.lines[at]);
        others().any(|line| matches!(line.kind, Attachment { .. })) && others().any(has_result)
    }

    /// The siblings that are a reply to a notice or a notice to a reply, each with the place of the notice.
    fn notices(&self) -> impl Iterator<Item = (usize, usize)> {
        self.siblings().filter_map(|other| match (self.line.kind, self.chain.lines[other].kind) {
            (Assistant { .. }, System { .. }) => Some((other, other)),
            (System { .. }, Assistant { .. }) => Some((other, self.at)),
            _ => None,
        })
    }

    /// Whether parents lead back to the line, over another one.
    fn is_in_a_cycle(&self) -> bool {
        let path = std::iter::successors(self.chain.parents[self.at], |at| self.chain.parents[*at]);
        path.take(self.chain.lines.len()).position(|at| at == self.at).is_some_and(|others| others > 0)
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
        }
        put!(self, "uuid/all-differ-in-24", all_differ);
    }
}
