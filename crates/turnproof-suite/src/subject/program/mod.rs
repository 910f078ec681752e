//! A *program* is a subject that runs as a process of its own and speaks the protocol of SPEC.md section 10.4: in any
//! language.
//!
//! [`Program`] is one that is judged. [`serve`] is the other side: it lets any subject in Rust answer.

mod crash;
mod dialogue;
mod limits;
mod methods;
mod pool;
#[cfg(unix)]
mod process;
mod questions;
pub mod schema;
mod serve;
pub mod smoke;
mod tail;
#[cfg(not(unix))]
mod unsupported_platform;
pub mod wire;

pub use crash::{BadEnd, Crash};
pub use limits::Limits;
pub use questions::QUESTIONS;
pub use serve::{Answering, ServeError, serve, serve_with};

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json::without_lone_surrogates;
use crate::operation::Operation;
use crate::operation::form::Json;

use super::{Outcome, Stop};
use dialogue::{Dialogue, Said, question, read_answer};
use pool::Pool;
#[cfg(unix)]
use process::Process;
#[cfg(not(unix))]
use unsupported_platform::Process;
use wire::{Announcement, Answer};

/// How a program is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The command: its words are split as a shell splits them. No shell is started, so there are no pipes, variables
    /// or `~` in it; `sh -c '…'` has them.
    pub command: String,
    /// What it may take.
    pub limits: Limits,
    /// How many processes of it run at the same time; 0 for one a core.
    pub jobs: usize,
    /// The methods that it answers, when it is started again for each question. `None` when it keeps running.
    pub once: Option<Vec<String>>,
    /// What ends its processes, also one that thinks about a question.
    pub stop: Stop,
}

/// A subject that is a program.
pub struct Program {
    setup: Setup,
    words: Vec<String>,
    announcement: Announcement,
    name: String,
    /// The processes; of a program that is started again for each question, none wait.
    pool: Pool,
    unsupported: AtomicU64,
    withheld: AtomicU64,
    heard: Mutex<Option<Vec<Heard>>>,
    /// What it wrote to standard error before its last crash, by the thread that asked.
    last_words: Mutex<HashMap<ThreadId, String>>,
}

/// A question to a program, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The method.
    pub operation: String,
    /// What it answered, without the number of the question, or what it did instead.
    pub answer: Result<String, Crash>,
    /// The end of what it wrote to standard error meanwhile.
    pub said: String,
}

/// Why a program cannot be judged.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the words say it, and the fields are their values")]
pub enum StartError {
    #[error("`{command}` is no command: it is empty, or a quote is not closed")]
    NoCommand { command: String },
    #[error("`{program}` cannot be started: {error}; name a program of the PATH, or one by its path")]
    NoProgram { program: String, error: io::Error },
    #[error("the subject did not answer `start`: {crash}{said}")]
    Crashed { crash: Crash, said: String },
    #[error(
        "the subject's answer to `start` is not understood: {why} (at `{path}`): {line}\nexpected such as \
         {{\"name\":\"mine\",\"operations\":[\"normalize_api\"]}}"
    )]
    NotUnderstood { line: String, path: String, why: String },
    #[error("the subject announces `{name}`, which is no operation; there are {}", METHODS.join(", "))]
    UnknownOperation { name: String },
    #[error("the subject announces no operation; there are {}", METHODS.join(", "))]
    NoOperation,
}

impl StartError {
    /// Whether the call is wrong, and not the subject.
    pub const fn is_of_the_call(&self) -> bool {
        matches!(self, Self::NoCommand { .. } | Self::NoProgram { .. })
    }
}

/// Every method of the protocol: the operations, and the further ways to ask one.
pub const METHODS: &[&str] = Operation::METHODS;

