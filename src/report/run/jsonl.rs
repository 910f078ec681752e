//! `report.jsonl`: a run for programs, one JSON object a line, told apart by `kind`.
//!
//! The `header` comes first and the `footer` last, so that a file without its footer is one that was cut off, and
//! is still readable to its end.
//!
//! | kind | member | what |
//! |---|---|---|
//! | `header` | `format` | the version of this format: 1 |
//! | | `version` | the version of turnproof |
//! | | `subject` | who was judged |
//! | | `seed`, `cases` | the seed, and how many cases the whole run has |
//! | | `profiles` | the profiles that cases were drawn from |
//! | | `shard` | the part that ran, as `1/4`; null for the whole |
//! | | `rules` | the ids of the rules that were asked |
//! | `failure` | `rule`, `title` | a rule that was broken, and what it says |
//! | | `violations` | what is wrong in the smallest case: each with `path` (as the API writes it), `place`, `found`, `expected`, and the `error` that the API would give or null |
//! | | `origin` | `seed` and `case` that the smallest case was found from; null for a stored one |
//! | | `replay` | the command that plays that case again |
//! | | `plan` | the smallest case: the `scenario` of the file that `turnproof test` keeps |
//! | | `transcript` | its transcript: a string, or a list of numbers where the bytes are not UTF-8 |
//! | | `messages` | its messages, each as JSON text, since strings may hold halves of surrogate pairs |
//! | `rule` | `rule`, `operation` | a rule that was asked, and the operation that it judges |
//! | | `supported` | whether the subject does that operation |
//! | | `held`, `not_applicable`, `broken` | in how many cases it held, was not put to the test, was broken |
//! | `label` | `label`, `cases`, `of` | a label, how many cases hold it, and of how many: those of its profile, or all |
//! | | `least`, `is_judged` | the share that must hold it, and whether there are enough cases to tell |
//! | | `is_rare` | whether so few hold it that chance does not explain it |
//! | `footer` | `cases`, `replayed` | how many cases ran, and how many stored ones beside |
//! | | `rules`, `tested`, `broken` | how many rules were asked, put to the test, broken |
//! | | `rare_labels` | how many labels are too rare |
//! | | `prefix_steps` | how often `normalize/prefix-stable` judged a step (`judged`), or did not, by kind |
//! | | `verdict` | `broken`; `rare` when labels alone are wrong; `held`; `nothing` when no rule was put to the test |
//!
//! A `place` has a `kind` of its own: `whole`; `message` with `index`, `block` (null for all of it) and `list` (the
//! name of a [`StreamList`](crate::rules::StreamList), null where the rule is not on streams); `bytes` with `start`
//! and `end`; `record` with `line`, `start`, `member` and `block`.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::operation::Operation;
use crate::rules::{Place, Violation, find};
use crate::scenario::{Case, Scenario};
use crate::suite::{Failure, LabelCount};

use super::RunReport;

/// The version of the format; it changes when a member changes its meaning or goes.
pub const FORMAT: u32 = 1;

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<'a> {
    Header {
        format: u32,
        version: &'a str,
        subject: &'a str,
        seed: u64,
        cases: u64,
        profiles: Vec<&'static str>,
        shard: Option<String>,
        rules: Vec<&'static str>,
    },
    Failure {
        rule: &'a str,
        title: &'a str,
        violations: Vec<ViolationMembers<'a>>,
        origin: Option<Value>,
        replay: String,
        plan: &'a Scenario,
        transcript: Bytes,
        messages: Vec<String>,
    },
    Rule {
        rule: &'a str,
        operation: Option<Operation>,
        supported: bool,
        held: u64,
        not_applicable: u64,
        broken: u64,
    },
    Label(&'a LabelCount),
    Footer {
        cases: u64,
        replayed: u64,
        rules: u64,
        tested: u64,
        broken: u64,
        rare_labels: u64,
        prefix_steps: &'a BTreeMap<&'static str, u64>,
        verdict: &'static str,
    },
}

#[derive(Serialize)]
struct ViolationMembers<'a> {
    path: String,
    place: Value,
    found: &'a str,
    expected: &'a str,
    error: Option<&'a str>,
}

/// Bytes: a string where they are UTF-8, else numbers.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => text.serialize(serializer),
            Err(_) => self.0.serialize(serializer),
        }
    }
}

/// The file.
///
/// # Errors
/// When a line cannot be written as JSON.
pub fn text(run: &RunReport<'_>) -> serde_json::Result<String> {
    let mut text = String::new();
    let failures = run.report.failures.iter().map(|failure| failure_line(run, failure));
    let rules = run.report.counts.iter().map(|count| Line::Rule {
        rule: count.rule,
        operation: find(count.rule).map(|rule| rule.operation()),
        supported: count.supported,
        held: count.held,
        not_applicable: count.not_applicable,
        broken: count.broken,
    });
    let labels = run.report.labels.iter().map(Line::Label);
    let middle = failures.chain(rules).chain(labels);
    for line in std::iter::once(header(run)).chain(middle).chain([footer(run)]) {
        text.push_str(&serde_json::to_string(&line)?);
        text.push('\n');
    }
    Ok(text)
}

fn header<'a>(run: &'a RunReport<'_>) -> Line<'a> {
    Line::Header {
        format: FORMAT,
        version: run.version,
        subject: &run.report.subject,
        seed: run.options.seed,
        cases: run.options.cases,
        profiles: run.profiles(),
        shard: run.part().map(|shard| shard.to_string()),
        rules: run.report.counts.iter().map(|count| count.rule).collect(),
    }
}

fn footer<'a>(run: &'a RunReport<'_>) -> Line<'a> {
    let ((broken, tested), rare_labels) = (run.tested(), run.rare());
    Line::Footer {
        cases: run.report.cases,
        replayed: run.report.replayed,
        rules: run.report.counts.len() as u64,
        tested,
        broken,
        rare_labels,
        prefix_steps: &run.report.prefix_steps,
        verdict: match (broken, rare_labels, tested) {
            (1.., _, _) => "broken",
            (0, 1.., _) => "rare",
            (0, 0, 0) => "nothing",
            (0, 0, _) => "held",
        },
    }
}

fn failure_line<'a>(run: &RunReport<'_>, failure: &'a Failure) -> Line<'a> {
    let regression = &failure.regression;
    Line::Failure {
        rule: &regression.rule,
        title: find(&regression.rule).map_or("", |rule| rule.title),
        violations: failure.violations.iter().map(members).collect(),
        origin: regression.origin.map(|(seed, case)| json!({"seed": seed, "case": case})),
        replay: run.replay(failure),
        plan: &regression.scenario,
        transcript: Bytes(regression.scenario.transcript()),
        messages: Case::of(&regression.scenario).messages().to_vec(),
    }
}

fn members(violation: &Violation) -> ViolationMembers<'_> {
    ViolationMembers {
        path: violation.place.to_string(),
        place: match violation.place {
            Place::Whole => json!({"kind": "whole"}),
            Place::Message { index, block } => {
                json!({"kind": "message", "index": index, "block": block, "list": null})
            }
            Place::Streamed { list, index } => {
                json!({"kind": "message", "index": index, "block": null, "list": list.name()})
            }
            Place::Bytes { start, end } => json!({"kind": "bytes", "start": start, "end": end}),
            Place::Record { line, start, member, block } => {
                json!({"kind": "record", "line": line, "start": start, "member": member, "block": block})
            }
        },
        found: &violation.found,
        expected: &violation.expected,
        error: violation.error.as_deref(),
    }
}
