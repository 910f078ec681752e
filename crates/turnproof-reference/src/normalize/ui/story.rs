//! A tool's *story* is a call with its hooks and its results. *Reordering* puts it in one piece: the call, its
//! pre-hooks, its results, its post-hooks.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::json::{Fields, Text};
use crate::message::{Assistant, Attachment, Block, Message, Progress};

/// The same messages, each tool's story in one piece (SPEC.md section 7.5). Linear in the number of messages, which are
/// moved, never copied.
///
/// ```
/// use turnproof_reference::message::Message;
/// use turnproof_reference::normalize::ui::reorder_for_ui;
///
/// let list: Vec<Message> = serde_json::from_str(r#"[
///     {"type":"assistant","uuid":"a","message":{"content":[{"type":"tool_use","id":"toolu_1"}]}},
///     {"type":"assistant","uuid":"b","message":{"content":[{"type":"tool_use","id":"toolu_2"}]}},
///     {"type":"user","uuid":"c","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}}
/// ]"#)?;
/// let shown = reorder_for_ui(list);
/// let ids: Vec<_> = shown.iter().filter_map(|message| message.uuid()).collect();
/// assert_eq!(ids, ["a", "c", "b"]);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn reorder_for_ui(messages: Vec<Message>) -> Vec<Message> {
    let parts: Vec<Option<Part<'_>>> = messages.iter().map(Part::of).collect();
    let callers = callers(&parts);
    // What follows each call: the hooks before the tool, the results, the hooks after it.
    let mut stories: HashMap<usize, [Vec<usize>; 3]> = HashMap::new();
    for (index, (part, caller)) in parts.iter().zip(&callers).enumerate() {
        let place = match part {
            Some(Part::Hook(Moment::Before, _)) => 0,
            Some(Part::Result(_)) => 1,
            Some(Part::Hook(Moment::After, _)) => 2,
            Some(Part::Call(_)) | None => continue,
        };
        if let Some(call) = *caller {
            stories.entry(call).or_default()[place].push(index);
        }
    }
    let follows = |index: &usize| callers[*index].is_some();
    let order = (0..messages.len()).filter(|index| !follows(index)).flat_map(|index| {
        let story = stories.remove(&index).unwrap_or_default();
        std::iter::once(index).chain(story.into_iter().flatten())
    });
    let order: Vec<usize> = order.collect();
    let mut waiting: Vec<Option<Message>> = messages.into_iter().map(Some).collect();
    order.into_iter().filter_map(|index| waiting[index].take()).collect()
}

/// For each result and hook the call whose story it is of: the last one before it with its id, or else the first one.
fn callers(parts: &[Option<Part<'_>>]) -> Vec<Option<usize>> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut last: HashMap<&str, usize> = HashMap::new();
    let mut replies: HashSet<(&str, &str)> = HashSet::new();
    let mut callers = vec![None; parts.len()];
    for (index, part) in parts.iter().enumerate() {
        match part {
            Some(Part::Call(call)) => {
                // A line that says again what its reply has said begins no story.
                let reply = call.reply.filter(|reply| !reply.is_empty());
                if reply.is_none_or(|reply| replies.insert((call.id, reply))) {
                    first.entry(call.id).or_insert(index);
                    last.insert(call.id, index);
                }
            }
            Some(Part::Result(id)) => callers[index] = last.get(id).copied(),
            Some(Part::Hook(_, id)) => callers[index] = last.get(&**id).copied(),
            None => {}
        }
    }
    for (caller, part) in callers.iter_mut().zip(parts).filter(|(caller, _)| caller.is_none()) {
        match part {
            Some(Part::Result(id)) => *caller = first.get(id).copied(),
            Some(Part::Hook(_, id)) => *caller = first.get(&**id).copied(),
            Some(Part::Call(_)) | None => {}
        }
    }
    callers
}

/// An assistant message that is one call and nothing else.
pub(super) struct Call<'m> {
    /// The call's id.
    pub id: &'m str,
    /// The tool.
    pub name: Option<&'m Text>,
    /// The reply that the call is of.
    pub reply: Option<&'m str>,
}

/// When a hook ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Before the tool.
    Before,
    /// After it, whether it failed or not.
    After,
}

/// What a message is in the story of the call with an id. Ids are compared as shown.
pub(super) enum Part<'m> {
    /// The call.
    Call(Call<'m>),
    /// A result of the call.
    Result(&'m str),
    /// What a hook did for the call.
    Hook(Moment, Cow<'m, str>),
}

impl<'m> Part<'m> {
    /// The message's part, if it has one.
    pub(super) fn of(message: &'m Message) -> Option<Self> {
        match message {
            Message::Assistant(message) => call(message).map(Self::Call),
            Message::User(_) => match message.blocks() {
                [Block::ToolResult(result)] => result.tool_use_id.as_str().map(Self::Result),
                _ => None,
            },
            Message::Attachment(message) => attached_hook(message),
            Message::HookResult(message) => {
                Some(Self::Hook(moment(&message.extra)?, message.tool_use_id.as_str()?.into()))
            }
            Message::Progress(message) => hook_progress(message),
            Message::System(_) | Message::GroupedToolUse(_) => None,
        }
    }
}

fn call(message: &Assistant) -> Option<Call<'_>> {
    match message.content()?.blocks() {
        [Block::ToolUse(call)] => {
            Some(Call { id: call.id.as_str()?, name: call.name.get(), reply: message.reply_id() })
        }
        _ => None,
    }
}

/// Attachments say all of it in their body.
fn attached_hook(message: &Attachment) -> Option<Part<'static>> {
    let body = message.attachment.get()?;
    if !body.attachment_type.as_str()?.starts_with("hook_") {
        return None;
    }
    Some(Part::Hook(moment(&body.extra)?, body.extra.text("toolUseID")?.as_str().to_owned().into()))
}

fn hook_progress(message: &Progress) -> Option<Part<'_>> {
    let id = message.tool_use_id.as_str()?;
    let data = Fields::from_raw(message.output()?).ok()?;
    let moment = moment(&data)?;
    (data.text("type")? == "hook_progress").then_some(Part::Hook(moment, id.into()))
}

/// When the hook ran that these members describe.
fn moment(fields: &Fields) -> Option<Moment> {
    match fields.text("hookEvent")?.as_str() {
        "PreToolUse" => Some(Moment::Before),
        "PostToolUse" | "PostToolUseFailure" => Some(Moment::After),
        _ => None,
    }
}
