//! A *chunk* is some whole lines of a file, a *line* what stands before one LF.

use std::io::{self, Read};

use memchr::{memchr, memrchr};

/// The longest line that is looked into: 1 GiB.
pub const MAX_LINE: usize = 1 << 30;

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
/// use turnproof::transcript::Chunks;
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

    /// Gives what has been read as a chunk, and keeps what comes after it.
    fn take_lines(&mut self, after: Vec<u8>) -> Option<Chunk> {
        let bytes = std::mem::replace(&mut self.rest, after);
        let offset = self.offset;
        self.offset += bytes.len() as u64;
        (!bytes.is_empty()).then_some(Chunk { bytes, offset, skipped: 0 })
    }

    /// Reads up to the size of a chunk, and for longer lines as much again as there is.
    fn fill(&mut self) -> io::Result<()> {
        let wanted = self.size.saturating_sub(self.rest.len()).max(self.rest.len());
        self.rest.reserve_exact(wanted);
        let read = self.source.by_ref().take(wanted as u64).read_to_end(&mut self.rest)?;
        self.ended = read == 0;
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
            if self.ended {
                break;
            }
        }
        Ok(Chunk { bytes: Vec::new(), offset, skipped: self.offset - offset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(bytes: &[u8], size: usize, max_line: usize) -> Vec<Chunk> {
        let mut chunks = Chunks { max_line, ..Chunks::new(bytes, size) };
        std::iter::from_fn(|| chunks.next_chunk().unwrap()).collect()
    }

    #[test]
    fn chunks_of_any_size_join_to_the_file() {
        let file = b"a\nbb\n\nccc\n\n\nlast";
        for size in 1..=file.len() + 1 {
            let chunks = chunks(file, size, MAX_LINE);
            assert_eq!(chunks.iter().flat_map(|chunk| chunk.bytes.clone()).collect::<Vec<_>>(), file);
            let (last, whole) = chunks.split_last().unwrap();
            assert!(whole.iter().all(|chunk| chunk.bytes.ends_with(b"\n")), "size {size}");
            assert_eq!(last.offset as usize + last.bytes.len(), file.len());
        }
    }

    #[test]
    fn chunks_that_are_taken_back_change_nothing() {
        let file = b"a\nbb\n\nccc and more\n\n\nlast";
        for size in 1..=file.len() + 1 {
            let mut reusing = Chunks::new(&file[..], size);
            let mut read = Vec::new();
            while let Some(chunk) = reusing.next_chunk().unwrap() {
                read.push((chunk.offset, chunk.bytes.clone()));
                reusing.reuse(chunk);
            }
            let fresh = chunks(file, size, MAX_LINE).into_iter().map(|chunk| (chunk.offset, chunk.bytes));
            assert_eq!(read, fresh.collect::<Vec<_>>(), "size {size}");
        }
    }

    #[test]
    fn a_line_over_the_limit_is_stepped_over_and_its_neighbours_are_read() {
        let file = b"one\n0123456789012345678901234567890123456789\ntwo\n";
        let chunks = chunks(file, 4, 16);
        let skipped: Vec<u64> = chunks.iter().map(|chunk| chunk.skipped).collect();
        assert_eq!(skipped, [0, 41, 0]);
        assert_eq!(chunks[0].bytes, b"one\n");
        assert_eq!((chunks[2].offset, &chunks[2].bytes[..]), (45, &b"two\n"[..]));
    }

    #[test]
    fn lines_know_their_number_their_place_and_whether_they_end() {
        let chunk = Chunk { bytes: b"a\n\nb".to_vec(), offset: 10, skipped: 0 };
        let lines: Vec<_> = chunk.lines().map(|line| (line.number, line.offset, line.terminated)).collect();
        assert_eq!(lines, [(1, 10, true), (2, 12, true), (3, 13, false)]);
    }
}
