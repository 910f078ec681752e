//! Rules on *folding*: which runs become groups, what a group holds, the way back, and the view over a bridge.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof_rules::operation::{Folded, Folding, Given, Plain};
use turnproof_rules::rules::Verdict;
use turnproof_suite::subject::{Outcome, Reference, Subject};

use crate::families::{self, assert_complete, assert_examples, assert_holds, assert_untouched, broken};
use crate::random;

const RULES: [&str; 9] = [
    "fold/nothing-lost",
    "fold/runs",
    "fold/in-order",
    "fold/named",
    "fold/inverse",
    "fold/bridge-hides-meta",
    "fold/bridge-conserves",
    "fold/bridge-unfolds",
    "fold/deterministic",
];

fn call(uuid: &str, tool: &str, reply: &str) -> Value {
    let block = json!({"type": "tool_use", "id": format!("toolu_{uuid}"), "name": tool, "input": {}});
    json!({"type": "assistant", "uuid": uuid, "message": {"id": reply, "content": [block]}})
}

/// The result of the call in the message `of`.
fn result(uuid: &str, of: &str) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": format!("toolu_{of}"), "content": "a"});
    json!({"type": "user", "uuid": uuid, "message": {"content": [block]}})
}

fn text(uuid: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"content": "a"}})
}

fn group(uuid: &str, tools: &str, calls: &[&Value], results: &[&Value]) -> Value {
    json!({"type": "grouped_tool_use", "uuid": uuid, "toolName": tools, "messages": calls, "results": results})
}

fn given(list: impl Into<Value>) -> Given {
    Ok(list.into().into())
}

fn folded(folding: Folding, messages: &[Value], output: &[Value]) -> Folded {
    let messages = Plain::from(Value::from(messages));
    let (output, nothing) = (given(output), None);
    Folded {
        messages,
        folding,
        output,
        again: None,
        undone: nothing,
        undone_once: None,
        bridged: None,
        bridged_output: None,
    }
}

/// Messages fold to this list, for the rules and for the reference.
#[track_caller]
fn assert_folds(folding: Folding, messages: &[Value], expected: &[Value]) {
    assert_eq!(broken("fold", &folded(folding, messages, expected)), [""; 0], "the rules");
    let Outcome::Output(found) = Reference.fold(&Value::from(messages).to_string(), folding) else { panic!() };
    let mut found: Vec<Value> = serde_json::from_str(&found).unwrap();
    for message in &mut found {
        message.as_object_mut().unwrap().remove("foldedOrder");
    }
    assert_eq!(found, expected, "the reference");
}

/// These rules, and no others of the family, are broken by this output.
#[track_caller]
fn assert_broken(messages: &[Value], output: &[Value], rules: &[&str]) {
    assert_eq!(broken("fold", &folded(Folding::Group, messages, output)), rules);
}

