//! The operation `accumulate` of the reference.

use turnproof_rules::operation::{Operation, Plain, StreamItem, StreamText, Streamed};
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::*;

fn of_events(events: &[Value]) -> Vec<StreamItem> {
    events.iter().map(|event| StreamItem::Event(event.to_string())).collect()
}

fn text_of(items: &[StreamItem]) -> StreamText {
    match Reference.accumulate(items) {
        Outcome::Output(text) => text,
        other => panic!("{other:?}"),
    }
}

fn streamed(items: &[StreamItem]) -> Streamed {
    Streamed::read(&text_of(items)).expect("JSON")
}

/// The name of the fault, and the item it came at.
fn fault(items: &[StreamItem]) -> Option<(String, u64)> {
    streamed(items).fault.map(|fault| (fault.name, fault.item))
}

fn one(said: &str) -> Vec<Value> {
    reply(&[text_block(0), text(0, said), stop(0)])
}

fn user(json: Value) -> StreamItem {
    StreamItem::Message(json!({"type": "user", "uuid": "u1", "message": {"role": "user", "content": json}}).to_string())
}

/// What each message of a list says.
fn texts(list: &Plain) -> Vec<String> {
    says(&list.elements().iter().cloned().map(Value::from).collect::<Vec<_>>())
}

#[test]
fn the_reference_does_the_operation() {
    assert!(Reference.supports(Operation::Accumulate));
    let nothing = text_of(&[]);
    assert_eq!((nothing.events.as_str(), nothing.live.as_str()), ("[]", "[]"));
    assert_eq!((nothing.slots.as_deref(), nothing.messages.as_deref()), (Some("[]"), Some("[]")));
    assert_eq!(nothing.fault, None);
}

#[test]
fn a_reply_is_yielded_as_it_was_and_remains_as_it_is() {
    let streamed = streamed(&of_events(&one("a")));
    assert_eq!(streamed.fault, None);
    assert_eq!(streamed.events.value[0]["message"]["stop_reason"], Value::Null);
    assert_eq!(streamed.live.value[0]["message"]["stop_reason"], "end_turn");
    assert_eq!(streamed.slots.unwrap().value, streamed.live.value);
    assert_eq!(streamed.messages.unwrap().value, json!([whole(&one("a"))]));
}

#[test]
fn bytes_and_events_give_the_same() {
    let sse: String = one("é👋").iter().map(|event| format!("data: {event}\n\n")).collect();
    let items = |size: usize| -> Vec<StreamItem> {
        sse.as_bytes().chunks(size).map(|chunk| StreamItem::Bytes(chunk.to_vec())).collect()
    };
    let expected = text_of(&of_events(&one("é👋")));
    for size in [1, 2, 3, 7, 10_000] {
        assert_eq!(text_of(&items(size)), expected);
    }
}

#[test]
fn what_was_given_up_is_withdrawn_and_its_message_is_reported_all_the_same() {
    let items = [of_events(&one("a")[..4]), vec![StreamItem::Abandon], of_events(&one("b"))].concat();
    let streamed = streamed(&items);
    assert_eq!(streamed.fault, None);
    let kinds: Vec<_> = streamed.events.elements().iter().map(|event| &event["type"]).collect();
    assert_eq!(kinds, ["assistant", "tombstone", "assistant"]);
    assert_eq!(texts(&streamed.live), ["b"]);
    assert_eq!(streamed.slots.unwrap().value[0]["type"], "tombstone");
    let messages = streamed.messages.unwrap();
    assert_eq!(messages.elements().len(), 2);
    assert_eq!(messages.value[0]["content"][0]["text"], "a");
}

#[test]
fn the_next_try_is_another_response() {
    let items = [
        StreamItem::Bytes(b"data: {\"type\":\"message_sta".to_vec()),
        StreamItem::Abandon,
        StreamItem::Bytes(b"\xEF\xBB\xBFdata: {\"type\":\"ping\"}\n\n".to_vec()),
    ];
    assert_eq!(fault(&items), None);
}

#[test]
fn another_reply_after_the_end_is_not_a_retry() {
    let items = of_events(&[one("a"), one("b")].concat());
    let streamed = streamed(&items);
    assert_eq!(texts(&streamed.live), ["a", "b"]);
    assert_eq!(streamed.messages.unwrap().elements().len(), 2);
    assert_eq!(streamed.fault, None);
}

#[test]
fn results_join_the_conversation_and_leave_with_their_call() {
    let call = [start(), call_block(0, "t1"), stop(0)];
    let result = user(json!([{"type": "tool_result", "tool_use_id": "t1", "content": "x"}]));
    let kept = [of_events(&call), vec![result.clone()], of_events(&[end()])].concat();
    assert_eq!(texts(&streamed(&kept).live), ["t1", "t1"]);
    let gone = [of_events(&call), vec![result, StreamItem::Abandon, user(json!("go on"))]].concat();
    let streamed = streamed(&gone);
    assert_eq!(texts(&streamed.live), ["go on"]);
    assert_eq!(streamed.slots.unwrap().elements().len(), 3);
    assert_eq!(streamed.events.elements().len(), 4);
}

#[test]
fn the_first_thing_that_is_wrong_is_reported_with_its_item() {
    let stream = one("a");
    for (at, wrong, name) in [
        (0, text(0, "x"), "before-message-start"),
        (2, start(), "second-message-start"),
        (2, text(4, "x"), "no-such-block"),
        (2, json!([]), "bad-event"),
        (6, text(0, "x"), "after-message-stop"),
        (3, json!({"type": "error", "error": {}}), "api-error"),
    ] {
        let mut items = of_events(&stream);
        items.insert(at, StreamItem::Event(wrong.to_string()));
        items.insert(at + 1, StreamItem::Event("no JSON".to_owned()));
        assert_eq!(fault(&items), Some((name.to_owned(), at as u64)));
    }
    assert_eq!(fault(&[StreamItem::Event("no JSON".to_owned())]), Some(("bad-event".to_owned(), 0)));
    assert_eq!(fault(&[StreamItem::Bytes(b"data: [DONE]\n\n".to_vec())]), Some(("bad-event".to_owned(), 0)));
}

#[test]
fn a_stream_that_does_not_end_is_unfinished_unless_it_was_given_up() {
    let open = of_events(&one("a")[..4]);
    assert_eq!(fault(&open), Some(("unfinished".to_owned(), 4)));
    assert_eq!(fault(&[open, vec![StreamItem::Abandon]].concat()), None);
    assert_eq!(fault(&of_events(&[json!({"type": "ping"})])), None);
}

#[test]
fn what_is_no_message_is_refused() {
    for json in ["no JSON", "7", "{}", "{\"type\":\"tombstone\"}", "{\"type\":7}"] {
        let outcome = Reference.accumulate(&[StreamItem::Message(json.to_owned())]);
        assert!(matches!(&outcome, Outcome::Rejected(why) if why.starts_with("item 0: ")), "{json}: {outcome:?}");
    }
}

#[test]
fn the_same_input_gives_the_same_ids() {
    assert_eq!(text_of(&of_events(&one("a"))), text_of(&of_events(&one("a"))));
}

#[test]
fn halves_of_surrogate_pairs_are_in_the_output() {
    let mut items = of_events(&[start(), text_block(0)]);
    items.push(StreamItem::Event(
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ud83d"}}"#.to_owned(),
    ));
    items.extend(of_events(&[stop(0), end()]));
    let streamed = streamed(&items);
    assert_eq!(streamed.live.lone_surrogates, ["0.message.content.0.text"]);
    assert_eq!(streamed.messages.unwrap().lone_surrogates, ["0.content.0.text"]);
}
