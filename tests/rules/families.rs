//! What holds for the rules of every *family*.

use serde::de::DeserializeOwned;
use turnproof::rules::{CATALOGUE, Rule};

/// The rules of a family, in the order of the catalogue.
pub fn rules_of(family: &'static str) -> impl Iterator<Item = &'static Rule> {
    CATALOGUE.iter().copied().filter(move |rule| rule.family() == family)
}

/// These are the rules of a family, in this order, and each is described as a rule should be.
pub fn assert_complete(family: &'static str, rules: &[&str]) {
    assert_eq!(rules_of(family).map(|rule| rule.id).collect::<Vec<_>>(), rules);
    for rule in rules_of(family) {
        assert!(!rule.title.ends_with('.') && rule.doc.len() > 200 && !rule.remedy.is_empty(), "{}", rule.id);
        assert!(!rule.sources.is_empty() && !rule.doc.contains("  "), "{}", rule.id);
    }
}

/// The example of each rule of a family breaks that rule and no other of the family, as `broken` tells.
pub fn assert_examples<C: DeserializeOwned>(family: &'static str, broken: impl Fn(&C) -> Vec<&'static str>) {
    for rule in rules_of(family) {
        let case: C = serde_json::from_slice(rule.example).expect(rule.id);
        assert_eq!(broken(&case), [rule.id]);
    }
}
