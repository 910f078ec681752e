//! What the client itself sends of a session: small sessions, and the requests that real sessions prove.

use std::path::Path;

use serde_json::{Value, json};
use turnproof_reference::message::{Entry, Event};
use turnproof_reference::normalize::client::{ClientOptions, normalize_as_client};
use turnproof_reference::sent::{Keep, Sent};
use turnproof_reference::transcript::read_entry;
use turnproof_reference::transcript::resume::{Place, ResumeOptions, resume_file};

use crate::transcripts;

/// The turns that the client makes of records.
fn turns(records: &[Value], options: &ClientOptions) -> Value {
    let events: Vec<Event> = records.iter().filter_map(|record| event(record.to_string().as_bytes())).collect();
    serde_json::to_value(normalize_as_client(&events, options)).unwrap()
}

fn event(record: &[u8]) -> Option<Event> {
    match read_entry(record) {
        Ok(Entry::Event(event)) => Some(event),
        _ => None,
    }
}

fn of_model(model: &str) -> ClientOptions {
    ClientOptions { model: Some(model.to_owned()), ..ClientOptions::default() }
}

fn user(content: Value) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": content}})
}

fn reply(id: &str, blocks: Value) -> Value {
    json!({"type": "assistant", "message": {"id": id, "role": "assistant", "model": "claude-opus-4-6", "content": blocks}})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}})
}

fn result(id: &str, content: Value) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": content})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// An attachment with the text that was sent for it.
fn rendered(text: &str, role: &str) -> Value {
    let text = format!("<system-reminder>\n{text}\n</system-reminder>");
    json!({"type": "attachment", "attachment": {"type": "date"}, "rendered": [{"content": text}], "renderedRole": role})
}

fn reminder(text: &str) -> String {
    format!("<system-reminder>\n{text}\n</system-reminder>")
}

#[test]
fn reminders_come_before_the_prompt_and_in_the_last_result() {
    let session = [
        user(json!("do it")),
        rendered("a", "system"),
        rendered("b", "system"),
        reply("m1", json!([call("t1")])),
        reply("m1", json!([call("t2")])),
        user(json!([result("t1", json!("one"))])),
        rendered("c", "system"),
        user(json!([result("t2", json!([text("two")]))])),
        rendered("d", "system"),
    ];
    assert_eq!(
        turns(&session, &of_model("claude-opus-4-6")),
        json!([
            {"role": "user", "content": [text(&reminder("a")), text(&(reminder("b") + "\n")), text("do it")]},
            {"role": "assistant", "content": [call("t1"), call("t2")]},
            {"role": "user", "content": [
                result("t1", json!(format!("one\n\n{}", reminder("c")))),
                result("t2", json!([text("two\n"), text(&reminder("d"))])),
            ]},
        ])
    );
}

#[test]
fn a_result_is_trimmed_where_a_reminder_is_folded_into_it() {
    let folded = |content: Value| {
        let session = [
            user(json!("do it")),
            reply("m1", json!([call("t1")])),
            user(json!([result("t1", content)])),
            rendered("c", "system"),
        ];
        turns(&session, &of_model("claude-opus-4-6"))[2]["content"][0]["content"].clone()
    };
    assert_eq!(folded(json!(" \n one \n\u{feff}")), format!("one\n\n{}", reminder("c")));
    assert_eq!(folded(json!(" ")), reminder("c"));
    assert_eq!(folded(json!([text(" one ")])), json!([text(" one \n"), text(&reminder("c"))]));
}

#[test]
fn a_prompt_that_waited_is_wrapped_where_the_session_does_not_hold_what_was_sent() {
    let waited = |mode: &str| {
        json!({"type": "attachment", "attachment":
        {"type": "queued_command", "prompt": "and that", "commandMode": mode}})
    };
    let sent = |mode| turns(&[user(json!("do it")), waited(mode)], &of_model("claude-opus-4-6"))[0].to_string();
    assert!(sent("prompt").contains("sent a new message while you were working:\\nand that\\n\\nThis is how"));
    assert!(!sent("task-notification").contains("sent a new message"));
}

