//! *Labels* say what a list of messages holds.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use turnproof::message::Kind;

/// The labels of a list of messages.
pub fn labels(messages: &Value) -> BTreeSet<String> {
    let messages = messages.as_array().expect("an array");
    let mut labels = Labels { found: BTreeSet::new(), messages };
    labels.list();
    labels.attachments();
    labels.tombstones();
    labels.errors();
    labels.replies();
    labels.calls();
    messages.iter().for_each(|message| labels.message(message));
    labels.found
}

/// The labels found so far.
pub struct Labels<'a> {
    pub found: BTreeSet<String>,
    pub messages: &'a [Value],
}

const CHAINLESS: [Kind; 6] = [
    Kind::Progress,
    Kind::GroupedToolUse,
    Kind::Tombstone,
    Kind::ToolUseSummary,
    Kind::StreamEvent,
    Kind::StreamRequestStart,
];

pub fn kind(message: &Value) -> &str {
    message["type"].as_str().unwrap_or("")
}

pub fn blocks(message: &Value) -> &[Value] {
    message["message"]["content"].as_array().map_or(&[], Vec::as_slice)
}

pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || matches!(c, '\u{FEFF}' | '\u{1C}'..='\u{1F}'))
}

/// What a synthetic error refuses: images, documents.
fn refused(message: &Value) -> (bool, bool) {
    let words = match message["message"]["content"].as_str() {
        Some(text) => text.to_owned(),
        None => blocks(message).iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n"),
    };
    let words = words.to_ascii_lowercase();
    let any = |needles: &[&str]| needles.iter().any(|needle| words.contains(needle));
    let both = any(&["request too large", "request_too_large", "request was too large"]);
    let pdf = ["too large", "exceed", "maximum of", "password", "not valid", "invalid", "could not"];
    (both || any(&["image"]) && any(&["too large", "exceed", "could not process"]), both || any(&["pdf"]) && any(&pdf))
}

fn is_synthetic_error(message: &Value) -> bool {
    kind(message) == "assistant" && message["isApiErrorMessage"] == true && message["message"]["model"] == "<synthetic>"
}

