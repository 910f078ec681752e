//! *Plain* dialogues hold what any client has, are legal when they are said to be, and shrink to plain dialogues.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnproof_rules::operation::{Host, Request, RequestOptions, RequestText};
use turnproof_rules::rules::{CATALOGUE, Judge};
use turnproof_suite::scenario::plain::{
    CallShape, Paper, Picture, ResultShape, Thought, TurnBlock, Words, is_in_order, is_legal,
};
use turnproof_suite::scenario::{Case, Choice, Profile, Scenario, Seeded, Source, is_simpler, simpler};
use turnproof_suite::subject::program::wire::HistoryMessage;
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::{Options, every_client, run};

fn plan(case: u64) -> Scenario {
    Scenario::from_seed(3, case, Profile::Plain)
}

fn messages(plan: &Scenario) -> Vec<Value> {
    Case::of(plan).messages().iter().map(|message| serde_json::from_str(message).unwrap()).collect()
}

#[test]
fn messages_are_of_the_shape_that_the_schema_says() {
    for case in 0..1_000 {
        for message in messages(&plan(case)) {
            let typed: HistoryMessage = serde_json::from_value(message.clone()).unwrap();
            assert_eq!(serde_json::to_value(typed).unwrap(), message);
        }
    }
}

/// The turns of the messages, with neighbours of one role joined.
fn joined(messages: &[Value]) -> Vec<Value> {
    let mut turns: Vec<Value> = Vec::new();
    for message in messages {
        let content = match &message["message"]["content"] {
            Value::String(text) => vec![json!({"type": "text", "text": text})],
            content => content.as_array().unwrap().clone(),
        };
        match turns.last_mut().filter(|last| last["role"] == message["type"]) {
            Some(last) => last["content"].as_array_mut().unwrap().extend(content),
            None => turns.push(json!({"role": message["type"], "content": content})),
        }
    }
    turns
}

/// The structural rules that messages break on the strictest host: with neighbours of one role joined, and as they are.
fn broken(messages: &[Value]) -> Vec<&'static str> {
    let as_they_are = messages.iter().map(|message| message["message"].clone()).collect();
    let alone = broken_by(as_they_are).into_iter().filter(|rule| *rule != "api/alternation");
    broken_by(joined(messages)).into_iter().chain(alone).collect()
}

fn broken_by(turns: Vec<Value>) -> Vec<&'static str> {
    let request = Request::read(&Value::from(turns).to_string()).unwrap();
    let is_broken = |judge: fn(&Request, Host, &mut dyn FnMut(turnproof_rules::rules::Violation))| {
        let mut count = 0;
        judge(&request, Host::Portable, &mut |_| count += 1);
        count > 0
    };
    let structural = CATALOGUE.iter().filter_map(|rule| match rule.judge {
        Judge::Request { structural: true, judge } => Some((rule.id, judge)),
        _ => None,
    });
    structural.filter(|(_, judge)| is_broken(*judge)).map(|(id, _)| id).collect()
}

#[test]
fn a_message_has_a_type_a_role_and_content_and_nothing_else() {
    for case in 0..500 {
        for message in messages(&plan(case)) {
            let role = &message["type"];
            assert!(role == "user" || role == "assistant", "{message}");
            assert_eq!(
                message,
                json!({"type": role, "message": {"role": role, "content": message["message"]["content"]}})
            );
        }
    }
}

#[test]
fn a_dialogue_is_called_legal_when_it_breaks_no_rule_on_requests() {
    let mut counts = [0; 2];
    for case in 0..4_000 {
        let plan = plan(case);
        let steps = simpler(&plan).enumerate().filter(|(step, _)| step % 37 == 0).map(|(_, step)| step);
        for plan in [plan.clone()].into_iter().chain(steps.take(3)) {
            let broken = broken(&messages(&plan));
            assert_eq!(is_legal(plan.turns()), broken.is_empty(), "case {case}: {broken:?} {:#?}", messages(&plan));
            counts[usize::from(broken.is_empty())] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 3_000), "{counts:?}");
}

#[test]
fn about_half_of_the_dialogues_are_legal() {
    let legal = (0..4_000).filter(|case| is_legal(plan(*case).turns())).count();
    assert!((1_800..2_400).contains(&legal), "{legal} of 4,000");
}

#[test]
fn each_form_of_a_block_is_in_some_dialogue_also_of_a_fuzzer() {
    let (mut seen, mut reached) = (BTreeSet::new(), BTreeSet::new());
    for case in 0..4_000 {
        let bytes = Scenario::bytes_of_seed(3, case, Profile::Plain);
        assert_eq!(Scenario::from_bytes_of(&bytes, &[Profile::Plain]), plan(case));
        seen.extend(forms(&plan(case)));
        let mut random = Seeded::new(11, case);
        let bytes: Vec<u8> = (0..200).map(|_| random.byte(255)).collect();
        reached.extend(forms(&Scenario::from_bytes_of(&bytes, &[Profile::Plain])));
    }
    fn count<C: Choice>() -> usize {
        C::ALL.len()
    }
    let all = count::<Words>() + count::<CallShape>() + count::<ResultShape>();
    let all = all + count::<Thought>() + count::<Picture>() + count::<Paper>();
    assert_eq!(seen.len(), all, "{seen:?}");
    assert!(reached.len() * 10 >= all * 9, "{} of {all}", reached.len());
}

