//! To *serve* is to answer as a program does: any subject in Rust speaks the protocol.

use std::io::{self, BufRead, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::{Outcome, Subject};
use super::METHODS;
use super::dialogue::Said;
use super::wire::{
    self, Announcement, Answer, Body, CommandLine, Events, File, FoldMessages, Inputs, Json, List, Messages, Parent,
    RequestOfMessages, Session, Transcripts, Uuid, excerpt,
};

/// Why a subject does not go on answering.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Input cannot be read or output not written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line is no command.
    #[error("line {number} is no command of the protocol: {why}: {line}")]
    NoCommand {
        /// The number of the line, from 1.
        number: usize,
        /// What is wrong.
        why: String,
        /// The beginning of the line.
        line: String,
    },
}

/// Answers the commands of `input` until `stop` or its end.
///
/// # Errors
/// When a line is no command, or input or output fail.
pub fn serve(
    subject: &dyn Subject,
    announcement: &Announcement,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), ServeError> {
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            break;
        }
        let no_command = |why: String| ServeError::NoCommand { number, why, line: excerpt(line.trim_end()) };
        let command: CommandLine = serde_json::from_str(&line).map_err(|error| no_command(error.to_string()))?;
        match command.cmd.as_str() {
            "start" => say(output, announcement)?,
            "run" => say(output, &answer(subject, command))?,
            "stop" => break,
            other => return Err(no_command(format!("`{other}` is none of start, run and stop"))),
        }
    }
    Ok(())
}

fn say(output: &mut dyn Write, answer: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

fn answer(subject: &dyn Subject, command: CommandLine) -> Answer {
    let operation = command.operation.unwrap_or_default();
    let input = command.input.unwrap_or_else(|| Json::of("null"));
    let outcome = ask(subject, &operation, &input);
    let answer = match outcome {
        Outcome::Output(output) => Answer { output: Some(output), ..Answer::default() },
        Outcome::Rejected(why) => Said::rejected(&why).answer,
        Outcome::Unsupported => {
            let why = match METHODS.contains(&operation.as_str()) {
                true => "this subject does not do it",
                false => "there is no such operation",
            };
            Answer { unsupported: Some(Json::value(&why)), ..Answer::default() }
        }
    };
    Answer { seq: command.seq, ..answer }
}

/// Asks a method of a subject.
fn ask(subject: &dyn Subject, method: &str, input: &Json) -> Outcome<Json> {
    match method {
        "parse" => of::<File, wire::Parsed, _>(input, |file| subject.parse(&file.jsonl_b64.0)),
        "normalize_api" => of::<RequestOfMessages, wire::Turns, _>(input, |asked| {
            subject.normalize_api(asked.messages.text(), &asked.options)
        }),
        "normalize_api_incremental" => of::<RequestOfMessages, wire::AfterEach, _>(input, |asked| {
            subject.normalize_api_incremental(asked.messages.text(), &asked.options)
        }),
        "normalize_ui" => of_messages(input, |messages| subject.normalize_ui(messages)),
        "reorder_ui" => of_messages(input, |messages| subject.reorder_ui(messages)),
        "unfold" => of_messages(input, |messages| subject.unfold(messages)),
        "bridge" => of_messages(input, |messages| subject.bridge(messages)),
        "fold" => of::<FoldMessages, Messages, _>(input, |asked| subject.fold(asked.messages.text(), asked.folding)),
        "derive_uuid" => of::<Parent, wire::Derived, _>(input, |asked| subject.derive_uuid(&asked.parent, asked.index)),
        "short_id" => of::<Uuid, wire::ShortId, _>(input, |asked| subject.short_id(&asked.uuid)),
        "record" => of::<Session, wire::Recorded, _>(input, |asked| {
            let steps: Vec<_> = asked.steps.into_iter().map(Into::into).collect();
            subject.record(&asked.jsonl_b64.0, &asked.session, &steps)
        }),
        "resume" => of::<File, wire::Found, _>(input, |file| subject.resume(&file.jsonl_b64.0)),
        "accumulate" => of::<Events, wire::Streamed, _>(input, |asked| {
            let items: Vec<_> = asked.items.into_iter().map(Into::into).collect();
            subject.accumulate(&items)
        }),
        "play" => of::<Inputs, wire::Played, _>(input, |asked| subject.play(asked.inputs.text())),
        "check_request" => {
            of::<Body, wire::Errors, _>(input, |asked| subject.check_request(asked.request.text(), asked.host))
        }
        "make" => of::<wire::FactoryCall, wire::Made, _>(input, |call| subject.make(&call.into())),
        "usage" => of::<Transcripts, wire::Rows, _>(input, |asked| {
            let files: Vec<Vec<u8>> = asked.files.into_iter().map(|file| file.jsonl_b64.0).collect();
            subject.usage(&files)
        }),
        "repair" => of::<File, wire::Repaired, _>(input, |file| subject.repair(&file.jsonl_b64.0)),
        _ => Outcome::Unsupported,
    }
}

/// Reads an input, asks, and writes the output as the protocol has it.
fn of<I: DeserializeOwned, O: From<P> + Serialize, P>(
    input: &Json,
    ask: impl FnOnce(I) -> Outcome<P>,
) -> Outcome<Json> {
    let read = match serde_json::from_str(input.text()) {
        Ok(read) => read,
        Err(error) => return Outcome::Rejected(format!("the input has another shape: {error}")),
    };
    match ask(read) {
        Outcome::Output(output) => Outcome::Output(Json::value(&O::from(output))),
        Outcome::Rejected(why) => Outcome::Rejected(why),
        Outcome::Unsupported => Outcome::Unsupported,
    }
}

fn of_messages(input: &Json, ask: impl FnOnce(&str) -> Outcome<String>) -> Outcome<Json> {
    of::<Messages, Messages, _>(input, |asked| ask(asked.messages.text()))
}

impl From<String> for Messages {
    fn from(messages: String) -> Self {
        Self { messages: List::of(&messages) }
    }
}

impl From<String> for wire::Derived {
    fn from(uuid: String) -> Self {
        Self { uuid }
    }
}

impl From<String> for wire::ShortId {
    fn from(short_id: String) -> Self {
        Self { short_id }
    }
}

impl From<Vec<String>> for wire::AfterEach {
    fn from(requests: Vec<String>) -> Self {
        Self { requests: requests.iter().map(|turns| List::of(turns)).collect() }
    }
}

impl From<Vec<crate::operation::Refusal>> for wire::Errors {
    fn from(errors: Vec<crate::operation::Refusal>) -> Self {
        Self { errors }
    }
}

impl From<Vec<crate::operation::UsageRow>> for wire::Rows {
    fn from(rows: Vec<crate::operation::UsageRow>) -> Self {
        Self { rows }
    }
}
