//! Chunks: whole lines of a file, and lines that are too long to look into.

use turnproof_reference::transcript::{Chunk, Chunks, MAX_LINE};

fn chunks(bytes: &[u8], size: usize, max_line: usize) -> Vec<Chunk> {
    let mut chunks = Chunks::new(bytes, size).with_longest_line(max_line);
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
    let mut memory = Vec::new();
    for size in 1..=file.len() + 1 {
        let mut reusing = Chunks::new(&file[..], size).with_memory(memory);
        let mut read = Vec::new();
        while let Some(chunk) = reusing.next_chunk().unwrap() {
            read.push((chunk.offset, chunk.bytes.clone()));
            reusing.reuse(chunk);
        }
        let fresh = chunks(file, size, MAX_LINE).into_iter().map(|chunk| (chunk.offset, chunk.bytes));
        assert_eq!(read, fresh.collect::<Vec<_>>(), "size {size}");
        memory = reusing.into_memory();
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

/// A source that says how much was wanted of it at once.
struct Asked<'a> {
    bytes: &'a [u8],
    most: usize,
}

impl std::io::Read for Asked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.most = self.most.max(buffer.len());
        self.bytes.read(buffer)
    }
}

#[test]
fn no_more_than_the_longest_line_is_in_memory() {
    let mut source = Asked { bytes: &[b'a'; 1 << 20], most: 0 };
    let mut chunks = Chunks::new(&mut source, 16).with_longest_line(1000);
    assert_eq!(chunks.next_chunk().unwrap().map(|chunk| chunk.skipped), Some(1 << 20));
    assert!(source.most <= 1001, "{} bytes were read at once", source.most);
}
