//! Labels of single messages: their content, what they are to the client, and what is attached.

use serde_json::Value;

use super::{ANY, DIALOGUES, Hostile, LINES, Label, blocks, has_block, kind, label};

pub(super) const LABELS: &[Label] = &[
    label("kind/user", ANY, 700, |it| it.message(|message| kind(message) == "user")),
    label("kind/assistant", ANY, 700, |it| it.message(|message| kind(message) == "assistant")),
    label("kind/system", ANY, 200, |it| it.message(|message| kind(message) == "system")),
    label("kind/attachment", ANY, 200, |it| it.message(|message| kind(message) == "attachment")),
    label("kind/hook-result", ANY, 20, |it| it.message(|message| kind(message) == "hook_result")),
    label("kind/progress", ANY, 40, |it| it.message(|message| kind(message) == "progress")),
    label("kind/tool-use-summary", ANY, 10, |it| it.message(|message| kind(message) == "tool_use_summary")),
    label("kind/tombstone", ANY, 80, |it| it.message(|message| kind(message) == "tombstone")),
    label("kind/grouped-tool-use", LINES, 50, |it| it.message(|message| kind(message) == "grouped_tool_use")),
    label("kind/side-record", ANY, 50, |it| {
        it.lines.iter().any(|line| kind(line) == "file-history-snapshot")
            || it.lines.iter().any(|line| kind(line).contains('-'))
    }),
    label("kind/of-tomorrow", LINES, 5, |it| it.lines.iter().any(|line| kind(line).contains("tomorrow"))),
    label("message/absent", LINES, 5, |it| it.spoken(|message| message.get("message").is_none())),
    label("message/without-content", LINES, 2, |it| {
        it.spoken(|message| message["message"].is_object() && message["message"].get("content").is_none())
    }),
    label("message/content-null", LINES, 5, |it| {
        it.spoken(|message| message["message"].get("content").is_some_and(Value::is_null))
    }),
    label("message/content-of-another-type", LINES, 5, |it| {
        it.spoken(|message| message["message"]["content"].is_number() || message["message"]["content"].is_object())
    }),
    label("message/content-empty", DIALOGUES, 20, |it| {
        it.spoken(|message| message["message"]["content"].as_array().is_some_and(Vec::is_empty))
    }),
    label("message/string", DIALOGUES, 200, |it| it.spoken(|message| message["message"]["content"].is_string())),
    label("message/several-blocks", DIALOGUES, 200, |it| it.spoken(|message| blocks(message).len() > 1)),
    label("message/virtual", LINES, 50, |it| it.message(|message| message["isVirtual"] == true)),
    label("message/meta", ANY, 50, |it| it.message(|message| message["isMeta"] == true)),
    label("message/summary", ANY, 50, |it| it.message(|message| message["isCompactSummary"] == true)),
    label("message/sidechain", LINES, 50, |it| it.message(|message| message["isSidechain"] == true)),
    label("message/half-a-pair", LINES, 10, |it| it.message(|message| message.to_string().contains('\u{FFFD}'))),
    label("message/paste-ids", LINES, 40, |it| it.message(|message| message["imagePasteIds"].is_array())),
    label("command/output", ANY, 40, |it| it.message(is_command)),
    label("command/under-the-old-name", LINES, 5, |it| {
        it.message(|message| is_command(message) && !message["content"].is_string() && message["message"].is_string())
    }),
    label("command/without-text", LINES, 5, |it| {
        it.message(|message| is_command(message) && message["content"].is_null() && message["message"].is_null())
    }),
    label("attachment/absent", &[Hostile], 1, |it| {
        it.message(|message| kind(message) == "attachment" && message["attachment"].is_null())
    }),
    label("attachment/queued-list", LINES, 5, |it| it.message(|message| message["attachment"]["prompt"].is_array())),
    label("attachment/first", LINES, 50, |it| {
        let stop = it.messages.iter().position(is_stop).unwrap_or(it.messages.len());
        it.messages[..stop].iter().any(|message| kind(message) == "attachment")
    }),
    label("attachment/that-moves", LINES, 100, |it| {
        let moves = |passed: &[Value]| {
            let other = |message: &Value| kind(message) != "attachment";
            let first = passed.iter().position(other).unwrap_or(passed.len());
            passed[first..].iter().any(|message| kind(message) == "attachment")
        };
        it.messages.split(is_stop).any(moves)
    }),
    label("tombstone/without-an-id", LINES, 5, |it| {
        it.message(|message| kind(message) == "tombstone" && !message["message"]["uuid"].is_string())
    }),
    label("tombstone/of-an-earlier-reply", LINES, 20, |it| names(&it.messages, true, |kind| kind == "assistant")),
    label("tombstone/of-no-reply", LINES, 1, |it| names(&it.messages, true, |kind| kind != "assistant")),
];

fn is_command(message: &Value) -> bool {
    kind(message) == "system" && message["subtype"] == "local_command"
}

/// Whether attachments do not move past a message.
fn is_stop(message: &Value) -> bool {
    kind(message) == "assistant" || kind(message) == "user" && has_block(message, "tool_result")
}

/// Whether a tombstone names a message before it, or behind it, of such a kind.
fn names(messages: &[Value], is_before: bool, is_such: fn(&str) -> bool) -> bool {
    messages.iter().enumerate().filter(|(_, message)| kind(message) == "tombstone").any(|(at, message)| {
        let (before, after) = messages.split_at(at);
        let named = &message["message"]["uuid"];
        let others = if is_before { before } else { after };
        named.is_string() && others.iter().any(|other| other["uuid"] == *named && is_such(kind(other)))
    })
}
