//! What is *kept* is the smallest case of a breach, in a file that is played again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::breach::Breach;

/// A breach with its smallest case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kept<C> {
    /// The client, with the version that has shown it.
    pub client: String,
    /// What it does wrong.
    #[serde(flatten)]
    pub breach: Breach,
    /// The seed and the number of the case before it was made smaller; for a situation there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<(u64, u64)>,
    /// The smallest case.
    pub case: C,
}

/// A kept breach that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the file and the error")]
pub enum KeptError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: not a kept case of a client: {error}", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
}

impl<C: Serialize + DeserializeOwned> Kept<C> {
    /// The name of its file: the outcome, the damage, the rule, the kind, and what a crash says.
    pub fn file_name(&self) -> String {
        let key = &self.breach.key;
        let outcome = serde_json::to_value(key.outcome).ok();
        let outcome = outcome.as_ref().and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let parts = [outcome.as_str(), &key.damage, &key.rule, &key.kind, &key.at];
        let words = parts.iter().flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphanumeric()));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        format!("{}.json", words.join("-"))
    }

    /// Writes it into a folder, which is made; gives its path.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, KeptError> {
        let path = folder.join(self.file_name());
        let json = serde_json::to_string_pretty(self).map_err(|error| KeptError::Json { path: path.clone(), error })?;
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, json + "\n"))
            .map_err(|error| KeptError::Io { path: path.clone(), error })?;
        Ok(path)
    }

    /// Those in a folder, by name of file; none where there is no folder.
    ///
    /// # Errors
    /// The first file that cannot be read.
    pub fn all(folder: &Path) -> Result<Vec<Self>, KeptError> {
        let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let read = |path: PathBuf| {
            let text = fs::read(&path).map_err(|error| KeptError::Io { path: path.clone(), error })?;
            serde_json::from_slice(&text).map_err(|error| KeptError::Json { path, error })
        };
        paths.into_iter().map(read).collect()
    }
}
