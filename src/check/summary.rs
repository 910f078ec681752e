//! The *summary* of a session: which it is, where it was written, what it begins with.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use memchr::memchr2_iter;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::input::TranscriptFile;
use turnproof_reference::transcript::{Found, Scanner};

/// So many characters of the first prompt are kept.
const PROMPT: usize = 200;

/// What a file of a session holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The id by which the client knows it: the name of the file.
    pub id: String,
    /// Where the file is.
    pub path: String,
    /// The directory in which its client ran last.
    pub cwd: Option<String>,
    /// The time of the newest record, as it was written.
    pub newest: Option<String>,
    /// How many messages of the user and the model it holds.
    pub messages: u64,
    /// What the user said first.
    pub prompt: Option<String>,
    /// The session in which it goes on.
    pub continued_in: Option<String>,
    /// The first line that holds the text which was looked for.
    pub line: Option<u64>,
    /// Whether it lies where the client looks for a session of its directory.
    pub is_in_place: bool,
}

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow, default)]
    r#type: Cow<'a, str>,
    #[serde(borrow)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "continuedInSessionId")]
    continued_in: Option<Cow<'a, str>>,
    #[serde(default, rename = "isMeta")]
    is_meta: bool,
    #[serde(borrow)]
    message: Option<Message<'a>>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

/// Reads the summary of a file. `text` is looked for in each line; letters of ASCII are equal in both cases.
///
/// # Errors
/// When the file cannot be read.
pub fn summarize(input: &TranscriptFile, text: Option<&str>) -> io::Result<Summary> {
    let path = Path::new(&input.name);
    let id = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let id = id.split(".jsonl").next().unwrap_or_default().to_owned();
    let mut summary = Summary { id, path: input.name.clone(), ..Summary::default() };
    let text = text.map(str::to_ascii_lowercase).unwrap_or_default();
    Scanner::default().file(input.open()?, |found| {
        let Found::Record(record) = found else { return };
        if !text.is_empty() && summary.line.is_none() && holds(record.bytes, text.as_bytes()) {
            summary.line = Some(record.line);
        }
        if let Ok(record) = serde_json::from_slice(record.bytes) {
            summary.take(&record);
        }
    })?;
    summary.is_in_place = summary.folder().is_none_or(|folder| {
        path.parent().and_then(Path::file_name).is_some_and(|name| name.to_string_lossy() == folder)
    });
    Ok(summary)
}

/// Whether bytes hold a text, which is not empty and is given in small letters. Letters of ASCII are equal in both cases.
fn holds(bytes: &[u8], text: &[u8]) -> bool {
    let first = text[0];
    memchr2_iter(first, first.to_ascii_uppercase(), bytes)
        .any(|at| bytes[at..].get(..text.len()).is_some_and(|part| part.eq_ignore_ascii_case(text)))
}

impl Summary {
    fn take(&mut self, record: &Record<'_>) {
        let keep = |old: &mut Option<String>, new: &Option<Cow<'_, str>>| {
            if let Some(new) = new {
                *old = Some(new.clone().into_owned());
            }
        };
        keep(&mut self.cwd, &record.cwd);
        keep(&mut self.newest, &record.timestamp);
        keep(&mut self.continued_in, &record.continued_in);
        let Some(message) = &record.message else { return };
        self.messages += u64::from(matches!(&*record.r#type, "user" | "assistant"));
        if self.prompt.is_none() && record.r#type == "user" && !record.is_meta {
            self.prompt = message.content.and_then(|content| first_text(content.get()));
        }
    }

    /// The folder in which the client looks for a session of its directory.
    pub fn folder(&self) -> Option<String> {
        self.cwd.as_deref().map(folder_of)
    }
}

/// The folder in which the client keeps the sessions of a directory.
pub fn folder_of(directory: &str) -> String {
    directory.replace(|character: char| !character.is_ascii_alphanumeric(), "-")
}

/// The first text of a content, in one line.
fn first_text(content: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Block {
        text: Option<String>,
    }
    let text = serde_json::from_str::<String>(content).ok().or_else(|| {
        let blocks: Vec<Block> = serde_json::from_str(content).ok()?;
        blocks.into_iter().find_map(|block| block.text)
    })?;
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| text.chars().take(PROMPT).collect())
}
