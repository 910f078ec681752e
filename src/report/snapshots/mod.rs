//! *Snapshots* are what a pipeline makes of stored conversations, in files that people review. They are those of
//! [insta](https://insta.rs): `cargo insta review` shows what is new or changed, and `INSTA_UPDATE` means what it means
//! there.
//!
//! ```no_run
//! use turnproof::report::snapshots::{Update, conversations, review};
//! use turnproof::subject::Reference;
//!
//! let reviewed = review(&Reference, &conversations(), "tests/snapshots", Update::of_environment())?;
//! assert!(reviewed.holds(), "{reviewed}");
//! # Ok::<(), turnproof::report::snapshots::SnapshotError>(())
//! ```

mod conversation;
mod file;
mod page;

pub use conversation::{Conversation, conversations, conversations_of};
pub use page::page;

use std::fmt;
use std::path::{Path, PathBuf};

use similar::TextDiff;
use turnproof_rules::guarded;
use turnproof_rules::operation::Operation;
use turnproof_rules::subject::Subject;
use turnproof_suite::printable;
use turnproof_suite::table::size;

use file::{pretty, put, read};

/// The operations that have snapshots.
const OPERATIONS: [Operation; 2] = [Operation::NormalizeApi, Operation::NormalizeUi];

/// So many lines around a change are shown; so many changed snapshots are, and so many names of new ones.
const CONTEXT: usize = 3;
const SHOWN: usize = 5;

/// Why snapshots cannot be reviewed.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct SnapshotError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: std::io::Error,
}

/// What happens to a snapshot that is new or changed, by the words of `INSTA_UPDATE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// It is written beside as `.snap.new`, to be reviewed.
    New,
    /// It takes the place of the reviewed one.
    Always,
    /// A new one is taken as reviewed, a changed one is written beside.
    Unseen,
    /// Nothing is written.
    No,
}

impl Update {
    /// What the variable `INSTA_UPDATE` says: `always`, `new`, `no`, `unseen`; else `new`, and `no` where `CI` is set.
    pub fn of_environment() -> Self {
        let is_ci = std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
        match std::env::var("INSTA_UPDATE").as_deref() {
            Ok("always" | "force" | "1") => Self::Always,
            Ok("new") => Self::New,
            Ok("unseen") => Self::Unseen,
            Ok("no") => Self::No,
            _ if is_ci => Self::No,
            _ => Self::New,
        }
    }

    const fn accepts(self, is_new: bool) -> bool {
        matches!(self, Self::Always) || is_new && matches!(self, Self::Unseen)
    }
}

/// What became of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is as reviewed.
    Same,
    /// Nothing was reviewed yet.
    New,
    /// It differs from what was reviewed.
    Changed,
    /// It was new or changed, and is written as reviewed.
    Accepted,
    /// The pipeline crashed.
    Crashed,
}

/// What a pipeline made of one conversation.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The operation.
    pub operation: Operation,
    /// The name of the conversation.
    pub name: String,
    /// The file of what was reviewed.
    pub path: PathBuf,
    /// What became of it.
    pub fate: Fate,
    /// What was reviewed; empty of a new one.
    pub reviewed: String,
    /// What it is now, or how the pipeline crashed.
    pub now: String,
}

/// What a pipeline made of all conversations.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// The subject.
    pub subject: String,
    /// The snapshots, by operation and conversation.
    pub snapshots: Vec<Snapshot>,
}

/// Asks a subject what it makes of conversations, as a request and as what a UI shows, and compares it with what was
/// reviewed: `FOLDER/OPERATION/NAME.snap`.
///
/// # Errors
/// When a snapshot cannot be read or written.
pub fn review(
    subject: &dyn Subject,
    conversations: &[Conversation],
    folder: impl AsRef<Path>,
    update: Update,
) -> Result<Reviewed, SnapshotError> {
    let mut snapshots = Vec::new();
    for operation in OPERATIONS {
        for conversation in conversations {
            let Some(answer) = answer(subject, operation, conversation) else { continue };
            let path = folder.as_ref().join(operation.name()).join(format!("{}.snap", conversation.name));
            let reviewed = read(&path)?;
            let (now, fate) = match (answer, &reviewed) {
                (Err(crash), _) => (crash, Fate::Crashed),
                (Ok(now), Some(reviewed)) if now.trim_end() == reviewed.trim_end() => (now, Fate::Same),
                (Ok(now), _) if update.accepts(reviewed.is_none()) => (now, Fate::Accepted),
                (Ok(now), Some(_)) => (now, Fate::Changed),
                (Ok(now), None) => (now, Fate::New),
            };
            put(&path, fate, update, operation, conversation, &now)?;
            let (name, reviewed) = (conversation.name.clone(), reviewed.unwrap_or_default());
            snapshots.push(Snapshot { operation, name, path, fate, reviewed, now });
        }
    }
    Ok(Reviewed { subject: subject.name().to_owned(), snapshots })
}