/// The forms of the blocks of a dialogue.
fn forms(plan: &Scenario) -> impl Iterator<Item = String> {
    plan.turns().iter().flat_map(|turn| &turn.blocks).map(|block| match block {
        TurnBlock::Text { text } => format!("{text:?}"),
        TurnBlock::Call { form, .. } => format!("call {form:?}"),
        TurnBlock::Result { form, .. } => format!("result {form:?}"),
        TurnBlock::Thinking { form, .. } => format!("thinking {form:?}"),
        TurnBlock::Image { form } => format!("image {form:?}"),
        TurnBlock::Document { form } => format!("document {form:?}"),
    })
}

#[test]
fn each_step_is_a_smaller_plain_dialogue() {
    for case in 0..200 {
        let mut plan = plan(case);
        for turn in 0..4 {
            let steps: Vec<Scenario> = simpler(&plan).collect();
            for step in &steps {
                assert!(is_simpler(step, &plan), "{step:?}\nis not smaller than\n{plan:?}");
                assert_eq!(step.profile(), Profile::Plain);
            }
            let Some(next) = steps.into_iter().nth(5 + turn) else { break };
            plan = next;
        }
    }
}

#[test]
fn steps_end_at_nothing() {
    for case in 0..100 {
        let mut plan = plan(case);
        let mut steps = 0;
        while let Some(next) = simpler(&plan).next_back() {
            plan = next;
            steps += 1;
            assert!(steps < 2_000, "{plan:?}");
        }
        assert_eq!(plan, Scenario::empty(Profile::Plain));
    }
}

#[test]
fn plans_survive_json() {
    for case in 0..300 {
        let plan = plan(case);
        let again: Scenario = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
        assert_eq!((&again, again.transcript()), (&plan, plan.transcript()));
    }
}

/// Sends legal histories as they are, and refuses all others.
struct AsItIs;

impl Subject for AsItIs {
    fn name(&self) -> &str {
        "as-it-is"
    }

    fn normalize_api(&self, messages: &str, _: &RequestOptions) -> Outcome<RequestText> {
        let messages: Vec<Value> = serde_json::from_str(messages).unwrap();
        if !broken(&messages).is_empty() {
            return Outcome::Rejected("it is not legal".to_owned());
        }
        let turns: Vec<Value> = messages.into_iter().map(|mut message| message["message"].take()).collect();
        Outcome::Output(RequestText { turns: Value::from(turns).to_string(), messages_after: None })
    }
}

fn options(cases: u64) -> Options {
    let (rules, profiles) = (every_client::rules(), vec![Profile::Plain]);
    Options { cases, rules, profiles, every_client: true, ..Options::default() }
}

#[test]
fn a_client_that_sends_legal_histories_as_they_are_keeps_the_rules_of_every_client() {
    let report = run(&AsItIs, &options(2_000), &[], &mut |_| {}).unwrap();
    assert_eq!(report.failures, []);
    for count in report.counts.iter().filter(|count| count.supported) {
        // It is asked twice in one case of four, and does not say how the messages are after the call.
        assert!(count.held > 200 || count.rule == "normalize/pure", "{count:?}");
    }
}

#[test]
fn the_reference_keeps_the_rules_of_every_client() {
    let report = run(&Reference, &options(2_000), &[], &mut |_| {}).unwrap();
    assert_eq!(report.failures, []);
    assert!(report.counts.iter().all(|count| count.held > 300), "{:?}", report.counts);
}

#[test]
fn the_reference_keeps_every_rule_with_plain_dialogues() {
    let options = Options { cases: 300, profiles: vec![Profile::Plain], ..Options::default() };
    assert_eq!(run(&Reference, &options, &[], &mut |_| {}).unwrap().failures, []);
}

/// Sends every history as it is.
struct Blind;

impl Subject for Blind {
    fn name(&self) -> &str {
        "blind"
    }

    fn normalize_api(&self, messages: &str, _: &RequestOptions) -> Outcome<RequestText> {
        let messages: Vec<Value> = serde_json::from_str(messages).unwrap();
        let turns: Vec<Value> = messages.into_iter().map(|mut message| message["message"].take()).collect();
        Outcome::Output(RequestText { turns: Value::from(turns).to_string(), messages_after: None })
    }
}

#[test]
fn a_client_that_repairs_nothing_breaks_rules_on_requests_alone() {
    let report = run(&Blind, &options(1_000), &[], &mut |_| {}).unwrap();
    let broken: BTreeSet<&str> = report.failures.iter().map(|failure| failure.regression.rule.as_str()).collect();
    let wanted = [
        "api/first-user",
        "api/no-blank-text",
        "api/no-empty-text",
        "api/no-trailing-space",
        "api/non-empty-content",
        "pairing/id-form",
        "pairing/input-object",
        "pairing/no-orphan-result",
        "pairing/result-follows-use",
        "pairing/results-first",
        "pairing/single-result",
        "pairing/unique-use-id",
        "thinking/not-last",
        "thinking/signed",
    ];
    assert_eq!(broken, BTreeSet::from(wanted));
}

#[test]
fn a_legal_history_is_shrunk_to_a_legal_one() {
    /// Loses the last message.
    struct Forgetful;
    impl Subject for Forgetful {
        fn name(&self) -> &str {
            "forgetful"
        }

        fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
            let mut messages: Vec<Value> = serde_json::from_str(messages).unwrap();
            messages.pop();
            Reference.normalize_api(&Value::from(messages).to_string(), options)
        }
    }
    let report = run(&Forgetful, &options(200), &[], &mut |_| {}).unwrap();
    let failures = report.failures.iter().filter(|failure| failure.regression.rule == "normalize/conserves");
    let plans: Vec<&Scenario> = failures.map(|failure| &failure.regression.scenario).collect();
    assert!(!plans.is_empty());
    assert!(plans.iter().all(|plan| is_legal(plan.turns()) && is_in_order(plan.turns()) && plan.turns().len() <= 3));
}
