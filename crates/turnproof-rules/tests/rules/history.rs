//! The rules on *requests in a row*: each example breaks its rule, a history that only grows breaks none, and each
//! change of a history breaks exactly the rule that it should, at its block.

use serde_json::{Value, json};
use turnproof_rules::operation::{Request, RequestPair, predecessors, read_requests};
use turnproof_rules::rules::{CATALOGUE, Judge, Rule, Severity, Verdict, Violation, judge_json};

const SIGNATURE: &str = "c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJl";

fn rules() -> impl Iterator<Item = &'static Rule> {
    CATALOGUE.iter().copied().filter(|rule| matches!(rule.judge, Judge::Requests(_)))
}

fn read(value: &Value) -> Request {
    Request::read(&value.to_string()).unwrap()
}

fn violations(earlier: &Value, later: &Value) -> Vec<Violation> {
    let (earlier, later) = (read(earlier), read(later));
    let pair = RequestPair::new(&earlier, &later);
    let mut violations = Vec::new();
    for rule in rules() {
        let Judge::Requests(judge) = rule.judge else { continue };
        judge(&pair, &mut |violation| violations.push(violation));
    }
    violations
}

fn severity(violation: &Violation) -> Severity {
    let rule = rules().find(|rule| rule.id == violation.rule).unwrap();
    violation.severity.unwrap_or(rule.severity)
}

/// What is found, but for the note on the cache, which goes with all: how bad, rule, kind and place.
fn found(earlier: &Value, later: &Value) -> Vec<String> {
    let violations = violations(earlier, later).into_iter().filter(|violation| violation.rule != "history/cache");
    let words = |one: Violation| format!("{} {} {} at {}", severity(&one).name(), one.rule, one.kind, one.place);
    violations.map(words).collect()
}

/// The path that differs first, as the note on the cache says; empty where there is none.
fn broken_at(earlier: &Value, later: &Value) -> String {
    let violations = violations(earlier, later);
    let note = violations.iter().find(|violation| violation.rule == "history/cache");
    let value = note.and_then(|note| note.value("path"));
    value.map(|value| serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()).unwrap_or_default()
}

fn body(messages: Value) -> Value {
    json!({
        "model": "claude-opus-5-5", "max_tokens": 9,
        "tools": [{"name": "Bash", "input_schema": {"type": "object"}}],
        "system": [{"type": "text", "text": "s"}], "messages": messages,
    })
}

fn user(content: impl Into<Value>) -> Value {
    json!({"role": "user", "content": content.into()})
}

fn assistant(blocks: Value) -> Value {
    json!({"role": "assistant", "content": blocks})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn thinking(text: &str) -> Value {
    json!({"type": "thinking", "thinking": text, "signature": SIGNATURE})
}

fn call(id: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": input})
}

fn result(id: &str, content: impl Into<Value>) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": content.into()})
}

/// A conversation with thinking, two calls with their results, and a question.
fn turns() -> Vec<Value> {
    vec![
        user("one"),
        assistant(json!([
            thinking("t"),
            text("I call."),
            call("toolu_1", json!({"a": 1, "b": 2})),
            call("toolu_2", json!({}))
        ])),
        user(json!([result("toolu_1", "r"), result("toolu_2", "s")])),
        assistant(json!([text("Done.")])),
        user("two"),
    ]
}

fn earlier() -> Value {
    body(json!(turns()))
}

/// The next request, changed.
fn later(change: impl FnOnce(&mut Value)) -> Value {
    let mut body = body(json!([turns(), vec![assistant(json!([text("Good.")])), user("three")]].concat()));
    change(&mut body["messages"]);
    body
}

fn changed(change: impl FnOnce(&mut Value)) -> Vec<String> {
    found(&earlier(), &later(change))
}

fn remove(list: &mut Value, index: usize) -> Value {
    list.as_array_mut().unwrap().remove(index)
}

fn insert(list: &mut Value, index: usize, value: Value) {
    list.as_array_mut().unwrap().insert(index, value);
}

