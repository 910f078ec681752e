//! The command line shows the counts of *labels*.

use std::process::Command;

use turnproof::scenario::LABELS;

/// Runs the command; gives exit code, standard output and standard error.
fn turnproof(arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnproof"));
    let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn test_prints_families_of_labels_and_each_label_when_asked() {
    let call = ["test", "--seed", "7", "--cases", "40", "--rules", "id/derived-form"];
    let (code, out, error) = turnproof(&call);
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    assert!(out.contains("nearest to its limit") && out.contains("\ncrash "), "{out}");
    assert!(out.contains(&format!("all of {} labels often enough", LABELS.len())), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    let (_, out, _) = turnproof(&[&call[..], &["--labels"]].concat());
    assert!(LABELS.iter().all(|label| out.contains(&format!("\n{} ", label.name))), "{out}");
}

#[test]
fn show_label_prints_the_first_case_that_has_it() {
    let (code, out, _) = turnproof(&["test", "--seed", "7", "--show-label", "damage/torn-end"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("case ") && out.contains("(hostile) has damage/torn-end: the file ends"), "{out}");
    assert!(out.contains("\n  plan: {\"profile\":\"hostile\"") && out.contains("\n  | {"), "{out}");
    let (code, out, _) = turnproof(&["test", "--cases", "0", "--show-label", "crash/idle"]);
    assert_eq!((code, out.as_str()), (4, "none of 0 cases of seed 1 has the label crash/idle\n"));
}

#[test]
fn an_unknown_label_is_answered_with_near_ones() {
    let (code, out, error) = turnproof(&["test", "--show-label", "crahs/mid-block"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("no label `crahs/mid-block`") && error.contains("crash/mid-block"), "{error}");
    let (code, _, error) = turnproof(&["test", "--show-label", "nothing/of-the-kind-at-all"]);
    assert_eq!(code, 2);
    assert!(error.contains("turnproof test --labels"), "{error}");
}
