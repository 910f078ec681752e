//! A *plain* normalizer: slow, straight through the steps, to make right requests for any list.
//! Attachments of other kinds than texts, and media that the API refused, are left to the pairs.

use serde_json::{Value, json};

use super::build::{missing, text, told};
use crate::shapes::fitted;

const SERVER_RESULTS: [&str; 3] = ["web_search_tool_result", "mcp_tool_result", "other_tool_result"];

fn kind(value: &Value) -> &str {
    value["type"].as_str().unwrap_or("")
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The request for a list of messages.
pub fn normalize(events: &[Value], context: Option<&str>) -> Value {
    let mut messages = regroup(stand(&reorder(events)));
    for (role, blocks) in &mut messages {
        blocks.retain(|block| is_fit(role, block));
        blocks.iter_mut().for_each(clean);
    }
    let mut turns = merge(messages);
    pair(&mut turns);
    pair_servers(&mut turns);
    calls_last(&mut turns);
    finish(turns, context)
}

type Turn = (String, Vec<Value>);

fn reorder(events: &[Value]) -> Vec<Value> {
    let mut list = events.to_vec();
    // Each attachment walks up alone, over all but attachments and stops.
    for index in 0..list.len() {
        let mut at = index;
        while kind(&list[at]) == "attachment" && at > 0 {
            let before = &list[at - 1];
            let blocks = before["message"]["content"].as_array().cloned().unwrap_or_default();
            let has_result = kind(before) == "user" && blocks.iter().any(|block| kind(block) == "tool_result");
            if has_result || matches!(kind(before), "attachment" | "assistant") {
                break;
            }
            list.swap(at, at - 1);
            at -= 1;
        }
    }
    list.retain(|event| event["isVirtual"] != true);
    list
}

/// Role, reply and blocks of each message that is sent.
fn stand(events: &[Value]) -> Vec<(String, Option<String>, Vec<Value>)> {
    let mut messages = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let content = match &event["message"]["content"] {
            Value::String(words) => vec![text(words)],
            Value::Array(blocks) => blocks.clone(),
            _ => Vec::new(),
        };
        let withdraws = |later: &Value| kind(later) == "tombstone" && later["message"]["uuid"] == event["uuid"];
        match kind(event) {
            "user" => messages.push(("user".to_owned(), None, content)),
            "assistant" if event["isApiErrorMessage"] == true || events[index..].iter().any(withdraws) => {}
            "assistant" => {
                let reply = event["message"]["id"].as_str().filter(|id| !id.is_empty());
                messages.push(("assistant".to_owned(), reply.map(str::to_owned), content));
            }
            "system" if event["subtype"] == "local_command" => {
                let words = event["content"].as_str();
                messages.push(("user".to_owned(), None, words.map(text).into_iter().collect()));
            }
            "attachment" => {
                let words = event["attachment"]["newDate"].as_str().filter(|words| !is_blank(words));
                messages.extend(words.map(|words| ("user".to_owned(), None, vec![told(words)])));
            }
            _ => {}
        }
    }
    messages
}

fn regroup(messages: Vec<(String, Option<String>, Vec<Value>)>) -> Vec<Turn> {
    let mut grouped: Vec<(String, Option<String>, Vec<Value>)> = Vec::new();
    for message in messages {
        let first = grouped.iter_mut().find(|first| message.1.is_some() && first.1 == message.1);
        match first {
            Some(first) => first.2.extend(message.2),
            None => grouped.push(message),
        }
    }
    grouped.into_iter().map(|(role, _, blocks)| (role, blocks)).collect()
}

fn is_fit(role: &str, block: &Value) -> bool {
    let filled = |name: &str| block[name].as_str().is_some_and(|text| !text.is_empty());
    let is_assistant = role == "assistant";
    let may_carry = match kind(block) {
        "tool_result" | "image" => !is_assistant,
        "tool_use" | "server_tool_use" | "mcp_tool_use" | "thinking" => is_assistant,
        other if SERVER_RESULTS.contains(&other) && other != "other_tool_result" => is_assistant,
        _ => true,
    };
    match kind(block) {
        "" => false,
        "text" => block["text"].as_str().is_some_and(|text| !is_blank(text)),
        "thinking" => may_carry && filled("signature") && fitted(block).is_some(),
        _ => may_carry && fitted(&mended(block)).is_some(),
    }
}

