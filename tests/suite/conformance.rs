//! `conformance!` expands to one test for each rule of the catalogue. A failure names all that a reader needs, and a
//! rule that had nothing to judge does not pass.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use turnproof::operation::Operation;
use turnproof::rules::{CATALOGUE, Judge, Rule, find};
use turnproof::subject::{Outcome, Reference, Subject};
use turnproof::suite::conformance::{Conformance, Settings, listed};
use turnproof::suite::load_regressions;
use turnproof_faults as faults;

/// Every test, with few cases: other tests judge the reference with more.
mod reference {
    use super::Reference;

    turnproof::conformance!(Reference, cases = 600);
}

/// Two operations, and only some of their rules.
mod part {
    use super::Shortens;

    turnproof::conformance!(Shortens::<u8, 1> { of: 0 }: short_id, derive_uuid,
        rules = ["id/short-form", "id/derived-form",], cases = 50, seed = 3);
}

/// One family, written without a list, and stored cases.
mod kept {
    use super::Shortens;

    turnproof::conformance!(Shortens::<u8, 2> { of: 0 }: derive_uuid, short_id, seed = 3, cases = 50,
        regressions = "kept-cases", rules = "id/*",);
}

/// The reference, unless the environment asks for a fault. Its type has a comma.
struct Shortens<T, const LENGTH: usize> {
    of: T,
}

impl<T: Sync, const LENGTH: usize> Subject for Shortens<T, LENGTH> {
    fn name(&self) -> &str {
        let _ = &self.of;
        "shortens"
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        match std::env::var("WRONG").as_deref() {
            Ok("panics") => panic!("no id is short enough"),
            Ok("cuts") => Outcome::Output(uuid.chars().take(LENGTH).collect()),
            _ => Reference.short_id(uuid),
        }
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        Reference.derive_uuid(parent, index)
    }
}

#[test]
fn the_list_of_the_macro_is_the_catalogue() {
    let judges = |rule: &&&Rule| !matches!(rule.judge, Judge::Transcript(_) | Judge::Request { structural: false, .. });
    let wanted: BTreeSet<(String, String, &str)> = CATALOGUE
        .iter()
        .filter(judges)
        .map(|rule| (rule.operation().name().to_owned(), rule.id.replace('/', "::").replace('-', "_"), rule.id))
        .collect();
    let list = listed();
    let found: BTreeSet<(String, String, &str)> =
        list.iter().map(|rule| (rule.operation.to_owned(), rule.test.to_owned(), rule.id)).collect();
    assert_eq!(found.len(), list.len(), "a rule is listed twice in src/suite/conformance/list.rs");
    let missing = wanted.difference(&found).map(|(operation, test, id)| {
        let (family, name) = test.split_once("::").unwrap();
        format!("add to `{operation}`, in `{family} \"{family}/*\"`:    {name} \"{id}\",")
    });
    let odd = found.difference(&wanted).map(|(operation, test, id)| {
        format!("take out of `{operation}`: `{test}` (\"{id}\"), which is no rule that it has")
    });
    let changes: Vec<String> = missing.chain(odd).collect();
    assert!(changes.is_empty(), "in src/suite/conformance/list.rs:\n{}", changes.join("\n"));
}

/// The names of the tests of a module, as `cargo test -- --list` prints them.
fn names_below(module: &str) -> BTreeSet<String> {
    let output = Command::new(std::env::current_exe().unwrap()).arg("--list").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
    names.filter_map(|name| name.strip_prefix(module)?.strip_prefix("::")).map(str::to_owned).collect()
}

fn with_own_tests<'a>(rules: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let own = ["operations_are_as_declared", "settings_are_understood"];
    rules.into_iter().chain(own).map(str::to_owned).collect()
}

#[test]
fn every_rule_is_a_test_unless_the_invocation_leaves_it_out() {
    let all: Vec<String> = listed().iter().map(|rule| format!("{}::{}", rule.operation, rule.test)).collect();
    assert!(all.len() > 90);
    assert_eq!(names_below("conformance::reference"), with_own_tests(all.iter().map(String::as_str)));
    let some = ["derive_uuid::id::derived_form", "short_id::id::short_form"];
    assert_eq!(names_below("conformance::part"), with_own_tests(some));
    let ids = all.iter().filter(|name| name.contains("::id::")).map(String::as_str);
    assert_eq!(names_below("conformance::kept"), with_own_tests(ids));
}

