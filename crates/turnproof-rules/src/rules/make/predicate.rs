//! *Predicates* say what a message is. Here each is answered from the JSON of the message alone (SPEC 2.1.3).

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::json::Value;

use crate::rules::value::{blocks, call_of, is_true, kind, list, result_of, text, text_of};
use crate::vocabulary::{COMPACT_BOUNDARY, Kind, LOCAL_COMMAND, MISSING_TOOL_RESULT, SYNTHETIC_MODEL, SYNTHETIC_TEXTS};

/// What a predicate says of a message.
type Says = fn(&Value) -> bool;

/// Each predicate, by its name.
pub(super) const PREDICATES: &[(&str, Says)] = &[
    ("is_synthetic_message", is_synthetic),
    ("is_human_turn", is_human_turn),
    ("is_synthetic_api_error", |message| {
        let model = message.get("message").and_then(|body| text(body, "model"));
        let is_error = kind(message) == "assistant" && is_true(message, "isApiErrorMessage");
        is_error && model == Some(SYNTHETIC_MODEL)
    }),
    ("is_tool_result", |message| kind(message) == "user" && holds(message, "tool_result")),
    ("has_tool_use", |message| kind(message) == "assistant" && holds(message, "tool_use")),
    ("contains_placeholder", |message| kind(message) == "user" && blocks(message).iter().any(is_placeholder)),
    ("is_compact_summary", |message| kind(message) == "user" && is_true(message, "isCompactSummary")),
    ("is_compact_boundary", |message| is_notice(message, COMPACT_BOUNDARY)),
    ("is_microcompact_boundary", |message| is_notice(message, "microcompact_boundary")),
    ("is_local_command", |message| is_notice(message, LOCAL_COMMAND)),
    ("is_meta", |message| is_true(message, "isMeta")),
    ("is_virtual", |message| is_true(message, "isVirtual")),
    ("is_chain_participant", |message| Kind::of(kind(message)).is_some_and(Kind::is_persisted)),
];

fn is_synthetic(message: &Value) -> bool {
    let first = blocks(message).first().and_then(text_of);
    matches!(kind(message), "user" | "assistant") && first.is_some_and(|text| SYNTHETIC_TEXTS.contains(&text))
}

/// Whether a person said it. A raw output of a tool that is null is none.
fn is_human_turn(message: &Value) -> bool {
    let has_output = message.get("toolUseResult").is_some_and(|output| !output.is_null());
    let is_result = has_output || holds(message, "tool_result");
    let is_made = is_true(message, "isMeta") || is_true(message, "isCompactSummary") || is_synthetic(message);
    kind(message) == "user" && !is_result && !is_made
}

fn holds(message: &Value, block: &str) -> bool {
    blocks(message).iter().any(|held| kind(held) == block)
}

fn is_notice(message: &Value, subtype: &str) -> bool {
    kind(message) == "system" && text(message, "subtype") == Some(subtype)
}

fn is_placeholder(block: &Value) -> bool {
    let is_marked = |text: Option<&str>| text == Some(MISSING_TOOL_RESULT);
    kind(block) == "tool_result"
        && (is_marked(text(block, "content")) || list(block, "content").iter().any(|part| is_marked(text_of(part))))
}

/// The calls of a list that no result answers, in order, each with the uuid of its message. A line that says a call of
/// its reply again adds none. A result answers the call of the message that it names, or else the last one before it;
/// one that comes before any call with its id answers the first.
pub(in crate::rules) fn unanswered(messages: &[Value]) -> Vec<(&str, Option<&str>)> {
    let mut open: BTreeMap<usize, (&str, Option<&str>)> = BTreeMap::new();
    let mut count = 0;
    // The calls of a reply, of a message, and the last ones, each by its number.
    let (mut of_reply, mut of_message, mut last) = (HashMap::new(), HashMap::new(), HashMap::new());
    let mut early = HashSet::new();
    for message in messages {
        let uuid = text(message, "uuid");
        let calls = blocks(message).iter().filter(|_| kind(message) == "assistant").filter_map(call_of);
        for call in calls {
            let reply = message.get("message").and_then(|body| text(body, "id")).filter(|reply| !reply.is_empty());
            let number = *of_reply.entry((call, reply.or(uuid))).or_insert_with(|| {
                count += 1;
                if !early.remove(call) {
                    open.insert(count, (call, uuid));
                }
                last.insert(call, count);
                count
            });
            of_message.insert((call, uuid), number);
        }
        let results = blocks(message).iter().filter(|_| kind(message) == "user").filter_map(result_of);
        for result in results {
            let source = text(message, "sourceToolAssistantUUID");
            let named = source.and_then(|source| of_message.get(&(result, Some(source))));
            match named.or_else(|| last.get(result)) {
                Some(number) => _ = open.remove(number),
                None => _ = early.insert(result),
            }
        }
    }
    open.into_values().collect()
}
