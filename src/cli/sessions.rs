//! The *sessions* that a command is given: the transcripts that its paths name, without files that are none.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::check::{Foreign, TranscriptFile, gather};
use crate::report::count;

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

/// Whether the input is named itself, and not found in a folder.
pub(super) fn is_named(input: &TranscriptFile, paths: &[PathBuf]) -> bool {
    paths.iter().any(|path| path.as_path() == Path::new(&input.name))
}
