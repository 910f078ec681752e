//! *Transcripts* from the field: in the folder that `TURNPROOF_TRANSCRIPTS` names, or in one beside the project.
//! Without them tests say that they are skipped.

use std::path::{Path, PathBuf};

/// The folder of the transcripts.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("TURNPROOF_TRANSCRIPTS").unwrap_or("../shared/transcripts".into());
    // Two packages share this file, so the repository is this package's folder or the one above.
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
    let entries = folder().into_iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    files
}
