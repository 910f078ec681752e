//! A *conformance* is a subject with the operations and rules that it claims, each rule a test. The macro
//! [`conformance!`](crate::conformance) writes the tests.

mod expand;
mod list;
mod quiet;
mod settings;

pub use list::{Listed, listed};
pub use settings::Settings;
pub(super) use settings::judges;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use crate::operation::Operation;
use crate::rules::{Rule, find};

use crate::subject::Subject;

use super::failure::Failure;
use super::regression::{Regression, load_regressions};
use super::run::{Options, Report, RuleCount, run};
use quiet::{Quiet, quiet};

/// A subject, the operations and rules that it claims, and the reports so far.
pub struct Conformance {
    /// The subject, as the source code writes it.
    written: &'static str,
    subject: fn() -> Box<dyn Subject>,
    operations: Vec<&'static str>,
    settings: Settings,
    stored: OnceLock<Result<Vec<Regression>, String>>,
    /// The report of the cases of each operation, which are played once for all of its rules.
    reports: BTreeMap<Operation, OnceLock<Result<Report, String>>>,
}

/// Why a test of a rule fails.
#[derive(thiserror::Error)]
#[error("{0}")]
pub struct Failed(String);

impl fmt::Debug for Failed {
    /// Writes the text as it is, since tests print errors this way.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Conformance {
    /// A conformance of the subject that `subject` makes, with the names of its operations. `written` is the source
    /// code of the subject.
    pub fn new(
        written: &'static str,
        subject: fn() -> Box<dyn Subject>,
        operations: &[&'static str],
        settings: Settings,
    ) -> Self {
        let reports = Operation::ALL.into_iter().map(|operation| (operation, OnceLock::new())).collect();
        let stored = OnceLock::new();
        Self { written, subject, operations: operations.to_vec(), settings, stored, reports }
    }

    /// Judges the subject by one rule. `test` is the path of the test, for the text of a failure.
    ///
    /// # Errors
    /// When the rule is broken, when no case put it to the test, when the subject does not do the operation, and
    /// when the settings are wrong.
    pub fn rule(&self, id: &str, test: &str) -> Result<(), Failed> {
        self.judge(id, test).map_err(Failed)
    }

    /// Whether the subject does the operations that are listed, and no others.
    ///
    /// # Errors
    /// When it does more or less.
    pub fn operations_are_as_declared(&self) -> Result<(), Failed> {
        let subject = self.subject();
        let done = done(&subject);
        let missing: Vec<&str> = self.operations.iter().copied().filter(|name| !done.contains(name)).collect();
        let unlisted: Vec<&str> = done.iter().copied().filter(|name| !self.operations.contains(name)).collect();
        let what = match (missing.as_slice(), unlisted.as_slice()) {
            ([], []) => return Ok(()),
            (missing, []) => format!("does not do {}", quoted(missing)),
            ([], unlisted) => format!("does {} as well", quoted(unlisted)),
            (missing, unlisted) => format!("does not do {}, but {}", quoted(missing), quoted(unlisted)),
        };
        Err(Failed(format!("`{}` {what}; {}", subject.name(), self.advice(&done))))
    }

    /// Whether every setting means something: the rules, the environment, the stored cases.
    ///
    /// # Errors
    /// The first that does not.
    pub fn settings_are_understood(&self) -> Result<(), Failed> {
        let operations: Vec<Operation> =
            Operation::ALL.into_iter().filter(|operation| self.operations.contains(&operation.name())).collect();
        if let Some(claim) = self.settings.empty_claim(&operations) {
            return Err(Failed(format!(
                "`{claim}` is no rule on {}; write a rule's id, `family/*` or `*`",
                quoted(&self.operations)
            )));
        }
        self.settings().map_err(Failed)?;
        let stored = self.stored().map_err(Failed)?;
        match stored.iter().find(|stored| find(&stored.rule).is_none()) {
            Some(lost) => Err(Failed(format!(
                "a case is stored for `{}`, which is no rule (any more): `{}`; delete it, or name the rule that it breaks",
                lost.rule,
                lost.file_name()
            ))),
            None => Ok(()),
        }
    }

    fn judge(&self, id: &str, test: &str) -> Result<(), String> {
        let rule = find(id).ok_or_else(|| format!("`{id}` is no rule of the catalogue"))?;
        let settings = self.settings()?;
        let subject = self.subject();
        if !subject.supports(rule.operation()) {
            return Err(format!(
                "`{}` does not do `{}`, so nothing is known of {id}; {}",
                subject.name(),
                rule.operation().name(),
                self.advice(&done(&subject))
            ));
        }
        let stored = self.stored()?.iter().filter(|stored| stored.rule == rule.id);
        let stored: Vec<Regression> = stored.cloned().collect();
        let replayed = played(&subject, &options(&self.settings, 0, vec![rule]), &stored)?;
        if let Some(failure) = replayed.failures.first() {
            return Err(format!("{failure}  again: cargo test {} (the case is stored)\n", filter(test)));
        }
        let (count, failure) = self.play(&subject, rule, &settings)?;
        if let Some(failure) = failure {
            return Err(self.found(&failure, test));
        }
        let held = count.map_or(0, |count| count.held) + replayed.counts.iter().map(|row| row.held).sum::<u64>();
        match held {
            0 => Err(format!(
                "no case put it to the test: {id}\n  rule: {}\n  none of the {} cases of seed {} has what the rule \
                 looks at, or the subject refused them all; more cases: `cases = …`, or TURNPROOF_CASES\n",
                rule.title, settings.cases, settings.seed
            )),
            _ => Ok(()),
        }
    }

    /// Plays the cases: once for all rules of the operation, or for one rule when each test is a process of its own.
    fn play(
        &self,
        subject: &Quiet,
        rule: &'static Rule,
        settings: &Settings,
    ) -> Result<(Option<RuleCount>, Option<Failure>), String> {
        let play = |rules| played(subject, &options(settings, settings.cases, rules), &[]);
        let own;
        let shared = self.reports.get(&rule.operation());
        let report = match shared.filter(|_| std::env::var_os("NEXTEST").is_none()) {
            Some(shared) => shared.get_or_init(|| play(settings.claimed(rule.operation()))),
            None => {
                own = play(vec![rule]);
                &own
            }
        };
        let report = report.as_ref().map_err(Clone::clone)?;
        let count = report.counts.iter().find(|count| count.rule == rule.id);
        let failure = report.failures.iter().find(|failure| failure.regression.rule == rule.id);
        Ok((count.cloned(), failure.cloned()))
    }

    /// The text of a new failure. It is stored if there is a folder.
    fn found(&self, failure: &Failure, test: &str) -> String {
        let mut text = failure.to_string();
        if let Some((seed, case)) = failure.regression.origin {
            text.push_str(&format!(
                "  again: TURNPROOF_SEED={seed} TURNPROOF_CASES={} cargo test {}\n",
                case.saturating_add(1),
                filter(test)
            ));
        }
        if let Some(folder) = &self.settings.regressions {
            let made = std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()));
            let saved = made.and_then(|()| failure.regression.save(folder).map_err(|error| error.to_string()));
            text.push_str(&match saved {
                Ok(path) => format!("  kept as {}\n", path.display()),
                Err(error) => format!("  not kept: {error}\n"),
            });
        }
        text
    }

    fn subject(&self) -> Quiet {
        quiet((self.subject)())
    }

    fn settings(&self) -> Result<Settings, String> {
        self.settings.in_environment(|name| std::env::var(name).ok())
    }

    /// The stored cases, as they were before any test stored another.
    fn stored(&self) -> Result<&[Regression], String> {
        let load = || match &self.settings.regressions {
            Some(folder) if folder.exists() => {
                let stored = load_regressions(folder).map_err(|error| error.to_string())?;
                Ok(stored.into_iter().map(|(_, regression)| regression).collect())
            }
            _ => Ok(Vec::new()),
        };
        self.stored.get_or_init(load).as_deref().map_err(Clone::clone)
    }

    /// How to declare what the subject does.
    fn advice(&self, done: &[&str]) -> String {
        match done {
            [] => "it does no operation at all: implement one of the methods of `Subject`".to_owned(),
            done => format!("list the operations that it does: conformance!({}: {})", self.written, done.join(", ")),
        }
    }
}

fn options(settings: &Settings, cases: u64, rules: Vec<&'static Rule>) -> Options {
    Options { seed: settings.seed, cases, rules, ..Options::default() }
}

fn played(subject: &Quiet, options: &Options, stored: &[Regression]) -> Result<Report, String> {
    run(subject, options, stored, &mut |_| {}).map_err(|error| error.to_string())
}

/// The names of the operations that a subject does.
fn done(subject: &Quiet) -> Vec<&'static str> {
    let done = Operation::ALL.into_iter().filter(|&operation| subject.supports(operation));
    done.map(Operation::name).collect()
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The words by which `cargo test` finds a test: its path without the crate.
fn filter(test: &str) -> &str {
    test.split_once("::").map_or(test, |(_, path)| path)
}
