//! The *files* that may be recordings, and their documents.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use walkdir::WalkDir;

use super::body::LARGEST;
use super::document;
use crate::check::input::{InputError, describe};

/// A file that may be a recording.
#[derive(Clone, Debug)]
pub struct RecordedFile {
    /// The name to show.
    pub name: String,
    /// Whether it was named itself, and not found in a folder.
    pub is_named: bool,
    path: PathBuf,
}

/// How the names of recordings end, besides `.gz`.
const NAMES: [&str; 6] = [".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".har"];

impl RecordedFile {
    /// The files that paths name, in order: files, and those under folders whose names end as recordings do. What cannot
    /// be read is an error in its place.
    pub fn gather(paths: &[PathBuf]) -> Vec<Result<Self, InputError>> {
        let mut files = Vec::new();
        for path in paths {
            let named =
                |is_named| move |path: &Path| Self { name: path.display().to_string(), is_named, path: path.into() };
            match fs::metadata(path) {
                Err(error) => files.push(Err(InputError::new(path.display().to_string(), describe(&error)))),
                Ok(metadata) if metadata.is_dir() => {
                    let entries = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter().flatten();
                    let found = entries.filter(|entry| entry.file_type().is_file() && is_recording(entry.path()));
                    files.extend(found.map(|entry| Ok(named(false)(entry.path()))));
                }
                Ok(_) => files.push(Ok(named(true)(path))),
            }
        }
        files
    }

    /// A file that is named itself.
    pub(crate) fn named(path: &Path) -> Self {
        Self { name: path.display().to_string(), is_named: true, path: path.into() }
    }

    /// The documents of the file. It fails where it cannot be read, or is neither JSON nor YAML.
    pub(super) fn documents(&self) -> Result<Vec<Value>, InputError> {
        let wrong = |problem: String| InputError::new(&self.name, problem);
        let mut bytes = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error| wrong(describe(&error)))?;
        if bytes.starts_with(&[0x1F, 0x8B]) {
            let mut unpacked = Vec::new();
            let read = MultiGzDecoder::new(&*bytes).take(LARGEST + 1).read_to_end(&mut unpacked);
            read.map_err(|error| wrong(format!("cannot be read as gzip: {error}")))?;
            if unpacked.len() as u64 > LARGEST {
                return Err(wrong("holds more than 256 MiB".to_owned()));
            }
            bytes = unpacked;
        }
        let text = String::from_utf8(bytes).map_err(|_| wrong("not UTF-8".to_owned()))?;
        let text = text.trim_start_matches('\u{FEFF}');
        let name = self.name.trim_end_matches(".gz");
        let is_yaml = name.ends_with(".yaml") || name.ends_with(".yml");
        let is_json = !is_yaml && text.trim_start().starts_with(['{', '[']);
        let read = if is_json { document::json(text) } else { document::yaml(text) };
        // Whatever else a folder holds in YAML or JSON is no recording of the Messages API.
        let is_harmless = !self.is_named && !text.contains("/v1/messages") && !text.contains("anthropic");
        read.map_err(|problem| InputError { is_harmless, ..wrong(problem) })
    }
}

fn is_recording(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    NAMES.iter().any(|end| name.ends_with(end))
}
