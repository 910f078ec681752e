//! The rules on *requests*: each example breaks its rule, legal requests break no rule, and illegal ones break exactly
//! the rules that they should, with the API's own words. No JSON makes a rule panic.

mod adapter_anthropic;
mod asked;
mod blocks;
mod body;
mod examples;
mod hostile;
mod illegal;
mod illegal_by_size;
mod illegal_tools;
mod legal;
mod predicted;
mod rare;
mod shapes;

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::{Value, json};
use turnproof_rules::operation::{Host, Plain, Request};
use turnproof_rules::rules::{CATALOGUE, Judge, Rule, Violation};

/// The rules on requests, and whether each is structural.
fn rules() -> impl Iterator<Item = (&'static Rule, bool)> {
    CATALOGUE.iter().filter_map(|rule| match rule.judge {
        Judge::Request { structural, .. } => Some((*rule, structural)),
        _ => None,
    })
}

/// The rules of the families that this test is about.
fn own_rules() -> impl Iterator<Item = (&'static Rule, bool)> {
    rules().filter(|(rule, _)| ["api", "body", "pairing", "thinking"].contains(&rule.family()))
}

/// What a rule says of a request.
fn judge(rule: &Rule, request: &Request, host: Host) -> Vec<Violation> {
    let Judge::Request { judge, .. } = rule.judge else { panic!("{} is not on requests", rule.id) };
    let mut violations = Vec::new();
    judge(request, host, &mut |violation| violations.push(violation));
    violations
}

/// What all rules say of a request, as rule and error.
fn reported(request: &Request, host: Host) -> Vec<(&'static str, Option<String>)> {
    let violations = rules().flat_map(|(rule, _)| judge(rule, request, host));
    violations.map(|violation| (violation.rule, violation.error)).collect()
}

/// The rules that a request breaks.
fn broken(request: &Request, host: Host) -> BTreeSet<&'static str> {
    reported(request, host).into_iter().map(|(rule, _)| rule).collect()
}

/// A whole body: these members, and what every body has.
fn body(mut members: Value) -> Value {
    let messages = members["messages"].to_string();
    let calls = messages.contains(r#""tool_use""#) || messages.contains(r#""tool_result""#);
    let tools = calls.then(|| ("tools", json!([tool("Bash")])));
    for (name, value) in [("model", json!("claude-sonnet-4-5")), ("max_tokens", json!(2048))].into_iter().chain(tools) {
        members.as_object_mut().expect("members").entry(name).or_insert(value);
    }
    members
}

/// The request of a value, which is as large as its text.
fn request(value: Value) -> Request {
    let bytes = value.to_string().len() as u64;
    Request::from_plain(Plain::from(value), bytes).unwrap()
}

// --- turns and blocks

/// Turns of the user and the assistant, one after the other, with these contents.
fn turns(contents: Value) -> Value {
    let contents = contents.as_array().expect("contents").iter().cloned();
    let roles = [user, assistant].into_iter().cycle();
    contents.zip(roles).map(|(content, turn)| turn(content)).collect()
}

fn user(content: Value) -> Value {
    json!({"role": "user", "content": content})
}

fn assistant(content: Value) -> Value {
    json!({"role": "assistant", "content": content})
}

fn system(content: Value) -> Value {
    json!({"role": "system", "content": content})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}})
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "r"})
}

fn result_of(id: &str, content: Value) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": content})
}

fn search(id: &str) -> Value {
    json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": "q"}})
}

fn found(id: &str) -> Value {
    json!({"type": "web_search_tool_result", "tool_use_id": id, "content": []})
}

fn thinking() -> Value {
    json!({"type": "thinking", "thinking": "t", "signature": "s"})
}

/// A tool of this name.
fn tool(name: &str) -> Value {
    json!({"name": name, "input_schema": {"type": "object"}})
}

/// An image block with so many pixels, all of them black.
fn image(width: u32, height: u32) -> Value {
    image_of("image/png", &base64(&png(width, height)))
}

fn base64(bytes: &[u8]) -> String {
    base64::Engine::encode(&base64::engine::general_purpose::STANDARD, bytes)
}

/// A PNG file with one bit a pixel.
fn png(width: u32, height: u32) -> Vec<u8> {
    let part = |kind: &[u8; 4], data: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(kind);
        sum.update(data);
        [&(data.len() as u32).to_be_bytes()[..], kind, data, &sum.sum().to_be_bytes()].concat()
    };
    let rows = vec![0; (width as usize).div_ceil(8).saturating_add(1) * height as usize];
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&rows).unwrap();
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[1, 0, 0, 0, 0]].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &part(b"IHDR", &head), &part(b"IDAT", &packed.finish().unwrap()), &part(b"IEND", b"")]
        .concat()
}

fn image_of(media_type: &str, data: &str) -> Value {
    json!({"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}})
}
