//! `turnproof check --recordings`: cassettes of each recorder in small, and recorded exchanges where they are at hand.

#![cfg(feature = "cli")]

use std::io::Write;
use std::path::PathBuf;
use std::{env, fs};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::call::{run, turnproof};

const URL: &str = "https://api.anthropic.com/v1/messages";
const REQUEST: &str = r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"}]}"#;
const ILLEGAL: &str = r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[]}]}"#;
const MESSAGE: &str = r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}"#;
const STREAM: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}

event: message_stop
data: {"type":"message_stop"}
"#;

fn refusal(words: &str) -> String {
    json!({"type": "error", "error": {"type": "invalid_request_error", "message": words}}).to_string()
}

fn gzip(text: &str) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    BASE64_STANDARD.encode(encoder.finish().unwrap())
}

/// What the command says of files in a folder.
fn check(files: &[(&str, String)], more: &[&str]) -> (i32, String, String) {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    run(turnproof(&["check", "--recordings", "."]).args(more).current_dir(folder.path()))
}

/// The lines of a kind that the command writes of one file for programs, and the exit code.
fn lines(name: &str, text: &str, kind: &str) -> (i32, Vec<Value>) {
    let (code, out, error) = check(&[(name, text.to_owned())], &["--format", "json"]);
    assert_eq!(error, "", "{name}");
    let lines = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    (code, lines.filter(|line| line["kind"] == kind).collect())
}

/// Holds that a file has one exchange, whose request was taken and is legal, and whose reply is legal.
#[track_caller]
fn holds(name: &str, text: &str) {
    let (code, summary) = lines(name, text, "summary");
    assert_eq!((code, &summary[0]["exchanges"]), (0, &json!(1)), "{name}\n{text}");
    assert_eq!((&summary[0]["replies"], &summary[0]["broken_replies"]), (&json!(1), &json!(0)), "{name}");
    let counts = lines(name, text, "count").1;
    assert_eq!((&counts[0]["outcome"], &counts[0]["legal"]), (&json!("accepted"), &json!(1)), "{name}");
}

/// Text as a block of YAML, so many columns in.
fn block(text: &str, columns: usize) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{}{line}\n", " ".repeat(columns)) };
    text.lines().map(line).collect()
}

#[test]
fn cassettes_of_vcrpy_are_read_as_text_bytes_gzip_and_parsed_bodies() {
    let cassette = |request: &str, reply: &str| {
        format!(
            "interactions:\n- request:\n    {request}\n    headers:\n      accept:\n      - '*/*'\n    method: POST\n    \
             uri: {URL}\n  response:\n    {reply}\n    status:\n      code: 200\n      message: OK\nversion: 1\n"
        )
    };
    let request = format!("body: '{REQUEST}'");
    holds("a.yaml", &cassette(&request, &format!("body:\n      string: '{MESSAGE}'")));
    holds("a.yml", &cassette(&request, &format!("body:\n      string: !!binary |\n        {}", gzip(MESSAGE))));
    holds("a.yaml", &cassette(&request, &format!("body:\n      string: |\n{}", block(STREAM, 8))));
    holds("a.yaml", &cassette(&format!("parsed_body: {REQUEST}"), &format!("parsed_body: {MESSAGE}")));
    let json = json!({"interactions": [{
        "request": {"uri": URL, "method": "POST", "body": REQUEST},
        "response": {"status": {"code": 200}, "body": {"string": MESSAGE}},
    }]});
    holds("a.json", &json.to_string());
}

