//! An *exhibit* is what a subject did in the smallest case of a failure: input, output, and what is wrong where.
//!
//! It is observed again when the report is made, since a run keeps only plans and counts.

use serde_json::json;
use turnproof_rules::Shown;

use turnproof_rules::operation::{Operation, Plain, Value};
use turnproof_rules::rules::{Rule, Verdict, Violation, find};
use turnproof_suite::scenario::{Case, Scenario};
use turnproof_suite::subject::Subject;
use turnproof_suite::suite::{Depth, Failure, Observed, judge};

/// What a subject did in one case.
#[derive(Clone, Debug, Default)]
pub struct Exhibit {
    /// The answers: one for most operations, several where a case asks several times.
    pub parts: Vec<JudgedAnswer>,
    /// How many answers there are beside these, all of them right.
    pub right: usize,
}

/// One answer of a subject, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct JudgedAnswer {
    /// The answer, or why there is none.
    pub shown: Result<Shown, Failed>,
    /// What is wrong with it.
    pub violations: Vec<Violation>,
}

/// There is no answer.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The input, as far as it can be shown: an object with one member, named as in answers.
    pub input: Value,
    /// Why there is none.
    pub why: String,
}

impl Exhibit {
    /// Plays the smallest case of a failure once more, and shows what is wrong. Panics of the subject are caught.
    pub fn of(subject: &dyn Subject, failure: &Failure) -> Self {
        let Some(rule) = find(&failure.regression.rule) else { return Self::default() };
        let scenario = &failure.regression.scenario;
        let observed = Observed::of(subject, &Case::of(scenario), &[rule.operation()], Depth::Whole);
        Self::gathered(rule, observed, scenario, &failure.violations)
    }

    fn gathered(rule: &Rule, observed: Observed, scenario: &Scenario, violations: &[Violation]) -> Self {
        let one = |shown| Self { parts: vec![JudgedAnswer { shown, violations: violations.to_vec() }], right: 0 };
        let mut answers = match observed.shown(rule.operation()) {
            Some(Ok(answers)) => answers,
            Some(Err(why)) => return one(Err(Failed { input: input(rule, scenario), why: why.to_string() })),
            None => return Self::default(),
        };
        if answers.len() == 1 {
            return answers.pop().map(Ok).map(one).unwrap_or_default();
        }
        let mut exhibit = Self::default();
        for shown in answers {
            match judge(rule, &Observed::from(shown.clone())) {
                Some(Verdict::Broken(violations)) => exhibit.parts.push(JudgedAnswer { shown: Ok(shown), violations }),
                _ => exhibit.right += 1,
            }
        }
        exhibit
    }
}

fn input(rule: &Rule, scenario: &Scenario) -> Value {
    let case = Case::of(scenario);
    let read = |json: &String| Plain::read(json).unwrap_or_default().into_value();
    match rule.operation() {
        Operation::Accumulate => json!({"items": case.streams().concat()}).into(),
        Operation::DeriveUuid | Operation::ShortId => json!({"ids": case.ids()}).into(),
        Operation::Parse | Operation::Resume => json!({"bytes": case.transcript()}).into(),
        _ => Value::from_iter([("messages", case.messages().iter().map(read).collect::<Value>())]),
    }
}
