//! A *regression* is a case that once broke a rule, or at which the subject once crashed. It is kept as its plan, and
//! replayed first.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::rules::find;
use crate::scenario::Scenario;
use crate::subject::CrashKind;

/// A case that once broke a rule, or at which the subject once crashed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regression {
    /// The rule that it broke. Of a crash: a rule on the operation.
    pub rule: String,
    /// The subject that broke it.
    pub subject: String,
    /// The kind of its violation.
    pub kind: String,
    /// What was found, for people.
    pub found: String,
    /// The seed and the number of the case before it was shrunk.
    pub origin: Option<(u64, u64)>,
    /// The plan, shrunk.
    pub scenario: Scenario,
}

/// A regression that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the file and the error")]
pub enum RegressionError {
    /// The file or folder cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    /// The file does not hold a regression.
    #[error("{}: not a regression of this version: {error}; delete it or write it again", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
    /// It is of another rule than the one that it is named for.
    #[error("{}: it is a case of {of}, not of {rule}; name one that breaks {rule}", path.display())]
    Other { path: PathBuf, of: String, rule: String },
}

impl Regression {
    /// Whether the subject crashed.
    pub fn is_crash(&self) -> bool {
        CrashKind::is_name(&self.kind)
    }

    /// The file name: the rule or that it crashed at an operation, and a hash of subject and plan.
    pub fn file_name(&self) -> String {
        let plan = serde_json::to_string(&self.scenario).unwrap_or_default();
        let hash = twox_hash::XxHash3_64::oneshot(format!("{} {plan}", self.subject).as_bytes());
        let what = match find(&self.rule) {
            Some(rule) if self.is_crash() => format!("crashed-{}", rule.operation().name()),
            _ => self.rule.replace('/', "-"),
        };
        format!("{what}-{:08x}.json", hash as u32)
    }

    /// Reads the regression of a file.
    ///
    /// # Errors
    /// When the file cannot be read or is no regression.
    pub fn load(path: &Path) -> Result<Self, RegressionError> {
        let json = fs::read(path).map_err(|error| RegressionError::Io { path: path.to_owned(), error })?;
        serde_json::from_slice(&json).map_err(|error| RegressionError::Json { path: path.to_owned(), error })
    }

    /// Writes the regression into a folder, which is made where it is missing; gives the file.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, RegressionError> {
        let path = folder.join(self.file_name());
        let mut json =
            serde_json::to_string_pretty(self).map_err(|error| RegressionError::Json { path: path.clone(), error })?;
        json.push('\n');
        fs::create_dir_all(folder).map_err(|error| RegressionError::Io { path: folder.to_owned(), error })?;
        fs::write(&path, json).map_err(|error| RegressionError::Io { path: path.clone(), error })?;
        Ok(path)
    }
}

/// The regressions of a folder, by file name.
///
/// # Errors
/// The first file that cannot be read or is not a regression.
pub fn load_regressions(folder: &Path) -> Result<Vec<(PathBuf, Regression)>, RegressionError> {
    let io_error = |path: &Path| {
        let path = path.to_owned();
        move |error| RegressionError::Io { path, error }
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(io_error(folder))? {
        let path = entry.map_err(io_error(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut regressions = Vec::new();
    for path in paths {
        let regression = Regression::load(&path)?;
        regressions.push((path, regression));
    }
    Ok(regressions)
}
