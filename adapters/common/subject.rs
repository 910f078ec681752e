//! The protocol of SPEC.md 10.4 for adapters in Rust that make requests of neutral histories (10.4.1).

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

/// A message of the history: its role, and its content as blocks. A text is one block.
pub struct Turn {
    /// Whether it is a reply. All others are the user's.
    pub is_reply: bool,
    /// The blocks, as JSON has them.
    pub blocks: Vec<Value>,
}

/// Why there is no request.
pub enum No {
    /// The library's types cannot express the history.
    Unsupported(String),
    /// The library refuses it: the kind of its error, and the error in words.
    Rejected(&'static str, String),
}

/// Answers questions until turnproof says that it is over. `normalize` gives the body of the request, as its bytes.
///
/// A history with a number that would come back as another one is not asked about.
pub fn serve(name: &str, package: &str, lock: &str, mut normalize: impl FnMut(&[Turn]) -> Result<Vec<u8>, No>) {
    for line in io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let asked: Value = serde_json::from_str(&line).expect("a line is JSON");
        match asked["cmd"].as_str() {
            Some("start") => say(&json!({
                "name": name, "version": version(package, lock), "language": "rust", "operations": ["normalize_api"],
                "profile": "anthropic", "lone_surrogates": false,
            })),
            Some("run") => {
                let made = match loses_numbers(&line) {
                    true => Err(No::Unsupported("the input has a number that would be read as another one".into())),
                    false => turns(&asked).and_then(|turns| normalize(&turns)),
                };
                say(&answer(&asked["seq"], made));
            }
            _ => break,
        }
    }
}

fn answer(seq: &Value, made: Result<Vec<u8>, No>) -> Value {
    match made {
        Ok(body) => {
            let body: Value = serde_json::from_slice(&body).expect("the body of a request is JSON");
            json!({"seq": seq, "output": {"messages": body["messages"]}})
        }
        Err(No::Unsupported(why)) => json!({"seq": seq, "unsupported": why}),
        Err(No::Rejected(kind, message)) => json!({"seq": seq, "rejected": {"kind": kind, "message": message}}),
    }
}

fn turns(asked: &Value) -> Result<Vec<Turn>, No> {
    if asked["operation"] != "normalize_api" {
        return Err(No::Unsupported("another operation than normalize_api".into()));
    }
    if asked["input"]["options"]["context"].as_str().is_some_and(|context| !context.is_empty()) {
        return Err(No::Unsupported("a context before the first message".into()));
    }
    asked["input"]["messages"].as_array().map_or(&[][..], Vec::as_slice).iter().map(turn).collect()
}

fn turn(message: &Value) -> Result<Turn, No> {
    let is_reply = match message["type"].as_str() {
        Some("assistant") => true,
        Some("user") => false,
        _ => return Err(No::Unsupported(format!("a message of type {}", message["type"]))),
    };
    Ok(Turn { is_reply, blocks: blocks(&message["message"]["content"]) })
}

/// The blocks of a content. A text is one block, and nothing is none.
pub fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    }
}

/// A member that is a text; the empty text where there is none.
pub fn text<'a>(block: &'a Value, name: &str) -> &'a str {
    block[name].as_str().unwrap_or_default()
}

/// The tools that the history calls, each once, or `run` when it calls none.
pub fn tool_names(turns: &[Turn]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for call in turns.iter().flat_map(|turn| &turn.blocks).filter(|block| block["type"] == "tool_use") {
        if !names.iter().any(|name| name == text(call, "name")) {
            names.push(text(call, "name").to_owned());
        }
    }
    if names.is_empty() {
        names.push(String::from("run"));
    }
    names
}

/// The parameters of all tools. No rule looks at them.
pub fn schema() -> Value {
    json!({"type": "object", "properties": {"command": {"type": "string"}}})
}

/// That the library has no type for a block there.
pub fn unsupported(block: &Value, place: &str) -> No {
    let source = block["source"]["type"].as_str().map(|source| format!(" ({source})")).unwrap_or_default();
    No::Unsupported(format!("{}{source} in {place}", text(block, "type")))
}

/// The version of a package that is pinned in a Cargo.lock.
fn version<'a>(package: &str, lock: &'a str) -> &'a str {
    let entry = format!("name = \"{package}\"\nversion = \"");
    let after = lock.split_once(&entry).map_or("", |(_, after)| after);
    after.split_once('"').map_or("", |(version, _)| version)
}

/// Whether JSON has a whole number beyond 64 bits, which `serde_json` reads as a double.
fn loses_numbers(json: &str) -> bool {
    let mut rest = json.chars();
    let mut token = String::new();
    let is_lost = |token: &mut String| {
        let is_whole = !token.is_empty() && !token.contains(['.', 'e', 'E']);
        let lost = is_whole && token.parse::<i64>().is_err() && token.parse::<u64>().is_err();
        token.clear();
        lost
    };
    while let Some(next) = rest.next() {
        match next {
            '0'..='9' | '-' | '+' | '.' | 'e' | 'E' if !token.is_empty() || next == '-' || next.is_ascii_digit() => {
                token.push(next);
            }
            _ if is_lost(&mut token) => return true,
            '"' => skip_string(&mut rest),
            _ => {}
        }
    }
    is_lost(&mut token)
}

fn skip_string(rest: &mut std::str::Chars<'_>) {
    while let Some(next) = rest.next() {
        match next {
            '\\' => _ = rest.next(),
            '"' => return,
            _ => {}
        }
    }
}

fn say(answer: &Value) {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{answer}").and_then(|()| out.flush());
    if written.is_err() {
        std::process::exit(0);
    }
}
