//! A stream that is given up for another model: what is withdrawn, and what is dropped with it.

use super::*;

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "done"})
}

#[test]
fn exactly_what_was_shown_is_withdrawn_in_order() {
    let mut looped = Loop::new();
    let stream = [start(), text_block(0), stop(0), call_block(1, "t1"), stop(1), text_block(2), text(2, "half")];
    let shown = looped.play(&stream);
    let uuids: Vec<String> = shown.iter().map(|line| line.envelope.uuid.as_str().unwrap().to_owned()).collect();
    assert_eq!((uuids.len(), looped.abandon()), (2, uuids));
    assert!(looped.live().is_empty());
    assert_eq!(looped.abandon(), Vec::<String>::new(), "what is withdrawn is withdrawn once");
}

#[test]
fn nothing_shown_is_nothing_withdrawn() {
    for stream in [&[][..], &[start()], &[start(), text_block(0), text(0, "half")]] {
        let mut looped = Loop::new();
        looped.play(stream);
        assert!(looped.abandon().is_empty());
        assert_eq!(looped.log.events().count(), 0);
    }
}

#[test]
fn the_tombstone_holds_the_message_so_far() {
    let mut looped = Loop::new();
    looped.play(&[start(), text_block(0), text(0, "a"), stop(0), late("refusal", 7), end()]);
    let before = looped.live()[0].clone();
    looped.abandon();
    let tombstone = looped.slots()[0].clone();
    assert_eq!((&tombstone["type"], &tombstone["message"]), (&json!("tombstone"), &before));
    assert_eq!(tombstone["message"]["message"]["stop_reason"], "refusal");
    assert!(tombstone["uuid"].is_string() && tombstone["timestamp"].is_string());
    assert_ne!(tombstone["uuid"], tombstone["message"]["uuid"]);
}

#[test]
fn the_next_try_is_independent() {
    let mut looped = Loop::new();
    looped.user("u1", json!("go"));
    looped.play(&[start(), text_block(0), text(0, "first"), stop(0), text_block(1), text(1, "half")]);
    looped.abandon();
    looped.play(&reply(&[text_block(0), text(0, "second"), stop(0)]));
    assert!(looped.errors.is_empty(), "{:?}", looped.errors);
    assert_eq!(says(&looped.live()), ["go", "second"]);
    assert_eq!(looped.live()[1]["message"]["stop_reason"], "end_turn");
    assert_eq!(looped.slots().len(), 3);
}

#[test]
fn without_a_new_start_the_next_try_has_not_begun() {
    let mut looped = Loop::new();
    looped.play(&[start(), text_block(0)]);
    looped.abandon();
    looped.play(&[text(0, "a"), stop(0)]);
    assert_eq!(looped.errors, ["before-message-start", "before-message-start"]);
    assert!(looped.live().is_empty());
}

#[test]
fn each_of_several_tries_withdraws_its_own() {
    let mut looped = Loop::new();
    for said in ["a", "b", "c"] {
        looped.play(&[start(), text_block(0), text(0, said), stop(0)]);
        assert_eq!(looped.abandon().len(), 1);
    }
    looped.play(&reply(&[text_block(0), text(0, "d"), stop(0)]));
    assert_eq!(says(&looped.live()), ["d"]);
    let kinds: Vec<Value> = looped.slots().iter().map(|slot| slot["type"].clone()).collect();
    assert_eq!(kinds, ["tombstone", "tombstone", "tombstone", "assistant"]);
}

#[test]
fn the_result_of_a_withdrawn_call_is_withdrawn_with_it() {
    let mut looped = Loop::new();
    looped.play(&[start(), call_block(0, "t1"), stop(0)]);
    looped.user("r1", json!([result("t1")]));
    assert_eq!(says(&looped.live()), ["t1", "t1"]);
    looped.abandon();
    assert!(looped.live().is_empty());
    let slots = looped.slots();
    assert_eq!((&slots[1]["type"], &slots[1]["message"]["uuid"]), (&json!("tombstone"), &json!("r1")));
    assert_eq!(slots[1].get("uuid"), None, "no tombstone was yielded for it");
    assert_eq!(looped.log.events().count(), 3);
}

#[test]
fn the_result_stays_when_the_retry_makes_the_same_call() {
    let mut looped = Loop::new();
    looped.play(&[start(), call_block(0, "t1"), stop(0)]);
    looped.user("r1", json!([result("t1")]));
    looped.abandon();
    looped.play(&reply(&[call_block(0, "t1"), stop(0)]));
    assert_eq!(says(&looped.live()), ["t1", "t1"]);
}

#[test]
fn what_a_user_says_beside_a_withdrawn_result_stays() {
    let mut looped = Loop::new();
    looped.play(&[start(), call_block(0, "t1"), stop(0)]);
    let mixed = json!({"type": "user", "uuid": "r1", "toolUseResult": {"stdout": "done"}, "sourceToolAssistantUUID": "a1",
        "message": {"role": "user", "content": [result("t1"), {"type": "text", "text": "and this"}]}});
    looped.log.append(message(&mixed));
    looped.abandon();
    assert_eq!(
        looped.live(),
        [
            json!({"type": "user", "uuid": "r1", "message": {"role": "user", "content": [{"type": "text", "text": "and this"}]}})
        ]
    );
}

#[test]
fn results_of_other_calls_stay_with_their_raw_output() {
    let mut looped = Loop::new();
    looped.play(&reply(&[call_block(0, "t0"), stop(0)]));
    looped.play(&[start(), call_block(0, "t1"), stop(0)]);
    let both = json!({"type": "user", "uuid": "r1", "toolUseResult": {"stdout": "x"},
        "message": {"role": "user", "content": [result("t1"), result("t0")]}});
    looped.log.append(message(&both));
    looped.abandon();
    let live = looped.live();
    assert_eq!(says(&live), ["t0", "t0"]);
    assert_eq!(live[1]["toolUseResult"], json!({"stdout": "x"}));
}
