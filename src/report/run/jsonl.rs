//! `report.jsonl`: a run for programs, one JSON object a line, each with a `kind`.
//!
//! The `header` comes first and the `footer` last. A file without its footer was cut off, and is still readable.
//!
//! | kind | member | what |
//! |---|---|---|
//! | `header` | `format` | the version of this format: 3 |
//! | | `version` | the version of turnproof |
//! | | `subject` | who was judged |
//! | | `seed`, `cases` | the seed, and how many cases the whole run has |
//! | | `profiles` | the profiles that cases were drawn from |
//! | | `shard` | the part that ran, as `1/4`; null for the whole |
//! | | `rules` | the ids of the rules that were asked |
//! | `failure` | `rule`, `title` | a rule that was broken, and what it says |
//! | | `violations` | what is wrong in the smallest case: each with `path` (as the API writes it), `place`, `found`, `expected`, and the `error` that the API would give or null |
//! | | `origin` | `seed` and `case` that the smallest case was found from; null for a stored one |
//! | | `cut_off` | how many smaller cases were tried, when there were more to try; else null |
//! | | `asked` | what the subject was asked in the smallest case, in lines: the request that it checked, or the steps of a recording; else empty |
//! | | `said` | what the subject itself said in the smallest case, in lines; empty where it is not known |
//! | | `replay` | the command that plays that case again |
//! | | `plan` | the smallest case: the `scenario` of the file that `turnproof test` keeps |
//! | | `transcript` | its transcript: a string, or a list of numbers where the bytes are not UTF-8 |
//! | | `messages` | its messages, each as JSON text, since strings may hold halves of surrogate pairs |
//! | `crash` | `operation`, `crash` | an operation at which the subject crashed, and in which way: `crashed`, `timed-out`, `out-of-memory`, `no-answer`, `wrong-shape` or `not-asked` |
//! | | `violations` and all behind it | as those of a `failure`; a crash breaks no rule |
//! | `rule` | `rule`, `operation` | a rule that was asked, and the operation that it judges |
//! | | `supported` | whether the subject does that operation |
//! | | `held`, `not_applicable`, `broken` | in how many cases it held, was not exercised, was broken |
//! | | `known` | in how many cases it was broken only as is known; they are not among `broken` |
//! | `known` | `rule`, `reason`, `subject`, `source` | a known deviation, of which subject, and where it is written down |
//! | | `plan` | its smallest case; null where any is known |
//! | | `fate` | `deviates`; `stopped`, which fails the run; `untold` where the run cannot tell |
//! | `footer` | `cases`, `replayed` | how many cases ran, and how many stored ones beside |
//! | | `rules`, `tested`, `broken` | how many rules were asked, exercised, broken |
//! | | `crashed` | in how many cases the subject crashed, otherwise than is known |
//! | | `known`, `stopped` | how many rules were broken only as is known, and how many known deviations have stopped |
//! | | `verdict` | `broken`; `crashed` when no rule is broken and the subject crashed; `ended` when a signal ended the run; `stopped` when known deviations alone are; `held`; `nothing` when no rule was exercised |
//!
//! A `place` has a `kind` of its own: `whole`; `message` with `index`, `block` (null for all of it) and `list` (the
//! name of a [`StreamList`](turnproof_rules::rules::StreamList), null where the rule is not on streams); `bytes` with `start`
//! and `end`; `record` with `line`, `start`, `member` and `block`.

use serde_json::{Value, json};

use turnproof_rules::rules::{Place, Violation, find};
use turnproof_suite::scenario::Case;
use turnproof_suite::suite::Failure;

use super::RunReport;
use crate::report::jsonl::{JsonLine, values};

/// The version of the format; it changes when a member changes its meaning or goes.
pub const FORMAT: u32 = 3;

/// Bytes: a string where they are UTF-8, else numbers.
fn bytes(bytes: &[u8]) -> Value {
    std::str::from_utf8(bytes).map_or_else(|_| json!(bytes), Value::from)
}

