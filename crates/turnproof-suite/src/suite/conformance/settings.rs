//! The *settings* of a conformance: which operations and rules, how many cases of which seed, where cases are stored.

use std::path::PathBuf;

use crate::operation::Operation;
use crate::rules::{Rule, choose, find};
use crate::scenario::Profile;
use crate::suite::every_client::{Choice, ChoiceError, NAME, chosen};
use crate::suite::known::Known;
use crate::suite::regression::RegressionError;
use crate::suite::{Options, Shard};

/// A setting that means nothing.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the values that the messages name")]
pub enum SettingsError {
    /// A glob matches no rule.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// A glob matches no rule on the operations.
    #[error("`{glob}` is no rule on {operations}; write a rule's id, `family/*` or `*`")]
    NoRule { glob: String, operations: String },
    /// The subject does nothing.
    #[error("it does no operation at all: implement one of the methods of `Subject`")]
    NoOperation,
    /// A variable is no number.
    #[error("{variable} is `{text}`, which is no whole number")]
    NoNumber { variable: &'static str, text: String },
    /// What is known to deviate is no rule that judges subjects.
    #[error("`{0}` is known to deviate, and is no rule that judges a subject; `turnproof rules` lists them all")]
    NoKnownRule(String),
    /// A stored case cannot be read.
    #[error(transparent)]
    Regression(#[from] RegressionError),
    /// A stored case is of no rule.
    #[error(
        "a case is stored for `{rule}`, which is no rule (any more): `{file}`; delete it, or name the rule that it breaks"
    )]
    Lost { rule: String, file: String },
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The settings of a conformance.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) operations: Option<Vec<Operation>>,
    pub(super) rules: Vec<String>,
    pub(super) cases: u64,
    /// The one case that is played, of all.
    pub(super) case: Option<u64>,
    /// Globs of the variable: of the claimed rules these are judged.
    pub(super) only: Vec<String>,
    pub(super) seed: u64,
    pub(super) profiles: Vec<Profile>,
    pub(super) regressions: Option<PathBuf>,
    pub(super) known: Vec<Known>,
}

impl Default for Settings {
    /// 1,000 cases of seed 1, every rule, nothing stored.
    fn default() -> Self {
        Self {
            operations: None,
            rules: Vec::new(),
            cases: 1_000,
            case: None,
            only: Vec::new(),
            seed: 1,
            profiles: Profile::ALL.to_vec(),
            regressions: None,
            known: Vec::new(),
        }
    }
}

impl Settings {
    /// These settings, changed by the variables `TURNPROOF_CASES`, `TURNPROOF_SEED`, `TURNPROOF_CASE` (play this case
    /// alone) and `TURNPROOF_RULES` (judge only these), which `variable` looks up.
    pub(super) fn in_environment(&self, variable: impl Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let number = |name: &'static str| match variable(name) {
            None => Ok(None),
            Some(text) => match text.trim().parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(SettingsError::NoNumber { variable: name, text }),
            },
        };
        Ok(Self {
            cases: number("TURNPROOF_CASES")?.unwrap_or(self.cases),
            seed: number("TURNPROOF_SEED")?.unwrap_or(self.seed),
            case: number("TURNPROOF_CASE")?,
            only: variable("TURNPROOF_RULES").into_iter().collect(),
            ..self.clone()
        })
    }

    /// The rules on these operations that are claimed.
    pub(super) fn choice(&self, operations: &[Operation]) -> Result<Choice, SettingsError> {
        let mut choice = chosen(&self.rules, &self.profiles)?;
        let is_judged = |rule: &Rule| rule.audience.is_some() && operations.contains(&rule.operation());
        let globs = self.rules.iter().flat_map(|text| text.split(',')).map(str::trim);
        for glob in globs.filter(|glob| !glob.starts_with('!') && *glob != NAME) {
            if !choose(&[glob]).map_err(ChoiceError::from)?.into_iter().any(is_judged) {
                let names: Vec<String> = operations.iter().map(|one| format!("`{}`", one.name())).collect();
                return Err(SettingsError::NoRule { glob: glob.to_owned(), operations: names.join(", ") });
            }
        }
        let only = choose(&self.only).map_err(ChoiceError::from)?;
        choice.rules.retain(|rule| is_judged(rule) && only.iter().any(|one| one.id == rule.id));
        let is_rule = |known: &Known| find(&known.rule).is_some_and(|rule| rule.audience.is_some());
        match self.known.iter().find(|known| !is_rule(known)) {
            Some(known) => Err(SettingsError::NoKnownRule(known.rule.clone())),
            None => Ok(choice),
        }
    }

    /// What is run: all cases, or the one that is asked for.
    pub(super) fn options(&self, choice: Choice) -> Options {
        let (cases, shard) = match self.case {
            Some(case) => (case.saturating_add(1), Shard::of_case(case)),
            None => (self.cases, Shard::WHOLE),
        };
        Options {
            seed: self.seed,
            cases,
            shard,
            rules: choice.rules,
            every_client: choice.every_client,
            known: self.known.clone(),
            profiles: self.profiles.clone(),
            ..Options::default()
        }
    }
}
