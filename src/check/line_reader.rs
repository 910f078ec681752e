//! A *line reader* reads lines of a file here and there, mostly one behind the other.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use memchr::memrchr;

/// So many bytes of the file are read at once: some lines.
const READ: usize = 16 << 10;

/// A file whose lines are read here and there.
pub(super) struct LineReader<F> {
    source: BufReader<F>,
    /// The byte that is read next, where that is known: to ask the system takes longer.
    at: Option<u64>,
    pub(super) size: u64,
}

impl<F: Read + Seek> LineReader<F> {
    pub(super) fn new(mut source: F) -> io::Result<Self> {
        let size = source.seek(SeekFrom::End(0))?;
        source.rewind()?;
        Ok(Self { source: BufReader::with_capacity(READ, source), at: Some(0), size })
    }

    /// Steps to the beginning of the line in which byte `at` lies; gives where that is.
    pub(super) fn line_start(&mut self, at: u64) -> io::Result<u64> {
        let mut end = at;
        let mut size = 1;
        let mut bytes = Vec::new();
        while end > 0 {
            let start = end.saturating_sub(size);
            bytes.resize((end - start) as usize, 0);
            self.step_to(start)?;
            self.at = None;
            self.source.read_exact(&mut bytes)?;
            self.at = Some(end);
            if let Some(found) = memrchr(b'\n', &bytes) {
                let start = start + found as u64 + 1;
                self.step_to(start)?;
                return Ok(start);
            }
            end = start;
            size = (size * 64).min(1 << 20);
        }
        self.step_to(0)?;
        Ok(0)
    }

    /// Reads on up to the end of the line, but no more than `most` bytes.
    pub(super) fn read_line(&mut self, most: u64, line: &mut Vec<u8>) -> io::Result<()> {
        let start = self.at.take();
        let read = self.source.by_ref().take(most).read_until(b'\n', line)?;
        self.at = start.map(|start| start + read as u64);
        Ok(())
    }

    /// Steps to a byte of the file; what has been read already is not read again.
    fn step_to(&mut self, at: u64) -> io::Result<()> {
        let now = match self.at.take() {
            Some(now) => now,
            None => self.source.stream_position()?,
        };
        self.source.seek_relative(at.wrapping_sub(now) as i64)?;
        self.at = Some(at);
        Ok(())
    }
}
