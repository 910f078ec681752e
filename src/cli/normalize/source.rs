//! The *source* of messages: a transcript, of which the conversation is taken, or a bare list, taken as it is.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use serde::Serialize;

use crate::check::{TranscriptFile, Weight};
use crate::cli::Failure;
use crate::cli::sessions::InMemory;
use crate::report::{count, json_line};
use turnproof_reference::json::FieldError;
use turnproof_reference::message::{Entry, Event, Typed};
use turnproof_reference::transcript::resume::{Place, PlaceReader, ResumeOptions, resume_file};
use turnproof_reference::transcript::{Found, Scanner, read_entry};

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
#[derive(Clone, Debug, Serialize)]
pub(super) struct Taken {
    taking: Taking,
    /// How many messages are taken, and how many there are.
    messages: u64,
    of: u64,
    /// Why there is no conversation, where one was looked for.
    not_found: Option<String>,
}

/// Where the messages are.
pub(super) struct Source {
    held: Held,
    /// What is taken; how many messages that are shows when they are read.
    taken: Taken,
}

enum Held {
    /// Records of a file, each read when it is asked for.
    Records(TranscriptFile, Vec<Place>),
    /// The elements of an array.
    Elements(Vec<Event>),
}

impl Source {
    /// The messages of a JSON array, of messages one a line, or of a transcript. Of a transcript these are the messages
    /// of the conversation that a resume finds; all, in file order, if there is none or `in_file_order` is set.
    /// Standard error names what holds no record.
    pub(super) fn of(path: &Path, in_file_order: bool, memory: &InMemory) -> Result<Self, Failure> {
        let file = input(path).map_err(|error| unreadable(&path.display(), &error))?;
        let failed = |error| unreadable(&file.name, &error);
        if begins_an_array(&file).map_err(failed)? {
            memory.admit_weight(file.size).map_err(too_large(&file))?;
            let bytes = fs::read(&file.path).map_err(failed)?;
            let mut weight = Weight::default();
            weight.add(&bytes);
            memory.admit_weight(weight.total()).map_err(too_large(&file))?;
            return Self::of_array(&bytes);
        }
        let Scanned { mut places, of, is_chained } = scan(&file).map_err(failed)?;
        let (mut taking, mut not_found) = (if is_chained { Taking::FileOrder } else { Taking::Lines }, None);
        if is_chained && !in_file_order {
            let resumed = File::open(&file.path).and_then(|file| resume_file(file, &ResumeOptions::default()));
            match resumed.map_err(failed)? {
                Err(why) => not_found = Some(why.to_string()),
                Ok(resumed) => (taking, places) = (Taking::Conversation, resumed.places),
            }
        }
        Ok(Self { held: Held::Records(file, places), taken: Taken { taking, messages: 0, of, not_found } })
    }

    fn of_array(bytes: &[u8]) -> Result<Self, Failure> {
        let elements = Entry::read_each(bytes)
            .map_err(|error| Failure::Usage(format!("this begins like a JSON array of messages, but {error}")))?;
        let of = elements.len() as u64;
        let messages = elements.into_iter().enumerate().filter_map(|(at, read)| element(at, read));
        let taken = Taken { taking: Taking::Array, messages: 0, of, not_found: None };
        Ok(Self { held: Held::Elements(messages.collect()), taken })
    }

    /// The messages. Standard error names what cannot be read.
    pub(super) fn messages(self, memory: &InMemory) -> Result<(Vec<Event>, Taken), Failure> {
        let messages: Vec<Event> = match self.held {
            Held::Elements(elements) => elements,
            Held::Records(file, places) => {
                let failed = |error| unreadable(&file.name, &error);
                let mut reader = File::open(&file.path).and_then(PlaceReader::new).map_err(failed)?;
                let (mut record, mut weight) = (Vec::new(), Weight::default());
                let read = |place: &Place| {
                    record.clear();
                    // It is held as it is read, and weighs no less than its bytes.
                    if let Err(why) = memory.admit_weight(weight.total().saturating_add(place.end - place.start)) {
                        return Some(Err(too_large(&file)(why)));
                    }
                    if let Err(error) = reader.copy(place, &mut record) {
                        return Some(Err(failed(error)));
                    }
                    weight.add(&record);
                    match memory.admit_weight(weight.total()) {
                        Ok(()) => message(place.line, read_entry(&record)).map(Ok),
                        Err(why) => Some(Err(too_large(&file)(why))),
                    }
                };
                places.iter().filter_map(read).collect::<Result<_, _>>()?
            }
        };
        let taken = Taken { messages: messages.len() as u64, ..self.taken };
        Ok((messages, taken))
    }
}

/// The file at `path`, or a copy of what can be read there once alone.
fn input(path: &Path) -> io::Result<TranscriptFile> {
    match path.as_os_str() == "-" {
        true => TranscriptFile::stream("-", io::stdin().lock()),
        false if fs::metadata(path)?.is_file() => Ok(TranscriptFile::file(path)),
        false => TranscriptFile::stream(&path.display().to_string(), File::open(path)?),
    }
}

fn too_large(file: &TranscriptFile) -> impl Fn(String) -> Failure {
    move |why| Failure::Usage(format!("{}: {why}", file.name))
}

fn unreadable(name: &dyn fmt::Display, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot read {name}: {error}"))
}

/// Whether the first byte that is no white space begins an array.
fn begins_an_array(file: &TranscriptFile) -> io::Result<bool> {
    for byte in BufReader::new(File::open(&file.path)?).bytes() {
        let byte = byte?;
        if !byte.is_ascii_whitespace() {
            return Ok(byte == b'[');
        }
    }
    Ok(false)
}

/// What a scan finds.
#[derive(Default)]
struct Scanned {
    /// Where the messages are.
    places: Vec<Place>,
    /// How many are messages.
    of: u64,
    /// Whether a message names another one as its parent.
    is_chained: bool,
}

/// Scans a file. Standard error names what holds no record.
fn scan(file: &TranscriptFile) -> io::Result<Scanned> {
    let mut scanned = Scanned::default();
    Scanner::default().file(File::open(&file.path)?, |found| match found {
        Found::Record(record) => {
            let is_message = record.head.kind.is_some();
            // Whatever else a file holds, there may be millions of it.
            if is_message {
                scanned.places.push(Place { start: record.start, end: record.end(), line: record.line });
            }
            scanned.of += u64::from(is_message);
            scanned.is_chained |= is_message && record.head.parent.is_some();
        }
        Found::Rejected { start, end, reason } => {
            eprintln!("turnproof: bytes {start}..{end} hold no record ({}); left out", reason.name());
        }
        Found::Blank { .. } | Found::Defect(_) => {}
    })?;
    Ok(scanned)
}

/// The message that a record was read as, if it is one.
fn message(line: u64, read: Result<Entry, FieldError>) -> Option<Event> {
    match read {
        Ok(Entry::Event(event)) => return Some(noted(event, format_args!("line {line}"))),
        Ok(Entry::Side(_) | Entry::Unknown(_)) => {}
        Err(error) => eprintln!("turnproof: line {line}: {error}; left out"),
    }
    None
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