impl Program {
    /// Starts a program, and asks who it is.
    ///
    /// # Errors
    /// When it cannot be started, or does not say which operations it does.
    pub fn start(setup: Setup) -> Result<Self, StartError> {
        let words = words(&setup.command)?;
        let (first, announcement) = match &setup.once {
            Some(operations) => {
                let name = words.first().cloned().unwrap_or_default();
                (None, Announcement { name, operations: operations.clone(), lone_surrogates: true, ..<_>::default() })
            }
            None => {
                let (dialogue, announcement) = Dialogue::start(&words, &setup)?;
                (Some(dialogue), announcement)
            }
        };
        if let Some(name) = announcement.operations.iter().find(|name| !METHODS.contains(&name.as_str())) {
            return Err(StartError::UnknownOperation { name: name.clone() });
        }
        if announcement.operations.is_empty() {
            return Err(StartError::NoOperation);
        }
        let most = match setup.jobs {
            0 => thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        };
        let version = announcement.version.iter().map(|version| format!(" {version}")).collect::<String>();
        Ok(Self {
            name: format!("{}{version}", announcement.name),
            pool: Pool::new(words.clone(), setup.clone(), most, first.into_iter().collect()),
            setup,
            words,
            announcement,
            unsupported: AtomicU64::new(0),
            withheld: AtomicU64::new(0),
            heard: Mutex::new(None),
            last_words: Mutex::default(),
        })
    }

    /// What it said of itself.
    pub const fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    /// The methods that it is started again for; `None` when it keeps running.
    pub fn once(&self) -> Option<&[String]> {
        self.setup.once.as_deref()
    }

    /// Whether it answers a method.
    pub fn announces(&self, method: &str) -> bool {
        self.announcement.operations.iter().any(|known| known == method)
    }

    /// The operations that it does.
    pub fn operations(&self) -> Vec<Operation> {
        Operation::ALL.into_iter().filter(|operation| self.announces(operation.name())).collect()
    }

    /// How many questions it answered with `unsupported`.
    pub fn unsupported(&self) -> u64 {
        self.unsupported.load(Ordering::Relaxed)
    }

    /// How many questions it was not asked, because its reader of JSON does not take them.
    pub fn withheld(&self) -> u64 {
        self.withheld.load(Ordering::Relaxed)
    }

