//! Unread faults in what *attachments* tell.

use turnproof::operation::Value;
use turnproof_rules::json;

use super::{Unread, unread};
use crate::walk::{kind, lists, remove, text};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-diagnostics-of-one-file",
        "6.5.1: diagnostics: told: files[].uri, files[].diagnostics[].message",
        "tells the diagnostics of the first file alone",
        Wrong::EachAttachment(|body| {
            if let Some(files) = of(body, "diagnostics").and_then(|body| body.get_mut("files")?.as_array_mut()) {
                files.truncate(1);
            }
        }),
    ),
    unread(
        "normalize_api/unread-diagnostics-without-severity",
        "6.5.1: diagnostics: told: files[].diagnostics[].severity",
        "tells what is wrong in a file, and not how bad it is",
        Wrong::EachAttachment(|body| {
            let files = of(body, "diagnostics").and_then(|body| body.get_mut("files")?.as_array_mut());
            for diagnostics in
                files.into_iter().flatten().filter_map(|file| file.get_mut("diagnostics")?.as_array_mut())
            {
                diagnostics.iter_mut().for_each(|one| remove(one, "severity"));
            }
        }),
    ),
    unread(
        "normalize_api/unread-tasks-without-status",
        "6.5.1: todo_reminder and task_reminder: told: content[].status",
        "lists the tasks in a reminder without their status",
        Wrong::EachAttachment(|body| {
            if matches!(kind(body), "todo_reminder" | "task_reminder") {
                let tasks = body.get_mut("content").and_then(Value::as_array_mut);
                tasks.into_iter().flatten().for_each(|task| remove(task, "status"));
            }
        }),
    ),
    unread(
        "normalize_api/unread-cells-without-outputs",
        "6.5.1: file: told: content.file.cells[].outputs[].text, medium of content.file.cells[].outputs[].image",
        "tells the source of the cells of a notebook, and not what they put out",
        Wrong::EachAttachment(|body| {
            let cells = of(body, "file").and_then(|body| body.pointer_mut("/content/file/cells")?.as_array_mut());
            cells.into_iter().flatten().for_each(|cell| remove(cell, "outputs"));
        }),
    ),
    unread(
        "normalize_api/unread-memories-are-strings",
        "6.5.1: memory, nested_memory: told: content, content.content",
        "tells a memory whose content is a text, and not one whose content is an object with it",
        Wrong::EachAttachment(|body| {
            if matches!(kind(body), "memory" | "nested_memory") && body.get("content").is_some_and(Value::is_object) {
                remove(body, "content");
            }
        }),
    ),
    unread(
        "normalize_api/unread-skills-by-name",
        "6.5.1: invoked_skills: told: skills[].name, skills[].content",
        "names the skills that were invoked, and does not say what they hold",
        Wrong::EachAttachment(|body| {
            let skills = of(body, "invoked_skills").and_then(|body| body.get_mut("skills")?.as_array_mut());
            skills.into_iter().flatten().for_each(|skill| remove(skill, "content"));
        }),
    ),
    unread(
        "normalize_api/unread-instructions-are-not-withdrawn",
        "6.5.1: mcp_instructions_delta: told: addedBlocks, removedNames",
        "tells the instructions of new servers, and not which servers are gone",
        Wrong::EachAttachment(|body| {
            of(body, "mcp_instructions_delta").into_iter().for_each(|body| remove(body, "removedNames"));
        }),
    ),
    unread(
        "normalize_api/unread-late-hooks-add-nothing",
        "6.5.1: async_hook_response: told: response.hookSpecificOutput.additionalContext",
        "does not look into the output that is specific to a hook",
        Wrong::EachAttachment(|body| {
            let response = of(body, "async_hook_response").and_then(|body| body.get_mut("response"));
            response.into_iter().for_each(|response| remove(response, "hookSpecificOutput"));
        }),
    ),
    unread(
        "normalize_api/unread-hooks-of-prompts-say-nothing",
        "6.5.1: hook_success at SessionStart, UserPromptSubmit: told: content",
        "tells what a hook said at the start of a session, and not what one said to a prompt",
        Wrong::EachAttachment(|body| {
            if text(body, "hookEvent") == "UserPromptSubmit" {
                of(body, "hook_success").into_iter().for_each(|body| remove(body, "content"));
            }
        }),
    ),
    unread(
        "normalize_api/unread-hooks-of-any-event",
        "6.5.1: hook_success at other events: told: nothing",
        "tells what a hook said whatever the event was",
        Wrong::EachAttachment(|body| {
            of(body, "hook_success").into_iter().for_each(|body| body["hookEvent"] = json!("SessionStart"));
        }),
    ),
    unread(
        "normalize_api/unread-selection-without-its-end",
        "6.5.1: selected_lines_in_ide: told: filename, lineStart, lineEnd, content",
        "says where selected lines begin, and not where they end",
        Wrong::EachAttachment(|body| {
            of(body, "selected_lines_in_ide").into_iter().for_each(|body| remove(body, "lineEnd"));
        }),
    ),
    unread(
        "normalize_api/unread-same-reminder-once",
        "6.5.1: all that an attachment tells is there once; 6.17.2: what each attachment tells",
        "does not send an attachment that says the same as an earlier one",
        Wrong::Messages(|messages| {
            let mut known: Vec<Value> = Vec::new();
            messages.retain(|message| {
                if kind(message) != "attachment" {
                    return true;
                }
                let is_new = !known.contains(&message["attachment"]);
                known.push(message["attachment"].clone());
                is_new
            });
        }),
    ),
    unread(
        "normalize_api/unread-last-list-of-tasks",
        "6.17.2: what each attachment tells is in the request; 6.17.6: a new message changes no earlier turn",
        "sends the newest list of tasks alone",
        Wrong::Messages(|messages| {
            let is_list = |message: &Value| {
                message.get("attachment").is_some_and(|body| matches!(kind(body), "todo_reminder" | "task_reminder"))
            };
            let last = messages.iter().rposition(is_list);
            let mut at = 0..;
            messages.retain(|message| {
                let at = at.next();
                !is_list(message) || at == last
            });
        }),
    ),
    unread(
        "normalize_api/unread-prompts-of-nobody-are-typed",
        "6.5.2: a prompt was typed if isMeta is not true",
        "sends a prompt that the client made up as if the user had typed it",
        Wrong::EachAttachment(|body| {
            of(body, "queued_command").into_iter().for_each(|body| remove(body, "isMeta"));
        }),
    ),
    unread(
        "normalize_api/unread-pictures-before-their-names",
        "6.5.1: what an attachment tells stands in one text of its own, which comes before its media",
        "sends the picture of a file before the text that names it",
        Wrong::List(|_, turns| {
            lists(turns, "user", |list| {
                for at in 1..list.len() {
                    let is_told = text(&list[at - 1], "text").starts_with("<system-reminder>");
                    if is_told && matches!(kind(&list[at]), "image" | "document") {
                        list.swap(at - 1, at);
                    }
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-files-end-their-wrapping",
        "6.5.2: the closing tag stands nowhere else in the text, so that no file can end it",
        "wraps what an attachment tells in the same tag, whatever stands inside",
        Wrong::List(|asked, turns| {
            const END: &str = "</system-reminder>";
            if !asked.messages.iter().any(|message| kind(message) == "attachment" && message.to_string().contains(END))
            {
                return;
            }
            lists(turns, "user", |list| {
                for block in list.iter_mut().filter(|block| kind(block) == "text") {
                    let said = text(block, "text").trim();
                    let Some((tag, rest)) = said.strip_prefix('<').and_then(|said| said.split_once('>')) else {
                        continue;
                    };
                    let inside = rest.strip_suffix(&format!("</{tag}>"));
                    if let Some(inside) = inside.filter(|inside| tag != "system-reminder" && inside.contains(END)) {
                        block["text"] = format!("<system-reminder>{inside}{END}").into();
                    }
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-what-was-typed-is-one-text",
        "6.5.1: each text block of a prompt gives a text of its own, and what is no text is sent as it is",
        "sends the texts of a prompt that waited, and not its pictures",
        Wrong::EachAttachment(|body| {
            if let Some(list) = of(body, "queued_command").and_then(|body| body.get_mut("prompt")?.as_array_mut()) {
                list.retain(|block| kind(block) == "text");
            }
        }),
    ),
    unread(
        "normalize_api/unread-pictures-are-attached-first",
        "6.1: attachments keep their order",
        "moves an attachment with a picture or a document before one without",
        Wrong::Messages(|messages| {
            let is_attachment = |message: &Value| kind(message) == "attachment";
            let has_media = |message: &Value| message.to_string().contains("\"base64\"");
            for at in 1..messages.len() {
                let is_pair = is_attachment(&messages[at - 1]) && is_attachment(&messages[at]);
                if is_pair && has_media(&messages[at]) && !has_media(&messages[at - 1]) {
                    messages.swap(at - 1, at);
                }
            }
        }),
    ),
];

/// The body of an attachment of this kind.
fn of<'a>(body: &'a mut Value, type_name: &str) -> Option<&'a mut Value> {
    (kind(body) == type_name).then_some(body)
}
