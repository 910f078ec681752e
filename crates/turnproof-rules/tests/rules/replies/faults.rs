//! *Faults*: a legal reply with one thing wrong breaks exactly the rule that it should, at its event.

use serde_json::{Value, json};

use super::{block, call, delta, end, found, input, legal, message, start, stop, stream, text, text_block, thinking};

type Edit = fn(&mut Vec<Value>);
type EditOfMessage = fn(&mut Value);

fn remove(events: &mut Vec<Value>, number: usize) {
    events.remove(number - 1);
}

fn set(events: &mut [Value], number: usize, pointer: &str, value: Value) {
    *events[number - 1].pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
}

fn without(events: &mut [Value], number: usize, pointer: &str, member: &str) {
    events[number - 1].pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(member);
}

/// The events of the legal stream are numbered: 1 start, 2 ping, 3–6 thinking, 7–9 text, 10–14 call, 15 end, 16 stop.
/// Each edit comes with what is found.
const EDITS: &[(Edit, &[&str])] = &[
    // Order.
    (|events| remove(events, 1), &["order before-message-start 2"]),
    (|events| events.insert(1, start()), &["order second-message-start 2"]),
    (|events| events.swap(0, 1), &[]),
    (|events| remove(events, 3), &["order no-such-block 3"]),
    (
        |events| set(events, 7, "/index", json!(5)),
        &["order wrong-index 7", "order no-such-block 8", "order block-still-open 10"],
    ),
    (|events| remove(events, 6), &["order block-still-open 6"]),
    (|events| events.insert(6, delta(0, thinking("x"))), &["order block-stopped 7"]),
    (|events| events.insert(6, delta(7, text("x"))), &["order no-such-block 7"]),
    (|events| events.insert(6, delta(0, text("x"))), &["order block-stopped 7", "deltas-fit wrong-delta 7"]),
    (|events| remove(events, 14), &["order block-not-stopped 14"]),
    (|events| remove(events, 15), &["order no-message-delta 15"]),
    (|events| remove(events, 16), &["order unfinished 15"]),
    (|events| events.push(json!({"type": "message_stop"})), &["order after-message-stop 17"]),
    (|events| events.push(start()), &["order after-message-stop 17"]),
    (
        |events| events.insert(15, block(3, text_block())),
        &["order after-message-delta 16", "order block-not-stopped 17"],
    ),
    (
        |events| {
            events.truncate(8);
            events.push(json!({"type": "error", "error": {"type": "overloaded_error", "message": "o"}}));
            events.push(stop(1));
        },
        &["order after-error 10"],
    ),
    // Deltas that fit no block.
    (|events| set(events, 8, "/delta", thinking("x")), &["deltas-fit wrong-delta 8"]),
    (|events| set(events, 4, "/delta", text("x")), &["deltas-fit wrong-delta 4"]),
    (|events| set(events, 8, "/delta", input("{}")), &["deltas-fit wrong-delta 8"]),
    (
        |events| set(events, 8, "/delta", json!({"type": "signature_delta", "signature": "x"})),
        &["deltas-fit wrong-delta 8"],
    ),
    (
        |events| events.insert(4, delta(0, json!({"type": "citations_delta", "citation": {}}))),
        &["deltas-fit wrong-delta 5"],
    ),
    (|events| without(events, 8, "/delta", "text"), &["deltas-fit nothing-to-add 8"]),
    (|events| set(events, 8, "/delta/text", json!(7)), &["deltas-fit nothing-to-add 8"]),
    // Input.
    (|events| remove(events, 13), &["input cut 10"]),
    (|events| events.insert(13, delta(2, input("{}"))), &["input no-json 10"]),
    (|events| set(events, 12, "/delta/partial_json", json!("[")), &["input no-json 10"]),
    (
        |events| {
            remove(events, 13);
            set(events, 12, "/delta/partial_json", json!("[1]"));
        },
        &["input no-object 10"],
    ),
    // Ids.
    (|events| without(events, 1, "/message", "id"), &["ids no-message-id 1"]),
    (|events| set(events, 1, "/message/id", json!("chatcmpl-1")), &["id-form message-id-form 1"]),
    (|events| without(events, 10, "/content_block", "id"), &["ids no-call-id 10"]),
    (|events| set(events, 10, "/content_block/id", json!("")), &["ids no-call-id 10"]),
    (|events| set(events, 10, "/content_block/id", json!("Bash:1")), &["ids call-id-form 10"]),
    (|events| events.splice(14..14, [block(3, call()), stop(3)]).for_each(drop), &["ids id-twice 15"]),
    (
        |events| {
            let search = json!({"type": "server_tool_use", "id": "call_1", "name": "web_search", "input": {}});
            events.splice(14..14, [block(3, search), stop(3)]);
        },
        &["ids call-id-form 15"],
    ),
    // Usage.
    (|events| without(events, 1, "/message", "usage"), &["usage no-usage 1"]),
    (|events| set(events, 1, "/message/usage", Value::Null), &["usage no-usage 1"]),
    (|events| without(events, 1, "/message/usage", "input_tokens"), &["usage no-count 1"]),
    (|events| set(events, 1, "/message/usage/output_tokens", json!("1")), &["usage no-number 1"]),
    (|events| set(events, 1, "/message/usage/output_tokens", json!(-1)), &["usage no-number 1"]),
    (|events| without(events, 15, "", "usage"), &["usage no-final-usage 15"]),
    (|events| without(events, 15, "/usage", "output_tokens"), &["usage no-count 15"]),
    (|events| set(events, 15, "/usage/output_tokens", json!(1.5)), &["usage no-number 15"]),
    // The reason to stop.
    (|events| set(events, 15, "/delta/stop_reason", json!("end_turn")), &["stop-reason end-turn-with-call 15"]),
    (|events| set(events, 15, "/delta/stop_reason", json!("stop")), &["stop-reason openai 15"]),
    (|events| set(events, 15, "/delta/stop_reason", json!("tool_calls")), &["stop-reason openai 15"]),
    (|events| set(events, 15, "/delta/stop_reason", json!("length")), &["stop-reason openai 15"]),
    (|events| set(events, 15, "/delta/stop_reason", json!("done")), &["stop-reason unknown 15"]),
    (|events| set(events, 15, "/delta/stop_reason", json!(1)), &["stop-reason no-text 15"]),
    (|events| set(events, 15, "/delta/stop_reason", Value::Null), &["stop-reason missing 15"]),
    (|events| events.drain(9..14).for_each(drop), &["stop-reason no-call 10"]),
    // Shapes.
    (|events| without(events, 1, "/message", "type"), &["shape type 1"]),
    (|events| set(events, 1, "/message/role", json!("user")), &["shape role 1"]),
    (|events| without(events, 1, "/message", "model"), &["shape model 1"]),
    (|events| set(events, 1, "/message/content", json!("")), &["shape content 1"]),
    (|events| without(events, 3, "/content_block", "signature"), &[]),
    (|events| without(events, 10, "/content_block", "name"), &["shape missing 10"]),
    (|events| set(events, 10, "/content_block/name", json!(7)), &["shape wrong-type 10"]),
    (|events| without(events, 8, "", "index"), &["shape no-index 8"]),
    (|events| without(events, 8, "", "delta"), &["shape no-member 8", "known unknown-delta 8"]),
    (
        |events| {
            events.truncate(8);
            events.push(json!({"type": "error", "error": {"type": "overloaded_error"}}));
        },
        &["shape error 9"],
    ),
    // What is unknown.
    (|events| events.insert(4, json!({"type": "progress"})), &["known unknown-event 5"]),
    (|events| events.insert(4, delta(0, json!({"type": "mood_delta"}))), &["known unknown-delta 5"]),
    (
        |events| {
            events.splice(14..14, [block(3, json!({"type": "song"})), delta(3, text("la")), stop(3)]).for_each(drop)
        },
        &["known unknown-block 15"],
    ),
];