    /// Does some work, and gives what the program was asked meanwhile.
    pub fn listen<T>(&self, work: impl FnOnce() -> T) -> (T, Vec<Heard>) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
        let done = work();
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner).take();
        (done, heard.unwrap_or_default())
    }

    /// The end of what it wrote to standard error before it crashed last at a question of this thread.
    pub fn last_words(&self) -> String {
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        words.get(&thread::current().id()).cloned().unwrap_or_default()
    }

    /// Says that it is over; gives how a process ended that did not end as it should.
    pub fn stop(self) -> Option<BadEnd> {
        self.pool.stop()
    }

    /// Asks for the output of a method. A crash ends the case.
    fn ask<O: DeserializeOwned>(&self, method: &str, input: &impl Serialize) -> Outcome<O> {
        match self.announces(method) {
            true => self.ask_json::<O>(method, Json::value(input).text()),
            false => Outcome::Unsupported,
        }
    }

    /// The same, where bytes of the input hold JSON too; a text may continue from one piece to the next.
    fn ask_of_bytes<'a, O: DeserializeOwned>(
        &self,
        method: &str,
        pieces: impl IntoIterator<Item = &'a [u8]>,
        input: &impl Serialize,
    ) -> Outcome<O> {
        let has_half = || has_lone_surrogate(&pieces.into_iter().collect::<Vec<_>>().concat());
        match self.announces(method) && !self.announcement.lone_surrogates && has_half() {
            true => self.withhold(),
            false => self.ask::<O>(method, input),
        }
    }

    /// Leaves a question out that the program's reader of JSON does not take.
    fn withhold<O>(&self) -> Outcome<O> {
        self.withheld.fetch_add(1, Ordering::Relaxed);
        Outcome::Unsupported
    }

    /// The same, with an input that is JSON on one line.
    fn ask_json<O: DeserializeOwned>(&self, method: &str, input: &str) -> Outcome<O> {
        if !self.announces(method) {
            return Outcome::Unsupported;
        }
        if !self.announcement.lone_surrogates && is_beyond_values(input) {
            return self.withhold();
        }
        let (answer, said) = self.answer(method, input);
        let outcome = answer.clone().and_then(|said| outcome::<O>(said.answer));
        if outcome.is_err() {
            let mut words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
            words.insert(thread::current().id(), said.clone());
        }
        if let Some(heard) = &mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner) {
            let unnumbered = |said: Said| Json::value(&Answer { seq: None, ..said.answer }).text().to_owned();
            let answer = answer.map(unnumbered);
            heard.push(Heard { operation: method.to_owned(), answer, said });
        }
        match outcome {
            Ok(Outcome::Unsupported) => {
                self.unsupported.fetch_add(1, Ordering::Relaxed);
                Outcome::Unsupported
            }
            Ok(outcome) => outcome,
            Err(crash) => crash.to_judge().raise(),
        }
    }

    /// What the program answers, and what it writes to standard error.
    fn answer(&self, method: &str, input: &str) -> (Result<Said, Crash>, String) {
        match &self.setup.once {
            None => self.pool.lend(|dialogue| dialogue.ask(method, input)),
            Some(_) => self.answer_once(method, input),
        }
    }

    /// The answer of a process that is started for this question alone: exit code 0 says that it answered, 1 that it
    /// refuses, and standard error says why.
    fn answer_once(&self, method: &str, input: &str) -> (Result<Said, Crash>, String) {
        let mut process = match Process::start(&self.words, &self.setup) {
            Ok(process) => process,
            Err(error) => return (Err(Crash::NotStarted { why: error.to_string() }), String::new()),
        };
        let printed = process.finish(question(1, method, input).as_bytes(), self.setup.limits.answer);
        let said = process.said();
        let answer = printed.and_then(|(printed, status)| match status.code() {
            Some(0) => read_answer(printed),
            Some(1) => Ok(Said::rejected(said.lines().last().unwrap_or("exit code 1"))),
            _ => Err(Crash::Ended { how: crash::ending(status) }),
        });
        (answer, said)
    }
}

/// Ends all programs that this stop is for at once, with all that they started.
pub fn end_at_once(stop: &Stop) {
    stop.set();
    #[cfg(unix)]
    stop.groups().into_iter().for_each(process::end);
}

/// The words of a command, split as a shell does.
fn words(command: &str) -> Result<Vec<String>, StartError> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    words.ok_or_else(|| StartError::NoCommand { command: command.to_owned() })
}

/// What an answer says, as plain data.
fn outcome<O: DeserializeOwned>(answer: Answer) -> Result<Outcome<O>, Crash> {
    if let Some(refusal) = answer.rejected {
        return Ok(Outcome::Rejected(refusal.message.words()));
    }
    match answer.output {
        Some(output) => read_output::<O>(&output).map(Outcome::Output),
        None => Ok(Outcome::Unsupported),
    }
}

/// An output, read.
fn read_output<O: DeserializeOwned>(output: &Json) -> Result<O, Crash> {
    let mut reader = serde_json::Deserializer::from_str(output.text());
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = match error.path().to_string().as_str() {
            "." => "output".to_owned(),
            path => format!("output.{path}"),
        };
        Crash::Shape { path, why: without_place(&error.into_inner().to_string()) }
    })
}

/// An error of the reader without line and column, which depend on the case.
fn without_place(error: &str) -> String {
    error.rsplit_once(" at line ").map_or(error, |(why, _)| why).to_owned()
}

/// Whether JSON holds what no value can: half of a surrogate pair, or a number beyond doubles.
fn is_beyond_values(json: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(json).is_err()
}

/// Whether texts in these bytes hold half of a surrogate pair, escaped.
fn has_lone_surrogate(bytes: &[u8]) -> bool {
    matches!(without_lone_surrogates(&String::from_utf8_lossy(bytes)), Cow::Owned(_))
}