#[test]
fn cassettes_of_vcr_are_read_for_ruby_and_for_r() {
    let ruby = |reply: &str| {
        format!(
            "---\nhttp_interactions:\n- request:\n    method: post\n    uri: {URL}\n    body:\n      encoding: UTF-8\n      \
             string: '{REQUEST}'\n  response:\n    status:\n      code: 200\n      message: OK\n    body:\n      \
             encoding: ASCII-8BIT\n      {reply}\n  recorded_at: Thu, 01 Jan 2026 00:00:00 GMT\nrecorded_with: VCR 6.3.1\n"
        )
    };
    holds("a.yml", &ruby(&format!("string: '{MESSAGE}'")));
    holds("a.yml", &ruby(&format!("string: !binary |-\n        {}", BASE64_STANDARD.encode(MESSAGE))));
    holds("a.yml", &ruby(&format!("base64_string: {}", gzip(MESSAGE))));
    let r = format!(
        "http_interactions:\n- request:\n    method: POST\n    uri: {URL}\n    body:\n      string: '{REQUEST}'\n  \
         response:\n    status: 200\n    headers:\n      content-encoding: gzip\n    body:\n      string: '{MESSAGE}'\n  \
         recorded_at: 2025-10-22 14:06:31\nrecorded_with: VCR-vcr/2.0.0\n"
    );
    holds("a.yml", &r);
}

#[test]
fn cassettes_of_go_vcr_are_read_in_each_version() {
    let body = block(STREAM, 6);
    let first = format!(
        "---\nversion: 1\ninteractions:\n- request:\n    body: '{REQUEST}'\n    form: {{}}\n    url: {URL}\n    \
         method: POST\n  response:\n    body: |+\n{body}\n    status: 200 OK\n    code: 200\n"
    );
    holds("a.yaml", &first);
    let third = format!(
        "---\nversion: 2\ninteractions:\n- id: 0\n  request:\n    proto: HTTP/1.1\n    content_length: 9\n    \
         body: '{REQUEST}'\n    url: {URL}\n    method: POST\n  response:\n    body: '{MESSAGE}'\n    status: 200 OK\n    \
         duration: 1.5s\n"
    );
    holds("a.yaml", &third);
}

#[test]
fn har_is_read_as_browsers_and_as_polly_write_it() {
    let har = |content: Value| {
        json!({"log": {"version": "1.2", "entries": [{
            "request": {"method": "POST", "url": URL, "postData": {"mimeType": "application/json", "text": REQUEST}},
            "response": {"status": 200, "content": content},
        }]}})
        .to_string()
    };
    holds("a.har", &har(json!({"text": MESSAGE})));
    holds("a.har", &har(json!({"text": BASE64_STANDARD.encode(STREAM), "encoding": "base64"})));
    holds("a.json", &har(json!({"text": json!([gzip(MESSAGE)]).to_string(), "encoding": "base64"})));
}

#[test]
fn recordings_of_httpmock_and_plain_lines_are_read() {
    let httpmock = format!(
        "when:\n  path: /v1/messages\n  method: POST\n  body: '{REQUEST}'\nthen:\n  status: 200\n  body: '{MESSAGE}'\n"
    );
    holds("a.yaml", &httpmock);
    let (request, message) = [REQUEST, MESSAGE].map(|text| serde_json::from_str::<Value>(text).unwrap()).into();
    holds("a.jsonl", &json!({"host": "anthropic", "status": 200, "request": request, "response": message}).to_string());
    holds("a.jsonl", &json!({"host": "anthropic", "status": 200, "request": request, "stream": STREAM}).to_string());
    let log = json!({
        "request": {"method": "POST", "url": URL, "body": request},
        "response": {"status_code": 200, "body_raw": STREAM},
    });
    holds("a.jsonl", &log.to_string());
}

/// An exchange as a line.
fn exchange(url: &str, status: u16, request: &str, reply: &str) -> String {
    json!({"request": {"url": url, "body": request}, "response": {"status": status, "body": reply}}).to_string() + "\n"
}

