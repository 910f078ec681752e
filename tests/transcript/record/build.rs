//! Messages and recorders for tests, and what a file holds.

use serde_json::{Value, json};
use turnproof_reference::message::{Event, SideRecord};
use turnproof_reference::transcript::write::{Held, MemoryDisk, Recorder, RecorderOptions};

pub(super) type Memory = Recorder<MemoryDisk>;

/// The session of all tests.
pub(super) const SESSION: &str = "s1";

pub(super) fn event(message: &Value) -> Event {
    serde_json::from_value(message.clone()).unwrap_or_else(|error| panic!("{error}: {message}"))
}

pub(super) fn events(list: &[Value]) -> Vec<Event> {
    list.iter().map(event).collect()
}

pub(super) fn user(uuid: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": format!("said by {uuid}")}})
}

pub(super) fn assistant(uuid: &str) -> Value {
    let content = json!([{"type": "text", "text": format!("said by {uuid}")}]);
    json!({"type": "assistant", "uuid": uuid, "message": {"id": "msg_1", "role": "assistant", "content": content}})
}

pub(super) fn result(uuid: &str, source: &str) -> Value {
    json!({
        "type": "user", "uuid": uuid, "sourceToolAssistantUUID": source, "toolUseResult": "done",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}]}
    })
}

pub(super) fn boundary(uuid: &str, metadata: &Value) -> Value {
    json!({"type": "system", "subtype": "compact_boundary", "uuid": uuid, "compactMetadata": metadata})
}

pub(super) fn summary(uuid: &str) -> Value {
    let mut summary = user(uuid);
    summary["isCompactSummary"] = json!(true);
    summary
}

pub(super) fn side(text: &str) -> SideRecord {
    let fields = serde_json::from_str(text).unwrap();
    SideRecord { kind: "custom-title".into(), fields }
}

/// A recorder on an empty file.
pub(super) fn recorder() -> Memory {
    Recorder::new(MemoryDisk::default(), RecorderOptions::new(SESSION))
}

/// A recorder that goes on with a file.
pub(super) fn going_on(file: &[u8]) -> Memory {
    let held = Held::read(file).unwrap();
    let disk = MemoryDisk::new(file.to_vec());
    Recorder::resumed(disk, RecorderOptions::new(SESSION), held.uuids, held.last)
}

/// Records a list. Returns the tip.
pub(super) fn record(recorder: &mut Memory, list: &[Value]) -> Option<String> {
    recorder.record(&events(list)).unwrap().map(|tip| tip.as_str().to_owned())
}

/// Records a list and flushes. Returns the file's lines.
pub(super) fn written(recorder: &mut Memory, list: &[Value]) -> Vec<Value> {
    record(recorder, list);
    recorder.flush().unwrap();
    lines(recorder.disk().bytes())
}

/// What each line of a file says; every line must be whole.
pub(super) fn lines(file: &[u8]) -> Vec<Value> {
    assert!(file.is_empty() || file.ends_with(b"\n"), "{}", file.escape_ascii());
    file.split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

/// Each line as `uuid<parent`, `-` for null.
pub(super) fn chain(lines: &[Value]) -> Vec<String> {
    let link = |line: &Value| {
        let parent = match &line["parentUuid"] {
            Value::Null if line.get("parentUuid").is_some() => "-".to_owned(),
            Value::String(parent) => parent.clone(),
            other => panic!("{other} is no parent"),
        };
        format!("{}<{parent}", line["uuid"].as_str().unwrap())
    };
    lines.iter().map(link).collect()
}
