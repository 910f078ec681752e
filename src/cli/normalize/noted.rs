//! What a session *notes* of its last request: the model, the tools, the system prompt.

use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use serde_json::Value;

use crate::cli::{Failure, stdout};
use turnproof_reference::sent::{Keep, Sent};

/// The last request that a session notes.
pub(super) struct Noted {
    sent: Sent,
    /// Its index, and its body without turns; `None` where the session notes none.
    last: Option<(usize, Value)>,
}

impl Noted {
    /// Reads the notes of a session. Standard input, which is read once alone, has none.
    pub(super) fn of(path: &Path) -> Result<Self, Failure> {
        let unreadable = |error| Failure::Usage(format!("cannot read {}: {error}", path.display()));
        let sent = match path.is_file() {
            true => File::open(path).and_then(|file| Sent::read(file, Keep::Bodies)),
            false => Sent::read(std::io::empty(), Keep::Bodies),
        };
        let sent = sent.map_err(unreadable)?;
        let body = |index| sent.body_with(index, "[]").ok().and_then(|body| serde_json::from_str(&body).ok());
        let last = sent.last().and_then(|index| Some((index, body(index)?)));
        Ok(Self { sent, last })
    }

    /// The model that was asked.
    pub(super) fn model(&self) -> Option<String> {
        self.last.as_ref()?.1["model"].as_str().map(str::to_owned)
    }

    /// The names of the tools that were offered.
    pub(super) fn tools(&self) -> Option<HashSet<String>> {
        let tools = self.last.as_ref()?.1["tools"].as_array()?;
        Some(tools.iter().filter_map(|tool| Some(tool["name"].as_str()?.to_owned())).collect())
    }

    /// Writes the body of the last request with other turns.
    pub(super) fn write_body(&self, turns: &str) -> Result<(), Failure> {
        let Some((index, _)) = &self.last else {
            let why = "the session notes no request, so its system prompt and its tools are not known; \
                       clients before 2.1.332 did not note them. Leave `--whole` out to get the turns";
            return Err(Failure::Usage(why.to_owned()));
        };
        let body = self.sent.body_with(*index, turns).map_err(|error| Failure::Usage(error.to_string()))?;
        let mut out = stdout();
        writeln!(out, "{body}")?;
        Ok(out.flush()?)
    }
}
