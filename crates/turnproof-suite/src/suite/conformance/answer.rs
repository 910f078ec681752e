//! The *answer* of a subject in the smallest case of a failure, and what it was asked, as lines of JSON.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::operation::Operation;
use crate::printable;
use crate::rules::{Rule, find};
use crate::scenario::Case;
use crate::subject::Subject;
use crate::suite::{Depth, Failure, Observed, judge};

/// The most characters of a line.
const LONGEST: usize = 2_000;

/// Members of observations whose values are bytes, mostly text.
const BYTES: [&str; 4] = ["written", "file", "transcript", "before"];

/// Asks the subject about the smallest case once more; gives what it was asked and what it said. Of several answers one
/// that breaks the rule. Nothing where it does not answer: the violation says why.
pub(super) fn answer(subject: &dyn Subject, failure: &Failure) -> Vec<String> {
    let Some(rule) = find(&failure.regression.rule) else { return Vec::new() };
    let case = Case::of(&failure.regression.scenario);
    let observed = Observed::of(subject, &case, &[rule.operation()], Depth::Whole);
    let Some(Ok(answers)) = observed.shown(rule.operation()) else { return Vec::new() };
    let is_broken = |shown: &turnproof_rules::Shown| {
        judge(rule, &Observed::from(shown.clone())).is_some_and(|verdict| verdict.is_broken())
    };
    let count = answers.len();
    let shown = answers.iter().find(|shown| is_broken(shown)).or(answers.first());
    let Some(json) = shown.and_then(|shown| serde_json::to_string(shown).ok()) else { return Vec::new() };
    let mut lines = lines(rule, &json);
    if count > 1 {
        lines.push(format!("and {} more answers to other questions about this case", count - 1));
    }
    lines
}

/// The lines on an observation: what was asked, the answer, and what else a rule on equal answers looks at.
fn lines(rule: &Rule, observation: &str) -> Vec<String> {
    let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(observation) else { return Vec::new() };
    let name = rule.operation().name();
    let (asked, answers) = members_of(rule.operation());
    let line = |what: String, member: &&str| {
        let value = legible(member, members.get(*member)?.get());
        Some(cut(format!("{what} {value}")))
    };
    let asked = asked.iter().filter_map(|member| line(format!("asked `{name}`: {member}"), member));
    let answers = answers.iter().filter_map(|member| line(format!("answer to `{name}`: {member}"), member));
    let compares = ["deterministic", "stable", "reorder-deterministic", "derived-deterministic"];
    let again = Some("again").filter(|_| compares.iter().any(|end| rule.id.ends_with(end)));
    let again = again.iter().filter_map(|member| line("asked again:".to_owned(), member));
    asked.chain(answers).chain(again).collect()
}

/// The members of the observation of an operation: those that the subject was asked with, and those of its answer.
const fn members_of(operation: Operation) -> (&'static [&'static str], &'static [&'static str]) {
    match operation {
        // The file is behind the plan.
        Operation::Parse => (&[], &["parsed"]),
        Operation::Resume => (&[], &["answer"]),
        Operation::NormalizeApi => (&["messages", "options"], &["request"]),
        Operation::NormalizeUi => (&["messages"], &["output"]),
        Operation::ReorderUi => (&["messages"], &["output"]),
        Operation::DeriveUuid => (&["parent", "indexes"], &["answers"]),
        Operation::ShortId => (&["uuid"], &["answer"]),
        Operation::Record => (&["before", "session", "steps"], &["answers"]),
        Operation::Accumulate => (&["items"], &["output"]),
        Operation::Play => (&["inputs"], &["moments", "transcript"]),
        Operation::CheckRequest => (&["request", "host"], &["answer"]),
        Operation::Make => (&["call"], &["answer"]),
        Operation::Usage => (&["files"], &["answer"]),
        Operation::Repair => (&["file"], &["answer"]),
        Operation::Fold => (&["messages", "folding"], &["output"]),
        Operation::Transcript => (&[], &[]),
    }
}

/// JSON in which lists of bytes are texts, where they are UTF-8.
fn legible(member: &str, json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    if BYTES.contains(&member)
        && let Some((bytes, after)) = bytes(rest)
    {
        text.push_str(&bytes);
        rest = after;
    }
    while let Some((at, name)) =
        BYTES.iter().filter_map(|name| Some((rest.find(&format!("\"{name}\":["))?, name))).min()
    {
        let (before, value) = rest.split_at(at + name.len() + 3);
        text.push_str(before);
        rest = match bytes(value) {
            Some((bytes, after)) => {
                text.push_str(&bytes);
                after
            }
            None => value,
        };
    }
    text + rest
}

/// A list of bytes at the beginning of a text, as a JSON string; and the rest of the text.
fn bytes(text: &str) -> Option<(String, &str)> {
    let (list, rest) = text.strip_prefix('[')?.split_once(']')?;
    let numbers: Result<Vec<u8>, _> = list.split(',').filter(|number| !number.is_empty()).map(str::parse).collect();
    let string = String::from_utf8(numbers.ok()?).ok()?;
    Some((serde_json::to_string(&string).ok()?, rest))
}

/// A line, cut where it is long.
fn cut(line: String) -> String {
    let line = printable::line(line.as_bytes());
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} bytes)", &line[..end], line.len()),
        None => line,
    }
}
