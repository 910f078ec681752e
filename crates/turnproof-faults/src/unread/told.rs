//! Unread faults in what attachments *tell* the model.

use turnproof::operation::Value;

use super::super::walk::{kind, remove, text, text_block};
use super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-tasks-that-are-done",
        "6.5.1: todo_reminder tells content[].content and content[].status",
        "does not tell of tasks that are done",
        Wrong::EachAttachment(|attachment| {
            if kind(attachment) == "todo_reminder"
                && let Some(tasks) = attachment.get_mut("content").and_then(Value::as_array_mut)
            {
                tasks.retain(|task| text(task, "status") != "completed");
            }
        }),
    ),
    unread(
        "normalize_api/unread-first-line-of-a-file",
        "6.5.1: each told text stands in the request, word for word",
        "tells the first line of a file alone",
        Wrong::EachAttachment(|attachment| {
            let file = attachment.pointer_mut("/content/file/content");
            if let Some(content) = file.filter(|content| content.is_string()) {
                let said = content.as_str().and_then(|said| said.lines().next()).unwrap_or_default().to_owned();
                *content = said.into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-one-block-of-what-waited",
        "6.5.1: each text block of a queued prompt gives a text, the other blocks are sent as they are",
        "sends the first block alone of a prompt that waited",
        Wrong::EachAttachment(|attachment| {
            if kind(attachment) == "queued_command"
                && let Some(said) = attachment.get_mut("prompt").and_then(Value::as_array_mut)
            {
                said.truncate(1);
            }
        }),
    ),
    unread(
        "normalize_api/unread-anybody-typed-it",
        "6.5.2: a queued prompt was typed if origin.kind is missing or `human`",
        "sends what a program queued as if the user had typed it",
        Wrong::EachAttachment(|attachment| {
            if kind(attachment) == "queued_command" {
                remove(attachment, "origin");
                remove(attachment, "commandMode");
            }
        }),
    ),
    unread(
        "normalize_api/unread-hints-are-nothing",
        "6.5.1: files[].diagnostics[].message is told",
        "tells errors and warnings of a diagnosis, and no hints",
        Wrong::EachAttachment(|attachment| {
            for file in attachment.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(found) = file.get_mut("diagnostics").and_then(Value::as_array_mut) {
                    found.retain(|one| matches!(text(one, "severity"), "Error" | "Warning"));
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-no-news-of-a-task",
        "6.5.1: task_status tells deltaSummary",
        "does not tell what is new of a task",
        Wrong::EachAttachment(|attachment| remove(attachment, "deltaSummary")),
    ),
    unread(
        "normalize_api/unread-output-of-hooks",
        "6.5.1: stdout of hook_success is never sent",
        "sends the output of a hook instead of its content",
        Wrong::EachAttachment(|attachment| {
            if kind(attachment) == "hook_success"
                && let Some(output) = attachment.get("stdout").cloned()
            {
                attachment["content"] = output;
            }
        }),
    ),
    unread(
        "normalize_api/unread-lines-from-nought",
        "6.5.1: lineStart is told, as its digits",
        "counts the selected lines from 0",
        Wrong::EachAttachment(|attachment| {
            if let Some(first) = attachment.get("lineStart").and_then(Value::as_i64) {
                attachment["lineStart"] = (first - 1).into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-names-for-the-eye",
        "6.5.1: filename is told, displayPath is free",
        "tells the path that people see instead of the file's name",
        Wrong::EachAttachment(|attachment| {
            if let Some(shown) = attachment.get("displayPath").filter(|shown| shown.is_string()).cloned()
                && attachment.get("filename").is_some()
            {
                attachment["filename"] = shown;
            }
        }),
    ),
    unread(
        "normalize_api/unread-resources-in-one-piece",
        "6.5.1: mcp_resource tells content.contents[].text",
        "tells the first text of a resource alone",
        Wrong::EachAttachment(|attachment| {
            if let Some(contents) = attachment.pointer_mut("/content/contents").and_then(Value::as_array_mut) {
                contents.truncate(1);
            }
        }),
    ),
    unread(
        "normalize_api/unread-removed-tools-stay-known",
        "6.5.1: deferred_tools_delta tells removedNames",
        "does not tell which tools have gone",
        Wrong::EachAttachment(|attachment| remove(attachment, "removedNames")),
    ),
    unread(
        "normalize_api/unread-a-text-a-block",
        "6.5.1: what an attachment tells stands in one text of its own",
        "tells an attachment of several lines in several texts",
        Wrong::Blocks("user", |blocks| {
            let said = std::mem::take(blocks);
            for block in said {
                let words = text(&block, "text").to_owned();
                let inner = words.strip_prefix("<system-reminder>\n");
                let inner = inner.and_then(|inner| inner.strip_suffix("\n</system-reminder>"));
                match inner.and_then(|inner| inner.split_once('\n')) {
                    Some((first, rest)) if !first.trim().is_empty() && !rest.trim().is_empty() => {
                        let wrapped =
                            |said: &str| text_block(&format!("<system-reminder>\n{said}\n</system-reminder>"));
                        blocks.extend([wrapped(first), wrapped(rest)]);
                    }
                    _ => blocks.push(block),
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-attachment-unwrapped-if-short",
        "6.5.2: text that is made of an attachment is wrapped",
        "does not wrap what an attachment tells in one line",
        Wrong::EachBlock("user", |block| {
            let words = text(block, "text").to_owned();
            let inner = words.strip_prefix("<system-reminder>\n");
            let inner = inner.and_then(|inner| inner.strip_suffix("\n</system-reminder>"));
            if let Some(inner) = inner.filter(|inner| inner.lines().count() == 2) {
                block["text"] = inner.into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-memories-without-their-paths",
        "6.5.1: relevant_memories tells memories[].path",
        "tells memories without saying where they stand",
        Wrong::EachAttachment(|attachment| {
            for memory in attachment.get_mut("memories").and_then(Value::as_array_mut).into_iter().flatten() {
                remove(memory, "path");
            }
        }),
    ),
];
