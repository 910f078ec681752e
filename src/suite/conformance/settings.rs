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

    /// These settings, changed by the variables `TURNPROOF_CASES` and `TURNPROOF_SEED`, which `variable` looks up.
    ///
    /// # Errors
    /// A variable that is no number.
    pub fn in_environment(&self, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
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
    pub fn claimed(&self, operation: Operation) -> Vec<&'static Rule> {
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
pub(in crate::suite) fn judges(rule: &Rule) -> bool {
    !matches!(rule.judge, Judge::Transcript(_) | Judge::Request { structural: false, .. })
}
