//! Files in a *notation*: a word a line that says what the record is, its parent, and what else is in it.

use serde_json::{Map, Value, json};
use turnproof_rules::operation::{Conversation, ConversationRecord, ResumeAnswer, Resumed};
use turnproof_rules::rules::{RightRecord, right_resume};

/// A record: its uuid, whose first letter is its kind; its parent (`-`: null, `!`: the member is missing); and members:
/// `m=` message id, `c=` calls, `r=` results, `text` a block of text, `by=` source, `of=` session, `withdraws=` and
/// `retracts=` uuids, `team=`, `keeps=` and `segment=` what a boundary preserves (anchor, then uuids), `all=` more of
/// it, `meta`, `virtual`, `side`, `error`.
pub(super) fn record(notation: &str) -> Value {
    let mut words = notation.split_whitespace();
    let uuid = words.next().expect("a uuid");
    let mut record = json!({"type": kind(uuid), "uuid": uuid});
    match words.next() {
        Some("-") => record["parentUuid"] = Value::Null,
        Some("#") => record["parentUuid"] = json!(7),
        Some("!") | None => {}
        Some(parent) => record["parentUuid"] = json!(parent),
    }
    if uuid.starts_with('b') {
        record["subtype"] = json!("compact_boundary");
    }
    words.for_each(|word| add(&mut record, word));
    record
}

fn kind(uuid: &str) -> &'static str {
    match &uuid[..1] {
        "u" => "user",
        "a" => "assistant",
        "s" | "b" => "system",
        "t" => "attachment",
        "h" => "hook_result",
        "p" => "progress",
        _ => "atis-latch",
    }
}

fn add(record: &mut Value, word: &str) {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    let list: Vec<&str> = value.split(',').collect();
    let block = |block: Value, record: &mut Value| {
        let content = &mut record["message"]["content"];
        if content.is_null() {
            *content = json!([]);
        }
        content.as_array_mut().unwrap().push(block);
    };
    let metadata = |key: &str, preserved: Value, record: &mut Value| {
        let members: Map<String, Value> = [(key.to_owned(), preserved)].into_iter().collect();
        record["compactMetadata"] = Value::Object(members);
    };
    match name {
        "m" => record["message"]["id"] = json!(value),
        "c" => list.iter().for_each(|id| block(json!({"type": "tool_use", "id": id}), record)),
        "r" => list.iter().for_each(|id| block(json!({"type": "tool_result", "tool_use_id": id}), record)),
        "text" => block(json!({"type": "text", "text": "a"}), record),
        "by" => record["sourceToolAssistantUUID"] = json!(value),
        "of" => record["sessionId"] = json!(value),
        "withdraws" => record["supersedesUuids"] = json!(list),
        "retracts" => record["retractedMessageUuids"] = json!(list),
        "team" => record["teamName"] = json!(value),
        "keeps" => {
            metadata("preservedMessages", json!({"anchorUuid": list[0], "uuids": &list[1..]}), record);
        }
        "all" => record["compactMetadata"]["preservedMessages"]["allUuids"] = json!(list),
        "segment" => {
            let segment = json!({"anchorUuid": list[0], "headUuid": list[1], "tailUuid": list[2]});
            metadata("preservedSegment", segment, record);
        }
        "meta" => record["isMeta"] = json!(true),
        "virtual" => record["isVirtual"] = json!(true),
        "side" => record["isSidechain"] = json!(true),
        "error" => record["isApiErrorMessage"] = json!(true),
        "at" => record["timestamp"] = json!(value),
        _ => panic!("{word} is no member"),
    }
}

/// A file of records, with `; ` between them; one that begins with a quote is taken as it is.
pub(super) fn file(records: &str) -> Vec<u8> {
    let line = |line: &str| match line.strip_prefix('"') {
        Some(text) => format!("{text}\n"),
        None => format!("{}\n", record(line)),
    };
    records.split("; ").filter(|line| !line.is_empty()).map(line).collect::<String>().into_bytes()
}

/// The records of a file's lines that are whole objects, with their bytes.
fn lines(file: &[u8]) -> Vec<(Value, &[u8])> {
    let whole = |line| Some((serde_json::from_slice::<Value>(line).ok()?, line));
    file.split(|&byte| byte == b'\n').filter_map(whole).collect()
}

/// A conversation of the records with these uuids: of each the last in the file, with `'` the first.
pub(super) fn conversation(file: &[u8], uuids: &str) -> Conversation {
    let lines = lines(file);
    let record = |name: &str| {
        let uuid = name.trim_end_matches('\'');
        let mut own = lines.iter().filter(|(record, _)| record["uuid"] == uuid);
        let found = if uuid == name { own.next_back() } else { own.next() };
        let (_, bytes) = found.unwrap_or_else(|| panic!("no {name} in the file"));
        ConversationRecord { uuid: uuid.to_owned(), bytes: bytes.to_vec() }
    };
    Conversation { records: uuids.split_whitespace().map(record).collect(), notes: vec!["noted".to_owned()] }
}

/// What the model answers for a file.
pub(super) fn model_answer(file: &[u8]) -> ResumeAnswer {
    let (found, order) = right_resume(file);
    let record = |RightRecord { range, uuid, .. }: &RightRecord| ConversationRecord {
        uuid: uuid.clone().expect("what comes back has a uuid"),
        bytes: file[range.clone()].to_vec(),
    };
    let records: Vec<ConversationRecord> = order.iter().map(|&index| record(&found[index])).collect();
    let notes = vec!["noted".to_owned()];
    Ok((!records.is_empty()).then_some(Conversation { records, notes }))
}

/// An answer for a file: a conversation of these records, or no conversation when there are none.
pub(super) fn case(file: &[u8], uuids: &str) -> Resumed {
    let conversation = (!uuids.is_empty()).then(|| conversation(file, uuids));
    Resumed {
        file: file.to_vec(),
        answer: Ok(conversation),
        again: None,
        cuts: Vec::new(),
        continued: Vec::new(),
        recorded: None,
    }
}
