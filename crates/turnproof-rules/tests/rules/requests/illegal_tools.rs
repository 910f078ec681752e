//! Requests that are illegal by their *calls*, results and thinking.

use serde_json::{Value, json};
use turnproof_rules::operation::Host;

use super::illegal::{ALL, CONVERSE, Case, NOT_ANTHROPIC, NOT_CONVERSE, PORTABLE, case};
use super::{call, found, result, search, text, thinking, turns};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = pairing();
    cases.extend(forms());
    cases.extend(server_tools());
    cases.extend(thinking_cases());
    cases
}

fn pairing() -> Vec<Case> {
    const FOLLOWS: &str = "pairing/result-follows-use";
    const ORPHAN: &str = "pairing/no-orphan-result";
    let open = "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b, c. Each `tool_use` \
                block must have a corresponding `tool_result` block in the next message.";
    let open_b = "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b. Each `tool_use` \
                  block must have a corresponding `tool_result` block in the next message.";
    vec![
        case(
            "two of three calls without result",
            turns(json!(["x", [call("a"), call("b"), call("c")], [result("a")]])),
            &[
                (NOT_CONVERSE, FOLLOWS, open),
                (CONVERSE, FOLLOWS, "Expected toolResult blocks at messages.2.content for the following Ids: b, c"),
            ],
        ),
        case(
            "a result that comes a turn late",
            turns(json!(["x", [call("b")], "y", "z", [result("b")]])),
            &[
                (NOT_CONVERSE, FOLLOWS, open_b),
                (CONVERSE, FOLLOWS, "Expected toolResult blocks at messages.2.content for the following Ids: b"),
                (
                    CONVERSE,
                    ORPHAN,
                    "The number of toolResult blocks at messages.4.content exceeds the number of toolUse blocks of \
                     previous turn.",
                ),
                (
                    NOT_CONVERSE,
                    ORPHAN,
                    "messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: b. Each `tool_result` \
                     block must have a corresponding `tool_use` block in the previous message.",
                ),
            ],
        ),
        case(
            "two results of one call",
            turns(json!(["x", [call("a")], [result("a"), text("y"), result("a")]])),
            &[(
                ALL,
                "pairing/single-result",
                "messages.2.content.2: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
            )],
        ),
        case(
            "an id that two replies use",
            turns(json!(["x", [call("a")], [result("a")], [text("y"), call("a")], [result("a")]])),
            &[(PORTABLE, "pairing/unique-use-id", "messages.3.content.1: `tool_use` ids must be unique")],
        ),
        case(
            "a text behind a call",
            turns(json!(["x", [call("a"), text("y"), call("b")], [result("a"), result("b")]])),
            &[
                (
                    NOT_CONVERSE,
                    "pairing/calls-last",
                    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. Each \
                     `tool_use` block must have a corresponding `tool_result` block in the next message.",
                ),
                (
                    CONVERSE,
                    "pairing/calls-last",
                    "Expected toolResult blocks at messages.2.content for the following Ids: a",
                ),
            ],
        ),
        case(
            "a result behind a text",
            turns(json!(["x", [call("a"), call("b")], [result("a"), text("y"), result("b")]])),
            &[
                (NOT_CONVERSE, "pairing/results-first", open_b),
                (
                    CONVERSE,
                    "pairing/results-first",
                    "Expected toolResult blocks at messages.2.content for the following Ids: b",
                ),
            ],
        ),
    ]
}

fn forms() -> Vec<Case> {
    const FORM: &str = "pairing/id-form";
    let plain = "String should match pattern '^[a-zA-Z0-9_-]+$'";
    let server = "String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'";
    let leak = |path: &str, pattern: &str| -> &'static str { format!("{path}: {pattern}").leak() };
    let input = |value: Value| {
        turns(json!(["x", [{"type": "tool_use", "id": "a", "name": "Bash", "input": value}], [result("a")]]))
    };
    let wrong_input = "messages.1.content.0.tool_use.input: Input should be an object";
    vec![
        case(
            "an id with a colon, in call and result",
            turns(json!(["x", [call("Bash:12")], [result("Bash:12")]])),
            &[
                (ALL, FORM, leak("messages.1.content.0.tool_use.id", plain)),
                (ALL, FORM, leak("messages.2.content.0.tool_result.tool_use_id", plain)),
            ],
        ),
        case(
            "an empty id",
            turns(json!(["x", [call("")], [result("")]])),
            &[
                (ALL, FORM, leak("messages.1.content.0.tool_use.id", plain)),
                (ALL, FORM, leak("messages.2.content.0.tool_result.tool_use_id", plain)),
            ],
        ),
        case(
            "a server's call with a client's id",
            turns(json!(["x", [search("toolu_1"), found("toolu_1"), text("y")]])),
            &[
                (ALL, FORM, leak("messages.1.content.0.server_tool_use.id", server)),
                (ALL, FORM, leak("messages.1.content.1.web_search_tool_result.tool_use_id", server)),
            ],
        ),
        case("an input that is text", input(json!("{}")), &[(ALL, "pairing/input-object", wrong_input)]),
        case("an input that is null", input(json!(null)), &[(ALL, "pairing/input-object", wrong_input)]),
    ]
}

