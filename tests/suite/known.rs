//! Known deviations: what is known fails no run, and what has stopped does.

use turnproof_rules::operation::{Parsed, ParsedRecord};
use turnproof_rules::rules::{choose, find};
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::{
    DeviationFate, Known, Options, Regression, RegressionError, Report, Shard, load_regressions, run,
};

/// Reads as the reference does, and writes records in its own way.
struct Writes(fn(&mut ParsedRecord));

impl Subject for Writes {
    fn name(&self) -> &str {
        "writes 2.1"
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        let Outcome::Output(mut parsed) = Reference.parse(bytes) else { panic!("the reference reads anything") };
        parsed.records.iter_mut().for_each(self.0);
        Outcome::Output(parsed)
    }
}

/// Writes another document.
fn adds(record: &mut ParsedRecord) {
    if record.kind.as_deref() == Some("user") {
        record.written = br#"{"type":"user","more":1}"#.to_vec();
    }
}

/// Writes two lines.
fn breaks(record: &mut ParsedRecord) {
    if record.kind.as_deref() == Some("assistant") {
        record.written.push(b'\n');
    }
}

fn both(record: &mut ParsedRecord) {
    adds(record);
    breaks(record);
}

fn panics(record: &mut ParsedRecord) {
    assert!(record.kind.as_deref() != Some("user"), "a user");
}

fn right(_: &mut ParsedRecord) {}

fn options(known: impl IntoIterator<Item = Known>) -> Options {
    let rules = choose(&["wire/lossless", "wire/every-byte-accounted"]).unwrap();
    Options { cases: 60, rules, known: known.into_iter().collect(), ..Options::default() }
}

fn judged(writes: fn(&mut ParsedRecord), known: impl IntoIterator<Item = Known>) -> Report {
    run(&Writes(writes), &options(known), &[], &mut |_| {}).unwrap()
}

fn any() -> Known {
    Known::new("wire/lossless", "nobody reads it back")
}

/// What is known, as the smallest case of a subject shows it.
fn as_of(writes: fn(&mut ParsedRecord)) -> Known {
    let report = judged(writes, []);
    any().in_case(report.failures[0].regression.scenario.clone())
}

#[test]
fn what_is_known_is_counted_apart_and_fails_no_run() {
    let unknown = judged(both, []);
    let known = judged(both, [any()]);
    assert!(!unknown.holds() && unknown.failures.len() == 2);
    assert!(known.holds() && known.failures.is_empty());
    let [all, some] =
        [&unknown, &known].map(|report| report.counts.iter().find(|row| row.rule == "wire/lossless").unwrap());
    assert!(all.broken > 20);
    assert_eq!((some.broken, some.known, some.held), (0, all.broken, all.held));
    assert_eq!((some.tested(), all.known), (all.tested(), 0));
    assert_eq!(known.deviations[0].fate, DeviationFate::Deviates);
}

#[test]
fn what_does_not_deviate_any_more_fails_the_run() {
    for known in [any(), as_of(adds)] {
        let report = judged(right, [known.clone()]);
        assert!(report.failures.is_empty() && !report.holds());
        assert_eq!(report.stopped().map(|one| &one.known).collect::<Vec<_>>(), [&known]);
        assert!(report.deviations[0].stopped().contains("; take it out of the list"));
    }
    let source = Known { source: Some("turnproof.toml:3".into()), ..any() };
    assert!(judged(right, [source]).deviations[0].stopped().contains("take it out of the list (turnproof.toml:3)"));
}

#[test]
fn with_a_smallest_case_only_that_kind_of_violation_is_known() {
    assert!(judged(adds, [as_of(adds)]).holds());
    assert!(judged(breaks, [as_of(breaks)]).holds());
    let report = judged(both, [as_of(adds)]);
    assert!(!report.holds());
    let found: Vec<String> = report.failures.iter().map(|failure| failure.violations[0].found.to_string()).collect();
    assert_eq!(found, ["a record that is written with a line end in it"]);
    let count = &report.counts.iter().find(|row| row.rule == "wire/lossless").unwrap();
    assert!(count.known > 0 && count.broken > 0, "{count:?}");
    assert!(judged(both, [as_of(adds), as_of(breaks)]).holds(), "two kinds, each known");
    assert!(judged(breaks, [any().of_kind("line-end")]).holds() && !judged(both, [any().of_kind("line-end")]).holds());
    // It has stopped, and there is another kind.
    let other = judged(breaks, [as_of(adds)]);
    assert_eq!((other.failures.len(), other.stopped().count()), (1, 1));
}

#[test]
fn a_panic_that_is_known_is_known_of_each_rule_on_the_operation() {
    let report = judged(panics, []);
    assert_eq!(report.failures.len(), 2, "a panic breaks both rules");
    assert!(judged(panics, [as_of(panics)]).holds());
    assert!(!judged(panics, [any()]).holds(), "the other rule is not known to be broken");
}

#[test]
fn it_is_known_of_the_subject_that_is_named_with_or_without_its_version() {
    for name in ["writes", "writes 2.1", "writes*", "*"] {
        assert!(judged(both, [any().of_subject(name)]).holds(), "{name}");
    }
    for name in ["writes 2.0", "write", "reads", ""] {
        let report = judged(both, [any().of_subject(name)]);
        assert!(!report.holds() && report.deviations.is_empty(), "{name}");
    }
}

#[test]
fn a_part_of_a_run_and_one_of_other_rules_cannot_show_that_a_deviation_has_stopped() {
    let part = Options { shard: Shard::of_case(7), ..options([any()]) };
    let report = run(&Writes(right), &part, &[], &mut |_| {}).unwrap();
    assert!(report.holds());
    assert_eq!(report.deviations[0].fate, DeviationFate::Untold);
    let stored = judged(both, []).failures.remove(0).regression;
    let none = Options { cases: 0, ..options([any()]) };
    let report = run(&Writes(right), &none, &[stored], &mut |_| {}).unwrap();
    assert_eq!(report.deviations[0].fate, DeviationFate::Untold, "stored cases alone");
    let other = Options { rules: vec![find("wire/utf8").unwrap()], ..options([any()]) };
    assert!(run(&Writes(right), &other, &[], &mut |_| {}).unwrap().deviations.is_empty());
    let parts = (0..2).map(Shard::of_case);
    assert_eq!(parts.map(|shard| shard.to_string()).collect::<Vec<_>>(), ["1/1", "2/2"]);
}

#[test]
fn a_stored_case_is_read_from_its_file_and_must_be_of_the_rule() {
    let folder = tempfile::tempdir().unwrap();
    let regression: Regression = judged(adds, []).failures.remove(0).regression;
    let path = regression.save(folder.path()).unwrap();
    assert_eq!(load_regressions(folder.path()).unwrap().len(), 1);
    assert!(judged(adds, [any().in_stored_case(&path).unwrap()]).holds());
    let other = Known::new("wire/utf8", "why").in_stored_case(&path).unwrap_err();
    assert!(matches!(other, RegressionError::Other { .. }), "{other}");
    assert!(
        other.to_string().ends_with("it is a case of wire/lossless, not of wire/utf8; name one that breaks wire/utf8")
    );
    assert!(any().in_stored_case(folder.path().join("none.json")).is_err());
}
