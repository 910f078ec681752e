//! What rules on requests *predict* is found again: the page of an error names the rule that predicts it.

use std::collections::{BTreeMap, BTreeSet};

use turnproof_rules::errors::{Origin, look_up};
use turnproof_rules::operation::Host;
use turnproof_rules::rules::{Rule, find};

use super::examples::example;
use super::illegal::{ALL, cases};
use super::{judge, reported, request, rules};

/// The id of the page of a text.
fn page_of(text: &str) -> &'static str {
    look_up(text).found.first().map_or("none", |found| found.origin.id())
}

/// Whether the page is the rule's own, or the one that has the errors it shares.
fn is_page_of(page: &str, rule: &Rule) -> bool {
    page == rule.id || rule.errors_of.contains(&page)
}

#[test]
fn the_error_that_each_example_predicts_is_found_as_its_rule() {
    let (mut errors, mut wrong) = (0, BTreeSet::new());
    for (rule, _) in rules() {
        for &host in ALL {
            for error in judge(rule, &example(rule), host).into_iter().filter_map(|violation| violation.error) {
                errors += 1;
                if !is_page_of(page_of(&error), rule) {
                    wrong.insert(format!("{}: {error}\n    found as {}\n", rule.id, page_of(&error)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(errors > 100, "{errors} errors");
}

#[test]
fn the_errors_of_illegal_requests_are_found_as_rules_that_predict_them() {
    // Several rules predict one text, so the page is that of one of them.
    let mut rules_of: BTreeMap<String, Vec<&'static Rule>> = BTreeMap::new();
    for case in cases() {
        let request = request(case.request);
        for (rule, error) in Host::ALL.into_iter().flat_map(|host| reported(&request, host)) {
            rules_of.entry(error.expect("an error")).or_default().push(find(rule).unwrap());
        }
    }
    assert!(rules_of.len() > 80, "{} errors", rules_of.len());
    let wrong: Vec<_> = rules_of
        .iter()
        .filter(|(error, rules)| !rules.iter().any(|rule| is_page_of(page_of(error), rule)))
        .map(|(error, rules)| format!("{error}\n    of {rules:?}, found as {}\n", page_of(error)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn a_rule_that_shares_errors_names_a_page_that_has_some() {
    for (rule, &page) in rules().flat_map(|(rule, _)| rule.errors_of.iter().map(move |page| (rule, page))) {
        let has_some = |(origin, _): (Origin, _)| origin.id() == page;
        assert!(turnproof_rules::errors::all().any(has_some), "{}: {page}", rule.id);
    }
    for (rule, _) in rules() {
        assert!(!rule.errors.is_empty() || !rule.errors_of.is_empty(), "{} has no error", rule.id);
    }
}
