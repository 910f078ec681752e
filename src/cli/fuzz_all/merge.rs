//! *Merging* keeps of a corpus the smallest inputs that together reach all that it reaches.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::folders::{FileError, Folders};
use super::run::{Starter, watch};

/// The corpus of a target, in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Merged {
    /// Before.
    pub(super) before: u64,
    /// After.
    pub(super) after: u64,
}

/// Merges the corpus of a target with its seeds, into a folder beside it that takes its place at the end. None where that
/// takes too long or goes wrong: then the corpus stays as it is.
pub(super) fn merge(
    starter: &Starter<'_>,
    target: &str,
    limit: Duration,
) -> Result<Option<Merged>, FileError> {
    let folders = starter.folders;
    let (corpus, new) = (folders.corpus(target), folders.beside_corpus(target, "new"));
    let before = files(&corpus);
    if before == 0 {
        return Ok(None);
    }
    remove(&new)?;
    fs::create_dir_all(&new).map_err(FileError::at(&new))?;
    let mut command = starter.command(target);
    command.arg("-merge=1").arg(&new).arg(&corpus).args(folders.seeds(target));
    let status = watch(&mut command, limit, &mut |_| ());
    let is_done = status.map_err(FileError::at(&folders.program(target)))?.is_some_and(|end| end.success());
    let after = files(&new);
    // Inputs that reach nothing at all are no corpus.
    if !is_done || after == 0 {
        remove(&new)?;
        return Ok(None);
    }
    swap(folders, target)?;
    Ok(Some(Merged { before, after }))
}

/// Puts the new corpus in the place of the old one.
fn swap(folders: &Folders, target: &str) -> Result<(), FileError> {
    let corpus = folders.corpus(target);
    let [new, old] = ["new", "old"].map(|what| folders.beside_corpus(target, what));
    remove(&old)?;
    fs::rename(&corpus, &old).map_err(FileError::at(&corpus))?;
    fs::rename(&new, &corpus).map_err(FileError::at(&new))?;
    remove(&old)
}

/// Tidies up after a merge that was stopped: where the old corpus is all there is, it comes back.
pub(super) fn recover(folders: &Folders, target: &str) -> Result<(), FileError> {
    let corpus = folders.corpus(target);
    let [new, old] = ["new", "old"].map(|what| folders.beside_corpus(target, what));
    if old.is_dir() && !corpus.exists() {
        fs::rename(&old, &corpus).map_err(FileError::at(&old))?;
    }
    remove(&old)?;
    remove(&new)
}

fn remove(folder: &Path) -> Result<(), FileError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError::at(folder)(error)),
        _ => Ok(()),
    }
}

/// How many files a folder has; none where it cannot be read.
fn files(folder: &Path) -> u64 {
    fs::read_dir(folder).map_or(0, |entries| entries.count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders() -> (tempfile::TempDir, Folders) {
        let folder = tempfile::tempdir().expect("a folder");
        let fuzz = folder.path().to_owned();
        (folder, Folders { fuzz: fuzz.clone(), programs: fuzz.clone(), regressions: fuzz })
    }

    fn put(folder: &Path, names: &[&str]) {
        fs::create_dir_all(folder).expect("a folder");
        for name in names {
            fs::write(folder.join(name), name).expect("written");
        }
    }

    #[test]
    fn a_swap_leaves_the_new_corpus_alone() {
        let (_folder, folders) = folders();
        put(&folders.corpus("parse"), &["a", "b", "c"]);
        put(&folders.beside_corpus("parse", "new"), &["a"]);
        put(&folders.beside_corpus("parse", "old"), &["x"]);
        swap(&folders, "parse").expect("swapped");
        assert_eq!(files(&folders.corpus("parse")), 1);
        assert_eq!(files(&folders.fuzz.join("corpus")), 1);
    }

    #[test]
    fn a_merge_that_was_stopped_loses_nothing() {
        let (_folder, folders) = folders();
        // Between the two renames.
        put(&folders.beside_corpus("parse", "old"), &["a", "b", "c"]);
        put(&folders.beside_corpus("parse", "new"), &["a"]);
        recover(&folders, "parse").expect("recovered");
        assert_eq!((files(&folders.corpus("parse")), files(&folders.fuzz.join("corpus"))), (3, 1));
        // Before and after both of them.
        put(&folders.beside_corpus("parse", "old"), &["x"]);
        put(&folders.beside_corpus("parse", "new"), &["y"]);
        recover(&folders, "parse").expect("recovered");
        assert_eq!((files(&folders.corpus("parse")), files(&folders.fuzz.join("corpus"))), (3, 1));
        recover(&folders, "crash").expect("nothing to do");
    }
}
