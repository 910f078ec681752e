//! One message a block: when it is yielded, what it holds, and what is set on it later.

use super::*;

#[test]
fn each_block_is_shown_at_once_when_it_stops() {
    let mut looped = Loop::new();
    let counts: Vec<usize> = reply(&[text_block(0), text(0, "a"), stop(0), call_block(1, "t1"), stop(1)])
        .iter()
        .map(|event| looped.play(std::slice::from_ref(event)).len())
        .collect();
    assert_eq!(counts, [0, 0, 0, 1, 0, 1, 0, 0]);
    assert_eq!(says(&looped.live()), ["a", "t1"]);
}

#[test]
fn all_lines_share_the_reply_and_no_two_share_a_uuid() {
    let mut looped = Loop::new();
    looped.play(&reply(&[text_block(0), stop(0), text_block(1), stop(1), text_block(2), stop(2)]));
    let live = looped.live();
    for line in &live {
        assert_eq!(line["type"], "assistant");
        assert_eq!(line["requestId"], "req_1");
        let message = &line["message"];
        assert_eq!(
            (&message["id"], &message["role"], &message["model"], &message["type"]),
            (&json!("msg_1"), &json!("assistant"), &json!("m1"), &json!("message"))
        );
        assert_eq!(message["content"].as_array().unwrap().len(), 1);
    }
    let mut uuids: Vec<&str> = live.iter().map(|line| line["uuid"].as_str().unwrap()).collect();
    uuids.sort_unstable();
    uuids.dedup();
    assert_eq!(uuids.len(), 3);
    let times: Vec<&str> = live.iter().map(|line| line["timestamp"].as_str().unwrap()).collect();
    assert_eq!(times, ["2025-01-01T00:00:00.000Z", "2025-01-01T00:00:00.001Z", "2025-01-01T00:00:00.002Z"]);
}

