//! A conformance is a test for each rule of the catalogue. A failure names all that a reader needs, and a rule that had
//! nothing to judge does not pass.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use turnproof_rules::rules::{CATALOGUE, find};
use turnproof_suite::suite::conformance::test_name;
use turnproof_suite::suite::load_regressions;

/// The test of the rule that the subject breaks, when it is wrong.
const SHORT: &str = "short_id::id::short_form";

/// What the program prints on standard output and on standard error, and its exit code.
fn call(which: &str, arguments: &[&str], folder: &Path, environment: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(arguments).args(["--test-threads", "1"]).current_dir(folder).env("CONFORMANCE", which);
    for variable in ["CASES", "SEED", "CASE", "RULES"] {
        command.env_remove(format!("TURNPROOF_{variable}"));
    }
    command.env_remove("NEXTEST").env_remove("RUST_BACKTRACE");
    let Output { status, stdout, stderr } = command.envs(environment.iter().copied()).output().unwrap();
    let [out, errors] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    // How long it took.
    let out = out.split("; finished in").next().unwrap().to_owned();
    (status.code().unwrap(), out, errors)
}

/// Whether one test passes, and what is printed.
fn ask(which: &str, name: &str, folder: &Path, environment: &[(&str, &str)]) -> (bool, String) {
    let (code, out, errors) = call(which, &["--exact", name], folder, environment);
    assert!(out.contains("running 1 test\n"), "{name}: {out}{errors}");
    assert_eq!(errors, "");
    (code == 0, out)
}

