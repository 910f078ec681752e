//! A *plain* session: prompts, replies, calls and results as a client writes them, each text with a mark of its own.

use serde_json::{Value, json};
use turnproof_suite::scenario::{Seeded, Source};

use super::marks::MARK;

const SESSION: &str = "c0000000-0000-4000-8000-000000000000";

/// A session that grows.
struct Writer {
    records: Vec<Value>,
    marks: u32,
    calls: u32,
}

/// The session of this number. The first sizes are the smallest sessions that hold a call, and two.
pub(super) fn plain(seed: u64, number: u64, size: u64) -> Vec<u8> {
    let mut source = Seeded::new(seed, number);
    let mut writer = Writer { records: Vec::new(), marks: 0, calls: 0 };
    if size < 2 {
        writer.prompt();
        (0..=size).for_each(|_| writer.calls(1, false, false));
        writer.reply();
        return written(&writer.records);
    }
    for _ in 0..2 {
        writer.prompt();
        for _ in 0..source.below(2) {
            writer.calls(1 + source.below(2) as usize, source.once_in(2), source.once_in(3));
        }
        writer.reply();
    }
    written(&writer.records)
}

/// Records as a file.
pub(super) fn written(records: &[Value]) -> Vec<u8> {
    records.iter().flat_map(|record| format!("{record}\n").into_bytes()).collect()
}

/// The uuid of the record of this number.
fn uuid(number: usize) -> String {
    format!("a0000000-0000-4000-8000-{number:012x}")
}

impl Writer {
    fn mark(&mut self) -> String {
        self.marks += 1;
        format!("{MARK}{}", self.marks)
    }

    fn add(&mut self, kind: &str, message: Value) -> String {
        let parent = self.records.last().and_then(|record| record["uuid"].as_str().map(str::to_owned));
        let number = self.records.len();
        let uuid = uuid(number);
        let second = number % 60;
        self.records.push(json!({
            "parentUuid": parent, "isSidechain": false, "type": kind, "message": message, "uuid": uuid,
            "timestamp": format!("2026-11-26T10:{:02}:{second:02}.000Z", number / 60), "userType": "external",
            "cwd": "/tmp", "sessionId": SESSION, "version": "2.1.332", "gitBranch": "",
        }));
        uuid
    }

    fn prompt(&mut self) {
        let text = format!("Prompt {}.", self.mark());
        self.add("user", json!({"role": "user", "content": text}));
    }

    /// A block of a reply, which is a record of its own.
    fn block(&mut self, id: &str, block: Value, stop: &str) -> String {
        let usage = json!({"input_tokens": 10, "output_tokens": 5});
        let message = json!({
            "id": id, "type": "message", "role": "assistant", "model": "claude-opus-4-6", "content": [block],
            "stop_reason": stop, "stop_sequence": null, "usage": usage,
        });
        self.add("assistant", message)
    }

    fn reply(&mut self) {
        let id = format!("msg_{}", self.records.len());
        let text = format!("Reply {}.", self.mark());
        self.block(&id, json!({"type": "text", "text": text}), "end_turn");
    }

    /// A reply with calls, and their results.
    fn calls(&mut self, count: usize, says: bool, thinks: bool) {
        let id = format!("msg_{}", self.records.len());
        if thinks {
            let thinking = json!({"type": "thinking", "thinking": "I should look.", "signature": "c2lnbmF0dXJl"});
            self.block(&id, thinking, "tool_use");
        }
        if says {
            let text = format!("I look, {}.", self.mark());
            self.block(&id, json!({"type": "text", "text": text}), "tool_use");
        }
        let mut calls = Vec::new();
        for _ in 0..count {
            self.calls += 1;
            let call = format!("toolu_{:024}", self.calls);
            let input = json!({"command": "echo a", "description": "echo"});
            let block = json!({"type": "tool_use", "id": call, "name": "Bash", "input": input});
            calls.push((self.block(&id, block, "tool_use"), call));
        }
        for (source, call) in calls {
            let output = format!("Output {}", self.mark());
            let result = json!({"tool_use_id": call, "type": "tool_result", "content": output, "is_error": false});
            self.add("user", json!({"role": "user", "content": [result]}));
            if let Some(record) = self.records.last_mut() {
                record["toolUseResult"] = json!({"stdout": output, "stderr": "", "interrupted": false});
                record["sourceToolAssistantUUID"] = source.into();
            }
        }
    }
}