/// What a subject makes of a conversation, as text, or how it crashed; `None` when it does not do the operation.
fn answer(subject: &dyn Subject, operation: Operation, conversation: &Conversation) -> Option<Result<String, String>> {
    let Conversation { messages, options, .. } = conversation;
    let ask = || match operation {
        Operation::NormalizeUi => subject.normalize_ui(messages).into_answer().map(Ok),
        _ => subject.normalize_api(messages, options).map(|request| request.turns).into_answer().map(Ok),
    };
    let text = |answer: Result<String, String>| match answer {
        Ok(json) => pretty(&json),
        Err(why) => format!("refused: {why}"),
    };
    Some(guarded(ask)?.map(text).map_err(|crash| crash.to_string()))
}

impl Reviewed {
    /// Whether all is as reviewed, or accepted, and there is something.
    pub fn holds(&self) -> bool {
        !self.snapshots.is_empty() && self.wrong().next().is_none()
    }

    /// The snapshots that people have to look at.
    pub fn wrong(&self) -> impl Iterator<Item = &Snapshot> {
        self.snapshots.iter().filter(|snapshot| !matches!(snapshot.fate, Fate::Same | Fate::Accepted))
    }

    fn of(&self, fate: Fate) -> impl Iterator<Item = &Snapshot> {
        self.snapshots.iter().filter(move |snapshot| snapshot.fate == fate)
    }

    /// How many there are of each fate, in words.
    pub(crate) fn counts(&self) -> String {
        if self.snapshots.is_empty() {
            let names = OPERATIONS.map(Operation::name).join(" nor ");
            return format!("no snapshot: `{}` answers neither {names}", self.subject);
        }
        let fates = [
            (Fate::Same, "as reviewed"),
            (Fate::Accepted, "accepted"),
            (Fate::New, "new"),
            (Fate::Changed, "changed"),
            (Fate::Crashed, "crashed"),
        ];
        let counts =
            fates.map(|(fate, words)| (self.of(fate).count(), words)).into_iter().filter(|(some, _)| *some > 0);
        let counts: Vec<String> = counts.map(|(some, words)| format!("{some} {words}")).collect();
        format!("{}: {}", size(self.snapshots.len() as u64, "snapshot"), counts.join(", "))
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.operation.name(), self.name)
    }
}

impl fmt::Display for Reviewed {
    /// The first changed ones with the lines around its changes, the names of new ones, and how many there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, snapshot) in self.of(Fate::Changed).enumerate() {
            writeln!(f, "changed: {snapshot}")?;
            if number < SHOWN {
                let diff = TextDiff::from_lines(snapshot.reviewed.trim_end(), snapshot.now.trim_end());
                let path = snapshot.path.display().to_string();
                let mut diff = diff.unified_diff();
                let diff = diff.context_radius(CONTEXT).missing_newline_hint(false).header(&path, "now").to_string();
                diff.lines().try_for_each(|line| writeln!(f, "  {}", printable::exact(line.as_bytes())))?;
            }
        }
        for snapshot in self.of(Fate::Crashed) {
            writeln!(f, "crashed: {snapshot}: {}", snapshot.now)?;
        }
        self.of(Fate::New).take(SHOWN).try_for_each(|snapshot| writeln!(f, "new: {snapshot}"))?;
        if let Some(more) = self.of(Fate::New).count().checked_sub(SHOWN).filter(|more| *more > 0) {
            writeln!(f, "and {more} new ones more")?;
        }
        writeln!(f, "{}", self.counts())
    }
}
