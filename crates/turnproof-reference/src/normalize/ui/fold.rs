//! A *folding* puts a run of calls and their results into one message, and remembers their order so that it can be
//! undone. A *group* folds calls of one tool in one reply; a *collapsed* run folds calls of tools that only read and
//! search. A *bridge* to another UI carries what people see, and no foldings.

use std::collections::HashSet;
use std::mem;
use std::sync::Arc;

use crate::json::{Raw, Text};
use crate::message::{Envelope, GroupedToolUse, Maybe, Message, Typed};

use super::story::{Call, Part};

/// The member that marks a folding, as other groups have none: a string with [`CALL`] or
/// [`RESULT`] for each message that was folded, in list order.
///
/// A group that is in the list already when it is folded, and has such a string, gets a
/// [`SHIELD`] in front of it. Undoing takes one shield away, and unfolds what has none: so groups
/// come back as they went in, foldings of foldings included.
const ORDER: &str = "foldedOrder";
const CALL: char = 'c';
const RESULT: char = 'r';
const SHIELD: char = '_';

/// The fewest calls that are worth folding.
const FEWEST: usize = 2;

/// Folds each longest run of two or more calls of one tool and one reply (the same `message.id`) into one
/// `grouped_tool_use` (SPEC.md section 7.6). Anything else between two calls, a hook or another tool's result, ends the
/// run. [`ungroup`](super::ungroup) is the inverse.
///
/// ```
/// use turnproof_reference::message::Message;
/// use turnproof_reference::normalize::ui::{group_tool_uses, ungroup};
///
/// let list: Vec<Message> = serde_json::from_str(r#"[
///     {"type":"assistant","message":{"id":"msg_1","content":[{"type":"tool_use","id":"1","name":"Bash"}]}},
///     {"type":"assistant","message":{"id":"msg_1","content":[{"type":"tool_use","id":"2","name":"Bash"}]}},
///     {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1"}]}}
/// ]"#)?;
/// let folded = group_tool_uses(list.clone());
/// assert_eq!(folded.len(), 1);
/// assert_eq!(ungroup(folded), list);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn group_tool_uses(messages: Vec<Message>) -> Vec<Message> {
    fold_runs(messages, |first, next| {
        let reply = first.reply.filter(|reply| !reply.is_empty());
        reply.is_some()
            && first.name.is_some()
            && reply == next.reply
            && first.name.map(Text::as_str) == next.name.map(Text::as_str)
    })
}

/// The tools that only read or search files, folders, notebooks and the web: each of their calls alone says little.
pub const READ_SEARCH_TOOLS: &[&str] = &["Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch"];

/// Folds each longest run of two or more calls of [`READ_SEARCH_TOOLS`], of whatever reply, into one
/// `grouped_tool_use` (SPEC.md section 7.6). [`ungroup`](super::ungroup) is the inverse.
///
/// ```
/// use turnproof_reference::message::Message;
/// use turnproof_reference::normalize::ui::{collapse_read_search, ungroup};
///
/// let list: Vec<Message> = serde_json::from_str(r#"[
///     {"type":"assistant","message":{"id":"msg_1","content":[{"type":"tool_use","id":"1","name":"Grep"}]}},
///     {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1"}]}},
///     {"type":"assistant","message":{"id":"msg_2","content":[{"type":"tool_use","id":"2","name":"Read"}]}}
/// ]"#)?;
/// let folded = collapse_read_search(list.clone());
/// let Some(Message::GroupedToolUse(group)) = folded.first() else { panic!("no group") };
/// assert_eq!(group.tool_name.as_str(), Some("Grep, Read"));
/// assert_eq!(ungroup(folded), list);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn collapse_read_search(messages: Vec<Message>) -> Vec<Message> {
    let reads_or_searches = |call: &Call<'_>| call.name.is_some_and(|name| READ_SEARCH_TOOLS.contains(&name.as_str()));
    fold_runs(messages, |_, next| reads_or_searches(next))
}

