//! Faults with *attachments*: what they say is lost, what must not be sent is sent, or their text looks typed.

use turnproof_rules::json;
use turnproof_rules::operation::Value;

use super::walk::{blocks_mut, kind, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/says-no-zero", "normalize/conserves")
        .that("does not say a number of an attachment that is 0")
        .by(Wrong::EachAttachment(|attachment| {
            let members = attachment.as_object_mut();
            members.into_iter().for_each(|members| members.retain(|_, value| value.as_u64() != Some(0)));
        })),
    fault("normalize_api/words-of-its-own", "normalize/conserves")
        .that("says an attachment in its own words, though the record holds what was sent")
        .by(Wrong::Messages(|messages| messages.iter_mut().for_each(|message| remove(message, "rendered")))),
    fault("normalize_api/first-part-rendered", "normalize/conserves")
        .that("sends the first of the parts that were sent for an attachment")
        .by(Wrong::Messages(|messages| {
            let rendered = messages.iter_mut().filter_map(|message| message.get_mut("rendered")?.as_array_mut());
            rendered.for_each(|parts| parts.truncate(1));
        })),
    fault("normalize_api/says-what-was-rendered-twice", "normalize/no-invention")
        .that("sends what was sent for an attachment, and says it in its own words too")
        .by(Wrong::Messages(|messages| {
            let is_rendered = |message: &Value| message.get("rendered").is_some_and(Value::is_array);
            let bare = |message: &Value| {
                let mut bare = message.clone();
                remove(&mut bare, "rendered");
                bare
            };
            let both =
                |message: Value| if is_rendered(&message) { vec![bare(&message), message] } else { vec![message] };
            *messages = std::mem::take(messages).into_iter().flat_map(both).collect();
        })),
    fault("normalize_api/loses-images-of-files", "normalize/conserves")
        .that("names a file that is an image, and does not show the image")
        .by(body(|body| without(body, "image", "base64"))),
    fault("normalize_api/loses-pdfs-of-files", "normalize/conserves")
        .that("names a file that is a PDF, and does not send it")
        .by(body(|body| without(body, "pdf", "base64"))),
    fault("normalize_api/loses-notebooks", "normalize/conserves")
        .that("looks for the text of a notebook where other files have it")
        .by(body(|body| without(body, "notebook", "cells"))),
    fault("normalize_api/loses-outputs-of-notebooks", "normalize/conserves")
        .that("sends the cells of a notebook without what they gave")
        .by(body(|body| each(body, "/content/file/cells", |cell| remove(cell, "outputs")))),
    fault("normalize_api/loses-images-of-resources", "normalize/conserves")
        .that("sends the texts of a resource, and not its images")
        .by(body(|body| each(body, "/content/contents", |content| remove(content, "blob")))),
    fault("normalize_api/loses-statuses-of-tasks", "normalize/conserves")
        .that("lists tasks without saying which are done")
        .by(body(|body| each(body, "/content", |task| remove(task, "status")))),
    fault("normalize_api/loses-removals", "normalize/conserves")
        .that("says what was added to tools, agents and servers, and not what is gone")
        .by(body(|body| ["removedNames", "removedTypes"].iter().for_each(|name| remove(body, name)))),
    fault("normalize_api/loses-queued-prompts", "normalize/conserves")
        .that("drops what was typed while the model worked")
        .by(Wrong::Messages(|messages| messages.retain(|message| attached(message) != "queued_command"))),
    fault("normalize_api/loses-plan-mode", "normalize/conserves")
        .that("does not say that the planning mode is on, because the attachment has no text")
        .by(Wrong::Messages(|messages| messages.retain(|message| !attached(message).starts_with("plan_mode")))),
    fault("normalize_api/loses-line-numbers", "normalize/conserves")
        .that("sends selected lines and diagnostics without their place")
        .by(body(|body| {
            ["lineStart", "lineEnd"].iter().for_each(|name| remove(body, name));
            each(body, "/files", |file| each(file, "/diagnostics", |diagnostic| remove(diagnostic, "range")));
        })),
    fault("normalize_api/first-elements-only", "normalize/conserves")
        .that("sends the first of several memories, skills or tasks")
        .by(body(|body| {
            for name in ["memories", "skills", "content"] {
                body.get_mut(name).and_then(Value::as_array_mut).into_iter().for_each(|all| all.truncate(1));
            }
        })),
    fault("normalize_api/names-files-only", "normalize/conserves")
        .that("names the files, folders and memories that are attached, and sends nothing of what they hold")
        .by(body(|body| {
            let files = ["file", "edited_text_file", "directory", "selected_lines_in_ide", "memory", "nested_memory"];
            if files.contains(&kind(body)) {
                ["content", "snippet"].iter().for_each(|name| remove(body, name));
            }
        })),
    fault("normalize_api/loses-words-of-hooks", "normalize/conserves")
        .that("drops what hooks say when they succeed, at every event")
        .by(body(|body| {
            if kind(body) == "hook_success" {
                remove(body, "content");
            }
        })),
    fault("normalize_api/sends-output-of-hooks", "normalize/conserves")
        .that("sends the output of every hook that succeeds, as of those that speak to the model")
        .by(body(|body| {
            if kind(body) == "hook_success" {
                body["hookEvent"] = json!("SessionStart");
            }
        })),
    fault("normalize_api/sends-raw-answers-of-hooks", "normalize/conserves")
        .that("sends the raw output of a hook in the background beside its answer")
        .by(body(|body| {
            if let Some(raw) = body.get("stdout").cloned().filter(|_| kind(body) == "async_hook_response") {
                body["response"]["additionalContext"] = raw;
            }
        })),
    fault("normalize_api/sends-base64-as-text", "normalize/conserves")
        .that("sends the data of an image as text too")
        .by(body(|body| {
            let data = body.pointer("/content/file/base64").cloned();
            if let (Some(file), Some(data)) = (body.pointer_mut("/content/file"), data) {
                file["content"] = data;
            }
        })),
    fault("normalize_api/sends-what-is-for-people", "normalize/conserves")
        .that("sends every attachment that has words, also those for the user's eyes")
        .by(body(|body| {
            let mut words = ["content", "decision", "reason", "stderr"].iter().map(|name| text(body, name));
            let own =
                ["hook_system_message", "hook_permission_decision", "hook_non_blocking_error", "max_turns_reached"];
            if let Some(words) = words.find(|words| !words.is_empty()).filter(|_| own.contains(&kind(body))) {
                *body = json!({"type": "critical_system_reminder", "content": words});
            }
        })),
    fault("normalize_api/keeps-refused-files", "normalize/conserves")
        .that("sends an attached image again that the API has refused")
        .by(Wrong::List(|asked, turns| {
            let bodies = asked.messages.iter().filter_map(|message| message.get("attachment"));
            for (name, medium) in bodies.filter_map(|body| Some((text(body, "filename"), medium(body)?))) {
                let named = |block: &Value| text(block, "text").contains(&format!("File: {name}\n"));
                for blocks in turns.iter_mut().filter_map(blocks_mut) {
                    if let Some(place) = blocks.iter().position(named)
                        && blocks.get(place + 1).is_none_or(|next| *next != medium)
                    {
                        blocks.insert(place + 1, medium.clone());
                    }
                }
            }
        })),
    fault("normalize_api/attachments-look-typed", "normalize/wraps-attachments")
        .that("sends the text of attachments as if the user had typed it")
        .by(Wrong::EachBlock("user", |block| bare(block, |_| true))),
    fault("normalize_api/dates-look-typed", "normalize/wraps-attachments")
        .that("sends a new date as if the user had typed it")
        .by(Wrong::EachBlock("user", |block| bare(block, |inside| inside.starts_with("The day has changed.")))),
    fault("normalize_api/leaves-wrappers-open", "normalize/wraps-attachments")
        .that("begins an element around the text of an attachment, and does not end it")
        .by(Wrong::EachBlock("user", |block| {
            if let Some(inside) = wrapped(block) {
                block["text"] = Value::from(format!("<system-reminder>\n{inside}"));
            }
        })),
    fault("normalize_api/lets-files-end-wrappers", "normalize/wraps-attachments")
        .that("puts text that holds the closing tag between the same tags")
        .by(Wrong::EachBlock("user", |block| {
            if let Some(inside) = wrapped(block) {
                block["text"] = Value::from(format!("<system-reminder>\n{inside}\n</system-reminder>"));
            }
        })),
    fault("normalize_api/notifications-look-typed", "normalize/wraps-attachments")
        .that("sends notifications and words of other agents that waited as the user's own")
        .by(body(|body| ["commandMode", "origin", "isMeta"].iter().for_each(|name| remove(body, name)))),
    fault("normalize_api/one-text-for-all-attachments", "normalize/conserves")
        .that("joins the texts of neighbouring attachments to one")
        .by(Wrong::List(|_, turns| turns.iter_mut().filter_map(blocks_mut).for_each(join))),
];

