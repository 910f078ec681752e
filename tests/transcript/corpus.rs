//! The *corpus*: every case file under `tests/cases`, with the id that its path is.

use std::fs;
use std::path::{Path, PathBuf};

/// One case file.
pub(crate) struct Case {
    /// `reject/wire-no-nul/padding-after-a-record`
    pub id: String,
    /// Where the file is.
    pub path: PathBuf,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl Case {
    /// `accept`, `reject` or `either`.
    pub(crate) fn folder(&self) -> &str {
        self.part(0)
    }

    /// `wire-no-nul`
    pub(crate) fn topic(&self) -> &str {
        self.part(1)
    }

    /// `padding-after-a-record`
    pub(crate) fn fault(&self) -> &str {
        self.part(2)
    }

    fn part(&self, index: usize) -> &str {
        self.id.split('/').nth(index).unwrap_or_default()
    }
}

/// Every case, by id.
pub(crate) fn cases() -> Vec<Case> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("tests/cases");
    let mut cases = Vec::new();
    for folder in ["accept", "either", "reject"] {
        for topic in entries(&root.join(folder)) {
            for path in entries(&topic) {
                assert_eq!(path.extension().unwrap(), "jsonl", "{}", path.display());
                let bytes = fs::read(&path).unwrap();
                cases.push(Case { id: format!("{folder}/{}/{}", stem(&topic), stem(&path)), path, bytes });
            }
        }
    }
    cases
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn stem(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}
