//! The *subject* of a command: the built-in reference, or a program that answers by the protocol of SPEC.md 10.4.

use std::time::Duration;

use clap::Args;

use turnproof_rules::operation::Operation;
use turnproof_rules::rules::{Rule, find};
use turnproof_suite::fuzzing::campaign::Fuzzed;
use turnproof_suite::printable;
use turnproof_suite::scenario::Case;
use turnproof_suite::subject::program::{Heard, Limits, METHODS, Program, Setup, StartError};
use turnproof_suite::subject::{Reference, Stop, Subject};
use turnproof_suite::suite::{Depth, Failure, Observed};

use super::Failure as CommandFailure;
use super::values::duration;

/// The most smaller cases that a program is asked about when a failure is shrunk.
const TRIES: usize = 300;

/// The most characters of a line that a program said, and the most lines of standard error.
const LONGEST: usize = 2_000;
const LINES: usize = 8;

/// Who is judged.
#[derive(Args)]
pub(super) struct Arguments {
    /// Judge this program, which answers by the protocol of SPEC.md section 10.4; its words are split as a shell does
    #[arg(long, value_name = "CMD")]
    pub(super) subject: Option<String>,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
    /// How many processes of the program run at the same time (0: one a core); the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, requires = "subject")]
    jobs: usize,
}

/// What a program may take.
#[derive(Args)]
pub(super) struct LimitArguments {
    /// How long the program may think about a question
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    timeout: Duration,
    /// How long it may take to start
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    start_timeout: Duration,
    /// How much memory one process of it may take, in MiB (measured on Linux alone)
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u64,
    /// Start the program again for each question about one of these operations, such as 'normalize_api'
    #[arg(long, value_name = "OPERATIONS", value_delimiter = ',')]
    once: Option<Vec<String>>,
}

impl LimitArguments {
    /// How a program is run.
    pub(super) fn setup(&self, command: &str, jobs: usize, stop: &Stop) -> Result<Setup, CommandFailure> {
        let unknown = self.once.iter().flatten().find(|name| !METHODS.contains(&name.as_str()));
        if let Some(name) = unknown {
            let words = format!("`{name}` is no operation; there are {}", METHODS.join(", "));
            return Err(CommandFailure::Usage(words));
        }
        let limits = Limits {
            answer: self.timeout,
            start: self.start_timeout,
            memory: self.memory.saturating_mul(1 << 20),
            ..Limits::default()
        };
        Ok(Setup { command: command.to_owned(), limits, jobs, once: self.once.clone(), stop: stop.clone() })
    }
}

/// Who is judged, running.
pub(super) enum Judged {
    /// The built-in implementation.
    Reference,
    /// A program.
    Program {
        /// The program.
        program: Box<Program>,
        /// The command that was given.
        command: String,
        jobs: usize,
    },
}

impl Arguments {
    pub(super) fn start(&self, stop: &Stop) -> Result<Judged, CommandFailure> {
        let Some(command) = &self.subject else { return Ok(Judged::Reference) };
        let program = Program::start(self.limits.setup(command, self.jobs, stop)?).map_err(not_started)?;
        Ok(Judged::Program { program: Box::new(program), command: command.clone(), jobs: self.jobs })
    }
}

/// The arguments that name a program.
pub(super) fn subject_words(command: &str, program: &Program) -> String {
    let quoted = shlex::try_quote(command).map_or_else(|_| command.to_owned(), Into::into);
    let once = program.once().map_or(String::new(), |operations| format!(" --once {}", operations.join(",")));
    format!("--subject {quoted}{once}")
}

/// Why a program cannot be judged: the call is wrong, or the program.
pub(super) fn not_started(error: StartError) -> CommandFailure {
    match error.is_of_the_call() {
        true => CommandFailure::Usage(error.to_string()),
        false => CommandFailure::Subject(error.to_string()),
    }
}

impl Judged {
    pub(super) fn subject(&self) -> &dyn Subject {
        match self {
            Self::Reference => &Reference,
            Self::Program { program, .. } => &**program,
        }
    }

