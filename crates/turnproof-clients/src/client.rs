//! A *client* is a folder: `client.toml` says how it is installed and started, `home/` what lies in its home, and other
//! files are programs of its own.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What `client.toml` says. In its commands `{prompt}`, `{file}`, `{url}`, `{home}`, `{work}`, `{here}` and
/// `{installed}` are filled in; no shell is started.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The package in its registry.
    pub package: String,
    /// The version that is pinned.
    pub version: String,
    /// `npm`, `pypi`, or `none` for a program of its own.
    pub registry: String,
    /// What it is built on, such as `ai-sdk`; clients of one family share their mistakes.
    pub family: String,
    /// Commands that install it into the folder in which they run.
    #[serde(default)]
    pub install: Vec<Vec<String>>,
    /// A command that prints its version.
    #[serde(default)]
    pub version_command: Vec<String>,
    /// The command of the first prompt.
    pub first: Vec<String>,
    /// The command of a further prompt in the same session.
    #[serde(default)]
    pub next: Vec<String>,
    /// The command that resumes a session file.
    #[serde(default)]
    pub resume: Vec<String>,
    /// Variables of its environment.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// How many seconds a prompt may take.
    pub timeout: u64,
    /// What it cannot, and what else has to be known of it.
    #[serde(default)]
    pub cannot: String,
}

/// A client.
#[derive(Clone, Debug)]
pub struct Client {
    /// The name of its folder.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// Where it is installed.
    pub installed: PathBuf,
    /// What its `client.toml` says.
    pub manifest: Manifest,
    /// Whether it runs where and as whoever calls it, and not in a home of its own.
    pub(crate) is_at_home: bool,
}

/// Why there is no client in a folder.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the file and what is wrong with it")]
pub enum ClientError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: {error}", path.display())]
    Toml { path: PathBuf, error: toml::de::Error },
    #[error("{}: `{command}` has no words", path.display())]
    NoWords { path: PathBuf, command: &'static str },
}

impl Client {
    /// Reads a client's folder. `installed` is the folder that holds those that are installed, each under its name.
    ///
    /// # Errors
    /// When its `client.toml` cannot be read.
    pub fn read(folder: &Path, installed: &Path) -> Result<Self, ClientError> {
        let path = folder.join("client.toml");
        let io_error = |error| ClientError::Io { path: path.clone(), error };
        let text = fs::read_to_string(&path).map_err(io_error)?;
        let manifest: Manifest =
            toml::from_str(&text).map_err(|error| ClientError::Toml { path: path.clone(), error })?;
        if manifest.first.is_empty() {
            return Err(ClientError::NoWords { path, command: "first" });
        }
        let folder = folder.canonicalize().map_err(io_error)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let installed = std::path::absolute(installed.join(&name)).map_err(io_error)?;
        Ok(Self { name, folder, installed, manifest, is_at_home: false })
    }

    /// The client that two commands are: one for the first prompt, one for a further one in the same session. They run
    /// in the folder and with the environment of whoever calls. No prompt may take longer than `timeout` seconds.
    pub fn of_commands(first: Vec<String>, next: Vec<String>, timeout: u64) -> Self {
        let name = first.join(" ");
        let registry = "none".to_owned();
        let manifest = Manifest { package: name.clone(), registry, first, next, timeout, ..Manifest::default() };
        Self { name, folder: PathBuf::new(), installed: PathBuf::new(), manifest, is_at_home: true }
    }

    /// The clients in a folder, by name.
    ///
    /// # Errors
    /// The first one that cannot be read.
    pub fn all(folder: &Path, installed: &Path) -> Result<Vec<Self>, ClientError> {
        let io_error = |error| ClientError::Io { path: folder.to_owned(), error };
        let mut clients = Vec::new();
        for entry in fs::read_dir(folder).map_err(io_error)? {
            let path = entry.map_err(io_error)?.path();
            if path.join("client.toml").is_file() {
                clients.push(Self::read(&path, installed)?);
            }
        }
        clients.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(clients)
    }

    /// The client in another version, which is installed in a folder of its own.
    pub fn of_version(mut self, version: &str) -> Self {
        let pinned = std::mem::replace(&mut self.manifest.version, version.to_owned());
        for word in self.manifest.install.iter_mut().flatten() {
            *word = word.replace(&pinned, version);
        }
        self.installed.as_mut_os_string().push(format!("@{version}"));
        self
    }

    /// The package and its version.
    pub fn title(&self) -> String {
        format!("{} {}", self.manifest.package, self.manifest.version).trim_end().to_owned()
    }

    /// How long a prompt may take.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(self.manifest.timeout)
    }

    /// Whether it can be given a further prompt in the same session.
    pub(crate) fn continues(&self) -> bool {
        !self.manifest.next.is_empty()
    }
}

/// What is filled into a client's commands.
pub(crate) struct Places<'a> {
    pub(crate) prompt: &'a str,
    pub(crate) file: &'a str,
    pub(crate) url: &'a str,
    pub(crate) home: &'a str,
    pub(crate) work: &'a str,
}

impl Client {
    /// A text with all places filled in.
    pub(crate) fn filled(&self, text: &str, places: &Places<'_>) -> String {
        // The prompt is the last, since whatever is in it stays.
        let paths = [("{here}", &self.folder), ("{installed}", &self.installed)];
        let text = paths.iter().fold(text.to_owned(), |text, (name, path)| text.replace(name, &path.to_string_lossy()));
        let Places { prompt, file, url, home, work } = places;
        let values = [("{url}", url), ("{home}", home), ("{work}", work), ("{file}", file), ("{prompt}", prompt)];
        values.iter().fold(text, |text, (name, value)| text.replace(name, value))
    }

    /// Its environment.
    pub(crate) fn environment(&self, places: &Places<'_>) -> Vec<(String, String)> {
        let path = "{installed}/bin:{installed}/node_modules/.bin:/usr/local/bin:/usr/bin:/bin";
        let own_place = [("HOME", "{home}"), ("PATH", path), ("LANG", "C.UTF-8"), ("TERM", "dumb")];
        let url = turnproof_mock::environment(places.url);
        let usual = own_place.into_iter().filter(|_| !self.is_at_home).map(|(name, value)| (name, value.to_owned()));
        let own = self.manifest.environment.iter().map(|(name, value)| (name.as_str(), value.clone()));
        let all = usual.chain(url).chain(own);
        all.map(|(name, value)| (name.to_owned(), self.filled(&value, places))).collect()
    }
}