/// What `cargo test NAME` prints in a folder and an environment.
fn ask(name: &str, folder: &Path, environment: &[(&str, &str)]) -> (bool, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--test-threads", "1"]).current_dir(folder);
    for variable in ["TURNPROOF_CASES", "TURNPROOF_SEED", "NEXTEST", "WRONG", "RUST_BACKTRACE"] {
        command.env_remove(variable);
    }
    let output = command.envs(environment.iter().copied()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("running 1 test"), "{name}: {text}");
    // How long it took.
    let text = text.split("; finished in").next().unwrap().to_owned();
    (output.status.success(), text)
}

#[test]
fn a_failure_names_the_rule_the_case_and_how_to_see_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let name = "conformance::part::short_id::id::short_form";
    assert!(ask(name, folder.path(), &[]).0);
    let (passed, text) = ask(name, folder.path(), &[("WRONG", "cuts")]);
    assert!(!passed);
    assert!(text.contains("Error: broken: id/short-form (from case "), "{text}");
    assert!(text.contains(&format!("  rule: {}\n", find("id/short-form").unwrap().title)), "{text}");
    assert!(text.contains("; expected ") && text.contains("\n  plan: {\"profile\":"), "{text}");
    assert!(text.contains("\n  | {\"type\":"), "{text}");

    let again = text.lines().find_map(|line| line.strip_prefix("  again: ")).unwrap();
    let words: Vec<&str> = again.split(' ').collect();
    assert_eq!(words[0], "TURNPROOF_SEED=3");
    assert_eq!(words[2..], ["cargo", "test", name]);
    let cases = words[1].strip_prefix("TURNPROOF_CASES=").unwrap();
    let (passed, fewer) = ask(name, folder.path(), &[("WRONG", "cuts"), ("TURNPROOF_CASES", cases)]);
    assert_eq!((passed, fewer), (false, text));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is kept without a folder for it");
}

#[test]
fn a_process_for_each_test_prints_the_same_as_a_thread_for_each_test() {
    let folder = tempfile::tempdir().unwrap();
    for wrong in ["cuts", "panics", "no"] {
        let name = "conformance::part::short_id::id::short_form";
        let threads = ask(name, folder.path(), &[("WRONG", wrong)]);
        let processes = ask(name, folder.path(), &[("WRONG", wrong), ("NEXTEST", "1")]);
        assert_eq!(threads, processes);
        assert_eq!(threads.0, wrong == "no");
    }
}

#[test]
fn panics_of_the_subject_are_findings_and_not_printed_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let (passed, text) = ask("conformance::part::short_id::id::short_form", folder.path(), &[("WRONG", "panics")]);
    assert!(!passed);
    let (finding, word) = ("the subject panicked: no id is short enough; expected", "no id is short enough");
    assert!(text.contains(finding), "{text}");
    // At most the three violations that are shown.
    assert!(text.matches(word).count() <= 3 && !text.contains("thread '"), "{text}");

    let (passed, text) = ask("conformance::other_panics_are_printed", folder.path(), &[("WRONG", "panics")]);
    assert!(!passed && text.contains("this one is printed"), "{text}");
}

/// Fails when the environment asks for it, so that another test can read its output.
#[test]
fn other_panics_are_printed() {
    let judged = shortens(&["short_id"], Settings::default().cases(5)).rule("id/short-form", "t::x");
    assert!(std::env::var_os("WRONG").is_none(), "this one is printed: {}", judged.is_err());
}

