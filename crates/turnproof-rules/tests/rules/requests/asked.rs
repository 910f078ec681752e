//! The requests that validators are asked about say what they were made to say.

use std::collections::BTreeSet;

use turnproof_rules::operation::check_request::{requests, shape_requests};
use turnproof_rules::operation::{Host, violations};
use turnproof_rules::rules::{Rule, Severity, Violation};

use super::rules;

/// What a request breaks, as far as it is an error.
fn errors(request: &str, host: Host) -> Vec<(&'static Rule, Violation)> {
    let violations = violations(request, host).unwrap_or_else(|error| panic!("{error}: {request}"));
    let is_error = |(rule, violation): &&(&'static Rule, Violation)| rule.severity_of(violation) == Severity::Error;
    violations.iter().filter(is_error).cloned().collect()
}

#[test]
fn requests_about_shapes_are_legal_where_the_table_says_so() {
    let mut wrong = Vec::new();
    for request in shape_requests() {
        let errors = errors(&request.turns, Host::Anthropic);
        if errors.is_empty() != request.is_legal {
            wrong.push(format!("{}\n    {errors:?}", request.turns));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), shape_requests().len(), wrong.join("\n"));
}

/// So a validator that misses one thing is not saved by another. A result of another id leaves its call without one.
#[test]
fn requests_at_a_border_break_one_rule_at_most() {
    let mut all: BTreeSet<&str> = BTreeSet::new();
    for request in requests() {
        let broken = |host| errors(request, host).into_iter().map(|(rule, _)| rule.id);
        let mut rules: BTreeSet<&str> = broken(Host::Anthropic).collect();
        all.extend(broken(Host::Portable));
        if rules.contains("pairing/result-follows-use") {
            rules.remove("pairing/no-orphan-result");
        }
        assert!(rules.len() <= 1, "{rules:?}: {request}");
    }
    for (rule, _) in rules().filter(|(rule, is_structural)| *is_structural && rule.severity == Severity::Error) {
        assert!(all.contains(rule.id), "{}", rule.id);
    }
}
