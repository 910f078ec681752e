//! *Judging* a conformance: which tests there are, and what becomes of each.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::operation::Operation;
use crate::rules::{Rule, find};
use crate::subject::Subject;
use crate::suite::every_client::Choice;
use crate::suite::failure::Failure;
use crate::suite::regression::{Regression, RegressionError, load_regressions};
use crate::suite::run::{Options, Report, run};
use crate::suite::{Deviation, DeviationFate};
use crate::table::names;

use super::answer::answer;
use super::quiet::{Quiet, quiet};
use super::replay_command::Again;
use super::settings::{Settings, SettingsError};
use super::test_name;

/// A test.
#[derive(Clone, Copy)]
pub(super) enum Test {
    /// The subject does the operations that are listed, and no others.
    Operations,
    /// It holds a rule.
    Rule(&'static Rule),
}

/// A subject with settings that are understood, and the reports so far.
pub(super) struct Judging<'a> {
    subject: Quiet<'a>,
    settings: Settings,
    /// The operations that are listed, or else those that the subject does.
    operations: Vec<Operation>,
    choice: Choice,
    /// The stored cases, as they were before any test stored another.
    stored: Vec<Regression>,
    again: Again,
    /// The report of the cases of each operation, which are played once for all of its rules.
    reports: BTreeMap<Operation, OnceLock<Result<Report, String>>>,
}

impl<'a> Judging<'a> {
    pub(super) fn new(subject: &'a dyn Subject, settings: Settings) -> Result<Self, SettingsError> {
        let subject = quiet(subject);
        let operations = settings.operations.clone().unwrap_or_else(|| done(&subject));
        if operations.is_empty() {
            return Err(SettingsError::NoOperation);
        }
        let choice = settings.choice(&operations)?;
        let stored = match &settings.regressions {
            Some(folder) if folder.exists() => load_regressions(folder)?,
            _ => Vec::new(),
        };
        if let Some((file, lost)) = stored.iter().find(|(_, stored)| find(&stored.rule).is_none()) {
            return Err(SettingsError::Lost { rule: lost.rule.clone(), file: file.display().to_string() });
        }
        let stored = stored.into_iter().map(|(_, regression)| regression).collect();
        let reports = operations.iter().map(|operation| (*operation, OnceLock::new())).collect();
        Ok(Self { subject, settings, operations, choice, stored, again: Again::of_this_program(), reports })
    }

    /// The tests, in the order of the catalogue.
    pub(super) fn tests(&self) -> impl Iterator<Item = Test> {
        let operations = self.settings.operations.is_some() && self.settings.only.is_empty();
        operations.then_some(Test::Operations).into_iter().chain(self.choice.rules.iter().copied().map(Test::Rule))
    }

    pub(super) fn name_of(&self, test: Test) -> String {
        match test {
            Test::Operations => "operations_are_as_declared".to_owned(),
            Test::Rule(rule) => test_name(rule),
        }
    }

    /// Whether the test is of a rule that is known to deviate.
    pub(super) fn is_known(&self, test: Test) -> bool {
        let Test::Rule(rule) = test else { return false };
        let name = self.subject.name();
        self.settings.known.iter().any(|known| known.rule == rule.id && known.is_of(name))
    }

    /// What becomes of a test: `Err` says why it fails, in lines.
    pub(super) fn test(&self, test: Test) -> Result<(), String> {
        match test {
            Test::Operations => self.operations_are_as_declared(),
            Test::Rule(rule) => self.rule(rule),
        }
    }

    /// Plays the cases once, for all operations and rules.
    pub(super) fn report(&self) -> Result<(Options, Report), SettingsError> {
        let options = self.settings.options(self.choice.clone());
        let stored: &[Regression] = if self.settings.case.is_some() { &[] } else { &self.stored };
        let mut report = run(&self.subject, &options, stored, &mut |_| {})?;
        for failure in &mut report.failures {
            failure.said = answer(&self.subject, failure);
            self.store(failure).map_or(Ok(()), |saved| saved.map(drop))?;
        }
        Ok((options, report))
    }

    fn operations_are_as_declared(&self) -> Result<(), String> {
        let done = done(&self.subject);
        let without = |some: &[Operation], others: &[Operation]| -> Vec<Operation> {
            some.iter().copied().filter(|one| !others.contains(one)).collect()
        };
        let (missing, unlisted) = (without(&self.operations, &done), without(&done, &self.operations));
        let what = match (missing.as_slice(), unlisted.as_slice()) {
            ([], []) => return Ok(()),
            (missing, []) => format!("does not do {}", quoted(missing)),
            ([], unlisted) => format!("does {} as well", quoted(unlisted)),
            (missing, unlisted) => format!("does not do {}, but {}", quoted(missing), quoted(unlisted)),
        };
        Err(format!("`{}` {what}; {}\n", self.subject.name(), advice(&done)))
    }

