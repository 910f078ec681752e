//! From bytes to server-sent events, wherever the bytes are cut.

use proptest::prelude::*;
use turnproof_reference::stream::{ServerEvent, SseDecoder};

use super::*;

/// The events of bytes given in one piece, checked against the same bytes given one by one.
fn decoded(bytes: &[u8]) -> Vec<(Option<String>, String)> {
    let mut whole = SseDecoder::new();
    let events = whole.push(bytes);
    let mut slow = SseDecoder::new();
    let one_by_one: Vec<ServerEvent> = bytes.iter().flat_map(|byte| slow.push(&[*byte])).collect();
    assert_eq!(events, one_by_one);
    assert_eq!(whole.finish(), slow.finish());
    events.into_iter().map(|event| (event.name, event.data)).collect()
}

fn named(name: &str, data: &str) -> (Option<String>, String) {
    (Some(name.to_owned()), data.to_owned())
}

fn unnamed(data: &str) -> (Option<String>, String) {
    (None, data.to_owned())
}

#[test]
fn an_event_is_a_name_and_data_up_to_an_empty_line() {
    assert_eq!(decoded(b"event: a\ndata: 1\n\nevent: b\ndata: 2\n\n"), [named("a", "1"), named("b", "2")]);
}

#[test]
fn lines_end_with_lf_or_cr_or_both() {
    for end in ["\n", "\r", "\r\n"] {
        let text = "event: a|data: 1||data: 2||".replace('|', end);
        assert_eq!(decoded(text.as_bytes()), [named("a", "1"), unnamed("2")], "{end:?}");
    }
    assert_eq!(decoded(b"data: 1\r\n\rdata: 2\n\r\n"), [unnamed("1"), unnamed("2")]);
}

#[test]
fn a_cr_ends_an_event_before_anything_else_comes() {
    let mut decoder = SseDecoder::new();
    assert_eq!(decoder.push(b"data: 1\r\r").len(), 1);
    assert!(decoder.push(b"\n").is_empty());
    assert!(decoder.push(b"\n").is_empty(), "an empty line without data is no event");
    assert!(!decoder.is_inside_event());
}

#[test]
fn several_lines_of_data_are_joined() {
    assert_eq!(decoded(b"data: {\"a\":\ndata: 1}\n\n"), [unnamed("{\"a\":\n1}")]);
    assert_eq!(decoded(b"data\ndata:\ndata: \ndata:  x\n\n"), [unnamed("\n\n\n x")]);
}

#[test]
fn other_fields_and_comments_are_skipped() {
    assert_eq!(decoded(b": hello\nid: 7\nretry: 10\nnovelty: x\ndata: 1\n:\n\n"), [unnamed("1")]);
    assert_eq!(decoded(b"data : 1\nDATA: 2\n data: 3\n\n"), []);
}

