//! *Shrink quality*: whatever case a fault is found in, shrinking leads to one and the same smallest case, the
//! one that a person would have written down.

use rayon::prelude::*;
use turnproof::rules::{Verdict, find};
use turnproof::scenario::{Case, Scenario};
use turnproof::suite::{Depth, Observed, Options, judge, shrink};
use turnproof_faults::{self as faults, Fault};

/// The seeds whose first failing case is shrunk.
const SEEDS: std::ops::Range<u64> = 1..6;

/// Faults, and the plan that is left of a case that shows them.
const SMALLEST: [(&str, &str); 30] = [
    // A reader.
    (
        "parse/loses-glued-records",
        r#"{"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"no-line-end"}]},{"kind":"user","uuid":0}],"indexes":[]}"#,
    ),
    (
        "parse/loses-the-last-line",
        r#"{"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"no-line-end"}]}],"indexes":[]}"#,
    ),
    (
        "parse/numbers-through-doubles",
        r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":0,"extras":["long-numbers"]}],"indexes":[]}"#,
    ),
    ("parse/drops-unknown-kinds", r#"{"profile":"shuffled","lines":[{"kind":"unknown","uuid":0}],"indexes":[]}"#),
    (
        "parse/first-key-wins",
        r#"{"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"repeated-key"}]}],"indexes":[]}"#,
    ),
    (
        "parse/unlimited-depth",
        r#"{"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"nested","number":128}]}],"indexes":[]}"#,
    ),
    ("parse/panics-without-type", r#"{"profile":"shuffled","lines":[{"kind":"untyped","uuid":0}],"indexes":[]}"#),
    // A normalizer.
    (
        "normalize_api/sends-an-empty-prompt",
        r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":0}],"indexes":[]}"#,
    ),
    (
        "normalize_api/keeps-empty-text",
        r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":0,"blocks":[{"type":"text","text":"empty"}]}],"indexes":[]}"#,
    ),
    (
        "normalize_api/keeps-space-at-the-end",
        r#"{"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"text","text":"line-separators"}]}],"indexes":[]}"#,
    ),
    (
        "normalize_api/keeps-a-server-result-without-call",
        r#"{"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"server_tool_result"}]}],"indexes":[]}"#,
    ),
    (
        "normalize_api/sends-hook-results-as-text",
        r#"{"profile":"shuffled","lines":[{"kind":"hook_result","uuid":0}],"indexes":[]}"#,
    ),
    (
        "normalize_api/context-in-every-turn",
        r#"{"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"tool_use"}]}],"indexes":[],"context":true}"#,
    ),
    (
        "normalize_api/context-again-at-each-run",
        r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":0}],"indexes":[],"context":true}"#,
    ),
    (
        "normalize_api/context-in-the-last-turn",
        r#"{"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"tool_use"}]}],"indexes":[],"context":true}"#,
    ),
    (
        "normalize_api/context-before-results",
        r#"{"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"tool_use"}]}],"indexes":[],"context":true}"#,
    ),
    (
        "normalize_api/panics-at-thinking-without-text",
        r#"{"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"thinking","form":"without-text"}]}],"indexes":[]}"#,
    ),
    // Ids.
    ("derive_uuid/cuts-bytes", r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":13}],"indexes":[0]}"#),
    ("short_id/counts-dashes", r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":12}],"indexes":[]}"#),
    // A recorder.
    (
        "record/trusts-the-source",
        r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":0,"blocks":[{"type":"tool_result"}],"extras":["tool-error"]}],"indexes":[]}"#,
    ),
    ("record/cuts-torn-ends", r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":0}],"indexes":[]}"#),
    (
        "record/passes-over-messages-without-uuid",
        r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":null}],"indexes":[]}"#,
    ),
    // A resume.
    (
        "resume/knows-superseding-alone",
        r#"{"profile":"shuffled","lines":[{"kind":"user","uuid":11},{"kind":"user","uuid":0,"extras":["retracted"]}],"indexes":[]}"#,
    ),
    ("resume/finds-one-in-side-records", r#"{"profile":"shuffled","indexes":[]}"#),
    (
        "resume/needs-metadata",
        r#"{"profile":"shuffled","lines":[{"kind":"system","subtype":"compact-boundary","uuid":0}],"indexes":[]}"#,
    ),
    ("resume/loses-the-line-after-a-torn-one", r#"{"profile":"causal","actions":[{"type":"plain"}],"indexes":[]}"#),
    ("resume/keeps-to-one-session", r#"{"profile":"causal","actions":[{"type":"plain"}],"indexes":[]}"#),
    // A stream.
    (
        "accumulate/appends-compactions",
        r#"{"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"unknown","text":"another"}]}],"indexes":[]}"#,
    ),
    // A loop.
    ("play/sends-before-it-writes", r#"{"profile":"causal","actions":[{"type":"plain"}],"indexes":[]}"#),
    (
        "play/resumes-with-a-message-twice",
        r#"{"profile":"causal","actions":[{"type":"plain"},{"crash":0},"resume"],"indexes":[]}"#,
    ),
];

/// The first case of a seed that shows a fault, shrunk; none if it takes more than a thousand.
fn smallest(fault: &Fault, seed: u64) -> Option<Scenario> {
    let rule = find(fault.rule).unwrap();
    let options = Options { seed, ..Options::default() };
    let shows = |(number, plan): &(u64, Scenario)| {
        let observed = Observed::of(fault, &Case::of(plan), &[rule.operation()], Depth::Sample(*number));
        judge(rule, &observed).as_ref().is_some_and(Verdict::is_broken)
    };
    let (_, plan) = (0..1_000).map(|number| (number, options.scenario(number))).find(shows)?;
    Some(shrink(fault, rule, plan))
}

#[test]
fn each_fault_shrinks_to_its_smallest_case_from_wherever_it_is_found() {
    let wrong: Vec<String> = SMALLEST.par_iter().filter_map(|(id, json)| difference(id, json)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a fault shrinks to beside what is expected, if that is something else for one of the seeds.
fn difference(id: &str, json: &str) -> Option<String> {
    let fault = faults::find(id)?;
    let expected: Scenario = serde_json::from_str(json).ok()?;
    let found: Vec<Scenario> = SEEDS.filter_map(|seed| smallest(fault, seed)).collect();
    if found.len() < 2 {
        return Some(format!("{id} is found by {} seeds", found.len()));
    }
    let other = found.iter().find(|plan| **plan != expected)?;
    Some(format!("{id}\n   found {}\nexpected {json}", serde_json::to_string(other).unwrap()))
}

#[test]
fn the_table_names_faults_that_there_are_and_plans_that_can_be_read() {
    for (id, json) in SMALLEST {
        assert!(faults::all().any(|fault| fault.id == id), "{id}");
        let plan: Scenario = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&plan).unwrap(), json, "{id}");
    }
}
