//! An *input* is a transcript to check: a file, one of a folder's files, or standard input.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use tempfile::NamedTempFile;
use walkdir::WalkDir;

/// A transcript to check.
#[derive(Clone, Debug)]
pub struct TranscriptFile {
    /// The name to show.
    pub name: String,
    /// The file to read.
    pub path: PathBuf,
    /// Its size when it was found, for progress.
    pub size: u64,
    /// Keeps the copy of a stream until the check ends.
    _copy: Option<Arc<NamedTempFile>>,
}

/// Something that cannot be read, or was stepped over.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{name}: {problem}")]
pub struct InputError {
    /// The input's name.
    pub name: String,
    /// What is wrong, and what to do where that is not plain.
    pub problem: String,
    /// Whether nothing is lost by it: a link back to a folder that is read anyway.
    pub is_harmless: bool,
}

impl InputError {
    pub(super) fn new(name: impl Into<String>, problem: impl ToString) -> Self {
        Self { name: name.into(), problem: problem.to_string(), is_harmless: false }
    }
}

impl TranscriptFile {
    /// The file at `path`.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let size = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        Self { name: path.display().to_string(), path, size, _copy: None }
    }

    /// The file at `path`, or its content where that is compressed by gzip.
    fn found(path: &Path) -> Result<Self, InputError> {
        let mut magic = [0; GZIP.len()];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
        if read.is_err() || magic != GZIP {
            return Ok(Self::file(path));
        }
        let name = path.display().to_string();
        let input = File::open(path).and_then(|file| Self::stream(&name, MultiGzDecoder::new(file).take(EXPANDED + 1)));
        match input {
            Ok(input) if input.size > EXPANDED => Err(InputError::new(
                name,
                "holds more than 4 GiB; expand it first (`gunzip -k`), and name what comes out",
            )),
            Ok(input) => Ok(input),
            Err(error) => Err(InputError::new(name, format!("cannot be read as gzip: {error}"))),
        }
    }

    /// A stream. It is copied to a temporary file, since some violations are found at its end and point back into it.
    /// It fails when the stream cannot be read or the copy cannot be written.
    pub fn stream(name: &str, mut stream: impl Read) -> io::Result<Self> {
        let mut copy = NamedTempFile::new()?;
        let size = io::copy(&mut stream, &mut copy)?;
        let path = copy.path().to_owned();
        Ok(Self { name: name.to_owned(), path, size, _copy: Some(Arc::new(copy)) })
    }

    /// The session that the file's name stands for: clients name a transcript after its session.
    pub fn session(&self) -> Option<&str> {
        session_id(&self.path)
    }

    pub(super) fn open(&self) -> io::Result<File> {
        File::open(&self.path)
    }
}

/// The id of a session, where a file is named after one.
pub fn session_id(path: &Path) -> Option<&str> {
    let stem = path.file_stem()?.to_str()?;
    let id = stem.strip_suffix(".jsonl").unwrap_or(stem);
    let is_uuid = id.len() == 36 && uuid::Uuid::try_parse(id).is_ok();
    is_uuid.then_some(id)
}

/// So many bytes are expanded from one file at most.
const EXPANDED: u64 = 4 << 30;

/// How a file compressed by gzip begins (RFC 1952).
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// How the names of the transcripts in a folder end.
const NAMES: [&str; 2] = [".jsonl", ".jsonl.gz"];

/// The transcripts that paths name, in order: files, folders with every `*.jsonl` and `*.jsonl.gz` file under them by
/// name, and `-` for standard input. Files compressed by gzip are read as what they hold. What cannot be read is an
/// error in its place.
pub fn gather(
    paths: &[PathBuf],
    stdin: impl Fn() -> io::Result<TranscriptFile>,
) -> Vec<Result<TranscriptFile, InputError>> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(stdin().map_err(|error| InputError::new("-", error)));
            continue;
        }
        match fs::metadata(path) {
            Err(error) => inputs.push(Err(InputError::new(path.display().to_string(), describe(&error)))),
            Ok(metadata) if metadata.is_dir() => folder(path, &mut inputs),
            Ok(metadata) if metadata.is_file() && metadata.len() > 0 => inputs.push(TranscriptFile::found(path)),
            // A pipe can be read only once; a file of size 0 may be one that the system makes while it is read.
            Ok(_) => {
                let name = path.display().to_string();
                let input = File::open(path).and_then(|stream| TranscriptFile::stream(&name, stream));
                inputs.push(input.map_err(|error| InputError::new(name, describe(&error))));
            }
        }
    }
    inputs
}

/// What went wrong, with advice for the usual cases.
pub(super) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder; look for a typing error in the path".into(),
        io::ErrorKind::PermissionDenied => "permission denied; run as a user who may read it".into(),
        _ => error.to_string(),
    }
}

/// Adds the transcripts under a folder. Symbolic links are followed, but never in a circle.
fn folder(path: &Path, inputs: &mut Vec<Result<TranscriptFile, InputError>>) {
    for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) => {
                let name = entry.file_name().to_string_lossy();
                let is_transcript = NAMES.iter().any(|end| name.ends_with(end));
                if is_transcript && entry.file_type().is_file() {
                    inputs.push(TranscriptFile::found(entry.path()));
                } else if is_transcript && !entry.file_type().is_dir() {
                    let name = entry.path().display().to_string();
                    inputs.push(Err(InputError::new(name, "not a regular file; name it itself to read it")));
                }
            }
            Err(error) => inputs.push(Err(walk_error(path, &error))),
        }
    }
}

fn walk_error(root: &Path, error: &walkdir::Error) -> InputError {
    let name = error.path().unwrap_or(root).display().to_string();
    match (error.loop_ancestor(), error.io_error()) {
        (Some(ancestor), _) => {
            let problem = format!("a symbolic link back to {}; stepped over", ancestor.display());
            InputError { is_harmless: true, ..InputError::new(name, problem) }
        }
        (None, Some(error)) => InputError::new(name, describe(error)),
        (None, None) => InputError::new(name, error),
    }
}