fn server_tools() -> Vec<Case> {
    const SERVER: &str = "pairing/server-tools";
    let open = "messages.1: `web_search` tool use with id `srvtoolu_1` was found without a corresponding \
                `web_search_tool_result` block";
    let fetched = json!({"type": "web_fetch_tool_result", "tool_use_id": "srvtoolu_1",
        "content": {"type": "web_fetch_tool_result_error", "error_code": "unavailable"}});
    vec![
        case(
            "a search without result, and a conversation that continues",
            turns(json!(["a", [search("srvtoolu_1"), text("b")], "c"])),
            &[(ALL, SERVER, open)],
        ),
        case(
            "a search without result at the open end",
            turns(json!(["a", [search("srvtoolu_1")]])),
            &[(NOT_ANTHROPIC, SERVER, open)],
        ),
        case(
            "an open search, and a reply behind the results",
            turns(json!(["a", [search("srvtoolu_1"), call("toolu_1")], [result("toolu_1")], []])),
            &[
                (
                    &[Host::Portable, Host::BedrockConverse],
                    "api/non-empty-content",
                    "The content field in the Message object at messages.3 is empty.",
                ),
                (NOT_ANTHROPIC, SERVER, open),
            ],
        ),
        case(
            "an advisor's words without a call",
            turns(json!(["a", [{"type": "advisor_tool_result", "tool_use_id": "srvtoolu_1",
                    "content": {"type": "advisor_result", "text": "b"}}, text("b")],
                    "c"])),
            &[(
                ALL,
                SERVER,
                "messages.1.content.0: unexpected `tool_use_id` found in `advisor_tool_result` blocks: srvtoolu_1. Each \
                 `advisor_tool_result` block must have a corresponding `server_tool_use` block before it.",
            )],
        ),
        case(
            "a result of another tool, at the end of a conversation",
            turns(json!(["a", [search("srvtoolu_1"), fetched, text("b")], "c"])),
            &[
                (
                    ALL,
                    SERVER,
                    "messages.1.content.1: unexpected `tool_use_id` found in `web_fetch_tool_result` blocks: srvtoolu_1. \
                     Each `web_fetch_tool_result` block must have a corresponding `server_tool_use` block before it.",
                ),
                (ALL, SERVER, open),
            ],
        ),
        case(
            "an id that is used twice",
            turns(json!([
                "a",
                [search("srvtoolu_1"), found("srvtoolu_1"), search("srvtoolu_1"), found("srvtoolu_1")],
                "c"
            ])),
            &[(ALL, SERVER, "messages.1.content.2: `tool_use` ids must be unique")],
        ),
        case(
            "a search behind a client's call",
            turns(json!(["a", [call("toolu_1"), search("srvtoolu_1"), found("srvtoolu_1")], [result("toolu_1")]])),
            &[
                (
                    NOT_CONVERSE,
                    SERVER,
                    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each \
                     `tool_use` block must have a corresponding `tool_result` block in the next message.",
                ),
                (CONVERSE, SERVER, "Expected toolResult blocks at messages.2.content for the following Ids: toolu_1"),
            ],
        ),
    ]
}

fn thinking_cases() -> Vec<Case> {
    const SIGNED: &str = "thinking/signed";
    const WHOLE: &str = "thinking/whole-signature";
    let with = |block: Value| turns(json!(["a", [block, text("b")], "c"]));
    let last = "messages.1: The final block in an assistant message cannot be `thinking`.";
    let redacted = json!({"type": "redacted_thinking", "data": "x"});
    vec![
        case(
            "thinking alone, and the user writes on",
            turns(json!(["a", [thinking()], "b"])),
            &[(ALL, "thinking/not-last", last)],
        ),
        case(
            "redacted thinking at the end",
            turns(json!(["a", [text("b"), redacted]])),
            &[(ALL, "thinking/not-last", last)],
        ),
        case(
            "no signature",
            with(json!({"type": "thinking", "thinking": "t"})),
            &[(ALL, SIGNED, "messages.1.content.0.thinking.signature: Field required")],
        ),
        case(
            "an empty signature",
            with(json!({"type": "thinking", "thinking": "t", "signature": ""})),
            &[(ALL, SIGNED, "messages.1.content.0.thinking: each thinking block must contain thinking")],
        ),
        case(
            "a signature that is null",
            with(json!({"type": "thinking", "thinking": "t", "signature": null})),
            &[(ALL, SIGNED, "messages.1.content.0.thinking.signature.str: Input should be a valid string")],
        ),
        case(
            "a signature with a part left out",
            with(json!({"type": "thinking", "thinking": "t", "signature": "EqQB…"})),
            &[(ALL, WHOLE, "messages.1.content.0: Invalid `signature` in `thinking` block")],
        ),
        case(
            "a signature with a blank",
            with(json!({"type": "thinking", "thinking": "t", "signature": "Eq QB"})),
            &[(ALL, WHOLE, "messages.1.content.0: Invalid `signature` in `thinking` block")],
        ),
        case(
            "a signature that was cut",
            with(json!({"type": "thinking", "thinking": "t", "signature": "EqQBCkYIARgCKkD0"})),
            &[(ALL, WHOLE, "messages.1.content.0: Invalid `signature` in `thinking` block")],
        ),
        case(
            "redacted thinking with nothing in it",
            with(json!({"type": "redacted_thinking", "data": ""})),
            &[(ALL, SIGNED, "messages.1.content.0: Invalid `data` in `redacted_thinking` block")],
        ),
    ]
}
