//! *Transcripts* from the field: in the folder that `TURNPROOF_TRANSCRIPTS` names, or in one beside the project.
//! Without them tests say that they are skipped.

use std::path::{Path, PathBuf};

/// The folder of the transcripts.
pub(crate) fn folder() -> Option<PathBuf> {
    named("TURNPROOF_TRANSCRIPTS", "../shared/transcripts")
}

/// The folder that a variable names, or another one beside the repository.
fn named(variable: &str, beside: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).unwrap_or(beside.into());
    // Several packages share this file, so the repository is this package's folder or the one above.
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder = above.find(|folder| folder.join("SPEC.md").is_file()).expect("the repository").join(folder);
    if !folder.is_dir() {
        eprintln!("skipped: no transcripts in {}", folder.display());
        return None;
    }
    Some(folder)
}

/// The transcripts, by name.
pub(crate) fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folder().iter().flat_map(|folder| entries(folder)).collect();
    files.retain(|path| is_transcript(path));
    files
}

/// The sessions that a real client of today wrote: in the folder that `TURNPROOF_CLIENT_TRANSCRIPTS` names, or in one
/// beside the project. None where there are none.
pub(crate) fn of_client() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        named("TURNPROOF_CLIENT_TRANSCRIPTS", "../shared/transcripts-2.1.332").into_iter().collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            match path.is_dir() {
                true => folders.push(path),
                false => files.extend(Some(path).filter(|path| is_transcript(path))),
            }
        }
    }
    files.sort();
    files
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn is_transcript(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl")
}
