//! The *log* and its views: places that never move, and what is in neither view.

use proptest::prelude::*;
use turnproof_reference::message::{Event, Factory};
use turnproof_reference::stream::LateFields;

use super::*;

fn assistant(uuid: &str, said: &str) -> Message {
    message(&json!({"type": "assistant", "uuid": uuid,
        "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": said}]}}))
}

fn tombstone(uuid: &str) -> Event {
    let mut context = FixedContext::new(9);
    Factory::new(&mut context).tombstone(&assistant(uuid, "x")).into()
}

fn ids(log: &EventLog) -> Vec<String> {
    log.live().iter().map(|message| message.uuid().unwrap_or("-").to_owned()).collect()
}

#[test]
fn what_passes_by_is_in_no_view() {
    let mut log = EventLog::new();
    for json in [
        json!({"type": "stream_request_start"}),
        json!({"type": "stream_event", "event": {"type": "ping"}}),
        json!({"type": "tool_use_summary", "summary": "read a file"}),
    ] {
        log.append(serde_json::from_str::<Event>(&json.to_string()).unwrap());
    }
    log.append(tombstone("a1"));
    assert_eq!((log.events().count(), log.live().len(), log.slots().len()), (4, 0, 0));
}

#[test]
fn every_kind_of_message_is_in_both_views() {
    let mut log = EventLog::new();
    for kind in ["user", "assistant", "system", "attachment", "hook_result", "progress", "grouped_tool_use"] {
        log.append(message(&json!({"type": kind, "uuid": kind})));
    }
    assert_eq!((log.live().len(), log.slots().len()), (7, 7));
}

#[test]
fn a_tombstone_withdraws_only_assistant_messages_before_it() {
    let mut log = EventLog::new();
    log.append(message(&json!({"type": "user", "uuid": "a1"})));
    log.append(assistant("a1", "first"));
    log.append(assistant("a1", "again"));
    log.append(tombstone("a1"));
    log.append(assistant("a1", "later"));
    log.append(tombstone("unknown"));
    let live: Vec<Value> = log.live().iter().map(|message| value(&**message)).collect();
    assert_eq!(says(&live), ["-", "later"]);
    assert_eq!(log.slots().len(), 4);
}

#[test]
fn late_fields_go_to_the_last_message_of_their_uuid() {
    let mut log = EventLog::new();
    log.append(assistant("a1", "first"));
    log.append(assistant("a1", "again"));
    let late = LateFields { stop_reason: "end_turn".into(), ..LateFields::default() };
    assert!(log.amend(&"a1".into(), late.clone()));
    assert!(!log.amend(&"a2".into(), late.clone()));
    let reasons: Vec<Value> =
        log.live().iter().map(|message| value(&**message)["message"]["stop_reason"].clone()).collect();
    assert_eq!(reasons, [Value::Null, json!("end_turn")]);
    log.append(tombstone("a1"));
    assert!(!log.amend(&"a1".into(), late), "what is withdrawn is not shown");
}

