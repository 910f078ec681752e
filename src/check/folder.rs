//! What *folders* show that no file alone does: a session that lies where its client does not look for it, one that has
//! a copy, a fork, or goes on in another file.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::input::session_id;
use super::summary::folder_of;
use super::verdict::Judged;

/// Where a session comes from, as its records say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The uuid of the first record that comes back.
    pub first: Option<String>,
    /// The directories in which the client ran at the first and at the last record that comes back.
    pub directories: Vec<String>,
    /// The session in which it is continued.
    pub continued_in: Option<String>,
}

/// What is said of a file beside others, or beside its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FolderNote {
    /// The file.
    pub file: String,
    /// What is said.
    #[serde(flatten)]
    pub about: FolderFact,
}

/// What a folder shows of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum FolderFact {
    /// The client looks for a session of its directory in another folder.
    OtherFolder {
        /// The directory in which its client ran.
        directory: String,
        /// The folder in which the client looks for it.
        folder: String,
    },
    /// Another file has the same id and holds more, or as much.
    Copy {
        /// The other file.
        of: String,
        /// How many messages this file holds.
        messages: u64,
        /// How many the other one holds.
        of_messages: u64,
    },
    /// It begins with the same record as another session: one is a fork of the other.
    Fork {
        /// The other file.
        of: String,
    },
    /// The conversation is continued in another session.
    Continued {
        /// The id of that session.
        session: String,
        /// Its file, where that was judged too.
        session_file: Option<String>,
    },
}

/// The members of a record that say where it comes from.
#[derive(Deserialize)]
struct Record {
    uuid: Option<String>,
    cwd: Option<String>,
    #[serde(rename = "continuedInSessionId")]
    continued_in: Option<String>,
}

impl Origin {
    /// Takes the first or the last record that comes back.
    pub(super) fn take(&mut self, record: &[u8]) {
        let Ok(Record { uuid, cwd, .. }) = serde_json::from_slice(record) else { return };
        if self.first.is_none() {
            self.first = uuid;
        }
        self.directories.extend(cwd.filter(|cwd| !self.directories.contains(cwd)));
    }
}

/// The session that a record of the kind `continued-in` names.
pub(super) fn continued_in(record: &[u8]) -> Option<String> {
    serde_json::from_slice::<Record>(record).ok()?.continued_in
}

/// What the files show together, in their order.
pub fn folder_notes(judged: &[Judged]) -> Vec<FolderNote> {
    let sessions: Vec<&Judged> = judged.iter().filter(|one| one.verdict.agent.is_none()).collect();
    let mut by_id: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    let mut by_first: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for &one in &sessions {
        if let Some(id) = id_of(&one.file) {
            by_id.entry(id).or_default().push(one);
            by_first.entry(one.verdict.origin.first.as_deref().unwrap_or_default()).or_default().push(one);
        }
    }
    by_first.remove("");
    let mut notes = Vec::new();
    for one in sessions {
        let mut say = |about: Option<FolderFact>| {
            notes.extend(about.map(|about| FolderNote { file: one.file.clone(), about }));
        };
        say(other_folder(one));
        say(copy(one, &by_id));
        say(fork(one, &by_first));
        say(one.verdict.origin.continued_in.clone().map(|session| {
            let session_file = by_id.get(session.as_str()).and_then(|files| fullest(files)).map(|one| one.file.clone());
            FolderFact::Continued { session, session_file }
        }));
    }
    notes
}

fn id_of(file: &str) -> Option<&str> {
    session_id(Path::new(file))
}

/// Whether a folder has a name that the client gave it, for a directory.
fn is_of_a_client(folder: &str) -> bool {
    folder.starts_with('-') || folder.get(1..3) == Some("--")
}

fn other_folder(one: &Judged) -> Option<FolderFact> {
    id_of(&one.file)?;
    let folder = Path::new(&one.file).parent()?.file_name()?.to_str()?;
    let directories = &one.verdict.origin.directories;
    if !is_of_a_client(folder) || directories.iter().any(|directory| folder_of(directory) == folder) {
        return None;
    }
    let directory = directories.last()?.clone();
    Some(FolderFact::OtherFolder { folder: folder_of(&directory), directory })
}

/// The first file that holds the most messages.
fn fullest<'a>(files: &[&'a Judged]) -> Option<&'a Judged> {
    let most = files.iter().map(|one| one.verdict.messages).max()?;
    files.iter().copied().find(|one| one.verdict.messages == most)
}

/// Another file with the same id that holds more, or as much and comes earlier.
fn copy(one: &Judged, by_id: &BTreeMap<&str, Vec<&Judged>>) -> Option<FolderFact> {
    let whole = fullest(by_id.get(id_of(&one.file)?)?).filter(|whole| whole.file != one.file)?;
    let [messages, of_messages] = [one, whole].map(|one| one.verdict.messages);
    Some(FolderFact::Copy { of: whole.file.clone(), messages, of_messages })
}

/// An earlier session that begins with the same record.
fn fork(one: &Judged, by_first: &BTreeMap<&str, Vec<&Judged>>) -> Option<FolderFact> {
    let other = by_first.get(one.verdict.origin.first.as_deref()?)?.first()?;
    (id_of(&other.file) != id_of(&one.file)).then(|| FolderFact::Fork { of: other.file.clone() })
}

impl fmt::Display for FolderNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = |count: u64| format!("{count} {}", if count == 1 { "message" } else { "messages" });
        write!(f, "{}: ", self.file)?;
        match &self.about {
            FolderFact::OtherFolder { directory, folder } => write!(
                f,
                "its client ran in {directory}, and looks for it in the folder {folder}: move it there, or run turnproof \
                 repair --move-to"
            ),
            FolderFact::Copy { of, messages: 0, of_messages } => {
                write!(f, "a stub without a message; the conversation of this id is {of} ({})", size(*of_messages))
            }
            FolderFact::Copy { of, messages, of_messages } => {
                write!(f, "{}; {of} has the same id and holds {of_messages}", size(*messages))
            }
            FolderFact::Fork { of } => write!(f, "begins with the same record as {of}: one is a fork of the other"),
            FolderFact::Continued { session, session_file: Some(file) } => {
                write!(f, "continued in the session {session}: {file}")
            }
            FolderFact::Continued { session, session_file: None } => {
                write!(f, "continued in the session {session}: turnproof find {session}")
            }
        }
    }
}
