//! `turnproof resume`: the conversation that a user gets back from a transcript.

mod explain;
mod summary;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use walkdir::{DirEntry, WalkDir};

use crate::check::{Foreign, TranscriptFile, gather};
use turnproof_reference::message::{Context, SystemContext};
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::fork::fork;
use turnproof_reference::transcript::resume::{NotFound, Resume, ResumeOptions, Survey, copy_places, survey};

use super::{Exit, Failure, stdout};

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

What was bridged, dropped or put back goes to standard error. Exit code 1 means that there is no \
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

struct Surveyed {
    input: TranscriptFile,
    survey: Survey,
    options: ResumeOptions,
}

impl Surveyed {
    fn new(input: TranscriptFile, options: ResumeOptions) -> Result<Self, Failure> {
        let survey = File::open(&input.path).and_then(survey);
        let survey = survey.map_err(|error| unreadable(&input.name, &error))?;
        Ok(Self { input, survey, options })
    }

    fn reopen(&self) -> Result<File, Failure> {
        File::open(&self.input.path).map_err(|error| unreadable(&self.input.name, &error))
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let main = Surveyed::new(input(&arguments.file)?, ResumeOptions { agent: arguments.agent.clone() })?;
    let surveyed = elsewhere(main, &arguments.file)?;
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
        Some(path) => write_fork(&surveyed, &resume, path, arguments.at.as_deref())?,
        None => write_records(&surveyed, &resume)?,
    }
    if !arguments.quiet {
        summary::print(&surveyed, &resume.notes, resume.places.len() as u64);
    }
    Ok(Exit::Held)
}

/// The survey of a subagent's own file, when a subagent is asked for that the session's file does not know.
fn elsewhere(main: Surveyed, session: &Path) -> Result<Surveyed, Failure> {
    let Some(agent) = &main.options.agent else { return Ok(main) };
    let is_unknown = matches!(
        main.survey.resume(&main.options),
        Err(NotFound::NoSuchAgent { .. } | NotFound::Empty | NotFound::SideRecordsOnly { .. })
    );
    match own_file(session, agent).filter(|_| is_unknown) {
        Some(path) => Surveyed::new(TranscriptFile::file(path), main.options),
        None => Ok(main),
    }
}

/// A subagent's own file: `<session>/subagents/agent-<ID>.jsonl`, or a file of this name below there or beside the
/// session.
fn own_file(session: &Path, agent: &str) -> Option<PathBuf> {
    if agent.is_empty() || agent.contains(['/', '\\']) {
        return None;
    }
    let name = format!("agent-{agent}.jsonl");
    let below = WalkDir::new(session.with_extension("").join("subagents")).sort_by_file_name();
    let nested = below.into_iter().flatten().map(DirEntry::into_path);
    let mut places: Vec<PathBuf> = nested.filter(|path| path.ends_with(&name)).collect();
    places.sort_by_key(|path| path.components().count());
    places.push(session.with_file_name(&name));
    places.into_iter().find(|path| path.is_file())
}

fn input(path: &Path) -> Result<TranscriptFile, Failure> {
    if path.is_dir() {
        return Err(Failure::Usage(format!("{} is a folder; name a transcript in it", path.display())));
    }
    let inputs = gather(&[path.to_owned()], || TranscriptFile::stream("-", io::stdin().lock()));
    let input = inputs.into_iter().next();
    let input = input
        .ok_or_else(|| Failure::Usage(format!("nothing to read at {}", path.display())))?
        .map_err(|error| Failure::Usage(error.to_string()))?;
    match input.foreign() {
        Ok(Some(foreign)) if foreign != Foreign::Empty => {
            Err(Failure::Usage(format!("{}: no session: {foreign}", input.name)))
        }
        _ => Ok(input),
    }
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot read {name}: {error}"))
}

fn not_found(input: &TranscriptFile, why: &NotFound) -> Exit {
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

/// Writes a copy under new ids to a file that must not be there yet.
fn write_fork(surveyed: &Surveyed, resume: &Resume, path: &Path, until: Option<&str>) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    copy_places(surveyed.reopen()?, &resume.places, &mut bytes)
        .map_err(|error| unreadable(&surveyed.input.name, &error))?;
    let records = Transcript::from_bytes(bytes);
    let records: Vec<_> = records.records().collect();
    let mut context = SystemContext;
    // A file's name is its session's id, where it is one.
    let session = TranscriptFile::file(path).session().map_or_else(|| context.uuid(), str::to_owned);
    let lines = fork(&records, until, &mut context, &session).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Only its owner may read it, as other transcripts.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(|error| {
        Failure::Usage(format!("cannot make {}: {error}; name a file that is not there yet", path.display()))
    })?;
    file.write_all(&lines)?;
    Ok(file.sync_all()?)
}
