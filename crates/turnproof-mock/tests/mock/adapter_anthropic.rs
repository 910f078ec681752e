//! The Python package `anthropic` works against the mock in its own way: streams, tools, retries, counts, models,
//! batches, and its clients for Bedrock and Vertex.
//!
//! Needs a Python with the package (see `adapters/anthropic/README.md`): the one that `TURNPROOF_PYTHON` names, or
//! `python3`. Without it the test says that it is skipped.

use std::path::Path;
use std::process::{Command, Stdio};

use turnproof_mock::{Settings, faults};

use super::started;
use super::streams::EVERY;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../adapters/anthropic/against_mock.py");

/// The Python to ask. Without the package or the script it prints that the test is skipped, and returns `None`.
fn python() -> Option<String> {
    if !Path::new(SCRIPT).exists() {
        eprintln!("skipped: there is no {SCRIPT}");
        return None;
    }
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

#[test]
fn the_package_works_against_the_mock_in_its_own_way() {
    let Some(python) = python() else { return };
    let script = turnproof_mock::Script::read(EVERY).expect("a script");
    // The first whole request is the one with tools; the next ones are tried again.
    let faults = faults("crlf,529,cut-event=4").expect("faults");
    let (mock, exchanges) = started(Settings { script, faults, ..Settings::default() });
    let ran = Command::new(python)
        .args(["-W", "ignore", SCRIPT])
        .env("ANTHROPIC_BASE_URL", mock.url())
        .env("ANTHROPIC_BEDROCK_BASE_URL", mock.url())
        .env("ANTHROPIC_VERTEX_BASE_URL", format!("{}/v1", mock.url()))
        .env("ANTHROPIC_API_KEY", "sk-ant-mock")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(said.trim_end().ends_with("done"), "{said}");
    let illegal: Vec<String> =
        exchanges.try_iter().filter(|exchange| !exchange.is_legal()).map(|exchange| exchange.line).collect();
    assert_eq!(illegal, ["POST /v1/messages"]);
}