#[test]
fn an_address_says_whose_rules_judge() {
    let bedrock = "https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-3-haiku-20240307-v1%3A0";
    let vertex = "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/m";
    let invoke =
        r#"{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"messages":[{"role":"user","content":"a"}]}"#;
    let converse = r#"{"messages":[{"role":"user","content":[{"text":"a"}]}]}"#;
    for (url, request, host) in [
        (URL.to_owned(), REQUEST, "anthropic"),
        (
            format!("{URL}/count_tokens?beta=true"),
            r#"{"model":"m","messages":[{"role":"user","content":"a"}]}"#,
            "anthropic",
        ),
        (format!("{bedrock}/invoke"), invoke, "bedrock-invoke"),
        (format!("{bedrock}/converse"), converse, "bedrock-converse"),
        (format!("{vertex}:streamRawPredict"), invoke, "vertex"),
        ("http://localhost:3000/v1/messages".to_owned(), REQUEST, "localhost:3000 (as anthropic)"),
        ("/v1/messages".to_owned(), REQUEST, "no host named (as anthropic)"),
    ] {
        let (code, counts) = lines("a.jsonl", &exchange(&url, 200, request, ""), "count");
        assert_eq!((code, &counts[0]["host"], counts[0]["not_legal"].as_u64()), (0, &json!(host), Some(0)), "{url}");
    }
    let nova = "https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-lite-v1:0/converse";
    for url in [nova, "https://api.openai.com/v1/chat/completions", "https://api.anthropic.com/v1/models"] {
        let (code, summary) = lines("a.jsonl", &exchange(url, 200, REQUEST, ""), "summary");
        assert_eq!(
            (code, &summary[0]["exchanges"], &summary[0]["other_exchanges"]),
            (4, &json!(0), &json!(1)),
            "{url}"
        );
    }
}

#[test]
fn a_table_and_each_disagreement_are_printed() {
    let credit = "Your credit balance is too low to access the Anthropic API.";
    let exchanges = [
        exchange(URL, 200, REQUEST, MESSAGE),
        exchange(URL, 200, ILLEGAL, MESSAGE),
        exchange(URL, 400, ILLEGAL, &refusal("messages.0: user messages must have non-empty content")),
        exchange(URL, 400, ILLEGAL, &refusal("no")),
        exchange(URL, 400, REQUEST, &refusal(credit)),
        exchange(URL, 429, REQUEST, &refusal("slow down")),
        exchange(URL, 200, REQUEST, &MESSAGE.replace("\"end_turn\"", "\"no_reason\"")),
    ];
    let (code, out, _) = check(&[("a.jsonl", exchanges.concat()), ("b.json", "{}".into())], &[]);
    let expected = "7 exchanges with the Messages API in 1 recording; left alone: 0 other exchanges, 1 other file

host       answer    legal  warned  not legal  not judged
anthropic  accepted      2       0          1           0
anthropic  refused       1       0          2           0
anthropic  other         1       0          0           0
";
    assert!(out.starts_with(expected), "{out}");
    for part in [
        "1 of 2 refused requests that are not legal have the recorded words. 3 replies judged: 1 broken",
        "Accepted, and called not legal: 1\n  ./a.jsonl#2 (anthropic, 200)\n    api/",
        "Replies that break a rule: 1\n  ./a.jsonl#7 (anthropic, 200)\n    reply/stop-reason",
        &format!("Refused, and called legal: 1\n  ./a.jsonl#5 (anthropic, 400)\n    recorded: {credit}\n"),
        "    names what a body does not show: the credit of an account\n",
        "in other words: 1\n  ./a.jsonl#4 (anthropic, 400)\n    recorded: no\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert_eq!(code, 1);
}

#[test]
fn only_what_contradicts_the_rules_makes_the_exit_code_1() {
    let code = |exchange: &str| check(&[("a.jsonl", exchange.to_owned())], &[]).0;
    assert_eq!(code(&exchange(URL, 200, REQUEST, MESSAGE)), 0);
    assert_eq!(code(&exchange(URL, 200, ILLEGAL, MESSAGE)), 1);
    assert_eq!(code(&exchange(URL, 400, REQUEST, &refusal("no"))), 0, "a refusal may have other reasons");
    assert_eq!(code(&exchange(URL, 400, ILLEGAL, &refusal("no"))), 0);
    assert_eq!(code(&exchange(URL, 500, ILLEGAL, "")), 0);
    assert_eq!(check(&[("a.yaml", "a: [/v1/messages\nb".into())], &[]).0, 2, "a recording that cannot be read");
    assert_eq!(check(&[("a.yaml", "a: [b\nc".into())], &[]).0, 4, "no recording at all");
    let cut = exchange(URL, 200, REQUEST, MESSAGE) + "{\"request\"";
    assert_eq!(code(&cut), 2, "a line that cannot be read");
}

#[test]
fn what_is_not_whole_is_not_judged_and_what_was_replaced_makes_no_noise() {
    for body in ["<SCRUBBED>", "REDACTED", "[FILTERED]", &REQUEST[..40], ""] {
        let (code, summary) = lines("a.jsonl", &exchange(URL, 200, body, MESSAGE), "disagreement");
        assert_eq!((code, &summary[0]["is"]), (0, &json!("not-judged")), "{body}");
    }
    let thinking = json!({"model": "m", "max_tokens": 9, "messages": [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "b", "signature": "<REDACTED>"}, {"type": "text", "text": "b"},
        ]},
        {"role": "user", "content": "c"},
    ]});
    let text = exchange(URL, 200, &thinking.to_string(), MESSAGE);
    let (code, out, _) = check(&[("a.jsonl", text)], &[]);
    assert_eq!(code, 0);
    assert!(out.contains("Set aside, since a recorder replaced the values: thinking/whole-signature 1\n"), "{out}");
}

