//! The *settings* of a conformance: how many cases of which seed, which rules, and where cases are stored.

use std::path::PathBuf;

use crate::operation::Operation;
use crate::rules::{CATALOGUE, Judge, Rule};

/// The settings of [`conformance!`](crate::conformance).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub(super) cases: u64,
    pub(super) seed: u64,
    pub(super) regressions: Option<PathBuf>,
    rules: Vec<&'static str>,
}

impl Default for Settings {
    /// 1,000 cases of seed 1, every rule, nothing stored.
    fn default() -> Self {
        Self { cases: 1_000, seed: 1, regressions: None, rules: vec!["*"] }
    }
}

impl Settings {
    /// How many cases are played for each operation.
    pub fn cases(self, cases: u64) -> Self {
        Self { cases, ..self }
    }

    /// The seed of all cases.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The folder of stored cases.
    pub fn regressions(self, folder: impl Into<PathBuf>) -> Self {
        Self { regressions: Some(folder.into()), ..self }
    }

    /// The rules that the subject claims to hold: `*`, `family/*` or ids, with or without quotes.
    pub fn rules(self, rules: &[&'static str]) -> Self {
        let bare = |rule: &&'static str| rule.strip_prefix('"').and_then(|rule| rule.strip_suffix('"')).unwrap_or(rule);
        Self { rules: rules.iter().map(bare).collect(), ..self }
    }

    /// These settings, changed by variables of the environment.
    ///
    /// # Errors
    /// A variable that is no number.
    pub(super) fn in_environment(&self, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let number = |name: &str, usual: u64| match variable(name) {
            None => Ok(usual),
            Some(text) => text.trim().parse().map_err(|_| format!("{name} is `{text}`, which is no whole number")),
        };
        Ok(Self {
            cases: number("TURNPROOF_CASES", self.cases)?,
            seed: number("TURNPROOF_SEED", self.seed)?,
            ..self.clone()
        })
    }

    /// The rules on an operation that the subject claims to hold.
    pub(super) fn claimed(&self, operation: Operation) -> Vec<&'static Rule> {
        let rules = CATALOGUE.iter().copied().filter(|rule| rule.operation() == operation && judges(rule));
        rules.filter(|rule| self.rules.iter().any(|claim| matches(claim, rule))).collect()
    }

    /// The first claim that names no rule of these operations.
    pub(super) fn empty_claim(&self, operations: &[Operation]) -> Option<&'static str> {
        let is_known = |claim: &str| {
            CATALOGUE.iter().any(|rule| judges(rule) && operations.contains(&rule.operation()) && matches(claim, rule))
        };
        self.rules.iter().copied().find(|claim| !is_known(claim))
    }
}

/// Whether a claim names a rule. There are no other globs, because the macro cannot compare them.
fn matches(claim: &str, rule: &Rule) -> bool {
    claim == "*" || claim == rule.id || claim.strip_suffix("/*") == Some(rule.family())
}

/// Whether subjects are judged by the rule.
pub(super) fn judges(rule: &Rule) -> bool {
    !matches!(rule.judge, Judge::Transcript(_) | Judge::Request { structural: false, .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_goes_before_the_settings() {
        let settings = Settings::default().cases(5).seed(6);
        let set = |name: &str| (name == "TURNPROOF_SEED").then(|| " 9 ".to_owned());
        assert_eq!(settings.in_environment(set), Ok(settings.clone().seed(9)));
        let set = |name: &str| (name == "TURNPROOF_CASES").then(|| "70".to_owned());
        assert_eq!(settings.in_environment(set), Ok(settings.clone().cases(70)));
        assert_eq!(settings.in_environment(|_| None), Ok(settings.clone()));
        for text in ["", "many", "-1", "1e3"] {
            let error = settings.in_environment(|_| Some(text.to_owned())).unwrap_err();
            assert!(error.contains("TURNPROOF_CASES") && error.contains(text), "{error}");
        }
    }

    #[test]
    fn claims_are_whole_families_or_single_rules() {
        let ids = |claims: &[&'static str]| -> Vec<&str> {
            let rules = Settings::default().rules(claims).claimed(Operation::NormalizeApi);
            rules.into_iter().map(|rule| rule.id).collect()
        };
        assert_eq!(
            ids(&["\"thinking/*\"", "api/first-user"]),
            ["api/first-user", "thinking/not-last", "thinking/signed", "thinking/unmodified"]
        );
        assert!(ids(&["*"]).len() > 25);
        assert!(ids(&["wire/*", "api/first-*", "r\"api/*\"", "thinking"]).is_empty());
    }

    #[test]
    fn a_claim_about_no_rule_of_the_operations_is_empty() {
        let empty = |claim, operation| Settings::default().rules(&[claim]).empty_claim(&[operation]);
        assert_eq!(empty("wire/*", Operation::Parse), None);
        assert_eq!(empty("wire/*", Operation::Record), Some("wire/*"));
        assert_eq!(empty("wire/no-*", Operation::Parse), Some("wire/no-*"));
        // Sizes are judged in requests alone.
        assert_eq!(empty("api/media-limits", Operation::NormalizeApi), Some("api/media-limits"));
    }
}
