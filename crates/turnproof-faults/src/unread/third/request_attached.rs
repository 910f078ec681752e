//! Unread faults in what a request tells of *attachments*.

use turnproof::operation::Value;

use super::super::super::walk::{change_text, each, kind, remove};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

const CLOSING: &str = "</system-reminder>";
/// Stands for the closing tag while the reference looks.
const STAND_IN: &str = "(closing)";

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-third-queued-first-text",
        "6.5.1: the prompt of a queued_command may be a list of blocks, and each text block gives a text of its own",
        "tells only the first text of a prompt that waited and is a list of blocks",
        Wrong::EachAttachment(|attachment| {
            if kind(attachment) == "queued_command"
                && let Some(blocks) = attachment["prompt"].as_array_mut()
            {
                let mut texts = 0;
                blocks.retain(|block| {
                    texts += usize::from(kind(block) == "text");
                    kind(block) != "text" || texts == 1
                });
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-one-diagnostic-a-file",
        "6.5.1: diagnostics tells files[].diagnostics[].message",
        "tells the first diagnostic of each file",
        Wrong::EachAttachment(|attachment| {
            for file in attachment["files"].as_array_mut().into_iter().flatten() {
                if let Some(all) = file["diagnostics"].as_array_mut() {
                    all.truncate(1);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-lines-from-one",
        "6.5.1: selected_lines_in_ide tells lineStart and lineEnd",
        "takes the first and the last selected line for counted from 0, and tells them from 1",
        Wrong::EachAttachment(|attachment| {
            if kind(attachment) == "selected_lines_in_ide" {
                for name in ["lineStart", "lineEnd"] {
                    if let Some(line) = attachment[name].as_u64() {
                        attachment[name] = (line + 1).into();
                    }
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-stdout-of-a-late-hook",
        "6.5.1: of async_hook_response stdout is never sent",
        "tells what a hook printed when its response has no message",
        Wrong::EachAttachment(|attachment| {
            let has_message = attachment["response"].get("systemMessage").is_some_and(Value::is_string);
            if kind(attachment) == "async_hook_response" && attachment["response"].is_object() && !has_message {
                attachment["response"]["systemMessage"] = attachment["stdout"].clone();
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-media-by-one-name",
        "6.5.1: a medium's type stands in type, mimeType or media_type",
        "does not see a medium whose type is called mimeType",
        Wrong::EachAttachment(|attachment| {
            let parts = attachment.pointer_mut("/content/contents").and_then(Value::as_array_mut);
            for part in parts.into_iter().flatten() {
                remove(part, "mimeType");
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-every-hook-success",
        "6.5.1: hook_success is told at SessionStart and UserPromptSubmit, and else never",
        "tells what a hook said that ran well, at whatever event",
        Wrong::EachAttachment(|attachment| {
            if kind(attachment) == "hook_success" {
                attachment["hookEvent"] = "SessionStart".into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-others-say-prompts",
        "6.5.2: a queued command was typed if origin.kind is missing or human",
        "does not wrap what a program put into the queue as a prompt",
        Wrong::EachAttachment(|attachment| {
            if kind(attachment) == "queued_command" {
                remove(attachment, "origin");
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-files-end-the-wrapping",
        "6.5.2: the closing tag stands nowhere else in the text, so that no file can end it",
        "wraps a text as it is, also when it holds the closing tag",
        Wrong::MessagesAndTurns(
            |messages| {
                let attachments = messages.iter_mut().filter_map(|message| message.get_mut("attachment"));
                attachments.for_each(|attachment| each_text(attachment, |said| said.replace(CLOSING, STAND_IN)));
            },
            |_, turns| each(turns, "user", |block| change_text(block, |said| said.replace(STAND_IN, CLOSING))),
        ),
    ),
];

/// Changes every text in a value.
fn each_text(value: &mut Value, change: fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text.as_str()).into(),
        Value::Array(elements) => elements.iter_mut().for_each(|element| each_text(element, change)),
        Value::Object(members) => members.values_mut().for_each(|member| each_text(member, change)),
        _ => {}
    }
}