/// A block with its input as an object, and with content that a result may have.
fn mended(block: &Value) -> Value {
    let mut block = block.clone();
    let Some(members) = block.as_object_mut() else { return block };
    let type_name = members.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    if type_name.ends_with("tool_use") {
        let input = match members.remove("input") {
            None => json!({}),
            Some(Value::Null) if type_name != "tool_use" => json!({}),
            Some(input) if input.is_object() => input,
            Some(input) => json!({ "input": input }),
        };
        members.insert("input".to_owned(), input);
    }
    if matches!(type_name.as_str(), "tool_result" | "mcp_tool_result") {
        match members.remove("content") {
            None | Some(Value::Null) => {}
            Some(Value::Array(mut elements)) => {
                if type_name == "tool_result" {
                    elements.retain(|element| kind(element) != "text" || is_fit("user", element));
                }
                elements.retain(|element| !kind(element).is_empty());
                if type_name != "tool_result" || !elements.is_empty() {
                    members.insert("content".to_owned(), Value::Array(elements));
                }
            }
            Some(Value::String(text)) => drop(members.insert("content".to_owned(), text.into())),
            Some(other) => drop(members.insert("content".to_owned(), other.to_string().into())),
        }
    }
    block
}

fn clean(block: &mut Value) {
    *block = mended(block);
    if let Some(fitting) = fitted(block) {
        *block = fitting;
    }
    let Some(members) = block.as_object_mut() else { return };
    if members["type"] == "other" {
        members.retain(|name, _| !name.starts_with('_') && !name.contains(char::is_uppercase) && name != "uuid");
    }
    if members["type"] == "tool_result" && members.get("content") == Some(&json!([])) {
        members.remove("content");
    }
}