#[test]
fn a_case_is_kept_and_replayed_first() {
    let folder = tempfile::tempdir().unwrap();
    let name = "conformance::kept::short_id::id::short_form";
    let (passed, text) = ask(name, folder.path(), &[("WRONG", "cuts")]);
    assert!(!passed && text.contains("\n  kept as kept-cases/id-short-form-"), "{text}");
    let stored = load_regressions(&folder.path().join("kept-cases")).unwrap();
    assert_eq!(stored.len(), 1);

    let (passed, text) = ask(name, folder.path(), &[("WRONG", "cuts"), ("TURNPROOF_CASES", "0")]);
    assert!(!passed && text.contains("Error: broken: id/short-form\n"), "{text}");
    assert!(text.contains(&format!("  again: cargo test {name} (the case is stored)\n")), "{text}");
    assert_eq!(load_regressions(&folder.path().join("kept-cases")).unwrap(), stored, "nothing is kept twice");

    let (passed, text) = ask(name, folder.path(), &[("TURNPROOF_CASES", "0")]);
    assert!(passed, "a stored case that holds puts the rule to the test: {text}");
    let other = "conformance::kept::derive_uuid::id::derived_form";
    assert!(!ask(other, folder.path(), &[("TURNPROOF_CASES", "0")]).0, "it is stored for another rule");
}

#[test]
fn a_rule_that_no_case_tested_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let name = "conformance::part::derive_uuid::id::derived_form";
    let (passed, text) = ask(name, folder.path(), &[("TURNPROOF_CASES", "0"), ("TURNPROOF_SEED", "5")]);
    assert!(!passed);
    assert!(text.contains("Error: no case put it to the test: id/derived-form\n"), "{text}");
    assert!(text.contains("none of the 0 cases of seed 5"), "{text}");
}

