//! `protocol`: a subject that answers anything, judged by the suite.

use std::sync::Mutex;

use arbitrary::Unstructured;
use serde_json::Value;

use crate::operation::Operation;
use crate::rules::{CATALOGUE, Verdict};
use crate::scenario::{Case, Profile, Scenario};
use crate::subject::{Outcome, Output, Subject, Wrap, Wrapped};
use crate::suite::{Depth, Observed, Trial};

use super::{Law, Target};

/// A hostile subject.
pub const PROTOCOL: Target = Target {
    name: "protocol",
    title: "whatever a subject answers, each rule says the same of it each time, and nothing of an operation that the \
            subject does not do",
    law: Law::Bytes(protocol),
    shape: None,
};

fn protocol(subject: &dyn Subject, bytes: &[u8], depth: Depth) {
    let mut choices = Unstructured::new(bytes);
    let seed = u64::from(choices.int_in_range(0..=u16::MAX).unwrap_or(0));
    let profile = Profile::ALL[(seed % 3) as usize];
    let scenario = Scenario::from_seed(1, seed / 3, profile);
    let case = Case::of(&scenario);
    // One operation an input, so that an input is small and says what it is about.
    let operation = choices.choose(&Operation::ALL).copied().unwrap_or(Operation::Parse);
    let hostile = Wrapped(Hostile { subject, choices: Mutex::new(choices.take_rest()) });
    let observed = Observed::of(&hostile, &case, &[operation], depth);
    let (trial, again) = (Trial::of(&observed), Trial::of(&observed));
    let is_done = observed.has(operation);
    for rule in CATALOGUE.iter().filter(|rule| rule.operation() == operation) {
        let verdict = trial.judge(rule);
        assert!(verdict == again.judge(rule), "a verdict is the same each time: of {} not", rule.id);
        assert!(
            is_done || matches!(verdict, None | Some(Verdict::NotApplicable(_))),
            "nothing is said of an operation that the subject does not do: {} says {verdict:?}",
            rule.id
        );
    }
}

/// A subject whose answers are a fuzzer's: those of another one, the same spoilt, texts of the fuzzer's own, refusals.
struct Hostile<'a> {
    subject: &'a dyn Subject,
    choices: Mutex<&'a [u8]>,
}

/// What to do with an answer.
enum Spoil {
    Nothing,
    Refuse,
    NotDone,
    /// A part of the answer becomes another one.
    Part(Change),
}

/// How a part of an answer changes.
struct Change {
    /// Which part, counted through the answer.
    part: usize,
    /// Where in it, and by how much.
    at: usize,
    /// Whether it gets shorter, longer, or only another one.
    length: Length,
    /// The fuzzer's own text.
    text: String,
}

enum Length {
    Less,
    More,
    Same,
}

impl Wrap for Hostile<'_> {
    fn name(&self) -> &str {
        "hostile"
    }

    fn ask<T: Output>(&self, question: impl FnOnce(&dyn Subject) -> Outcome<T>) -> Outcome<T> {
        match (self.spoil(), question(self.subject)) {
            (Spoil::Refuse, _) => Outcome::Rejected("no".to_owned()),
            (Spoil::NotDone, _) => Outcome::Unsupported,
            (Spoil::Part(change), Outcome::Output(right)) => Outcome::Output(change.of(&right).unwrap_or(right)),
            (_, right) => right,
        }
    }

    fn supports(&self, operation: Operation) -> bool {
        self.subject.supports(operation)
    }
}

impl Hostile<'_> {
    /// What the next bytes choose.
    fn spoil(&self) -> Spoil {
        let Ok(mut rest) = self.choices.lock() else { return Spoil::Nothing };
        let mut choices = Unstructured::new(*rest);
        let mut below = |most: u16| usize::from(choices.int_in_range(0..=most).unwrap_or(0));
        let (what, part, at, length) = (below(8), below(255), below(u16::MAX), below(24));
        let own = choices.bytes(length.min(choices.len())).unwrap_or_default();
        let text = String::from_utf8_lossy(own).into_owned();
        *rest = choices.take_rest();
        let changed = |length| Spoil::Part(Change { part, at, length, text });
        match what {
            0..=2 => Spoil::Nothing,
            3 => Spoil::Refuse,
            4 => Spoil::NotDone,
            5 => changed(Length::Same),
            6 => changed(Length::Less),
            _ => changed(Length::More),
        }
    }
}

impl Change {
    /// The answer with one part changed; `None` when that is no answer any more.
    fn of<T: Output>(&self, answer: &T) -> Option<T> {
        let mut value = serde_json::to_value(answer).ok()?;
        let count = parts(&mut value, &mut |_| {});
        let mut left = self.part % count;
        parts(&mut value, &mut |part| {
            if left == 0 {
                self.change(part);
            }
            left = left.wrapping_sub(1);
        });
        serde_json::from_value(value).ok()
    }

    fn change(&self, part: &mut Value) {
        match part {
            Value::String(text) => self.change_text(text),
            Value::Array(list) if !list.is_empty() => {
                let at = self.at % list.len();
                match self.length {
                    Length::Less => list.truncate(at),
                    Length::More => list.push(list[at].clone()),
                    Length::Same => list.rotate_left(at),
                }
            }
            Value::Number(number) => {
                // Small steps, and some to the ends of all numbers.
                let (number, by) = (number.as_u64().unwrap_or_default(), self.at as u64);
                let far = u64::MAX - by;
                *part = Value::from(if by % 7 == 0 { far } else { number.wrapping_add(by % 9).wrapping_sub(4) });
            }
            Value::Bool(flag) => *flag = !*flag,
            Value::Null => *part = Value::from(self.text.as_str()),
            Value::Array(_) | Value::Object(_) => {}
        }
    }

    fn change_text(&self, text: &mut String) {
        let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let at = places.clone().nth(self.at % places.count()).unwrap_or_default();
        match self.length {
            Length::Less => text.truncate(at),
            Length::More => text.insert_str(at, &self.text),
            Length::Same => text.clone_from(&self.text),
        }
    }
}

/// Visits a value and all in it; gives how many there are.
fn parts(value: &mut Value, visit: &mut impl FnMut(&mut Value)) -> usize {
    visit(value);
    let inside: usize = match value {
        Value::Array(list) => list.iter_mut().map(|part| parts(part, visit)).sum(),
        Value::Object(members) => members.values_mut().map(|part| parts(part, visit)).sum(),
        _ => 0,
    };
    1 + inside
}
