//! Each rule's *example* breaks it, and no other structural rule.

use turnproof_rules::operation::{Host, Request};
use turnproof_rules::rules::{Severity, find};

use super::{broken, judge, own_rules, request, rules, user};

/// The example as it is meant: that of the size of a request is shortened.
pub(super) fn example(rule: &turnproof_rules::rules::Rule) -> Request {
    let text = std::str::from_utf8(rule.example).unwrap();
    let mut request = Request::read(text).unwrap();
    if rule.id == "api/request-size" {
        let long = "a".repeat(32 << 20);
        let text = text.replace("aaaaaaaa", &long);
        request = Request::read(&text).unwrap();
    }
    request
}

#[test]
fn every_example_breaks_its_rule_under_the_strict_profile() {
    for (rule, _) in own_rules() {
        let host = if rule.id == "api/document-with-text" { Host::BedrockConverse } else { Host::Portable };
        let violations = judge(rule, &example(rule), host);
        assert!(!violations.is_empty(), "{}", rule.id);
        assert!(violations.iter().all(|violation| violation.rule == rule.id), "{}", rule.id);
        assert!(violations.iter().all(|violation| violation.error.is_some()), "{}: no error", rule.id);
    }
}

#[test]
fn the_example_of_a_structural_rule_breaks_no_other_structural_rule() {
    for (rule, _) in own_rules().filter(|(_, structural)| *structural) {
        let request = example(rule);
        let others = rules().filter(|(other, structural)| *structural && other.id != rule.id);
        for (other, _) in others {
            assert_eq!(judge(other, &request, Host::Portable), [], "{} breaks {}", rule.id, other.id);
        }
    }
}

#[test]
fn the_example_of_a_rule_on_sizes_or_models_breaks_no_structural_rule() {
    for (rule, _) in own_rules().filter(|(_, structural)| !structural) {
        let request = example(rule);
        for (other, _) in rules().filter(|(_, structural)| *structural) {
            assert_eq!(judge(other, &request, Host::Portable), [], "{} breaks {}", rule.id, other.id);
        }
    }
}

#[test]
fn structural_rules_are_errors_and_these_depend_on_more() {
    for (rule, _) in own_rules().filter(|(_, structural)| *structural) {
        assert_eq!(rule.severity, Severity::Error, "{}", rule.id);
    }
    let starred = [
        "api/media-limits",
        "api/request-size",
        "api/cache-breakpoints",
        "api/ends-with-user",
        "api/known-blocks",
        "api/tool-references",
        "api/readable-documents",
        "api/document-with-text",
        "pairing/calls-last",
        "thinking/whole-signature",
        "thinking/leads-tool-use",
    ];
    let unpromised: Vec<&str> = own_rules().filter(|(_, structural)| !structural).map(|(rule, _)| rule.id).collect();
    let (bodies, unpromised): (Vec<&str>, Vec<&str>) = unpromised.into_iter().partition(|id| id.starts_with("body/"));
    assert_eq!(unpromised, starred);
    // A normalizer makes turns and no bodies.
    assert_eq!(bodies.len(), own_rules().filter(|(rule, _)| rule.family() == "body").count());
}

#[test]
fn every_rule_is_explained_in_three_to_eight_sentences_and_names_its_sources() {
    for (rule, _) in own_rules() {
        let text = rule.doc.replace("i.e.", "").replace("…", "");
        let sentences = text.split_inclusive(['.', '?', '!']).filter(|part| part.trim().len() > 2);
        let count = sentences.filter(|part| part.ends_with('.')).count();
        assert!((3..=8).contains(&count), "{}: {count} sentences", rule.id);
        assert!(
            rule.sources.iter().any(|source| source.starts_with("SPEC 6.")) && rule.sources.len() > 1,
            "{}",
            rule.id
        );
        assert!(!rule.example.contains(&b'\n') && !rule.remedy.is_empty(), "{}", rule.id);
    }
}

#[test]
fn the_shortened_example_of_the_size_rule_is_legal() {
    let rule = find("api/request-size").unwrap();
    let short = Request::read(std::str::from_utf8(rule.example).unwrap()).unwrap();
    assert!(broken(&short, Host::Portable).is_empty());
    let mut just = request(serde_json::json!([user("a".into())]));
    just.bytes = 32 << 20;
    assert!(broken(&just, Host::Portable).is_empty());
    just.bytes += 1;
    assert_eq!(broken(&just, Host::Portable), ["api/request-size"].into());
}
