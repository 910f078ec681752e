//! What comes back from a transcript, part by part of the definition in `transcript::resume`, and the
//! cases from the field that concern it.

mod agents;
mod boundary;
mod ending;
mod field;
mod forks;
mod hostile;
mod names;
mod notices;
mod parents;
mod put_back;
mod random;
mod replies;
mod streaming;
mod survey;
mod two_clients;
mod withdrawn;

use serde_json::{Value, json};
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::{
    Missing, NotFound, Note, NoteKind, Place, Resume, ResumeOptions, resume,
};

/// A line of a transcript being written.
#[derive(Clone)]
pub(crate) struct Line(Value);

/// The lines of a session, in words. First come a kind, a uuid (`?`: the member is missing) and a parent (`-`: null,
/// `?`: the member is missing).
///
/// Then come, for `assistant`, the id of its reply; for `call`, the reply and the call; for `results`, the calls that
/// they answer. Last come members of the record: `isMeta` is true, `teamName=blue` a string, `uuid=7` a number,
/// `supersedesUuids=[a1,a2]` a list.
/// `agent=x` is a line of the subagent x. `keeps=c,u1,a1` (more of them in `all=`) and `segment=c,u1,a1` are what a
/// boundary preserves: behind the anchor c, the messages u1 and a1, or the segment from u1 to a1.
pub(crate) fn session(text: &str) -> Vec<Line> {
    text.split("; ").map(record).collect()
}

fn record(text: &str) -> Line {
    let mut words = text.split(' ');
    let mut word = || words.next().expect("a word");
    let kind = word();
    let line = match kind {
        "user" => user(word(), word()),
        "assistant" => assistant(word(), word(), word()),
        "call" => call(word(), word(), word(), word()),
        "results" => results(word(), word(), &word().split(',').collect::<Vec<_>>()),
        "notice" => notice(word(), word()),
        "boundary" => boundary(word(), Value::Null),
        "compact_summary" => user(word(), word()).with("isCompactSummary", true),
        _ => line(kind, word(), word()),
    };
    words.fold(line, member)
}

/// The line with what a word of the notation says.
fn member(line: Line, word: &str) -> Line {
    let Some((name, value)) = word.split_once('=') else { return line.with(word, true) };
    let list: Vec<&str> = value.trim_matches(['[', ']']).split(',').collect();
    let json = |word: &str| serde_json::from_str(word).unwrap_or_else(|_| Value::from(word));
    match name {
        "agent" => line.with("agentId", value).with("isSidechain", true),
        "keeps" => line.with("compactMetadata", messages(list[0], &list[1..], &[])),
        "all" => {
            let mut line = line;
            line.0["compactMetadata"]["preservedMessages"]["allUuids"] = json!(list);
            line
        }
        "segment" => line.with("compactMetadata", segment(list[1], list[0], list[2])),
        _ if value.starts_with('[') => line.with(name, list.into_iter().map(json).collect::<Vec<_>>()),
        _ => line.with(name, json(value)),
    }
}

fn segment(head: &str, anchor: &str, tail: &str) -> Value {
    json!({"preservedSegment": {"headUuid": head, "anchorUuid": anchor, "tailUuid": tail}})
}

fn messages(anchor: &str, uuids: &[&str], all: &[&str]) -> Value {
    json!({"preservedMessages": {"anchorUuid": anchor, "uuids": uuids, "allUuids": all}})
}

fn line(kind: &str, uuid: &str, parent: &str) -> Line {
    let mut line = json!({"type": kind, "sessionId": "s1"});
    if uuid != "?" {
        line["uuid"] = json!(uuid);
    }
    match parent {
        "-" => line["parentUuid"] = Value::Null,
        "?" => {}
        parent => line["parentUuid"] = json!(parent),
    }
    Line(line)
}

/// A prompt.
fn user(uuid: &str, parent: &str) -> Line {
    line("user", uuid, parent).with("message", json!({"role": "user", "content": "a"}))
}

