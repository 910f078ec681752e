//! The rules on messages and their request: they hold for right pairs, each is broken by its example, and each mistake
//! in a right request is reported by the rule that it breaks.

mod attachments;
mod blocks;
mod build;
mod generated;
mod messages;
mod mistakes;
mod nonsense;
mod rare;
mod sent;
mod steps;
mod turns;
mod words;

use build::{Pair, case, rules, verdict};
use turnproof_rules::operation::ApiNormalized;
use turnproof_rules::rules::Verdict;

fn pairs() -> Vec<Pair> {
    [messages::pairs(), blocks::pairs(), turns::pairs()].concat()
}

#[test]
fn there_are_enough_pairs_and_each_has_a_name_of_its_own() {
    let mut names: Vec<_> = pairs().iter().map(|pair| pair.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), pairs().len());
    assert!(names.len() >= 40, "{}", names.len());
}

#[test]
fn no_rule_reports_a_right_request() {
    for pair in pairs() {
        let case = case(&pair.messages, pair.context, &pair.request);
        for rule in rules() {
            let verdict = verdict(rule.id, &case);
            assert!(!verdict.is_broken(), "{}: {rule:?}: {verdict:#?}", pair.name);
        }
    }
}

#[test]
fn right_requests_give_the_rules_something_to_judge() {
    let holds = |id: &str| {
        let holds = |pair: &Pair| verdict(id, &case(&pair.messages, pair.context, &pair.request)) == Verdict::Holds;
        pairs().iter().filter(|pair| holds(pair)).count()
    };
    assert!(holds("normalize/conserves") >= pairs().len() - 1);
    assert!(holds("normalize/no-invention") >= pairs().len() - 4);
    assert!(holds("normalize/keeps-order") >= 30);
    assert!(holds("thinking/unmodified") >= 8);
    assert_eq!(holds("normalize/context"), 3);
}

#[test]
fn each_example_breaks_its_rule() {
    for rule in rules() {
        let case: ApiNormalized = serde_json::from_slice(rule.example).expect(rule.id);
        assert!(verdict(rule.id, &case).is_broken(), "{rule:?}");
        assert!(rule.doc.contains("\n\n") && !rule.sources.is_empty(), "{rule:?}");
    }
}

#[test]
fn what_was_not_observed_is_not_judged() {
    for rule in rules() {
        let case: ApiNormalized = serde_json::from_str(r#"{"messages":[],"request":{"Ok":[]}}"#).expect("a case");
        let verdict = verdict(rule.id, &case);
        match rule.id {
            "normalize/total" => assert_eq!(verdict, Verdict::Holds),
            _ => assert!(matches!(verdict, Verdict::NotApplicable(_)), "{rule:?}: {verdict:?}"),
        }
    }
}

#[test]
fn halves_of_characters_are_compared_as_they_are_shown() {
    let messages = r#"[
        {"type":"user","message":{"content":"a\ud83d"}},
        {"type":"assistant","message":{"content":[
            {"type":"tool_use","id":"t\ud83d","name":"n","input":{"k\ud83d":"\udc00"}},
            {"type":"tool_use","id":"t\udc00","name":"n","input":{"k\udfff":"\ud801"}}]}},
        {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t\udbff","content":"r"}]}}]"#;
    let request = serde_json::json!([
        build::ut(vec![build::text("a\u{FFFD}")]),
        build::at(vec![
            serde_json::json!({"type": "tool_use", "id": "t_", "name": "n", "input": {"k\u{FFFD}": "\u{FFFD}"}})
        ]),
        build::ut(vec![build::result("t_", "r")]),
    ]);
    let mut case = case(&serde_json::Value::Null, None, &request);
    let messages = turnproof_rules::operation::Plain::read(messages).expect("JSON");
    case.messages_after = Some(messages.clone());
    case.messages = messages;
    assert_eq!(case.messages.lone_surrogates.len(), 8);
    for rule in rules() {
        let verdict = verdict(rule.id, &case);
        assert!(!verdict.is_broken(), "{rule:?}: {verdict:#?}");
    }
    for id in ["normalize/conserves", "normalize/no-invention", "normalize/keeps-order"] {
        assert_eq!(verdict(id, &case), Verdict::Holds, "{id}");
    }
}
