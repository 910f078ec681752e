//! A *story* is a call with its hooks and results, as a UI shows them: one after the other.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::list::Listed;
use crate::rules::value::{blocks, kind, reply_id, text, uuid};

/// What a message is in a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Call,
    /// A hook that ran before it.
    Before,
    Result,
    /// A hook that ran after it.
    After,
}

/// What a message is in a story, and the id of the call.
pub(super) fn role(message: &Value) -> Option<(Role, &str)> {
    match kind(message) {
        "assistant" => block(message, "tool_use", "id").map(|id| (Role::Call, id)),
        "user" => block(message, "tool_result", "tool_use_id").map(|id| (Role::Result, id)),
        "attachment" => {
            let attachment = message.get("attachment")?;
            kind(attachment).starts_with("hook_").then_some(())?;
            Some((hook(attachment)?, text(attachment, "toolUseID")?))
        }
        "hook_result" => Some((hook(message)?, text(message, "toolUseID")?)),
        "progress" => {
            // `progress` is the older name.
            let named = |name: &str| message.get(name).filter(|data| !data.is_null());
            let data = named("data").or_else(|| named("progress"))?;
            (kind(data) == "hook_progress").then_some(())?;
            Some((hook(data)?, text(message, "toolUseID")?))
        }
        _ => None,
    }
}

/// A message by what it is in a story, or by its kind and blocks, and its id; `nothing` where there is none.
pub(in crate::rules) fn what_it_is(message: Option<&Value>) -> String {
    let Some(message) = message else { return "nothing".to_owned() };
    let what = match role(message) {
        Some((Role::Call, call)) => format!("the call {call:?}"),
        Some((Role::Before, call)) => format!("the hook before the call {call:?}"),
        Some((Role::Result, call)) => format!("the result of {call:?}"),
        Some((Role::After, call)) => format!("the hook after the call {call:?}"),
        None => {
            let types: Vec<&str> = blocks(message).iter().map(kind).collect();
            let of = if types.is_empty() { String::new() } else { format!(" of {}", types.join(", ")) };
            format!("the {} message{of}", kind(message))
        }
    };
    uuid(message).map_or_else(|| what.clone(), |uuid| format!("{what} (uuid {uuid})"))
}

/// The id in the one block that a message has, if the block is of this type.
fn block<'a>(message: &'a Value, type_name: &str, id: &str) -> Option<&'a str> {
    match blocks(message) {
        [block] if kind(block) == type_name => text(block, id),
        _ => None,
    }
}

/// Whether a hook ran before or after its call; `None` when it belongs to no call.
fn hook(notice: &Value) -> Option<Role> {
    match text(notice, "hookEvent")? {
        "PreToolUse" => Some(Role::Before),
        "PostToolUse" | "PostToolUseFailure" => Some(Role::After),
        _ => None,
    }
}

/// Names a story: the id of its call, and how many stories with that id begin before it.
pub(super) type Name<'a> = (&'a str, usize);

/// The stories of a list, and the messages in no story.
#[derive(Debug)]
pub(super) struct Stories<'a> {
    /// For each story the index of its call in the list.
    pub(super) calls: HashMap<Name<'a>, usize>,
    /// For each story: hooks before, results, hooks after, each in list order.
    pub(super) followers: HashMap<Name<'a>, Vec<Listed<'a>>>,
    /// All messages that follow no call, in list order; the calls themselves are among them.
    pub(super) others: Vec<Listed<'a>>,
}

impl<'a> Stories<'a> {
    pub(super) fn read(messages: &[Listed<'a>]) -> Self {
        let roles: Vec<Option<(Role, &str)>> = messages.iter().map(|listed| role(listed.message)).collect();
        // Of each id the calls that begin a story, in order.
        let mut begin: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut of_replies = HashSet::new();
        for (index, (listed, role)) in messages.iter().zip(&roles).enumerate() {
            let Some((Role::Call, id)) = role else { continue };
            // A second line of one reply that holds the call begins none.
            if reply_id(listed.message).is_none_or(|reply| of_replies.insert((*id, reply))) {
                begin.entry(*id).or_default().push(index);
            }
        }
        let mut found: HashMap<Name<'a>, Vec<(Role, Listed<'a>)>> = HashMap::new();
        let mut others = Vec::new();
        for (index, (listed, role)) in messages.iter().zip(roles).enumerate() {
            match role.and_then(|(role, id)| Some((role, id, begin.get(id)?))) {
                Some((role, id, calls)) if role != Role::Call => {
                    let before = calls.partition_point(|&call| call < index);
                    found.entry((id, before.saturating_sub(1))).or_default().push((role, *listed));
                }
                _ => others.push(*listed),
            }
        }
        let in_order = |mut followers: Vec<(Role, Listed<'a>)>| {
            // A stable sort: list order stays within a role.
            followers.sort_by_key(|(role, _)| *role);
            followers.into_iter().map(|(_, listed)| listed).collect()
        };
        let followers = found.into_iter().map(|(name, followers)| (name, in_order(followers))).collect();
        let named = |(id, calls): (&'a str, Vec<usize>)| {
            calls.into_iter().enumerate().map(move |(number, index)| ((id, number), index))
        };
        Self { calls: begin.into_iter().flat_map(named).collect(), followers, others }
    }
}
