//! `turnproof repair`: a damaged session becomes one that can be resumed and sent.

mod account;
mod in_place;
mod options;
mod report;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::check::{Class, TranscriptFile, Verdict, repair_as_asked, verdict};
use turnproof_reference::message::SystemContext;
use turnproof_reference::repair::{Repair, RepairError, RepairOptions};
use turnproof_reference::transcript::Transcript;

use super::sessions::{InMemory, Sessions, is_named};
use super::streams::Format;
use super::{Exit, Failure, stdout};
use in_place::Written;

/// Make damaged sessions whole, changing as little as can be
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof repair session.jsonl                     what would be done; nothing is written
  turnproof repair -o whole.jsonl session.jsonl      a repaired copy
  turnproof repair --in-place ~/.claude/projects     every damaged session, each with a backup beside it
  turnproof repair --format json session.jsonl       each change with its bytes, for programs
  turnproof repair --drop media session.jsonl        a text in the place of each image and document
  turnproof repair --drop references=Search s.jsonl  the same of references to a tool that is not there any more
  turnproof repair --shrink-results 20000 s.jsonl    of long results the beginning and the end, where a prompt is too long
  turnproof repair --take 120 session.jsonl          the branch with line 120 is the one that goes on
  turnproof repair --one-session-id session.jsonl    for readers that show the records of one id alone
  turnproof repair --move-to /home/u/shop s.jsonl    the session is one of another directory

What has to go is kept in FILE.removed.jsonl beside what is written. A session without damage is not touched. \
Nothing is given up without one of the options above. Exit code 1 means that a session is damaged and was not written, \
or cannot be repaired; where one of the options helps, it is named.")]
pub(super) struct Arguments {
    /// Sessions, folders (every *.jsonl under them), or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write the repaired session to this new file
    #[arg(long, short, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Put the repaired session in the place of the damaged one, which becomes FILE.backup
    #[arg(long)]
    in_place: bool,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Print nothing of sessions that need no repair
    #[arg(long, short)]
    quiet: bool,
    /// Also link each message to the one before it, for readers that only follow parents
    #[arg(long)]
    for_old_readers: bool,
    #[command(flatten)]
    on_demand: options::OnDemand,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    memory: InMemory,
}

/// What came of a session.
struct Outcome<'a> {
    name: &'a str,
    /// The session's id.
    session: Option<String>,
    before: Verdict,
    repaired: Result<(Repair, Verdict), RepairError>,
    /// The options that help where it is still refused.
    helpful: Vec<String>,
    /// Those that help if the API refuses what it may refuse.
    helpful_if_refused: Vec<String>,
    /// The folder in which the client looks for a session of the directory that was asked for.
    folder: Option<String>,
    /// Whether an option asks for more than a repair.
    is_asked: bool,
    /// How many session ids its records name.
    session_ids: usize,
    written: Option<Written>,
}

impl Outcome<'_> {
    /// Whether the session is as it should be, and nothing was written.
    fn needs_nothing(&self) -> bool {
        let is_well = |(repair, after): &(Repair, Verdict)| repair.is_unchanged() && !after.class.is_broken();
        self.repaired.as_ref().is_ok_and(is_well) && self.helpful.is_empty() && self.written.is_none()
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Sessions { inputs, unreadable } = Sessions::of(&arguments.paths);
    if inputs.is_empty() && unreadable == 0 {
        eprintln!("turnproof: nothing to repair: no session in what is named");
        return Ok(Exit::Nothing);
    }
    if arguments.output.is_some() && inputs.len() > 1 {
        let many = inputs.len();
        return Err(Failure::Usage(format!("--output takes one session, and these are {many}; say --in-place")));
    }
    arguments.on_demand.verify(inputs.len())?;
    let mut exit = if unreadable > 0 { Exit::Usage } else { Exit::Held };
    let mut out = stdout();
    for input in &inputs {
        let one = match of_one(input, arguments) {
            Ok(None) => {
                eprintln!("turnproof: {}: no session: no record of a session is in it", input.name);
                if is_named(input, &arguments.paths) { Exit::Usage } else { Exit::Held }
            }
            Ok(Some(outcome)) => {
                if !arguments.quiet || !outcome.needs_nothing() {
                    report::print(&mut out, &outcome, arguments.format == Format::Json)?;
                }
                match (&outcome.repaired, &outcome.written) {
                    (Err(_), _) => Exit::Broken,
                    (Ok((repair, _)), None) if !repair.is_unchanged() => Exit::Broken,
                    (Ok((_, after)), _) if after.class.is_broken() || !outcome.helpful.is_empty() => Exit::Broken,
                    _ => Exit::Held,
                }
            }
            Err(problem) => {
                eprintln!("turnproof: {}: {problem}", input.name);
                Exit::Usage
            }
        };
        exit = if exit as u8 >= one as u8 { exit } else { one };
    }
    out.flush()?;
    Ok(exit)
}

/// Repairs a session, and writes it where that is asked for. Nothing is written that is as it was, but a copy. `None`
/// when the file is no session.
fn of_one<'a>(input: &'a TranscriptFile, arguments: &Arguments) -> Result<Option<Outcome<'a>>, String> {
    let is_stored = Path::new(&input.name) == input.path;
    let is_written = arguments.in_place && !arguments.dry_run;
    if is_written && !is_stored {
        return Err("only a plain file can be repaired in place; say --output FILE".to_owned());
    }
    arguments.memory.admit(input)?;
    let held = if is_written { Some(in_place::hold(&input.path)?) } else { None };
    let bytes = match &held {
        Some(held) => held.bytes.clone(),
        None => fs::read(&input.path).map_err(|error| format!("cannot be read: {error}"))?,
    };
    let damaged = Transcript::from_bytes(bytes);
    if damaged.is_empty() {
        return Err("no record can be read in it; there is nothing to repair".to_owned());
    }
    let before = verdict(&damaged);
    if before.class == Class::NotASession {
        return Ok(None);
    }
    let session = input.session().filter(|_| is_stored).map(str::to_owned).or_else(|| first_session(&damaged));
    let options = RepairOptions { for_old_readers: arguments.for_old_readers };
    let asked = arguments.on_demand.asked(session.as_deref());
    let repaired = repair_as_asked(&damaged, &before, &options, &asked, &mut SystemContext).map(|repair| {
        let is_as_before = repair.is_unchanged();
        let after = verdict(&Transcript::from_bytes(repair.bytes.clone()));
        // What the API refused was the file before.
        (repair, if is_as_before { after } else { Verdict { api_error: None, ..after } })
    });
    let judged = repaired.as_ref().map_or(&before, |(_, after)| after);
    let (helpful, helpful_if_refused) = (options::helpful(judged), options::helpful_if_refused(judged));
    let session_ids = options::session_ids(&damaged);
    let written = match (&repaired, &arguments.output, held) {
        (Ok((repair, _)), Some(path), _) if !arguments.dry_run => Some(in_place::write_new(path, repair)?),
        (Ok((repair, _)), None, Some(held)) if !repair.is_unchanged() => Some(held.replace(repair)?),
        _ => None,
    };
    let folder = arguments.on_demand.folder();
    Ok(Some(Outcome {
        name: &input.name,
        session,
        before,
        repaired,
        helpful,
        helpful_if_refused,
        folder,
        is_asked: !asked.is_empty(),
        session_ids,
        written,
    }))
}

fn first_session(transcript: &Transcript) -> Option<String> {
    let mut named = transcript.records().filter_map(|record| Some(record.text(record.head.session?).into_owned()));
    named.next()
}
