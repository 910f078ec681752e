//! A *file disk* is one file of a real file system, to which other processes may write too.

use std::fs::{File, OpenOptions};
use std::io::{self, IoSlice, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::disk::{AppendError, Appended, Disk, DiskFault};

/// A file. Each append holds the file's lock (advisory, so other recorders keep away; readers do not
/// wait), looks at its last byte, and writes at its end.
///
/// Once a file is open, the path must go on naming it. When the file is removed, or another one is put in its place,
/// appending fails with [`DiskFault::Lost`]. Lines in a removed file would be lost, and lines in another file would
/// hang on nothing. The disk works again when the path names the open file again. Else the caller decides:
/// [`reopen`](Self::reopen) or [`recreate`](Self::recreate).
#[derive(Debug)]
pub struct FileDisk {
    path: PathBuf,
    file: Option<File>,
    /// Whether the disk has confirmed that the folder names the file.
    folder_is_synced: bool,
}

impl FileDisk {
    /// The file with this path; nothing is opened or made before the first line is written.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), file: None, folder_is_synced: false }
    }

    /// The file with this path, which must be there: for a recorder that goes on with it.
    pub fn existing(path: impl Into<PathBuf>) -> io::Result<Self> {
        let mut disk = Self::new(path);
        disk.reopen()?;
        Ok(disk)
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the file that the path names now, whether or not it is the one that was open.
    /// When there is none, the open file stays.
    pub fn reopen(&mut self) -> io::Result<()> {
        self.file = Some(appending().open(&self.path)?);
        Ok(())
    }

    /// Makes a new file where none is. What the lost one held is not in it: a recorder should
    /// [start over](super::Recorder::start_over). When the path names a file, the open file stays.
    pub fn recreate(&mut self) -> io::Result<()> {
        self.file = Some(appending().create_new(true).open(&self.path)?);
        self.folder_is_synced = false;
        Ok(())
    }

    /// The open file; the first time it is opened, and made if it is not there.
    fn open(&mut self) -> io::Result<&mut File> {
        match &mut self.file {
            Some(file) => Ok(file),
            none => Ok(none.insert(appending().create(true).open(&self.path)?)),
        }
    }
}

impl Disk for FileDisk {
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError> {
        let path = self.path.clone();
        let file = self.open()?;
        // Some file systems have no locks; there too the system finds the end of the file and writes there in one step.
        if let Err(error) = file.lock()
            && error.kind() != io::ErrorKind::Unsupported
        {
            return Err(error.into());
        }
        let appended = append_locked(file, &path, lines);
        // What cannot be unlocked is unlocked when the file is closed.
        let _ = file.unlock();
        appended
    }

    fn sync(&mut self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        if !is_named(file, &self.path)? {
            // Nobody will find what the disk would confirm.
            return Err(io::Error::new(io::ErrorKind::NotFound, DiskFault::Lost(self.path.clone())));
        }
        file.sync_data()?;
        if !self.folder_is_synced {
            sync_folder(&self.path)?;
            self.folder_is_synced = true;
        }
        Ok(())
    }
}

/// How a transcript is opened. Only its owner may read it.
fn appending() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Appends lines while nobody else does.
fn append_locked(file: &File, path: &Path, lines: &[u8]) -> Result<Appended, AppendError> {
    if !is_named(file, path)? {
        return Err(AppendError { taken: 0, fault: DiskFault::Lost(path.to_owned()) });
    }
    let healed = ends_inside_a_line(file)?;
    write_lines(file, healed, lines)
}

/// Whether the path names the open file.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let open = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (open.dev(), open.ino())),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether the path names a file at all; this system does not say which one.
#[cfg(not(unix))]
fn is_named(_file: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

fn ends_inside_a_line(mut file: &File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Writes lines, after a LF where it `heals` a line without one, in one write where the system takes them at once. For
/// a [`Disk`] over anything that can be written to.
pub fn write_lines(mut file: impl Write, heals: bool, lines: &[u8]) -> Result<Appended, AppendError> {
    let line_end: &[u8] = if heals { b"\n" } else { b"" };
    let mut written = 0;
    while written < line_end.len() + lines.len() {
        let taken = written.saturating_sub(line_end.len());
        let parts = [IoSlice::new(line_end.get(written..).unwrap_or_default()), IoSlice::new(&lines[taken..])];
        match file.write_vectored(&parts) {
            Ok(0) => {
                return Err(AppendError { taken, fault: io::Error::from(io::ErrorKind::WriteZero).into() });
            }
            Ok(count) => written += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(AppendError { taken, fault: error.into() }),
        }
    }
    Ok(Appended { healed: heals })
}

/// Has the disk confirm that the folder names the file, which a new file needs.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