/// What happens to a log.
#[derive(Clone, Debug)]
enum Step {
    Assistant(u8),
    Call(u8, u8),
    Result(u8),
    Words(u8),
    Tombstone(u8),
    Late(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let small = 0..4_u8;
    let step = prop_oneof![
        small.clone().prop_map(Step::Assistant),
        (small.clone(), small.clone()).prop_map(|(uuid, call)| Step::Call(uuid, call)),
        small.clone().prop_map(Step::Result),
        small.clone().prop_map(Step::Words),
        small.clone().prop_map(Step::Tombstone),
        small.prop_map(Step::Late),
    ];
    prop::collection::vec(step, 0..24)
}

fn take(log: &mut EventLog, step: &Step) {
    let result = |call: u8| json!({"type": "tool_result", "tool_use_id": format!("t{call}"), "content": "x"});
    match *step {
        Step::Assistant(uuid) => log.append(assistant(&format!("a{uuid}"), "x")),
        Step::Call(uuid, call) => log.append(message(&json!({"type": "assistant", "uuid": format!("a{uuid}"),
            "message": {"content": [{"type": "tool_use", "id": format!("t{call}"), "name": "n", "input": {}}]}}))),
        Step::Result(call) => log.append(message(&json!({"type": "user", "message": {"content": [result(call)]}}))),
        Step::Words(call) => log.append(message(
            &json!({"type": "user", "message": {"content": [result(call), {"type": "text", "text": "w"}]}}),
        )),
        Step::Tombstone(uuid) => log.append(tombstone(&format!("a{uuid}"))),
        Step::Late(uuid) => {
            let late = LateFields { stop_reason: "end_turn".into(), ..LateFields::default() };
            log.amend(&format!("a{uuid}").as_str().into(), late);
        }
    }
}

/// The views by their definition, step by step, without indexes.
fn views_by_definition(steps: &[Step]) -> Vec<Option<Value>> {
    let mut messages: Vec<(Value, bool)> = Vec::new();
    let of = |json: &Value, uuid: u8| json["type"] == "assistant" && json["uuid"] == format!("a{uuid}");
    for step in steps {
        let mut log = EventLog::new();
        match *step {
            Step::Tombstone(uuid) => {
                messages.iter_mut().filter(|(json, _)| of(json, uuid)).for_each(|(_, gone)| *gone = true);
            }
            Step::Late(uuid) => {
                let shown = messages.iter_mut().rev().find(|(json, gone)| of(json, uuid) && !gone);
                if let Some((json, _)) = shown {
                    json["message"]["stop_reason"] = "end_turn".into();
                }
            }
            _ => {
                take(&mut log, step);
                messages.push((value(log.events().next().unwrap()), false));
            }
        }
    }
    let calls = |want: bool| -> Vec<Value> {
        let held = messages.iter().filter(|(json, gone)| *gone == want && json["type"] == "assistant");
        held.map(|(json, _)| json["message"]["content"][0]["id"].clone()).filter(|id| !id.is_null()).collect()
    };
    let (gone, live) = (calls(true), calls(false));
    let withdrawn = |id: &Value| gone.contains(id) && !live.contains(id);
    let remains = |(json, gone): &(Value, bool)| {
        let mut json = json.clone();
        if json["type"] == "user" {
            let content = json["message"]["content"].as_array_mut().unwrap();
            content.retain(|block| block["type"] != "tool_result" || !withdrawn(&block["tool_use_id"]));
            return (!content.is_empty()).then_some(json);
        }
        (!gone).then_some(json)
    };
    messages.iter().map(remains).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_views_are_what_their_definition_says(steps in steps()) {
        let mut log = EventLog::new();
        steps.iter().for_each(|step| take(&mut log, step));
        let expected = views_by_definition(&steps);
        let slots: Vec<Option<Value>> = log.slots().iter().map(|slot| match slot {
            Slot::Message(message) => Some(value(&**message)),
            Slot::Tombstone(_) => None,
        }).collect();
        prop_assert_eq!(&slots, &expected);
        let live: Vec<Value> = log.live().iter().map(|message| value(&**message)).collect();
        prop_assert_eq!(live, expected.into_iter().flatten().collect::<Vec<_>>());
    }

    #[test]
    fn places_never_move_and_events_never_change(steps in steps()) {
        let mut log = EventLog::new();
        let (mut uuids, mut events): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        for step in &steps {
            take(&mut log, step);
            let now: Vec<Value> = log.slots().iter().map(|slot| {
                let json: Value = serde_json::from_str(slot.write().get()).unwrap();
                if json["type"] == "tombstone" { json["message"]["uuid"].clone() } else { json["uuid"].clone() }
            }).collect();
            prop_assert_eq!(&now[..uuids.len()], &uuids[..]);
            uuids = now;
            let now: Vec<Value> = log.events().map(value).collect();
            prop_assert_eq!(&now[..events.len()], &events[..]);
            events = now;
            prop_assert!(ids(&log).len() <= uuids.len());
        }
    }
}