#[test]
fn each_example_breaks_its_rule_and_no_other_that_is_an_error() {
    for rule in rules() {
        let requests = read_requests(std::str::from_utf8(rule.example).unwrap()).unwrap();
        let pair = RequestPair::new(&requests[0], &requests[1]);
        let mut broken = Vec::new();
        for other in rules() {
            let Judge::Requests(judge) = other.judge else { continue };
            judge(&pair, &mut |violation| broken.push((violation.rule, severity(&violation))));
        }
        assert!(broken.iter().any(|(id, severity)| *id == rule.id && *severity == rule.severity), "{}", rule.id);
        let others = broken.iter().filter(|(id, severity)| *id != rule.id && *severity > Severity::Info);
        assert_eq!(others.count(), 0, "{}: {broken:?}", rule.id);
        assert!(matches!(judge_json(rule, rule.example), Ok(Verdict::Broken(_))), "{}", rule.id);
    }
}

#[test]
fn each_page_cites_what_must_hold() {
    for rule in rules() {
        assert!(rule.family() == "history" && rule.sources.contains(&"SPEC 4.10"), "{}", rule.id);
        assert!(rule.audience.is_none() && !rule.judge.asks_subjects(), "{}", rule.id);
    }
}

#[test]
fn a_history_that_only_grows_breaks_no_rule() {
    assert_eq!(violations(&earlier(), &later(|_| {})), []);
    assert_eq!(violations(&earlier(), &earlier()), [], "the same again");
    let first = body(json!([user("one")]));
    assert_eq!(violations(&first, &earlier()).len(), 1, "a second reply");
    assert_eq!(violations(&body(json!([])), &first), []);
}