/// The type of an attachment; empty for other messages.
fn attached(message: &Value) -> &str {
    message.get("attachment").map_or("", kind)
}

/// Changes what each attachment holds.
const fn body(change: fn(&mut Value)) -> Wrong {
    Wrong::EachAttachment(change)
}

/// Takes a member of a file away, if its content is of this type.
fn without(body: &mut Value, content: &str, name: &str) {
    let content = body.get_mut("content").filter(|found| kind(found) == content);
    content.and_then(|content| content.get_mut("file")).into_iter().for_each(|file| remove(file, name));
}

/// Changes each element of the list at a place.
fn each(value: &mut Value, place: &str, change: impl FnMut(&mut Value)) {
    value.pointer_mut(place).and_then(Value::as_array_mut).into_iter().flatten().for_each(change);
}

/// The image or the PDF that a file holds.
fn medium(body: &Value) -> Option<Value> {
    let (content, file) = (body.get("content")?, body.pointer("/content/file")?);
    let (block, media_type) = match kind(content) {
        "pdf" => ("document", &json!("application/pdf")),
        _ => ("image", file.get("type")?),
    };
    Some(json!({"type": block, "source": {"type": "base64", "media_type": media_type, "data": file.get("base64")?}}))
}

/// What the tags of a text enclose; `None` when it is not wrapped.
fn wrapped(block: &Value) -> Option<String> {
    let text = text(block, "text").strip_prefix("<system-reminder")?;
    let (_, text) = text.split_once(">\n")?;
    let (text, _) = text.rsplit_once("\n</system-reminder")?;
    Some(text.to_owned())
}

/// Unwraps a text.
fn bare(block: &mut Value, is_meant: impl Fn(&str) -> bool) {
    if let Some(inside) = wrapped(block).filter(|inside| is_meant(inside)) {
        block["text"] = Value::from(inside);
    }
}

/// Joins neighbours that are wrapped.
fn join(blocks: &mut Vec<Value>) {
    for block in std::mem::take(blocks) {
        let before = blocks.last_mut().and_then(|last| Some((wrapped(last)?, last)));
        match (before, wrapped(&block)) {
            (Some((one, last)), Some(other)) => {
                last["text"] = Value::from(format!("<system-reminder>\n{one}\n{other}\n</system-reminder>"));
            }
            _ => blocks.push(block),
        }
    }
}
