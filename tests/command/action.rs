//! The *GitHub action* and the hooks of pre-commit, as far as they run without their services.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::call::{run, turnproof};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the action's step says in a clean folder with the samples, and its exit code.
fn judged(folder: &Path, inputs: &[(&str, &str)]) -> (i32, String) {
    for name in ["session.jsonl", "request.json"] {
        fs::copy(root().join("docs/samples").join(name), folder.join(name)).unwrap();
    }
    let mut command = Command::new("bash");
    command.arg(root().join("packaging/action.sh")).current_dir(folder);
    command.env("TURNPROOF", assert_cmd::cargo::cargo_bin!("turnproof"));
    command.env("GITHUB_STEP_SUMMARY", folder.join("summary.md")).env("SARIF", folder.join("sarif"));
    for name in ["SESSIONS", "REQUESTS", "RECORDINGS", "COMMAND", "MOCK_OPTIONS"] {
        let given = inputs.iter().find(|(input, _)| *input == name).map_or("", |(_, value)| value);
        command.env(name, given);
    }
    let output = command.output().expect("bash runs");
    (output.status.code().expect("it ends"), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn rule_ids(sarif: &Path) -> Vec<String> {
    let document: Value = serde_json::from_str(&fs::read_to_string(sarif).unwrap()).unwrap();
    let results = document["runs"][0]["results"].as_array().unwrap().clone();
    results.iter().map(|result| result["ruleId"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_action_annotates_writes_sarif_and_a_summary_and_fails_for_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [("SESSIONS", "session.jsonl\n"), ("REQUESTS", "request.json"), ("COMMAND", "true")];
    let (code, said) = judged(folder.path(), &inputs);
    // No request came from `true`: 4 is the worst.
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("::error file=request.json,line=1,title=pairing/result-follows-use"), "{said}");
    assert!(said.contains("::error file=session.jsonl,line=1,title=refused"), "{said}");
    assert_eq!(rule_ids(&folder.path().join("sarif/requests.sarif")), ["pairing/result-follows-use"]);
    assert!(rule_ids(&folder.path().join("sarif/sessions.sarif")).contains(&"tool/call-answered".to_owned()));
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    for heading in ["### turnproof: sessions", "### turnproof: requests", "### turnproof: true"] {
        assert!(summary.contains(heading), "{summary}");
    }
}

#[test]
fn the_action_judges_recordings_and_passes_where_nothing_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("cassettes")).unwrap();
    let exchange = r#"{"url":"https://api.anthropic.com/v1/messages","status":200,"request":{"model":"m","max_tokens":5,
        "messages":[{"role":"user","content":"a"}]},"response":{"type":"message"}}"#;
    fs::write(folder.path().join("cassettes/one.json"), exchange.replace('\n', "")).unwrap();
    let (code, said) = judged(folder.path(), &[("RECORDINGS", "cassettes")]);
    assert!(code == 1 && said.contains("reply/"), "{code}: {said}");
    let (code, said) = judged(folder.path(), &[]);
    assert_eq!((code, said.as_str()), (0, ""));
}

#[test]
fn the_action_gives_its_script_all_that_it_reads() {
    let [action, script] =
        ["action.yml", "packaging/action.sh"].map(|file| fs::read_to_string(root().join(file)).unwrap());
    for name in ["TURNPROOF", "SESSIONS", "REQUESTS", "RECORDINGS", "COMMAND", "MOCK_OPTIONS", "SARIF"] {
        let is_given = action.lines().any(|line| line.trim_start().starts_with(&format!("{name}: ${{{{")));
        assert!(is_given && script.contains(&format!("${name}")), "{name}");
    }
    for input in action.lines().filter_map(|line| line.split("inputs.").nth(1)) {
        let name: String = input.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '-').collect();
        assert!(action.contains(&format!("\n  {name}:\n")), "{name} is an input");
    }
}

#[test]
fn each_hook_runs_and_says_nothing_of_what_is_right() {
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let legal = folder.path().join("legal.json");
    fs::write(&legal, r#"{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"a"}]}"#).unwrap();
    let entries: Vec<Vec<&str>> = hooks
        .lines()
        .filter_map(|line| line.trim().strip_prefix("entry: turnproof "))
        .map(|entry| entry.split(' ').collect())
        .collect();
    assert_eq!(entries.len(), 3);
    let illegal = root().join("docs/samples/request.json").display().to_string();
    let session = root().join("docs/samples/session.jsonl").display().to_string();
    let legal = legal.display().to_string();
    let came = |entry: &[&str], file: &str| {
        let (code, out, error) = run(&mut turnproof(&[entry, &[file]].concat()));
        (code, out + &error)
    };
    let [request, of_session, recording] = entries.as_slice() else { panic!("three hooks") };
    assert_eq!(came(request, &legal), (0, String::new()));
    assert_eq!(came(request, &illegal).0, 1);
    assert_eq!(came(of_session, &session).0, 1);
    // A file that is no recording is named, and stops no commit by a wrong call.
    assert_ne!(came(recording, &legal).0, 70);
}
