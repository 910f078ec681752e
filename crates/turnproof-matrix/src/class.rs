//! A *class* is what a library did with a rule in one case. Four are kept apart, and two are reported beside them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use turnproof_rules::operation::Operation;
use turnproof_rules::rules::{Verdict, Violation};
use turnproof_suite::scenario::Scenario;

use crate::ask::{Asked, Way, answer};
use crate::field::{Field, input};
use crate::harm::Harm;

/// The name of what no rule says: the library crashed.
pub(crate) const CRASH: &str = "crash";

/// What is reported of a library with a smallest case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Class {
    /// A legal history was made illegal, or refused, or content of it lost or changed.
    Legal,
    /// An illegal history breaks a rule that it kept before.
    Anew,
    /// An illegal history was passed on as it was.
    PassedOn,
}

impl Class {
    /// What the names of its files begin with.
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Self::Legal => "",
            Self::Anew => "anew-",
            Self::PassedOn => "passed-on-",
        }
    }
}

/// How many cases of a rule there were of each sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Legal histories that put the rule to the test.
    pub legal: u64,
    /// Of these, those that broke it.
    pub legal_broken: u64,
    /// Histories that broke the rule, and were sent so that they keep it.
    pub repaired: u64,
    /// Histories that broke the rule, and were refused.
    pub refused: u64,
    /// Histories that broke the rule, and were sent so that they still break it.
    pub passed_on: u64,
    /// Illegal histories that kept this rule before, and break it when they are sent.
    pub anew: u64,
}

impl Counts {
    /// Whether nothing is counted.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A violation in a case: of which class and rule, and of which kind.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// The class.
    pub class: Class,
    /// What a legal history suffered.
    pub harm: Option<Harm>,
    /// The rule, or [`CRASH`].
    pub rule: &'static str,
    /// The kind of the violation, which a smaller case must have too.
    pub kind: &'static str,
    /// The violation; of a crash there is none.
    pub violation: Option<Violation>,
    /// In words.
    pub found: String,
}

/// Counts what came of a case, rule by rule, and gives what is to be reported.
pub(crate) fn classify(
    field: &Field,
    scenario: &Scenario,
    asked: &Asked,
    counts: &mut BTreeMap<&'static str, Counts>,
) -> Vec<Finding> {
    let is_legal = field.is_legal(scenario);
    match &asked.way {
        Way::Unsupported(_) | Way::Withheld => return Vec::new(),
        Way::Crashed(crash) => {
            // What a crash at an illegal input means is the library's affair; it is counted by the caller.
            let finding = Finding {
                class: Class::Legal,
                harm: Some(Harm::Refused),
                rule: CRASH,
                kind: crash.kind.name(),
                violation: None,
                found: crash.how.clone(),
            };
            return if is_legal { vec![finding] } else { Vec::new() };
        }
        Way::Output | Way::Refused(_) => {}
    }
    let before = if is_legal { Default::default() } else { field.broken_before(scenario) };
    let is_refused = matches!(asked.way, Way::Refused(_));
    let mut findings = Vec::new();
    for rule in &field.rules {
        let verdict = field.judge(rule, scenario, &asked.observed);
        let count = counts.entry(rule.id).or_default();
        let class = match (is_legal, before.contains(rule.id), &verdict) {
            (true, _, Some(Verdict::Holds)) => {
                count.legal += 1;
                continue;
            }
            (true, _, Some(Verdict::Broken(_))) => {
                count.legal += 1;
                count.legal_broken += 1;
                Class::Legal
            }
            (false, true, _) if is_refused => {
                count.refused += 1;
                continue;
            }
            (false, true, Some(Verdict::Broken(_))) => {
                count.passed_on += 1;
                Class::PassedOn
            }
            (false, true, _) => {
                count.repaired += 1;
                continue;
            }
            // Who refuses a file leaves it as it was.
            (false, false, _) if is_refused && field.operation == Operation::Repair => continue,
            // Of streams and files that are damaged no rule is asked.
            (false, false, Some(Verdict::Broken(_))) if field.judges_illegal() => {
                count.anew += 1;
                Class::Anew
            }
            _ => continue,
        };
        let Some(Verdict::Broken(violations)) = verdict else { continue };
        let (given, sent) = (input(field.operation, scenario), answer(field.operation, asked));
        let mut kinds: Vec<&str> = Vec::new();
        for violation in violations {
            let kind = violation.kind;
            if !kinds.contains(&kind) {
                kinds.push(kind);
                let found = violation.found.to_string();
                let of_legal = || Harm::of(rule.id, Some(violation.place), &given, &sent);
                let harm = (class == Class::Legal).then(of_legal);
                findings.push(Finding { class, harm, rule: rule.id, kind, violation: Some(violation), found });
            }
        }
    }
    findings
}