#[test]
fn the_family_has_nine_rules_in_order() {
    assert_complete("fold", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    assert_examples::<Folded>("fold");
}

#[test]
fn what_is_not_there_is_not_applicable() {
    let empty = folded(Folding::Group, &[], &[]);
    let all = Some(given(json!([])));
    let asked =
        Folded { again: all.clone(), undone: all.clone(), bridged: all.clone(), bridged_output: all, ..empty.clone() };
    assert_untouched("fold", &empty);
    assert_untouched("fold", &asked);
}

#[test]
fn an_output_that_is_no_list_is_reported_by_one_rule() {
    for output in [Err("refused".to_owned()), given(json!({})), given(json!(null))] {
        let case = Folded { output, ..folded(Folding::Group, &[text("u")], &[]) };
        assert_eq!(broken("fold", &case), ["fold/nothing-lost"]);
    }
    let case = Folded { undone: Some(Err("no".into())), ..folded(Folding::Group, &[text("u")], &[text("u")]) };
    assert_eq!(broken("fold", &case), ["fold/inverse"]);
}

#[test]
fn a_run_is_of_one_tool_and_one_reply_and_has_its_results() {
    let [a, b, c] = ["a", "b", "c"].map(|uuid| call(uuid, "Bash", "m1"));
    let [ra, rb, rx] = [result("ra", "a"), result("rb", "b"), result("rx", "x")];
    let [other, edit] = [call("d", "Bash", "m2"), call("e", "Edit", "m1")];
    let whole = group("a", "Bash", &[&a, &b], &[&ra]);
    let fold = |messages: &[&Value], expected: &[&Value]| {
        let owned = |list: &[&Value]| -> Vec<Value> { list.iter().map(|message| (*message).clone()).collect() };
        assert_folds(Folding::Group, &owned(messages), &owned(expected));
    };
    fold(&[&a, &ra, &b], &[&whole]);
    fold(&[&a, &b, &ra, &text("u")], &[&whole, &text("u")]);
    fold(&[&a, &b, &rx, &ra], &[&group("a", "Bash", &[&a, &b], &[]), &rx, &ra]);
    fold(&[&a, &other, &edit, &b], &[&a, &other, &edit, &b]);
    fold(&[&a, &text("u"), &b, &rb, &c], &[&a, &text("u"), &group("b", "Bash", &[&b, &c], &[&rb])]);
}

#[test]
fn reads_are_collapsed_whatever_their_reply() {
    let (read, grep, bash) = (call("a", "Read", "m1"), call("b", "Grep", "m2"), call("c", "Bash", "m2"));
    let again = call("d", "Read", "m3");
    let expected = [group("a", "Read, Grep", &[&read, &grep], &[]), bash.clone(), again.clone()];
    assert_folds(Folding::Collapse, &[read, grep, bash, again], &expected);
}

#[test]
fn what_is_lost_or_new_breaks_one_rule() {
    let (a, b, r) = (call("a", "Bash", "m1"), call("b", "Bash", "m1"), result("r", "a"));
    let messages = [a.clone(), b.clone(), r.clone()];
    let lost = ["fold/nothing-lost"];
    assert_broken(&messages, &[group("a", "Bash", &[&a, &b], &[])], &lost);
    assert_broken(&messages, &[group("a", "Bash", &[&a, &b, &b], &[&r])], &lost);
    assert_broken(&messages, &[group("a", "Bash", &[&a, &b], &[&r]), text("new")], &lost);
    let mut changed = b.clone();
    changed["isMeta"] = json!(true);
    assert_broken(&messages, &[group("a", "Bash", &[&a, &changed], &[&r])], &lost);
}

#[test]
fn wrong_runs_orders_and_names_break_their_rule_alone() {
    let [a, b, c] = ["a", "b", "c"].map(|uuid| call(uuid, "Bash", "m1"));
    let (ra, rx) = (result("ra", "a"), result("rx", "x"));
    let messages = [a.clone(), b.clone(), c.clone(), ra.clone(), rx.clone()];
    let right = group("a", "Bash", &[&a, &b, &c], &[&ra]);
    assert_broken(&messages, &messages, &["fold/runs"]);
    assert_broken(&messages, &[group("a", "Bash", &[&a, &b], &[]), c.clone(), ra.clone(), rx.clone()], &["fold/runs"]);
    assert_broken(&messages, &[group("a", "Bash", &[&a, &b, &c], &[&ra, &rx])], &["fold/runs"]);
    assert_broken(&messages, &[rx.clone(), right.clone()], &["fold/in-order"]);
    let mixed = group("a", "Bash", &[&b, &a, &c], &[&ra]);
    assert_broken(&messages, &[mixed, rx.clone()], &["fold/in-order"]);
    for (member, value) in [("toolName", json!("bash")), ("uuid", json!("b")), ("timestamp", json!("t"))] {
        let mut named = right.clone();
        named[member] = value;
        assert_broken(&messages, &[named, rx.clone()], &["fold/named"]);
    }
    let mut noted = right;
    noted["order"] = json!(["c", "c", "c", "r"]);
    assert_broken(&messages, &[noted, rx], &[]);
}

#[test]
fn groups_of_others_stay_and_may_be_noted_on() {
    let (a, u) = (call("a", "Bash", "m1"), text("u"));
    let others = group("g", "Bash", &[&a], &[]);
    let mut noted = others.clone();
    noted["kept"] = json!(true);
    let messages = [others.clone(), u.clone()];
    let case = Folded { undone: Some(given(&messages[..])), ..folded(Folding::Group, &messages, &[noted, u.clone()]) };
    assert_holds("fold", &case, &["fold/nothing-lost", "fold/inverse"]);
    assert_broken(&messages, &[a, u.clone()], &["fold/nothing-lost"]);
    let case = Folded { undone: Some(given(json!([u]))), ..folded(Folding::Group, &messages, &messages) };
    assert_eq!(broken("fold", &case), ["fold/inverse"]);
}

#[test]
fn one_folding_is_taken_back_at_a_time() {
    let [a, b] = ["a", "b"].map(|uuid| call(uuid, "Bash", "m1"));
    let [c, d] = ["c", "d"].map(|uuid| call(uuid, "Read", uuid));
    let messages = [a.clone(), b.clone(), c.clone(), d.clone()];
    let folded_once = json!([group("a", "Bash", &[&a, &b], &[]), c, d]);
    let case = |undone_once: &Value| Folded {
        undone: Some(given(&messages[..])),
        undone_once: Some(given(undone_once.clone())),
        ..folded(Folding::Group, &messages, folded_once.as_array().unwrap())
    };
    assert_holds("fold", &case(&folded_once), &["fold/inverse"]);
    assert_eq!(broken("fold", &case(&json!(messages))), ["fold/inverse"]);
    // The reference, one folding after the other.
    let fold = |list: &str, folding| Reference.fold(list, folding).into_answer().unwrap().unwrap();
    let once = fold(&json!(messages).to_string(), Folding::Group);
    let twice = fold(&once, Folding::Collapse);
    assert_ne!(once, twice);
    let value = |json: &str| serde_json::from_str::<Value>(json).unwrap();
    let undone = Reference.unfold(&twice).into_answer().unwrap().unwrap();
    assert_eq!(value(&undone), value(&once));
}

#[test]
fn a_bridge_carries_what_people_see() {
    let meta = json!({"type": "user", "uuid": "m", "isMeta": true, "message": {"content": "a"}});
    let (a, r, u) = (call("a", "Bash", "m1"), result("r", "a"), text("u"));
    let empty = group("e", "Bash", &[], &[]);
    let strange = group("s", "Bash", &[&u, &json!({"type": "novel"})], &[]);
    let nested = group("n", "Bash", &[&group("i", "Bash", &[&a, &meta], &[])], &[&r]);
    let messages = [meta.clone(), nested.clone(), empty.clone(), u.clone(), strange.clone()];
    let of = |bridged: &[&Value]| {
        let case = Folded { bridged: Some(given(json!(bridged))), ..folded(Folding::Group, &messages, &messages) };
        broken("fold", &case)
    };
    assert_eq!(of(&[&a, &r, &empty, &u, &strange]), [""; 0]);
    assert_eq!(of(&[&meta, &a, &r, &empty, &u, &strange]), ["fold/bridge-hides-meta"]);
    for wrong in [&[&a, &r, &u, &strange][..], &[&nested, &empty, &u, &strange], &[&r, &a, &empty, &u, &strange]] {
        assert_eq!(of(wrong), ["fold/bridge-conserves"]);
    }
}

#[test]
fn numbers_may_be_written_as_another_language_writes_them() {
    let case = br#"{"messages":[{"type":"user","n":[2.50,-0.0]}],"folding":"group","output":{"Ok":[{"type":"user","n":[2.5,0]}]}}"#;
    let case: Folded = serde_json::from_slice(case).unwrap();
    assert_eq!(families::judge("fold/nothing-lost", &case), Verdict::Holds);
}

/// Words and names that rules look for.
const WORDS: &str = "user|assistant|grouped_tool_use|tool_use|tool_result|Read|Bash|t1|m1|";
const NAMES: &str = "type|uuid|message|content|messages|results|id|name|tool_use_id|isMeta|toolName";

proptest! {
    #[test]
    fn arbitrary_json_never_panics(
        messages in prop::collection::vec(random::any_json(WORDS, NAMES), 0..5),
        output in prop::collection::vec(random::any_json(WORDS, NAMES), 0..5),
        odd in random::any_json(WORDS, NAMES),
        is_same in any::<bool>(),
    ) {
        let output = if is_same { messages.clone() } else { output };
        for folding in [Folding::Group, Folding::Collapse] {
            broken("fold", &Folded {
                again: Some(given(output.clone())),
                undone: Some(given(odd.clone())),
                bridged: Some(given(output.clone())),
                bridged_output: Some(Err("no".into())),
                ..folded(folding, &messages, &output)
            });
        }
    }
}
