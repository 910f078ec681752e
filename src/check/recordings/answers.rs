//! The *answers* that recordings hold, for whoever gives them again.

use std::path::Path;

use turnproof_rules::operation::{Reply, ReplyForm};

use super::{Asks, Body, Recorded, RecordedFile, exchanges};
use crate::check::input::InputError;

/// The answers of recordings.
#[derive(Debug, Default)]
pub struct RecordedAnswers {
    /// Those to requests for messages, in order.
    pub answers: Vec<RecordedAnswer>,
    /// How many others were kept that cannot be given.
    pub unread: u64,
}

/// An answer that a recorder kept.
#[derive(Debug)]
pub struct RecordedAnswer {
    /// Its file, and which exchange of it.
    pub name: String,
    /// The request, where it is whole.
    pub request: Option<Vec<u8>>,
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// Reads the answers in a file or a folder of recordings. It fails where one cannot be read.
pub fn recorded_answers(path: &Path) -> Result<RecordedAnswers, InputError> {
    let mut read = RecordedAnswers::default();
    for file in RecordedFile::gather(&[path.to_owned()]) {
        let file = file?;
        let documents = match file.documents() {
            Ok(documents) => documents,
            Err(error) if error.is_harmless => continue,
            Err(error) => return Err(error),
        };
        for (number, recorded) in (1..).zip(documents.iter().filter_map(exchanges).flatten()) {
            if recorded.endpoint.as_ref().is_some_and(|endpoint| endpoint.asks == Asks::Message) {
                match answer(format!("{}, exchange {number}", file.name), recorded) {
                    Some(answer) => read.answers.push(answer),
                    None => read.unread += 1,
                }
            }
        }
    }
    Ok(read)
}

fn answer(name: String, recorded: Recorded) -> Option<RecordedAnswer> {
    let Body::Bytes(body) = recorded.reply else { return None };
    let status = recorded.status.unwrap_or(200);
    let reply = Reply::read(&body);
    let is_said = matches!(reply, Ok(Reply { form: ReplyForm::Message | ReplyForm::Stream, .. }));
    let request = match recorded.request {
        Body::Bytes(bytes) => Some(bytes),
        Body::Absent | Body::NotWhole(_) => None,
    };
    (is_said || status >= 400).then_some(RecordedAnswer { name, request, status, body })
}