#[test]
fn the_end_is_set_on_the_last_line_alone_and_in_place() {
    let mut looped = Loop::new();
    let shown = looped.play(&reply(&[text_block(0), stop(0), text_block(1), stop(1)]));
    let started = json!({"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 3});
    for line in &shown {
        let line = value(&Message::from(line.clone()));
        assert_eq!((&line["message"]["stop_reason"], &line["message"]["usage"]), (&Value::Null, &started));
    }
    let events: Vec<Value> = looped.log.events().map(value).collect();
    let as_shown: Vec<Value> = shown.iter().map(|line| value(&Message::from(line.clone()))).collect();
    assert_eq!(events, as_shown, "the log keeps events as they were yielded");
    let live = looped.live();
    assert_eq!(live[0], as_shown[0]);
    assert_eq!(live[1]["message"]["stop_reason"], "end_turn");
    assert_eq!(
        live[1]["message"]["usage"],
        json!({"input_tokens": 10, "output_tokens": 20, "cache_read_input_tokens": 3})
    );
    assert_eq!(live[1]["uuid"], as_shown[1]["uuid"]);
    let lines: Vec<Value> = looped.lines.lines().iter().map(|line| value(&Message::from(line.clone()))).collect();
    assert_eq!(lines, live, "lines stand as the log shows them");
}

#[test]
fn a_reason_given_at_the_start_is_not_on_the_lines() {
    let mut whole_at_start = start_with(json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]));
    whole_at_start["message"]["stop_reason"] = "stop_sequence".into();
    whole_at_start["message"]["stop_sequence"] = "END".into();
    let mut looped = Loop::new();
    assert_eq!(looped.play(&[whole_at_start]).len(), 2, "content of the start is shown at once");
    for line in looped.live() {
        let body = &line["message"];
        assert_eq!((&body["stop_reason"], &body["stop_sequence"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn a_reply_without_blocks_shows_nothing_and_amends_nothing() {
    let mut looped = Loop::new();
    assert_eq!(looped.play(&reply(&[])).len(), 0);
    assert!(looped.live().is_empty() && looped.errors.is_empty());
}

#[test]
fn a_block_cut_by_the_end_is_shown_before_it_is_amended() {
    let mut looped = Loop::new();
    looped.play(&[start(), text_block(0), text(0, "cut")]);
    let yielded = looped.lines.apply(&event(&late("max_tokens", 9)), &mut looped.context);
    assert_eq!(yielded.messages.len(), 1);
    let amended = yielded.amended.clone().unwrap();
    assert_eq!(yielded.messages[0].envelope.uuid, amended.uuid.into());
    assert_eq!(amended.late.stop_reason, "max_tokens".into());
    looped.log.append_yielded(yielded);
    assert_eq!(looped.live()[0]["message"]["stop_reason"], "max_tokens");
}

#[test]
fn a_block_after_the_late_fields_has_those_of_the_start() {
    let mut looped = Loop::new();
    looped.play(&[start(), text_block(0), stop(0), late("pause_turn", 9), text_block(1), stop(1)]);
    let live = looped.live();
    assert_eq!(
        (&live[0]["message"]["stop_reason"], &live[1]["message"]["stop_reason"]),
        (&json!("pause_turn"), &Value::Null)
    );
    assert_eq!(live[1]["message"]["usage"]["output_tokens"], 1);
    looped.play(&[late("end_turn", 12), end()]);
    let live = looped.live();
    assert_eq!(
        (&live[0]["message"]["stop_reason"], &live[1]["message"]["stop_reason"]),
        (&json!("pause_turn"), &json!("end_turn"))
    );
    assert_eq!(live[1]["message"]["usage"]["output_tokens"], 12);
}

#[test]
fn late_fields_that_come_twice_are_those_of_the_second() {
    let mut looped = Loop::new();
    let totals = json!({"type": "message_delta", "delta": {"stop_sequence": "END"}, "usage": {"output_tokens": 30}});
    looped.play(&[start(), text_block(0), stop(0), late("stop_sequence", 9), totals, end()]);
    let message = &looped.live()[0]["message"];
    assert_eq!((&message["stop_reason"], &message["stop_sequence"]), (&json!("stop_sequence"), &json!("END")));
    assert_eq!(message["usage"]["output_tokens"], 30);
}

#[test]
fn an_error_does_not_hide_what_is_yielded_with_it() {
    let mut looped = Loop::new();
    let shown = looped.play(&[start(), call_block(0, "t1"), input(0, "{\"a"), text_block(1)]);
    assert_eq!((shown.len(), looped.errors.clone()), (1, vec!["block-still-open"]));
    let shown = looped.play(&[call_block(2, "t2"), input(2, "{\"b"), late("max_tokens", 9)]);
    assert_eq!(
        (shown.len(), looped.errors.clone()),
        (2, vec!["block-still-open", "block-still-open", "bad-input-json"])
    );
    assert_eq!(looped.live()[2]["message"]["stop_reason"], "max_tokens");
}

#[test]
fn members_that_nobody_knows_are_on_every_line() {
    let mut odd = start();
    odd["message"]["novelty"] = json!({"deep": [1]});
    odd["message"]["container"] = json!({"id": "c"});
    let mut looped = Loop::new();
    looped.play(&[odd, text_block(0), stop(0), text_block(1), stop(1)]);
    for line in looped.live() {
        assert_eq!(
            (&line["message"]["novelty"], &line["message"]["container"]),
            (&json!({"deep": [1]}), &json!({"id": "c"}))
        );
    }
}

#[test]
fn without_a_request_id_the_lines_have_no_request_id() {
    let mut lines = ReplyLines::new(None);
    let mut context = FixedContext::new(1);
    let stream = [start(), text_block(0), stop(0)];
    stream.iter().for_each(|json| drop(lines.apply(&event(json), &mut context)));
    assert_eq!(value(&Message::from(lines.lines()[0].clone())).get("requestId"), None);
}

#[test]
fn a_second_reply_has_lines_of_its_own() {
    let mut looped = Loop::new();
    let mut other = reply(&[text_block(0), text(0, "b"), stop(0)]);
    other[0]["message"]["id"] = "msg_2".into();
    looped.play(&reply(&[text_block(0), text(0, "a"), stop(0)]));
    looped.play(&other);
    assert_eq!(says(&looped.live()), ["a", "b"]);
    assert_eq!(looped.lines.lines().len(), 1);
    assert_eq!(looped.abandon().len(), 1, "the first reply was over, and stays");
    assert_eq!(says(&looped.live()), ["a"]);
}

#[test]
fn a_block_that_a_fallback_stops_is_a_line_of_the_model_before() {
    let mut looped = Loop::new();
    let fallback = json!({"type": "fallback", "to": {"model": "m2"}});
    looped.play(&[start(), text_block(0), block(1, fallback), stop(1)]);
    let models: Vec<Value> = looped.live().iter().map(|line| line["message"]["model"].clone()).collect();
    assert_eq!(models, ["m1", "m2"]);
}
