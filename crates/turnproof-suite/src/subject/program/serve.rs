//! To *serve* is to answer as a program does: any subject in Rust speaks the protocol.

use std::io::{self, BufRead, Write};

use serde::Serialize;

use crate::operation::form::{Json, excerpt};

use super::super::{Outcome, Subject};
use super::dialogue::Said;
use super::methods::METHODS;
use super::wire::{Announcement, Answer, CommandLine};

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
    serve_with(subject, &|_, _| Outcome::Unsupported, announcement, input, output)
}

/// Answers a question that is about no operation: its name and its input.
pub type Answering<'a> = dyn Fn(&str, &Json) -> Outcome<Json> + 'a;

/// The same as [`serve`], where `further` answers what is no method of the protocol (SPEC 10.4.4).
///
/// # Errors
/// As [`serve`].
pub fn serve_with(
    subject: &dyn Subject,
    further: &Answering<'_>,
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
            "run" => say(output, &answer(subject, further, command))?,
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

fn answer(subject: &dyn Subject, further: &Answering<'_>, command: CommandLine) -> Answer {
    let operation = command.operation.unwrap_or_default();
    let input = command.input.unwrap_or_else(|| Json::of("null"));
    let method = METHODS.iter().find(|method| method.name == operation);
    let answer = match method.map_or_else(|| further(&operation, &input), |method| (method.answer)(subject, &input)) {
        Outcome::Output(output) => Answer { output: Some(output), ..Answer::default() },
        Outcome::Rejected(why) => Said::rejected(&why).answer,
        Outcome::Unsupported => {
            let why = match method {
                Some(_) => "this subject does not do it",
                None => "there is no such operation",
            };
            Answer { unsupported: Some(Json::value(&why)), ..Answer::default() }
        }
    };
    Answer { seq: command.seq, ..answer }
}
