//! The replies that validators are asked about: each is legal, or breaks the rule that it was made to break.

use turnproof_rules::operation::check_response::{damaged_reply, damages, known_replies, legal_reply};
use turnproof_rules::operation::reply_violations;
use turnproof_rules::rules::Severity;

/// The rules that are errors which a reply breaks, each once.
fn broken(reply: &str) -> Vec<&'static str> {
    let Ok(violations) = reply_violations(reply) else { return vec!["reply/framing"] };
    let errors = violations.iter().filter(|(rule, violation)| rule.severity_of(violation) == Severity::Error);
    let mut rules: Vec<&str> = errors.map(|(rule, _)| rule.id).collect();
    rules.dedup();
    rules
}

#[test]
fn each_damage_breaks_its_rule_alone() {
    assert_eq!(broken(&legal_reply(&[])), [""; 0]);
    for (number, damage) in damages().enumerate() {
        for number in [2 * number, 2 * number + 1] {
            let reply = damaged_reply(&[], number);
            assert_eq!(broken(&reply), [damage.breaks], "{}: {reply}", damage.what);
        }
    }
}

#[test]
fn each_known_reply_breaks_what_is_said_of_it() {
    for (breaks, reply) in known_replies() {
        assert_eq!(broken(&reply), Vec::from_iter(breaks.as_deref()), "{reply}");
    }
}

#[test]
fn damages_break_every_rule_that_is_an_error() {
    let rules = ["framing", "order", "deltas-fit", "input", "ids", "usage", "stop-reason", "shape"];
    for rule in rules.map(|name| format!("reply/{name}")) {
        assert!(damages().any(|damage| damage.breaks == rule), "{rule}");
    }
}
