//! An *exhibit* is what a subject did in the smallest case of a failure: input, output, and what is wrong
//! where.
//!
//! It is observed anew when the report is made; a run keeps plans and counts alone.

use crate::operation::{
    Accumulated, ApiNormalized, Derived, Operation, Parsed, Played, Recorded, Resumed, Shortened, StreamItem,
    UiNormalized, UiReordered,
};
use crate::rules::{Judge, RecordEvidence, ResumeEvidence, Rule, StreamEvidence, Verdict, Violation, find};
use crate::scenario::{Case, Scenario};
use crate::subject::Subject;
use crate::suite::{Depth, Failure, Observed, observe};

/// What a subject did in one case.
#[derive(Clone, Debug, Default)]
pub struct Exhibit {
    /// The answers: one for most operations, several where a case asks several times.
    pub parts: Vec<Part>,
    /// How many answers there are beside these, all of them right.
    pub right: usize,
}

/// One answer of a subject, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Part {
    /// The answer.
    pub shown: Shown,
    /// What is wrong with it.
    pub violations: Vec<Violation>,
}

/// Input and output of an operation.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A file, and what was read from it.
    Parsed(Vec<u8>, Parsed),
    /// Messages, and the requests made of them.
    Request(ApiNormalized),
    /// Messages, and what a UI gets of them.
    Ui(UiNormalized),
    /// Messages, and their order in a UI.
    Order(UiReordered),
    /// Ids derived from one.
    Derived(Derived),
    /// A shortened id.
    Shortened(Shortened),
    /// The steps of a session, and the file after each.
    Recorded(Recorded),
    /// A file, and the conversation found in it.
    Resumed(Resumed),
    /// A stream, and the messages made of it.
    Accumulated(Box<Accumulated>),
    /// The log of a loop.
    Played(Played),
    /// There is no answer: the input, as far as it can be shown, and why.
    Failed(Input, String),
}

/// What a subject was given that did not answer.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file.
    File(Vec<u8>),
    /// Messages, each as JSON text.
    Messages(Vec<String>),
    /// Streams.
    Streams(Vec<Vec<StreamItem>>),
    /// Ids.
    Ids(Vec<&'static str>),
}

impl Exhibit {
    /// Plays the smallest case of a failure once more, and shows what is wrong; what panics in the subject is
    /// caught, and its hook is the caller's business.
    pub fn of(subject: &dyn Subject, failure: &Failure) -> Self {
        let Some(rule) = find(&failure.regression.rule) else { return Self::default() };
        let scenario = &failure.regression.scenario;
        let observed = observe(subject, &Case::of(scenario), &[rule.operation()], Depth::Whole);
        Self::gathered(rule, observed, scenario, &failure.violations)
    }

    fn gathered(rule: &Rule, observed: Observed, scenario: &Scenario, violations: &[Violation]) -> Self {
        let failed = |why: String| Self::of_one(Shown::Failed(input(rule, scenario), why), violations);
        let one = |answer: Option<Result<Shown, String>>| match answer {
            Some(Ok(shown)) => Self::of_one(shown, violations),
            Some(Err(why)) => failed(why),
            None => Self::default(),
        };
        match rule.judge {
            Judge::Parse(_) => {
                one(observed.parsed.map(|parsed| parsed.map(|parsed| Shown::Parsed(observed.bytes, parsed))))
            }
            Judge::Request { .. } | Judge::NormalizeApi(_) => {
                one(observed.api.map(|api| api.map(Shown::Request)))
            }
            Judge::NormalizeUi(_) => one(observed.ui.map(|ui| ui.map(Shown::Ui))),
            Judge::ReorderUi(_) => one(observed.reordered.map(|order| order.map(Shown::Order))),
            Judge::Play(_) => one(observed.played.map(|played| played.map(Shown::Played))),
            Judge::DeriveUuid(judge) => each(observed.derived, judge, Shown::Derived, failed),
            Judge::ShortId(judge) => each(observed.shortened, judge, Shown::Shortened, failed),
            Judge::Record(judge) => {
                each(observed.recorded, |answer| judge(&RecordEvidence::new(answer)), Shown::Recorded, failed)
            }
            Judge::Resume(judge) => {
                each(observed.resumed, |answer| judge(&ResumeEvidence::new(answer)), Shown::Resumed, failed)
            }
            Judge::Accumulate(judge) => {
                let judge = |answer: &_| judge(&StreamEvidence::new(answer));
                each(observed.accumulated, judge, |case| Shown::Accumulated(Box::new(case)), failed)
            }
            Judge::Transcript(_) => Self::default(),
        }
    }

    fn of_one(shown: Shown, violations: &[Violation]) -> Self {
        Self { parts: vec![Part { shown, violations: violations.to_vec() }], right: 0 }
    }
}

/// The answers of an operation that is asked several times: those that are wrong.
fn each<T>(
    answers: Option<Result<Vec<T>, String>>,
    judge: impl Fn(&T) -> Verdict,
    shown: fn(T) -> Shown,
    failed: impl FnOnce(String) -> Exhibit,
) -> Exhibit {
    let answers = match answers {
        Some(Ok(answers)) => answers,
        Some(Err(why)) => return failed(why),
        None => return Exhibit::default(),
    };
    let mut exhibit = Exhibit::default();
    for answer in answers {
        match judge(&answer) {
            Verdict::Broken(violations) => exhibit.parts.push(Part { shown: shown(answer), violations }),
            _ => exhibit.right += 1,
        }
    }
    exhibit
}

/// What a subject was given.
fn input(rule: &Rule, scenario: &Scenario) -> Input {
    let case = Case::of(scenario);
    match rule.operation() {
        Operation::Accumulate => Input::Streams(case.streams().to_vec()),
        Operation::DeriveUuid | Operation::ShortId => Input::Ids(case.ids()),
        Operation::Parse | Operation::Resume => Input::File(case.transcript().to_vec()),
        _ => Input::Messages(case.messages().to_vec()),
    }
}
