//! `turnproof resume`: the conversation that a user gets back from a transcript.

mod agent;
mod explain;
mod fork;
mod summary;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::check::{Input, gather};
use crate::transcript::resume::{NotFound, Resume, ResumeOptions, Survey, copy_places, survey};

use super::exit::Exit;
use super::{Failure, stdout};

/// Find the conversation that a user gets back from a transcript
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof resume session.jsonl                     its records, each as it stands in the file
  turnproof resume --explain session.jsonl           the chain as a tree: what comes back, what was left, and why
  turnproof resume --agent a1b2c3 session.jsonl      the conversation of a subagent
  turnproof resume --fork-to new.jsonl --at UUID session.jsonl
                                                     a copy up to a message, under new ids
  turnproof resume session.jsonl | turnproof normalize --for api -

What was bridged, dropped or put back goes to standard error. Exit code 1 means that there is no
conversation.")]
pub(super) struct Arguments {
    /// A transcript; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Read the subagent with this id: in the file, or in its own file beside it
    #[arg(long, value_name = "ID")]
    agent: Option<String>,
    /// Draw the chain as a tree instead
    #[arg(long, conflicts_with_all = ["format", "fork_to"])]
    explain: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Records)]
    format: Format,
    /// Write a copy under new ids to this new file instead
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    fork_to: Option<PathBuf>,
    /// The message that ends the copy [default: the last one]
    #[arg(long, value_name = "UUID", requires = "fork_to")]
    at: Option<String>,
    /// Do not print on standard error what was bridged, dropped or put back
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The records of the conversation, one a line
    Records,
    /// One JSON object: places in the file, and notes
    Json,
}

/// A transcript that has been surveyed.
struct Surveyed {
    input: Input,
    survey: Survey,
    options: ResumeOptions,
}

impl Surveyed {
    fn new(input: Input, options: ResumeOptions) -> Result<Self, Failure> {
        let survey = open(&input.path).and_then(survey);
        let survey = survey.map_err(|error| unreadable(&input.name, &error))?;
        Ok(Self { input, survey, options })
    }

    /// The file, to be read a second time.
    fn reopen(&self) -> Result<File, Failure> {
        open(&self.input.path).map_err(|error| unreadable(&self.input.name, &error))
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let main = Surveyed::new(input(&arguments.file)?, ResumeOptions { agent: arguments.agent.clone() })?;
    let surveyed = agent::elsewhere(main, &arguments.file)?;
    if arguments.explain {
        return explain::run(&surveyed, arguments.quiet);
    }
    let found = surveyed.survey.resume(&surveyed.options);
    if arguments.format == Format::Json {
        return summary::write_json(&surveyed, &found);
    }
    let resume = match found {
        Ok(resume) => resume,
        Err(why) => return Ok(not_found(&surveyed.input, &why)),
    };
    match &arguments.fork_to {
        Some(path) => fork::run(&surveyed, &resume, path, arguments.at.as_deref())?,
        None => write_records(&surveyed, &resume)?,
    }
    if !arguments.quiet {
        summary::print(&surveyed, &resume.notes, resume.places.len() as u64);
    }
    Ok(Exit::Held)
}

/// The transcript that a path names.
fn input(path: &Path) -> Result<Input, Failure> {
    if path.is_dir() {
        return Err(Failure::Usage(format!("{} is a folder; name a transcript in it", path.display())));
    }
    let inputs = gather(&[path.to_owned()], || Input::stream("-", io::stdin().lock()));
    let input = inputs.into_iter().next();
    input
        .ok_or_else(|| Failure::Usage(format!("nothing to read at {}", path.display())))?
        .map_err(|error| Failure::Usage(error.to_string()))
}

fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot read {name}: {error}"))
}

fn not_found(input: &Input, why: &NotFound) -> Exit {
    eprintln!("turnproof: {}: no conversation: {why}", input.name);
    Exit::Broken
}

fn write_records(surveyed: &Surveyed, resume: &Resume) -> Result<(), Failure> {
    let file = surveyed.reopen()?;
    let mut out = stdout();
    match copy_places(file, &resume.places, &mut out) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(unreadable(&surveyed.input.name, &error)),
        copied => Ok(copied.and_then(|()| out.flush())?),
    }
}
