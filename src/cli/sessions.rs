//! The *sessions* that a command is given: the transcripts that its paths name, without files that are none.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::check::{Foreign, TranscriptFile, gather, weight};
use crate::report::count;

use super::values::bytes;

/// The sessions that paths name. Standard error says what else is there, in a line each.
pub(super) struct Sessions {
    /// The transcripts, in order.
    pub(super) inputs: Vec<TranscriptFile>,
    /// How many inputs cannot be read, or were named and are no session.
    pub(super) unreadable: u64,
}

impl Sessions {
    /// Gathers what paths name; `-` is standard input.
    pub(super) fn of(paths: &[PathBuf]) -> Self {
        let mut sessions = Self { inputs: Vec::new(), unreadable: 0 };
        let mut in_folders: BTreeMap<Foreign, (u64, String)> = BTreeMap::new();
        for input in gather(paths, || TranscriptFile::stream("-", io::stdin().lock())) {
            match input.map(|input| (input.foreign(), input)) {
                Err(error) => {
                    sessions.unreadable += u64::from(!error.is_harmless);
                    eprintln!("turnproof: {error}");
                }
                Ok((Ok(Some(foreign)), input)) if is_named(&input, paths) => {
                    sessions.unreadable += u64::from(foreign != Foreign::Empty);
                    eprintln!("turnproof: {}: no session: {foreign}", input.name);
                }
                Ok((Ok(Some(foreign)), input)) => in_folders.entry(foreign).or_insert((0, input.name)).0 += 1,
                // What cannot be opened is told when it is read.
                Ok((Ok(None) | Err(_), input)) => sessions.inputs.push(input),
            }
        }
        for (foreign, (files, first)) in in_folders {
            match files {
                1 => eprintln!("turnproof: {first}: no session: {foreign}; left out"),
                _ => eprintln!("turnproof: {} files are no sessions, {first} first: {foreign}; left out", count(files)),
            }
        }
        sessions
    }

    /// Whether there is nothing to do, and nothing wrong.
    pub(super) fn are_none(&self) -> bool {
        self.inputs.is_empty() && self.unreadable == 0
    }
}

/// So many bytes of a session are held in memory at most, unless the call says more: a command that holds one takes up
/// to six times as much.
const MAX_FILE: &str = "84MiB";

/// How much of a session is held in memory.
#[derive(Args)]
pub(super) struct InMemory {
    /// Do not hold a larger session in memory; it takes up to six times its size
    #[arg(long, value_name = "BYTES", default_value = MAX_FILE, value_parser = bytes)]
    max_file: usize,
}

impl InMemory {
    /// Says what is wrong with a session that is too large.
    pub(super) fn admit(&self, input: &TranscriptFile) -> Result<(), String> {
        self.admit_weight(weight(input).map_err(|error| format!("cannot be read: {error}"))?)
    }

    /// Says what is wrong with a session of this weight.
    pub(super) fn admit_weight(&self, weight: u64) -> Result<(), String> {
        if weight <= self.max_file as u64 {
            return Ok(());
        }
        let needed = weight.div_ceil(1 << 20);
        Err(format!("too large to be held in memory; `--max-file {needed}MiB` does it, in up to six times as much"))
    }
}

/// Whether the input is named itself, and not found in a folder.
pub(super) fn is_named(input: &TranscriptFile, paths: &[PathBuf]) -> bool {
    paths.iter().any(|path| path.as_path() == Path::new(&input.name))
}
