//! What a session proves was *sent*: requests are rebuilt from the notes of a client, and hashes are checked.

use std::path::PathBuf;

use serde_json::Value;
use turnproof_reference::sent::{Hash, Keep, Sent, SentError};
use turnproof_rules::operation::{Host, Request};
use turnproof_rules::rules::{CATALOGUE, Judge, SentFlaw, Severity};

use crate::transcripts::of_client;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/samples/sent.jsonl");

fn read(text: &str, keep: Keep) -> Sent {
    Sent::read(text.as_bytes(), keep).expect("memory can be read")
}

fn sample() -> Vec<Value> {
    let text = std::fs::read_to_string(SAMPLE).expect("the sample");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn session(records: &[Value]) -> Sent {
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    read(&text, Keep::Bodies)
}

#[test]
fn the_hash_of_a_turn_is_the_one_that_a_client_wrote() {
    // Recorded, 2.1.332.
    let turn = r#"{"content":[{"text":"No response requested.","type":"text"}],"role":"assistant"}"#;
    assert_eq!(Hash::of(turn).to_string(), "c5d33e5a837fcfbd74c4136d69de118287b5d28538b032c28ee879f5747d6cea");
}

#[test]
fn a_request_is_its_base_the_reply_and_what_is_new() {
    let sent = session(&sample());
    let turns: Vec<_> = sent.requests().iter().map(|request| request.turns()).collect();
    assert_eq!(turns, [Some(1), Some(3)]);
    let body = sent.body(1).unwrap();
    assert!(body.digest_fits && body.changed_turns.is_empty() && !body.is_shape_changed);
    assert_eq!(body.betas, ["context-management-2025-06-27"]);
    let json: Value = serde_json::from_str(&body.json).unwrap();
    assert_eq!(json["betas"], Value::Null);
    assert_eq!(json["system"][0]["cache_control"]["type"], "ephemeral");
    assert_eq!(json["messages"][1]["content"][1]["name"], "Bash");
    assert_eq!(json["messages"][2]["content"][0]["cache_control"]["type"], "ephemeral");
    assert_eq!(sent.facts(), []);
}

#[test]
fn what_was_changed_is_named_and_the_request_still_rebuilt() {
    let mut records = sample();
    records[2]["message"]["content"][0]["text"] = "Other words.".into();
    records[5]["message"]["content"][0]["input"]["command"] = "ls -l".into();
    let sent = session(&records);
    let body = sent.body(1).unwrap();
    assert_eq!((body.digest_fits, body.changed_turns), (false, vec![0, 1]));
    let flaws: Vec<_> = sent.facts().iter().map(|fact| (fact.line, fact.flaw)).collect();
    assert_eq!(flaws, [(3, SentFlaw::ChangedTurn), (9, SentFlaw::ChangedReply { line: 5 })]);
}

#[test]
fn what_is_missing_is_a_typed_error() {
    let without = |line: usize| {
        let mut records = sample();
        records.remove(line);
        session(&records)
    };
    assert!(matches!(without(1).body(0), Err(SentError::MissingShape(_))));
    assert!(matches!(without(2).body(0), Err(SentError::MissingTurn { turn: 0, .. })));
    assert!(matches!(without(7).body(1), Err(SentError::MissingTurn { turn: 2, .. })));
    assert!(matches!(without(3).body(0), Err(SentError::MissingBase { keep: 1, .. })));
    let mut records = sample();
    records[8]["keep"] = 7.into();
    assert!(matches!(session(&records).body(1), Err(SentError::ShortBase { keep: 7, turns: 1, .. })));
    let text = std::fs::read_to_string(SAMPLE).unwrap();
    assert_eq!(read(&text, Keep::Hashes).body(0), Err(SentError::OnlyHashes));
}

#[test]
fn the_facts_are_the_same_when_only_hashes_are_kept() {
    for case in turnproof_files("sent-").iter().chain(&of_client()) {
        let bytes = std::fs::read(case).unwrap();
        let facts = |keep| Sent::read(&bytes[..], keep).unwrap().facts();
        assert_eq!(facts(Keep::Bodies), facts(Keep::Hashes), "{}", case.display());
    }
}

#[test]
fn what_is_no_note_does_no_harm() {
    for line in [
        r#"{"type":"api-request"}"#,
        r#"{"type":"api-request","id":"a","tail":["no hash"],"shapeHash":"","requestDigest":"","params":{}}"#,
        r#"{"type":"api-request","id":"a","base":"a","keep":18446744073709551615,"tail":[],"shapeHash":"","requestDigest":"","params":[]}"#,
        r#"{"type":"api-request-blob","hash":"é","message":{"content":7}}"#,
        r#"{"type":"api-request-shape","shapeHash":"","shape":null}"#,
        r#"{"type":"assistant","message":{"content":[7,{"type":"text"}]}}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":{"a":[]}}]}}"#,
    ] {
        let sent = read(&format!("{line}\n{line}\n"), Keep::Bodies);
        sent.facts();
        (0..sent.requests().len()).for_each(|index| _ = sent.body(index));
    }
}

/// The stored cases whose folder begins so.
fn turnproof_files(begin: &str) -> Vec<PathBuf> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/cases/reject");
    let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().flatten();
    let files = files.map(walkdir::DirEntry::into_path).filter(|path| path.is_file());
    files.filter(|path| path.to_string_lossy().contains(begin)).collect()
}

/// Whether the Messages API takes a body.
fn is_legal(body: &str) -> bool {
    let request = Request::read(body).expect("a request");
    CATALOGUE.iter().all(|rule| {
        let Judge::Request { judge, .. } = rule.judge else { return true };
        let mut is_legal = true;
        judge(&request, Host::Anthropic, &mut |violation| {
            is_legal &= rule.severity_of(&violation) < Severity::Error;
        });
        is_legal
    })
}

#[test]
fn every_request_of_a_real_client_is_rebuilt() {
    let files = of_client();
    if files.is_empty() {
        eprintln!("skipped: there are no transcripts of a real client");
        return;
    }
    let (mut requests, mut legal, mut exact) = (0, 0, 0);
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let sent = Sent::read(&bytes[..], Keep::Bodies).unwrap();
        // Where the client's own texts were left out, hashes cannot fit.
        let is_whole = !String::from_utf8_lossy(&bytes).contains("of the client's own text left out");
        for index in 0..sent.requests().len() {
            let body = sent.body(index).unwrap_or_else(|error| panic!("{} {index}: {error}", path.display()));
            assert!(body.digest_fits || !is_whole, "{} {index}", path.display());
            requests += 1;
            exact += u64::from(body.digest_fits);
            legal += u64::from(is_legal(&body.json));
        }
    }
    eprintln!("{requests} requests: {exact} exactly as sent, {legal} legal");
    assert!(legal * 10 > requests * 8, "{legal} of {requests} legal");
}
