//! The rules on *talks*: each example breaks its rule.

use std::slice::from_ref;

use serde_json::{Value, json};
use turnproof_rules::rules::{CATALOGUE, Judge, Verdict, find, judge_json};

#[test]
fn each_example_of_a_talk_breaks_its_rule_as_badly_as_its_page_says() {
    let rules: Vec<_> = CATALOGUE.iter().filter(|rule| matches!(rule.judge, Judge::Talk(_))).collect();
    assert_eq!(rules.len(), 15);
    for rule in rules {
        let verdict = judge_json(rule, rule.example).unwrap();
        let Verdict::Broken(violations) = verdict else { panic!("{}: {verdict:?}", rule.id) };
        let severities = violations.iter().map(|one| rule.severity_of(one));
        assert_eq!(severities.max(), Some(rule.severity), "{}: {violations:?}", rule.id);
    }
}

/// The verdict of a rule on a talk.
fn judged(rule: &str, talk: &[Value]) -> bool {
    let rule = find(rule).unwrap();
    let text: String = talk.iter().map(|line| format!("{line}\n")).collect();
    matches!(judge_json(rule, text.as_bytes()).unwrap(), Verdict::Broken(_))
}

fn call(id: &str, command: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "bash", "input": {"command": command}})
}

fn result(id: &str) -> Value {
    json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "there"}]})
}

fn assistant(blocks: &[Value]) -> Value {
    json!({"role": "assistant", "content": blocks})
}

/// A request with these turns behind a prompt, and what was said to it.
fn asked(turns: &[Value], said: &[Value]) -> Value {
    let prompt = json!({"role": "user", "content": "what is there?"});
    let turns: Vec<Value> = std::iter::once(prompt).chain(turns.iter().cloned()).collect();
    json!({"request": {"model": "a", "max_tokens": 9, "messages": turns}, "said": said})
}

#[test]
fn the_second_of_two_calls_under_one_id_may_come_back_under_another_and_is_lost_otherwise() {
    let (one, other) = (call("call_0", "a"), call("call_0", "b"));
    let again = |second: Option<Value>| {
        let first = [assistant(from_ref(&one)), result("call_0")];
        let rest = second.map(|second| [assistant(from_ref(&second)), result(second["id"].as_str().unwrap())]);
        let turns: Vec<Value> = first.iter().cloned().chain(rest.into_iter().flatten()).collect();
        [asked(&[], from_ref(&one)), asked(&first, from_ref(&other)), asked(&turns, &[])]
    };
    for rule in ["talk/lost", "talk/invented", "talk/changed"] {
        assert!(!judged(rule, &again(Some(call("call_0_2", "b")))), "{rule}");
    }
    assert!(judged("talk/invented", &again(Some(call("call_0_2", "c")))));
    let twice = |turns: &[Value]| [asked(&[], &[one.clone(), other.clone()]), asked(turns, &[])];
    let lost = twice(&[assistant(from_ref(&one)), result("call_0")]);
    assert!(judged("talk/lost", &lost) && !judged("talk/changed", &lost));
    let renamed = twice(&[assistant(&[one.clone(), call("call_0_2", "b")]), result("call_0")]);
    assert!(!judged("talk/lost", &renamed) && !judged("talk/invented", &renamed));
}

#[test]
fn the_rest_of_a_reply_that_is_joined_to_its_beginning_is_not_invented() {
    let thought = json!({"type": "thinking", "thinking": "a", "signature": "c2ln"});
    let text = |text: &str| json!({"type": "text", "text": text});
    let user = |text: &str| json!({"role": "user", "content": text});
    let talk = |last: Value| {
        let half = [assistant(&[text("It is")]), user("go on")];
        let whole = [assistant(&[text("It is"), last, text("there.")]), user("and now?")];
        let rest = [thought.clone(), text("there.")];
        [asked(&[], &[text("It is")]), asked(&half, &rest), asked(&whole, &[])]
    };
    assert!(!judged("talk/invented", &talk(thought.clone())));
    let other = json!({"type": "thinking", "thinking": "b", "signature": "b3RoZXI="});
    assert!(judged("talk/invented", &talk(other)));
}