/// Folds each longest run of calls, with the results of these calls among and right after them. `belongs(first, next)`
/// says whether the call `next` belongs to the run that begins with `first`; a run begins where `belongs(call, call)`.
fn fold_runs(messages: Vec<Message>, belongs: impl Fn(&Call<'_>, &Call<'_>) -> bool) -> Vec<Message> {
    let mut shown = Vec::with_capacity(messages.len());
    let mut run = Run::default();
    for message in messages {
        let mark = run.mark(&message, &belongs).or_else(|| {
            mem::take(&mut run).end_into(&mut shown);
            run.mark(&message, &belongs)
        });
        match (mark, message) {
            (Some(mark), message) => run.push(mark, message),
            (None, Message::GroupedToolUse(group)) => {
                shown.push(with_order(Arc::unwrap_or_clone(group), |order| Some(format!("{SHIELD}{order}"))).into());
            }
            (None, message) => shown.push(message),
        }
    }
    run.end_into(&mut shown);
    shown
}

/// The list as it was before [`group_tool_uses`](super::group_tool_uses) or
/// [`collapse_read_search`](super::collapse_read_search) folded it.
///
/// Each call takes back one folding: after both, undo twice. Groups that others made stay; so does
/// a folding that somebody changed so that it no longer fits.
///
/// ```
/// use turnproof_reference::message::Message;
/// use turnproof_reference::normalize::ui::ungroup;
///
/// let list: Vec<Message> = serde_json::from_str(r#"[
///     {"type":"grouped_tool_use","toolName":"Bash","messages":[{"type":"assistant","uuid":"a"}],"results":[]}
/// ]"#)?;
/// assert_eq!(ungroup(list.clone()), list);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn ungroup(messages: Vec<Message>) -> Vec<Message> {
    let mut shown = Vec::with_capacity(messages.len());
    for message in messages {
        match message {
            Message::GroupedToolUse(group) => match folding(&group) {
                Some(members) => shown.extend(members),
                None => {
                    let unshielded = |order: &str| order.strip_prefix(SHIELD).map(str::to_owned);
                    shown.push(with_order(Arc::unwrap_or_clone(group), unshielded).into());
                }
            },
            message => shown.push(message),
        }
    }
    shown
}

/// The messages without meta messages, groups unfolded (SPEC.md section 7.6), those inside groups too.
///
/// A group that says in which order it was folded gives its members in that order; any other gives its `messages` and
/// then its `results`. A group that holds nothing, or anything that is no message, stays whole.
///
/// ```
/// use turnproof_reference::message::Message;
/// use turnproof_reference::normalize::ui::bridge_view;
///
/// let list: Vec<Message> = serde_json::from_str(r#"[
///     {"type":"user","uuid":"a","isMeta":true,"message":{"content":"for the model alone"}},
///     {"type":"grouped_tool_use","messages":[{"type":"assistant","uuid":"b"}],"results":[]}
/// ]"#)?;
/// let view = bridge_view(list);
/// let ids: Vec<_> = view.iter().filter_map(|message| message.uuid()).collect();
/// assert_eq!(ids, ["b"]);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn bridge_view(messages: Vec<Message>) -> Vec<Message> {
    let mut view = Vec::with_capacity(messages.len());
    // The next message is the last one here.
    let mut waiting = messages;
    waiting.reverse();
    while let Some(message) = waiting.pop() {
        match &message {
            message if message.is_meta() => {}
            Message::GroupedToolUse(group) => match unfold(group) {
                Some(members) => waiting.extend(members.into_iter().rev()),
                None => view.push(message),
            },
            _ => view.push(message),
        }
    }
    view
}

/// The members of any group, in the order in which they were folded, or else calls first; `None` when
/// it holds nothing, or anything that is no message.
fn unfold(group: &GroupedToolUse) -> Option<Vec<Message>> {
    let mut calls = read_members(&group.messages)?;
    let mut results = read_members(&group.results)?;
    let order = order(group).map(|order| order.trim_start_matches(SHIELD));
    let Some(order) = order.filter(|order| fits(order, calls.len(), results.len())) else {
        calls.append(&mut results);
        return (!calls.is_empty()).then_some(calls);
    };
    let (mut calls, mut results) = (calls.into_iter(), results.into_iter());
    order.chars().map(|mark| if mark == CALL { calls.next() } else { results.next() }).collect()
}

