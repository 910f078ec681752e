//! An *adapter* is a folder that makes a subject of a library: `adapter.toml` says what it is, `run` starts it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use turnproof_rules::rules::glob_matches;
use turnproof_suite::subject::Stop;
use turnproof_suite::subject::program::{Limits, METHODS, Program, Setup, StartError};

/// What `run --install` ends with when the library cannot be installed here.
const NOT_HERE: i32 = 69;

/// How long a library may think about a question: the first ones may load a part of it.
const ANSWER: Duration = Duration::from_secs(20);

/// An adapter.
#[derive(Clone, Debug)]
pub(crate) struct Adapter {
    /// The name of its folder.
    pub folder: String,
    /// The folder.
    pub path: PathBuf,
    /// What its `adapter.toml` says.
    pub about: About,
    /// What ends its processes.
    pub stop: Stop,
}

/// What `adapter.toml` says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct About {
    /// The library's name in its registry.
    pub package: String,
    /// The version that is pinned.
    pub version: String,
    /// `pypi`, `npm` or `crates.io`.
    pub registry: String,
    /// `python`, `javascript` or `rust`.
    pub language: String,
    /// What it does, by the names of the protocol.
    pub operations: Vec<String>,
    /// The public function that is called.
    pub function: String,
    /// What the library's documentation says that its caller must see to; empty when nothing was found.
    #[serde(default)]
    pub duty: String,
    /// How long it may take to start, such as `60s`.
    pub start_timeout: String,
}

impl About {
    /// The library and its version.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.package, self.version)
    }

    fn start_limit(&self) -> Option<Duration> {
        self.start_timeout.strip_suffix('s')?.parse().ok().map(Duration::from_secs)
    }
}

/// An adapter that cannot be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the file and the error")]
pub(crate) enum AdapterError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: {error}", path.display())]
    Toml { path: PathBuf, error: toml::de::Error },
    #[error("{}: `start_timeout` is `{found}`; expected seconds, such as \"60s\"", path.display())]
    Timeout { path: PathBuf, found: String },
    #[error("{}: `operations` has `{found}`, which is no operation; there are {}", path.display(), METHODS.join(", "))]
    Operation { path: PathBuf, found: String },
}

/// The adapters in a folder, by name, whose name matches the glob.
///
/// # Errors
/// The first one whose `adapter.toml` cannot be read.
pub(crate) fn adapters(folder: &Path, only: &str, stop: &Stop) -> Result<Vec<Adapter>, AdapterError> {
    let io_error = |error| AdapterError::Io { path: folder.to_owned(), error };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(io_error)? {
        let path = entry.map_err(io_error)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.join("adapter.toml").is_file() && glob_matches(only.as_bytes(), name.as_bytes()) {
            found.push(Adapter { about: read(&path.join("adapter.toml"))?, folder: name, path, stop: stop.clone() });
        }
    }
    found.sort_by(|one, other| one.folder.cmp(&other.folder));
    Ok(found)
}

fn read(path: &Path) -> Result<About, AdapterError> {
    let text = fs::read_to_string(path).map_err(|error| AdapterError::Io { path: path.to_owned(), error })?;
    let about: About = toml::from_str(&text).map_err(|error| AdapterError::Toml { path: path.to_owned(), error })?;
    if about.start_limit().is_none() {
        return Err(AdapterError::Timeout { path: path.to_owned(), found: about.start_timeout });
    }
    match about.operations.iter().find(|name| !METHODS.contains(&name.as_str())) {
        Some(found) => Err(AdapterError::Operation { path: path.to_owned(), found: found.clone() }),
        None => Ok(about),
    }
}

impl Adapter {
    /// Makes its environment; gives why that cannot be done here.
    pub(crate) fn install(&self) -> Result<(), String> {
        let mut command = Command::new(self.path.join("run"));
        let output = command.arg("--install").stdin(Stdio::null()).output();
        let output = output.map_err(|error| format!("its launcher cannot be started: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last =
            said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it does not say why").trim().to_owned();
        match output.status.code() {
            Some(NOT_HERE) => Err(last),
            code => Err(format!("its launcher ended with exit code {}: {last}", code.unwrap_or_default())),
        }
    }

    /// Starts it: one process.
    pub(crate) fn start(&self) -> Result<Program, StartError> {
        let run = self.path.join("run").display().to_string().replace('\'', r"'\''");
        let start = self.about.start_limit().unwrap_or_default();
        let limits = Limits { answer: ANSWER, start, ..Limits::default() };
        Program::start(Setup { command: format!("'{run}'"), limits, jobs: 1, once: None, stop: self.stop.clone() })
    }
}
