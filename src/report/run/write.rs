//! To *write* a report is to play cases to a subject of yours, and to keep what came of it.

use std::path::{Path, PathBuf};
use std::{fs, io};

use turnproof_suite::suite::Report;
use turnproof_suite::suite::conformance::{Again, Conformance, SettingsError};

use super::{Exhibit, Replay, RunReport};

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the path and the error")]
pub enum WriteError {
    /// The subject cannot be judged.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The XML cannot be written.
    #[error(transparent)]
    Xml(#[from] quick_junit::SerializeError),
    /// A file or folder cannot be written.
    #[error("cannot write the report: {}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
}

/// Plays cases to a subject, or as a [conformance](turnproof_suite::conformance()) says, and writes `report.html`, `junit.xml` and
/// `report.jsonl` into a folder, which is made where it is missing. Gives what came of the run:
/// [`Report::holds`](turnproof_suite::suite::Report::holds).
///
/// The command in the report that plays one case again starts the program that called this, with variables that
/// [conformances](turnproof_suite::suite::conformance) know.
///
/// ```no_run
/// use turnproof::subject::Reference;
///
/// let report = turnproof::report::write(&Reference, "target/turnproof")?;
/// let few = turnproof::report::write(turnproof::conformance(&Reference).cases(100), "target/few")?;
/// assert!(report.holds() && few.holds());
/// # Ok::<(), turnproof::report::run::WriteError>(())
/// ```
///
/// # Errors
/// When a setting means nothing, and when the folder cannot be written.
pub fn write<'a>(conformance: impl Into<Conformance<'a>>, folder: impl AsRef<Path>) -> Result<Report, WriteError> {
    let conformance = conformance.into();
    let (options, report) = conformance.report()?;
    let subject = conformance.subject();
    let exhibits: Vec<Exhibit> = report.failures.iter().map(|failure| Exhibit::of(&subject, failure)).collect();
    let again = Again::of_this_program();
    let (version, replay) = (env!("CARGO_PKG_VERSION"), Replay::Program(&again));
    let run = RunReport { version, replay, options: &options, report: &report, exhibits: &exhibits };
    write_files(&run, folder.as_ref())?;
    Ok(report)
}

/// Writes the three files of a run; gives their paths.
pub(crate) fn write_files(run: &RunReport<'_>, folder: &Path) -> Result<Vec<PathBuf>, WriteError> {
    let cannot = |path: &Path| {
        let path = path.to_owned();
        move |error| WriteError::Io { path, error }
    };
    let files = run.files()?;
    fs::create_dir_all(folder).map_err(cannot(folder))?;
    let mut paths = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(cannot(&path))?;
        paths.push(path);
    }
    Ok(paths)
}
