//! The *dictionaries* of the fuzz targets: libFuzzer can read them, and they hold the words that the
//! library knows.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::json;
use turnproof_reference::json::Raw;
use turnproof_reference::message::{AssistantBody, Block, Kind, Maybe, SERVER_RESULTS, SIDE_KINDS, TextBlock, Usage};
use turnproof_reference::stream::{Delta, ModelEvent};
use turnproof_rules::operation::{Host, Request};
use turnproof_rules::rules::{Judge, find};
use turnproof_suite::fuzzing::mutate::words::{
    BLOCK_TYPES, CONSTANTS, DELTA_TYPES, EVENT_TYPES, REQUEST_KEYS, ROLES, STOP_REASONS, STREAM_KEYS, SUBTYPES,
};

/// The longest word that libFuzzer takes (`Word` in its `FuzzerDictionary.h`).
const LONGEST: usize = 64;

/// The word of a line, read as `ParseOneDictionaryEntry` of libFuzzer's `FuzzerUtil.cpp` does. `None` when that fails.
fn word(line: &str) -> Option<Vec<u8>> {
    let (_name, rest) = line.trim().split_once('"')?;
    let mut inside = rest.strip_suffix('"')?.bytes();
    let mut word = Vec::new();
    while let Some(byte) = inside.next() {
        word.push(match byte {
            b'\\' => match inside.next()? {
                quoted @ (b'\\' | b'"') => quoted,
                b'x' => {
                    let digits = [inside.next()?, inside.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                _ => return None,
            },
            b' '..=b'~' | b'\t' => byte,
            _ => return None,
        });
    }
    (!word.is_empty()).then_some(word)
}

/// The words of a dictionary, in order.
fn words(name: &str) -> Vec<Vec<u8>> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("fuzz/dictionaries").join(name);
    let text = fs::read_to_string(path).expect("a dictionary");
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| word(line).unwrap_or_else(|| panic!("{name}:{}: no word: {line}", number + 1))).collect()
}

/// Asserts that there is a word for each name, in a form such as `"type":"$"`.
fn has(dictionary: &str, form: &str, names: &[&str]) {
    let words = words(dictionary);
    for name in names {
        let expected = form.replace('$', name);
        let line = format!("{expected:?}");
        assert!(words.contains(&expected.into_bytes()), "{dictionary}: add the line {line}");
    }
}

#[test]
fn an_entry_is_read_as_libfuzzer_reads_it() {
    assert_eq!(word(r#" key="a\\\"\x0A" "#), Some(b"a\\\"\n".to_vec()));
    for wrong in [r#"a"#, r#""a"#, r#""a\n""#, r#""\x0""#, r#""""#, "\"é\"", r#""a\""#] {
        assert_eq!(word(wrong), None, "{wrong}");
    }
}

#[test]
fn every_dictionary_can_be_read_and_no_word_is_repeated_or_too_long() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("fuzz/dictionaries");
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the dictionaries") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
        let mut seen = BTreeSet::new();
        for word in words(&name) {
            let shown = String::from_utf8_lossy(&word).into_owned();
            assert!(word.len() <= LONGEST, "{name}: libFuzzer passes over {shown:?}: {} bytes", word.len());
            assert!(seen.insert(word), "{name}: {shown:?} stands there twice");
        }
        names.insert(name);
    }
    assert!(names.is_superset(&["transcript.dict", "stream.dict", "request.dict"].map(str::to_owned).into()));
}

