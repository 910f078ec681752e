//! The *weight* of a session: what it takes of memory, for a command that holds it there.

use std::io;

use turnproof_reference::transcript::{Chunks, Found, Scanner};

use super::input::TranscriptFile;

/// How many bytes are read at once.
const CHUNK: usize = 256 << 10;

/// A record or a content block weighs as much as so many bytes of text, however short it is.
pub const PART: u64 = 450;

/// The weight of a session, in bytes: its size, or more where it has very many short records and blocks.
///
/// # Errors
/// When it cannot be read.
pub fn weight(input: &TranscriptFile) -> io::Result<u64> {
    let (mut chunks, mut scanner, mut parts, mut bytes) = (Chunks::new(input.open()?, CHUNK), Scanner::default(), 0, 0);
    while let Some(chunk) = chunks.next_chunk()? {
        scanner.chunk(&chunk, |found| match found {
            Found::Record(record) => parts += 1 + record.blocks.len() as u64,
            Found::Rejected { .. } => parts += 1,
            Found::Blank { .. } | Found::Defect(_) => {}
        });
        bytes += chunk.bytes.len() as u64 + chunk.skipped;
        chunks.reuse(chunk);
    }
    Ok(bytes.max(parts * PART))
}
