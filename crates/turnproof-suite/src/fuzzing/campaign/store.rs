//! The *store* is the folder of a campaign: `finds/` holds an input and a description of each find, `summary.json` what
//! was tried.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::operation::Operation;
use crate::suite::is_json;

use super::super::mutate::Shape;
use super::find::{Find, State};
use super::shape_of;
use super::summary::{Account, Summary};

/// The file from which a campaign continues.
const SUMMARY: &str = "summary.json";

/// How the name of a description ends, behind that of its input.
const ABOUT: &str = ".find.json";

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the words say it, and the fields are their values")]
pub enum StoreError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: {error}; it is of another version or was changed: name another folder, or delete it", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
    #[error("threads cannot be started: {0}")]
    Threads(rayon::ThreadPoolBuildError),
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// The folder of a campaign.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    finds: Vec<Find>,
    summary: Summary,
    /// How long earlier runs took, in seconds.
    earlier: f64,
}

impl Store {
    /// Opens a folder, and makes it when it is not there.
    ///
    /// # Errors
    /// When the folder cannot be made, or what is in it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let finds_folder = folder.join("finds");
        at(&finds_folder, fs::create_dir_all(&finds_folder))?;
        let mut paths = Vec::new();
        for entry in at(&finds_folder, fs::read_dir(&finds_folder))? {
            paths.push(at(&finds_folder, entry)?.path());
        }
        paths.retain(|path| path.to_string_lossy().ends_with(ABOUT));
        paths.sort();
        let finds = paths.iter().map(|path| read(path)).collect::<Result<Vec<Find>, _>>()?;
        let path = folder.join(SUMMARY);
        let summary: Summary = if path.exists() { read(&path)? } else { Summary::default() };
        Ok(Self { folder: folder.to_owned(), finds, earlier: summary.seconds, summary })
    }

    /// The finds, in the order of their files; new ones behind them.
    pub fn finds(&self) -> &[Find] {
        &self.finds
    }

    /// The input of a find.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn input(&self, find: &Find) -> Result<Vec<u8>, StoreError> {
        let path = self.path(find);
        at(&path, fs::read(&path))
    }

    /// The file of the input of a find.
    pub fn path(&self, find: &Find) -> PathBuf {
        self.folder.join("finds").join(&find.input)
    }

    pub(super) fn finds_mut(&mut self) -> &mut [Find] {
        &mut self.finds
    }

    /// Begins a run; another series counts from the start.
    pub(super) fn begin(&mut self, subject: &str, series: &str) {
        if self.summary.series != series {
            self.summary.operations.clear();
            series.clone_into(&mut self.summary.series);
        }
        subject.clone_into(&mut self.summary.subject);
    }

    pub(super) fn account(&self, operation: Operation) -> Account {
        self.summary.operations.get(operation.name()).cloned().unwrap_or_default()
    }

    pub(super) fn account_mut(&mut self, operation: Operation) -> &mut Account {
        self.summary.operations.entry(operation.name().to_owned()).or_default()
    }

    /// Keeps a find and its input, in the place of one of the same kind.
    pub(super) fn add(&mut self, mut find: Find, input: &[u8]) -> Result<&Find, StoreError> {
        let same =
            |known: &Find| (known.operation, &known.rule, &known.kind) == (find.operation, &find.rule, &find.kind);
        let index = self.finds.iter().position(same);
        let ending = match shape_of(find.operation) {
            Shape::Transcript => "jsonl",
            Shape::Stream if find.operation == Operation::CheckResponse && is_json(input) => "json",
            Shape::Stream => "sse",
            Shape::Request => "json",
        };
        let hash = twox_hash::XxHash3_64::oneshot(find.kind.as_bytes()) as u32;
        find.input = format!("{}-{}-{hash:08x}.{ending}", find.operation.name(), find.name().replace('/', "-"));
        let path = self.path(&find);
        at(&path, fs::write(&path, input))?;
        self.write(&find)?;
        let index = index.unwrap_or(self.finds.len());
        if index == self.finds.len() {
            self.finds.push(find);
        } else {
            self.finds[index] = find;
        }
        Ok(&self.finds[index])
    }

    /// Writes the description of a find.
    pub(super) fn write(&self, find: &Find) -> Result<(), StoreError> {
        put(&self.folder.join("finds").join(format!("{}{ABOUT}", find.input)), find)
    }

    /// Writes all that changes while inputs are tried; gives the summary.
    pub(super) fn save(&mut self, took: Duration) -> Result<Summary, StoreError> {
        for find in self.finds.iter().filter(|find| find.state == State::Failing) {
            self.write(find)?;
        }
        self.summary.seconds = self.earlier + (took.as_secs_f64() * 10.0).round() / 10.0;
        self.summary.count(&self.finds);
        put(&self.folder.join(SUMMARY), &self.summary)?;
        Ok(self.summary.clone())
    }
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, StoreError> {
    result.map_err(|error| StoreError::Io { path: path.to_owned(), error })
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let json = at(path, fs::read(path))?;
    serde_json::from_slice(&json).map_err(|error| StoreError::Json { path: path.to_owned(), error })
}

/// Writes a file whole, or not at all.
fn put(path: &Path, value: &impl serde::Serialize) -> Result<(), StoreError> {
    let mut json =
        serde_json::to_vec_pretty(value).map_err(|error| StoreError::Json { path: path.to_owned(), error })?;
    json.push(b'\n');
    let new = path.with_extension("new");
    at(&new, fs::write(&new, json))?;
    at(path, fs::rename(&new, path))
}
