//! What is *kept* of a breach: a file with its smallest case, which reads as a stored case of the suite does, too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnproof_rules::operation::Operation;
use turnproof_suite::scenario::Scenario;

use crate::class::Class;
use crate::harm::Harm;

/// A breach with its smallest case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The subject, as it names itself.
    pub subject: String,
    /// The library and its version.
    pub library: String,
    /// The function of the library that was called.
    pub function: String,
    /// The operation that was judged.
    pub operation: Operation,
    /// What sort of breach it is.
    pub class: Class,
    /// What a legal history suffered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harm: Option<Harm>,
    /// The rule, or `crash`.
    pub rule: String,
    /// The kind of the violation, or of the crash.
    pub kind: String,
    /// What was found, for people.
    pub found: String,
    /// What was expected.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub expected: String,
    /// The other rules that the same case breaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The error that the API answers such a request with, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The host profiles that break the rule; empty where no host looks at it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// What has to be said for fairness.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The seed and the number of the case before it was made smaller.
    pub origin: Option<(u64, u64)>,
    /// How many messages the smallest case has.
    pub messages: usize,
    /// What the library was given.
    pub input: Vec<Value>,
    /// What it made of that.
    pub answer: Value,
    /// The plan of the case.
    pub scenario: Scenario,
    /// Whether a second run of this file, in a new process, broke the rule again.
    #[serde(skip)]
    pub is_confirmed: bool,
    /// The name of its file.
    #[serde(skip)]
    pub file: String,
}

/// A kept breach that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the file and the error")]
pub(crate) enum KeptError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: not a kept breach: {error}", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
}

impl Kept {
    /// Names its file: the class, the rule, and a number that no other file of the subject has yet.
    pub(crate) fn name(&mut self, others: &[Self]) {
        let stem = format!("{}{}", self.class.prefix(), self.rule.replace('/', "-"));
        let is_taken = |name: &String| others.iter().any(|other| other.file == *name);
        let names = (1..).map(|number| match number {
            1 => format!("{stem}.json"),
            number => format!("{stem}-{number}.json"),
        });
        self.file = names.into_iter().find(|name| !is_taken(name)).unwrap_or_default();
    }

    /// Writes it into the folder of its subject.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), KeptError> {
        let path = folder.join(&self.file);
        let mut json =
            serde_json::to_string_pretty(self).map_err(|error| KeptError::Json { path: path.clone(), error })?;
        json.push('\n');
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, json)).map_err(|error| KeptError::Io { path, error })
    }

    /// Reads one.
    ///
    /// # Errors
    /// When the file cannot be read, or is none.
    pub(crate) fn read(path: &Path) -> Result<Self, KeptError> {
        let json = fs::read(path).map_err(|error| KeptError::Io { path: path.to_owned(), error })?;
        let kept: Self =
            serde_json::from_slice(&json).map_err(|error| KeptError::Json { path: path.to_owned(), error })?;
        Ok(Self { file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(), ..kept })
    }

    /// Those of a subject, by file name; none when it has no folder.
    ///
    /// # Errors
    /// The first file that cannot be read.
    pub(crate) fn all(folder: &Path) -> Result<Vec<Self>, KeptError> {
        let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }
}
