//! How the rules of a *family* judge a case, and what holds for every family.

use serde::de::DeserializeOwned;
use turnproof_rules::rules::{CATALOGUE, Rule, Verdict, find};
use turnproof_suite::suite::{Observed, Trial};

use super::kinds::is_kebab_case;

/// The rules of a family, in the order of the catalogue.
pub(crate) fn rules_of(family: &'static str) -> impl Iterator<Item = &'static Rule> {
    CATALOGUE.iter().copied().filter(move |rule| rule.family() == family)
}

/// What the rules of a family say of a case; rules on other operations say nothing.
pub(crate) fn verdicts<C: Clone + Into<Observed>>(family: &'static str, case: &C) -> Vec<(&'static Rule, Verdict)> {
    let observed = case.clone().into();
    let trial = Trial::of(&observed);
    rules_of(family).filter_map(|rule| Some((rule, checked(rule, trial.judge(rule)?)))).collect()
}

/// What the rule with this id says of a case.
pub(crate) fn judge<C: Clone + Into<Observed>>(id: &str, case: &C) -> Verdict {
    let rule = find(id).unwrap_or_else(|| panic!("no rule {id}"));
    let observed = case.clone().into();
    let verdict = Trial::of(&observed).judge(rule);
    checked(rule, verdict.unwrap_or_else(|| panic!("{id} judges something else")))
}

/// The verdict of a rule, whose violations name the rule and say what is wrong.
fn checked(rule: &Rule, verdict: Verdict) -> Verdict {
    if let Verdict::Broken(violations) = &verdict {
        assert!(!violations.is_empty(), "{}", rule.id);
        for violation in violations {
            assert_eq!(violation.rule, rule.id);
            assert!(is_kebab_case(violation.kind), "{violation:?}");
            assert!(
                !violation.found.to_string().is_empty() && !violation.expected.to_string().is_empty(),
                "{violation:?}"
            );
        }
    }
    verdict
}

/// The ids of a family's rules that a case breaks.
pub(crate) fn broken<C: Clone + Into<Observed>>(family: &'static str, case: &C) -> Vec<&'static str> {
    let verdicts = verdicts(family, case).into_iter();
    verdicts.filter(|(_, verdict)| verdict.is_broken()).map(|(rule, _)| rule.id).collect()
}

/// A case breaks no rule of a family, and these have something to judge in it.
#[track_caller]
pub(crate) fn assert_holds<C: Clone + Into<Observed>>(family: &'static str, case: &C, tested: &[&str]) {
    assert_eq!(broken(family, case), [""; 0]);
    for id in tested {
        assert_eq!(judge(id, case), Verdict::Holds, "{id}");
    }
}

/// No rule of a family has anything to judge in a case.
pub(crate) fn assert_untouched<C: Clone + Into<Observed>>(family: &'static str, case: &C) {
    for (rule, verdict) in verdicts(family, case) {
        assert!(matches!(verdict, Verdict::NotApplicable(_)), "{}: {verdict:?}", rule.id);
    }
}

/// These are the rules of a family, in this order, and each is described as a rule should be.
pub(crate) fn assert_complete(family: &'static str, rules: &[&str]) {
    assert_eq!(rules_of(family).map(|rule| rule.id).collect::<Vec<_>>(), rules);
    for rule in rules_of(family) {
        assert!(!rule.title.ends_with('.') && rule.doc.len() > 200 && !rule.remedy.is_empty(), "{}", rule.id);
        assert!(!rule.sources.is_empty() && !rule.doc.contains("  "), "{}", rule.id);
    }
}

/// The example of each rule of a family breaks that rule and no other of the family.
pub(crate) fn assert_examples<C: Clone + DeserializeOwned + Into<Observed>>(family: &'static str) {
    for rule in rules_of(family) {
        let case: C = serde_json::from_slice(rule.example).expect(rule.id);
        assert_eq!(broken(family, &case), [rule.id]);
    }
}
