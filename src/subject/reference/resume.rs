//! The reference's answer to the operation `resume`.

use crate::operation::{Conversation, ConversationRecord};
use crate::subject::Outcome;
use crate::transcript::resume::{ResumeOptions, resume_file};
use crate::transcript::{Found, Line, Scanner};

/// Finds the main conversation as it is found in a file on disk: in two passes.
pub(super) fn resume(file: &[u8]) -> Outcome<Option<Conversation>> {
    let resume = match resume_file(file, &ResumeOptions::default()) {
        Ok(Ok(resume)) => resume,
        Ok(Err(_)) => return Outcome::Output(None),
        Err(error) => return Outcome::Rejected(error.to_string()),
    };
    let mut records = Vec::with_capacity(resume.places.len());
    let mut scanner = Scanner::default();
    for place in &resume.places {
        let bytes = file[place.start as usize..place.end as usize].to_vec();
        let mut uuid = String::new();
        let line = Line { number: place.line, offset: place.start, bytes: &bytes, terminated: true };
        scanner.line(&line, &mut |found| {
            if let Found::Record(record) = found {
                uuid = record.uuid().unwrap_or_default().into_owned();
            }
        });
        records.push(ConversationRecord { uuid, bytes });
    }
    let notes = resume.notes.iter().map(ToString::to_string).collect();
    Outcome::Output(Some(Conversation { records, notes }))
}
