//! A *disk* takes lines at the end of one file.

use std::io;
use std::path::PathBuf;

/// What takes the lines of a recorder. It is one file, to which others may write too.
pub trait Disk {
    /// Appends whole lines, after a LF where the file ends without one; with no lines, that LF alone. Between the
    /// look at the file's last byte and the end of the write, no other recorder may write.
    ///
    /// # Errors
    /// How much was taken, and why not all.
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError>;

    /// Has the disk confirm that everything appended so far will last.
    ///
    /// # Errors
    /// What the disk says.
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

impl<D: Disk + ?Sized> Disk for &mut D {
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError> {
        (**self).append(lines)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}
