//! A *disk* takes lines at the end of one file: a real one, one in memory that may become full, or one that fails.

use std::io;
use std::path::PathBuf;

/// What takes the lines of a recorder. It is one file, to which others may write too.
pub trait Disk {
    /// Appends whole lines, after a LF where the file ends without one; with no lines, that LF alone. Between the
    /// look at the file's last byte and the end of the write, no other recorder may write.
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError>;

    /// Has the disk confirm that everything appended so far will last.
    fn sync(&mut self) -> io::Result<()>;
}

/// What came of appending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Appended {
    /// Whether the file ended inside a line, and got a LF first.
    pub healed: bool,
}

/// Why not everything was appended.
#[derive(Debug, thiserror::Error)]
#[error("{taken} bytes of the lines were appended: {fault}")]
pub struct AppendError {
    /// How many bytes of the lines are in the file, the LF before them not counted.
    pub taken: usize,
    /// What went wrong.
    pub fault: DiskFault,
}

/// What went wrong with a disk.
#[derive(Debug, thiserror::Error)]
pub enum DiskFault {
    /// The disk says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The path names no file, or another file than the one that was opened.
    #[error("{} no longer names the open file", .0.display())]
    Lost(PathBuf),
}

impl AppendError {
    /// The disk is full after so many bytes of the lines.
    pub(super) fn full(taken: usize) -> Self {
        Self { taken, fault: io::Error::from(io::ErrorKind::StorageFull).into() }
    }
}

impl From<io::Error> for AppendError {
    fn from(error: io::Error) -> Self {
        Self { taken: 0, fault: error.into() }
    }
}

/// A file in memory.
///
/// ```
/// use turnproof_reference::transcript::write::{Disk, MemoryDisk};
///
/// let mut disk = MemoryDisk::new(b"{\"type\":\"us".to_vec());
/// disk.append(b"{}\n")?;
/// assert_eq!(disk.bytes(), b"{\"type\":\"us\n{}\n");
/// disk.takes(Some(2));
/// assert_eq!(disk.append(b"{}\n").map_err(|error| error.taken), Err(2));
/// # Ok::<(), turnproof_reference::transcript::write::AppendError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryDisk {
    bytes: Vec<u8>,
    takes: Option<u64>,
}

impl MemoryDisk {
    /// A disk whose file begins with these bytes, and that takes everything.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, takes: None }
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file, the disk given up.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// From now on the disk takes so many bytes more, and then fails; `None`: it takes everything.
    pub fn takes(&mut self, bytes: Option<u64>) {
        self.takes = bytes;
    }

    /// Another process writes at the end of the file, whole lines or not; the limit is not for it.
    pub fn other_writer(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes as much as there is room for; says how much that was.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let room = self.takes.map_or(bytes.len(), |takes| usize::try_from(takes).unwrap_or(usize::MAX));
        let taken = bytes.len().min(room);
        self.bytes.extend_from_slice(&bytes[..taken]);
        self.takes = self.takes.map(|takes| takes - taken as u64);
        taken
    }
}

impl Disk for MemoryDisk {
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError> {
        let is_torn = self.bytes.last().is_some_and(|&byte| byte != b'\n');
        if is_torn && self.write(b"\n") == 0 {
            return Err(AppendError::full(0));
        }
        match self.write(lines) {
            taken if taken == lines.len() => Ok(Appended { healed: is_torn }),
            taken => Err(AppendError::full(taken)),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A disk that fails on request, for tests of what comes after.
#[derive(Clone, Debug)]
pub struct Failing<D> {
    /// The disk that gets what is taken.
    pub disk: D,
    /// How many bytes of lines it takes until it fails; `None`: everything.
    pub takes: Option<u64>,
    /// Whether it fails to confirm.
    pub sync_fails: bool,
}

impl<D> Failing<D> {
    /// A disk that takes so many bytes of lines, and then fails.
    pub fn after(disk: D, bytes: u64) -> Self {
        Self { disk, takes: Some(bytes), sync_fails: false }
    }
}

impl<D: Disk> Disk for Failing<D> {
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError> {
        let room =
            self.takes.map_or(lines.len(), |takes| usize::try_from(takes).unwrap_or(usize::MAX).min(lines.len()));
        let is_full = room < lines.len();
        let appended = if is_full && room == 0 { Appended::default() } else { self.disk.append(&lines[..room])? };
        self.takes = self.takes.map(|takes| takes - room as u64);
        if is_full { Err(AppendError::full(room)) } else { Ok(appended) }
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.sync_fails { Err(io::Error::other("the disk confirms nothing")) } else { self.disk.sync() }
    }
}
