//! The conversation as it is *stored*: its rows in order, and what each says.

use std::collections::HashMap;

use crate::message::{Content, Entry, Event, Message};
use crate::transcript::resume::{ResumeOptions, Survey};
use crate::transcript::{Record, Transcript};

/// Whose conversation is repaired: the main one, or that of a subagent whose file it is.
pub(super) struct Speaker {
    pub(super) survey: Survey,
    pub(super) options: ResumeOptions,
}

impl Speaker {
    pub(super) fn of(transcript: &Transcript) -> Self {
        let mut survey = Survey::default();
        transcript.records().for_each(|record| survey.note(&record));
        let options = survey.speaker();
        Self { survey, options }
    }

    /// Whether a record is of the conversation, or of one of its branches.
    pub(super) fn has(&self, record: &Record<'_>) -> bool {
        match &self.options.agent {
            Some(wanted) => record.head.agent.is_some_and(|agent| record.text(agent) == *wanted),
            None => record.is_of_main(),
        }
    }
}

/// The rows of the conversation that a resume finds, in its order.
pub(super) fn conversation(transcript: &Transcript, Speaker { survey, options }: &Speaker) -> Vec<usize> {
    let Ok(resume) = survey.resume(options) else { return Vec::new() };
    let rows: HashMap<u64, usize> = transcript.records().enumerate().map(|(row, record)| (record.start, row)).collect();
    resume.places.iter().filter_map(|place| rows.get(&place.start).copied()).collect()
}

/// The conversation as messages.
#[derive(Clone)]
pub(super) struct Stored {
    /// The row of each message.
    pub(super) rows: Vec<usize>,
    pub(super) messages: Vec<Event>,
}

impl Stored {
    pub(super) fn of(transcript: &Transcript, speaker: &Speaker) -> Self {
        let (mut rows, mut messages) = (Vec::new(), Vec::new());
        for row in conversation(transcript, speaker) {
            if let Ok(Entry::Event(event)) = transcript.record(row).entry() {
                rows.push(row);
                messages.push(event);
            }
        }
        Self { rows, messages }
    }

    /// The row of a message, and which element of its content is the n-th block of a type.
    pub(super) fn element(&self, source: u32, type_name: &str, nth: usize) -> Option<(usize, usize)> {
        let content = match self.messages[source as usize].message()? {
            Message::User(user) => user.content()?,
            Message::Assistant(assistant) => assistant.content()?,
            _ => return None,
        };
        let Content::Blocks(blocks) = content else { return None };
        let mut places = blocks.iter().enumerate().filter(|(_, block)| block.type_name() == type_name);
        Some((self.rows[source as usize], places.nth(nth)?.0))
    }
}
