//! The stored *conversations* that snapshots are made of: built in, or those of a folder.

use std::fs;
use std::path::Path;

use turnproof_rules::operation::RequestOptions;

use super::SnapshotError;

/// What is built in: each conversation behind a line with its name.
const STORED: &str = include_str!("conversations.txt");

/// A conversation.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// What is interesting in it.
    pub name: String,
    /// Where it is from.
    pub source: String,
    /// Its messages, a JSON array.
    pub messages: String,
    /// What the request is made with.
    pub options: RequestOptions,
}

impl Conversation {
    /// A conversation of a JSON Lines file. A line of type `options` holds the project context.
    fn read(name: &str, source: String, lines: &str) -> Self {
        let (mut messages, mut options) = (Vec::new(), RequestOptions::default());
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str::<serde_json::Value>(line) {
                Ok(value) if value["type"] == "options" => {
                    options.context = value["context"].as_str().map(str::to_owned);
                }
                Ok(_) => messages.push(line),
                Err(_) => {}
            }
        }
        Self { name: name.to_owned(), source, messages: format!("[{}]", messages.join(",\n")), options }
    }
}

/// The conversations that are built in, each small, with a name that says what is interesting.
pub fn conversations() -> Vec<Conversation> {
    let stored = STORED.trim_start_matches("# ").split("\n# ").filter_map(|one| one.split_once('\n'));
    stored.map(|(name, lines)| Conversation::read(name, format!("{name}.jsonl"), lines)).collect()
}

/// The conversations of a folder: its `.jsonl` files, by name. Lines that are no JSON are left out.
///
/// # Errors
/// When the folder or a file cannot be read.
pub fn conversations_of(folder: &Path) -> Result<Vec<Conversation>, SnapshotError> {
    let cannot = |path: &Path| {
        let path = path.to_owned();
        move |error| SnapshotError { path, error }
    };
    let entries = fs::read_dir(folder).map_err(cannot(folder))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(cannot(folder))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let bytes = fs::read(path).map_err(cannot(path))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Conversation::read(&name, path.display().to_string(), &String::from_utf8_lossy(&bytes)))
    };
    paths.iter().map(read).collect()
}
