//! A *prefix* is the beginning of a file that may be growing: it ends where it was asked to.

use std::io::{self, Read, Seek, SeekFrom};

/// The first bytes of a file.
pub(super) struct Prefix<'a, F> {
    file: &'a mut F,
    length: u64,
    at: u64,
}

impl<'a, F: Read + Seek> Prefix<'a, F> {
    /// The first `length` bytes of a file.
    pub(super) fn new(file: &'a mut F, length: u64) -> Self {
        // Where reading begins is said by the first seek.
        Self { file, length, at: u64::MAX }
    }
}

impl<F: Read + Seek> Read for Prefix<'_, F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.at == u64::MAX {
            self.rewind()?;
        }
        let most = self.length.saturating_sub(self.at).min(bytes.len() as u64) as usize;
        let read = self.file.read(&mut bytes[..most])?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<F: Read + Seek> Seek for Prefix<'_, F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::End(back) => SeekFrom::Start(self.length.saturating_add_signed(back)),
            to => to,
        };
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}
