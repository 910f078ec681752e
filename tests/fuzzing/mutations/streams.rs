//! Operators on the *events* of a stream.

use serde_json::Value;
use turnproof_reference::message::FixedContext;
use turnproof_reference::stream::{ModelEvent, ReplyLines, SseDecoder};
use turnproof_suite::fuzzing::mutate::Shape::Stream;
use turnproof_suite::fuzzing::mutate::words::EVENT_TYPES;

use super::samples::sample;
use super::{outcomes, set};

#[test]
fn events_are_sent_twice_lost_or_out_of_order() {
    let input = "data: 1\n\ndata: 2\n\n\n";
    let (one, two) = ("data: 1\n\n", "data: 2\n\n\n");
    let twice = [[one, one, two], [one, two, one], [two, one, two], [one, two, two]];
    assert_eq!(outcomes("duplicate-event", Stream, input), set(twice.map(|events| events.concat())));
    assert_eq!(outcomes("drop-event", Stream, input), set([one, two]));
    assert_eq!(outcomes("swap-events", Stream, input), set([[two, one].concat()]));
    let three = "data: 1\n\ndata: 2\r\n\r\ndata: 3";
    let moved = [
        "data: 2\r\n\r\ndata: 1\n\ndata: 3",
        "data: 2\r\n\r\ndata: 3\n\ndata: 1\n\n",
        "data: 1\n\ndata: 3\n\ndata: 2\r\n\r\n",
        "data: 3\n\ndata: 1\n\ndata: 2\r\n\r\n",
    ];
    assert_eq!(outcomes("move-event", Stream, three), set(moved));
}

#[test]
fn an_event_whose_last_line_is_whole_gets_the_blank_line_that_ends_it() {
    assert_eq!(outcomes("swap-events", Stream, "data: 1\n\ndata: 2\n"), set(["data: 2\n\ndata: 1\n\n"]));
}

#[test]
fn an_event_gets_another_name() {
    let made = outcomes("change-event-name", Stream, "event: ping\r\ndata: {}\r\n\r\n");
    let others = EVENT_TYPES.iter().filter(|&&name| name != "ping");
    assert_eq!(made, others.map(|name| format!("event: {name}\r\ndata: {{}}\r\n\r\n")).collect());
}

#[test]
fn an_event_is_about_another_block_or_about_no_block() {
    let made = outcomes("change-index", Stream, r#"data: {"index":7,"size":7}"#);
    for index in ["0", "1", "-1", "1.5", "1e999", "null", "\"0\""] {
        assert!(made.contains(&format!(r#"data: {{"index":{index},"size":7}}"#)), "{index} is never drawn");
    }
}

#[test]
fn data_on_two_lines_reads_as_before_when_cut_between_tokens() {
    let input = "data: {\"a\":1}\n\n";
    let made = outcomes("split-data", Stream, input);
    assert_eq!(made, set(["data: {\ndata: \"a\":1}\n\n", "data: {\"a\":\ndata: 1}\n\n"]));
    for made in made {
        let events = SseDecoder::new().push(made.as_bytes());
        let read: Value = serde_json::from_str(&events[0].data).expect("JSON");
        assert_eq!(read["a"], 1);
    }
}

#[test]
fn a_delta_is_sent_in_two_never_inside_an_escape() {
    let event = |text: &str| format!("data: {{\"delta\":{{\"text\":\"{text}\"}}}}\n\n");
    let made = outcomes("split-delta", Stream, &event(r"a\né\u00e9"));
    let halves =
        [("", r"a\né\u00e9"), ("a", r"\né\u00e9"), (r"a\n", r"é\u00e9"), (r"a\né", r"\u00e9"), (r"a\né\u00e9", "")];
    assert_eq!(made, halves.iter().map(|(first, second)| event(first) + &event(second)).collect());
}

#[test]
fn two_deltas_with_the_same_member_become_one() {
    let event = |key: &str, text: &str| format!("data: {{\"delta\":{{\"{key}\":\"{text}\"}}}}\n\n");
    let input = event("text", r"a\ud83d") + &event("text", r"\ude00") + &event("thinking", "b");
    let joined = event("text", r"a\ud83d\ude00") + &event("thinking", "b");
    assert_eq!(outcomes("join-deltas", Stream, &input), set([joined]));
}

/// The contents of the messages that a stream makes.
fn contents(stream: &str) -> Vec<String> {
    let (mut lines, mut context) = (ReplyLines::new(None), FixedContext::new(1));
    let events = SseDecoder::new().push(stream.as_bytes());
    let messages = events
        .iter()
        .flat_map(|event| lines.apply(&ModelEvent::of_server_event(event).expect("an event"), &mut context).messages);
    messages.map(|message| format!("{:?}", message.content())).collect()
}

#[test]
fn deltas_that_are_split_or_joined_make_the_same_messages() {
    let expected = contents(sample(Stream));
    assert_eq!(expected.len(), 2);
    for name in ["split-delta", "join-deltas"] {
        let made = outcomes(name, Stream, sample(Stream));
        assert!(!made.is_empty());
        for made in made {
            assert_eq!(contents(&made), expected, "{name}: {made}");
        }
    }
}

#[test]
fn typical_events_are_whole_and_of_every_type() {
    let mut types = std::collections::BTreeSet::new();
    for made in outcomes("typical-line", Stream, "data: {}") {
        let events = SseDecoder::new().push((made + "\n\n").as_bytes());
        assert_eq!(events.len(), 2);
        for event in events.iter().filter(|event| event.name.is_some()) {
            let event = ModelEvent::of_server_event(event).expect("an event that can be read");
            assert!(!matches!(event, ModelEvent::Unknown { .. }), "{event:?}");
            types.insert(event.type_name().to_owned());
        }
    }
    assert_eq!(types, set(EVENT_TYPES.iter().copied()));
}
