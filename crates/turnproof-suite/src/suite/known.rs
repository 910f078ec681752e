//! A *known deviation* is a rule that a subject breaks and may break, with the reason. It fails no run; one that does not
//! deviate any more does, so that a list of them stays true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::operation::Operation;
use crate::rules::{Mistake, Rule, Verdict, Violation, glob_matches};
use crate::scenario::Scenario;

use super::regression::{Regression, RegressionError};
use super::run::RuleCount;

/// A rule that a subject is known to break, and why that is left as it is.
///
/// ```
/// use turnproof_suite::suite::Known;
///
/// let known = Known::new("pairing/id-form", "our host takes ids of any form").of_subject("mine");
/// assert_eq!(known.rule, "pairing/id-form");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The rule's id.
    pub rule: String,
    /// Why it is left as it is.
    pub reason: String,
    /// The subject of which it is known, by its name in reports, with or without its version; `*` matches any
    /// characters. `None`: of any subject.
    pub subject: Option<String>,
    /// The smallest case. With one, only what breaks the rule in its way is known: a violation of another kind fails.
    pub case: Option<Scenario>,
    /// The kind of violation that is known, in the case or, without a case, anywhere. `None` when all that the case
    /// shows in the run is known or, without a case, whatever breaks the rule.
    pub kind: Option<String>,
    /// Where it is written down, such as `turnproof.toml:3`.
    pub source: Option<String>,
}

impl Known {
    /// A rule that any subject may break in any way.
    pub fn new(rule: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { rule: rule.into(), reason: reason.into(), subject: None, case: None, kind: None, source: None }
    }

    /// The same, of one subject alone.
    pub fn of_subject(self, name: impl Into<String>) -> Self {
        Self { subject: Some(name.into()), ..self }
    }

    /// The same, only for what breaks the rule as this case does.
    pub fn in_case(self, case: Scenario) -> Self {
        Self { case: Some(case), ..self }
    }

    /// The same, only for violations of this kind.
    pub fn of_kind(self, kind: impl Into<String>) -> Self {
        Self { kind: Some(kind.into()), ..self }
    }

    /// The same, only for what breaks the rule as a stored case does: the path of a [`Regression`].
    ///
    /// # Errors
    /// When the file cannot be read, is no regression, or is one of another rule.
    pub fn in_stored_case(self, path: impl AsRef<Path>) -> Result<Self, RegressionError> {
        let stored = Regression::load(path.as_ref())?;
        match stored.rule == self.rule {
            true => Ok(self.of_kind(stored.kind).in_case(stored.scenario)),
            false => Err(RegressionError::Other { path: path.as_ref().to_owned(), of: stored.rule, rule: self.rule }),
        }
    }

    /// Whether it is known of the subject with this name.
    pub(crate) fn is_of(&self, name: &str) -> bool {
        let is_name =
            |name: &str| self.subject.as_ref().is_none_or(|subject| glob_matches(subject.as_bytes(), name.as_bytes()));
        is_name(name) || name.rsplit_once(' ').is_some_and(|(name, _)| is_name(name))
    }
}

impl From<(&str, &str)> for Known {
    /// A rule and the reason.
    fn from((rule, reason): (&str, &str)) -> Self {
        Self::new(rule, reason)
    }
}

/// A known deviation that a run asked about, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// What is known.
    pub known: Known,
    /// What became of it.
    pub fate: DeviationFate,
}

/// What became of a known deviation in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviationFate {
    /// The subject deviates as is known.
    Deviates,
    /// It does not any more. That fails the run.
    Stopped,
    /// The run cannot say: no case exercised the rule, or the run is a part of one, and no case is named.
    Untold,
}

impl Deviation {
    /// Whether the subject does not deviate any more.
    pub fn has_stopped(&self) -> bool {
        self.fate == DeviationFate::Stopped
    }

    /// What is wrong with one that has stopped, and what to do.
    pub fn stopped(&self) -> String {
        let held = match self.known.case {
            Some(_) => "its case does not break the rule as it did",
            None => "the rule held in every case that exercised it",
        };
        let list = match &self.known.source {
            Some(source) => format!("take it out of the list ({source})"),
            None => "take it out of the list".to_owned(),
        };
        let rare = match self.known.case {
            Some(_) => "",
            None => "; if the subject deviates seldom, name the smallest case",
        };
        format!("{held}; {list}{rare}")
    }
}

