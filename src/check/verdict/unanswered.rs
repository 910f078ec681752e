//! Calls of a request that have no result in it.

use std::collections::HashSet;

use turnproof_rules::operation::Value;

/// How many calls of a request have no result in it.
pub(super) fn unanswered(messages: &[Value]) -> u64 {
    let blocks = || messages.iter().filter_map(|turn| turn.get("content")?.as_array()).flatten();
    let ids = |kind: &'static str, member: &'static str| {
        blocks()
            .filter(move |block| block.get("type").and_then(Value::as_str) == Some(kind))
            .filter_map(move |block| block.get(member).and_then(Value::as_str))
    };
    let answered: HashSet<&str> = ids("tool_result", "tool_use_id").collect();
    ids("tool_use", "id").filter(|id| !answered.contains(id)).count() as u64
}