    fn rule(&self, rule: &'static Rule) -> Result<(), String> {
        if !self.subject.supports(rule.operation()) {
            return Err(format!(
                "`{}` does not do `{}`, so nothing is known of {}; {}\n",
                self.subject.name(),
                rule.operation().name(),
                rule.id,
                advice(&done(&self.subject))
            ));
        }
        let stored = self.stored.iter().filter(|stored| stored.rule == rule.id && self.settings.case.is_none());
        let stored: Vec<Regression> = stored.cloned().collect();
        let only = Options { cases: 0, ..self.settings.options(self.choice_of(vec![rule])) };
        let replayed = self.played(&only, &stored)?;
        if let Some(failure) = replayed.failures.first() {
            return Err(self.describe(failure, rule));
        }
        let report = self.report_of(rule)?;
        if let Some(why) = &report.ended {
            return Err(format!("the subject could not be judged: {why}\n"));
        }
        let count = report.counts.iter().find(|count| count.rule == rule.id).cloned().unwrap_or_default();
        let mut crashes = report.crashes().filter(|(operation, _)| *operation == rule.operation());
        let crash = crashes.next().map(|(_, crash)| crash);
        if let Some(failure) = report.failure_of(rule).or(crash) {
            let kept = self.store(failure).map(|saved| match saved {
                Ok(path) => format!("  kept as {path}\n"),
                Err(error) => format!("  not kept: {error}\n"),
            });
            return Err(self.describe(failure, rule) + &kept.unwrap_or_default());
        }
        let is_shown = |one: &Deviation| {
            let is_it = |shown: &Deviation| shown.known == one.known && shown.fate == DeviationFate::Deviates;
            one.known.case.is_none() && replayed.deviations.iter().any(is_it)
        };
        let of_rule = report.stopped().filter(|deviation| deviation.known.rule == rule.id);
        if let Some(stopped) = of_rule.into_iter().find(|deviation| !is_shown(deviation)) {
            let reason = &stopped.known.reason;
            let rule = rule.id;
            return Err(format!(
                "a known deviation has stopped: {rule}\n  known because: {reason}\n  {}\n",
                stopped.stopped()
            ));
        }
        match count.tested() + replayed.counts.iter().map(|row| row.tested()).sum::<u64>() {
            0 => Err(self.untested(rule, &self.settings.options(self.choice_of(Vec::new())))),
            _ => Ok(()),
        }
    }

    fn untested(&self, rule: &Rule, options: &Options) -> String {
        format!(
            "no case exercised it: {}\n  rule: {}\n  none of the {} cases of seed {} has what the rule looks at, or \
             the subject refused them all; more cases: `.cases(…)`, or TURNPROOF_CASES\n",
            rule.id,
            rule.title,
            options.shard.share_of(options.cases),
            options.seed
        )
    }

    /// The report of the cases: for all rules of the operation, or for one rule when each test is a process of its own.
    fn report_of(&self, rule: &'static Rule) -> Result<Report, String> {
        let play = |rules| self.played(&self.settings.options(self.choice_of(rules)), &[]);
        match self.reports.get(&rule.operation()).filter(|_| std::env::var_os("NEXTEST").is_none()) {
            Some(shared) => {
                let of_operation = |one: &&'static Rule| one.operation() == rule.operation();
                let rules = self.choice.rules.iter().copied().filter(of_operation).collect();
                shared.get_or_init(|| play(rules)).clone()
            }
            None => play(vec![rule]),
        }
    }

    fn choice_of(&self, rules: Vec<&'static Rule>) -> Choice {
        Choice { rules, every_client: self.choice.every_client }
    }

    fn played(&self, options: &Options, stored: &[Regression]) -> Result<Report, String> {
        run(&self.subject, options, stored, &mut |_| {}).map_err(|error| error.to_string())
    }

    /// The text of a failure: the case, what the subject was asked and said, and what to do next.
    fn describe(&self, failure: &Failure, rule: &Rule) -> String {
        let regression = &failure.regression;
        let failure = Failure { said: answer(&self.subject, failure), ..failure.clone() };
        let again = self.again.test(regression, &test_name(rule));
        let stored = if regression.origin.is_none() { " (the case is stored)" } else { "" };
        let explain = match failure.crashed() {
            Some(_) => String::new(),
            None => format!("  explain: turnproof explain {}\n", rule.id),
        };
        format!("{failure}{explain}  again: {again}{stored}\n")
    }

    /// Stores the case of a failure, if there is a folder and it is not stored yet; gives its files.
    fn store(&self, failure: &Failure) -> Option<Result<String, RegressionError>> {
        let folder = self.settings.regressions.as_ref()?;
        failure.regression.origin?;
        Some(failure.save(folder).map(|paths| names(&paths)))
    }
}

/// The operations that a subject does.
fn done(subject: &Quiet<'_>) -> Vec<Operation> {
    Operation::ALL.into_iter().filter(|&operation| subject.supports(operation)).collect()
}

/// How to declare what the subject does.
fn advice(done: &[Operation]) -> String {
    let names: Vec<String> = done.iter().map(|operation| format!("Operation::{operation:?}")).collect();
    match done {
        [] => "it does no operation at all: implement one of the methods of `Subject`".to_owned(),
        _ => format!("list the operations that it does: .operations([{}])", names.join(", ")),
    }
}

fn quoted(operations: &[Operation]) -> String {
    let names: Vec<String> = operations.iter().map(|operation| format!("`{}`", operation.name())).collect();
    names.join(", ")
}
