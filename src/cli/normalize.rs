//! `turnproof normalize`: make a request, or what a UI shows, of the messages of a session.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::json::Raw;
use crate::message::{Entry, Event, Message, Typed};
use crate::normalize::api::{Options, Trace, normalize_for_api, normalize_traced};
use crate::normalize::ui::{normalize_for_ui, reorder_for_ui};
use crate::report::normalization;
use crate::transcript::Transcript;

use super::exit::Exit;
use super::input::read;
use super::profile::Profile;
use super::{Failure, stdout};

/// Make a request for the model, or what a UI shows, of the messages of a session
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof normalize --for api session.jsonl                    the request, a turn a line
  turnproof normalize --for api --trace session.jsonl >/dev/null what each stage did to each message
  turnproof normalize --for ui session.jsonl | jq '.[].uuid'     the ids that a UI derives
  turnproof normalize --for api session.jsonl | turnproof check --request -

FILE is a transcript, whose messages are taken in file order, or a JSON array of messages. The result
is a JSON array on standard output; what cannot be read and the trace go to standard error.")]
pub(super) struct Arguments {
    /// A transcript or a JSON array of messages; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Whom the result is for
    #[arg(long = "for", value_enum, value_name = "WHOM")]
    for_whom: Whom,
    /// The host that the request is for
    #[arg(long, value_enum, default_value_t = Profile::Strict)]
    profile: Profile,
    /// Project context that goes in front of the first user message
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,
    /// A tool that the request offers; may be given several times. If given, server calls and tool
    /// references that need another tool go
    #[arg(long = "tool", value_name = "NAME")]
    tools: Vec<String>,
    /// Tell on standard error, message by message, which stage did what
    #[arg(long)]
    trace: bool,
    /// How to print the trace
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whom {
    /// The Messages API: turns of `{role, content}`
    Api,
    /// A UI: one message a block, in the order in which calls tell their story
    Ui,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table
    Human,
    /// One JSON object a line, one for each stage
    Json,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let bytes = read(&arguments.file)?;
    let messages = messages(&bytes)?;
    if messages.is_empty() {
        eprintln!("turnproof: {} holds no message", arguments.file.display());
    }
    match arguments.for_whom {
        Whom::Api => for_api(arguments, &messages)?,
        Whom::Ui => {
            let messages = messages.into_iter().filter_map(|event| match event {
                Event::Message(message) => Some(message),
                _ => None,
            });
            write_list(&reorder_for_ui(normalize_for_ui(messages.collect::<Vec<Message>>())))?;
        }
    }
    Ok(Exit::Held)
}

fn for_api(arguments: &Arguments, messages: &[Event]) -> Result<(), Failure> {
    let options = Options {
        tools: (!arguments.tools.is_empty()).then(|| arguments.tools.iter().cloned().collect()),
        profile: arguments.profile.host(),
        context: arguments.context.clone(),
    };
    if !arguments.trace {
        return write_list(&normalize_for_api(messages, &options));
    }
    let (turns, trace) = normalize_traced(messages, &options);
    match arguments.format {
        Format::Human => eprint!("{}", normalization::by_message(messages, &turns, &trace)),
        Format::Json => write_trace(&trace)?,
    }
    write_list(&turns)
}

fn write_trace(trace: &Trace) -> Result<(), Failure> {
    for step in &trace.steps {
        let line = serde_json::to_string(step).map_err(|error| Failure::Internal(error.to_string()))?;
        eprintln!("{line}");
    }
    Ok(())
}

/// The messages of a JSON array or of a transcript; what is left out is told.
fn messages(bytes: &[u8]) -> Result<Vec<Event>, Failure> {
    if bytes.trim_ascii_start().starts_with(b"[") {
        let elements: Vec<Raw> = serde_json::from_slice(bytes).map_err(|error| {
            Failure::Usage(format!("this begins like a JSON array of messages, but {error}"))
        })?;
        return Ok(elements.iter().enumerate().filter_map(|(at, raw)| element(at, raw)).collect());
    }
    let transcript = Transcript::from_bytes(bytes.to_vec());
    for (start, end, reason) in transcript.rejected() {
        eprintln!("turnproof: bytes {start}..{end} hold no record ({}); left out", reason.name());
    }
    let mut messages = Vec::new();
    for record in transcript.records() {
        match record.entry() {
            Ok(Entry::Event(event)) => messages.push(event),
            Ok(Entry::Side(_) | Entry::Unknown(_)) => {}
            Err(error) => eprintln!("turnproof: line {}: {error}; left out", record.line),
        }
    }
    Ok(messages)
}

/// The message that is element `at` of an array, if it is one.
fn element(at: usize, raw: &Raw) -> Option<Event> {
    match Entry::read(raw) {
        Ok(Entry::Event(event)) => Some(event),
        Ok(Entry::Side(_) | Entry::Unknown(_)) => {
            eprintln!("turnproof: element {at} is no message; left out");
            None
        }
        Err(error) => {
            eprintln!("turnproof: element {at}: {error}; left out");
            None
        }
    }
}

/// Writes a JSON array, an element a line.
fn write_list<T: Serialize>(elements: &[T]) -> Result<(), Failure> {
    let mut out = stdout();
    out.write_all(b"[")?;
    for (index, element) in elements.iter().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        let json = serde_json::to_string(element).map_err(|error| Failure::Internal(error.to_string()))?;
        out.write_all(json.as_bytes())?;
    }
    out.write_all(if elements.is_empty() { b"]\n" } else { b"\n]\n" })?;
    out.flush()?;
    Ok(())
}
