//! A *chunk* is some whole lines of a file, a *line* what stands before one LF.

use std::io::{self, Read};

use memchr::{memchr, memrchr};

/// The longest line that is looked into: 256 MiB.
pub const MAX_LINE: usize = 256 << 20;

/// The memory of a line of so many bytes grows once more, and then no more.
const LONG: usize = 8 << 20;

/// Some whole lines of a file, in memory.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// The lines, each with its LF; the file's last one may lack it.
    pub bytes: Vec<u8>,
    /// Where the first byte stands in the file.
    pub offset: u64,
    /// Bytes of one line longer than [`MAX_LINE`] that were stepped over, its LF included; the chunk then has no lines.
    pub skipped: u64,
}

impl Chunk {
    /// The lines, numbered from 1 within the chunk.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut at = 0;
        let mut number = 0;
        std::iter::from_fn(move || {
            let rest = self.bytes.get(at..).filter(|rest| !rest.is_empty())?;
            let end = memchr(b'\n', rest);
            let bytes = &rest[..end.unwrap_or(rest.len())];
            let offset = self.offset + at as u64;
            number += 1;
            at += bytes.len() + 1;
            Some(Line { number, offset, bytes, terminated: end.is_some() })
        })
    }
}

/// One line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Where its first byte stands in the file.
    pub offset: u64,
    /// Its bytes, without the LF.
    pub bytes: &'a [u8],
    /// Whether a LF follows.
    pub terminated: bool,
}

/// Cuts a stream into [`Chunk`]s of about one size; only a longer line makes a larger one.
///
/// ```
/// use turnproof_reference::transcript::Chunks;
///
/// let mut chunks = Chunks::new(&b"{\"type\":\"user\"}\n{}"[..], 8);
/// let first = chunks.next_chunk()?.unwrap_or_default();
/// assert_eq!(first.bytes, b"{\"type\":\"user\"}\n");
/// assert_eq!(chunks.next_chunk()?.map(|chunk| chunk.bytes), Some(b"{}".to_vec()));
/// assert!(chunks.next_chunk()?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Chunks<R> {
    source: R,
    size: usize,
    max_line: usize,
    /// What was read beyond the last whole line.
    rest: Vec<u8>,
    /// Memory of chunks that are done with.
    spare: Vec<Vec<u8>>,
    offset: u64,
    ended: bool,
}

impl<R: Read> Chunks<R> {
    /// Cuts `source` into chunks of about `size` bytes.
    pub fn new(source: R, size: usize) -> Self {
        Self {
            source,
            size: size.max(1),
            max_line: MAX_LINE,
            rest: Vec::new(),
            spare: Vec::new(),
            offset: 0,
            ended: false,
        }
    }

    /// Steps over lines longer than so many bytes, in place of [`MAX_LINE`]. A line that fits into one chunk is never
    /// stepped over.
    pub fn with_longest_line(mut self, bytes: usize) -> Self {
        self.max_line = bytes;
        self
    }

    /// Uses the memory of another source's chunks.
    pub fn with_memory(mut self, memory: Vec<Vec<u8>>) -> Self {
        self.spare = memory;
        self
    }

    /// The memory of chunks that are done with.
    pub fn into_memory(self) -> Vec<Vec<u8>> {
        self.spare
    }

    /// The next chunk; `None` at the end of the stream.
    /// When the source fails, nothing that was read is lost, and reading can be tried again.
    pub fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        // Everything before `searched` is known to hold no LF.
        let mut searched = 0;
        while !self.ended {
            if self.rest.len() >= self.size {
                if let Some(at) = memrchr(b'\n', &self.rest[searched..]) {
                    let end = searched + at + 1;
                    let mut after = self.spare.pop().unwrap_or_default();
                    after.extend_from_slice(&self.rest[end..]);
                    self.rest.truncate(end);
                    return Ok(self.take_lines(after));
                }
                searched = self.rest.len();
                if searched > self.max_line {
                    return self.skip_line().map(Some);
                }
            }
            self.fill()?;
        }
        Ok(self.take_lines(Vec::new()))
    }

    /// Takes back a chunk that is done with: the next ones use its memory, which is faster than
    /// fresh memory. That of an unusually long line is given up.
    pub fn reuse(&mut self, chunk: Chunk) {
        let mut bytes = chunk.bytes;
        if bytes.capacity() <= 4 * self.size {
            bytes.clear();
            self.spare.push(bytes);
        }
    }

    /// Reads no further: what has been read comes as the last chunk.
    pub fn end_here(&mut self) {
        self.ended = true;
    }

    /// Whether all has been given: no other chunk follows.
    pub fn is_at_end(&self) -> bool {
        self.ended && self.rest.is_empty()
    }

    /// Gives what has been read as a chunk, and keeps what comes after it.
    fn take_lines(&mut self, after: Vec<u8>) -> Option<Chunk> {
        let bytes = std::mem::replace(&mut self.rest, after);
        let offset = self.offset;
        self.offset += bytes.len() as u64;
        (!bytes.is_empty()).then_some(Chunk { bytes, offset, skipped: 0 })
    }

    /// Reads up to the size of a chunk, and for longer lines as much again as there is, but not far beyond the longest
    /// line.
    fn fill(&mut self) -> io::Result<()> {
        if self.rest.capacity() == 0 {
            self.rest = self.spare.pop().unwrap_or_default();
        }
        let (held, most) = (self.rest.len(), self.max_line.max(self.size).saturating_add(1));
        let wanted = self.size.saturating_sub(held).max(held).min(most.saturating_sub(held)).max(1);
        // Memory that grows is copied. A long line gets all that it may need at once; what is not written costs nothing.
        self.rest.reserve_exact(if held < LONG { wanted } else { most.saturating_sub(held).max(wanted) });
        let read = self.source.by_ref().take(wanted as u64).read_to_end(&mut self.rest)?;
        self.ended = read < wanted;
        Ok(())
    }

    /// Steps over the line that `rest` begins with.
    fn skip_line(&mut self) -> io::Result<Chunk> {
        let offset = self.offset;
        loop {
            if let Some(at) = memchr(b'\n', &self.rest) {
                self.rest.drain(..=at);
                self.offset += at as u64 + 1;
                break;
            }
            self.offset += self.rest.len() as u64;
            self.rest.clear();
            self.rest.shrink_to(self.size);
            self.fill()?;
            if self.is_at_end() {
                break;
            }
        }
        Ok(Chunk { bytes: Vec::new(), offset, skipped: self.offset - offset })
    }
}
