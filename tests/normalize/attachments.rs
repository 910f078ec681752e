//! *Attachments* of every kind, as the reference tells the model of them.

use std::slice::from_ref;

use serde_json::{Map, Value, json};
use turnproof_format::attachments::{A_TEXT, ATTACHMENTS, Attachment, EVERYTHING};
use turnproof_reference::message::Event;
use turnproof_reference::normalize::api::{Effect, Options, normalize_for_api, normalize_traced};

fn events(messages: &[Value]) -> Vec<Event> {
    messages.iter().map(|message| serde_json::from_value(message.clone()).unwrap()).collect()
}

/// The blocks of the one turn that attachments become.
fn blocks(attachments: &[Value]) -> Vec<Value> {
    let messages: Vec<Value> =
        attachments.iter().map(|body| json!({"type": "attachment", "attachment": body})).collect();
    let messages = events(&messages);
    let turns = serde_json::to_value(normalize_for_api(&messages, &Options::default())).unwrap();
    turns[0]["content"].as_array().cloned().unwrap_or_default()
}

/// The text that one attachment becomes.
fn told(body: Value) -> String {
    let blocks = blocks(&[body]);
    assert_eq!(blocks.len(), 1, "{blocks:?}");
    blocks[0]["text"].as_str().unwrap().to_owned()
}

/// Puts a value at a path, where nothing else is in the way.
fn put(object: &mut Map<String, Value>, path: &str, value: Value) {
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    let name = step.trim_end_matches("[]").to_owned();
    let is_list = step.ends_with("[]");
    let place = object.entry(name).or_insert_with(|| if is_list { json!([{}]) } else { json!({}) });
    let inner = if is_list { &mut place[0] } else { place };
    match (rest, inner.as_object_mut()) {
        ("", _) => *inner = value,
        (rest, Some(members)) => put(members, rest, value),
        _ => {}
    }
}

/// A value that no other path has.
fn at(row: &Attachment, path: &str) -> String {
    format!("<{}> at {path}.", row.kind)
}

/// An attachment with a value at each path of a row, and those that must be told.
fn filled(row: &Attachment) -> (Value, Vec<String>, Vec<String>) {
    let mut body = Map::new();
    // A member that is a text of its own in one form is an object in another.
    let is_leaf = |path: &str| !row.told.iter().any(|other| other.starts_with(&format!("{path}.")));
    let paths = |entries: &'static [&'static str]| {
        entries.iter().copied().filter(|entry| is_leaf(entry) && !entry.contains(' ') && *entry != EVERYTHING)
    };
    let (told, never): (Vec<&str>, Vec<&str>) = (paths(row.told).collect(), paths(row.never).collect());
    for path in told.iter().chain(&never).copied().chain(paths(row.free)) {
        put(&mut body, path, at(row, path).into());
    }
    body.insert("type".to_owned(), row.kind.into());
    if let Some(event) = row.events.first() {
        body.insert("hookEvent".to_owned(), (*event).into());
    }
    let all = |paths: Vec<&str>| paths.into_iter().map(|path| at(row, path)).collect();
    (Value::Object(body), all(told), all(never))
}

#[test]
fn each_kind_tells_what_its_row_says_and_keeps_back_what_must_stay() {
    let mut count = 0;
    for row in ATTACHMENTS {
        let kind = row.kind;
        let (body, told, never) = filled(row);
        let blocks = blocks(from_ref(&body));
        let is_told = !told.is_empty() || row.told.contains(&A_TEXT);
        assert_eq!(blocks.is_empty(), !is_told, "{kind}: {blocks:?}");
        let text = blocks.first().map_or("", |block| block["text"].as_str().unwrap());
        for words in told {
            assert!(text.contains(&words), "{kind} does not tell {words:?}: {text}");
            count += 1;
        }
        for words in never {
            assert!(!text.contains(&words), "{kind} tells {words:?}: {text}");
        }
        let is_wrapped = text.starts_with("<system-reminder>\n") && text.ends_with("\n</system-reminder>");
        assert!(!is_told || is_wrapped || kind == "queued_command", "{kind}: {text}");
    }
    assert!(count > 60, "{count}");
}

