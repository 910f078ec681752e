//! A *mock* as clients use it: over a connection, with bytes of their own.

mod accepted;
mod adapter_anthropic;
mod answers;
mod changes;
mod client;
mod faults;
mod illegal;
mod limits;
mod paths;
mod records;
mod replay;
mod row;
mod schemas;
mod scripts;
mod seeds;
mod streams;
mod talk;
mod watched;

use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};
use turnproof_mock::{Exchange, Mock, Settings};

/// A mock that plays a script, and what it sees.
fn started(settings: Settings) -> (Mock, Receiver<Exchange>) {
    let (sender, exchanges) = channel();
    let mock = Mock::start(settings, move |exchange| drop(sender.send(exchange))).expect("it listens");
    (mock, exchanges)
}

/// A mock as it usually is.
fn usual() -> (Mock, Receiver<Exchange>) {
    started(Settings::default())
}

/// A mock with a script.
fn scripted(script: &str) -> Mock {
    let script = turnproof_mock::Script::read(script).expect("a script");
    started(Settings { script, ..Settings::default() }).0
}

/// A body with these members besides.
fn body(more: Value) -> Value {
    let mut body = json!({
        "model": "claude-sonnet-4-5", "max_tokens": 1024, "messages": [{"role": "user", "content": "hello"}],
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name.as_str()] = value.clone();
    }
    body
}

/// The tools of an agent, each in another shape.
fn tools() -> Value {
    json!([
        {"name": "run_shell_command", "input_schema": {
            "type": "object", "required": ["command", "why"],
            "properties": {"command": {"type": "string"}, "why": {"enum": ["test", "build"]}},
        }},
        {"name": "ReadFiles", "input_schema": {
            "type": "object", "required": ["files"],
            "properties": {"files": {"type": "array", "items": {"$ref": "#/$defs/file"}}},
            "$defs": {"file": {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}},
        }},
        {"type": "bash_20250124", "name": "bash"},
    ])
}
