//! Transcripts from the *field*, where there are some.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folder that is named, or the one beside the repository.
pub(crate) fn folder() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/transcripts");
    std::env::var_os("TURNPROOF_TRANSCRIPTS").map_or_else(default, PathBuf::from)
}

/// The files of a folder, in order, each with its last line ended.
pub(crate) fn transcripts(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let is_transcript = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "jsonl");
    let read = |path: &PathBuf| {
        let mut bytes = fs::read(path)?;
        if bytes.last().is_some_and(|&last| last != b'\n') {
            bytes.push(b'\n');
        }
        Ok(bytes)
    };
    paths.iter().filter(is_transcript).map(read).collect()
}
