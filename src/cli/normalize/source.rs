//! The *source* of messages: a transcript, of which the conversation is taken, or a bare list, taken as it is.

use std::fmt;
use std::io;

use serde::Serialize;

use crate::cli::Failure;
use crate::json::FieldError;
use crate::message::{Entry, Event, Typed};
use crate::report::{count, json_line};
use crate::transcript::resume::{ResumeOptions, resume};
use crate::transcript::{Record, Transcript};

/// Which messages are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Taking {
    /// Those that a resume finds in a transcript.
    Conversation,
    /// All of a transcript, in file order.
    FileOrder,
    /// All of a file of messages without a chain, in file order.
    Lines,
    /// All of a JSON array.
    Array,
}

/// What was taken, for standard error.
#[derive(Debug, Serialize)]
pub(super) struct Taken {
    taking: Taking,
    /// How many messages are taken, and how many there are.
    messages: u64,
    of: u64,
    /// Why there is no conversation, where one was looked for.
    not_found: Option<String>,
}

/// The messages of a JSON array, of messages one a line, or of a transcript. Of a transcript these are the messages of
/// the conversation that a resume finds; all, in file order, if there is none or `in_file_order` is set. Standard error
/// names what cannot be read.
pub(super) fn messages(bytes: Vec<u8>, in_file_order: bool) -> Result<(Vec<Event>, Taken), Failure> {
    if bytes.trim_ascii_start().starts_with(b"[") {
        return of_array(&bytes);
    }
    let transcript = Transcript::from_bytes(bytes);
    for (start, end, reason) in transcript.rejected() {
        eprintln!("turnproof: bytes {start}..{end} hold no record ({}); left out", reason.name());
    }
    let (taking, places, not_found) = choose(&transcript, in_file_order);
    let messages: Vec<Event> = places.into_iter().filter_map(|index| message(&transcript.record(index))).collect();
    let of = transcript.records().filter(|record| record.head.kind.is_some()).count() as u64;
    let taken = Taken { taking, messages: messages.len() as u64, of, not_found };
    Ok((messages, taken))
}

/// How a transcript's messages are taken, the indexes of their records, and why there is no conversation.
fn choose(transcript: &Transcript, in_file_order: bool) -> (Taking, Vec<usize>, Option<String>) {
    let all = || (0..transcript.len()).collect();
    let is_linked = |record: Record<'_>| record.head.kind.is_some() && record.head.parent.is_some();
    if !transcript.records().any(is_linked) {
        return (Taking::Lines, all(), None);
    }
    if in_file_order {
        return (Taking::FileOrder, all(), None);
    }
    match resume(transcript, &ResumeOptions::default()) {
        Err(why) => (Taking::FileOrder, all(), Some(why.to_string())),
        Ok(resumed) => {
            let starts: Vec<u64> = transcript.records().map(|record| record.start).collect();
            let index = |start: u64| starts.binary_search(&start).ok();
            (Taking::Conversation, resumed.places.iter().filter_map(|place| index(place.start)).collect(), None)
        }
    }
}

/// The message that a record is, if it is one.
fn message(record: &Record<'_>) -> Option<Event> {
    match record.entry() {
        Ok(Entry::Event(event)) => return Some(noted(event, format_args!("line {}", record.line))),
        Ok(Entry::Side(_) | Entry::Unknown(_)) => {}
        Err(error) => eprintln!("turnproof: line {}: {error}; left out", record.line),
    }
    None
}

fn of_array(bytes: &[u8]) -> Result<(Vec<Event>, Taken), Failure> {
    let elements = Entry::read_each(bytes)
        .map_err(|error| Failure::Usage(format!("this begins like a JSON array of messages, but {error}")))?;
    let of = elements.len() as u64;
    let messages: Vec<Event> = elements.into_iter().enumerate().filter_map(|(at, read)| element(at, read)).collect();
    let taken = Taken { taking: Taking::Array, messages: messages.len() as u64, of, not_found: None };
    Ok((messages, taken))
}

/// The message that element `at` of an array was read as, if it is one.
fn element(at: usize, read: Result<Entry, FieldError>) -> Option<Event> {
    match read {
        Ok(Entry::Event(event)) => return Some(noted(event, format_args!("element {at}"))),
        Ok(Entry::Side(_) | Entry::Unknown(_)) => eprintln!("turnproof: element {at} is no message; left out"),
        Err(error) => eprintln!("turnproof: element {at}: {error}; left out"),
    }
    None
}

/// The same message. Standard error names a field of it that counts as missing, since its JSON type is another one.
fn noted(event: Event, place: fmt::Arguments<'_>) -> Event {
    if let Some(error) = event.misfit() {
        eprintln!("turnproof: {place}: {error}; it counts as missing");
    }
    event
}

impl Taken {
    /// Whether nothing was taken.
    pub(super) fn is_nothing(&self) -> bool {
        self.messages == 0
    }

    /// What was taken, on standard error, in words.
    pub(super) fn print(&self) {
        let Self { messages, of, .. } = self;
        let some = format!("{} of {}", count(*messages), count(*of));
        if let Some(why) = &self.not_found {
            eprintln!("turnproof: there is no conversation to resume: {why}");
        }
        match self.taking {
            Taking::Conversation if messages == of => {
                eprintln!("turnproof: a transcript: {some} messages come back in its conversation");
            }
            Taking::Conversation => eprintln!(
                "turnproof: a transcript: {some} messages come back in its conversation; \
                 `--in-file-order` takes all, and `turnproof resume --explain` says why"
            ),
            Taking::FileOrder => eprintln!("turnproof: a transcript: {some} messages, in file order"),
            Taking::Lines => eprintln!("turnproof: messages without a chain: {some}, in file order"),
            Taking::Array => eprintln!("turnproof: an array: {some} elements are messages"),
        }
    }

    /// The same as one line of JSON.
    pub(super) fn print_json(&self) -> io::Result<()> {
        json_line(&mut io::stderr(), self)
    }
}