/// What is known of a subject, for a run by some rules.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The entries on rules of this run, each with the place of its rule, and whether its own case breaks it, or the
    /// subject crashed as it says.
    entries: Vec<(usize, Known, bool)>,
    /// The places of rules that may be broken in any way.
    any_way: BTreeSet<usize>,
    /// The kinds of violation that are known in any case, by the place of their rule.
    kinds: BTreeSet<(usize, String)>,
    /// The mistakes that are known, by the place of their rule.
    mistakes: BTreeSet<(usize, Mistake)>,
    /// The crashes and panics that are known, by their operation.
    no_answers: BTreeMap<Operation, BTreeSet<Mistake>>,
}

impl Watch {
    /// Watches for an entry on the rule at a place, of which its own case gave this verdict.
    pub(super) fn add(&mut self, place: usize, rule: &Rule, known: &Known, verdict: Option<&Verdict>) {
        let violations: &[Violation] = match verdict {
            Some(Verdict::Broken(violations)) => violations,
            _ => &[],
        };
        let mut shows = false;
        let is_of_it = |violation: &&Violation| known.kind.as_ref().is_none_or(|kind| kind == violation.kind);
        for violation in violations.iter().filter(is_of_it) {
            shows = true;
            if violation.has_no_answer() {
                self.no_answers.entry(rule.operation()).or_default().insert(violation.mistake());
            }
            self.mistakes.insert((place, violation.mistake()));
        }
        match (&known.case, &known.kind) {
            (None, None) => drop(self.any_way.insert(place)),
            (None, Some(kind)) => drop(self.kinds.insert((place, kind.clone()))),
            _ => {}
        }
        self.entries.push((place, known.clone(), shows));
    }

    /// Whether a mistake is known.
    pub(super) fn covers(&self, place: usize, rule: &Rule, mistake: &Mistake) -> bool {
        let is_of_kind = || self.kinds.contains(&(place, mistake.kind.to_owned()));
        let is_of_case = || self.mistakes.contains(&(place, mistake.clone()));
        let is_no_answer = || self.no_answers.get(&rule.operation()).is_some_and(|known| known.contains(mistake));
        let is_known = || is_of_kind() || is_of_case() || is_no_answer();
        self.any_way.contains(&place) || !self.entries.is_empty() && is_known()
    }

    /// Whether a crash at an operation is known: an entry on a rule on it names the kind, or has a case that shows it.
    pub(super) fn covers_crash(&mut self, rules: &[&Rule], operation: Operation, crash: &Mistake) -> bool {
        let mut is_known = self.no_answers.get(&operation).is_some_and(|known| known.contains(crash));
        for (place, known, shows) in &mut self.entries {
            let is_of_kind = known.case.is_none() && known.kind.as_deref() == Some(crash.kind);
            if is_of_kind && rules[*place].operation() == operation {
                (*shows, is_known) = (true, true);
            }
        }
        is_known
    }

    /// What became of each entry. A part of a run cannot show that a rule holds.
    pub(super) fn deviations(self, counts: &[RuleCount], is_whole: bool) -> Vec<Deviation> {
        let fate = |place: usize, known: &Known, shows: bool| match (&known.case, &counts[place]) {
            (_, RuleCount { supported: false, .. }) => DeviationFate::Untold,
            (Some(_), _) if shows => DeviationFate::Deviates,
            (Some(_), _) => DeviationFate::Stopped,
            (None, _) if shows => DeviationFate::Deviates,
            (None, RuleCount { known: 1.., .. }) => DeviationFate::Deviates,
            (None, RuleCount { held: 1.., .. }) if is_whole => DeviationFate::Stopped,
            (None, _) => DeviationFate::Untold,
        };
        let deviation = |(place, known, shows)| Deviation { fate: fate(place, &known, shows), known };
        self.entries.into_iter().map(deviation).collect()
    }
}
