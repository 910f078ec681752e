//! `turnproof test --client`: a client that runs as it is. One with a mistake is named, its case is made small, kept and
//! played again; one without is right.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::call::{run, turnproof};

/// The program of the small client, `tests/command/clients/talk.rs`. It is an example of this package.
fn talk() -> PathBuf {
    let folder = Path::new(assert_cmd::cargo::cargo_bin!("turnproof")).parent().expect("a folder");
    folder.join("examples").join(format!("talk{EXE_SUFFIX}"))
}

/// Whether that program is there: `cargo test` builds examples where no target is named.
fn has_talk() -> bool {
    let has = talk().exists();
    if !has {
        eprintln!("skipped: cargo build --workspace --example talk");
    }
    has
}

/// A folder with the small client, `right` or `wrong`.
fn client(name: &str) -> String {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        for (name, mistake) in [("right", ""), ("wrong", "thinking")] {
            let words = json!([talk().display().to_string(), "{prompt}"]);
            let text = format!(
                "package = \"{name}-client\"\nversion = \"1\"\nregistry = \"none\"\nfamily = \"stub\"\nfirst = {words}\n\
                 next = {words}\ntimeout = 30\n\n[environment]\nMISTAKE = \"{mistake}\"\n"
            );
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("client.toml"), text).unwrap();
        }
        folder
    });
    FOLDER.path().join(name).display().to_string()
}

fn tested(name: &str, more: &[&str]) -> (i32, String) {
    let (code, out, _) = run(turnproof(&["test", "--client", &client(name)]).args(more));
    (code, out)
}

#[test]
fn a_client_without_a_mistake_is_right() {
    if !has_talk() {
        return;
    }
    let (code, out) = tested("right", &["--cases", "12"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("client right-client 1, seed 1, 12 cases, 0 stored cases\n"), "{out}");
    assert!(out.ends_with("nothing is wrong\n"), "{out}");
}

#[test]
fn what_a_client_does_wrong_is_named_made_small_kept_and_played_again() {
    if !has_talk() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().display().to_string();
    let (code, first) = tested("wrong", &["--cases", "4", "--regressions", &kept]);
    assert_eq!(code, 1, "{first}");
    assert!(first.contains("loses or changes: talk/thinking-kept (dropped)"), "{first}");
    assert!(first.contains("1 prompt, 1 answer, 2 blocks"), "{first}");
    let file = Path::new(&kept).join("loses-talk-thinking-kept-dropped.json");
    let case: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(case["case"]["script"]["step"][0]["blocks"].as_array().map(Vec::len), Some(2), "{case}");
    // It is played again first, and nothing else is needed to find it.
    let (code, again) = tested("wrong", &["--cases", "0", "--regressions", &kept, "--format", "json"]);
    assert_eq!(code, 1, "{again}");
    let lines: Vec<Value> = again.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [replayed, breach, summary] = lines.as_slice() else { panic!("{again}") };
    assert_eq!((&replayed["outcome"], &breach["rule"]), (&"loses".into(), &"talk/thinking-kept".into()));
    assert_eq!((&summary["replayed"], &summary["cases"]), (&1.into(), &0.into()));
    // A client that is right does not show it.
    let (code, right) = tested("right", &["--cases", "0", "--regressions", &kept]);
    assert_eq!((code, right.contains("1 stored case")), (0, true), "{right}");
}

#[test]
fn the_same_call_finds_the_same() {
    if !has_talk() {
        return;
    }
    let once = tested("wrong", &["--cases", "5", "--seed", "3", "--format", "json"]);
    assert_eq!(once, tested("wrong", &["--cases", "5", "--seed", "3", "--format", "json"]));
}

#[test]
fn a_folder_without_a_client_is_a_wrong_call() {
    let (code, _, error) = run(&mut turnproof(&["test", "--client", "tests/command"]));
    assert_eq!(code, 2, "{error}");
    assert!(error.contains("client.toml"), "{error}");
    let (code, _, error) = run(&mut turnproof(&["test", "--client", &client("right"), "--sessions"]));
    assert_eq!((code, error.contains("cannot resume a session file")), (2, true), "{error}");
}

/// What a table of situations says of a small client with a mistake, or none. Its home is that of each situation.
fn suite(mistake: &str) -> (i32, String) {
    suite_with(mistake, &[])
}

fn suite_with(mistake: &str, more: &[&str]) -> (i32, String) {
    let program = talk().display().to_string();
    let mistake = format!("MISTAKE={mistake}");
    let words = ["env", "HOME={home}", &mistake, &program, "{prompt}"];
    let mut command = turnproof(&["mock", "--suite", "disturbances", "--timeout", "30"]);
    command.args(more);
    let (code, out, _) = run(command.arg("--").args(words).arg("--then").args(words));
    (code, out)
}

#[test]
fn each_situation_of_a_suite_has_a_row_and_what_is_wrong_follows() {
    if !has_talk() {
        return;
    }
    let (code, wrong) = suite("thinking");
    assert_eq!(code, 1, "{wrong}");
    let row = wrong.lines().find(|line| line.starts_with("thinking before a call ")).expect("a row");
    assert!(row.contains("loses or changes") && row.ends_with("talk/thinking-kept"), "{row}");
    assert!(wrong.contains("\nloses or changes: talk/thinking-kept (dropped)\n"), "{wrong}");
    let right = wrong.lines().filter(|line| line.split("  ").next() == Some("a call") && line.ends_with("right"));
    assert_eq!(right.count(), 1, "{wrong}");
}

#[test]
fn what_a_baseline_of_a_suite_knows_fails_nothing() {
    if !has_talk() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known.jsonl");
    let baseline = ["--only", "thinking*,call", "--baseline", known.to_str().unwrap()];
    let (code, first) = suite_with("thinking", &baseline);
    assert_eq!(code, 0, "{first}");
    let text = fs::read_to_string(&known).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() > 1 && lines.iter().any(|line| line["rule"] == "talk/thinking-kept"), "{text}");
    // One situation is new: it alone is reported as such.
    fs::write(&known, text.lines().skip(1).collect::<Vec<_>>().join("\n")).unwrap();
    let (code, new) = suite_with("thinking", &baseline);
    assert_eq!(code, 1, "{new}");
    let count = |end: &str| new.lines().filter(|line| line.contains(end)).count();
    assert!(count(" (known)  ") >= 1, "{new}");
    assert!(new.ends_with("\n1 problem found, each confirmed by a second run\n"), "{new}");
    fs::write(&known, "{}\n").unwrap();
    assert_eq!(suite_with("thinking", &baseline).0, 2);
}

