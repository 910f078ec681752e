//! A small client of the Messages API: it takes a prompt, runs calls, and keeps its turns in the home for the next one.
//!
//! `MISTAKE` names what it does wrong: `thinking` is left out, `failures` of tools are not said, or it `dies` of a stop
//! sequence or of `halves` of surrogate pairs. With `refusals` it keeps nothing of a prompt that was refused, and with
//! `unthinking` it asks for no thinking; both are right.

use std::io::{Error, Read, Result, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, exit};
use std::time::Duration;
use std::{env, fs, thread};

use serde_json::{Value, json};

/// Half of a surrogate pair, which no string of Rust can hold, as long as it is here.
const HALF: char = '\u{e000}';

struct Client {
    mistake: String,
    address: String,
    key: String,
}

/// What a host said: its status, the seconds after which it may be asked again, and its body.
struct Answer {
    status: u16,
    retry_after: f64,
    body: Vec<u8>,
}

fn end(why: &str) -> ! {
    eprintln!("{why}");
    exit(1)
}

fn tool(name: &str, member: &str) -> Value {
    let schema = json!({"type": "object", "properties": {member: {"type": "string"}}, "required": [member]});
    json!({"name": name, "description": name, "input_schema": schema})
}

/// The bytes of a body in chunks, as far as they came.
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(at) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&rest[..at]).ok().and_then(|size| usize::from_str_radix(size, 16).ok());
        let Some(size) = size.filter(|size| *size > 0) else { break };
        let from = (at + 2).min(rest.len());
        let to = (from + size).min(rest.len());
        body.extend(&rest[from..to]);
        rest = &rest[(to + 2).min(rest.len())..];
    }
    body
}

impl Client {
    fn has(&self, mistake: &str) -> bool {
        self.mistake == mistake
    }

    fn once(&self, turns: &[Value]) -> Result<Answer> {
        let mut body = json!({
            "model": "claude-sonnet-4-5",
            "max_tokens": 4000,
            "thinking": {"type": "enabled", "budget_tokens": 2000},
            "tools": [tool("bash", "command"), tool("read", "path")],
            "messages": turns,
        });
        if self.has("unthinking") {
            body.as_object_mut().expect("an object").remove("thinking");
        }
        let body = body.to_string().replace(HALF, "\\ud83d");
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        write!(
            stream,
            "POST /v1/messages HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             x-api-key: {}\r\nanthropic-version: 2023-06-01\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            self.key,
            body.len(),
        )?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        let at = bytes.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(|| Error::other("no head"))?;
        let head = String::from_utf8_lossy(&bytes[..at]).to_lowercase();
        let header =
            |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim);
        let body = &bytes[at + 4..];
        Ok(Answer {
            status: head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0),
            retry_after: header("retry-after").and_then(|seconds| seconds.parse().ok()).unwrap_or(0.0),
            body: if header("transfer-encoding") == Some("chunked") { joined(body) } else { body.to_vec() },
        })
    }

    fn ask(&self, turns: &[Value]) -> Value {
        for _ in 0..6 {
            let Ok(answer) = self.once(turns) else { continue };
            match answer.status {
                200 => {
                    let text = String::from_utf8_lossy(&answer.body).replace("\\ud83d\"", &format!("{HALF}\""));
                    if let Ok(reply) = serde_json::from_str(&text) {
                        return reply;
                    }
                }
                400 => end(&format!("refused: {}", String::from_utf8_lossy(&answer.body))),
                _ => thread::sleep(Duration::from_secs_f64(answer.retry_after)),
            }
        }
        end("given up")
    }

    fn result(&self, call: &Value) -> Value {
        let (said, failed) = match call["name"].as_str() {
            Some("bash") => {
                let command = call["input"]["command"].as_str().unwrap_or_default();
                let done = Command::new("sh").args(["-c", command]).output().expect("there is a shell");
                let said = String::from_utf8_lossy(&done.stdout).into_owned();
                (if said.is_empty() { "nothing".into() } else { said }, !done.status.success())
            }
            _ => ("there is no such thing".into(), true),
        };
        let mut block = json!({"type": "tool_result", "tool_use_id": call["id"], "content": said});
        if failed && !self.has("failures") {
            block["is_error"] = true.into();
        }
        block
    }

    /// What of a reply is said again: all but blank texts, and thinking with nothing behind it.
    fn kept(&self, blocks: &[Value]) -> Vec<Value> {
        let is_thinking = |block: &Value| matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"));
        let is_blank =
            |block: &Value| block["type"] == "text" && block["text"].as_str().unwrap_or("").trim().is_empty();
        let is_left_out = |block: &&Value| is_blank(block) || self.has("thinking") && is_thinking(block);
        let mut said: Vec<Value> = blocks.iter().filter(|block| !is_left_out(block)).cloned().collect();
        while said.pop_if(|last| is_thinking(last)).is_some() {}
        said
    }
}

fn add(turns: &mut Vec<Value>, role: &str, blocks: Vec<Value>) {
    match turns.last_mut().filter(|last| last["role"] == role) {
        Some(last) => last["content"].as_array_mut().expect("a list").extend(blocks),
        None if blocks.is_empty() => {}
        None => turns.push(json!({"role": role, "content": blocks})),
    }
}

fn main() {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let address = variable("ANTHROPIC_BASE_URL").trim_start_matches("http://").to_owned();
    let client = Client { mistake: variable("MISTAKE"), address, key: variable("ANTHROPIC_API_KEY") };
    let place = Path::new(&variable("HOME")).join("turns.json");
    let mut turns: Vec<Value> =
        fs::read(&place).map_or(Vec::new(), |kept| serde_json::from_slice(&kept).expect("turns"));
    let prompt = env::args().nth(1).unwrap_or_default();
    add(&mut turns, "user", vec![json!({"type": "text", "text": prompt})]);
    for _ in 0..20 {
        let reply = client.ask(&turns);
        let content = reply["content"].as_array().map_or(&[][..], Vec::as_slice);
        let has_half = || content.iter().any(|block| block["text"].as_str().is_some_and(|text| text.contains(HALF)));
        if client.has("dies") && reply["stop_reason"] == "stop_sequence" || client.has("halves") && has_half() {
            end("dead");
        }
        if client.has("refusals") && reply["stop_reason"] == "refusal" {
            end("refused");
        }
        add(&mut turns, "assistant", client.kept(content));
        let calls = content.iter().filter(|block| block["type"] == "tool_use");
        let results: Vec<Value> = calls.map(|call| client.result(call)).collect();
        if results.is_empty() {
            break;
        }
        add(&mut turns, "user", results);
    }
    fs::write(place, Value::from(turns).to_string()).expect("the home can be written to");
}
