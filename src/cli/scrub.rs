//! `turnproof scrub`: a session without what people wrote in it, for a report.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::check::{TranscriptFile, gather};
use turnproof_reference::message::{FixedContext, SystemContext};
use turnproof_reference::scrub::Scrubber;

use super::{Exit, Failure, stdout};

/// Replace what people wrote in a session, and keep its form and what is wrong with it
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof scrub session.jsonl > report.jsonl       one session
  turnproof scrub -o report.jsonl session.jsonl      the same, into a new file
  turnproof scrub -o report/ session.jsonl session/  a session and its subagents, with the same ids
  turnproof reduce --rule 'chain/*' --scrub session.jsonl
                                                     only what shows the problem

Texts, paths, ids, names, media, times and long numbers become others of the same form. Words of the format stay: \
types, names of members, tools and models that everybody has, versions. Without --seed nobody can undo it, and two \
runs give different replacements. Look at the result before you send it.")]
pub(super) struct Arguments {
    /// Transcripts, folders with transcripts, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write to this new file; with several transcripts, to new files in this folder
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Choose the replacements by this number: the same output each time, which whoever knows the number can undo
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let scrubber = scrubber(arguments.seed);
    let inputs = gather(&arguments.files, || TranscriptFile::stream("-", io::stdin().lock()));
    let inputs: Result<Vec<_>, _> = inputs.into_iter().filter(|input| !is_harmless(input)).collect();
    let inputs = inputs.map_err(|error| Failure::Usage(error.to_string()))?;
    match (&inputs[..], &arguments.output) {
        ([], _) => {
            eprintln!("turnproof: nothing to scrub: no session in what is named");
            return Ok(Exit::Nothing);
        }
        ([input], None) => copy(&scrubber, input, stdout())?,
        ([input], Some(path)) if !path.is_dir() && !is_folder_name(path) => copy(&scrubber, input, new_file(path)?)?,
        (_, None) => return Err(Failure::Usage("several transcripts need a folder: say -o FOLDER".into())),
        (inputs, Some(folder)) => {
            for input in inputs {
                let path = folder.join(scrubbed_name(&scrubber, input));
                fs::create_dir_all(folder).map_err(|error| cannot_make(folder, &error))?;
                copy(&scrubber, input, new_file(&path)?)?;
                eprintln!("{} -> {}", input.name, path.display());
            }
        }
    }
    Ok(Exit::Held)
}

/// A scrubber with replacements of its own, or with those of a seed.
pub(super) fn scrubber(seed: Option<u64>) -> Scrubber {
    match seed {
        Some(seed) => Scrubber::new(&mut FixedContext::new(seed)),
        None => Scrubber::new(&mut SystemContext),
    }
}

/// Makes a file that must not be there yet, which only its owner may read.
pub(super) fn new_file(path: &Path) -> Result<File, Failure> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| cannot_make(path, &error))
}

fn cannot_make(path: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot make {}: {error}; name one that is not there yet", path.display()))
}

fn is_harmless<T>(input: &Result<T, crate::check::InputError>) -> bool {
    input.as_ref().is_err_and(|error| error.is_harmless)
}

fn is_folder_name(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// The name under which the scrubbed form of a transcript is found from others of its session.
fn scrubbed_name(scrubber: &Scrubber, input: &TranscriptFile) -> String {
    let name = Path::new(&input.name).file_name().map_or("session".into(), |name| name.to_string_lossy().into_owned());
    let stem = name.strip_suffix(".gz").unwrap_or(&name);
    format!("{}.jsonl", scrubber.scrub_name(stem.strip_suffix(".jsonl").unwrap_or(stem)))
}

fn copy(scrubber: &Scrubber, input: &TranscriptFile, out: impl Write) -> Result<(), Failure> {
    let source =
        File::open(&input.path).map_err(|error| Failure::Usage(format!("cannot read {}: {error}", input.name)))?;
    scrubber.copy(source, out).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Failure::Usage(format!("{}: {error}", input.name)),
        _ => Failure::Output(error),
    })
}
