//! Halves of *surrogate* pairs in deltas: no half is lost, and two halves that follow each other are joined.

use super::*;

/// The block that these deltas make of a text block, as JSON text.
fn text_of(tokens: &[&str]) -> String {
    let mut accumulator = Accumulator::new();
    let pieces = tokens.iter().map(|token| {
        format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{token}"}}}}"#)
    });
    let events =
        [start().to_string(), text_block(0).to_string()].into_iter().chain(pieces).chain([stop(0).to_string()]);
    events.for_each(|json| drop(accumulator.apply(&read(&json).unwrap()).unwrap()));
    let json = accumulator.stopped_blocks()[0].write().get().to_owned();
    json.strip_prefix(r#"{"type":"text","text":""#).unwrap().strip_suffix(r#""}"#).unwrap().to_owned()
}

/// The input that these deltas make, as JSON text, and the error on the way.
fn input_of(tokens: &[&str]) -> (String, Option<&'static str>) {
    let mut accumulator = Accumulator::new();
    for json in [start(), call_block(0, "t")] {
        accumulator.apply(&event(&json)).unwrap();
    }
    for token in tokens {
        let delta = format!(r#"{{"type":"input_json_delta","partial_json":"{token}"}}"#);
        let json = format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#);
        accumulator.apply(&read(&json).unwrap()).unwrap();
    }
    let error = accumulator.apply(&event(&stop(0))).err().map(|error| error.name());
    let json = accumulator.stopped_blocks()[0].write().get().to_owned();
    let input = json.split_once(r#""input":"#).unwrap().1;
    (input.strip_suffix('}').unwrap().to_owned(), error)
}

#[test]
fn halves_that_meet_between_two_deltas_are_one_character() {
    assert_eq!(text_of(&[r"a\ud83d", r"\ude00b"]), "a\u{1F600}b");
    assert_eq!(text_of(&[r"\ud83d", "", r"\ude00"]), "\u{1F600}");
    assert_eq!(text_of(&[r"\ud83d\ud83d", r"\ude00\ude00"]), "\\ud83d\u{1F600}\\ude00");
}

#[test]
fn halves_that_do_not_meet_stay_as_they_are() {
    for apart in [
        &[r"\ud83d", "a", r"\ude00"][..],
        &[r"\ude00", r"\ud83d"],
        &[r"\ud83d", r"\ud83d"],
        &["a", r"\ude00"],
        &[r"\ud83d"],
    ] {
        assert_eq!(text_of(apart), apart.concat());
    }
}

#[test]
fn thinking_and_starts_join_them_too() {
    let mut accumulator = Accumulator::new();
    accumulator.apply(&event(&start())).unwrap();
    for json in [
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"\ud83d"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\ude00\ud83d"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
    ] {
        accumulator.apply(&read(json).unwrap()).unwrap();
    }
    assert_eq!(
        accumulator.stopped_blocks()[0].write().get(),
        "{\"type\":\"thinking\",\"thinking\":\"\u{1F600}\\ud83d\"}"
    );
}

#[test]
fn an_input_keeps_its_escapes_and_its_raw_halves() {
    assert_eq!(input_of(&[r#"{\"a\":\"\\ud83d"#, r#"\"}"#]), (r#"{"a":"\ud83d"}"#.to_owned(), None));
    assert_eq!(input_of(&[r#"{\"a\":\"\ud83d"#, r#"\ude00\"}"#]), ("{\"a\":\"\u{1F600}\"}".to_owned(), None));
    assert_eq!(input_of(&[r#"{\"a\":\"\ud83d"#, r#"\"}"#]), (r#"{"a":"\ud83d"}"#.to_owned(), None));
    assert_eq!(input_of(&[r#"{\"a\":\"\\\\\ud83d\"}"#]), (r#"{"a":"\\\ud83d"}"#.to_owned(), None));
}

#[test]
fn a_raw_half_outside_a_string_or_after_a_backslash_is_no_json() {
    assert_eq!(input_of(&[r#"{\"a\":\ud83d}"#]), (r#""{\"a\":\ud83d}""#.to_owned(), Some("bad-input-json")));
    assert_eq!(
        input_of(&[r#"{\"a\":\"\\\ud83d\"}"#]),
        (r#""{\"a\":\"\\\ud83d\"}""#.to_owned(), Some("bad-input-json"))
    );
    assert_eq!(input_of(&[r"\ud83d"]), (r#""\ud83d""#.to_owned(), Some("bad-input-json")));
}

#[test]
fn signatures_citations_and_start_members_keep_them() {
    let mut looped = Loop::new();
    let half = [
        r#"{"type":"message_start","message":{"id":"msg_\udc00","content":[],"novelty":"\ud83d"}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","x\ud83d":1}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":"\ud83d"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
    ];
    for json in half {
        let yielded = looped.lines.apply(&read(json).unwrap(), &mut looped.context);
        assert_eq!(looped.log.append_yielded(yielded), None);
    }
    let line = looped.log.live()[0].write();
    for kept in [r#""id":"msg_\udc00""#, r#""novelty":"\ud83d""#, r#""x\ud83d":1"#, r#""citations":["\ud83d"]"#] {
        assert!(line.get().contains(kept), "{kept}: {}", line.get());
    }
}