#[test]
fn a_client_that_fails_behind_half_of_a_surrogate_pair_dies() {
    if !has_talk() {
        return;
    }
    let (code, out) = suite_with("halves", &["--only", "half-a-pair"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("\ndies: client/ends (failed)\n"), "{out}");
}

#[test]
fn a_client_that_takes_back_a_prompt_that_was_refused_is_right() {
    if !has_talk() {
        return;
    }
    let (code, out) = suite_with("refusals", &["--only", "refusal"]);
    assert_eq!(code, 0, "{out}");
}

#[test]
fn a_situation_that_the_requests_do_not_allow_is_not_played() {
    if !has_talk() {
        return;
    }
    let (code, out) = suite_with("unthinking", &["--only", "thinking,call"]);
    let row =
        |name: &str| out.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{out}")).to_owned();
    assert!(row("thinking before a call").contains("not played: its requests do not allow it"), "{out}");
    assert!(row("a call ").contains("right"), "{out}");
    assert_eq!(code, 0, "{out}");
}

#[test]
fn situations_are_chosen_by_their_names() {
    if !has_talk() {
        return;
    }
    let (code, out) = suite_with("thinking", &["--only", "plain,call"]);
    assert_eq!(code, 0, "{out}");
    let rows = out.lines().filter(|line| line.ends_with("  right")).count();
    assert_eq!(rows, 2, "{out}");
    let words = ["mock", "--suite", "disturbances", "--only", "no-such", "--", "true"];
    let (code, _, error) = run(&mut turnproof(&words));
    assert_eq!((code, error.contains("thinking-alone")), (2, true), "{error}");
}

#[test]
fn a_suite_wants_one_command_or_two() {
    for command in [&["--"][..], &["--", "a", "--then", "b", "--then", "c"]] {
        let (code, _, error) = run(&mut turnproof(&[&["mock", "--suite", "disturbances"], command].concat()));
        assert_eq!(code, 2, "{error}");
        assert!(error.contains("--then"), "{error}");
    }
}
