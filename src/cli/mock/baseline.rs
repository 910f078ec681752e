//! A *baseline* of situations: what a program did wrong before, so that a run reports only what is new.
//!
//! It is a file of JSON Lines that people can read, compare and edit, sorted: what is wrong in which situation.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use turnproof_clients::{Found, Key, Report};

use crate::cli::{Failure, baseline_text};

/// What a program does wrong in a situation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Wrong {
    /// The name of the situation.
    pub(super) situation: String,
    #[serde(flatten)]
    pub(super) key: Key,
}

/// What was wrong before.
pub(super) struct Baseline(BTreeSet<Wrong>);

impl Baseline {
    /// Reads a file; `None` where there is none.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, Failure> {
        let Some(text) = baseline_text(path)? else { return Ok(None) };
        let wrong = |index: usize, error: serde_json::Error| {
            let at = format!("{}:{}", path.display(), index + 1);
            Failure::Usage(format!("{at}: no line of a baseline: {error}; write a new one with --write-baseline"))
        };
        let read = |(index, line)| serde_json::from_str(line).map_err(|error| wrong(index, error));
        Ok(Some(Self(text.lines().enumerate().map(read).collect::<Result<_, _>>()?)))
    }

    /// What was wrong in these situations.
    pub(super) fn of(mut self, is_played: impl Fn(&str) -> bool) -> Self {
        self.0.retain(|wrong| is_played(&wrong.situation));
        self
    }

    /// Whether it was wrong before.
    pub(super) fn covers(&self, wrong: &Wrong) -> bool {
        self.0.contains(wrong)
    }

    /// How much of it is right now.
    pub(super) fn left(&self, seen: &BTreeSet<Wrong>) -> usize {
        self.0.difference(seen).count()
    }
}

/// Writes what a second run of its case has shown, too; gives how much that is.
pub(super) fn write<C>(path: &Path, seen: &BTreeSet<Wrong>, report: &Report<C>) -> Result<usize, Failure> {
    let is_confirmed = |wrong: &&Wrong| report.found.iter().any(|found| found.kept.breach.key == wrong.key);
    // Plain data can always be written.
    let line = |wrong: &Wrong| serde_json::to_string(wrong).unwrap_or_default() + "\n";
    let lines: Vec<String> = seen.iter().filter(is_confirmed).map(line).collect();
    fs::write(path, lines.concat()).map_err(|error| super::unwritten(path, &error))?;
    Ok(lines.len())
}

/// Keeps of what is wrong what some situation shows that did not before.
pub(super) fn keep_new<C>(found: &mut Vec<Found<C>>, seen: &BTreeSet<Wrong>, baseline: &Baseline) {
    let new = seen.iter().filter(|wrong| !baseline.covers(wrong));
    found.retain(|found| new.clone().any(|wrong| wrong.key == found.kept.breach.key));
}
