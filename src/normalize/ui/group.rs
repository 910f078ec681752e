//! A *group* is a run of calls of one tool in one reply, which a UI shows as one line.

use crate::message::Message;

use super::fold::fold_runs;
use super::story::Call;

/// Folds each longest run of two or more calls of one tool and one reply (the same `message.id`),
/// with the results among and right after them, into one `grouped_tool_use`.
///
/// The group has `toolName`, the calls as `messages`, the `results`, and the `uuid` and the
/// `timestamp` of its first call. Anything else between two calls, a hook or another tool's result,
/// ends the run. [`ungroup`](super::ungroup) gives back exactly the list that went in, whatever
/// groups it held.
///
/// ```
/// use turnproof::message::Message;
/// use turnproof::normalize::ui::{group_tool_uses, ungroup};
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
        reply.is_some() && first.name.is_some() && reply == next.reply && shown(first) == shown(next)
    })
}

fn shown<'m>(call: &Call<'m>) -> Option<&'m str> {
    call.name.map(|name| name.as_str())
}
