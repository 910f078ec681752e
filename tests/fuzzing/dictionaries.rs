//! The *dictionaries* of the fuzz targets: libFuzzer can read them, and they hold the words that the
//! library knows.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use turnproof_reference::json::Raw;
use turnproof_reference::message::{AssistantBody, Block, Maybe, SERVER_RESULTS, TextBlock, Usage};
use turnproof_reference::stream::{Delta, ModelEvent};
use turnproof_suite::fuzzing::mutate::words::{BLOCK_TYPES, DELTA_TYPES, EVENT_TYPES};

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
            assert!(seen.insert(word), "{name}: {shown:?} is there twice");
        }
        names.insert(name);
    }
    assert!(names.is_superset(&["transcript.dict", "stream.dict", "request.dict"].map(str::to_owned).into()));
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

#[test]
fn the_types_of_blocks_that_the_library_reads_are_those_of_the_table() {
    let typed = ["text", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "image"];
    for name in typed.iter().chain(&["document"]).chain(&SERVER_RESULTS) {
        assert!(BLOCK_TYPES.contains(name) && !Block::members_of(name).is_empty(), "{name}");
    }
}
