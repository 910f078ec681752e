//! A *plain* normalizer: slow, straight through the steps, to make right requests for any list.
//! Attachments of other kinds than texts, and media that the API refused, are left to the pairs.

use serde_json::{Value, json};

use super::build::{missing, text};
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
                messages.extend(words.map(|words| ("user".to_owned(), None, vec![text(words)])));
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

fn pair(turns: &mut Vec<Turn>) {
    let mut seen = Vec::new();
    for (_, blocks) in turns.iter_mut() {
        blocks.retain(|block| {
            let is_new = kind(block) != "tool_use" || !seen.contains(&block["id"]);
            if kind(block) == "tool_use" {
                seen.push(block["id"].clone());
            }
            is_new
        });
    }
    let mut results: Vec<Vec<Value>> = vec![Vec::new(); turns.len() + 1];
    for (at, (_, blocks)) in turns.iter().enumerate() {
        for call in blocks.iter().filter(|block| kind(block) == "tool_use") {
            let mut later = turns[at..].iter().flat_map(|turn| &turn.1);
            let answer = later.find(|block| kind(block) == "tool_result" && block["tool_use_id"] == call["id"]);
            let id = call["id"].as_str().expect("an id");
            results[at + 1].push(answer.cloned().unwrap_or_else(|| missing(id)));
        }
    }
    if !results[turns.len()].is_empty() {
        turns.push(("user".to_owned(), Vec::new()));
    }
    for ((_, blocks), results) in turns.iter_mut().zip(results) {
        blocks.retain(|block| kind(block) != "tool_result");
        blocks.splice(0..0, results);
    }
    for block in turns.iter_mut().flat_map(|turn| &mut turn.1) {
        // The ids of the pool that the API refuses, under others that no call has.
        for (name, kinds) in [("id", "tool_use"), ("tool_use_id", "tool_result")] {
            if kind(block) == kinds && block[name] == "t:1" {
                block[name] = json!("legal_1");
            } else if kind(block) == kinds && block[name] == "" {
                block[name] = json!("legal_2");
            }
        }
    }
}

fn pair_servers(turns: &mut [Turn]) {
    let mut ids = Vec::new();
    for (_, blocks) in turns.iter_mut() {
        let mut taken = Vec::new();
        let mut kept = Vec::new();
        for (at, call) in blocks.iter().enumerate() {
            let wanted = match kind(call) {
                "mcp_tool_use" => "mcp_tool_result",
                "server_tool_use" => "web_search_tool_result",
                _ => continue,
            };
            let mut later = (at..blocks.len()).filter(|&at| kind(&blocks[at]) == wanted && !taken.contains(&at));
            if let Some(answer) = later.find(|&at| blocks[at]["tool_use_id"] == call["id"]) {
                taken.push(answer);
                if !ids.contains(&call["id"]) {
                    ids.push(call["id"].clone());
                    kept.extend([at, answer]);
                }
            }
        }
        let mut at = 0;
        blocks.retain_mut(|block| {
            at += 1;
            let is_call = matches!(kind(block), "mcp_tool_use" | "server_tool_use");
            let is_server = is_call || matches!(kind(block), "mcp_tool_result" | "web_search_tool_result");
            let name = if is_call { "id" } else { "tool_use_id" };
            let is_mcp = kind(block).starts_with("mcp");
            if is_server && (block[name] == "t:1" || block[name] == "" || (!is_mcp && block[name] == "t1")) {
                block[name] = json!(format!("srvtoolu_x{}", block[name].as_str().map_or(0, str::len)));
            }
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