fn reference(operations: &[&'static str], settings: Settings) -> Conformance {
    Conformance::new("Reference", || Box::new(Reference), operations, settings)
}

fn shortens(operations: &[&'static str], settings: Settings) -> Conformance {
    Conformance::new("Mine::new()", || Box::new(Shortens::<u8, 3> { of: 0 }), operations, settings)
}

#[test]
fn a_rule_on_what_the_subject_does_not_do_does_not_pass() {
    let mine = shortens(&["short_id", "record"], Settings::default().cases(10));
    assert_eq!(
        mine.rule("record/total", "tests::record::record::total").unwrap_err().to_string(),
        "`shortens` does not do `record`, so nothing is known of record/total; list the operations that it does: \
         conformance!(Mine::new(): derive_uuid, short_id)"
    );
    struct Idle;
    impl Subject for Idle {
        fn name(&self) -> &str {
            "idle"
        }
    }
    let idle = Conformance::new("Idle", || Box::new(Idle), &["parse"], Settings::default());
    let error = idle.rule("wire/utf8", "tests::parse::wire::utf8").unwrap_err().to_string();
    assert!(error.contains("it does no operation at all"), "{error}");
}

#[test]
fn the_list_of_operations_is_compared_with_the_subject() {
    let error = |operations: &[&'static str]| {
        shortens(operations, Settings::default()).operations_are_as_declared().map_err(|error| error.to_string())
    };
    assert_eq!(error(&["short_id", "derive_uuid"]), Ok(()));
    let advice = "; list the operations that it does: conformance!(Mine::new(): derive_uuid, short_id)";
    assert_eq!(error(&["short_id"]), Err(format!("`shortens` does `derive_uuid` as well{advice}")));
    assert_eq!(
        error(&["short_id", "derive_uuid", "parse", "play"]),
        Err(format!("`shortens` does not do `parse`, `play`{advice}"))
    );
    assert_eq!(
        error(&["derive_uuid", "parse"]),
        Err(format!("`shortens` does not do `parse`, but `short_id`{advice}"))
    );
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    let error = |settings: Settings| {
        reference(&["parse", "short_id"], settings).settings_are_understood().map_err(|error| error.to_string())
    };
    assert_eq!(error(Settings::default()), Ok(()));
    assert_eq!(error(Settings::default().rules(&["\"wire/*\"", "\"id/short-form\""])), Ok(()));
    for claim in ["wire/no-*", "pairing/*", "chain/root", "r\"wire/*\"", ""] {
        let error = error(Settings::default().rules(&["wire/utf8", claim])).unwrap_err();
        assert!(error.starts_with(&format!("`{claim}` is no rule on `parse`, `short_id`;")), "{error}");
    }

    let folder = tempfile::tempdir().unwrap();
    let kept = || Settings::default().regressions(folder.path());
    assert_eq!(error(kept()), Ok(()));
    let fault = || -> Box<dyn Subject> { Box::new(*faults::find("derive_uuid/decimal-index").unwrap()) };
    let wrong = Conformance::new("Wrong", fault, &["derive_uuid"], kept());
    let error_of_rule = wrong.rule("id/derived-form", "t::x").unwrap_err().to_string();
    assert!(error_of_rule.contains("  kept as "), "{error_of_rule}");
    assert_eq!(error(kept()), Ok(()));
    let (path, mut stored) = load_regressions(folder.path()).unwrap().remove(0);
    stored.rule = "id/forgotten".into();
    std::fs::write(&path, serde_json::to_string(&stored).unwrap()).unwrap();
    let lost = error(kept()).unwrap_err();
    assert!(lost.starts_with("a case is stored for `id/forgotten`, which is no rule"), "{lost}");
    std::fs::write(&path, "{").unwrap();
    let unreadable = error(kept()).unwrap_err();
    assert!(unreadable.contains("not a regression of this version"), "{unreadable}");
    let rule = reference(&["short_id"], kept()).rule("id/short-form", "t::x").unwrap_err().to_string();
    assert_eq!(rule, unreadable);
}

#[test]
fn a_variable_that_is_no_number_fails_every_rule() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["conformance::part::short_id::id::short_form", "conformance::part::settings_are_understood"] {
        let (passed, text) = ask(name, folder.path(), &[("TURNPROOF_CASES", "many")]);
        assert!(!passed);
        assert!(text.contains("Error: TURNPROOF_CASES is `many`, which is no whole number"), "{text}");
    }
}

#[test]
fn the_environment_goes_before_the_settings() {
    let settings = Settings::default().cases(5).seed(6);
    let set = |name: &str| (name == "TURNPROOF_SEED").then(|| " 9 ".to_owned());
    assert_eq!(settings.in_environment(set), Ok(settings.clone().seed(9)));
    let set = |name: &str| (name == "TURNPROOF_CASES").then(|| "70".to_owned());
    assert_eq!(settings.in_environment(set), Ok(settings.clone().cases(70)));
    assert_eq!(settings.in_environment(|_| None), Ok(settings.clone()));
    for text in ["", "many", "-1", "1e3"] {
        let error = settings.in_environment(|_| Some(text.to_owned())).unwrap_err();
        assert!(error.contains("TURNPROOF_CASES") && error.contains(text), "{error}");
    }
}

#[test]
fn claims_are_whole_families_or_single_rules() {
    let ids = |claims: &[&'static str]| -> Vec<&str> {
        let rules = Settings::default().rules(claims).claimed(Operation::NormalizeApi);
        rules.into_iter().map(|rule| rule.id).collect()
    };
    assert_eq!(
        ids(&["\"thinking/*\"", "api/first-user"]),
        ["api/first-user", "thinking/not-last", "thinking/signed", "thinking/unmodified"]
    );
    assert!(ids(&["*"]).len() > 25);
    assert!(ids(&["wire/*", "api/first-*", "r\"api/*\"", "thinking"]).is_empty());
}

#[test]
fn a_claim_about_no_rule_of_the_operations_is_empty() {
    let empty = |claim: &'static str, operation: &'static str| {
        let conformance = reference(&[operation], Settings::default().rules(&[claim]));
        conformance.settings_are_understood().err().map(|error| error.to_string())
    };
    let is_empty = |claim: &'static str, operation: &'static str| {
        empty(claim, operation).is_some_and(|why| why.starts_with(&format!("`{claim}` is no rule on `{operation}`;")))
    };
    assert_eq!(empty("wire/*", "parse"), None);
    assert!(is_empty("wire/*", "record"));
    assert!(is_empty("wire/no-*", "parse"));
    // Sizes are judged in requests alone.
    assert!(is_empty("api/media-limits", "normalize_api"));
}
