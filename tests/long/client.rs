//! The real *client* resumes generated sessions, and what it sends is compared with what `normalize --as-client` makes.
//!
//! It runs where `TURNPROOF_CLIENT` names the client's program. Run it where nothing but the loopback can be reached.
//! `TURNPROOF_CLIENT_SESSIONS` is how many sessions are generated (300). Sessions of `TURNPROOF_CLIENT_TRANSCRIPTS` are
//! resumed too. `TURNPROOF_CLIENT_KEEP` names a folder for those that differ.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use turnproof_reference::message::{Entry, Event};
use turnproof_reference::normalize::client::{ClientOptions, normalize_as_client};
use turnproof_reference::transcript::read_entry;
use turnproof_reference::transcript::resume::{Place, ResumeOptions, resume_file};
use turnproof_suite::scenario::{Profile, Scenario};

const MODEL: &str = "claude-opus-4-6";
const PROMPT: &str = "go on";
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn the_client_sends_what_is_made_as_the_client_does() {
    let Some(client) = env::var_os("TURNPROOF_CLIENT").map(PathBuf::from) else {
        eprintln!("skipped: TURNPROOF_CLIENT names no client");
        return;
    };
    let api = Api::start();
    let folder = tempfile::tempdir().unwrap();
    let (mut same, mut others, mut silent) = (0, BTreeMap::<String, Vec<String>>::new(), Vec::new());
    let mut compacted: Vec<String> = Vec::new();
    let sessions = sessions();
    for (name, bytes) in &sessions {
        match api.resumed(&client, folder.path(), bytes) {
            // The session is so long that the client first asks for a summary.
            Answer::Request(sent) if sent.to_string().contains("CRITICAL: Respond with TEXT ONLY") => {
                compacted.push(name.clone());
            }
            Answer::Request(sent) => match difference(&as_client(bytes, &sent), &sent["messages"]) {
                None => same += 1,
                Some(difference) => {
                    keep(name, bytes, &sent);
                    others.entry(difference).or_default().push(name.clone());
                }
            },
            // A file without a prompt is none that the client opens.
            Answer::NoConversation if conversation(bytes).iter().all(|event| event.message().is_none()) => same += 1,
            Answer::NoConversation => silent.push(format!("{name}: no conversation found")),
            Answer::Failed(why) => silent.push(format!("{name}: {why}")),
        }
    }
    eprintln!("{same} of {} sessions are resumed as the client does", sessions.len());
    others.iter().for_each(|(difference, names)| eprintln!("{} times {difference}: {}", names.len(), names.join(", ")));
    eprintln!("{} times the client asks for a summary first: {}", compacted.len(), compacted.join(", "));
    silent.iter().for_each(|why| eprintln!("no request of {why}"));
    let crashed: Vec<&String> = silent.iter().filter(|why| !why.contains("no conversation")).collect();
    assert!(crashed.is_empty(), "{crashed:?}");
    let asked = sessions.len() - compacted.len();
    assert!(same * 100 >= asked * 90, "{same} of {asked}");
}

/// Keeps a session and what was sent of it in `TURNPROOF_CLIENT_KEEP`, to look at.
fn keep(name: &str, bytes: &[u8], sent: &Value) {
    let Some(folder) = env::var_os("TURNPROOF_CLIENT_KEEP").map(PathBuf::from) else { return };
    let name = name.replace(|character: char| !character.is_ascii_alphanumeric(), "-");
    fs::write(folder.join(format!("{name}.jsonl")), bytes).unwrap();
    fs::write(folder.join(format!("{name}.sent.json")), sent["messages"].to_string()).unwrap();
}

/// Generated sessions, and those of a real client.
fn sessions() -> Vec<(String, Vec<u8>)> {
    let count = env::var("TURNPROOF_CLIENT_SESSIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let generated = (0..).map(|case| (case, Scenario::from_seed(332, case, Profile::Causal).transcript()));
    let generated = generated.filter(|(_, file)| file.len() > 1_000).take(count);
    let generated = generated.map(|(case, bytes)| (format!("case {case}"), bytes));
    let folder = env::var_os("TURNPROOF_CLIENT_TRANSCRIPTS").map(PathBuf::from);
    let files = folder.into_iter().flat_map(|folder| walkdir::WalkDir::new(folder).sort_by_file_name()).flatten();
    let files = files.map(walkdir::DirEntry::into_path);
    let is_session = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "jsonl")
            && !path.to_string_lossy().contains("/subagents/")
    };
    let recorded = files.filter(is_session).filter_map(|path| {
        let bytes = fs::read(&path).ok()?;
        Some((path.display().to_string(), bytes))
    });
    generated.chain(recorded).collect()
}

/// What comes of resuming a session.
enum Answer {
    /// The body of the first request.
    Request(Value),
    NoConversation,
    Failed(String),
}

/// A stand-in for the API: it answers each request with one text.
struct Api {
    address: String,
    bodies: Arc<Mutex<Vec<String>>>,
}