#[test]
fn newer_models_get_turns_of_the_system() {
    let session = [user(json!("hi")), rendered("a", "system"), rendered("b", "system"), rendered("c", "user")];
    assert_eq!(
        turns(&session, &of_model("claude-opus-5-5")),
        json!([
            {"role": "user", "content": [text(&(reminder("c") + "\n")), text("hi")]},
            {"role": "system", "content": "a\n\nb"},
        ])
    );
}

#[test]
fn the_words_of_the_client_are_wrapped() {
    let mut note = user(json!("Go on."));
    note["isMeta"] = true.into();
    note["ownNote"] = true.into();
    let mut hook = user(json!("Stop hook feedback"));
    hook["hookText"] = true.into();
    hook["hookTextLead"] = "A hook said:".into();
    let mut task = user(json!("<task-notification>done</task-notification>"));
    task["origin"] = json!({"kind": "task-notification"});
    let sent = turns(&[note, hook, task], &ClientOptions::default());
    let blocks = sent[0]["content"].as_array().unwrap();
    assert_eq!(blocks[0], text(&(reminder("Go on.") + "\n")));
    assert_eq!(blocks[1], text(&(reminder("A hook said:\nStop hook feedback") + "\n")));
    let last = blocks[2]["text"].as_str().unwrap();
    assert!(last.starts_with("<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\n"), "{last}");
    assert!(last.ends_with("\n\n<task-notification>done</task-notification>\n</system-reminder>"), "{last}");
}

#[test]
fn what_has_no_partner_is_dropped() {
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let search = json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}});
    let session = [
        user(json!("first")),
        reply("m1", json!([thinking])),
        user(json!("second")),
        reply("m2", json!([search, text("\n"), text("found")])),
        user(json!([result("t9", json!("of nobody"))])),
        reply("m3", json!([call("t1")])),
        user(json!("never mind")),
        reply("m4", json!([text("fine")])),
    ];
    assert_eq!(
        turns(&session, &ClientOptions::default()),
        json!([
            {"role": "user", "content": [text("first\n"), text("second")]},
            {"role": "assistant", "content": [text("found")]},
            {"role": "user", "content": [text("(no content)")]},
            {"role": "assistant", "content": [{"type": "text", "text": "[Tool use interrupted]", "citations": []}]},
            {"role": "user", "content": "never mind"},
            {"role": "assistant", "content": [text("fine")]},
        ])
    );
}

#[test]
fn a_prompt_comes_behind_what_the_client_adds() {
    let session = [user(json!("do it")), reply("m1", json!([call("t1")]))];
    let options = ClientOptions { prompt: Some("go on".to_owned()), ..ClientOptions::default() };
    let sent = turns(&session, &options);
    let result = sent[2]["content"][0]["content"].as_str().unwrap();
    assert!(result.starts_with("[Tool call interrupted: "), "{result}");
    assert_eq!(sent[3], json!({"role": "assistant", "content": [text("No response requested.")]}));
    assert_eq!(sent[4], json!({"role": "user", "content": "go on"}));
    let command = [user(json!("<local-command-stdout>done</local-command-stdout>"))];
    assert_eq!(turns(&command, &options).as_array().unwrap().len(), 1);
}

