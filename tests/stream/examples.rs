//! The odd and broken streams of `examples/streams`: files that people feed to their own readers, and an index that says
//! what is kept of each and what is reported. They are made from the generator of extra streams and from damage, and
//! `TURNPROOF_WRITE_PAGES=1` writes them again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use turnproof::report::outline;
use turnproof_reference::message::Block;
use turnproof_rules::operation::{Accumulated, Operation, StreamItem, StreamText, Streamed};
use turnproof_rules::rules::{CATALOGUE, Verdict};
use turnproof_suite::scenario::{Case, Scenario};
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::{Observed, judge};

/// Where the one thing is that is odd about a stream, its name there, and what a reader has to do.
const EXAMPLES: &[(&str, &str, &str)] = &[
    ("block", "text-begun", "A text begins in the start of its block. The deltas are appended to it."),
    ("block", "thinking-begun", "Thinking begins in the start of its block. The deltas are appended to it."),
    ("block", "signed-at-start", "The signature is in the start of the block alone. It is kept."),
    ("block", "input-at-start", "The input of a call is in the start of its block alone. It is kept."),
    ("block", "input-twice", "A call has an input in its start and another in its deltas. The deltas count."),
    ("block", "citations-begun", "Citations are in the start of a text and in deltas. All are kept, in order."),
    (
        "block",
        "halves-of-text",
        "A character comes in two deltas, a half of its surrogate pair each. The halves are joined.",
    ),
    (
        "block",
        "halves-from-start",
        "Half of a character is in the start of the block, and half in a delta. They are joined.",
    ),
    (
        "block",
        "halves-of-input",
        "A character of an input comes in two deltas. The halves are joined before the input is read.",
    ),
    ("block", "half-alone", "Half of a surrogate pair stays alone. It is kept, and the text around it too."),
    ("block", "large-numbers", "An input has numbers that no double holds. Their digits are kept."),
    ("block", "whole-at-start", "A block is whole in its start and has no delta. It is kept."),
    ("block", "compaction", "A delta of a compaction replaces what was there. It is not appended."),
    ("block", "fallback", "A block names another model. From there on the reply is of that model."),
    ("block", "text-astray", "A delta of text comes inside thinking. It is left out, and the thinking is kept."),
    ("block", "delta-of-tomorrow", "A delta has a type that nobody knows. It is left out, and nothing is wrong."),
    ("block", "other-members", "A block has members that nobody knows. They are kept."),
    ("block", "blank-input", "The input of a call is white space alone. It is the empty object."),
    ("start", "with-text", "The start of the reply holds a text. It is the first block."),
    ("start", "with-call", "The start of the reply holds a call. It is the first block."),
    ("end", "twice", "The end is said twice. The second one counts."),
    ("end", "then-null", "The second end has null in each place. A null counts for the reason, and not for a count."),
    ("end", "none", "Nobody says why the reply ended. It is kept with no reason."),
    ("end", "odd-reason", "The second reason is no text. It counts as missing."),
    ("end", "lower-counts", "The end counts less than the start. The end counts."),
    ("fate", "open-to-the-end", "The last block has no stop. The end of the message stops it."),
    ("fate", "no-stop", "The last event is missing. The reply is kept, and reported as unfinished."),
    ("fate", "cut-short", "The stream ends between two blocks. What came is kept, and reported as unfinished."),
    ("fate", "cut-in-a-block", "The stream ends inside a block. What came is kept, and reported as unfinished."),
    ("fate", "error", "An error comes after a block. The block is kept, and the error is reported."),
    ("fate", "error-in-a-block", "An error comes inside a block. What came is kept, and the error is reported."),
    ("fate", "two-open", "Two blocks are open at once. The second start ends the first, and that is reported."),
    ("fate", "late-delta", "A delta is about a block that has stopped. It is left out and reported."),
    ("fate", "the-same-again", "Two blocks say the same. Both are kept."),
    ("fate", "another-reply", "A second reply follows in the same stream. Both are kept."),
    ("fate", "ping-in-a-block", "A ping comes between two deltas. It changes nothing."),
    ("fate", "error-then-more", "Events follow an error. They are left out."),
    ("wire", "no-space", "There is no space behind the colon of a field."),
    ("wire", "no-name", "The events have no name. Their data says what they are."),
    ("wire", "name-alone", "The events have their type as name alone. The name says what they are."),
    ("wire", "byte-order-mark", "The stream begins with a byte order mark. It is dropped."),
    ("wire", "comments", "Comments are between events and between the lines of one. They are dropped."),
    ("wire", "data-lines", "The data of an event comes in two lines. They are joined with a line feed."),
    ("wire", "returns-and-feeds", "Lines end with CR LF."),
    ("wire", "returns", "Lines end with CR."),
    ("wire", "other-fields", "There are fields that nobody needs, and an event without data. They are dropped."),
    ("wire", "unfinished-event", "The stream ends inside an event, before its blank line. That event is no event."),
    ("wire", "nameless-again", "Each event comes again without a name and a type. The second one says nothing."),
    ("event", "event-twice 2", "A delta comes twice. Nobody can know that, and both count."),
    ("event", "event-lost 0", "The start of the message is missing. Nothing is kept, and that is reported."),
    ("event", "event-lost 1", "The start of a block is missing. Its deltas are left out, and that is reported."),
    ("event", "event-lost 3", "The stop of a block is missing. The next event stops it."),
    ("event", "events-swapped 3", "The stop of a block comes before its delta. The delta is left out and reported."),
    ("event", "other-index 2", "A delta is about a block that is not there. It is left out and reported."),
    ("event", "odd-index 2", "An index is no whole number. The event is left out and reported."),
    ("event", "second-start 2", "A message begins inside another. It is left out and reported."),
    ("event", "malformed-event 2", "An event is no object. It is left out and reported."),
    ("byte", "bad-byte 175", "A byte of a text is no UTF-8. It becomes U+FFFD."),
    ("byte", "nul-inside 175", "A NUL byte is inside a text, so the event is no JSON. It is left out and reported."),
    ("byte", "garbage 0", "The stream begins with a line that is no field. It is dropped."),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/streams")
}

