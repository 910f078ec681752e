//! The *control* of a mock: lines on standard input say what it plays from now on, and each is answered on standard
//! output, behind the requests that came before it.

use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;
use std::thread;

use serde::Deserialize;
use serde_json::value::RawValue;
use turnproof_mock::{Change, Exchange, Script, faults};

/// What happens to a mock that runs.
pub(super) enum Happened {
    /// A request was answered.
    Exchange(Box<Exchange>),
    /// A line came.
    Line(String),
    /// No more lines come.
    InputEnded,
}

/// A line: what it does not name stays as it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Whether a run begins: what was asked and played before is forgotten.
    #[serde(default)]
    begin: bool,
    /// A script, as in a file.
    script: Option<Box<RawValue>>,
    /// A seed.
    seed: Option<u64>,
    /// Bytes that choose replies, in base64.
    replies_b64: Option<String>,
    /// Faults, as `--faults` has them.
    faults: Option<String>,
}

/// Sends each line of standard input, and that it has ended.
pub(super) fn listen(sender: SyncSender<Happened>) -> io::Result<()> {
    let read = move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(Happened::Line(line)).is_err() {
                return;
            }
        }
        drop(sender.send(Happened::InputEnded));
    };
    thread::Builder::new().name("control".to_owned()).spawn(read).map(drop)
}

/// What a line changes; fails with what is wrong in it.
pub(super) fn change(line: &str) -> Result<Change, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let script = line.script.map(|script| Script::read(script.get()).map_err(|error| error.to_string())).transpose()?;
    let decoded = |text: String| base64::Engine::decode(&base64::prelude::BASE64_STANDARD, text);
    Ok(Change {
        begin: line.begin,
        script,
        seed: line.seed,
        replies: line.replies_b64.map(decoded).transpose().map_err(|error| format!("replies_b64: {error}"))?,
        faults: line.faults.as_deref().map(faults).transpose().map_err(|error| error.to_string())?,
    })
}
