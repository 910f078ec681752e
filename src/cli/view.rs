//! `turnproof view`: a session as one page.

mod agents;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::slice::from_ref;

use clap::{Args, ValueEnum};

use crate::check::{CheckError, Options, Sink, TranscriptFile, Verdict, check, verdict};
use crate::report::view::{Found, Viewed, markdown, page};
use turnproof_reference::message::FixedContext;
use turnproof_reference::repair::{Repair, RepairError, RepairOptions, repair};
use turnproof_reference::sent::{Keep, Sent};
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::{NotFound, ResumeOptions, resume};

use super::sessions::{InMemory, Sessions};
use super::{Exit, Failure, stdout};

/// Show a session as one page: the verdict, the conversation, what is wrong, and what a repair would change
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof view -o page.html session.jsonl          then open page.html in a browser
  turnproof view session.jsonl > page.html           the same
  turnproof view --agent a1b2c3 -o page.html session.jsonl   the conversation of a subagent
  turnproof view --format md -o session.md session.jsonl     to read or keep, with what was before compactions
  gunzip -c old.jsonl.gz | turnproof view -o page.html -     standard input

The page needs no script, no network and no other file. Of a large session it shows the first and the last records and \
those around findings; it says which lines it leaves out. Subagents in files of their own beside the session are on it. \
Where the session notes its requests, they are a strip of bars.")]
pub(super) struct Arguments {
    /// The session, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the page to this file, and not to standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What to make: a page for a browser, or a document to read or keep
    #[arg(long, value_enum, default_value_t = Form::Html)]
    format: Form,
    /// Show the conversation of this subagent
    #[arg(long, value_name = "ID")]
    agent: Option<String>,
    #[command(flatten)]
    memory: InMemory,
}

/// What is made of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A page
    Html,
    /// Markdown, with what was before compactions
    Md,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.file.is_dir() {
        return Err(Failure::Usage("a page shows one session; name a file, and not a folder".into()));
    }
    let Sessions { inputs, .. } = Sessions::of(from_ref(&arguments.file));
    // Why there is none has been said.
    let Some(input) = inputs.first() else { return Ok(Exit::Usage) };
    arguments.memory.admit(input).map_err(|why| Failure::Usage(format!("{}: {why}", input.name)))?;
    let page = page_of(input, arguments)?;
    match &arguments.output {
        Some(path) => fs::write(path, page)
            .map_err(|error| Failure::Usage(format!("cannot write {}: {error}", path.display())))?,
        None => {
            let mut out = stdout();
            out.write_all(page.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(Exit::Held)
}

fn page_of(input: &TranscriptFile, arguments: &Arguments) -> Result<String, Failure> {
    let cannot_read = |error: io::Error| Failure::Usage(format!("{}: cannot be read: {error}", input.name));
    let transcript = Transcript::from_bytes(fs::read(&input.path).map_err(cannot_read)?);
    let asked = ResumeOptions { agent: arguments.agent.clone() };
    if let Err(why @ NotFound::NoSuchAgent { .. }) = resume(&transcript, &asked) {
        return Err(Failure::Usage(format!("{}: {why}", input.name)));
    }
    let mut found = Found::default();
    let options = Options { legacy: false, verdicts: true, ..Options::default() };
    let tally = check(from_ref(input), &options, &mut found).map_err(|error| match error {
        CheckError::Sink(error) => cannot_read(error),
        CheckError::Threads(error) => Failure::Internal(error.to_string()),
    })?;
    found.finish(&tally, &[])?;
    let verdict = found.verdict().ok_or_else(|| Failure::Usage(format!("{}: cannot be read", input.name)))?;
    let sent = sent(&transcript).map_err(cannot_read)?;
    let agents = match arguments.agent {
        None => agents::beside(&input.path, &transcript),
        Some(_) => Vec::new(),
    };
    let repaired = verdict.is_repairable().then(|| repaired(&transcript));
    let draw = match arguments.format {
        Form::Html => page,
        Form::Md => markdown,
    };
    Ok(draw(&Viewed {
        name: &input.name,
        version: env!("CARGO_PKG_VERSION"),
        transcript: &transcript,
        agent: arguments.agent.clone(),
        verdict,
        found: &found,
        repaired: repaired.as_ref(),
        sent: sent.as_ref(),
        agents: &agents,
    }))
}

/// The requests that a session notes, where it notes some.
fn sent(transcript: &Transcript) -> io::Result<Option<Sent>> {
    if !transcript.records().any(|record| record.type_name() == "api-request") {
        return Ok(None);
    }
    Sent::read(transcript.bytes(), Keep::Hashes).map(Some)
}

/// What a repair makes of a session. Its new ids are always the same, and so is the page.
fn repaired(transcript: &Transcript) -> Result<(Repair, Verdict), RepairError> {
    let repair = repair(transcript, &RepairOptions::default(), &mut FixedContext::new(1))?;
    let after = verdict(&Transcript::from_bytes(repair.bytes.clone()));
    Ok((repair, after))
}
