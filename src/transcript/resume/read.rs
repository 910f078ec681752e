//! *Reading* a conversation from a file takes two passes: one surveys the records, one reads the
//! places that come back; the file is never in memory.

use std::io::{self, BufReader, Read, Seek, Write};

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
/// What the source or the sink says; a file that ends before a place does is an error too.
pub fn copy_places(source: impl Read + Seek, places: &[Place], out: &mut dyn Write) -> io::Result<()> {
    let mut source = BufReader::with_capacity(CHUNK, source);
    let mut at = source.stream_position()?;
    for place in places {
        // Within what has been read already, a step to another place costs nothing.
        source.seek_relative(place.start.wrapping_sub(at) as i64)?;
        let length = place.end - place.start;
        let copied = io::copy(&mut source.by_ref().take(length), out)?;
        if copied < length {
            let problem = format!("the file ends inside the record on line {}", place.line);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, problem));
        }
        at = place.end;
        out.write_all(b"\n")?;
    }
    Ok(())
}
