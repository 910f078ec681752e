//! Ids that calls share: vendors restart the numbers of the calls in each reply, and clients write a line twice.

use std::collections::HashSet;

use serde_json::{Value, json};
use turnproof_reference::message::Event;
use turnproof_reference::normalize::api::{Incremental, Options, normalize_for_api};

fn events(messages: &[Value]) -> Vec<Event> {
    messages.iter().map(|message| serde_json::from_value(message.clone()).unwrap()).collect()
}

fn call(id: &str, command: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}})
}

fn result(id: &str, says: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": says})
}

fn reply(id: &str, blocks: Value) -> Value {
    json!({"type": "assistant", "message": {"id": id, "role": "assistant", "content": blocks}})
}

fn user(blocks: Value) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": blocks}})
}

fn request(messages: &[Value]) -> Value {
    serde_json::to_value(normalize_for_api(&events(messages), &Options::default())).unwrap()
}

/// The command of each call of a request, with what its result says.
fn answers(request: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let blocks: Vec<&Value> =
        request.as_array().unwrap().iter().flat_map(|turn| turn["content"].as_array().unwrap()).collect();
    let answer = |id: &Value| {
        let results: Vec<&&Value> = blocks.iter().filter(|block| block["tool_use_id"] == *id).collect();
        assert_eq!(results.len(), 1, "one result for {id}");
        text(&results[0]["content"])
    };
    let calls: Vec<&&Value> = blocks.iter().filter(|block| block["type"] == "tool_use").collect();
    let ids: HashSet<&str> = calls.iter().filter_map(|call| call["id"].as_str()).collect();
    assert_eq!(ids.len(), calls.len(), "no two calls share an id");
    calls.iter().map(|call| (text(&call["input"]["command"]), answer(&call["id"]))).collect()
}

/// A session whose model numbers the calls of each reply from 0.
fn numbered(replies: usize) -> Vec<Value> {
    let turn = |number: usize| {
        let (one, two) = (format!("one {number}"), format!("two {number}"));
        [
            user(json!([{"type": "text", "text": format!("prompt {number}")}])),
            reply(&format!("msg_{number}"), json!([call("call_0", &one), call("call_1", &two)])),
            user(json!([result("call_1", &two)])),
            user(json!([result("call_0", &one)])),
        ]
    };
    (0..replies).flat_map(turn).collect()
}

#[test]
fn calls_that_are_numbered_again_in_each_reply_keep_their_own_results() {
    let answers = answers(&request(&numbered(500)));
    assert_eq!(answers.len(), 1000);
    assert!(answers.iter().all(|(command, said)| command == said));
}

#[test]
fn the_first_call_keeps_its_id_and_a_longer_list_changes_no_id() {
    let messages = numbered(30);
    let whole = request(&messages);
    assert_eq!(whole[1]["content"][0]["id"], "call_0");
    for count in (4..messages.len()).step_by(4) {
        let shorter = request(&messages[..count]);
        let turns = shorter.as_array().unwrap().len();
        assert_eq!(shorter.as_array().unwrap()[..turns - 1], whole.as_array().unwrap()[..turns - 1], "{count}");
    }
}

#[test]
fn message_by_message_gives_the_same_and_settles_what_is_old() {
    let messages = numbered(60);
    let all = events(&messages);
    let mut incremental = Incremental::new(Options::default()).settling(1);
    for (count, message) in all.iter().enumerate() {
        incremental.extend([message.clone()]);
        assert_eq!(incremental.turns(), normalize_for_api(&all[..=count], &Options::default()), "after {count}");
    }
    assert_eq!(incremental.rebuilds(), 0);
    assert!(incremental.settled() > 200, "{} of {}", incremental.settled(), all.len());
}

#[test]
fn a_late_result_is_dropped_when_later_calls_with_its_id_have_their_results() {
    let mut messages = numbered(20);
    // The last reply but ten loses a result, which comes at the end.
    let late = messages.remove(4 * 9 + 3);
    messages.push(late);
    let all = events(&messages);
    let mut incremental = Incremental::new(Options::default()).settling(1);
    all.iter().for_each(|message| incremental.push(message.clone()));
    assert_eq!(incremental.turns(), normalize_for_api(&all, &Options::default()));
    // Nobody can say which call it answers.
    let answers = answers(&request(&messages));
    assert_eq!(answers.iter().filter(|(command, said)| command != said).count(), 1);
}

#[test]
fn a_line_that_repeats_a_call_is_dropped_and_another_call_of_the_reply_stays() {
    let of = |blocks: Value, results: Value| answers(&request(&[user(json!("go")), reply("m", blocks), user(results)]));
    let said = |all: &[(&str, &str)]| -> Vec<(String, String)> {
        all.iter().map(|(one, two)| ((*one).to_owned(), (*two).to_owned())).collect()
    };
    let both = json!([result("t", "1"), result("t", "2")]);
    assert_eq!(of(json!([call("t", "a"), call("t", "a")]), both.clone()), said(&[("a", "1")]));
    assert_eq!(of(json!([call("t", "a"), call("t", "b")]), both), said(&[("a", "1"), ("b", "2")]));
    // The order of members and the blanks of JSON make no difference.
    let text = r#"{"type":"tool_use","id":"t","name":"Bash","input":{"b":1,"a":[2, 3]}}"#;
    let other = r#"{"type":"tool_use","id":"t","name":"Bash","input":{"a":[2,3], "b":1}}"#;
    let line = |block: &str| format!(r#"{{"type":"assistant","message":{{"id":"m","content":[{block}]}}}}"#);
    let lines = [line(text), line(other)].map(|line| serde_json::from_str::<Event>(&line).unwrap());
    let turns = serde_json::to_value(normalize_for_api(&lines, &Options::default())).unwrap();
    assert_eq!(turns[1]["content"].as_array().unwrap().len(), 1);
}

#[test]
fn a_new_id_is_never_one_in_use() {
    let first = request(&numbered(2));
    let made = first[3]["content"][0]["id"].as_str().unwrap().to_owned();
    // The same again, when the first call has the id that was made for a later one; and when a later one has it.
    let own = [user(json!("go")), reply("m", json!([call(&made, "own")])), user(json!([result(&made, "own")]))];
    for messages in [[own.to_vec(), numbered(3)].concat(), [numbered(3), own.to_vec()].concat()] {
        let answers = answers(&request(&messages));
        assert_eq!(answers.len(), 7);
        assert!(answers.iter().all(|(command, said)| command == said));
    }
}
