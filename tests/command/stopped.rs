//! Commands that a signal ends while a program thinks: what they print, and that nothing outlives them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

/// A program that answers wrongly, and at a question starts another one and waits for it for long.
const HANGS: &str = r#"
read line; echo "{\"name\":\"hangs\",\"operations\":[\"$3\"]}"
seq=0
while read line; do
  seq=$((seq + 1))
  if [ $seq -ge $2 ]; then
    sleep 900 & echo "$$ $!" > "$1/written"; mv "$1/written" "$1/processes"; wait
  fi
  echo "{\"seq\":$seq,\"output\":{\"short_id\":\"a\"}}"
done
"#;

/// Sends signals to a command as soon as the program that it asks hangs; gives how the command ended.
fn ended_by(signals: &[&str], at: u32, operation: &str, arguments: &[&str]) -> Output {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("hangs.sh");
    fs::write(&script, HANGS).unwrap();
    let subject = format!("sh '{}' '{}' {at} {operation}", script.display(), folder.path().display());
    let child = Command::new(assert_cmd::cargo::cargo_bin!("turnproof"))
        .args(arguments)
        .args(["--subject", &subject, "--timeout", "900s"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let processes = wait_for(&folder.path().join("processes"));
    for signal in signals {
        assert!(Command::new("kill").args([*signal, &child.id().to_string()]).status().unwrap().success());
    }
    let output = child.wait_with_output().unwrap();
    for process in processes.split_whitespace() {
        let state = Command::new("ps").args(["-o", "stat=", "-p", process]).output().unwrap().stdout;
        let state = String::from_utf8_lossy(&state).trim().to_owned();
        assert!(state.is_empty() || state.starts_with('Z'), "process {process} goes on: {state}");
    }
    output
}

fn wait_for(path: &Path) -> String {
    loop {
        match fs::read_to_string(path) {
            Ok(text) => return text,
            Err(_) => sleep(Duration::from_millis(5)),
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const TEST: [&str; 7] = ["test", "--cases", "100", "--jobs", "1", "--color", "never"];

#[test]
fn a_signal_ends_a_run_and_the_program_that_hangs_and_what_that_started() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let output = ended_by(&[signal], 1, "short_id", &TEST);
        let out = text(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{signal}: {out}{}", text(&output.stderr));
        assert!(out.starts_with("subject hangs, seed 1, 0 cases of 100 ("), "{out}");
        assert!(out.contains("\nstopped: "), "{out}");
    }
}

#[test]
fn what_was_judged_before_the_signal_is_told_without_asking_again() {
    let folder = TempDir::new().unwrap();
    let report = folder.path().join("report");
    let kept = folder.path().to_str().unwrap();
    let more = ["--regressions", kept, "--report", report.to_str().unwrap()];
    let output = ended_by(&["-TERM"], 60, "short_id", &[&TEST[..], &more].concat());
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "a rule is broken: {out}{}", text(&output.stderr));
    assert!(out.contains("\nstopped: ") && out.contains("\nbroken: "), "{out}");
    assert!(out.starts_with("subject hangs, seed 1, ") && !out.starts_with("subject hangs, seed 1, 0 "), "{out}");
    assert!(!out.contains("when the subject was asked again"), "nobody was asked again: {out}");
    assert!(!out.contains("crashed"), "to be ended is no crash: {out}");
    let lines = fs::read_to_string(report.join("report.jsonl")).unwrap();
    assert!(!lines.contains("crashed: it was ended"), "{lines}");
}

#[test]
fn a_second_signal_ends_all_at_once() {
    let output = ended_by(&["-INT", "-TERM"], 1, "short_id", &TEST);
    let code = output.status.code();
    assert!(code == Some(130) || code == Some(143), "{code:?}");
}

#[test]
fn a_signal_ends_a_smoke_test_that_hangs() {
    let output = ended_by(&["-TERM"], 1, "short_id", &["smoke"]);
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(143), "{out}");
    assert_eq!(out, "right  start: `hangs` announces short_id\n\nstopped before all was asked\n");
}

#[test]
fn a_signal_ends_a_campaign_that_hangs() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let arguments = ["fuzz", "--jobs", "1", "--out", out.to_str().unwrap()];
    let output = ended_by(&["-INT"], 1, "parse", &arguments);
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{out}{errors}");
    assert!(out.contains("\n0 finds in "), "{out}");
    assert!(errors.contains("stopped; the same call goes on from here"), "{errors}");
}
