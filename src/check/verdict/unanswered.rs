//! Calls of a request that have no result in it.

use std::collections::HashSet;

use turnproof_rules::operation::Value;

/// How many calls have no result.
pub(super) struct Unanswered {
    pub(super) all: u64,
    /// Those of the last reply, where nothing but results and the prompt follow it.
    pub(super) at_the_end: u64,
}

/// Counts the calls of a request, whose last block is a prompt, that have no result in it.
pub(super) fn unanswered(messages: &[Value]) -> Unanswered {
    let answered: HashSet<&str> = messages.iter().flat_map(|turn| ids(turn, "tool_result", "tool_use_id")).collect();
    let open = |turn: &Value| ids(turn, "tool_use", "id").filter(|id| !answered.contains(id)).count() as u64;
    let at_the_end = match messages {
        [.., reply, answer] if blocks(answer).rev().skip(1).all(|block| is_of(block, "tool_result")) => open(reply),
        _ => 0,
    };
    Unanswered { all: messages.iter().map(open).sum(), at_the_end }
}

fn ids<'a>(turn: &'a Value, kind: &'static str, member: &'static str) -> impl Iterator<Item = &'a str> {
    let of_kind = blocks(turn).filter(move |block| is_of(block, kind));
    of_kind.filter_map(move |block| block.get(member).and_then(Value::as_str))
}

fn blocks(turn: &Value) -> impl DoubleEndedIterator<Item = &Value> {
    turn.get("content").and_then(Value::as_array).into_iter().flatten()
}

fn is_of(block: &Value, kind: &str) -> bool {
    block.get("type").and_then(Value::as_str) == Some(kind)
}
