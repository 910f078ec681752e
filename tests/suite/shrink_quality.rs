//! *Shrink quality*: whatever case a fault is found in, shrinking gives the same smallest case. It is the one that a
//! person would have written.

use rayon::prelude::*;
use turnproof_faults::{self as faults, Fault};
use turnproof_rules::rules::{Verdict, find};
use turnproof_suite::scenario::{Case, Scenario};
use turnproof_suite::suite::{Depth, Observed, judge, shrink};

/// The seeds whose first failing case is shrunk.
const SEEDS: std::ops::Range<u64> = 1..6;

/// Between two plans of a row: what a fault shows in quite different parts of a plan ends in one or the other.
const OR: &str = " or ";

/// Faults, and the plan that is left of a case that shows them. Of one that makes several mistakes, a kind is named.
const SMALLEST: &str = r#"
parse/loses-glued-records:record-rejected {"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"no-line-end"},{"sort":"twice"}]}],"indexes":[]}
parse/loses-the-last-line {"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"no-line-end"}]}],"indexes":[]} or {"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"no-line-end"}]},{"kind":"user","uuid":0,"damage":[{"sort":"splice","number":2}]}],"indexes":[]}
parse/numbers-through-doubles {"profile":"shuffled","lines":[{"kind":"user","uuid":0,"extras":["long-numbers"]}],"indexes":[]}
parse/drops-unknown-kinds {"profile":"shuffled","lines":[{"kind":"unknown","uuid":0}],"indexes":[]}
parse/first-key-wins {"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"repeated-key"}]}],"indexes":[]}
parse/unlimited-depth {"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"nested","number":128}]}],"indexes":[]}
parse/panics-without-type {"profile":"shuffled","lines":[{"kind":"untyped","uuid":0}],"indexes":[]}
normalize_api/sends-an-empty-prompt {"profile":"shuffled","lines":[{"kind":"user","uuid":0}],"indexes":[]}
normalize_api/loses-statuses-of-tasks {"profile":"shuffled","lines":[{"kind":"attachment","form":"todo-reminder","uuid":0}],"indexes":[]}
normalize_api/keeps-space-at-the-end {"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"text","text":"line-separators"}]}],"indexes":[]}
normalize_api/loses-removals {"profile":"shuffled","lines":[{"kind":"attachment","form":"deferred-tools-delta","uuid":0}],"indexes":[]}
normalize_api/sends-hook-results-as-text {"profile":"shuffled","lines":[{"kind":"hook_result","uuid":0}],"indexes":[]}
normalize_api/context-in-every-turn {"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"tool_use"}]}],"indexes":[],"context":true}
normalize_api/context-again-at-each-run {"profile":"shuffled","lines":[{"kind":"user","uuid":0}],"indexes":[],"context":true}
normalize_api/context-in-the-last-turn {"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"tool_use"}]}],"indexes":[],"context":true}
normalize_api/context-before-results {"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"tool_use"}]}],"indexes":[],"context":true}
normalize_api/panics-at-thinking-without-text {"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"thinking","form":"without-text"}]}],"indexes":[]}
derive_uuid/cuts-bytes {"profile":"shuffled","lines":[{"kind":"user","uuid":13}],"indexes":[0]}
short_id/counts-dashes {"profile":"shuffled","lines":[{"kind":"user","uuid":12}],"indexes":[]} or {"profile":"shuffled","lines":[{"kind":"user","uuid":56}],"indexes":[]} or {"profile":"shuffled","lines":[{"kind":"user","uuid":57}],"indexes":[]}
record/trusts-the-source {"profile":"shuffled","lines":[{"kind":"user","uuid":0,"blocks":[{"type":"tool_result"}],"extras":["tool-error"]}],"indexes":[]}
record/cuts-torn-ends {"profile":"shuffled","lines":[{"kind":"user","uuid":0}],"indexes":[]} or {"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"no-line-end"}]}],"indexes":[1],"context":true}
record/passes-over-messages-without-uuid {"profile":"shuffled","lines":[{"kind":"user","uuid":null}],"indexes":[]} or {"profile":"hostile","lines":[{"kind":"user","uuid":0,"damage":[{"sort":"wrong-type","number":3}]}],"indexes":[]} or {"profile":"shuffled","indexes":[9]}
resume/knows-superseding-alone {"profile":"shuffled","lines":[{"kind":"user","uuid":11},{"kind":"user","uuid":0,"extras":["retracted"]}],"indexes":[]}
resume/finds-one-in-side-records {"profile":"shuffled","indexes":[]}
resume/needs-metadata {"profile":"shuffled","lines":[{"kind":"system","subtype":"compact-boundary","uuid":0}],"indexes":[]}
resume/loses-the-line-after-a-torn-one {"profile":"causal","actions":[{"type":"plain"}],"indexes":[]}
resume/keeps-to-one-session {"profile":"causal","actions":[{"type":"plain"}],"indexes":[]}
accumulate/appends-compactions {"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"compaction"}]}],"indexes":[]} or {"profile":"shuffled","indexes":[],"flows":[{"block":"compaction","start":"usual","end":"usual","fate":"whole","wire":"events"}]}
play/sends-before-it-writes {"profile":"causal","actions":[{"type":"plain"}],"indexes":[]}
fold/forgets-the-last-call {"profile":"shuffled","lines":[{"kind":"assistant","uuid":0,"blocks":[{"type":"tool_use"}]},{"kind":"assistant","uuid":0,"blocks":[{"type":"tool_use"}]}],"indexes":[]}
make/drops-the-budget {"profile":"shuffled","indexes":[],"makes":[{"factory":"turn-duration","content":"text","text":"plain","arguments":"all","identity":"nothing","number":0}]}
play/resumes-with-a-message-twice {"profile":"causal","actions":[{"type":"plain"},{"end":"done"},"resume"],"indexes":[]}
"#;

/// The rows of the table: the id of a fault, and a plan.
fn rows() -> Vec<(&'static str, &'static str)> {
    SMALLEST.trim().lines().filter_map(|line| line.split_once(' ')).collect()
}

/// The first case of a seed that shows a fault, shrunk. `None` when the first thousand cases do not show it. The first
/// violation is of `kind`, if one is given.
fn smallest(fault: &Fault, kind: Option<&str>, seed: u64) -> Option<Scenario> {
    let rule = find(fault.rule).unwrap();
    let options = fault.options(seed, 1_000);
    let shows = |(number, plan): &(u64, Scenario)| {
        let observed = Observed::of(fault, &Case::of(plan), &[rule.operation()], Depth::Sample(*number));
        let Some(Verdict::Broken(violations)) = judge(rule, &observed) else { return false };
        kind.is_none_or(|kind| violations[0].kind == kind)
    };
    let (_, plan) = (0..1_000).map(|number| (number, options.scenario(number))).find(shows)?;
    Some(shrink(fault, rule, plan))
}

#[test]
fn each_fault_shrinks_to_its_smallest_case_from_wherever_it_is_found() {
    let wrong: Vec<String> = rows().par_iter().filter_map(|(id, json)| difference(id, json)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a fault shrinks to and what is expected, when they differ for one of the seeds.
fn difference(id: &str, json: &str) -> Option<String> {
    let (id, kind) = id.split_once(':').map_or((id, None), |(id, kind)| (id, Some(kind)));
    let fault = faults::find(id)?;
    let expected: Vec<Scenario> = json.split(OR).filter_map(|plan| serde_json::from_str(plan).ok()).collect();
    let found: Vec<Scenario> = SEEDS.filter_map(|seed| smallest(fault, kind, seed)).collect();
    if found.len() < 2 {
        return Some(format!("{id} is found by {} seeds", found.len()));
    }
    let other = found.iter().find(|plan| !expected.contains(plan))?;
    Some(format!("{id}\n   found {}\nexpected {json}", serde_json::to_string(other).unwrap()))
}

#[test]
fn the_table_names_faults_that_there_are_and_plans_that_can_be_read() {
    assert_eq!(rows().len(), 32);
    for (id, json) in rows() {
        let id = id.split(':').next().unwrap_or_default();
        assert!(faults::all().any(|fault| fault.id == id), "{id}");
        for json in json.split(OR) {
            let plan: Scenario = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&plan).unwrap(), json, "{id}");
        }
    }
}
