//! `turnproof resume --fork-to`: a copy under new ids.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use crate::check::Input;
use crate::message::{Context, SystemContext};
use crate::transcript::Transcript;
use crate::transcript::fork::fork;
use crate::transcript::resume::{Resume, copy_places};

use super::Surveyed;
use crate::cli::Failure;

/// Writes the fork to a file that must not be there yet.
pub(super) fn run(surveyed: &Surveyed, resume: &Resume, path: &Path, until: Option<&str>) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    copy_places(surveyed.reopen()?, &resume.places, &mut bytes)
        .map_err(|error| super::unreadable(&surveyed.input.name, &error))?;
    let records = Transcript::from_bytes(bytes);
    let records: Vec<_> = records.records().collect();
    let mut context = SystemContext;
    // A file's name is its session's id, where it is one.
    let session = Input::file(path).session().map_or_else(|| context.uuid(), str::to_owned);
    let lines = fork(&records, until, &mut context, &session).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut file = create(path).map_err(|error| {
        Failure::Usage(format!("cannot make {}: {error}; name a file that is not there yet", path.display()))
    })?;
    file.write_all(&lines)?;
    file.sync_all()?;
    Ok(())
}

/// Makes a file that only its owner may read, as transcripts are.
fn create(path: &Path) -> std::io::Result<std::fs::File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