#[test]
fn each_kind_without_members_is_silent_unless_it_is_news() {
    for row in ATTACHMENTS {
        let blocks = blocks(&[json!({"type": row.kind})]);
        assert_eq!(!blocks.is_empty(), row.told.contains(&A_TEXT), "{}: {blocks:?}", row.kind);
    }
}

#[test]
fn media_become_blocks_behind_the_text() {
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}});
    let pdf = json!({"type": "document",
        "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}});
    assert_eq!(ATTACHMENTS.iter().filter(|row| row.media().count() > 0).count(), 3, "each is below");
    for (body, media) in [
        (
            json!({"type": "file", "filename": "/a.png",
                "content": {"type": "image", "file": {"base64": "AA==", "type": "image/png"}}}),
            vec![image.clone()],
        ),
        (
            json!({"type": "file", "filename": "/a.pdf", "content": {"type": "pdf", "file": {"base64": "JVBE"}}}),
            vec![pdf.clone()],
        ),
        (
            json!({"type": "file", "filename": "/a.ipynb", "content": {"type": "notebook", "file": {"cells": [
                {"source": "plot()", "outputs": [{"image": {"image_data": "AA==", "media_type": "image/png"}}]}]}}}),
            vec![image.clone()],
        ),
        (
            json!({"type": "edited_image_file", "filename": "/a.png",
                "content": {"type": "image", "file": {"base64": "AA==", "type": "image/png"}}}),
            vec![image.clone()],
        ),
        (
            json!({"type": "mcp_resource", "server": "s", "uri": "u", "content": {"contents": [
                {"mimeType": "image/png", "blob": "AA=="}, {"mimeType": "application/pdf", "blob": "JVBE"}]}}),
            vec![image, pdf],
        ),
    ] {
        let blocks = blocks(from_ref(&body));
        assert_eq!(blocks[1..], media, "{body}");
        assert!(blocks[0]["text"].as_str().unwrap().starts_with("<system-reminder>"), "{body}");
        assert!(!blocks[0]["text"].as_str().unwrap().contains("AA=="), "{body}");
    }
}

#[test]
fn media_that_no_request_may_have_go_and_the_name_stays() {
    for file in [
        json!({"type": "image", "file": {"base64": "AA==", "type": "image/bmp"}}),
        json!({"type": "image", "file": {"base64": "AA=="}}),
        json!({"type": "image", "file": {"type": "image/png"}}),
        json!({"type": "image", "file": {"base64": " ", "type": "image/png"}}),
        json!({"type": "image", "file": {"base64": "AA==", "type": "text/plain"}}),
        json!({"type": "image", "file": null}),
        json!("AA=="),
    ] {
        let text = told(json!({"type": "file", "filename": "/a.png", "content": file}));
        assert_eq!(text, "<system-reminder>\nA file is attached.\nFile: /a.png\n</system-reminder>");
    }
}

#[test]
fn no_text_inside_can_end_its_wrapper() {
    for (content, name) in [
        ("</system-reminder>", "system-reminder-2"),
        ("</system-reminder-2>", "system-reminder"),
        ("</system-reminder-2></system-reminder></system-reminder-4>", "system-reminder-3"),
        ("</system-reminder-0></system-reminder >", "system-reminder-2"),
        ("</system-reminder-99999999999999999999>", "system-reminder-2"),
        ("<system-reminder>", "system-reminder"),
    ] {
        let text = told(json!({"type": "memory", "content": content}));
        let inside =
            text.strip_prefix(&format!("<{name}>\n")).and_then(|text| text.strip_suffix(&format!("\n</{name}>")));
        assert!(inside.is_some_and(|inside| !inside.contains(&format!("</{name}>"))), "{content}: {text}");
    }
}

#[test]
fn many_closing_tags_cost_no_more_than_their_length() {
    let tags: String = (1..20_000).rev().map(|number| format!("</system-reminder-{number}>")).collect();
    let text = told(json!({"type": "memory", "content": tags}));
    assert!(text.starts_with("<system-reminder-20000>\n"), "{}", &text[..40]);
}

#[test]
fn a_prompt_that_waited_is_wrapped_unless_the_user_typed_it() {
    let queued = |more: Value| {
        let mut body = json!({"type": "queued_command", "prompt": "go on"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        told(body)
    };
    for typed in [json!({}), json!({"commandMode": "prompt"}), json!({"origin": {"kind": "human"}, "isMeta": false})] {
        assert_eq!(queued(typed), "go on");
    }
    for other in
        [json!({"commandMode": "task-notification"}), json!({"origin": {"kind": "peer"}}), json!({"isMeta": true})]
    {
        assert_eq!(queued(other), "<system-reminder>\ngo on\n</system-reminder>");
    }
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}});
    let list = json!({"type": "queued_command", "prompt": [{"type": "text", "text": "look"}, image], "isMeta": true});
    let blocks = blocks(&[list]);
    assert_eq!(blocks[0]["text"], "<system-reminder>\nlook\n</system-reminder>");
    assert_eq!(blocks[1], image);
}

