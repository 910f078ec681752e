//! To *install* a client is to run its commands in a folder of its own, once; its version says whether that was done.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use turnproof_suite::subject::Stop;

use crate::client::{Client, Places};
use crate::process::{Ended, Ending, Start, finish};

/// How long a command of an installation may take.
const LONGEST: Duration = Duration::from_secs(1800);

/// How long a client may take to say its version.
const SOON: Duration = Duration::from_secs(60);

/// Why a client is not there.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the words say it, and the fields are their values")]
pub enum InstallError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("`{command}` failed: {said}")]
    Failed { command: String, said: String },
    #[error("{name} is not installed in {}: {said}; --install does it", installed.display())]
    NotThere { name: String, installed: PathBuf, said: String },
    #[error("{name} is pinned to {pinned}, and what is installed in {} says {said:?}", installed.display())]
    Other { name: String, pinned: String, installed: PathBuf, said: String },
}

impl Client {
    /// Installs it, unless it is there. This needs a network.
    ///
    /// # Errors
    /// When a command fails, or what is installed is not the version that is pinned.
    pub fn install(&self, stop: &Stop) -> Result<(), InstallError> {
        if self.check(stop).is_ok() {
            return Ok(());
        }
        let error = |error| InstallError::Io { path: self.installed.clone(), error };
        fs::create_dir_all(&self.installed).map_err(error)?;
        for words in &self.manifest.install {
            let ended = self.command(words, true, LONGEST, stop).map_err(error)?;
            if ended.how != Ending::Well {
                return Err(InstallError::Failed { command: words.join(" "), said: ended.said });
            }
        }
        self.check(stop)
    }

    /// Whether it is there, in the version that is pinned.
    ///
    /// # Errors
    /// When it is not.
    pub fn check(&self, stop: &Stop) -> Result<(), InstallError> {
        let (name, installed) = (self.name.clone(), self.installed.clone());
        if self.manifest.version_command.is_empty() {
            return Ok(());
        }
        let missing = |said: String| InstallError::NotThere {
            name: name.clone(),
            installed: installed.clone(),
            said: said.lines().next_back().unwrap_or_default().to_owned(),
        };
        let ended = self.command(&self.manifest.version_command, false, SOON, stop);
        let ended = ended.map_err(|error| missing(error.to_string()))?;
        let pinned = self.manifest.version.clone();
        match (&ended.how, ended.said.contains(&pinned)) {
            (Ending::Well, true) => Ok(()),
            (Ending::Well, false) => Err(InstallError::Other { name, pinned, installed, said: ended.said }),
            _ => Err(missing(ended.said)),
        }
    }

    /// Runs a command of it that is about no prompt. One that installs has the environment of this process.
    fn command(&self, words: &[String], installs: bool, within: Duration, stop: &Stop) -> io::Result<Ended> {
        let scratch = tempfile::tempdir()?;
        let home = scratch.path().to_string_lossy();
        let places = Places { prompt: "", file: "", url: "http://127.0.0.1:9", home: &home, work: &home };
        let words: Vec<String> = words.iter().map(|word| self.filled(word, &places)).collect();
        let environment = match installs {
            true => std::env::vars().collect(),
            false => self.environment(&places),
        };
        let work = if installs { self.installed.as_path() } else { scratch.path() };
        finish(
            &Start {
                words: &words,
                environment: &environment,
                work,
                scratch: scratch.path(),
                within,
                is_at_home: false,
            },
            stop,
        )
    }
}