    /// The rules that can be asked: those on what a program announces.
    pub(super) fn rules(&self, mut rules: Vec<&'static Rule>) -> Vec<&'static Rule> {
        if let Self::Program { program, .. } = self {
            rules.retain(|rule| program.supports(rule.operation()));
        }
        rules
    }

    /// How many threads play cases: as many as there are processes, unless another number is named.
    pub(super) fn threads(&self, named: usize) -> usize {
        match self {
            Self::Program { jobs, .. } if named == 0 => *jobs,
            _ => named,
        }
    }

    /// How many smaller cases are tried, if not as many as usual.
    pub(super) const fn tries(&self) -> Option<usize> {
        match self {
            Self::Reference => None,
            Self::Program { .. } => Some(TRIES),
        }
    }

    /// The words that begin the command which plays a case again.
    pub(super) fn command(&self) -> String {
        match self {
            Self::Reference => "turnproof test".to_owned(),
            Self::Program { command, program, .. } => {
                format!("turnproof test {}", subject_words(command, program))
            }
        }
    }

    /// Asks a program again about the smallest case of each failure, and keeps what it says.
    pub(super) fn quote(&self, failures: &mut [Failure]) {
        let Self::Program { program, .. } = self else { return };
        for failure in failures {
            let Some(rule) = find(&failure.regression.rule) else { continue };
            let case = Case::of(&failure.regression.scenario);
            let ask = || Observed::of(&**program, &case, &[rule.operation()], Depth::Whole);
            let (_, heard) = program.listen(ask);
            failure.said = said(&heard);
        }
    }

    /// What is to be said of the subject behind the table: operations that it does not do, questions that it was not
    /// asked or did not take.
    pub(super) fn notes(&self) -> Vec<String> {
        let Self::Program { program, .. } = self else { return Vec::new() };
        let missing: Vec<&str> =
            Operation::ALL.iter().filter(|one| !program.supports(**one)).map(|one| one.name()).collect();
        let mut notes = Vec::new();
        if !missing.is_empty() {
            notes.push(format!("not supported, and not judged: {}", missing.join(", ")));
        }
        if program.unsupported() > 0 {
            notes.push(format!(
                "questions that it answered with `unsupported`, and not judged: {}",
                program.unsupported()
            ));
        }
        if program.withheld() > 0 {
            let words = "questions that it was not asked, because its reader of JSON does not take them";
            notes.push(format!("{words}: {}", program.withheld()));
        }
        notes
    }

    /// Ends the program; gives what is wrong with its end.
    pub(super) fn stop(self) -> Option<String> {
        match self {
            Self::Reference => None,
            Self::Program { program, .. } => program.stop().map(|end| end.to_string()),
        }
    }
}

/// A program, and what it says.
pub(super) struct Listening<'a>(pub(super) &'a Program);

impl Fuzzed for Listening<'_> {
    fn subject(&self) -> &dyn Subject {
        self.0
    }

    fn last_words(&self) -> String {
        self.0.last_words()
    }

    fn says(&self, ask: &mut dyn FnMut()) -> Vec<String> {
        said(&self.0.listen(ask).1)
    }
}

/// What a program said in a case: the answer that the case ends with when it crashed, else the first one.
fn said(heard: &[Heard]) -> Vec<String> {
    let crashed = heard.iter().find(|heard| heard.answer.is_err());
    let Some(shown) = crashed.or(heard.first()) else { return Vec::new() };
    let mut lines = Vec::new();
    match &shown.answer {
        Ok(line) => {
            lines.push(format!("answer to `{}`: {}", shown.operation, cut(line)));
            if heard.len() > 1 {
                lines.push(format!("and {} more answers to other questions about this case", heard.len() - 1));
            }
        }
        Err(crash) => lines.push(format!("instead of an answer to `{}`: {crash}", shown.operation)),
    }
    let errors: Vec<&str> = shown.said.lines().collect();
    let last = &errors[errors.len().saturating_sub(LINES)..];
    lines.extend(last.iter().map(|line| format!("standard error: {}", cut(line))));
    lines
}

fn cut(line: &str) -> String {
    let line = printable::line(line.as_bytes());
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} bytes)", &line[..end], line.len()),
        None => line,
    }
}
