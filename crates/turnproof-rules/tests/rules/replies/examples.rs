//! Each rule's *example* breaks it, and no other rule on replies.

use turnproof_rules::operation::Reply;
use turnproof_rules::rules::{CATALOGUE, Judge, Verdict, judge_json};

use super::violations;

#[test]
fn each_example_breaks_its_rule_and_no_other() {
    for rule in CATALOGUE.iter().filter(|rule| matches!(rule.judge, Judge::Reply(_))) {
        let reply = Reply::read(rule.example).unwrap();
        let broken: Vec<&str> = violations(&reply).iter().map(|violation| violation.rule).collect();
        assert_eq!(broken, [rule.id]);
        assert!(matches!(judge_json(rule, rule.example), Ok(Verdict::Broken(_))), "{}", rule.id);
    }
}

#[test]
fn each_page_cites_what_must_hold() {
    for rule in CATALOGUE.iter().filter(|rule| rule.family() == "reply") {
        assert!(rule.sources.contains(&"SPEC 4.9") && rule.sources.len() > 1, "{}", rule.id);
        assert!(rule.audience.is_none() && !rule.judge.asks_subjects(), "{}", rule.id);
    }
}
