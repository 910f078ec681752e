//! Faults in the lines that a loop *writes*: messages that no factory would make.

use std::collections::HashMap;

use turnproof_reference::message::constants::{NO_CONTENT, SYNTHETIC_MODEL};
use turnproof_rules::json;
use turnproof_rules::operation::Value;

use super::log::result_id;
use super::walk::{blocks, is, is_of, kind, remove, text, words};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("play/writes-nothing-as-nothing", "engine/sound-messages")
        .that("writes an empty string where nothing was said")
        .by(each(|record| {
            if words(record).eq([NO_CONTENT]) {
                record["message"]["content"] = json!("");
            }
        })),
    fault("play/takes-out-the-only-block", "engine/sound-messages")
        .that("takes failed results out of its lines, and leaves an empty list")
        .by(each(|record| {
            if let [only] = blocks(record)
                && result_id(only).is_some()
                && is(only, "is_error")
            {
                record["message"]["content"] = json!([]);
            }
        })),
    fault("play/writes-results-as-a-role", "engine/sound-messages")
        .that("gives results the role `tool`, as other APIs have it")
        .by(each(|record| {
            if blocks(record).iter().any(|block| result_id(block).is_some()) {
                record["message"]["role"] = json!("tool");
            }
        })),
    fault("play/writes-commands-without-uuid", "engine/sound-messages")
        .that("makes attachments, such as commands that waited, by hand and without a uuid")
        .by(each(|record| {
            if is_of(record, "attachment") {
                remove(record, "uuid");
            }
        })),
    fault("play/writes-notices-without-time", "engine/sound-messages")
        .that("makes notices by hand, without a time")
        .by(each(|record| {
            if is_of(record, "system") {
                remove(record, "timestamp");
            }
        })),
    fault("play/writes-local-times", "engine/sound-messages").that("writes the time of replies without a zone").by(
        each(|record| {
            if is_of(record, "assistant") {
                record["timestamp"] = json!(text(record, "timestamp").trim_end_matches('Z'));
            }
        }),
    ),
    fault("play/writes-milliseconds", "engine/sound-messages")
        .that("writes the time of prompts as a number of milliseconds")
        .by(each(|record| {
            if is_of(record, "user") {
                record["timestamp"] = json!(1_767_603_602_000_u64);
            }
        })),
    fault("play/writes-what-is-virtual", "engine/sound-messages")
        .that("writes meta messages that it has marked as virtual")
        .by(each(|record| {
            if is(record, "isMeta") {
                record["isVirtual"] = json!(true);
            }
        })),
    fault("play/hangs-the-summary-on-what-it-sums-up", "engine/sound-messages")
        .that("gives the summary of a compaction the last message before it as parent")
        .seen_in("anthropics/claude-code#14462")
        .by(Wrong::Written(|records| {
            let mut before = Value::Null;
            for record in records {
                if is_boundary(record) {
                    before = record["logicalParentUuid"].clone();
                } else if is(record, "isCompactSummary") && !before.is_null() {
                    record["parentUuid"] = before.clone();
                }
            }
        })),
    fault("play/begins-anew-with-the-summary", "engine/sound-messages")
        .that("gives the summary of a compaction no parent")
        .by(each(|record| {
            if is(record, "isCompactSummary") {
                record["parentUuid"] = Value::Null;
            }
        })),
    fault("play/names-a-request-for-each-block", "engine/sound-messages")
        .that("gives each line of a reply a request of its own")
        .by(Wrong::Written(|records| {
            for (line, record) in records.iter_mut().enumerate().filter(|(_, record)| is_of(record, "assistant")) {
                record["requestId"] = json!(format!("req_{line}"));
            }
        })),
    fault("play/names-the-session-as-the-request", "engine/sound-messages")
        .that("gives all replies of a session the same request")
        .by(each(|record| {
            if is_of(record, "assistant") {
                record["requestId"] = record["sessionId"].clone();
            }
        })),
    fault("play/pays-twice-for-errors", "engine/sound-messages")
        .that("copies the usage of the last reply to the message that reports an error")
        .by(Wrong::Written(|records| {
            let mut last = json!({"input_tokens": 12, "output_tokens": 9});
            for record in records.iter_mut().filter(|record| is_of(record, "assistant")) {
                match is_synthetic(record) {
                    true => record["message"]["usage"] = last.clone(),
                    false => last = record["message"]["usage"].clone(),
                }
            }
        })),
    fault("play/forgets-the-usage-of-errors", "engine/sound-messages")
        .that("gives the message that reports an error no usage")
        .by(each(|record| {
            if is_synthetic(record) {
                remove(&mut record["message"], "usage");
            }
        })),
    fault("play/gives-the-lines-of-a-request-ids", "engine/sound-messages")
        .that("gives each line of a reply an id of its own, as if each were a reply")
        .by(Wrong::Written(|records| {
            let mut lines: HashMap<String, usize> = HashMap::new();
            for record in records.iter_mut().filter(|record| is_of(record, "assistant")) {
                let line = lines.entry(text(record, "requestId").to_owned()).or_default();
                let id = format!("{}_{line}", text(&record["message"], "id"));
                *line += 1;
                record["message"]["id"] = json!(id);
            }
        })),
];

/// Changes each record by itself.
const fn each(change: fn(&mut Value)) -> Wrong {
    Wrong::WrittenEach(change)
}

fn is_boundary(record: &Value) -> bool {
    kind(record) == "system" && text(record, "subtype") == "compact_boundary"
}

fn is_synthetic(record: &Value) -> bool {
    text(&record["message"], "model") == SYNTHETIC_MODEL
}
