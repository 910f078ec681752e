//! *Nonsense*: any JSON as messages and request. No rule panics on it.

use crate::random;
use proptest::prelude::*;
use serde_json::Value;

use super::build::{case, rules, verdict};

/// Words that rules look for.
const WORDS: &str = "type|message|content|role|user|assistant|text|tool_use|tool_result|id|tool_use_id|input|name|\
                     attachment|queued_command|prompt|system|subtype|local_command|tombstone|uuid|isMeta|isVirtual|\
                     isApiErrorMessage|model|<synthetic>|image too large|image|source|thinking|signature|\
                     server_tool_use|web_search_tool_result|web_search|mcp_tool_use|mcp_tool_result|a|| |\
                     (no content)|t:1|t1|todo_reminder|status|newDate|hook_success|hookEvent|base64|\
                     file|filename|progress|redacted_thinking|data";

fn any_json() -> impl Strategy<Value = Value> {
    random::any_json(WORDS, WORDS)
}

/// A block whose members are what they should be, most of the time.
fn any_block() -> impl Strategy<Value = Value> {
    let one = |words| random::word(words).prop_map(Value::from);
    let types = "text|tool_use|tool_result|image|thinking|server_tool_use|web_search_tool_result|mcp_tool_use|mcp_tool_result|other";
    let ids = || one("t1|t:1|srvtoolu_1|");
    (one(types), ids(), ids(), one("a| |b"), any_json()).prop_map(|(kind, id, of, text, other)| {
        serde_json::json!({"type": kind, "id": id, "tool_use_id": of, "text": text, "thinking": text,
            "signature": "s", "name": "web_search", "source": other, "content": other, "input": other})
    })
}

fn any_message() -> impl Strategy<Value = Value> {
    let kinds = &["user", "assistant", "assistant", "user", "attachment", "system", "tombstone", "progress"];
    let content = prop_oneof![8 => prop::collection::vec(any_block(), 0..4).prop_map(Value::from), 1 => any_json()];
    let kind = prop::sample::select(&kinds[..]);
    (kind, content, any::<[bool; 3]>(), any_json(), prop::sample::select(&["m1", "m2"][..])).prop_map(
        |(kind, content, [meta, error, hidden], other, id)| {
            serde_json::json!({"type": kind, "subtype": "local_command", "isMeta": meta, "isVirtual": hidden,
                "isApiErrorMessage": error, "uuid": id, "attachment": {"type": "queued_command", "prompt": content},
                "message": {"id": id, "uuid": id, "model": "<synthetic>", "content": content}, "content": other})
        },
    )
}

fn any_turn() -> impl Strategy<Value = Value> {
    let role = prop::sample::select(&["user", "assistant", "system"][..]);
    (role, prop::collection::vec(any_block(), 0..4))
        .prop_map(|(role, content)| serde_json::json!({"role": role, "content": content}))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn no_rule_panics_on_any_json(
        messages in prop_oneof![any_json(), prop::collection::vec(any_message(), 0..8).prop_map(Value::from)],
        request in prop_oneof![any_json(), prop::collection::vec(any_turn(), 0..5).prop_map(Value::from)],
        other in any_json(),
        context in prop::option::of(prop::sample::select(&["a", " ", "(no content)"][..])),
    ) {
        let mut case = case(&messages, context, &request);
        let count = messages.as_array().map_or(0, Vec::len);
        case.again = Some(Ok(other.clone().into()));
        case.shorter = vec![Some(Ok(request.clone().into())); count];
        case.incremental = Some(vec![Some(Ok(other.into())); count]);
        for rule in rules() {
            verdict(rule.id, &case);
        }
    }
}
