//! To *scrub* a session is to replace what people wrote in it, and to keep its form: lengths, structure, which ids are
//! the same, and what rules find. SPEC.md section 11 says what is kept and what is replaced.
//!
//! ```text
//! bytes ── scanner ──> records ── walk ──> strings, numbers ── text ──> other letters, in the same places
//!                      rejected ranges ── walk::torn ────────────^
//! ```
//!
//! * `walk` steps over the tokens of a record, or of a range that is damaged.
//! * `text` replaces one string; `shape` knows uuids, ids and times, `media` what lies in base64.
//! * `letters` are the keyed replacements: the same text gives the same text, and nothing else does.
//! * `vocabulary` holds the words of the format, which stay.

mod letters;
mod media;
mod png;
mod shape;
mod text;
mod vocabulary;
mod walk;

use std::io::{self, Read, Write};

use crate::message::Context;
use crate::sent::Renamed;
use crate::transcript::{Chunk, Chunks, Found, Scanner};

use letters::Key;

/// How many bytes are scrubbed at once.
const CHUNK: usize = 1 << 20;

/// No longer line is scrubbed.
const LONGEST_LINE: usize = 64 << 20;

/// Replaces the words of sessions. All files that one scrubber takes get the same replacements, so that links between
/// them stay: a session and its subagents.
///
/// Whoever knows the ids of the context can undo the replacement of short texts. For a file that is sent to others use
/// [`SystemContext`](crate::message::SystemContext).
///
/// ```
/// use turnproof_reference::message::FixedContext;
/// use turnproof_reference::scrub::Scrubber;
///
/// let line = br#"{"type":"user","uuid":"u1","message":{"role":"user","content":"My secret plan\n"},"cwd":"/home/ada"}"#;
/// let scrubbed = Scrubber::new(&mut FixedContext::new(1)).scrub(line);
/// assert_eq!(scrubbed.len(), line.len());
/// let text = String::from_utf8(scrubbed)?;
/// assert!(text.starts_with(r#"{"type":"user","uuid":""#) && text.contains(r#"\n"},"cwd":"/"#));
/// assert!(!text.contains("secret") && !text.contains("home"));
/// # Ok::<(), std::string::FromUtf8Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scrubber {
    key: Key,
}

impl Scrubber {
    /// A scrubber whose replacements follow from the next id of the context.
    pub fn new(context: &mut impl Context) -> Self {
        Self { key: Key::new(&context.uuid()) }
    }

    /// The scrubbed form of a file, or of some whole lines of it; of the same length.
    pub fn scrub(&self, bytes: &[u8]) -> Vec<u8> {
        let chunk = Chunk { bytes: bytes.to_vec(), ..Chunk::default() };
        let mut out = Vec::with_capacity(bytes.len());
        self.chunk(&mut Scanner::default(), &mut Renamed::default(), &chunk, &mut out);
        out
    }

    /// Scrubs a stream, a few lines at a time. Fails when the stream cannot be read, the output cannot be written, or a
    /// line is longer than 64 MiB: what is known of its letters takes several times as much.
    pub fn copy(&self, source: impl Read, mut out: impl Write) -> io::Result<()> {
        let mut chunks = Chunks::new(source, CHUNK).with_longest_line(LONGEST_LINE);
        let (mut scanner, mut renamed, mut scrubbed) = (Scanner::default(), Renamed::default(), Vec::new());
        while let Some(chunk) = chunks.next_chunk()? {
            if chunk.skipped > 0 {
                let problem = format!("the line at byte {} is longer than 64 MiB", chunk.offset);
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
            scrubbed.clear();
            self.chunk(&mut scanner, &mut renamed, &chunk, &mut scrubbed);
            out.write_all(&scrubbed)?;
            chunks.reuse(chunk);
        }
        out.flush()
    }

    /// The scrubbed form of a file's name without its ending, such as a session's uuid or `agent-a1b2c3`.
    pub fn scrub_name(&self, stem: &str) -> String {
        let (prefix, rest) = match stem.strip_prefix("agent-") {
            Some(rest) => ("agent-", rest),
            None => ("", stem),
        };
        let mut out = prefix.as_bytes().to_vec();
        text::Texts::new(&self.key).replace(rest.as_bytes(), &mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    fn chunk(&self, scanner: &mut Scanner, renamed: &mut Renamed, chunk: &Chunk, out: &mut Vec<u8>) {
        let mut walk = walk::Walk::new(&self.key);
        let mut done = 0;
        let offset = chunk.offset as usize;
        scanner.chunk(chunk, |found| {
            let (start, end) = match found {
                Found::Record(record) => (record.start as usize - offset, record.end() as usize - offset),
                Found::Rejected { start, end, .. } => (start as usize - offset, end as usize - offset),
                Found::Blank { .. } | Found::Defect(_) => return,
            };
            out.extend_from_slice(&chunk.bytes[done..start]);
            match found {
                Found::Record(record) => {
                    let scrubbed = out.len();
                    walk.record(&chunk.bytes[start..end], out);
                    renamed.record(&record, &mut out[scrubbed..]);
                }
                _ => walk.torn(&chunk.bytes[start..end], out),
            }
            done = end;
        });
        out.extend_from_slice(&chunk.bytes[done..]);
    }
}