#[test]
fn the_transcript_dictionary_has_every_kind_subtype_and_constant() {
    has("transcript.dict", r#""type":"$""#, &Kind::ALL.map(Kind::name));
    has("transcript.dict", r#""type":"$""#, SIDE_KINDS);
    has("transcript.dict", r#""subtype":"$""#, SUBTYPES);
    let written = CONSTANTS.iter().map(|text| json!(text).to_string());
    let cut: Vec<String> = written.map(|json| json[1..json.len() - 1].chars().take(LONGEST).collect()).collect();
    has("transcript.dict", "$", &cut.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn the_stream_dictionary_has_every_type_of_event_and_delta_and_every_key() {
    has("stream.dict", "event: $\n", EVENT_TYPES);
    has("stream.dict", r#""type":"$""#, EVENT_TYPES);
    has("stream.dict", r#"{"type":"$""#, DELTA_TYPES);
    has("stream.dict", r#"{"type":"$""#, &BLOCK_TYPES);
    has("stream.dict", r#""$":"#, &STREAM_KEYS);
    has("stream.dict", r#""stop_reason":"$""#, STOP_REASONS);
    has("stream.dict", "$", &["event: ", "data: ", "id: ", "retry: ", "\n\n", "\r\n\r\n"]);
}

#[test]
fn the_request_dictionary_has_every_type_of_block_and_every_key() {
    has("request.dict", r#"{"type":"$""#, &BLOCK_TYPES);
    has("request.dict", r#""$":"#, &REQUEST_KEYS);
    has("request.dict", r#"{"role":"$","content":"#, ROLES);
}

/// The place of an event's type in [`every_event`]. A new type has to be named here before this compiles.
fn place_of_event(event: &ModelEvent) -> Option<usize> {
    match event {
        ModelEvent::MessageStart { .. } => Some(0),
        ModelEvent::BlockStart { .. } => Some(1),
        ModelEvent::BlockDelta { .. } => Some(2),
        ModelEvent::BlockStop { .. } => Some(3),
        ModelEvent::MessageDelta { .. } => Some(4),
        ModelEvent::MessageStop { .. } => Some(5),
        ModelEvent::Ping { .. } => Some(6),
        ModelEvent::Error { .. } => Some(7),
        ModelEvent::Unknown { .. } => None,
    }
}

fn every_event() -> [ModelEvent; 8] {
    [
        ModelEvent::message_start(AssistantBody::default()),
        ModelEvent::block_start(0, TextBlock::new("").into()),
        ModelEvent::block_delta(0, Delta::Text("".into())),
        ModelEvent::block_stop(0),
        ModelEvent::message_delta("end_turn", Usage::default()),
        ModelEvent::message_stop(),
        ModelEvent::ping(),
        ModelEvent::error("overloaded_error", ""),
    ]
}

/// The place of a delta's type in [`every_delta`], like that of an event.
fn place_of_delta(delta: &Delta) -> Option<usize> {
    match delta {
        Delta::Text(_) => Some(0),
        Delta::InputJson(_) => Some(1),
        Delta::Citation(_) => Some(2),
        Delta::Thinking(_) => Some(3),
        Delta::Signature(_) => Some(4),
        Delta::Compaction { .. } => Some(5),
        Delta::Unknown(_) => None,
    }
}

fn every_delta() -> [Delta; 6] {
    [
        Delta::Text("".into()),
        Delta::InputJson("".into()),
        Delta::Citation(Raw::from("")),
        Delta::Thinking("".into()),
        Delta::Signature("".into()),
        Delta::Compaction { content: Maybe::Absent, encrypted_content: Maybe::Absent },
    ]
}

#[test]
fn the_types_of_events_and_deltas_of_mutations_are_those_that_the_library_reads() {
    let (events, deltas) = (every_event(), every_delta());
    assert!(events.iter().enumerate().all(|(index, event)| place_of_event(event) == Some(index)));
    assert!(deltas.iter().enumerate().all(|(index, delta)| place_of_delta(delta) == Some(index)));
    assert_eq!(events.each_ref().map(ModelEvent::type_name), EVENT_TYPES);
    assert_eq!(deltas.each_ref().map(Delta::type_name), DELTA_TYPES);
}

/// The tags that the API expects where it finds a block of an unknown type, as the rule
/// `api/known-blocks` predicts its answer.
fn expected_tags(content: serde_json::Value) -> BTreeSet<String> {
    let Judge::Request { judge, .. } = find("api/known-blocks").expect("the rule").judge else {
        panic!("a rule on requests")
    };
    let turns = json!([{"role": "user", "content": content}]);
    let request = Request::read(&turns.to_string()).expect("a request");
    let mut errors = Vec::new();
    judge(&request, Host::Anthropic, &mut |violation| errors.extend(violation.error));
    let (_, tags) = errors[0].split_once("expected tags: ").expect("the tags");
    tags.split(", ").map(|tag| tag.trim_matches('\'').to_owned()).collect()
}

#[test]
fn the_types_of_blocks_of_mutations_are_those_that_the_library_and_the_api_know() {
    let unheard = json!({"type": "block_of_tomorrow"});
    let mut known = expected_tags(json!([unheard]));
    known.extend(expected_tags(json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": [unheard]}])));
    assert_eq!(known, BLOCK_TYPES.iter().map(|&name| name.to_owned()).collect());
    let typed = ["text", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "image"];
    for name in typed.iter().chain(&["document"]).chain(&SERVER_RESULTS) {
        assert!(BLOCK_TYPES.contains(name) && !Block::members_of(name).is_empty(), "{name}");
    }
}