#[test]
fn form_is_no_change() {
    let same = |change: fn(&mut Value)| assert_eq!(violations(&earlier(), &later(change)), []);
    same(|turns| turns[0]["content"] = json!([text("one")]));
    same(|turns| {
        turns[0]["content"] = json!([{"type": "text", "text": "one", "cache_control": {"type": "ephemeral"}}])
    });
    same(|turns| turns[2]["content"][0]["content"] = json!([text("r")]));
    same(|turns| turns[2]["content"][1]["cache_control"] = json!({"type": "ephemeral"}));
    same(|turns| turns[1]["content"][2]["input"] = serde_json::from_str(r#"{"b":2,"a":1}"#).unwrap());
}

#[test]
fn what_was_said_is_said_again() {
    let thinks = changed(|turns| turns[1]["content"][0]["thinking"] = json!("t "));
    assert_eq!(thinks[0], "error history/thinking-changed thinking at messages.1.content.0");
    let signs = changed(|turns| turns[1]["content"][0]["signature"] = json!(SIGNATURE.replace('c', "d")));
    assert_eq!(signs[0], "error history/thinking-changed signature at messages.1.content.0");
    let input = changed(|turns| turns[1]["content"][2]["input"]["b"] = json!(3));
    assert_eq!(input, ["error history/input-changed input at messages.1.content.2"]);
    let name = changed(|turns| turns[1]["content"][3]["name"] = json!("Read"));
    assert_eq!(name, ["error history/input-changed name at messages.1.content.3"]);
    let result = changed(|turns| turns[2]["content"][0]["content"] = json!("R"));
    assert_eq!(result, ["error history/result-changed content at messages.2.content.0"]);
    let words = changed(|turns| turns[1]["content"][1]["text"] = json!("I call"));
    assert_eq!(words, ["error history/text-changed assistant at messages.1.content.1"]);
    let prompt = changed(|turns| turns[4]["content"] = json!("two "));
    assert_eq!(prompt, ["error history/text-changed user at messages.4"]);
}

#[test]
fn what_was_said_keeps_its_order() {
    let order = changed(|turns| turns[2]["content"].as_array_mut().unwrap().reverse());
    assert_eq!(order, ["error history/order moved at messages.2.content.1"]);
}

#[test]
fn nothing_is_lost_or_invented_in_the_middle() {
    let lost = changed(|turns| drop(remove(turns, 3)));
    assert_eq!(lost, ["error history/turn-lost assistant at messages.2.content.1"]);
    let call = changed(|turns| drop(remove(&mut turns[1]["content"], 3)));
    assert_eq!(call, ["error history/turn-lost assistant at messages.1.content.2"]);
    let invented = changed(|turns| insert(turns, 3, assistant(json!([text("Hm.")]))));
    assert_eq!(invented, ["error history/turn-invented assistant at messages.3.content.0"]);
    let asked = changed(|turns| insert(&mut turns[2]["content"], 2, text("And?")));
    assert_eq!(asked, ["warning history/turn-invented user at messages.2.content.2"]);
    let twice = changed(|turns| {
        insert(turns, 7, assistant(json!([text("x")])));
        insert(turns, 8, user("four"));
    });
    assert_eq!(twice, ["warning history/turn-invented second-reply at messages.7.content.0"]);
}

#[test]
fn what_a_client_removes_is_a_note() {
    let summary = changed(|turns| {
        (0..4).for_each(|_| drop(remove(turns, 0)));
        insert(turns, 0, user("Summary."));
    });
    assert_eq!(summary[0], "info history/compacted summarized at messages.0");
    let trimmed = changed(|turns| (0..3).for_each(|_| drop(remove(turns, 0))));
    assert_eq!(trimmed[0], "info history/compacted trimmed at messages.0.content.0");
    let rewound = found(&later(|_| {}), &earlier());
    assert_eq!(rewound, ["info history/compacted rewound at messages.4"]);
    let other = found(&earlier(), &body(json!([user("Give it a title.")])));
    assert_eq!(other[0], "info history/compacted nothing-kept at messages.0");
    let dropped = changed(|turns| drop(remove(&mut turns[1]["content"], 0)));
    assert_eq!(dropped, ["info history/compacted thinking-dropped at messages.0"]);
    let cleared = changed(|turns| turns[2]["content"][0]["content"] = json!("[Old tool result content cleared]"));
    assert_eq!(cleared, ["info history/result-changed cleared at messages.2.content.0"]);
    let edited = found(&earlier(), &body(json!([&turns()[..4], &[user("another")]].concat())));
    assert_eq!(edited, ["info history/compacted rewound at messages.4"]);
}

#[test]
fn reminders_of_a_client_are_notes() {
    let reminder = "<system-reminder>\na\n</system-reminder>";
    let notes = |change: fn(&mut Value, &str)| changed(|turns| change(turns, reminder));
    let put = notes(|turns, reminder| insert(&mut turns[2]["content"], 2, text(reminder)));
    assert_eq!(put, ["info history/turn-invented reminder at messages.2.content.2"]);
    let inside = notes(|turns, reminder| turns[2]["content"][1]["content"] = json!(format!("s\n\n{reminder}")));
    assert_eq!(inside, ["info history/result-changed reminder at messages.2.content.1"]);
    let mut with = earlier();
    insert(&mut with["messages"][2]["content"], 2, text(reminder));
    assert_eq!(found(&with, &later(|_| {})), ["info history/compacted reminders at messages.2.content.1"]);
}

#[test]
fn thinking_is_bound_to_what_was_before_it() {
    let with = |change: fn(&mut Value)| {
        let mut body = later(|_| {});
        change(&mut body);
        let found = found(&earlier(), &body);
        found.into_iter().find(|one| one.contains("thinking-bound")).unwrap_or_default()
    };
    let at = |how: &str, what: &str| format!("{how} history/thinking-bound {what} at messages.1.content.0");
    assert_eq!(with(|body| body["system"][0]["text"] = json!("S")), at("error", "system"));
    assert_eq!(with(|body| body["tools"] = json!([])), at("error", "tools"));
    assert_eq!(with(|body| body["messages"][0]["content"] = json!("One")), at("warning", "messages"));
    assert_eq!(with(|body| body["messages"][2]["content"][0]["content"] = json!("R")), "", "thinking is before it");
    assert_eq!(with(|body| body["max_tokens"] = json!(10)), "");
    let drops = with(|body| {
        body["tools"] = json!([]);
        body["thinking"] = json!({"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}});
    });
    assert_eq!(drops, at("info", "tools"));
}

#[test]
fn the_note_on_the_cache_names_what_differs_first() {
    let with = |change: fn(&mut Value)| {
        let mut body = later(|_| {});
        change(&mut body);
        broken_at(&earlier(), &body)
    };
    assert_eq!(with(|_| {}), "");
    assert_eq!(with(|body| body["model"] = json!("m")), "model");
    assert_eq!(with(|body| body["tools"][0]["name"] = json!("Read")), "tools.0.name");
    assert_eq!(with(|body| insert(&mut body["tools"], 1, json!({"name": "Read"}))), "tools.1");
    assert_eq!(with(|body| body["system"][0]["text"] = json!("S")), "system.0.text");
    assert_eq!(with(|body| body["system"][0]["cache_control"] = json!({"type": "ephemeral"})), "");
    assert_eq!(with(|body| body["tool_choice"] = json!({"type": "any"})), "tool_choice");
    let input = with(|body| body["messages"][1]["content"][2]["input"]["b"] = json!(3));
    assert_eq!(input, "messages.1.content.2.input.b");
    let violations = violations(&earlier(), &later(|turns| turns[4]["content"] = json!("x")));
    let note = violations.iter().find(|violation| violation.rule == "history/cache").unwrap();
    assert!(note.found.to_string().starts_with("the same for 4 of 5 turns, "), "{}", note.found);
}

#[test]
fn a_prompt_that_changed_is_a_note() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut body = earlier();
        change(&mut body);
        let notes = violations(&earlier(), &body).into_iter().filter(|one| one.rule == "history/prompt-changed");
        notes.map(|note| note.kind).collect::<Vec<_>>()
    };
    assert_eq!(with(&|body| body["model"] = json!("m")), ["model"]);
    assert_eq!(with(&|body| body["tools"] = json!([])), ["tools"]);
    assert_eq!(with(&|body| body["system"][0]["text"] = json!("S")), ["system"]);
    assert_eq!(with(&|body| body["max_tokens"] = json!(10)), [""; 0]);
}

#[test]
fn a_request_continues_the_newest_that_begins_as_it_does() {
    let requests = [
        body(json!([user("one")])),
        body(json!([user("Give it a title.")])),
        earlier(),
        body(json!([user("Summary.")])),
    ];
    let requests: Vec<Request> = requests.iter().map(read).collect();
    assert_eq!(predecessors(&requests), [None, Some(0), Some(0), Some(2)]);
}

#[test]
fn a_long_history_is_compared_in_time_that_grows_with_it() {
    let turn = |number: usize| match number % 2 {
        0 => user(number.to_string()),
        _ => assistant(json!([text(&number.to_string())])),
    };
    let turns: Vec<Value> = (0..40_001).map(turn).collect();
    let reversed: Vec<Value> = turns.iter().rev().cloned().collect();
    let start = std::time::Instant::now();
    assert!(violations(&body(json!(turns)), &body(json!(reversed))).len() > 30_000);
    let changed: Vec<Value> = (0..40_001).map(|number| turn(number * 3 + number % 2)).collect();
    violations(&body(json!(turns)), &body(json!(changed)));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn what_is_no_request_is_refused_and_hostile_shapes_are_read() {
    assert!(read_requests("{}\n").is_err() && read_requests("\n\n").unwrap().is_empty());
    let shapes = [json!(null), json!(3), json!("x"), json!([]), json!([null]), json!([{"role": 3}]), json!([[[]]])];
    for one in &shapes {
        for other in &shapes {
            violations(
                &body(json!([{"role": "user", "content": one}])),
                &body(json!([{"role": "user", "content": other}])),
            );
            violations(&body(json!([one])), &body(json!([other, one])));
        }
    }
}
