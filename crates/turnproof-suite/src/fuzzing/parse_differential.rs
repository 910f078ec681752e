//! `parse_differential`: the typed reader of transcripts against plain ones.

use serde_json::Value;

use crate::message::Entry;
use crate::operation::{Operation, Reading};
use crate::subject::Subject;
use crate::suite::{Depth, NoAnswer, Observed};
use crate::transcript::{Flag, Link, Record, Transcript};

use super::mutate::Shape;
use super::{Law, Target, hold};

/// Two readers.
pub const PARSE_DIFFERENTIAL: Target = Target {
    name: "parse_differential",
    title: "what the typed reader says of a record is what serde_json reads in it, a record that is typed and written \
            again has the same members, and pieces and defects are those of a plain reader",
    law: Law::Bytes(parse_differential),
    shape: Some(Shape::Transcript),
};

fn parse_differential(subject: &dyn Subject, bytes: &[u8], _depth: Depth) {
    let reading = |parsed| vec![Reading { bytes: bytes.to_vec(), parsed, again: None }];
    let parse = subject.parse(bytes).into_answer().map(|answer| answer.map(reading).map_err(NoAnswer::Refused));
    hold(&Observed { parse, ..Observed::default() }, &[Operation::Parse]);
    let transcript = Transcript::from_bytes(bytes.to_vec());
    transcript.records().for_each(|record| is_what_serde_json_reads(&record));
}

/// Compares a record with the value that serde_json makes of its bytes. It makes none of half a surrogate pair, of
/// numbers beyond doubles, and of bytes that are not UTF-8.
fn is_what_serde_json_reads(record: &Record<'_>) {
    let Ok(value) = serde_json::from_slice::<Value>(record.bytes) else {
        // Both answers are fine; a panic is not.
        let _ = record.entry();
        return;
    };
    let at = record.start;
    let uuid = record.uuid();
    assert!(uuid.as_deref() == value["uuid"].as_str(), "a uuid is read: at {at} {uuid:?} is not {}", value["uuid"]);
    let kind = record.head.type_name.map(|span| record.text(span));
    assert!(kind.as_deref() == value["type"].as_str(), "a type is read: at {at} {kind:?} is not {}", value["type"]);
    let named = value["parentUuid"].as_str();
    let parent = record.parent();
    let is_right = match &parent {
        Link::To(uuid) => named == Some(uuid.as_ref()),
        Link::Null => value.get("parentUuid") == Some(&Value::Null),
        // A parent of another type is none.
        Link::Absent => named.is_none() && value.get("parentUuid") != Some(&Value::Null),
    };
    assert!(is_right, "a parent is read: at {at} {parent:?} is not {:?}", value.get("parentUuid"));
    let is_sidechain = value["isSidechain"] == true;
    assert!(record.head.has(Flag::Sidechain) == is_sidechain, "a flag is read: at {at} `isSidechain` is not");
    match record.entry() {
        Ok(entry) => says_the_same(&entry, &value, at),
        Err(error) => {
            let is_there = value.pointer(&pointer(&error.path)).is_some();
            assert!(is_there, "a field of a wrong type is in the record: at {at} `{}` is not", error.path);
        }
    }
}

fn says_the_same(entry: &Entry, value: &Value, at: u64) {
    let written = serde_json::to_string(entry).unwrap_or_default();
    let again = serde_json::from_str::<Value>(&written);
    assert!(
        again.as_ref().ok() == Some(value),
        "a record typed and written again has the same members: at {at} {value} became {written}"
    );
}

/// The JSON pointer of a path such as `message.content[2].text`.
fn pointer(path: &str) -> String {
    let mut pointer = String::new();
    for step in path.split(['.', '[']).filter(|step| !step.is_empty()) {
        pointer.push('/');
        pointer.push_str(step.trim_end_matches(']'));
    }
    pointer
}