#[test]
fn no_response_is_said_behind_what_waits_for_one() {
    let options = ClientOptions { prompt: Some("go on".to_owned()), ..ClientOptions::default() };
    let replies = |session: &[Value]| {
        let sent = turns(session, &options);
        let words = |turn: &Value| turn["content"][0]["text"].as_str().map(str::to_owned);
        sent.as_array().unwrap().iter().filter(|turn| turn["role"] == "assistant").filter_map(words).collect::<Vec<_>>()
    };
    let said = ["No response requested."];
    let prompt = user(json!("do it"));
    let mut error = reply("m1", json!([text("API Error: 403")]));
    error["isApiErrorMessage"] = true.into();
    error["message"]["model"] = "<synthetic>".into();
    let note = json!({"type": "system", "subtype": "informational", "content": "a"});
    let silent = json!({"type": "attachment", "attachment": {"type": "date"}});
    let mut summary = user(json!("so far"));
    summary["isCompactSummary"] = true.into();
    assert_eq!(replies(&[prompt.clone(), silent.clone()]), said);
    assert!(replies(&[prompt.clone(), error.clone(), note]).is_empty());
    assert_eq!(replies(&[prompt.clone(), error, silent.clone()]), said);
    assert_eq!(replies(std::slice::from_ref(&summary)), said);
    assert!(replies(&[summary, silent]).is_empty());
    let command = json!({"type": "system", "subtype": "local_command", "content": "done"});
    let sent = turns(&[prompt.clone(), command.clone()], &options);
    assert_eq!(sent[1]["content"][0]["text"], said[0]);
    assert_eq!(sent[2]["content"], json!([text("done\n"), text("go on")]));
    let printed = json!({"type": "system", "subtype": "local_command", "content": "<local-command-stderr>no"});
    assert!(replies(&[prompt.clone(), printed]).is_empty());
    let sent = turns(&[prompt, reply("m1", json!([call("t1")])), command], &options);
    let result = sent[2]["content"][0]["content"].as_str().unwrap();
    assert!(result.starts_with("[Tool call interrupted: "), "{result}");
    assert_eq!((&sent[2]["content"][1], &sent[3]["content"][0]["text"]), (&text("done"), &said[0].into()));
}

#[test]
fn thinking_of_another_model_and_stripped_thinking_are_left_out() {
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let session = [user(json!("hi")), reply("m1", json!([thinking, text("hello")]))];
    let blocks = |session: &[Value], model| turns(session, &of_model(model))[1]["content"].as_array().unwrap().len();
    assert_eq!(blocks(&session, "claude-opus-4-6"), 2);
    assert_eq!(blocks(&session, "claude-sonnet-4-5"), 1);
    let stripped = json!({"type": "attachment", "attachment": {"type": "thinking_stripped", "scope": "all"}});
    let session = [session.to_vec(), vec![stripped]].concat();
    assert_eq!(blocks(&session, "claude-opus-4-6"), 1);
}

#[test]
fn references_need_their_tools() {
    let reference = json!({"type": "tool_reference", "tool_name": "Todo"});
    let session = [
        user(json!("hi")),
        reply("m1", json!([call("t1")])),
        user(json!([result("t1", json!([reference]))])),
        rendered("a", "system"),
    ];
    let with = |tools: &[&str]| {
        let tools = Some(tools.iter().map(ToString::to_string).collect());
        turns(&session, &ClientOptions { tools, ..ClientOptions::default() })[2]["content"].clone()
    };
    let loaded = json!([result("t1", json!([reference])), text("Tool loaded."), text(&reminder("a"))]);
    assert_eq!(with(&["ToolSearch", "Todo"]), loaded);
    let removed = text("[Tool references removed - tools no longer available]\n");
    assert_eq!(with(&["Bash"]), json!([result("t1", json!([removed, text(&reminder("a"))]))]));
    assert_eq!(with(&["Todo"])[0]["content"][0]["text"], "[Tool references removed - tool search not enabled]");
}

/// The mark of a text that was cut when the session was handed on.
const CUT: &str = " characters of the client's own text left out";

/// What is left of a text that was cut.
fn head(text: &str) -> Option<String> {
    let cut = text.find(CUT)?;
    text[..cut].rfind(" … ").map(|at| text[..at].to_owned())
}

/// Whether two values are equal, where texts that were cut are compared as far as they are there.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => {
            let bare = |text: &str| text.replace("<system-reminder>\n", "");
            match (head(one).map(|head| bare(&head)), head(other).map(|head| bare(&head))) {
                (None, None) => one == other,
                (Some(head), _) if bare(other).starts_with(&head) => true,
                (_, Some(head)) => bare(one).starts_with(&head),
                _ => false,
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let members = |object: &serde_json::Map<String, Value>| {
                object.iter().filter(|(name, _)| *name != "cache_control").count()
            };
            members(one) == members(other)
                && one
                    .iter()
                    .filter(|(name, _)| *name != "cache_control")
                    .all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other,
    }
}