/// The bytes of a stream with one odd thing.
fn bytes(place: &str, name: &str) -> Vec<u8> {
    let (name, number) = name.split_once(' ').unwrap_or((name, "0"));
    let number: u8 = number.parse().unwrap();
    let plan = match place {
        "event" => json!([{"sort": name, "at": number}, null]),
        "byte" => json!([null, {"sort": name, "number": number}]),
        _ => Value::Null,
    };
    let line = |damage: &Value| {
        let mut line =
            json!({"kind": "assistant", "uuid": 0, "blocks": [{"type": "text"}], "stream_damage": damage[0]});
        line["damage"] = damage[1].as_object().map_or(json!([]), |damage| json!([damage]));
        json!({"profile": "hostile", "lines": [line], "piece": 255, "indexes": []})
    };
    let flow = || {
        let mut flow = json!({"block": "text", "start": "usual", "end": "usual", "fate": "whole", "wire": "bytes"});
        flow[place] = name.into();
        json!({"profile": "shuffled", "indexes": [], "flows": [flow]})
    };
    let scenario = if plan.is_null() { flow() } else { line(&plan) };
    let scenario: Scenario = serde_json::from_value(scenario).unwrap();
    let piece = |item: &StreamItem| match item {
        StreamItem::Bytes(bytes) => bytes.clone(),
        item => panic!("{place} {name}: {item:?} is no part of a file"),
    };
    Case::of(&scenario).streams().concat().iter().flat_map(piece).collect()
}

fn file_name(place: &str, name: &str) -> String {
    format!("{place}-{}.sse", name.replace(' ', "-"))
}

fn asked(bytes: &[u8]) -> (Vec<StreamItem>, StreamText) {
    let items: Vec<StreamItem> = bytes.chunks(7).map(|piece| StreamItem::Bytes(piece.to_vec())).collect();
    match Reference.accumulate(&items) {
        Outcome::Output(text) => (items, text),
        other => panic!("{other:?}"),
    }
}

/// What is kept and what is reported, as a line of the index has it.
fn result(text: &StreamText) -> String {
    let report = text.fault.as_ref().map(|fault| &fault.name);
    format!(r#""report":{},"keep":{}"#, serde_json::to_string(&report).unwrap(), text.messages.as_ref().unwrap())
}

/// All files of the folder.
fn files() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let (mut index, mut rows) = (String::new(), String::new());
    for (place, name, what) in EXAMPLES {
        let (file, bytes) = (file_name(place, name), bytes(place, name));
        let (_, text) = asked(&bytes);
        index += &format!("{{\"file\":\"{file}\",\"what\":{},{}}}\n", json!(what), result(&text));
        let report =
            text.fault.as_ref().map_or("nothing".to_owned(), |fault| format!("`{}`: {}", fault.name, fault.message));
        rows += &format!("| [`{file}`]({file}) | {what} | {} | {} |\n", kept(&text), report.replace('|', "\\|"));
        assert!(files.insert(file, bytes).is_none(), "{name}");
    }
    files.insert("index.jsonl".to_owned(), index.into_bytes());
    files.insert("README.md".to_owned(), (HEAD.to_owned() + &rows).into_bytes());
    files
}

