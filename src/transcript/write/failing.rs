//! A *failing* disk is any disk that takes only so much, or confirms nothing.

use std::io;

use super::disk::{AppendError, Appended, Disk};

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
        let Some(takes) = self.takes else { return self.disk.append(lines) };
        let room = usize::try_from(takes).unwrap_or(usize::MAX);
        if lines.len() <= room {
            let appended = self.disk.append(lines)?;
            self.takes = Some(takes - lines.len() as u64);
            return Ok(appended);
        }
        if room > 0 {
            self.disk.append(&lines[..room])?;
        }
        self.takes = Some(0);
        Err(AppendError::full(room))
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.sync_fails { Err(io::Error::other("the disk confirms nothing")) } else { self.disk.sync() }
    }
}
