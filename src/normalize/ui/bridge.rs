//! A *bridge* carries a conversation to another UI, which gets what people see and no foldings.

use crate::message::Message;

use super::fold::unfold;

/// The messages without meta messages, groups unfolded (SPEC.md section 7.6), those inside groups too.
///
/// A group that says in which order it was folded gives its members in that order; any other gives its `messages` and
/// then its `results`. A group that holds nothing, or anything that is no message, stays whole.
///
/// ```
/// use turnproof::message::Message;
/// use turnproof::normalize::ui::bridge_view;
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