/// The members of a group that was folded here and carries no shield.
fn folding(group: &GroupedToolUse) -> Option<Vec<Message>> {
    let count = |list: &Maybe<Vec<Raw>>| list.get().map_or(0, Vec::len);
    let is_own = fits(order(group)?, count(&group.messages), count(&group.results));
    if is_own { unfold(group) } else { None }
}

/// The order that a group remembers, as it is written between the quotes.
fn order(group: &GroupedToolUse) -> Option<&str> {
    group.extra.get(ORDER)?.get().strip_prefix('"')?.strip_suffix('"')
}

/// Whether an order is one of so many calls and results, of some at all.
fn fits(order: &str, calls: usize, results: usize) -> bool {
    let count = |mark| order.matches(mark).count();
    !order.is_empty() && count(CALL) == calls && count(RESULT) == results && order.len() == calls + results
}

fn read_members(list: &Maybe<Vec<Raw>>) -> Option<Vec<Message>> {
    list.get().map_or(&[][..], Vec::as_slice).iter().map(|raw| Message::read(raw).ok()).collect()
}

/// The group with another order, where it has one and `change` gives another.
fn with_order(mut group: GroupedToolUse, change: impl Fn(&str) -> Option<String>) -> GroupedToolUse {
    let changed = order(&group).and_then(change).map(|order| Raw::from_json(format!("\"{order}\"")));
    if let Some(Ok(order)) = changed {
        group.extra.set(ORDER, order);
    }
    group
}

/// A run of calls and their results that may become a folding.
#[derive(Default)]
struct Run {
    /// The first one is a call.
    members: Vec<Message>,
    /// [`CALL`] or [`RESULT`] for each member.
    order: String,
    /// The ids of the calls.
    ids: HashSet<String>,
}

impl Run {
    /// What the message is to the run so far; `None` when it ends the run.
    fn mark(&self, message: &Message, belongs: &impl Fn(&Call<'_>, &Call<'_>) -> bool) -> Option<char> {
        match Part::of(message)? {
            Part::Call(call) => match self.members.first().and_then(Part::of) {
                Some(Part::Call(first)) => belongs(&first, &call).then_some(CALL),
                _ => belongs(&call, &call).then_some(CALL),
            },
            Part::Result(id) => self.ids.contains(id).then_some(RESULT),
            Part::Hook(..) => None,
        }
    }

    fn push(&mut self, mark: char, message: Message) {
        if let Some(Part::Call(call)) = Part::of(&message) {
            self.ids.insert(call.id.to_owned());
        }
        self.order.push(mark);
        self.members.push(message);
    }

    /// Ends the run: as a folding, or as it was when there is too little to fold.
    fn end_into(self, shown: &mut Vec<Message>) {
        match self.folded() {
            Some(group) => shown.push(group.into()),
            None => shown.extend(self.members),
        }
    }

    fn folded(&self) -> Option<GroupedToolUse> {
        if self.order.matches(CALL).count() < FEWEST {
            return None;
        }
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        for (mark, member) in self.order.chars().zip(&self.members) {
            let list = if mark == CALL { &mut calls } else { &mut results };
            list.push(written(member)?);
        }
        let first = self.members.first()?.envelope();
        let mut group = GroupedToolUse {
            envelope: Envelope { uuid: first.uuid.clone(), timestamp: first.timestamp.clone(), ..Envelope::default() },
            tool_name: self.tool_names().into(),
            messages: calls.into(),
            results: results.into(),
            ..GroupedToolUse::default()
        };
        group.extra.set(ORDER, Raw::from(self.order.as_str()));
        Some(group)
    }

    /// The tools called, each once, in the order of their first calls.
    fn tool_names(&self) -> Text {
        let mut names: Vec<&str> = Vec::new();
        for member in &self.members {
            if let Some(Part::Call(Call { name: Some(name), .. })) = Part::of(member)
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        }
        names.join(", ").into()
    }
}

/// The message as JSON, if that reads as the same message again: one that was put together by hand
/// need not, and must not be folded then.
fn written(message: &Message) -> Option<Raw> {
    let raw = message.write();
    (Message::read(&raw).as_ref() == Ok(message)).then_some(raw)
}