/// A line of a reply with one block of text.
fn assistant(uuid: &str, parent: &str, reply: &str) -> Line {
    let content = json!([{"type": "text", "text": "a"}]);
    let message = json!({"id": reply, "role": "assistant", "content": content});
    line("assistant", uuid, parent).with("message", message)
}

/// A line of a reply with one call.
fn call(uuid: &str, parent: &str, reply: &str, call: &str) -> Line {
    let mut line = assistant(uuid, parent, reply);
    line.0["message"]["content"] = json!([{"type": "tool_use", "id": call, "name": "Bash", "input": {}}]);
    line
}

/// Results, one for each call.
fn results(uuid: &str, parent: &str, calls: &[&str]) -> Line {
    let blocks: Vec<Value> =
        calls.iter().map(|call| json!({"type": "tool_result", "tool_use_id": call, "content": "a"})).collect();
    line("user", uuid, parent).with("message", json!({"role": "user", "content": blocks}))
}

fn notice(uuid: &str, parent: &str) -> Line {
    line("system", uuid, parent).with("subtype", "stop_hook_summary")
}

fn progress(uuid: &str, parent: &str) -> Line {
    line("progress", uuid, parent)
}

fn boundary(uuid: &str, metadata: Value) -> Line {
    line("system", uuid, "-").with("subtype", "compact_boundary").with("compactMetadata", metadata)
}

impl Line {
    fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.0[member] = value.into();
        self
    }

    fn without(mut self, member: &str) -> Self {
        self.0.as_object_mut().unwrap().remove(member);
        self
    }
}

pub(crate) fn file(lines: &[Line]) -> Vec<u8> {
    lines.iter().flat_map(|line| format!("{}\n", line.0).into_bytes()).collect()
}

/// The uuids of what comes back, and how it was found.
fn resumed(file: &[u8], options: &ResumeOptions) -> Result<(String, Resume), NotFound> {
    let transcript = Transcript::from_bytes(file.to_vec());
    let resume = resume(&transcript, options)?;
    let uuid = |start: u64| {
        let record = transcript.records().find(|record| record.start == start).unwrap();
        record.uuid().unwrap().into_owned()
    };
    let uuids: Vec<String> = resume.places.iter().map(|place| uuid(place.start)).collect();
    Ok((uuids.join(" "), resume))
}

/// What comes back from a file: a text with these records as its lines.
fn copied(file: &[u8], resume: &Resume) -> Vec<u8> {
    let line = |place: &Place| [&file[place.start as usize..place.end as usize], b"\n"].concat();
    resume.places.iter().flat_map(line).collect()
}

/// The whole records of a file.
fn records(file: &[u8]) -> Vec<Value> {
    serde_json::Deserializer::from_slice(file).into_iter().map(Result::unwrap).collect()
}

/// The uuids of what comes back of the main conversation.
fn uuids(lines: &[Line]) -> String {
    resumed(&file(lines), &ResumeOptions::default()).unwrap().0
}

/// The notes on the main conversation.
fn notes(lines: &[Line]) -> Vec<String> {
    let resume = resumed(&file(lines), &ResumeOptions::default()).unwrap().1;
    resume.notes.iter().map(ToString::to_string).collect()
}

/// The names of the kinds of notes.
fn note_kinds(lines: &[Line]) -> Vec<&'static str> {
    let resume = resumed(&file(lines), &ResumeOptions::default()).unwrap().1;
    resume.notes.iter().map(|note| note.kind.name()).collect()
}

fn not_found(lines: &[Line]) -> NotFound {
    resumed(&file(lines), &ResumeOptions::default()).unwrap_err()
}

/// The kind of the only note.
fn only_note(lines: &[Line]) -> NoteKind {
    let resume = resumed(&file(lines), &ResumeOptions::default()).unwrap().1;
    assert_eq!(resume.notes.len(), 1, "{:?}", resume.notes);
    resume.notes[0].kind
}
