//! The *answer* of a subject in the smallest case of a failure, and what it was asked, as lines of JSON.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::value::RawValue;

use crate::operation::Operation;
use crate::printable;
use crate::rules::{Rule, find};
use crate::scenario::Case;
use crate::subject::Subject;
use crate::suite::{Depth, Failure, Observed, judge};

/// The most characters of a line.
const LONGEST: usize = 2_000;

/// How the name of a member ends whose value is bytes in base64, and how the value begins.
const BASE64: &str = "_b64\":\"";

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
        let value = legible(&format!("{member}\":{}", members.get(*member)?.get()));
        Some(cut(format!("{what} {}", value.split_once("\":")?.1)))
    };
    let asked = asked.iter().filter_map(|member| line(format!("asked `{name}`: {member}"), member));
    let answers = answers
        .iter()
        .filter_map(|member| line(format!("answer to `{name}`: {}", member.trim_end_matches("_b64")), member));
    let compares = ["deterministic", "stable", "reorder-deterministic", "derived-deterministic"];
    let again = Some(if rule.operation() == Operation::Repair { "repeated" } else { "again" });
    let again = again.filter(|_| compares.iter().any(|end| rule.id.ends_with(end)));
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
        Operation::Play => (&["inputs"], &["moments", "transcript_b64"]),
        Operation::CheckRequest => (&["request", "host"], &["answer"]),
        Operation::CheckResponse => (&["response"], &["answer"]),
        Operation::Make => (&["call"], &["answer"]),
        Operation::Usage => (&["files"], &["answer"]),
        Operation::Repair => (&["file"], &["answer"]),
        Operation::Fold => (&["messages", "folding"], &["output"]),
        Operation::Transcript => (&[], &[]),
    }
}

/// JSON in which bytes in base64 are texts, where they are UTF-8.
fn legible(json: &str) -> String {
    let mut pieces = json.split(BASE64);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once('"').and_then(|(base64, rest)| Some((read(base64)?, rest))) {
            Some((string, rest)) => text += &format!("\":{string}{rest}"),
            None => text += &format!("{BASE64}{piece}"),
        }
    }
    text
}

/// The text of bytes in base64, as a JSON string.
fn read(base64: &str) -> Option<String> {
    serde_json::to_string(&String::from_utf8(BASE64_STANDARD.decode(base64).ok()?).ok()?).ok()
}

/// A line, cut where it is long.
fn cut(line: String) -> String {
    let line = printable::line(line.as_bytes());
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} bytes)", &line[..end], line.len()),
        None => line,
    }
}
