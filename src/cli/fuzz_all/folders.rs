//! The *folders* of fuzzing: what a fuzzer begins with, what it leaves, and where its programs lie.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::fuzzing;

/// A file or folder that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub(super) struct FileError {
    path: PathBuf,
    error: io::Error,
}

impl FileError {
    /// For `map_err`.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self { path, error }
    }
}

/// Where everything lies.
#[derive(Clone, Debug)]
pub(super) struct Folders {
    /// The folder of the fuzz crate.
    pub(super) fuzz: PathBuf,
    /// The built programs, one a target.
    pub(super) programs: PathBuf,
    /// The regression cases, a folder a target.
    pub(super) regressions: PathBuf,
}

impl Folders {
    /// The program of a target.
    pub(super) fn program(&self, target: &str) -> PathBuf {
        self.programs.join(format!("{target}{}", std::env::consts::EXE_SUFFIX))
    }

    /// The inputs that reached something new; they grow.
    pub(super) fn corpus(&self, target: &str) -> PathBuf {
        self.fuzz.join("corpus").join(target)
    }

    /// A folder beside the corpus, for a while.
    pub(super) fn beside_corpus(&self, target: &str, what: &str) -> PathBuf {
        self.fuzz.join("corpus").join(format!("{target}.{what}"))
    }

    /// The inputs that somebody chose, where there are any.
    pub(super) fn seeds(&self, target: &str) -> Option<PathBuf> {
        Some(self.fuzz.join("seeds").join(target)).filter(|path| path.is_dir())
    }

    /// What crashed, as it was found.
    pub(super) fn artifacts(&self, target: &str) -> PathBuf {
        self.fuzz.join("artifacts").join(target)
    }

    /// The words of a target's language, where there is a file of them.
    pub(super) fn dictionary(&self, target: &str) -> Option<PathBuf> {
        let shape = fuzzing::find(target)?.shape?;
        let path = self.fuzz.join("dictionaries").join(shape.name()).with_extension("dict");
        path.is_file().then_some(path)
    }

    /// Makes the folders that a fuzzer writes to.
    pub(super) fn make(&self, target: &str) -> Result<(), FileError> {
        for folder in [self.corpus(target), self.artifacts(target)] {
            fs::create_dir_all(&folder).map_err(FileError::at(&folder))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_targets_have_dictionaries_and_only_those_that_are_there_are_used() {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
        let folders = Folders { fuzz: fuzz.clone(), programs: fuzz.clone(), regressions: fuzz.clone() };
        assert_eq!(folders.dictionary("parse"), Some(fuzz.join("dictionaries/transcript.dict")));
        assert_eq!(folders.dictionary("crash"), None);
        assert_eq!(folders.seeds("no-such-target"), None);
        let nowhere = Folders { fuzz: fuzz.join("nowhere"), ..folders };
        assert_eq!(nowhere.dictionary("parse"), None);
    }
}
