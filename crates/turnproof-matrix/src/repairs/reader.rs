//! The official *reader* of sessions, as a process that is asked file by file.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::adapter::Adapter;

/// The folder of its adapter.
pub(super) const OFFICIAL: &str = "claude-agent-sdk";

pub(super) struct Reader {
    pub adapter: Adapter,
    child: Child,
    answers: BufReader<ChildStdout>,
    file: PathBuf,
}

impl Reader {
    /// Installs and starts it; the error says why that cannot be done here.
    pub(super) fn start(adapter: Adapter) -> Result<Self, String> {
        adapter.install()?;
        let folder = fs::canonicalize(&adapter.path).map_err(|error| error.to_string())?;
        let beside = folder.join("../../target/adapters");
        let environments = std::env::var_os("TURNPROOF_ADAPTERS").map_or(beside, PathBuf::from);
        let python = environments.join(OFFICIAL).join("bin/python");
        let mut command = Command::new(python);
        command.arg(folder.join("resume.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let output = child.stdout.take().ok_or("it has no output")?;
        let file = std::env::temp_dir().join(format!("turnproof-repairs-{}.jsonl", std::process::id()));
        Ok(Self { adapter, child, answers: BufReader::new(output), file })
    }

    /// The uuids of the messages that it gives; none where it fails.
    pub(super) fn uuids(&mut self, file: &[u8]) -> Vec<String> {
        self.ask(file).unwrap_or_default()
    }

    fn ask(&mut self, file: &[u8]) -> Option<Vec<String>> {
        fs::write(&self.file, file).ok()?;
        writeln!(self.child.stdin.as_mut()?, "{}", json!({ "path": self.file })).ok()?;
        let mut line = String::new();
        self.answers.read_line(&mut line).ok()?;
        let answer: Value = serde_json::from_str(&line).ok()?;
        let uuids = answer.get("uuids")?.as_array()?;
        Some(uuids.iter().filter_map(|uuid| uuid.as_str().map(str::to_owned)).collect())
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // It ends when nobody asks it any more.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.file);
    }
}
