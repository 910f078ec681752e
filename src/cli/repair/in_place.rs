//! *In place*: the repaired session takes the place of the damaged one at once, or not at all.
//!
//! The damaged file gets a second name, its backup. The repaired one is written beside it, confirmed by the disk, and
//! renamed. A file that was written to in between is put back. Whoever is killed on the way leaves the old file or the
//! new one, whole.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use super::report::removed_lines;
use turnproof_reference::repair::Repair;

/// What was written, and where.
pub(super) struct Written {
    pub(super) path: PathBuf,
    pub(super) backup: Option<PathBuf>,
    pub(super) removed: Option<PathBuf>,
}

/// A file that nobody else repairs as long as this is held.
pub(super) struct Held {
    path: PathBuf,
    file: File,
    pub(super) bytes: Vec<u8>,
    seen: Seen,
}

/// How a file looked.
#[derive(PartialEq, Eq)]
struct Seen {
    size: u64,
    modified: Option<SystemTime>,
    id: Option<(u64, u64)>,
}

impl Seen {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let id = Some((std::os::unix::fs::MetadataExt::dev(metadata), std::os::unix::fs::MetadataExt::ino(metadata)));
        #[cfg(not(unix))]
        let id = None;
        Self { size: metadata.len(), modified: metadata.modified().ok(), id }
    }
}

/// Reads a file that is to be replaced, and locks it against another repair and against recorders that lock.
pub(super) fn hold(path: &Path) -> Result<Held, String> {
    // What a link names is replaced, and not the link.
    let path = path.canonicalize().map_err(|error| format!("cannot be read: {error}"))?;
    let mut file = File::open(&path).map_err(|error| format!("cannot be read: {error}"))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err("another process repairs or writes it; end that one first, and try again".to_owned());
        }
        // Some file systems have no locks.
        Err(TryLockError::Error(_)) => {}
    }
    let seen = |file: &File| file.metadata().map(|metadata| Seen::of(&metadata));
    let before = seen(&file).map_err(|error| format!("cannot be read: {error}"))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if before.size != bytes.len() as u64 {
        return Err(BEING_WRITTEN.to_owned());
    }
    Ok(Held { path, file, bytes, seen: before })
}

const BEING_WRITTEN: &str = "it is being written to; end its session first, and try again. Nothing was changed";

impl Held {
    /// Puts the repaired session in the place of the file.
    pub(super) fn replace(self, repair: &Repair) -> Result<Written, String> {
        let mut made = Made::default();
        let written = self.try_replace(repair, &mut made);
        if written.is_err() {
            made.undo();
        }
        written
    }

    fn try_replace(&self, repair: &Repair, made: &mut Made) -> Result<Written, String> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let failed = |what: &str, error: io::Error| format!("{what}: {error}. Nothing was changed");
        let mut new = NamedTempFile::new_in(folder).map_err(|error| failed("cannot write beside it", error))?;
        let metadata = self.file.metadata().map_err(|error| failed("cannot be read", error))?;
        let written = new
            .write_all(&repair.bytes)
            .and_then(|()| new.as_file().set_permissions(metadata.permissions()))
            .and_then(|()| new.as_file().sync_all());
        written.map_err(|error| failed("cannot write the repaired session", error))?;
        let removed =
            removed_beside(&self.path, repair).map_err(|error| failed("cannot keep what is removed", error))?;
        made.0.extend(removed.clone());
        let backup = self.back_up().map_err(|error| failed("cannot make a backup", error))?;
        made.0.push(backup.clone());
        sync(folder);
        let is_as_seen = |path: &Path| fs::metadata(path).is_ok_and(|now| Seen::of(&now) == self.seen);
        if !is_as_seen(&self.path) {
            return Err(BEING_WRITTEN.to_owned());
        }
        new.persist(&self.path).map_err(|error| failed("cannot be replaced", error.error))?;
        // A writer may have come between the look and the rename: its file is the backup, and goes back.
        if !self.file.metadata().is_ok_and(|now| now.len() == self.seen.size) {
            fs::rename(&backup, &self.path)
                .map_err(|error| format!("it was written to; its file is the backup: {error}"))?;
            return Err(BEING_WRITTEN.to_owned());
        }
        sync(folder);
        Ok(Written { path: self.path.clone(), backup: Some(backup), removed })
    }

    /// A second name for the file, so that nothing of it can be lost; a copy where the file system has no such names.
    fn back_up(&self) -> io::Result<PathBuf> {
        for number in 1.. {
            let backup = beside(&self.path, "backup", number);
            match fs::hard_link(&self.path, &backup) {
                Ok(()) => return Ok(backup),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(_) => {
                    create(&backup, &self.bytes)?;
                    return Ok(backup);
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// The files that were made on the way.
#[derive(Default)]
struct Made(Vec<PathBuf>);

impl Made {
    fn undo(self) {
        for path in self.0 {
            // What cannot be removed does no harm.
            let _ = fs::remove_file(path);
        }
    }
}

/// Writes the repaired session to a file that is not there yet.
pub(super) fn write_new(path: &Path, repair: &Repair) -> Result<Written, String> {
    create(path, &repair.bytes)
        .map_err(|error| format!("cannot make {}: {error}; name a file that is not there yet", path.display()))?;
    let removed = removed_beside(path, repair)
        .map_err(|error| format!("cannot keep what is removed beside {}: {error}", path.display()));
    if removed.is_err() {
        Made(vec![path.to_owned()]).undo();
    }
    Ok(Written { path: path.to_owned(), backup: None, removed: removed? })
}

/// Keeps what was removed in a new file beside the session.
fn removed_beside(path: &Path, repair: &Repair) -> io::Result<Option<PathBuf>> {
    let lines = removed_lines(repair);
    if lines.is_empty() {
        return Ok(None);
    }
    for number in 1.. {
        let removed = beside(path, "removed.jsonl", number);
        match create(&removed, &lines) {
            Ok(()) => return Ok(Some(removed)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// `session.jsonl.backup`, then `session.jsonl.2.backup`, and so on.
fn beside(path: &Path, end: &str, number: u64) -> PathBuf {
    let mut name: OsString = path.into();
    name.push(if number == 1 { format!(".{end}") } else { format!(".{number}.{end}") });
    name.into()
}

/// Makes a file that only its owner may read, as transcripts are; leaves none when the disk does not take it all.
fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        Made(vec![path.to_owned()]).undo();
    }
    written
}

/// Has the disk confirm the names in a folder, where it can.
fn sync(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}