#[test]
fn each_edit_of_a_legal_stream_is_found_at_its_event_and_nothing_else() {
    let mut wrong = Vec::new();
    for (number, (edit, expected)) in EDITS.iter().enumerate() {
        let mut events = legal();
        edit(&mut events);
        let mut found: Vec<String> = found(&stream(&events)).iter().map(|found| short(found)).collect();
        let mut expected = expected.to_vec();
        found.sort();
        expected.sort_unstable();
        if found != expected {
            wrong.push(format!("edit {number}: found {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `order no-such-block 3` of `reply/order no-such-block at event 3 (line 7)`.
fn short(found: &str) -> String {
    let found = found.replace("reply/", "").replace(" at event ", " ");
    found.split(" (line").next().unwrap_or_default().to_owned()
}

#[test]
fn the_framing_of_a_stream_is_judged_by_line() {
    let sent = stream(&legal());
    let without_names: String =
        sent.lines().filter(|line| !line.starts_with("event:")).fold(String::new(), |text, line| text + line + "\n");
    for (text, expected) in [
        (without_names, "reply/framing no-event-lines at event 1 (line 1)"),
        (sent.replacen("event: ping\n", "", 1), "reply/framing no-name at event 2 (line 4)"),
        (sent.replacen("event: ping", "event: pong", 1), "reply/framing other-name at event 2 (line 4)"),
        (sent.replacen(r#"{"type":"ping"}"#, "{}", 1), "reply/framing no-type at event 2 (line 4)"),
        (sent.replacen(r#"{"type":"ping"}"#, "pong", 1), "reply/framing no-json at event 2 (line 4)"),
        (sent.clone() + "data: [DONE]\n\n", "reply/framing done at event 17 (line 49)"),
        (sent.clone() + &message().to_string() + "\n\n", "reply/framing no-field at event 16 (line 49)"),
        (sent.replacen("event: ping\n", "event: ping\n{}\n", 1), "reply/framing no-field at event 2 (line 5)"),
    ] {
        assert_eq!(found(&text), [expected], "{text}");
    }
    let whole = format!("event: message\ndata: {}\n\n", message());
    assert!(found(&(whole + &sent)).contains(&"reply/framing whole-message at event 1 (line 1)".to_owned()));
    // The last event is none without its empty line.
    assert_eq!(
        found(sent.trim_end()),
        ["reply/framing no-empty-line at event 16 (line 46)", "reply/order unfinished at event 15 (line 43)"]
    );
}

#[test]
fn a_message_that_is_no_stream_is_judged_by_its_members() {
    let edits: &[(EditOfMessage, &str)] = &[
        (|message| message["id"] = Value::Null, "reply/ids no-message-id at id"),
        (|message| message["content"][1]["id"] = json!("a b"), "reply/ids call-id-form at content.1.id"),
        (|message| message["content"][1]["input"] = json!([]), "reply/input no-object at content.1.input"),
        (|message| message["content"][1]["input"] = json!("{}"), "reply/input text at content.1.input"),
        (|message| message["content"][1]["input"] = Value::Null, "reply/input no-object at content.1.input"),
        (|message| message["usage"] = Value::Null, "reply/usage no-usage at usage"),
        (|message| message["usage"]["input_tokens"] = Value::Null, "reply/usage no-number at usage.input_tokens"),
        (|message| message["stop_reason"] = Value::Null, "reply/stop-reason missing at stop_reason"),
        (|message| message["stop_reason"] = json!("end_turn"), "reply/stop-reason end-turn-with-call at stop_reason"),
        (|message| message["content"][0] = json!({"type": "text"}), "reply/shape missing at content.0"),
        (|message| message["content"][0] = json!({"text": "a"}), "reply/shape no-type at content.0.type"),
        (|message| message["role"] = json!("bot"), "reply/shape role at role"),
        (|message| message["content"][0]["type"] = json!("song"), "reply/known unknown-block at content.0"),
    ];
    for (edit, expected) in edits {
        let mut message = message();
        edit(&mut message);
        assert_eq!(found(&message.to_string()), [*expected], "{message}");
    }
    let mut untyped = message();
    untyped.as_object_mut().unwrap().remove("type");
    assert_eq!(found(&untyped.to_string()), ["reply/shape type at type"]);
    assert_eq!(found(r#"{"type":"error","error":"no"}"#), ["reply/shape error at error"]);
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "Bash"});
    let mut without_input = message();
    without_input["content"][1] = call;
    assert_eq!(found(&without_input.to_string()), ["reply/input missing at content.1.input"]);
    let ended = [start(), end("end_turn"), json!({"type": "message_stop"})];
    assert_eq!(found(&stream(&ended)), [""; 0]);
}