fn merge(messages: Vec<Turn>) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for (role, blocks) in messages {
        match turns.last_mut() {
            Some(last) if last.0 == role => last.1.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    turns
}

/// Takes out of a turn the calls that say again what one of their turn says.
fn drop_repeats(blocks: &mut Vec<Value>) {
    let mut said: Vec<Value> = Vec::new();
    blocks.retain(|block| {
        let what = json!([kind(block), block["id"], block["name"], block["input"]]);
        let stays = kind(block) != "tool_use" || !said.contains(&what);
        said.push(what);
        stays
    });
}

/// The id of a call as it is sent, when so many calls before it had its own.
fn sent_id(id: &str, earlier: usize, is_legal: bool, prefix: &str) -> String {
    let hex: String = id.bytes().map(|byte| format!("{byte:02x}")).collect();
    if is_legal && earlier == 0 { id.to_owned() } else { format!("{prefix}{hex}x{earlier}") }
}

/// A call: its turn, its id, the id under which it is sent, its result.
struct Call {
    turn: usize,
    id: String,
    sent: String,
    answer: Option<Value>,
}

fn pair(turns: &mut Vec<Turn>) {
    let mut calls: Vec<Call> = Vec::new();
    for (at, (_, blocks)) in turns.iter_mut().enumerate() {
        drop_repeats(blocks);
        for block in blocks.iter_mut() {
            if kind(block) == "tool_use" {
                let id = block["id"].as_str().expect("an id").to_owned();
                let earlier = calls.iter().filter(|call| call.id == id).count();
                let sent = sent_id(&id, earlier, id != "t:1" && !id.is_empty(), "legal_");
                block["id"] = json!(sent);
                calls.push(Call { turn: at, id, sent, answer: None });
            } else if kind(block) == "tool_result" {
                let own = |call: &&mut Call| json!(call.id) == block["tool_use_id"] && call.turn < at;
                let last = calls.iter_mut().filter(own).map(|call| call.turn).max();
                let mut waiting = calls.iter_mut().filter(own).filter(|call| Some(call.turn) == last);
                if let Some(call) = waiting.find(|call| call.answer.is_none()) {
                    block["tool_use_id"] = json!(call.sent);
                    call.answer = Some(block.clone());
                }
            }
        }
    }
    if calls.iter().any(|call| call.turn + 1 == turns.len()) {
        turns.push(("user".to_owned(), Vec::new()));
    }
    for (at, (_, blocks)) in turns.iter_mut().enumerate() {
        blocks.retain(|block| kind(block) != "tool_result");
        let own = calls.iter().filter(|call| call.turn + 1 == at);
        blocks.splice(0..0, own.map(|call| call.answer.clone().unwrap_or_else(|| missing(&call.sent))));
    }
}

fn pair_servers(turns: &mut [Turn]) {
    let mut ids: Vec<String> = Vec::new();
    for (_, blocks) in turns.iter_mut() {
        let mut taken = Vec::new();
        let mut pairs = Vec::new();
        for (at, call) in blocks.iter().enumerate() {
            let wanted = match kind(call) {
                "mcp_tool_use" => "mcp_tool_result",
                "server_tool_use" => "web_search_tool_result",
                _ => continue,
            };
            let mut later = (at..blocks.len()).filter(|&at| kind(&blocks[at]) == wanted && !taken.contains(&at));
            if let Some(answer) = later.find(|&at| blocks[at]["tool_use_id"] == call["id"]) {
                taken.push(answer);
                pairs.push((at, answer));
            }
        }
        let mut said: Vec<Value> = Vec::new();
        let mut kept = Vec::new();
        for (at, answer) in pairs {
            let call = &blocks[at];
            let what = json!([kind(call), call["id"], call["name"], call["input"]]);
            if said.contains(&what) {
                continue;
            }
            said.push(what);
            let id = call["id"].as_str().expect("an id").to_owned();
            let is_legal =
                id.starts_with("srvtoolu_") || (kind(call) == "mcp_tool_use" && id != "t:1" && !id.is_empty());
            let earlier = ids.iter().filter(|other| **other == id).count();
            let sent = sent_id(&id, earlier, is_legal, "srvtoolu_x");
            blocks[at]["id"] = json!(sent);
            blocks[answer]["tool_use_id"] = json!(sent);
            ids.push(id);
            kept.extend([at, answer]);
        }
        let mut at = 0;
        blocks.retain(|block| {
            at += 1;
            let is_call = matches!(kind(block), "mcp_tool_use" | "server_tool_use");
            let is_server = is_call || matches!(kind(block), "mcp_tool_result" | "web_search_tool_result");
            !is_server || kept.contains(&(at - 1))
        });
    }
}

fn calls_last(turns: &mut [Turn]) {
    for (_, blocks) in turns {
        let call = blocks.iter().position(|block| kind(block) == "tool_use");
        let is_server = |block: &Value| {
            matches!(kind(block), "mcp_tool_use" | "server_tool_use" | "mcp_tool_result" | "web_search_tool_result")
        };
        let server = blocks.iter().rposition(is_server);
        if call.zip(server).is_some_and(|(call, server)| call < server) {
            blocks.sort_by_key(|block| kind(block) == "tool_use");
        }
    }
}

fn finish(mut turns: Vec<Turn>, context: Option<&str>) -> Value {
    for (_, blocks) in turns.iter_mut().filter(|turn| turn.0 == "assistant") {
        while blocks.last().is_some_and(|block| kind(block) == "thinking") {
            blocks.pop();
        }
    }
    turns.retain(|(role, blocks)| role == "user" || !blocks.is_empty());
    let mut turns = merge(turns);
    if turns.first().is_some_and(|turn| turn.0 == "assistant") {
        turns.insert(0, ("user".to_owned(), Vec::new()));
    }
    for (_, blocks) in turns.iter_mut().filter(|turn| turn.1.is_empty()) {
        blocks.push(text("(no content)"));
    }
    if let Some((_, blocks)) = turns.last_mut().filter(|turn| turn.0 == "assistant")
        && let Some(last) = blocks.last_mut().filter(|block| kind(block) == "text")
    {
        last["text"] = last["text"].as_str().expect("text").trim_end().into();
    }
    if let (Some(context), Some(first)) = (context.filter(|context| !is_blank(context)), turns.first_mut()) {
        first.1.insert(0, text(context));
    }
    turns.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}
