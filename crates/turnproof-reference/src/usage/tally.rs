//! A *tally* counts the replies of files, each once. It keeps less than 500 bytes a reply, whatever the files hold.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Read};

use twox_hash::XxHash3_128;

use crate::operation::UsageRow;
use crate::transcript::{Chunks, Found, Line, Record, Scanner};

use super::line::UsageLine;
use super::reply::Reply;

/// How many bytes are read at once.
const CHUNK: usize = 1 << 18;

/// The number of no name.
const NO_NAME: u32 = u32::MAX;

/// The replies of some files.
///
/// ```
/// use turnproof_reference::usage::Tally;
///
/// let file = r#"{"type":"assistant","sessionId":"s","message":{"id":"msg_1","model":"m","usage":{"output_tokens":1}}}
/// {"type":"assistant","sessionId":"s","message":{"id":"msg_1","model":"m","usage":{"output_tokens":31}}}
/// "#;
/// let mut tally = Tally::default();
/// tally.file(file.as_bytes(), |_| {})?;
/// // Somebody went on with a copy of the session.
/// tally.file(file.as_bytes(), |_| {})?;
/// let rows = tally.rows();
/// assert_eq!((rows.len(), rows[0].replies, rows[0].output_tokens), (1, 1, 31));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Default)]
pub struct Tally {
    replies: HashMap<u128, Reply>,
    /// Sessions and models, in the order in which they come.
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    files: u32,
    /// The lines of this file that were estimated, so that a line that the file repeats is counted once.
    estimated: HashSet<u128>,
    scanner: Scanner,
}

impl Tally {
    /// Counts the next file, which is read to its end; `read` gets how many bytes were read each time. Gives how
    /// many bytes of it hold no record. Fails when the source fails; what was read before is counted.
    pub fn file(&mut self, source: impl Read, mut read: impl FnMut(u64)) -> io::Result<u64> {
        self.files += 1;
        self.estimated.clear();
        let (mut chunks, mut rejected) = (Chunks::new(source, CHUNK), 0);
        let mut scanner = std::mem::take(&mut self.scanner);
        while let Some(chunk) = chunks.next_chunk()? {
            scanner.chunk(&chunk, |found| match found {
                Found::Record(record) => self.note(&record),
                Found::Rejected { start, end, .. } => rejected += end - start,
                Found::Blank { .. } | Found::Defect(_) => {}
            });
            read(chunk.bytes.len() as u64 + chunk.skipped);
            chunks.reuse(chunk);
        }
        self.scanner = scanner;
        Ok(rejected)
    }

    fn note(&mut self, record: &Record<'_>) {
        let Some(line) = UsageLine::of(record) else { return };
        let names = [line.session(), line.model.clone()].map(|name| self.number(name.as_deref()));
        let key = key(&line, self.files, record.start);
        let file = self.files;
        let is_said = line.tokens.iter().any(Option::is_some);
        let is_new = is_said || line.uuid().is_none_or(|uuid| self.estimated.insert(hash(&[uuid.as_bytes()])));
        let estimated = if is_said || !is_new { 0 } else { line.estimate() };
        let reply = self.replies.entry(key).or_insert_with(|| Reply::begun_by(&line, file, names[0], names[1]));
        reply.take(&line, file, names, estimated);
    }

    /// The number of a session or a model.
    fn number(&mut self, name: Option<&str>) -> u32 {
        let Some(name) = name else { return NO_NAME };
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// A row for each session, each model in it, and each sort of conversation: sessions in the order in which they
    /// came, models by their names, subagents last.
    pub fn rows(&self) -> Vec<UsageRow> {
        let name = |number: u32| self.names.get(number as usize).cloned();
        let mut rows: BTreeMap<(u32, Option<String>, bool), UsageRow> = BTreeMap::new();
        self.replies.values().for_each(|reply| {
            let (session, model, sidechain) = (name(reply.session), name(reply.model), reply.is_sidechain);
            let row = rows.entry((reply.session, model.clone(), sidechain));
            add(row.or_insert_with(|| UsageRow { session, model, sidechain, ..UsageRow::default() }), reply);
        });
        rows.into_values().collect()
    }
}

/// Adds a reply to its row.
fn add(row: &mut UsageRow, reply: &Reply) {
    let [input, output, created, read] = reply.tokens().map(Option::unwrap_or_default);
    let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
    add(&mut row.replies, 1);
    add(&mut row.input_tokens, input);
    add(&mut row.output_tokens, output);
    add(&mut row.cache_creation_input_tokens, created);
    add(&mut row.cache_read_input_tokens, read);
    if reply.is_unknown() {
        add(&mut row.unknown, 1);
        add(row.estimated_output_tokens.get_or_insert(0), reply.estimated());
    }
}

/// What makes lines lines of one reply: the ids of reply and request, or else the line's uuid, or else its place.
fn key(line: &UsageLine<'_>, file: u32, start: u64) -> u128 {
    match (line.reply(), line.uuid()) {
        (Some((id, Some(request))), _) => hash(&[b"request", id.as_bytes(), request.as_bytes()]),
        (Some((id, None)), _) => hash(&[b"reply", id.as_bytes()]),
        (None, Some(uuid)) => hash(&[b"uuid", uuid.as_bytes()]),
        (None, None) => hash(&[b"place", &file.to_le_bytes(), &start.to_le_bytes()]),
    }
}

/// The hash of parts; where one ends and the next begins is part of it.
fn hash(parts: &[&[u8]]) -> u128 {
    let mut bytes = Vec::with_capacity(64);
    for part in parts {
        bytes.extend(part.len().to_le_bytes());
        bytes.extend(*part);
    }
    XxHash3_128::oneshot(&bytes)
}

/// What the replies of files cost: a row for each session, model and sort of conversation (SPEC.md section 8.1). Fails
/// when a source fails.
///
/// ```
/// use turnproof_reference::usage::usage_by_reply;
///
/// let file = r#"{"type":"assistant","message":{"id":"msg_1","usage":{"input_tokens":7,"output_tokens":31}}}"#;
/// let rows = usage_by_reply([file.as_bytes()])?;
/// assert_eq!((rows[0].input_tokens, rows[0].output_tokens), (7, 31));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn usage_by_reply<R: Read>(files: impl IntoIterator<Item = R>) -> io::Result<Vec<UsageRow>> {
    let mut tally = Tally::default();
    for file in files {
        tally.file(file, |_| {})?;
    }
    Ok(tally.rows())
}

/// What [`usage_by_reply`] gives for a file of this line alone.
///
/// ```
/// use turnproof_reference::usage::usage_of_line;
///
/// let line = br#"{"type":"assistant","message":{"id":"msg_1","usage":{"input_tokens":7,"output_tokens":31}}}"#;
/// assert_eq!(usage_of_line(line)[0].output_tokens, 31);
/// ```
pub fn usage_of_line(line: &[u8]) -> Vec<UsageRow> {
    let mut tally = Tally { files: 1, ..Tally::default() };
    Scanner::default().line(&Line { number: 1, offset: 0, bytes: line, terminated: true }, &mut |found| {
        if let Found::Record(record) = found {
            tally.note(&record);
        }
    });
    tally.rows()
}