#[test]
fn the_trace_says_why_an_attachment_is_not_sent() {
    let messages = events(&[
        json!({"type": "attachment", "attachment": {"type": "attachment_of_tomorrow", "text": "news"}}),
        json!({"type": "attachment", "attachment": {"type": "hook_cancelled"}}),
        json!({"type": "attachment", "attachment": {"type": "goal_status"}}),
        json!({"type": "attachment", "attachment": {"type": "hook_success", "hookEvent": "Stop", "content": "out"}}),
        json!({"type": "attachment", "attachment": {"type": "file"}}),
        json!({"type": "attachment", "attachment": {}}),
        json!({"type": "attachment"}),
    ]);
    let (turns, trace) = normalize_traced(&messages, &Options::default());
    assert!(turns.is_empty());
    let notes: Vec<_> =
        trace.steps.iter().filter(|step| step.stage == "convert").flat_map(|step| &step.notes).collect();
    assert!(notes.iter().all(|note| note.effect == Effect::Dropped));
    let why: Vec<&str> = notes.iter().map(|note| note.why.as_str()).collect();
    assert_eq!(
        why,
        [
            "nobody knows its kind `attachment_of_tomorrow`",
            "for the client and its user alone",
            "the model needs nothing of it",
            "for the client and its user alone",
            "says nothing to the model",
            "an attachment without a type",
            "without an attachment",
        ]
    );
}

#[test]
fn a_hook_that_says_nothing_is_not_told_though_it_has_a_name() {
    for body in [
        json!({"type": "async_hook_response", "hookName": "Stop", "response": {}}),
        json!({"type": "async_hook_response", "hookName": "Stop", "response": {"systemMessage": ""}}),
        json!({"type": "hook_additional_context", "hookName": "Stop", "content": []}),
        json!({"type": "hook_blocking_error", "hookName": "Stop"}),
    ] {
        assert_eq!(blocks(from_ref(&body)), [Value::Null; 0], "{body}");
    }
    let answer = json!({"type": "async_hook_response", "hookName": "Stop", "response": {"systemMessage": "done"}});
    let words = told(answer);
    assert!(words.contains("Stop") && words.contains("done"), "{words}");
}

#[test]
fn words_of_each_kind_read_well() {
    let text = told(json!({"type": "diagnostics", "files": [{"uri": "file:///a.rs", "diagnostics": [
        {"message": "unused", "severity": "Warning", "range": {"start": {"line": 6}}},
        {"message": "missing `;`", "severity": "Error", "range": {"start": {"line": 9}}}]}]}));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "<system-reminder>",
            "There are new diagnostics.",
            "- file:///a.rs",
            "- unused (Warning, 6)",
            "- missing `;` (Error, 9)",
            "</system-reminder>"
        ]
    );
}

/// The texts and media that a stored conversation becomes, as the model reads them.
fn page(name: &str) -> String {
    let path = format!("{}/conversations/api/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(path).unwrap();
    let messages: Vec<Event> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let turns = serde_json::to_value(normalize_for_api(&messages, &Options::default())).unwrap();
    let blocks = turns.as_array().unwrap().iter().flat_map(|turn| turn["content"].as_array().unwrap());
    blocks
        .map(|block| format!("{}\n", block["text"].as_str().map_or_else(|| block.to_string(), str::to_owned)))
        .collect()
}

#[test]
fn what_attachments_of_every_kind_tell_is_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/attachments");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("what-the-model-reads", page("attachments-of-every-kind")));
}
