//! Labels of blocks: their types, and which members are missing or too many.

use serde_json::Value;
use turnproof_reference::message::SERVER_RESULTS;

use super::{ANY, DIALOGUES, LINES, Label, has_block, is_blank, kind, label};

pub(super) const LABELS: &[Label] = &[
    label("block/text", ANY, 400, |it| it.of_type("text", |_| true)),
    label("block/thinking", ANY, 100, |it| it.of_type("thinking", |_| true)),
    label("block/redacted-thinking", ANY, 40, |it| it.of_type("redacted_thinking", |_| true)),
    label("block/server-tool-use", ANY, 60, |it| it.of_type("server_tool_use", |_| true)),
    label("block/server-result", ANY, 40, |it| it.block(|block| SERVER_RESULTS.contains(&kind(block)))),
    label("block/unknown", LINES, 10, |it| it.block(|block| kind(block).contains("tomorrow"))),
    label("block/without-a-type", LINES, 5, |it| it.block(|block| block.is_object() && kind(block).is_empty())),
    label("block/no-object", LINES, 5, |it| it.block(|block| !block.is_object())),
    label("block/of-another-role", LINES, 10, |it| {
        let of_user =
            |message: &Value| ["tool_result", "image", "document"].iter().any(|name| has_block(message, name));
        let of_reply = |message: &Value| ["tool_use", "thinking"].iter().any(|name| has_block(message, name));
        it.message(|message| {
            kind(message) == "assistant" && of_user(message) || kind(message) == "user" && of_reply(message)
        })
    }),
    label("block/with-cache-control", LINES, 20, |it| it.block(|block| block.get("cache_control").is_some())),
    label("block/with-members-of-the-client", LINES, 10, |it| {
        it.block(|block| block.as_object().is_some_and(|members| members.keys().any(|name| is_of_client(name))))
    }),
    label("text/blank", DIALOGUES, 20, |it| it.of_type("text", |block| block["text"].as_str().is_some_and(is_blank))),
    label("text/interruption", LINES, 5, |it| {
        it.of_type("text", |block| block["text"].as_str().is_some_and(|text| text.starts_with("[Request interrupted")))
    }),
    label("thinking/unsigned", LINES, 2, |it| {
        it.of_type("thinking", |block| block["signature"].as_str().is_none_or(str::is_empty))
    }),
    label("thinking/empty", LINES, 2, |it| it.of_type("thinking", |block| block["thinking"] == "")),
    label("call/without-an-id", LINES, 2, |it| it.of_type("tool_use", |block| !block["id"].is_string())),
    label("call/input-no-object", LINES, 5, |it| {
        it.of_type("tool_use", |block| block.get("input").is_some_and(|input| !input.is_object()))
    }),
    label("result/without-an-id", LINES, 5, |it| it.of_type("tool_result", |block| !block["tool_use_id"].is_string())),
    label("result/empty", DIALOGUES, 5, |it| {
        it.of_type("tool_result", |block| {
            block["content"] == "" || block["content"].as_array().is_some_and(Vec::is_empty)
        })
    }),
    label("result/with-image", DIALOGUES, 5, |it| {
        it.of_type("tool_result", |block| parts(block).any(|part| kind(part) == "image"))
    }),
    label("result/of-a-failure", DIALOGUES, 10, |it| it.of_type("tool_result", |block| block["is_error"] == true)),
];

/// Whether a member of a block is of the client, and not of the API.
fn is_of_client(name: &str) -> bool {
    let is_word = ["uuid", "timestamp", "cwd", "slug", "origin"].contains(&name);
    is_word || name.starts_with('_') || name.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn parts(block: &Value) -> impl Iterator<Item = &Value> {
    block["content"].as_array().into_iter().flatten()
}
