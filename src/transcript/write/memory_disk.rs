//! A *memory disk* is a file in memory, which may become full.

use std::io;

use super::disk::{AppendError, Appended, Disk};

/// A file in memory.
///
/// ```
/// use turnproof::transcript::write::{Disk, MemoryDisk};
///
/// let mut disk = MemoryDisk::new(b"{\"type\":\"us".to_vec());
/// disk.append(b"{}\n")?;
/// assert_eq!(disk.bytes(), b"{\"type\":\"us\n{}\n");
/// disk.takes(Some(2));
/// assert_eq!(disk.append(b"{}\n").map_err(|error| error.taken), Err(2));
/// # Ok::<(), turnproof::transcript::write::AppendError>(())
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