#[test]
fn rules_are_chosen_and_other_formats_are_refused() {
    let broken = [("a.jsonl", exchange(URL, 200, ILLEGAL, MESSAGE))];
    assert_eq!(check(&broken, &["--ignore", "api/*"]).0, 0);
    assert_eq!(check(&broken, &["--select", "reply/*"]).0, 0);
    assert_eq!(check(&broken, &["--format", "sarif"]).0, 2);
    assert_eq!(check(&broken, &["--select", "chain/*"]).0, 2);
}

/// The recordings: `TURNPROOF_EXCHANGES`, or a folder beside the repository.
fn recordings() -> PathBuf {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/exchanges/exchanges.jsonl").into();
    env::var_os("TURNPROOF_EXCHANGES").map_or_else(beside, PathBuf::from)
}

#[test]
fn recorded_exchanges_say_what_the_rules_say() {
    let path = recordings();
    if !path.exists() {
        eprintln!("skipped: there are no recordings at {}", path.display());
        return;
    }
    let path = path.to_str().unwrap();
    let (code, out, error) = run(&mut turnproof(&["check", "--recordings", "--format", "json", path]));
    assert_eq!((code, error.as_str()), (0, ""));
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).cloned().collect::<Vec<_>>();
    for line in of("count").iter().filter(|line| line["outcome"] == "accepted") {
        assert_eq!((&line["not_legal"], &line["not_judged"]), (&json!(0), &json!(0)), "{line}");
    }
    let is = |line: &Value, kind: &str| line["is"] == kind;
    let found = of("disagreement");
    // A recorder wrote another id into results of web searches; their calls kept theirs.
    let ids =
        found.iter().filter(|one| is(one, "set-aside") && one["rules"].to_string().contains("pairing/server-tools"));
    assert_eq!(ids.count(), 2);
    // What is too long is no shape.
    for legal in found.iter().filter(|one| is(one, "refused-legal")) {
        assert_eq!(legal["not_in_body"], "the size in tokens", "{legal}");
    }
    let summary = &of("summary")[0];
    let refused = found.iter().filter(|one| is(one, "other-words") || is(one, "refused-legal")).count() as u64;
    assert_eq!(refused + summary["same_words"].as_u64().unwrap(), 20);
    assert!(summary["same_words"].as_u64().unwrap() >= 13, "{summary}");
    assert_eq!(summary["broken_replies"], 0);
}
