//! *Reordering* puts each tool's story in one piece: the call, its pre-hooks, its results, its post-hooks.

use std::collections::HashMap;

use crate::message::Message;

use super::story::{Moment, Part};

/// The same messages, each tool's story in one piece (SPEC.md section 7.5). Linear in the number of messages, which are
/// moved, never copied.
///
/// ```
/// use turnproof::message::Message;
/// use turnproof::normalize::ui::reorder_for_ui;
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
    let mut first_calls: HashMap<&str, usize> = HashMap::new();
    for (index, part) in parts.iter().enumerate() {
        if let Some(Part::Call(call)) = part {
            first_calls.entry(call.id).or_insert(index);
        }
    }
    // What follows each first call: the hooks before the tool, the results, the hooks after it.
    let mut stories: HashMap<usize, [Vec<usize>; 3]> = HashMap::new();
    let mut follows = vec![false; messages.len()];
    for (index, part) in parts.iter().enumerate() {
        let (place, id) = match part {
            Some(Part::Hook(Moment::Before, id)) => (0, &**id),
            Some(Part::Result(id)) => (1, *id),
            Some(Part::Hook(Moment::After, id)) => (2, &**id),
            Some(Part::Call(_)) | None => continue,
        };
        if let Some(&call) = first_calls.get(id) {
            stories.entry(call).or_default()[place].push(index);
            follows[index] = true;
        }
    }
    let order = (0..messages.len()).filter(|&index| !follows[index]).flat_map(|index| {
        let story = stories.remove(&index).unwrap_or_default();
        std::iter::once(index).chain(story.into_iter().flatten())
    });
    let order: Vec<usize> = order.collect();
    let mut waiting: Vec<Option<Message>> = messages.into_iter().map(Some).collect();
    order.into_iter().filter_map(|index| waiting[index].take()).collect()
}