impl Api {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&bodies);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                thread::spawn(move || answer(stream, &kept));
            }
        });
        Self { address, bodies }
    }

    /// Resumes a session with the client.
    fn resumed(&self, client: &Path, folder: &Path, bytes: &[u8]) -> Answer {
        self.bodies.lock().unwrap().clear();
        let (home, file) = (folder.join("home"), folder.join("session.jsonl"));
        fs::create_dir_all(&home).unwrap();
        fs::write(&file, bytes).unwrap();
        let settings = ["DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "IS_SANDBOX"];
        let mut client = Command::new(client)
            .args(["-p", PROMPT, "--no-session-persistence", "--model", MODEL, "--resume"])
            .arg(&file)
            .env_clear()
            .envs(settings.map(|name| (name, "1")))
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("CLAUDE_CODE_MAX_RETRIES", "1")
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", &home)
            .env("ANTHROPIC_BASE_URL", &self.address)
            .env("ANTHROPIC_API_KEY", "sk-ant-dummy")
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        let status = loop {
            match client.try_wait().unwrap() {
                Some(status) => break status,
                None if begin.elapsed() > PATIENCE => {
                    client.kill().unwrap();
                    return Answer::Failed("the client does not end".to_owned());
                }
                None => thread::sleep(Duration::from_millis(20)),
            }
        };
        let mut error = String::new();
        client.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        let bodies = self.bodies.lock().unwrap();
        match bodies.iter().find_map(|body| serde_json::from_str(body).ok()) {
            Some(body) => Answer::Request(body),
            None if error.contains("No conversation found") => Answer::NoConversation,
            None => Answer::Failed(format!("{status}: {}", error.trim())),
        }
    }
}

/// Answers one request.
fn answer(mut stream: TcpStream, bodies: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head.to_ascii_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let is_message = head.starts_with("POST") && head.contains("/v1/messages") && !head.contains("count_tokens");
    let (kind, body) = match is_message {
        true => {
            bodies.lock().ok()?.push(String::from_utf8_lossy(&body).into_owned());
            ("text/event-stream", reply())
        }
        false => ("application/json", r#"{"data":[],"has_more":false,"input_tokens":1}"#.to_owned()),
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).ok()
}

/// A reply of one text.
fn reply() -> String {
    let usage = json!({"input_tokens": 1, "output_tokens": 1});
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "fine"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": usage}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect()
}

/// The conversation that comes back.
fn conversation(bytes: &[u8]) -> Vec<Event> {
    let resumed = resume_file(bytes, &ResumeOptions::default()).ok().and_then(Result::ok);
    let event = |place: &Place| match read_entry(&bytes[place.start as usize..place.end as usize]) {
        Ok(Entry::Event(event)) => Some(event),
        _ => None,
    };
    resumed.iter().flat_map(|resumed| &resumed.places).filter_map(event).collect()
}

/// What is made of a session for the tools and the model of a request.
fn as_client(bytes: &[u8], sent: &Value) -> Value {
    let tools = sent["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str());
    let options = ClientOptions {
        model: Some(MODEL.to_owned()),
        tools: Some(tools.map(str::to_owned).collect()),
        prompt: Some(PROMPT.to_owned()),
    };
    serde_json::to_value(normalize_as_client(&conversation(bytes), &options)).unwrap()
}

/// The first difference between what was made and what was sent, in a form that is the same for like differences.
/// Reminders are left out: those of the new process are not in the session, and those without `rendered` have words of
/// the client's own.
fn difference(made: &Value, sent: &Value) -> Option<String> {
    let (made, sent) = (bare(made), bare(sent));
    let at = made.iter().zip(&sent).position(|(made, sent)| made != sent);
    let at = at.or_else(|| (made.len() != sent.len()).then(|| made.len().min(sent.len())))?;
    let line = |lines: &[String]| lines.get(at).map_or("nothing", String::as_str).chars().take(150).collect::<String>();
    Some(format!("made {} sent {}", line(&made), line(&sent)))
}

/// Each block of each turn as a line, without reminders.
fn bare(turns: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for turn in turns.as_array().into_iter().flatten().filter(|turn| turn["role"] != "system") {
        let blocks = match &turn["content"] {
            Value::String(text) => vec![json!({"type": "text", "text": text})],
            blocks => blocks.as_array().cloned().unwrap_or_default(),
        };
        for mut block in blocks {
            block.as_object_mut().map(|block| block.remove("cache_control"));
            if let Some(text) = block["text"].as_str().map(str::to_owned) {
                if text.starts_with("<system-reminder>") {
                    continue;
                }
                block["text"] = text.trim_end_matches('\n').into();
            }
            bare_result(&mut block);
            with_doubles(&mut block);
            lines.push(format!("{}: {block}", turn["role"]));
        }
    }
    lines
}

/// Numbers as the client's language has them.
fn with_doubles(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let double = number.as_f64().unwrap_or_default();
            *value = json!(if double == 0.0 { 0.0 } else { double });
        }
        Value::Array(elements) => elements.iter_mut().for_each(with_doubles),
        Value::Object(members) => members.values_mut().for_each(with_doubles),
        _ => {}
    }
}

/// Takes reminders out of a result. The client trims a text into which it folds one, also one of the new process.
fn bare_result(block: &mut Value) {
    if block["type"] != "tool_result" {
        return;
    }
    match block.get_mut("content") {
        Some(Value::String(text)) => {
            let end = text.find("<system-reminder>").unwrap_or(text.len());
            *text = text[..end].trim().to_owned();
        }
        Some(Value::Array(parts)) => {
            parts.retain(|part| !part["text"].as_str().is_some_and(|text| text.starts_with("<system-reminder>")));
            for part in parts {
                if let Some(text) = part["text"].as_str().map(|text| text.trim_end_matches('\n').to_owned()) {
                    part["text"] = text.into();
                }
            }
        }
        _ => {}
    }
}
