//! A plain recorder on generated steps: right it holds every rule, and each mistake is detected.

use std::collections::HashMap;

use crate::families;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use turnproof_rules::operation::{RecordHints, RecordStep, Recorded, TeamInfo};
use turnproof_rules::rules::Verdict;

use super::case::{boundary, broken, line, message, reply, result, user, with};
use super::recorder::{Mistake, record};

/// The messages that lists are made of.
fn pool() -> Vec<Value> {
    let metadata = json!({"preservedMessages": {"anchorUuid": "s1", "uuids": ["u3", "a2"]}});
    vec![
        user("u1"),
        with(user("u2"), json!({"unknown": {"a": 1}})),
        user("u3"),
        reply("a1", 1, None),
        reply("a1", 90, Some("end_turn")),
        reply("a2", 1, None),
        reply("a2", 80, Some("tool_use")),
        result("r1", "a1"),
        result("r2", "a2"),
        message("progress", "p1", json!({"data": {}})),
        with(user("v1"), json!({"isVirtual": true})),
        boundary("b1", metadata),
        with(user("s1"), json!({"isCompactSummary": true})),
        message("attachment", "t1", json!({"attachment": {"type": "file"}})),
    ]
}

fn list() -> impl Strategy<Value = String> {
    let chosen = prop::collection::vec(prop::sample::select(pool()), 1..8);
    (chosen, 0..40_u8).prop_map(|(mut list, odd)| {
        if odd == 0 {
            list.push(json!({"type": "user", "message": {"content": "nameless"}}));
        }
        Value::from(list).to_string()
    })
}

fn hints() -> impl Strategy<Value = RecordHints> {
    let parents = prop::option::of(prop::sample::select(&["u1", "u3", "a2", "s1", "u9"][..]));
    (parents, any::<bool>()).prop_map(|(parent, has_team)| {
        let team = TeamInfo { team_name: "crew".into(), agent_name: "scout".into() };
        RecordHints { starting_parent: parent.map(str::to_owned), team: has_team.then_some(team) }
    })
}

fn step() -> impl Strategy<Value = RecordStep> {
    let torn = line(&user("x1"), None).trim_end().to_owned();
    let others = ["{\"type\":\"tag\"}\n".to_owned(), torn.clone(), torn[..20].to_owned()];
    prop_oneof![
        6 => list().prop_map(|list| RecordStep::List(list.into())),
        3 => list().prop_map(|list| RecordStep::ListBeforeRequest(list.into())),
        4 => Just(RecordStep::Flush),
        2 => prop::option::of(0..400_u64).prop_map(RecordStep::DiskTakes),
        2 => Just(RecordStep::DiskTakes(None)),
        1 => Just(RecordStep::Restart),
        3 => hints().prop_map(RecordStep::Hints),
        1 => prop::sample::select(others.to_vec()).prop_map(|bytes| RecordStep::OtherWriter(bytes.into_bytes())),
    ]
}

fn steps() -> impl Strategy<Value = (Vec<u8>, Vec<RecordStep>)> {
    let files = [String::new(), line(&user("u1"), None), "{\"type\":\"us".to_owned()];
    let before = prop::sample::select(files.to_vec()).prop_map(String::into_bytes);
    (before, prop::collection::vec(step(), 1..10))
}

fn case(before: &[u8], steps: &[RecordStep], mistake: Mistake, is_eager: bool) -> Recorded {
    let answers = || Ok(record(before, steps, mistake, is_eager));
    let (answers, again) = (answers(), Some(answers()));
    Recorded { before: before.into(), session: "s1".into(), steps: steps.into(), answers, again }
}

/// Generated steps, the same each time.
fn generated(count: usize) -> impl Iterator<Item = (Vec<u8>, Vec<RecordStep>)> {
    let mut runner = TestRunner::deterministic();
    let strategy = steps();
    (0..count).map(move |_| strategy.new_tree(&mut runner).unwrap().current())
}

#[test]
fn a_right_recorder_breaks_no_rule_and_each_rule_has_something_to_judge() {
    let mut held = HashMap::<&str, u32>::new();
    for (before, steps) in generated(400) {
        let case = case(&before, &steps, Mistake::None, false);
        for (rule, verdict) in families::verdicts("record", &case) {
            match verdict {
                Verdict::Holds => *held.entry(rule.id).or_default() += 1,
                Verdict::NotApplicable(_) => {}
                broken => panic!("{}: {broken:#?}\n{steps:#?}", rule.id),
            }
        }
    }
    for rule in families::rules_of("record") {
        assert!(held.get(rule.id).is_some_and(|&count| count >= 3), "{}: {held:?}", rule.id);
    }
}

#[test]
fn a_recorder_that_writes_at_once_breaks_the_rule_on_late_fields_alone() {
    for (before, steps) in generated(150) {
        let broken = broken(&case(&before, &steps, Mistake::None, true));
        assert!(broken.is_empty() || broken == ["record/late-fields"], "{broken:?}\n{steps:#?}");
    }
}

#[test]
fn each_mistake_is_detected_by_its_rule() {
    let mistakes = [
        (Mistake::ForgetsFile, "record/incremental"),
        (Mistake::FollowsRecorded, "record/prefix-parent"),
        (Mistake::IgnoresSource, "record/chain-links"),
        (Mistake::BoundaryFirst, "record/boundary-tail-first"),
        (Mistake::WritesProgress, "record/no-ephemeral"),
        (Mistake::Glues, "record/whole-lines"),
        (Mistake::DropsRefused, "record/nothing-lost"),
        (Mistake::SendsFirst, "record/user-before-request"),
        (Mistake::SerialisesEarly, "record/late-fields"),
        (Mistake::CutsTorn, "record/append-only"),
        (Mistake::DropsUnknown, "record/nothing-lost"),
        (Mistake::TakesNameless, "record/total"),
        (Mistake::IgnoresHint, "record/starting-parent"),
        (Mistake::KeepsTeam, "record/team"),
    ];
    for (mistake, rule) in mistakes {
        let detects = |(before, steps): (Vec<u8>, Vec<RecordStep>)| {
            broken(&case(&before, &steps, mistake, false)).contains(&rule)
        };
        assert!(generated(600).any(detects), "{mistake:?} is not detected by {rule}");
    }
}