#[test]
fn data_without_a_name_is_an_event_and_a_name_without_data_is_not() {
    assert_eq!(decoded(b"data: 1\n\nevent: a\n\ndata: 2\n\n"), [unnamed("1"), unnamed("2")]);
    assert_eq!(decoded(b"event:\ndata: 1\n\n"), [unnamed("1")]);
    assert_eq!(decoded(b"event: a\nevent: b\ndata: 1\n\n"), [named("b", "1")]);
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_very_start_alone() {
    assert_eq!(decoded(b"\xEF\xBB\xBFdata: 1\n\n\xEF\xBB\xBFdata: 2\n\n"), [unnamed("1")]);
    assert_eq!(decoded(b"\n\xEF\xBB\xBFdata: 2\n\n"), []);
}

#[test]
fn characters_of_several_bytes_survive_every_cut() {
    assert_eq!(decoded("data: Grüße 👋🏽\n\n".as_bytes()), [unnamed("Grüße 👋🏽")]);
}

#[test]
fn bytes_that_are_not_utf_8_are_shown_once_the_line_is_whole() {
    assert_eq!(decoded(b"data: a\xFFb\xE2\x82\n\n"), [unnamed("a\u{FFFD}b\u{FFFD}")]);
}

#[test]
fn what_is_unfinished_at_the_end_is_dropped() {
    for (text, is_inside) in [
        ("data: 1\n\n", false),
        ("data: 1\n\ndata: 2\n", true),
        ("data: 1\n\ndata: 2", true),
        ("data: 1\n\nevent: a\n", true),
        ("data: 1\n\n: comment\n", false),
    ] {
        assert_eq!(decoded(text.as_bytes()), [unnamed("1")]);
        let mut decoder = SseDecoder::new();
        decoder.push(text.as_bytes());
        assert_eq!(decoder.finish(), is_inside, "{text:?}");
    }
}

#[test]
fn the_name_of_an_event_replaces_a_missing_type() {
    let read = |name: Option<&str>, data: &str| {
        ModelEvent::of_server_event(&ServerEvent { name: name.map(str::to_owned), data: data.to_owned() })
    };
    assert_eq!(read(Some("message_stop"), "{}").unwrap(), ModelEvent::message_stop());
    assert_eq!(read(Some("ping"), "{\"type\":null}").unwrap().type_name(), "ping");
    assert_eq!(read(Some("ping"), "{\"type\":\"message_stop\"}").unwrap().type_name(), "message_stop");
    assert_eq!(read(None, "{}").unwrap().type_name(), "");
    assert_eq!(read(Some("novelty"), "{\"a\":1}").unwrap().write().get(), "{\"a\":1,\"type\":\"novelty\"}");
    for no_object in ["", "[DONE]", "7", "{\"type\":\"ping\"", "{} {}"] {
        assert_eq!(read(Some("ping"), no_object).unwrap_err().name(), "bad-event", "{no_object}");
    }
}

#[test]
fn data_on_several_lines_is_an_event_on_one() {
    let events = SseDecoder::new().push(b"data: {\"type\":\"novelty\",\ndata:  \"a b\": [1.10,\r\ndata: 2 ]}\n\n");
    let event = ModelEvent::of_server_event(&events[0]).unwrap();
    assert_eq!(event.write().get(), r#"{"type":"novelty","a b":[1.10,2]}"#);
}

/// Decodes as the definition reads: the whole text first, then its lines, then its events.
fn by_definition(bytes: &[u8]) -> Vec<(Option<String>, String)> {
    let mut lines: Vec<Vec<u8>> = vec![Vec::new()];
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => at += 1,
            b'\r' | b'\n' => {}
            byte => {
                lines.last_mut().unwrap().push(byte);
                at += 1;
                continue;
            }
        }
        lines.push(Vec::new());
        at += 1;
    }
    lines.pop();
    let mut found = Vec::new();
    let (mut name, mut data) = (None, Vec::new());
    for (number, line) in lines.iter().enumerate() {
        let text = String::from_utf8_lossy(line).into_owned();
        let text = if number == 0 { text.trim_start_matches('\u{FEFF}').to_owned() } else { text };
        if text.is_empty() {
            if !data.is_empty() {
                found.push((name.take(), data.join("\n")));
            }
            (name, data) = (None, Vec::new());
            continue;
        }
        let (field, rest) = text.split_once(':').unwrap_or((&text, ""));
        let rest = rest.strip_prefix(' ').unwrap_or(rest).to_owned();
        match field {
            "event" => name = Some(rest).filter(|name| !name.is_empty()),
            "data" => data.push(rest),
            _ => {}
        }
    }
    found
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: [&[u8]; 16] = [
        b"data",
        b":",
        b" ",
        b"\n",
        b"\r",
        b"\r\n",
        b"event",
        b"x",
        b"\xC3\xA9",
        b"\xF0\x9F\x98\x80",
        b"\n\n",
        b"data: 1",
        b"id: 1",
        b"\xFF",
        b"\r\r",
        b"event: a\n",
    ];
    let piece = prop::sample::select(PIECES.to_vec());
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_the_events_of_the_definition(bytes in pieces()) {
        prop_assert_eq!(decoded(&bytes), by_definition(&bytes));
    }

    #[test]
    fn cuts_change_nothing(bytes in pieces(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        let mut decoder = SseDecoder::new();
        let chunks = places.windows(2).flat_map(|pair| decoder.push(&bytes[pair[0]..pair[1]]));
        let events: Vec<_> = chunks.map(|event| (event.name, event.data)).collect();
        prop_assert_eq!(events, decoded(&bytes));
    }
}
