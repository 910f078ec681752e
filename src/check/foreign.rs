//! A *foreign* file is no session of this format: one JSON document, another tool's log, text of another encoding.
//!
//! The beginning of a file decides. A file with a record of a session in its beginning is a session, whatever else it
//! holds, and so is one that nothing is known of: it is read, and its lines are judged.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use memchr::memchr;
use serde_json::Value;

use turnproof_reference::message::Entry;
use turnproof_reference::transcript::{Chunk, Found, Line, Record, Scanner};

use super::input::TranscriptFile;

/// So many bytes of a file are looked at.
const HEAD: u64 = 64 << 10;

/// So many bytes mostly hold a whole record.
const GLANCE: u64 = 8 << 10;

/// What a file is that is no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Foreign {
    /// Nothing was written to it.
    Empty,
    /// Text as UTF-16, as some editors and shells write it.
    Utf16,
    /// One JSON document over several lines.
    Document,
    /// One JSON array.
    Array,
    /// The body of a request to the Messages API.
    Request,
    /// Messages of the Messages API, one a line: `role` and `content` alone.
    Turns,
    /// A session of Codex CLI.
    Codex,
    /// A session of Gemini CLI.
    Gemini,
    /// Conversations for the API of OpenAI, one a line.
    OpenAi,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "an empty file",
            Self::Utf16 => "text in UTF-16; make it UTF-8 first (`iconv -f UTF-16 -t UTF-8`)",
            Self::Document => "one JSON document over several lines; a session has a record on each line (`jq -c .`)",
            Self::Array => "a JSON array; a session has a record on each line (`jq -c '.[]'`)",
            Self::Request => "the body of a request; `turnproof check --request` judges it",
            Self::Turns => {
                "turns of the Messages API, one a line; `jq -s . FILE | turnproof check --request -` judges them"
            }
            Self::Codex => "a session of Codex CLI, which has another format",
            Self::Gemini => "a session of Gemini CLI, which has another format",
            Self::OpenAi => "conversations for the API of OpenAI, which have another format",
        })
    }
}

impl Foreign {
    /// What a file is, by its beginning; `None` when it is a session, or when nothing is known of it. `is_whole` says
    /// that this is the whole file.
    pub fn of(head: &[u8], is_whole: bool) -> Option<Self> {
        if head.is_empty() {
            return Some(Self::Empty);
        }
        if is_utf16(head) {
            return Some(Self::Utf16);
        }
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii();
        match text.first() {
            Some(b'{') => objects(text).ok()?.or_else(|| document(text, is_whole)),
            Some(b'[') => document(text, is_whole),
            _ => None,
        }
    }
}

impl TranscriptFile {
    /// What the file is when it is no session. It fails when the file cannot be read.
    pub fn foreign(&self) -> io::Result<Option<Foreign>> {
        let (mut file, mut head) = (File::open(&self.path)?, Vec::with_capacity(GLANCE as usize));
        file.by_ref().take(GLANCE).read_to_end(&mut head)?;
        if begins_with_session(&head) {
            return Ok(None);
        }
        file.take(HEAD - GLANCE).read_to_end(&mut head)?;
        Ok(Foreign::of(&head, (head.len() as u64) < HEAD))
    }
}

/// Whether each of the first characters has a zero byte, behind a byte order mark or without one. Two bytes of a mark
/// alone are damage before a record.
fn is_utf16(head: &[u8]) -> bool {
    let marks: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];
    let text = marks.iter().find_map(|mark| head.strip_prefix(*mark)).unwrap_or(head);
    let pairs: Vec<&[u8]> = text.chunks_exact(2).take(8).collect();
    let are = |zero: usize, other: usize| pairs.iter().all(|pair| pair[zero] == 0 && pair[other] != 0);
    pairs.len() >= 4 && (are(0, 1) || are(1, 0))
}

/// A record of a session.
struct SessionRecord;

/// What the JSON objects of a text are that a reader of sessions finds: what the first known one is. It fails at a
/// record of a session.
fn objects(text: &[u8]) -> Result<Option<Foreign>, SessionRecord> {
    let mut found = Ok(None);
    let chunk = Chunk { bytes: text.to_vec(), ..Chunk::default() };
    let mut scanner = Scanner::default();
    for line in chunk.lines() {
        scanner.line(&line, &mut |piece| {
            if let (Ok(foreign), Found::Record(record)) = (&mut found, piece) {
                match is_of_session(&record) {
                    true => found = Err(SessionRecord),
                    false => {
                        *foreign = foreign.or_else(|| object_of_others(&serde_json::from_slice(record.bytes).ok()?))
                    }
                }
            }
        });
        if found.is_err() {
            break;
        }
    }
    found
}

fn is_of_session(record: &Record<'_>) -> bool {
    matches!(record.entry(), Ok(Entry::Event(_) | Entry::Side(_)))
}

/// Whether the first line is a record of a session, and whole.
pub(super) fn begins_with_session(head: &[u8]) -> bool {
    let Some(end) = memchr(b'\n', head).filter(|_| head[0] == b'{') else { return false };
    let (line, mut is_session) = (Line { number: 1, offset: 0, bytes: &head[..end], terminated: true }, false);
    Scanner::default().line(&line, &mut |piece| {
        is_session |= matches!(piece, Found::Record(record) if is_of_session(&record));
    });
    is_session
}

/// What a JSON object that is no record of a session is a part of.
fn object_of_others(object: &Value) -> Option<Foreign> {
    let has = |name: &str| object.get(name).is_some();
    let messages = object.get("messages").and_then(Value::as_array);
    let is_of = |member: &str, name: &str| {
        messages.is_some_and(|messages| messages.iter().any(|one| one[member].as_str() == Some(name)))
    };
    match object["type"].as_str() {
        Some("session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted") if has("payload") => {
            Some(Foreign::Codex)
        }
        _ if has("instructions") && has("timestamp") && has("id") => Some(Foreign::Codex),
        _ if messages.is_some() && has("sessionId") && (has("projectHash") || is_of("type", "gemini")) => {
            Some(Foreign::Gemini)
        }
        _ if messages.is_some() && (has("max_tokens") || has("model")) => Some(Foreign::Request),
        _ if is_of("role", "user") || is_of("role", "system") => Some(Foreign::OpenAi),
        None if object["role"].is_string() && has("content") => Some(Foreign::Turns),
        _ => None,
    }
}

/// What one JSON document is: an object over several lines, or an array. Of a beginning only the form is seen.
fn document(text: &[u8], is_whole: bool) -> Option<Foreign> {
    if text.starts_with(b"[") {
        let begins = matches!(text[1..].trim_ascii_start().first(), Some(b'{'));
        let is_array = if is_whole { serde_json::from_slice::<Vec<Value>>(text).is_ok() } else { begins };
        return is_array.then_some(Foreign::Array);
    }
    let first = text.split(|&byte| byte == b'\n').next()?.trim_ascii();
    if first != b"{" {
        return None;
    }
    match serde_json::from_slice(text) {
        Ok(object) => Some(object_of_others(&object).unwrap_or(Foreign::Document)),
        Err(_) => (!is_whole).then_some(Foreign::Document),
    }
}
