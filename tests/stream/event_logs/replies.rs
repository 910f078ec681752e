//! Replies as they should be.

use serde_json::json;

use super::{result, review, started, steps, thinking};
use crate::make::{block, call_block, delta, end, input, late, start, start_with, stop, text, text_block};

#[test]
fn plain_reply() {
    review(
        "plain-reply",
        steps([start(), text_block(0), text(0, "Hel"), text(0, "lo."), stop(0), late("end_turn", 12), end()]),
    );
}

#[test]
fn parallel_calls() {
    let before = steps([
        start(),
        text_block(0),
        text(0, "Both at once."),
        stop(0),
        call_block(1, "toolu_1"),
        input(1, ""),
        input(1, "{\"command\":"),
        input(1, "\"ls\"}"),
        stop(1),
    ]);
    let after = steps([call_block(2, "toolu_2"), stop(2), late("tool_use", 60), end()]);
    review(
        "parallel-calls",
        before.into_iter().chain([result("r1", "toolu_1")]).chain(after).chain([result("r2", "toolu_2")]),
    );
}

#[test]
fn thinking_first() {
    review(
        "thinking",
        steps([
            start(),
            thinking(0),
            delta(0, json!({"type": "thinking_delta", "thinking": "Let me "})),
            delta(0, json!({"type": "thinking_delta", "thinking": "see."})),
            delta(0, json!({"type": "signature_delta", "signature": "EqQB"})),
            stop(0),
            block(1, json!({"type": "redacted_thinking", "data": "xyz"})),
            stop(1),
            text_block(2),
            text(2, "Yes."),
            stop(2),
            late("end_turn", 33),
            end(),
        ]),
    );
}

#[test]
fn server_tools() {
    let found = json!([{"type": "web_search_result", "url": "https://example.org"}]);
    review(
        "server-tools",
        steps([
            start(),
            block(0, json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}})),
            input(0, "{\"query\":\"rust\"}"),
            stop(0),
            block(1, json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found})),
            stop(1),
            text_block(2),
            delta(2, json!({"type": "citations_delta", "citation": {"url": "https://example.org"}})),
            text(2, "It is here."),
            stop(2),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
                "usage": {"output_tokens": 70, "server_tool_use": {"web_search_requests": 1}}}),
            end(),
        ]),
    );
}

#[test]
fn late_usage() {
    let totals = |output: u64| json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens": output, "input_tokens": null}});
    review(
        "late-usage",
        steps([
            start(),
            text_block(0),
            stop(0),
            text_block(1),
            stop(1),
            totals(20),
            totals(30),
            late("end_turn", 31),
            end(),
        ]),
    );
}

#[test]
fn start_with_content_already() {
    let content = json!([{"type": "text", "text": "Given."}, {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}]);
    review(
        "start-with-content",
        steps([
            start_with(content),
            text(0, "?"),
            text_block(2),
            text(2, "More."),
            stop(2),
            late("end_turn", 8),
            end(),
        ]),
    );
}

#[test]
fn two_replies() {
    let one = steps([start(), call_block(0, "toolu_1"), stop(0), late("tool_use", 7), end()]);
    let two = steps([text_block(0), text(0, "Done."), stop(0), late("end_turn", 4), end()]);
    review("two-replies", one.into_iter().chain([result("r1", "toolu_1"), started("msg_2")]).chain(two));
}