/// The file.
pub fn text(run: &RunReport<'_>) -> String {
    let failures = run.report.failures.iter().map(|failure| failure_line(run, failure));
    let rules = run.report.counts.iter().map(|count| {
        JsonLine::new("rule")
            .with("rule", count.rule)
            .with("operation", find(count.rule).map(|rule| rule.operation()))
            .with("supported", count.supported)
            .with("held", count.held)
            .with("not_applicable", count.not_applicable)
            .with("broken", count.broken)
            .with("known", count.known)
    });
    let known = run.report.deviations.iter().map(|deviation| {
        JsonLine::new("known")
            .with("rule", &deviation.known.rule)
            .with("reason", &deviation.known.reason)
            .with("subject", &deviation.known.subject)
            .with("source", &deviation.known.source)
            .with("plan", &deviation.known.case)
            .with("fate", deviation.fate)
    });
    let lines = std::iter::once(header(run)).chain(failures).chain(rules).chain(known).chain([footer(run)]);
    lines.map(JsonLine::end).collect()
}

fn header(run: &RunReport<'_>) -> JsonLine {
    JsonLine::new("header")
        .with("format", FORMAT)
        .with("version", run.version)
        .with("subject", &run.report.subject)
        .with("seed", run.options.seed)
        .with("cases", run.options.cases)
        .with("profiles", run.profiles())
        .with("shard", run.part().map(|shard| shard.to_string()))
        .with("rules", run.report.counts.iter().map(|count| count.rule).collect::<Vec<_>>())
}

fn footer(run: &RunReport<'_>) -> JsonLine {
    let ((broken, known, tested), stopped) = (run.tested(), run.stopped());
    let verdict = match (broken, stopped, tested) {
        (1.., ..) => "broken",
        _ if run.report.crashed_cases > 0 => "crashed",
        _ if run.report.is_stopped => "ended",
        (0, 1.., ..) => "stopped",
        (0, 0, 0) => "nothing",
        (0, 0, _) => "held",
    };
    JsonLine::new("footer")
        .with("cases", run.report.cases)
        .with("replayed", run.report.replayed)
        .with("rules", run.report.counts.len())
        .with("tested", tested)
        .with("broken", broken)
        .with("crashed", run.report.crashed_cases)
        .with("known", known)
        .with("stopped", stopped)
        .with("verdict", verdict)
}

fn failure_line(run: &RunReport<'_>, failure: &Failure) -> JsonLine {
    let regression = &failure.regression;
    let line = match failure.crashed() {
        Some(operation) => JsonLine::new("crash").with("operation", operation).with("crash", &regression.kind),
        None => JsonLine::new("failure")
            .with("rule", &regression.rule)
            .with("title", find(&regression.rule).map_or("", |rule| rule.title)),
    };
    line.with("violations", failure.violations.iter().map(members).collect::<Vec<_>>())
        .with("origin", regression.origin.map(|(seed, case)| json!({"seed": seed, "case": case})))
        .with("cut_off", failure.cut_off)
        .with("asked", &failure.asked)
        .with("stream", failure.stream.as_deref().map(bytes))
        .with("said", &failure.said)
        .with("replay", run.replay(failure))
        .with("plan", &regression.scenario)
        .with("transcript", bytes(&regression.scenario.transcript()))
        .with("messages", Case::of(&regression.scenario).messages())
}

fn members(violation: &Violation) -> Value {
    let place = match violation.place {
        Place::Whole => json!({"kind": "whole"}),
        Place::Message { index, block } => json!({"kind": "message", "index": index, "block": block, "list": null}),
        Place::Streamed { list, index } => {
            json!({"kind": "message", "index": index, "block": null, "list": list.name()})
        }
        Place::Event { number, line } => json!({"kind": "event", "number": number, "line": line}),
        Place::Reply { block, member } => json!({"kind": "reply", "block": block, "member": member}),
        Place::Bytes { start, end } => json!({"kind": "bytes", "start": start, "end": end}),
        Place::Record { line, start, member, block } => {
            json!({"kind": "record", "line": line, "start": start, "member": member, "block": block})
        }
    };
    json!({
        "path": violation.place.to_string(),
        "place": place,
        "kind": violation.kind,
        "found": violation.found.to_string(),
        "expected": violation.expected.to_string(),
        "values": values(violation.found.values().iter().chain(violation.expected.values())),
        "error": violation.error,
    })
}
