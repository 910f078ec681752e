//! The Python package `anthropic` works against the mock in its own way: streams, tools, retries, counts, models,
//! batches, and its clients for Bedrock and Vertex.
//!
//! Needs a Python with the package (see `adapters/anthropic/README.md`): the one that `TURNPROOF_PYTHON` names, or
//! `python3`. Without it the test says that it is skipped.

#[allow(dead_code, reason = "its other half is for scripts that read lines")]
#[path = "../../../turnproof-rules/tests/common/anthropic.rs"]
mod package;

use std::process::Command;

use package::python;
use turnproof_mock::{Settings, faults};

use super::started;
use super::streams::EVERY;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../adapters/anthropic/against_mock.py");

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
