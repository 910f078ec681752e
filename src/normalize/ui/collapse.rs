//! *Collapsing* folds a run of reading and searching, of whatever reply, into one line.

use crate::message::Message;

use super::fold::fold_runs;
use super::story::Call;

/// The tools that only read or search: each of their calls alone says little.
///
/// | tool | reads or searches |
/// |---|---|
/// | `Read` | a file |
/// | `Grep` | the text of files |
/// | `Glob` | the names of files |
/// | `LS` | a folder |
/// | `NotebookRead` | a notebook |
/// | `WebFetch` | a page |
/// | `WebSearch` | the web |
pub const READ_SEARCH_TOOLS: &[&str] = &["Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch"];

/// Folds each longest run of two or more calls of [`READ_SEARCH_TOOLS`], with the results among and
/// right after them, into one `grouped_tool_use`; the calls may be of several tools and replies.
///
/// Its `toolName` has the tools in the order in which they first come, joined by `, `; all else is
/// as in [`group_tool_uses`](super::group_tool_uses), and [`ungroup`](super::ungroup) is the inverse
/// of this too.
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
    fold_runs(messages, |first, next| reads_or_searches(first) && reads_or_searches(next))
}

fn reads_or_searches(call: &Call<'_>) -> bool {
    call.name.is_some_and(|name| READ_SEARCH_TOOLS.contains(&name.as_str()))
}
