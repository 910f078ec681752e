//! A *known deviation* is a rule that a subject breaks and may break, with the reason. It fails no run; one that does not
//! deviate any more does, so that a list of them stays true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::operation::Operation;
use crate::rules::{Rule, Verdict, Violation, glob_matches};
use crate::scenario::Scenario;

use super::regression::{Regression, RegressionError};
use super::run::RuleCount;
use super::shrink::{has_no_answer, kind, kind_of};

/// A rule that a subject is known to break, and why that is left as it is.
///
/// ```
/// use turnproof::suite::Known;
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
    /// The subject of which it is known, by its name in reports, with or without its version; `*` stands for any
    /// characters. `None`: of any subject.
    pub subject: Option<String>,
    /// The smallest case. With one, only what breaks the rule in its way is known: a violation of another
    /// [kind](super::kind) fails. Without one, whatever breaks the rule is known.
    pub case: Option<Scenario>,
    /// What was found in the case when it was stored, which says the kind. `None` when the plan alone is known: then
    /// what it shows in the run is.
    pub found: Option<String>,
    /// Where it is written down, such as `turnproof.toml:3`.
    pub source: Option<String>,
}

impl Known {
    /// A rule that any subject may break in any way.
    pub fn new(rule: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { rule: rule.into(), reason: reason.into(), subject: None, case: None, found: None, source: None }
    }

    /// The same, of one subject alone.
    pub fn of_subject(self, name: impl Into<String>) -> Self {
        Self { subject: Some(name.into()), ..self }
    }

    /// The same, only for what breaks the rule as this case does.
    pub fn in_case(self, case: Scenario) -> Self {
        Self { case: Some(case), ..self }
    }

    /// The same, only for what breaks the rule as a stored case does: the path of a [`Regression`].
    ///
    /// # Errors
    /// When the file cannot be read, is no regression, or is one of another rule.
    pub fn in_stored_case(self, path: impl AsRef<Path>) -> Result<Self, RegressionError> {
        let stored = Regression::load(path.as_ref())?;
        match stored.rule == self.rule {
            true => Ok(Self { found: Some(stored.found), ..self.in_case(stored.scenario) }),
            false => Err(RegressionError::Other { path: path.as_ref().to_owned(), of: stored.rule, rule: self.rule }),
        }
    }

    /// Whether it is known of the subject with this name.
    pub(super) fn is_of(&self, name: &str) -> bool {
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
    /// The run cannot tell: no case put the rule to the test, or the run is a part of one, and no case is named.
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
    /// The entries on rules of this run, each with the place of its rule, and whether its own case breaks it.
    entries: Vec<(usize, Known, bool)>,
    /// The places of rules that may be broken in any way.
    any_way: BTreeSet<usize>,
    /// The kinds of violation that are known, by the place of their rule.
    kinds: BTreeSet<(usize, String)>,
    /// The kinds of crash and panic that are known. They break all rules on their operation.
    no_answers: BTreeMap<Operation, BTreeSet<String>>,
}

impl Watch {
    /// Watches for an entry on the rule at a place, of which its own case gave this verdict.
    pub(super) fn add(&mut self, place: usize, rule: &Rule, known: &Known, verdict: Option<&Verdict>) {
        let violations: &[Violation] = match verdict {
            Some(Verdict::Broken(violations)) => violations,
            _ => &[],
        };
        let stored = known.found.as_deref().map(kind_of);
        let mut shows = false;
        for violation in violations {
            let kind = kind(violation);
            if stored.as_ref().is_some_and(|stored| *stored != kind) {
                continue;
            }
            shows = true;
            if has_no_answer(violation) {
                self.no_answers.entry(rule.operation()).or_default().insert(kind.clone());
            }
            self.kinds.insert((place, kind));
        }
        if known.case.is_none() {
            self.any_way.insert(place);
        }
        self.entries.push((place, known.clone(), shows));
    }

    /// Whether a violation of this kind is known.
    pub(super) fn covers(&self, place: usize, rule: &Rule, kind: &str) -> bool {
        let is_known_answer = || self.kinds.contains(&(place, kind.to_owned()));
        let is_no_answer = || self.no_answers.get(&rule.operation()).is_some_and(|kinds| kinds.contains(kind));
        self.any_way.contains(&place) || !self.entries.is_empty() && (is_known_answer() || is_no_answer())
    }

    /// What became of each entry. A part of a run cannot tell that a rule holds.
    pub(super) fn deviations(self, counts: &[RuleCount], is_whole: bool) -> Vec<Deviation> {
        let fate = |place: usize, known: &Known, shows: bool| match (&known.case, &counts[place]) {
            (_, RuleCount { supported: false, .. }) => DeviationFate::Untold,
            (Some(_), _) if shows => DeviationFate::Deviates,
            (Some(_), _) => DeviationFate::Stopped,
            (None, RuleCount { known: 1.., .. }) => DeviationFate::Deviates,
            (None, RuleCount { held: 1.., .. }) if is_whole => DeviationFate::Stopped,
            (None, _) => DeviationFate::Untold,
        };
        let told = |(place, known, shows)| Deviation { fate: fate(place, &known, shows), known };
        self.entries.into_iter().map(told).collect()
    }
}
