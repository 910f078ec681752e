//! *Recordings* are exchanges with a host that a recorder kept: what was sent, and what came back. Each is judged by the
//! rules on requests, for the host that it was sent to, and by the rules on replies.
//!
//! A recorder has a file of its own here. It makes [`Recorded`] exchanges of a [`document`]; all that follows is one.

mod answers;
mod body;
mod document;
mod endpoint;
mod files;
mod go_vcr;
mod har;
mod httpmock;
mod judge;
mod lines;
mod tally;
mod vcr;
mod vcrpy;
mod words;

pub use answers::{RecordedAnswer, RecordedAnswers, recorded_answers};
pub use files::RecordedFile;
pub use judge::{ExchangeVerdict, Outcome, RequestVerdict, Told, is_on_exchanges};
pub use tally::{RecordingTally, RequestCounts};

use rayon::prelude::*;
use serde_json::Value;

use body::Body;
use endpoint::{Asks, Endpoint};
use turnproof_rules::operation::Request;
use turnproof_rules::rules::Rule;

use super::input::InputError;

/// An exchange as a recorder kept it.
struct Recorded {
    /// Where it was sent; `None` for what is no exchange with the Messages API.
    endpoint: Option<Endpoint>,
    status: Option<u16>,
    request: Body,
    reply: Body,
}

/// What a file of recordings came to.
#[derive(Clone, Debug, Default)]
pub struct FileVerdict {
    /// The file's name.
    pub file: String,
    /// Its exchanges with the Messages API, in order.
    pub exchanges: Vec<ExchangeVerdict>,
    /// How many exchanges with others it has.
    pub others: u64,
    /// How many of its lines cannot be read, where each should be an exchange.
    pub unread_lines: u64,
    /// Whether it is a recording at all.
    pub is_recording: bool,
}

/// Judges files of recordings, each for itself; gives what they came to in order. A file that cannot be read is an
/// error in its place.
pub fn judge_recordings(files: &[RecordedFile], rules: &[&'static Rule]) -> Vec<Result<FileVerdict, InputError>> {
    files.par_iter().map(|file| judge_file(file, rules)).collect()
}

/// The requests for messages that a recording holds, in order. It fails where the file cannot be read.
pub(super) fn recorded_requests(file: &RecordedFile) -> Result<Vec<Request>, InputError> {
    let documents = file.documents()?;
    let recorded = documents.iter().filter_map(exchanges).flatten();
    let asked = recorded.filter(|one| one.endpoint.as_ref().is_some_and(|endpoint| endpoint.asks == Asks::Message));
    let read = |one: Recorded| match one.request {
        Body::Bytes(bytes) => Request::read(std::str::from_utf8(&bytes).ok()?).ok(),
        Body::Absent | Body::NotWhole(_) => None,
    };
    Ok(asked.filter_map(read).collect())
}

fn judge_file(file: &RecordedFile, rules: &[&'static Rule]) -> Result<FileVerdict, InputError> {
    let documents = file.documents()?;
    let mut verdict = FileVerdict { file: file.name.clone(), ..FileVerdict::default() };
    let mut number = 0;
    for document in &documents {
        let Some(exchanges) = exchanges(document) else {
            verdict.unread_lines += u64::from(documents.len() > 1 && document.is_null());
            continue;
        };
        verdict.is_recording = true;
        for recorded in exchanges {
            number += 1;
            match judge::exchange(number, &recorded, rules) {
                Some(exchange) => verdict.exchanges.push(exchange),
                None => verdict.others += 1,
            }
        }
    }
    Ok(verdict)
}

/// The exchanges of a document; `None` for one that no recorder wrote.
fn exchanges(document: &Value) -> Option<Vec<Recorded>> {
    let read = |list: &Value, read: fn(&Value) -> Recorded| Some(list.as_array()?.iter().map(read).collect());
    if let Some(list) = document.get("http_interactions") {
        return read(list, vcr::exchange);
    }
    if let Some(list) = document.get("interactions") {
        let is_go = |one: &Value| one.pointer("/request/url").is_some();
        let is_go = list.as_array().is_some_and(|list| list.iter().any(is_go));
        return read(list, if is_go { go_vcr::exchange } else { vcrpy::exchange });
    }
    if let Some(entries) = document.pointer("/log/entries") {
        return read(entries, har::exchange);
    }
    if document.get("when").is_some() && document.get("then").is_some() {
        return Some(vec![httpmock::exchange(document)]);
    }
    match document {
        Value::Array(list) if list.iter().any(lines::is_exchange) => read(document, lines::exchange),
        one if lines::is_exchange(one) => Some(vec![lines::exchange(one)]),
        _ => None,
    }
}
