//! A *watcher* looks at files and folders again and again. The clock belongs to the caller.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use walkdir::WalkDir;

use super::Event;
use super::follow::Follower;
use crate::check::{Options, Verdict};
use turnproof_rules::rules::{Severity, find};

/// The files that are watched: those that are named, and every `*.jsonl` under folders, new ones too.
///
/// A file that is named is read at once, and need not be there yet. One that was in a folder before is read when it
/// changes. What stands in a file before the watch is known, and is not told.
pub struct Watcher {
    options: Options,
    folders: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Follower>,
}

impl Watcher {
    /// Watches what paths name. `from_start` takes nothing as known.
    pub fn new(paths: &[PathBuf], options: &Options, from_start: bool) -> Self {
        let (folders, named): (Vec<PathBuf>, Vec<PathBuf>) = paths.iter().cloned().partition(|path| path.is_dir());
        let mut files = BTreeMap::new();
        let begun = |follower: Follower| if from_start { follower } else { follower.knowing() };
        for path in folders.iter().flat_map(|folder| transcripts(folder)) {
            let follower = begun(Follower::new(&path, options));
            files.insert(path, if from_start { follower } else { follower.waiting() });
        }
        for path in named {
            files.insert(path.clone(), begun(Follower::new(&path, options)));
        }
        Self { options: options.clone(), folders, files }
    }

    /// Looks at all files, and tells what is new by the file's name. `now` never goes back. Gives whether anything has
    /// changed, or is still to be judged.
    ///
    /// # Errors
    /// What `tell` fails with.
    pub fn poll(&mut self, now: Duration, tell: &mut dyn FnMut(&str, Event<'_>) -> io::Result<()>) -> io::Result<bool> {
        for path in self.folders.iter().flat_map(|folder| transcripts(folder)) {
            self.files.entry(path).or_insert_with_key(|path| Follower::new(path, &self.options));
        }
        let mut is_busy = false;
        for follower in self.files.values_mut() {
            let name = follower.name().to_owned();
            is_busy |= follower.poll(now, &mut |event| tell(&name, event))?;
            is_busy |= !follower.is_judged();
        }
        // Of a folder only what is there is kept.
        let folders = &self.folders;
        let is_found = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
        self.files.retain(|path, follower| !follower.is_gone() || !is_found(path));
        Ok(is_busy)
    }

    /// Judges all files as they stand at the end.
    ///
    /// # Errors
    /// What `tell` fails with.
    pub fn end(&mut self, now: Duration, tell: &mut dyn FnMut(&str, Event<'_>) -> io::Result<()>) -> io::Result<()> {
        for follower in self.files.values_mut() {
            let name = follower.name().to_owned();
            follower.end(now, &mut |event| tell(&name, event))?;
        }
        Ok(())
    }

    /// How many files are watched.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether no file is watched.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether a session is broken, or a finding that was told still stands and is at least so severe.
    pub fn is_broken(&self, least: Severity) -> bool {
        let is_severe = |rule: &&str| find(rule).is_some_and(|rule| rule.severity >= least);
        self.files.values().any(|file| {
            file.verdict().is_some_and(|verdict: &Verdict| verdict.class.is_broken())
                || file.watch().is_some_and(|watch| watch.standing().keys().any(is_severe))
        })
    }
}

/// Every `*.jsonl` under a folder. What cannot be listed is looked at again next time.
fn transcripts(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter().filter_map(Result::ok);
    let is_transcript = |entry: &walkdir::DirEntry| {
        entry.file_type().is_file() && entry.file_name().to_string_lossy().ends_with(".jsonl")
    };
    entries.filter(is_transcript).map(walkdir::DirEntry::into_path)
}