/// Role and content of the turns, with a list of blocks each. A turn of the system may also have `output_config`.
fn listed(turns: &Value) -> Value {
    let turn = |turn: &Value| match turn["content"].as_str() {
        Some(words) => json!({"role": turn["role"], "content": [text(words)]}),
        None => json!({"role": turn["role"], "content": turn["content"]}),
    };
    turns.as_array().into_iter().flatten().map(turn).collect()
}

/// What the client sends of the beginning of a file.
fn sent_of_beginning(bytes: &[u8], body: &Value) -> Option<Value> {
    let places = resume_file(bytes, &ResumeOptions::default()).ok()?.ok()?.places;
    let of = |place: &Place| event(&bytes[place.start as usize..place.end as usize]);
    let events: Vec<Event> = places.iter().filter_map(of).collect();
    let tools = body["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str());
    let options = ClientOptions {
        model: body["model"].as_str().map(str::to_owned),
        tools: Some(tools.map(str::to_owned).collect()),
        prompt: None,
    };
    serde_json::to_value(normalize_as_client(&events, &options)).ok()
}

#[test]
fn each_beginning_of_a_real_session_gives_the_request_that_was_sent_there() {
    let files = transcripts::of_client();
    if files.is_empty() {
        eprintln!("skipped: there are no transcripts of a real client");
        return;
    }
    let (mut requests, mut others) = (0, Vec::new());
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let sent = Sent::read(&bytes[..], Keep::Bodies).unwrap();
        for (index, request) in sent.requests().iter().enumerate().filter(|(_, request)| request.agent.is_none()) {
            let body: Value = serde_json::from_str(&sent.body(index).unwrap().json).unwrap();
            let beginning = &bytes[..request.start as usize];
            let made = sent_of_beginning(beginning, &body).unwrap_or_default();
            requests += 1;
            if !is_same(&listed(&made), &listed(&body["messages"])) {
                others.push(format!("{} request {}", name(path), index + 1));
            }
        }
    }
    eprintln!(
        "{} of {requests} requests are as the client sent them; not {}",
        requests - others.len(),
        others.join(", ")
    );
    assert!(others.len() * 50 <= requests, "{others:?}");
}

fn name(path: &Path) -> String {
    path.ancestors().nth(2).and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
}

/// Recorded of 2.1.332: of attachments without `rendered`, only a picture of a file is sent.
#[test]
fn of_media_of_attachments_without_rendered_only_the_pictures_of_files_are_sent() {
    let attached = |attachment: Value| json!({"type": "attachment", "attachment": attachment});
    let picture = json!({"type": "image", "file": {"base64": "iVBORw0KGgo=", "type": "image/png"}});
    let pdf = json!({"type": "pdf", "file": {"filePath": "/a.pdf", "base64": "JVBERi0xLjQK", "originalSize": 9}});
    let resource = json!({"contents": [{"uri": "docs://a", "mimeType": "image/png", "blob": "iVBORw0KGgo="}]});
    let sent = |attachment: Value| {
        let turns = turns(&[user(json!("look")), attached(attachment)], &of_model("claude-opus-4-6"));
        let blocks = turns[0]["content"].as_array().cloned().unwrap_or_default();
        blocks.iter().map(|block| block["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(sent(json!({"type": "file", "filename": "/a.png", "content": picture})), "text image text");
    assert_eq!(sent(json!({"type": "file", "filename": "/a.pdf", "content": pdf})), "text text");
    assert_eq!(
        sent(json!({"type": "mcp_resource", "server": "docs", "uri": "docs://a", "content": resource})),
        "text text"
    );
    assert_eq!(sent(json!({"type": "edited_image_file", "filename": "/a.png", "content": picture})), "");
}