const HEAD: &str = "\
# Odd and broken streams

Each file is a response of the Messages API as a server might send it, with one odd thing. Feed them to your own reader.
`index.jsonl` has an object for each file: `file`, `what`, `keep` (the messages, as the API gives them when it does not
stream) and `report` (the first thing that is wrong, by its name in SPEC.md 4.4, or null). The table says the same in
words. `turnproof accumulate --whole FILE` prints what the reference makes of one. How the bytes are cut must change
nothing.

The files are made by a test: `TURNPROOF_WRITE_PAGES=1 cargo test -p turnproof-tests --test stream examples`.

| file | what is odd, and what a reader does | it keeps | it reports |
|---|---|---|---|
";

/// The blocks of the messages, in words.
fn kept(text: &StreamText) -> String {
    let messages: Vec<&serde_json::value::RawValue> = serde_json::from_str(text.messages.as_ref().unwrap()).unwrap();
    let body = |message: &&serde_json::value::RawValue| {
        #[derive(serde::Deserialize)]
        struct Body {
            content: Vec<Block>,
            stop_reason: Value,
        }
        let Body { content, stop_reason } = serde_json::from_str(message.get()).unwrap();
        let blocks = content.iter().map(|block| format!("`{}`", outline::block(block))).collect::<Vec<_>>().join(", ");
        let blocks = if blocks.is_empty() { "no block".to_owned() } else { blocks };
        format!("{blocks}; {}", stop_reason.as_str().unwrap_or("no reason"))
    };
    let messages: Vec<String> = messages.iter().map(body).collect();
    if messages.is_empty() { "nothing".to_owned() } else { messages.join("<br>").replace('|', "\\|") }
}

#[test]
fn files_of_examples_are_what_the_generator_writes() {
    let files = files();
    if std::env::var_os("TURNPROOF_WRITE_PAGES").is_some() {
        fs::create_dir_all(folder()).unwrap();
        for (name, bytes) in &files {
            fs::write(folder().join(name), bytes).unwrap();
        }
    }
    let mut there: Vec<String> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    there.sort();
    assert_eq!(there, files.keys().cloned().collect::<Vec<_>>());
    for (name, bytes) in &files {
        let stored = fs::read(folder().join(name)).unwrap();
        assert!(stored == *bytes, "{name} is not what the generator writes; TURNPROOF_WRITE_PAGES=1 writes it");
    }
    assert_eq!(files.len(), 60 + 2);
    let streams: std::collections::BTreeSet<_> =
        files.iter().filter(|(name, _)| name.ends_with(".sse")).map(|(_, bytes)| bytes).collect();
    assert_eq!(streams.len(), 60, "no two are the same");
}

#[test]
fn the_reference_gives_what_the_index_of_the_examples_says() {
    let index = fs::read_to_string(folder().join("index.jsonl")).unwrap();
    for line in index.lines() {
        let row: Value = serde_json::from_str(line).unwrap_or_default();
        let (file, _) = line.split_once(".sse\"").unwrap();
        let file = format!("{}.sse", file.trim_start_matches("{\"file\":\""));
        let (items, text) = asked(&fs::read(folder().join(&file)).unwrap());
        assert!(line.ends_with(&format!("{}}}", result(&text))), "{file}: {row} is not {}", result(&text));
        // What the reference gives is right by each rule.
        let streamed = Streamed::read(&text).unwrap();
        let accumulated = Accumulated { items, output: Ok(streamed), cut_otherwise: None, again: None };
        let observed = Observed::from(accumulated);
        for rule in CATALOGUE.iter().filter(|rule| rule.operation() == Operation::Accumulate) {
            let verdict = judge(rule, &observed);
            assert!(!verdict.as_ref().is_some_and(Verdict::is_broken), "{file}: {} {verdict:?}", rule.id);
        }
    }
    assert_eq!(index.lines().count(), EXAMPLES.len());
}
