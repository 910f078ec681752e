//! To *play* a case is to start a mock, to give the client one prompt after the other, and to look at all that it asks.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use serde::{Deserialize, Serialize};
use turnproof_mock::{Exchange, Mock, Script, Settings};
use turnproof_suite::subject::Stop;

use crate::breach::{Breach, breaches};
use crate::client::{Client, Places};
use crate::deck::PlayError;
use crate::process::{Ended, Start, finish};
use crate::simpler::bare;

/// A conversation that is played: prompts, and what the model says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// How many prompts there are.
    pub prompts: usize,
    /// What the model says, request by request. Behind its last step come the usual answers.
    #[serde(serialize_with = "said_alone")]
    pub script: Script,
}

/// Writes a script without what it does not say.
fn said_alone<S: serde::Serializer>(script: &Script, to: S) -> Result<S::Ok, S::Error> {
    let mut members = serde_json::Map::new();
    members.insert("step".to_owned(), script.steps.iter().map(bare).collect());
    if let Some(side) = &script.side {
        members.insert("side".to_owned(), side.as_str().into());
    }
    members.serialize(to)
}

/// The words of a prompt, by its number from 1.
pub fn prompt(number: usize) -> String {
    format!("Prompt {number}: please go on with the work.")
}

/// What a case has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseOutcome {
    /// What the client does wrong.
    pub breaches: Vec<Breach>,
    /// Whether something of the script could not be said, since no request allows it.
    pub is_partial: bool,
}

/// A prompt, what was asked because of it, and how that ended.
pub(crate) struct Round {
    pub(crate) prompt: String,
    pub(crate) seen: Vec<Exchange>,
    pub(crate) ended: Ended,
}

/// Where a client lives while it is played to: a home, a folder to work in, and one for what it writes.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
    mock: Mock,
    seen: Receiver<Exchange>,
}

impl Stage {
    /// Makes the folders, and starts a mock that plays a script.
    pub(crate) fn new(client: &Client, script: Script) -> Result<Self, PlayError> {
        let folder = tempfile::Builder::new().prefix("turnproof-").tempdir()?;
        let (sender, seen) = channel();
        let settings = Settings { script, shows_records: true, ..Settings::default() };
        let mock = Mock::start(settings, move |exchange| drop(sender.send(exchange)))?;
        let stage = Self { folder, mock, seen };
        ["home", "work", "scratch"].iter().try_for_each(|name| fs::create_dir(stage.path(name)))?;
        let url = stage.mock.url();
        let (home, work) = (stage.text("home"), stage.text("work"));
        let places = Places { prompt: "", file: "", url: &url, home: &home, work: &work };
        let from = client.folder.join("home");
        if from.is_dir() {
            furnish(&from, &stage.path("home"), &|text| client.filled(text, &places))?;
        }
        Ok(stage)
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    /// Writes a session that is resumed; gives its path.
    pub(crate) fn session(&self, bytes: &[u8]) -> io::Result<String> {
        fs::write(self.path("session.jsonl"), bytes)?;
        Ok(self.text("session.jsonl"))
    }

    /// Gives the client a prompt, and waits for its end.
    pub(crate) fn round(
        &self,
        client: &Client,
        command: &[String],
        prompt: String,
        file: &str,
        stop: &Stop,
    ) -> Result<Round, PlayError> {
        let (url, home, work) = (self.mock.url(), self.text("home"), self.text("work"));
        let places = Places { prompt: &prompt, file, url: &url, home: &home, work: &work };
        let words: Vec<String> = command.iter().map(|word| client.filled(word, &places)).collect();
        let environment = client.environment(&places);
        let (work, scratch) = (self.path("work"), self.path("scratch"));
        let start = Start {
            words: &words,
            environment: &environment,
            work: &work,
            scratch: &scratch,
            within: client.patience(),
            is_at_home: client.is_at_home,
        };
        let ended = finish(&start, stop)
            .map_err(|error| PlayError::NoProgram { program: words.first().cloned().unwrap_or_default(), error })?;
        // The name of the folder is another one each time.
        let said = ended.said.replace(&*self.folder.path().to_string_lossy(), "…");
        Ok(Round { prompt, seen: self.seen.try_iter().collect(), ended: Ended { said, ..ended } })
    }

    /// What the rules say of the end.
    pub(crate) fn over(&self, failed: bool) -> Vec<turnproof_mock::Finding> {
        self.mock.over(failed)
    }
}

/// Plays a case to a client; gives what it does wrong.
pub(crate) fn play(client: &Client, case: &Case, stop: &Stop) -> Result<CaseOutcome, PlayError> {
    let stage = Stage::new(client, case.script.clone())?;
    let manifest = &client.manifest;
    let mut rounds: Vec<Round> = Vec::new();
    let prompts = if client.continues() { case.prompts } else { case.prompts.min(1) };
    for number in 1..=prompts {
        let command = if number == 1 { &manifest.first } else { &manifest.next };
        // Words of its own are looked for in no request.
        let is_given = command.iter().any(|word| word.contains("{prompt}"));
        let prompt = if is_given { prompt(number) } else { String::new() };
        rounds.push(stage.round(client, command, prompt, "", stop)?);
        if stop.is_set() {
            return Err(PlayError::Stopped);
        }
    }
    let failed = rounds.last().is_some_and(|round| matches!(round.ended.how, crate::process::Ending::Failed(_)));
    let over = stage.over(failed);
    let is_partial = rounds.iter().flat_map(|round| &round.seen).any(|exchange| exchange.left_out > 0);
    Ok(CaseOutcome { breaches: breaches(&rounds, &over), is_partial })
}

/// Copies what lies in a client's home; texts get their places filled in.
fn furnish(from: &Path, to: &Path, filled: &dyn Fn(&str) -> String) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let (from, to) =
            (entry.as_ref().map(fs::DirEntry::path), entry.as_ref().map(|entry| to.join(entry.file_name())));
        let (Ok(from), Ok(to)) = (from, to) else { continue };
        if from.is_dir() {
            fs::create_dir_all(&to)?;
            furnish(&from, &to, filled)?;
        } else {
            let bytes = fs::read(&from)?;
            let bytes = String::from_utf8(bytes).map_or_else(|error| error.into_bytes(), |text| filled(&text).into());
            fs::write(to, bytes)?;
        }
    }
    Ok(())
}