fn anywhere() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The names of the tests, as `cargo test -- --list` prints them.
fn names(which: &str) -> BTreeSet<String> {
    let (code, out, errors) = call(which, &["--list"], anywhere().path(), &[]);
    assert_eq!((code, errors.as_str()), (0, ""));
    out.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

#[test]
fn there_is_one_test_for_each_rule_of_the_catalogue() {
    let rules = CATALOGUE.iter().filter(|rule| rule.audience.is_some());
    let wanted: BTreeSet<String> = rules.clone().map(|rule| test_name(rule)).collect();
    assert!(wanted.len() == rules.count() && wanted.len() > 90, "{}", wanted.len());
    assert!(wanted.contains("normalize_api::pairing::results_first"));
    assert_eq!(names("reference"), wanted);
}

#[test]
fn rules_that_are_not_claimed_or_left_out_have_no_test() {
    let names = |which: &str| names(which).into_iter().collect::<Vec<_>>().join(" ");
    let all = "derive_uuid::id::derived_deterministic derive_uuid::id::derived_form derive_uuid::id::derived_injective";
    let own = "operations_are_as_declared";
    assert_eq!(names("part"), format!("derive_uuid::id::derived_form {own} {SHORT}"));
    assert_eq!(names("kept"), format!("{all} {own} {SHORT}"));
    assert_eq!(names("left-out"), format!("{own} {SHORT}"));
    assert_eq!(names("without-a-list"), format!("{all} {SHORT}"), "all that the subject does");
    assert_eq!(names("known"), format!("[known] {SHORT} {all}"));
}

#[test]
fn a_filter_and_a_test_runner_of_another_kind_find_the_tests() {
    let folder = anywhere();
    let (code, out, _) = call("without-a-list", &["derived"], folder.path(), &[]);
    assert!(code == 0 && out.contains("running 3 tests\n"), "{out}");
    assert!(out.contains("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out"), "{out}");
    // As nextest asks.
    let list = ["--list", "--format", "terse"];
    let (_, out, _) = call("known", &list, folder.path(), &[]);
    assert!(out.lines().all(|line| line.ends_with(": test")) && out.lines().count() == 4, "{out}");
    let named = format!("[known] {SHORT}");
    let cuts = [("WRONG", "cuts"), ("NEXTEST", "1")];
    let (code, out, _) = call("known", &[&named, "--exact", "--nocapture"], folder.path(), &cuts);
    assert!(code == 0 && out.contains("1 passed"), "{out}");
}

#[test]
fn a_failure_shows_the_input_the_answer_what_was_expected_and_how_to_see_it_again() {
    let folder = anywhere();
    assert!(ask("part", SHORT, folder.path(), &[]).0);
    let (passed, text) = ask("part", SHORT, folder.path(), &[("WRONG", "cuts")]);
    assert!(!passed);
    assert!(text.contains("\nbroken: id/short-form (from case "), "{text}");
    assert!(text.contains(&format!("\n  rule: {}\n", find("id/short-form").unwrap().title)), "{text}");
    assert!(text.contains("; expected ") && text.contains("\n  plan: {\"profile\":"), "{text}");
    assert!(text.contains("\n  | {\"type\":"), "{text}");
    assert!(text.contains("\n  asked `short_id`: uuid \""), "{text}");
    assert!(text.contains("\n  answer to `short_id`: answer {\"Ok\":\""), "{text}");
    assert!(text.contains("\n  explain: turnproof explain id/short-form\n"), "{text}");

    let again = text.lines().find_map(|line| line.strip_prefix("  again: ")).unwrap();
    let words: Vec<&str> = again.split(' ').collect();
    assert_eq!((words[0], words.last()), ("TURNPROOF_SEED=3", Some(&SHORT)));
    // It plays this case alone, whatever the others hold.
    let case = words[1].strip_prefix("TURNPROOF_CASE=").unwrap();
    let one = [("WRONG", "cuts"), ("TURNPROOF_SEED", "3"), ("TURNPROOF_CASE", case)];
    assert_eq!(ask("part", SHORT, folder.path(), &one), (false, text));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is kept without a folder for it");
}

#[test]
fn a_process_for_each_test_prints_the_same_as_a_thread_for_each_test() {
    let folder = anywhere();
    for wrong in ["cuts", "panics", "no"] {
        let threads = ask("part", SHORT, folder.path(), &[("WRONG", wrong)]);
        let processes = ask("part", SHORT, folder.path(), &[("WRONG", wrong), ("NEXTEST", "1")]);
        assert_eq!(threads, processes);
        assert_eq!(threads.0, wrong == "no");
    }
}

#[test]
fn a_panic_of_the_subject_is_a_finding_with_its_file_and_line() {
    let folder = anywhere();
    let source = include_str!("../../src/bin/conformance.rs");
    for (wrong, found) in [("panics", "no id is short enough"), ("unwraps", "called `Option::unwrap()` on a `None`")] {
        let (passed, text) = ask("part", SHORT, folder.path(), &[("WRONG", wrong)]);
        assert!(!passed);
        assert!(text.contains(&format!("\n  the subject panicked: {found}")), "{text}");
        assert!(!text.contains("thread '"), "it is not printed as well: {text}");
        let line = source.lines().position(|line| line.contains(&format!("\"{wrong}\" =>"))).unwrap() + 1;
        let place = format!("src/bin/conformance.rs:{line}:");
        assert!(text.contains(&place), "{place}: {text}");
    }
}

#[test]
fn a_case_is_kept_and_replayed_first() {
    let folder = anywhere();
    let (passed, text) = ask("kept", SHORT, folder.path(), &[("WRONG", "cuts")]);
    assert!(!passed && text.contains("\n  kept as kept-cases/id-short-form-"), "{text}");
    let stored = load_regressions(&folder.path().join("kept-cases")).unwrap();
    assert_eq!(stored.len(), 1);

    let (passed, text) = ask("kept", SHORT, folder.path(), &[("WRONG", "cuts"), ("TURNPROOF_CASES", "0")]);
    assert!(!passed && text.contains("\nbroken: id/short-form\n"), "{text}");
    let again = text.lines().find_map(|line| line.strip_prefix("  again: TURNPROOF_CASES=0 ")).unwrap();
    assert!(again.ends_with(&format!("{SHORT} (the case is stored)")), "{again}");
    assert_eq!(load_regressions(&folder.path().join("kept-cases")).unwrap(), stored, "nothing is kept twice");

    let (passed, text) = ask("kept", SHORT, folder.path(), &[("TURNPROOF_CASES", "0")]);
    assert!(passed, "a stored case that holds puts the rule to the test: {text}");
    let other = "derive_uuid::id::derived_form";
    assert!(!ask("kept", other, folder.path(), &[("TURNPROOF_CASES", "0")]).0, "it is stored for another rule");
}

#[test]
fn a_rule_that_no_case_tested_does_not_pass() {
    let none = [("TURNPROOF_CASES", "0"), ("TURNPROOF_SEED", "5")];
    let (passed, text) = ask("part", "derive_uuid::id::derived_form", anywhere().path(), &none);
    assert!(!passed);
    assert!(text.contains("\nno case exercised it: id/derived-form\n"), "{text}");
    assert!(text.contains("none of the 0 cases of seed 5"), "{text}");
}

#[test]
fn what_is_known_passes_and_what_has_stopped_fails() {
    let folder = anywhere();
    let known = format!("[known] {SHORT}");
    let (passed, text) = ask("known", &known, folder.path(), &[("WRONG", "cuts")]);
    assert!(passed && text.contains("test [known] short_id::id::short_form ... ok\n"), "{text}");
    assert!(ask("known", &known, folder.path(), &[("WRONG", "panics")]).0, "whatever breaks it is known");
    let (passed, text) = ask("known", &known, folder.path(), &[]);
    assert!(!passed && text.contains("\na known deviation has stopped: id/short-form\n"), "{text}");
    assert!(text.contains("\n  known because: ids have three letters here\n  the rule held in every case"), "{text}");
    assert!(text.contains("; take it out of the list"), "{text}");
    assert!(!ask("known-of-another", SHORT, folder.path(), &[("WRONG", "cuts")]).0, "known of another subject");
}

#[test]
fn of_a_rule_with_a_known_case_another_kind_of_violation_fails() {
    let folder = anywhere();
    assert!(!ask("kept", SHORT, folder.path(), &[("WRONG", "cuts")]).0);
    let known = format!("[known] {SHORT}");
    assert!(ask("known-in-a-case", &known, folder.path(), &[("WRONG", "cuts")]).0);
    let (passed, text) = ask("known-in-a-case", &known, folder.path(), &[("WRONG", "panics")]);
    assert!(!passed && text.contains("\n  the subject panicked: "), "{text}");
    let (passed, text) = ask("known-in-a-case", &known, folder.path(), &[]);
    assert!(!passed && text.contains("\n  its case does not break the rule as it did; take it out"), "{text}");
}

#[test]
fn the_list_of_operations_is_compared_with_the_subject() {
    let folder = anywhere();
    assert!(ask("part", "operations_are_as_declared", folder.path(), &[]).0);
    let (passed, text) = ask("another-list", "operations_are_as_declared", folder.path(), &[]);
    let advice = "list the operations that it does: .operations([Operation::DeriveUuid, Operation::ShortId])";
    assert!(!passed);
    assert!(text.contains(&format!("`shortens 1.0` does not do `parse`, but `derive_uuid`; {advice}\n")), "{text}");
    let (passed, text) = ask("another-list", "parse::wire::utf8", folder.path(), &[]);
    let unknown = "`shortens 1.0` does not do `parse`, so nothing is known of wire/utf8; list";
    assert!(!passed && text.contains(unknown), "{text}");
}

#[test]
fn settings_that_mean_nothing_end_the_program_before_any_test() {
    let folder = anywhere();
    let refused = |which: &str, environment: &[(&str, &str)]| {
        let (code, out, errors) = call(which, &[SHORT], folder.path(), environment);
        assert_eq!((code, out.as_str()), (2, ""), "{which}: {errors}");
        errors.split_once("cannot be judged: ").unwrap().1.trim_end().to_owned()
    };
    assert_eq!(
        refused("unknown-glob", &[]),
        "`wire/no-*` is no rule on `derive_uuid`, `short_id`; write a rule's id, `family/*` or `*`"
    );
    assert!(refused("unknown-rule", &[]).starts_with("`id/shorts` is known to deviate, and is no rule that judges a"));
    assert!(refused("idle", &[]).starts_with("it does no operation at all: implement one of the methods"));
    for (variable, text) in [("TURNPROOF_CASES", "many"), ("TURNPROOF_SEED", "-1"), ("TURNPROOF_CASE", "1e3")] {
        let wanted = format!("{variable} is `{text}`, which is no whole number");
        assert_eq!(refused("part", &[(variable, text)]), wanted);
    }
    assert!(refused("part", &[("TURNPROOF_RULES", "id/shorts")]).starts_with("no rule matches `id/shorts`"));

    assert!(!ask("kept", SHORT, folder.path(), &[("WRONG", "cuts")]).0);
    let (path, mut stored) = load_regressions(&folder.path().join("kept-cases")).unwrap().remove(0);
    stored.rule = "id/forgotten".into();
    std::fs::write(&path, serde_json::to_string(&stored).unwrap()).unwrap();
    assert!(refused("kept", &[]).starts_with("a case is stored for `id/forgotten`, which is no rule"));
    std::fs::write(&path, "{").unwrap();
    assert!(refused("kept", &[]).contains("not a regression of this version"));
}

#[test]
fn the_variables_go_before_the_settings() {
    let folder = anywhere();
    let (_, out, _) = call("part", &[], folder.path(), &[("TURNPROOF_RULES", "id/derived-*")]);
    assert!(out.contains("running 1 test\n") && out.contains("derive_uuid::id::derived_form ... ok"), "{out}");
    let (_, text) = ask("part", SHORT, folder.path(), &[("WRONG", "cuts"), ("TURNPROOF_SEED", " 9 ")]);
    assert!(text.contains(" of seed 9)\n"), "{text}");
}
