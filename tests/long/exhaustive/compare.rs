//! *Comparing* two requests: they are the same when they differ only in the ids that both made up, and in how they write
//! JSON text.

use std::collections::BTreeSet;

use serde_json::Value;
use turnproof_rules::operation::Plain;

/// The turns with each made-up id replaced by its number in order of appearance. An id is made up when no call of the
/// messages has it. Client calls and server calls are counted separately, because their ids differ in form. When the
/// results are equal, the two requests are the same but for made-up ids.
pub(super) fn with_canonical_ids(turns: &[Value], messages: &[Value]) -> Vec<Value> {
    let given = call_ids_in(messages);
    let mut made_up: Vec<(bool, String)> = Vec::new();
    let mut turns = turns.to_vec();
    for block in turns.iter_mut().filter_map(|turn| turn["content"].as_array_mut()).flatten() {
        let is_client = block["type"] == "tool_use" || block["type"] == "tool_result";
        // JSON text in place of a result's odd content counts by its value.
        let odd = block["content"].as_str().and_then(|text| Plain::read(text).ok()).map(|plain| plain.into_value());
        if let Some(odd) = odd.filter(|odd| !odd.is_string() && !odd.is_array()) {
            block["content"] = odd.to_string().into();
        }
        let member = if is_call(block) { "id" } else { "tool_use_id" };
        let Some(id) = block.get(member).and_then(Value::as_str) else { continue };
        if !given.contains(id) {
            let name = (is_client, id.to_owned());
            let known = made_up.iter().position(|other| *other == name);
            let number = known.unwrap_or_else(|| {
                made_up.push(name);
                made_up.len() - 1
            });
            block[member] = Value::from(format!("made up: {number}"));
        }
    }
    turns
}

/// The id of every call, wherever it is.
fn call_ids_in(values: &[Value]) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut open: Vec<&Value> = values.iter().collect();
    while let Some(value) = open.pop() {
        if is_call(value) {
            ids.extend(value["id"].as_str().map(str::to_owned));
        }
        match value {
            Value::Array(elements) => open.extend(elements),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    ids
}

fn is_call(value: &Value) -> bool {
    value.get("type").and_then(Value::as_str).is_some_and(|name| name.ends_with("tool_use"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn turns(call: &str, result: &str) -> Vec<Value> {
        vec![
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": call, "name": "A", "input": {}}]}),
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": result}]}),
        ]
    }

    fn same(one: &[Value], other: &[Value], messages: &[Value]) -> bool {
        with_canonical_ids(one, messages) == with_canonical_ids(other, messages)
    }

    #[test]
    fn made_up_ids_may_differ() {
        assert!(same(&turns("x1", "x1"), &turns("x2", "x2"), &[]));
    }

    #[test]
    fn given_ids_may_not_differ() {
        let messages = turns("x1", "x1");
        assert!(!same(&turns("x1", "x1"), &turns("x2", "x2"), &messages));
        assert!(same(&turns("x1", "x1"), &turns("x1", "x1"), &messages));
    }

    #[test]
    fn a_result_keeps_its_call() {
        assert!(!same(&turns("x1", "x1"), &turns("x1", "x2"), &[]));
    }

    #[test]
    fn two_made_up_ids_do_not_become_one() {
        let two = [turns("x1", "x1"), turns("x2", "x2")].concat();
        let one = [turns("x1", "x1"), turns("x1", "x1")].concat();
        assert!(!same(&two, &one, &[]));
    }
}
