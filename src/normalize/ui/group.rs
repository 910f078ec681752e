//! A *group* is a run of calls that a UI shows as one line: of one tool in one reply, or, *collapsed*, of tools that
//! only read and search.

use crate::json::Text;
use crate::message::Message;

use super::fold::fold_runs;
use super::story::Call;

/// Folds each longest run of two or more calls of one tool and one reply (the same `message.id`) into one
/// `grouped_tool_use` (SPEC.md section 7.6). Anything else between two calls, a hook or another tool's result, ends the
/// run. [`ungroup`](super::ungroup) is the inverse.
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
/// use turnproof::message::Message;
/// use turnproof::normalize::ui::{collapse_read_search, ungroup};
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
    fold_runs(messages, |first, next| reads_or_searches(first) && reads_or_searches(next))
}
