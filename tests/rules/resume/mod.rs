//! The family `resume`: a right answer holds every rule, and each realistic mistake breaks the rule about it.

mod crash;
mod generated;
mod mistakes;
mod notation;
mod rare;
mod right;

use crate::families;
use turnproof_rules::operation::{Continued, Operation, Resumed};
use turnproof_rules::rules::{Severity, Verdict};

const RULES: [&str; 11] = [
    "resume/total",
    "resume/complete",
    "resume/parallel-results",
    "resume/no-delivered-reply-lost",
    "resume/bridges-gap",
    "resume/old-progress",
    "resume/boundary",
    "resume/withdrawn",
    "resume/sidechain-apart",
    "resume/crash-prefix",
    "resume/then-continue",
];

/// The ids of the rules that a case breaks.
fn broken(case: &Resumed) -> Vec<&'static str> {
    families::broken("resume", case)
}

/// The ids of the rules that have something to judge in a case that breaks none.
fn held(case: &Resumed) -> Vec<&'static str> {
    assert_eq!(broken(case), [""; 0]);
    let verdicts = families::verdicts("resume", case).into_iter();
    verdicts.filter(|(_, verdict)| *verdict == Verdict::Holds).map(|(rule, _)| rule.id).collect()
}

#[test]
fn the_family_has_eleven_rules_in_order() {
    families::assert_complete("resume", &RULES);
    for rule in families::rules_of("resume") {
        assert_eq!((rule.operation(), rule.severity), (Operation::Resume, Severity::Error));
        assert!(rule.doc.len() > 300 && rule.sources.iter().any(|source| source.starts_with("SPEC 3.")), "{}", rule.id);
    }
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    families::assert_examples::<Resumed>("resume");
    for rule in families::rules_of("resume") {
        let case: Resumed = serde_json::from_slice(rule.example).unwrap();
        assert_eq!(serde_json::to_string(&case).unwrap().as_bytes(), rule.example, "{}", rule.id);
    }
}

#[test]
fn an_empty_file_without_a_conversation_touches_the_rule_on_answers_alone() {
    let case = notation::case(b"", "");
    assert_eq!(case.answer, Ok(None));
    assert_eq!(held(&case), RULES[..1]);
}

#[test]
fn a_case_is_read_as_it_is_written() {
    let mut case = notation::case(&notation::file("u1 -; a1 u1"), "u1 a1");
    case.again = Some(Err("no".into()));
    case.cuts = vec![(3, Ok(None)), (9, case.answer.clone())];
    case.recorded = Some(vec!["u1".into()]);
    case.continued.push(Continued {
        cut: 7,
        before: Ok(None),
        added: vec!["u2".into()],
        file: Ok(vec![0xFF, 0]),
        after: Err("no".into()),
    });
    let written = serde_json::to_string(&case).unwrap();
    assert_eq!(serde_json::from_str::<Resumed>(&written).unwrap(), case);
}