impl Labels<'_> {
    pub fn put(&mut self, condition: bool, label: &str) {
        if condition && !self.found.contains(label) {
            self.found.insert(label.to_owned());
        }
    }

    fn list(&mut self) {
        let messages = self.messages;
        self.put(messages.is_empty(), "no message");
        self.put(messages.len() > 12, "more than 12 lines");
        self.put(messages.first().is_some_and(|first| kind(first) == "assistant"), "first an assistant");
        let last = messages.last().filter(|last| kind(last) == "assistant");
        self.put(last.is_some(), "last an assistant");
        if let Some(block) = last.and_then(|last| blocks(last).last()) {
            self.put(block["type"] == "thinking", "thinking last");
            let text = block["text"].as_str().unwrap_or("");
            let ends_blank = text.chars().next_back().is_some_and(|c| is_blank(&c.to_string()));
            self.put(!is_blank(text) && ends_blank, "text at the end with blank end");
        }
        let heads: Vec<String> =
            messages.iter().filter_map(|message| Some(message["uuid"].as_str()?.chars().take(24).collect())).collect();
        let differing: BTreeSet<&String> = heads.iter().collect();
        let all = !heads.is_empty() && heads.len() == messages.len() && differing.len() == heads.len();
        self.put(all, "ids that differ in 24 characters");
    }

    fn attachments(&mut self) {
        let is_stop = |message: &Value| {
            let mut results = blocks(message).iter().filter(|block| block["type"] == "tool_result");
            kind(message) == "assistant" || kind(message) == "user" && results.next().is_some()
        };
        let (mut stops, mut others) = (0, 0);
        for message in self.messages {
            if is_stop(message) {
                (stops, others) = (stops + 1, 0);
            } else if kind(message) == "attachment" {
                self.put(stops == 0, "attachment before the first stop");
                self.put(others > 0, "attachment that moves");
            } else {
                others += 1;
            }
        }
    }

    fn tombstones(&mut self) {
        for (at, message) in self.messages.iter().enumerate().filter(|(_, m)| kind(m) == "tombstone") {
            let named = message["message"]["uuid"].as_str();
            self.put(named.is_none(), "tombstone without an id");
            let Some(named) = named else { continue };
            let names = |other: &Value| other["uuid"] == named;
            let (before, after) = self.messages.split_at(at);
            let reply = |other: &Value| names(other) && kind(other) == "assistant";
            self.put(before.iter().any(reply), "tombstone that hits a line before it");
            self.put(after.iter().any(reply), "tombstone that comes before what it names");
            let other = before.iter().any(|other| names(other) && kind(other) != "assistant");
            self.put(other, "tombstone that names a line that is no reply");
        }
    }

    fn errors(&mut self) {
        for (at, message) in self.messages.iter().enumerate().filter(|(_, m)| kind(m) == "assistant") {
            let is_flagged = message["isApiErrorMessage"] == true;
            let is_synthetic = message["message"]["model"] == "<synthetic>";
            self.put(is_flagged && !is_synthetic, "error flag alone");
            self.put(!is_flagged && is_synthetic, "synthetic model alone");
            if !is_synthetic_error(message) {
                continue;
            }
            self.put(true, "synthetic error");
            let (images, documents) = refused(message);
            self.put(images && !documents, "error that refuses images");
            self.put(documents && !images, "error that refuses documents");
            self.put(images && documents, "error that refuses both");
            self.put(!images && !documents, "error that refuses nothing");
            self.refusal(&self.messages[..at], images, documents);
        }
    }

    /// A refusal, and the messages before it.
    fn refusal(&mut self, before: &[Value], images: bool, documents: bool) {
        let chainless = |message: &Value| CHAINLESS.iter().any(|other| other.name() == kind(message));
        let skipped =
            |message: &Value| chainless(message) || is_synthetic_error(message) || message["subtype"] == "api_error";
        let Some(at) = before.iter().rposition(|message| !skipped(message)) else { return };
        let holds = |name: &str| blocks(&before[at]).iter().any(|block| block["type"] == name);
        let is_meta = kind(&before[at]) == "user" && before[at]["isMeta"] == true;
        let hit = is_meta && (images && holds("image") || documents && holds("document"));
        self.put(hit, "refusal preceded by meta media");
        self.put(hit && at + 1 < before.len(), "refusal after other lines that are skipped");
        self.put(hit && before[at..].iter().any(is_synthetic_error), "two errors after one message");
    }

    fn replies(&mut self) {
        let reply = |message: &Value| message["message"]["id"].as_str().map(str::to_owned);
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, message) in self.messages.iter().enumerate().filter(|(_, m)| kind(m) == "assistant") {
            match reply(message).filter(|id| !id.is_empty()) {
                Some(id) => places.entry(id).or_default().push(at),
                None => self.put(true, "reply id absent or empty"),
            }
        }
        for places in places.into_values() {
            self.put(places.len() > 1, "reply of several lines");
            let gap = places.windows(2).any(|pair| pair[1] > pair[0] + 1);
            self.put(gap, "reply with other lines inside");
        }
    }

    fn message(&mut self, message: &Value) {
        self.put(message["isVirtual"] == true, "virtual line");
        let hidden = message["isVisibleInTranscriptOnly"] == true;
        let summary = kind(message) == "user" && message["isCompactSummary"] == true;
        self.put(hidden && !summary, "transcript-only line");
        self.put(hidden && summary, "transcript-only summary");
        self.put(message["isVirtual"] == true && summary, "summary that is virtual");
        self.put(message.to_string().contains('\u{FFFD}'), "lone surrogate");
        match kind(message) {
            "attachment" => self.attachment(message),
            "hook_result" => {
                self.put(true, "hook_result");
                self.put(message["hookEvent"].is_string(), "hook_result of an event");
            }
            "progress" => {
                self.put(true, "progress");
                self.put(message["data"]["type"] == "hook_progress", "progress of a hook");
            }
            "tombstone" => self.put(true, "tombstone"),
            "system" if message["subtype"] == "local_command" => self.command(message),
            "user" | "assistant" => self.spoken(message),
            _ => {}
        }
    }

    fn attachment(&mut self, message: &Value) {
        let attachment = &message["attachment"];
        self.put(attachment.is_null(), "line without attachment");
        match attachment["type"].as_str() {
            Some(name) => self.put(true, &format!("attachment {name}")),
            None => self.put(!attachment.is_null(), "attachment without a type"),
        }
        self.put(attachment["prompt"].is_array(), "attachment queued_command with a list");
    }

    fn command(&mut self, message: &Value) {
        let (content, alias) = (&message["content"], &message["message"]);
        self.put(true, "local command");
        self.put(!content.is_string() && alias.is_string(), "local command under the old name");
        self.put(content.is_null() && alias.is_null(), "local command without text");
        let is_blank_text = |value: &Value| value.as_str().is_some_and(is_blank);
        self.put(is_blank_text(if content.is_string() { content } else { alias }), "local command with blank text");
    }

    fn spoken(&mut self, message: &Value) {
        let role = kind(message);
        let body = &message["message"];
        let content = &body["content"];
        self.put(message.get("message").is_none(), "message absent");
        self.put(body.is_object() && body.get("content").is_none(), "content absent");
        self.put(body.get("content").is_some_and(Value::is_null), "content null");
        self.put(content.is_number() || content.is_object(), "content of another type");
        self.put(message["permissionMode"].is_number(), "permission mode of another type");
        self.put(body["usage"]["input_tokens"].is_string(), "usage of another type");
        self.put(content.is_string(), "string content");
        self.put(content.is_string() && role == "assistant", "assistant string content");
        let empty = content == "" || content.as_array().is_some_and(Vec::is_empty);
        self.put(empty, "content empty");
        self.put(blocks(message).len() > 1, "several blocks");
        if let Some(paste_ids) = message["imagePasteIds"].as_array() {
            let images = blocks(message).iter().filter(|block| kind(block) == "image").count();
            self.put(true, "paste ids");
            self.put(images != paste_ids.len(), "paste ids, not as many as images");
        }
        self.server_calls(message);
        blocks(message).iter().for_each(|block| self.block(role, block));
    }
}
