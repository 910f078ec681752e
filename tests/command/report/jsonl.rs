//! `report.jsonl` for programs.

use std::collections::BTreeSet;

use serde_json::Value;
use turnproof_suite::scenario::{Case, Scenario};

use super::runs::{Run, STORED, drops_nulls, hostile, operation, reference};

fn lines(run: &Run) -> Vec<Value> {
    let text = &run.files()["report.jsonl"];
    assert!(text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

#[test]
fn the_header_comes_first_and_the_footer_last() {
    for run in [&*STORED, &hostile(), &reference(20)] {
        let lines = lines(run);
        assert_eq!((&lines[0]["kind"], &lines[lines.len() - 1]["kind"]), (&"header".into(), &"footer".into()));
        assert_eq!((of_kind(&lines, "header").len(), of_kind(&lines, "footer").len()), (1, 1));
        assert_eq!(lines[0]["format"], 3);
        assert_eq!(lines[0]["version"], "1.2.3");
        assert_eq!(lines[0]["seed"], run.options.seed);
        assert_eq!(lines[0]["rules"].as_array().unwrap().len(), run.report.counts.len());
    }
}

#[test]
fn the_counts_are_those_of_the_run() {
    let run = drops_nulls(0);
    let lines = lines(&run);
    let rules = of_kind(&lines, "rule");
    assert_eq!(rules.len(), run.report.counts.len());
    for (line, count) in rules.iter().zip(&run.report.counts) {
        assert_eq!(line["rule"], count.rule);
        assert_eq!(line["supported"], count.supported);
        let numbers = ["held", "not_applicable", "broken"].map(|name| line[name].as_u64().unwrap());
        assert_eq!(numbers, [count.held, count.not_applicable, count.broken]);
    }
    let footer = &lines[lines.len() - 1];
    let broken = run.report.counts.iter().filter(|count| count.broken > 0).count();
    assert!(broken > 0);
    assert_eq!(footer["verdict"], "broken");
    assert_eq!(footer["broken"], broken);
    assert_eq!(footer["cases"], 150);
    assert_eq!(of_kind(&lines, "failure").len(), run.report.failures.len());
    let held = self::lines(&reference(20));
    assert_eq!(held[held.len() - 1]["verdict"], "held");
    let nothing = self::lines(&reference(0));
    assert_eq!(nothing[nothing.len() - 1]["verdict"], "nothing");
}

#[test]
fn a_failure_holds_all_that_is_needed_to_play_it_again() {
    let lines = lines(&STORED);
    let failures = of_kind(&lines, "failure");
    assert_eq!(failures.len(), STORED.report.failures.len());
    for (line, failure) in failures.iter().zip(&STORED.report.failures) {
        let plan: Scenario = serde_json::from_value(line["plan"].clone()).unwrap();
        assert_eq!(plan, failure.regression.scenario);
        let transcript = match &line["transcript"] {
            Value::String(text) => text.clone().into_bytes(),
            numbers => serde_json::from_value(numbers.clone()).unwrap(),
        };
        assert_eq!(transcript, plan.transcript());
        assert_eq!(line["messages"].as_array().unwrap().len(), Case::of(&plan).messages().len());
        let violations = line["violations"].as_array().unwrap();
        assert_eq!(violations.len(), failure.violations.len());
        for (line, violation) in violations.iter().zip(&failure.violations) {
            assert_eq!(line["found"], violation.found.to_string());
            assert_eq!(line["expected"], violation.expected.to_string());
            assert_eq!(line["path"], violation.place.to_string());
            assert!(line["place"]["kind"].is_string() && line.get("error").is_some());
        }
    }
    let is_numbers = |line: &&&Value| line["transcript"].is_array();
    assert!(failures.iter().any(|line| line["transcript"].is_string()));
    assert!(failures.iter().filter(is_numbers).count() > 0, "no transcript that is no UTF-8");
}

#[test]
fn the_replay_command_plays_that_case_and_no_other() {
    let run = drops_nulls(0);
    let failure = &run.report.failures[0];
    let (seed, case) = failure.regression.origin.unwrap();
    let command = run.report_of().replay(failure);
    let words: Vec<&str> = command.split(' ').collect();
    let after = |name: &str| words[words.iter().position(|word| *word == name).unwrap() + 1];
    let shard: turnproof_suite::suite::Shard = after("--shard").parse().unwrap();
    let cases: u64 = after("--cases").parse().unwrap();
    assert_eq!((0..cases).filter(|&case| shard.has(case)).collect::<Vec<_>>(), [case]);
    assert_eq!((after("--seed"), after("--rules")), (seed.to_string().as_str(), failure.regression.rule.as_str()));
}

#[test]
fn a_place_in_what_was_made_of_a_stream_names_the_list_that_it_counts_in() {
    let lines = lines(&STORED);
    let mut lists = BTreeSet::new();
    for failure in of_kind(&lines, "failure") {
        let is_of_stream = operation(failure["rule"].as_str().unwrap()) == "accumulate";
        let places = failure["violations"].as_array().unwrap().iter().map(|violation| &violation["place"]);
        for place in places.filter(|place| place["kind"] == "message") {
            assert_eq!(place["list"].is_string(), is_of_stream, "{failure}");
            lists.extend(place["list"].as_str());
        }
    }
    for list in ["lines", "lines-and-tombstones", "live", "messages", "wholes"] {
        assert!(lists.contains(list), "{list} is not among {lists:?}");
    }
}
