//! The Python *package* `anthropic`, asked by a script of `adapters/anthropic`.

use std::io::Write;
use std::process::{Command, Stdio};

use serde::de::DeserializeOwned;

/// The Python to ask. Without one it prints that the test is skipped, and returns `None`.
pub(super) fn python() -> Option<String> {
    if let Ok(named) = std::env::var("TURNPROOF_PYTHON") {
        return Some(named);
    }
    let asked = Command::new("python3").args(["-c", "import anthropic"]).stderr(Stdio::null()).status();
    if asked.is_ok_and(|status| status.success()) {
        return Some("python3".to_owned());
    }
    eprintln!("skipped: python3 has no package `anthropic`; see adapters/anthropic/README.md");
    None
}

/// What the script answers to these lines, all in one process: one JSON value a line.
pub(super) fn answers<T: DeserializeOwned>(python: &str, script: &str, asked: &[String]) -> Vec<T> {
    let mut child = Command::new(python)
        .args(["-W", "ignore", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot run {python}: {error}"));
    let mut to = child.stdin.take().expect("its input");
    let text: String = asked.iter().map(|line| format!("{line}\n")).collect();
    let writer = std::thread::spawn(move || to.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("its output");
    writer.join().expect("a thread").expect("all lines are read");
    assert!(output.status.success(), "{python} {script} ended with {}", output.status);
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<T> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), asked.len());
    answers
}
