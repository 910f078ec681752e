//! A *dialogue* is a process that has answered `start`, and the number of its next question.

use super::crash::{BadEnd, Crash};
use super::limits::Limits;
use super::wire::{Announcement, Answer, Command, PROTOCOL, Refusal};
use super::{Process, Setup, StartError};
use crate::operation::form::{Json, excerpt};

/// A process that is asked one question after the other.
pub(super) struct Dialogue {
    process: Process,
    limits: Limits,
    asked: u64,
}

/// What a program printed as the answer to a question.
#[derive(Clone)]
pub(super) struct Said {
    /// The line.
    pub(super) line: String,
    /// The line, read.
    pub(super) answer: Answer,
}

impl Said {
    /// A refusal that the program did not print itself.
    pub(super) fn rejected(why: &str) -> Self {
        let rejected = Some(Refusal { message: Json::value(&why), kind: None });
        let answer = Answer { rejected, ..Answer::default() };
        Self { line: serde_json::to_string(&answer).unwrap_or_default(), answer }
    }
}

impl Dialogue {
    /// Starts a program, and asks who it is.
    pub(super) fn start(words: &[String], setup: &Setup) -> Result<(Self, Announcement), StartError> {
        let mut process = Process::start(words, setup)
            .map_err(|error| StartError::NoProgram { program: words.first().cloned().unwrap_or_default(), error })?;
        let line = process.exchange(&line(&Command::Start { protocol: PROTOCOL }), setup.limits.start);
        let line = line.map_err(|crash| StartError::Crashed { crash, said: quoted(&process.said()) })?;
        let announcement = announcement(&String::from_utf8_lossy(&line))?;
        Ok((Self { process, limits: setup.limits, asked: 0 }, announcement))
    }

    /// Asks a question; `input` is JSON.
    pub(super) fn ask(&mut self, operation: &str, input: &str) -> Result<Said, Crash> {
        self.asked += 1;
        let question = question(self.asked, operation, input);
        let line = self.process.exchange(question.as_bytes(), self.limits.answer)?;
        let said = read_answer(line)?;
        match said.answer.seq {
            Some(seq) if seq == self.asked => Ok(said),
            Some(_) => Err(Crash::OtherSeq),
            None => Err(Crash::NoSeq),
        }
    }

    /// The number of the next question, for those who look at what comes back.
    pub(super) fn skip_to(&mut self, seq: u64) {
        self.asked = seq - 1;
    }

    /// The end of what the program wrote to standard error since the last question.
    pub(super) fn said(&self) -> String {
        self.process.said()
    }

    /// Says that it is over.
    pub(super) fn stop(self) -> Result<(), BadEnd> {
        self.process.stop(&line(&Command::Stop))
    }
}

/// The line of a question. The input is joined as text, since it may be long.
pub(super) fn question(seq: u64, operation: &str, input: &str) -> String {
    format!("{{\"cmd\":\"run\",\"seq\":{seq},\"operation\":\"{operation}\",\"input\":{input}}}\n")
}

/// Reads what a program printed as an answer.
pub(super) fn read_answer(line: Vec<u8>) -> Result<Said, Crash> {
    let no_answer = |line: &str| Crash::NoAnswer { line: excerpt(line) };
    let line = String::from_utf8(line).map_err(|error| no_answer(&String::from_utf8_lossy(error.as_bytes())))?;
    let answer: Answer = serde_json::from_str(&line).map_err(|_| no_answer(&line))?;
    let given = [answer.output.is_some(), answer.rejected.is_some(), answer.unsupported.is_some()];
    match given.into_iter().filter(|is_given| *is_given).count() {
        1 => Ok(Said { line, answer }),
        0 => Err(Crash::NotOne { found: "none" }),
        _ => Err(Crash::NotOne { found: "several" }),
    }
}

fn line(command: &Command) -> Vec<u8> {
    let mut line = serde_json::to_vec(command).unwrap_or_default();
    line.push(b'\n');
    line
}

fn announcement(line: &str) -> Result<Announcement, StartError> {
    let mut reader = serde_json::Deserializer::from_str(line);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| StartError::NotUnderstood {
        line: excerpt(line),
        path: error.path().to_string(),
        why: error.into_inner().to_string(),
    })
}

/// What a program wrote to standard error, behind an error; nothing when it wrote nothing.
pub(super) fn quoted(said: &str) -> String {
    match said {
        "" => String::new(),
        said => format!("\nit wrote to standard error:\n  {}", said.replace('\n', "\n  ")),
    }
}
