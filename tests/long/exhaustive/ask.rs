//! *Asking* a subject for a request, and holding the answer against the model and the rules.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use turnproof_rules::operation::{ApiNormalized, Given, Operation, Plain, RequestOptions, RequestText};
use turnproof_rules::rules::{CATALOGUE, Verdict};
use turnproof_suite::subject::{Outcome, Subject};
use turnproof_suite::suite::{Observed, judge};

use super::compare::with_canonical_ids;
use super::legal::breaches;
use super::naive::normalize;

/// A list of messages to ask about.
pub(super) struct Question<'a> {
    /// The messages as JSON text.
    pub texts: &'a [String],
    /// The messages, read.
    pub values: &'a [Value],
    /// Project context.
    pub context: Option<&'a str>,
    /// Whether to ask again, and for the request that its own output gives.
    pub with_repeats: bool,
    /// Whether to ask for the first 0, 1, 2, … messages too, and message by message.
    pub with_shorter: bool,
}

/// Whether a subject's request is the model's, and breaks no rule. Otherwise a description of what is wrong.
pub(super) fn check(subject: &dyn Subject, question: &Question<'_>) -> Result<(), String> {
    let expected = normalize(question.values, question.context);
    let outcome = catch_unwind(AssertUnwindSafe(|| observe(subject, question)));
    let Ok(api) = outcome else { return Err(report(question, &expected, "a panic", &[])) };
    let api = api?;
    let turns = match &api.request {
        Ok(plain) => values(plain),
        Err(why) => return Err(report(question, &expected, why, &[])),
    };
    let mut wrong = breaches(&turns);
    let canonical = |turns: &[Value]| with_canonical_ids(turns, question.values);
    if canonical(&turns) != canonical(&expected) {
        wrong.push("it is not the model's".into());
    }
    wrong.extend(broken_rules(api.clone()));
    if wrong.is_empty() { Ok(()) } else { Err(report(question, &expected, &lines(&turns), &wrong)) }
}

/// The elements of an array.
pub(super) fn values(plain: &Plain) -> Vec<Value> {
    plain.elements().iter().cloned().map(Value::from).collect()
}

fn report(question: &Question<'_>, expected: &[Value], given: &str, wrong: &[String]) -> String {
    format!(
        "messages (context {:?}):\n  {}\nmodel:\n{}subject:\n{given}\nwrong: {wrong:#?}\n",
        question.context,
        question.texts.join("\n  "),
        lines(expected),
    )
}

fn lines(turns: &[Value]) -> String {
    turns.iter().map(|turn| format!("  {turn}\n")).collect()
}

/// What the rules say of a wrong request.
fn broken_rules(api: ApiNormalized) -> Vec<String> {
    let observed = Observed::from(api);
    let rules = CATALOGUE.iter().filter(|rule| rule.operation() == Operation::NormalizeApi);
    let broken = rules.filter_map(|rule| match judge(rule, &observed) {
        Some(Verdict::Broken(violations)) => Some(format!("{rule:?}: {violations:?}")),
        _ => None,
    });
    broken.collect()
}

/// All that a subject does with the messages; an error when it does not normalize.
fn observe(subject: &dyn Subject, question: &Question<'_>) -> Result<ApiNormalized, String> {
    let options = RequestOptions { context: question.context.map(str::to_owned) };
    let first = |count: usize| format!("[{}]", question.texts[..count].join(","));
    let count = question.texts.len();
    let (request, messages_after) = ask(subject, &first(count), &options)?;
    let repeat = |messages: &str, options: &RequestOptions| match question.with_repeats {
        true => ask(subject, messages, options).map(|(turns, _)| Some(turns)),
        false => Ok(None),
    };
    let again = repeat(&first(count), &options)?;
    let renormalized = match &request {
        Ok(turns) => repeat(&as_messages(&values(turns)), &RequestOptions::default())?,
        Err(_) => None,
    };
    let shorter = match question.with_shorter {
        true => {
            (0..count).map(|count| Ok(Some(ask(subject, &first(count), &options)?.0))).collect::<Result<_, String>>()?
        }
        false => Vec::new(),
    };
    let incremental = match question.with_shorter {
        true => incremental(subject, &first(count), &options),
        false => None,
    };
    Ok(ApiNormalized {
        messages: Plain::read(&first(count)).map_err(|error| error.to_string())?,
        options,
        request,
        again,
        messages_after: messages_after.and_then(|json| Plain::read(&json).ok()),
        renormalized,
        shorter,
        incremental,
    })
}

fn ask(subject: &dyn Subject, messages: &str, options: &RequestOptions) -> Result<(Given, Option<String>), String> {
    match subject.normalize_api(messages, options) {
        Outcome::Output(RequestText { turns, messages_after }) => Ok((read(&turns), messages_after)),
        Outcome::Rejected(why) => Ok((Err(why), None)),
        Outcome::Unsupported => Err("the subject does not normalize".into()),
    }
}

fn incremental(subject: &dyn Subject, messages: &str, options: &RequestOptions) -> Option<Vec<Option<Given>>> {
    match subject.normalize_api_incremental(messages, options) {
        Outcome::Output(states) => Some(states.iter().map(|turns| Some(read(turns))).collect()),
        Outcome::Rejected(why) => Some(vec![Some(Err(why))]),
        Outcome::Unsupported => None,
    }
}

fn read(turns: &str) -> Given {
    Plain::read(turns).map_err(|error| format!("the output is not JSON: {error}"))
}

fn as_messages(turns: &[Value]) -> String {
    Value::from_iter(turns.iter().map(|turn| json!({"type": turn["role"], "message": turn}))).to_string()
}
