//! A *repair* makes a damaged transcript one that every reader resumes whole, and whose conversation every host accepts
//! as it is stored. It changes as little as can be, and says what it changed and what it removed.
//!
//! ```text
//! bytes ── file ──> rows ── text, identity, links, preserved, content ──> rows ── verified ──> bytes
//! ```
//!
//! SPEC.md section 3.9 says what is damage, and what becomes of it. The steps run until they find nothing more, so a
//! second repair changes nothing. A file without damage comes back byte for byte.

mod asked;
mod content;
mod edit;
mod file;
mod identity;
mod links;
mod old_readers;
mod preserved;
mod refusal;
mod rows;
mod stored;
mod text;
mod verify;

use crate::json::Raw;
use crate::message::Context;
use crate::transcript::Transcript;

use file::File;
use stored::Speaker;

pub use asked::{Asked, Dropped};
pub use content::without_content;
pub use refusal::{GoneOn, Refusal, go_on};
pub use verify::refused_as_stored;

/// What is asked of a repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairOptions {
    /// Also makes the chain whole for readers that only follow parents: each message of the conversation names the one
    /// before it, and the last line ends with LF.
    pub for_old_readers: bool,
}

/// What was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The line of the damaged file, from 1; of an added record the line after which it is placed.
    pub line: u64,
    /// The rule that asks for it, or the option of the command line.
    pub rule: &'static str,
    /// What was done.
    pub what: String,
    /// The bytes before; none where something was added.
    pub before: Vec<u8>,
    /// The bytes after; none where something was taken out.
    pub after: Vec<u8>,
}

/// A piece that had to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The line of the damaged file, from 1.
    pub line: u64,
    /// The rule that it breaks.
    pub rule: &'static str,
    /// Why it had to go.
    pub reason: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A repaired transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// The whole file; the bytes that were given when nothing was wrong.
    pub bytes: Vec<u8>,
    /// What was changed, by line.
    pub changes: Vec<Change>,
    /// What was removed, by line.
    pub removed: Vec<Removed>,
}

impl Repair {
    /// Whether the file is as it was.
    pub fn is_unchanged(&self) -> bool {
        self.changes.is_empty() && self.removed.is_empty()
    }
}

/// Why a file is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RepairError {
    /// The repaired file would not give back what the damaged one gives.
    #[error("message {uuid} would not come back in its place any more; please report this file's shape")]
    Lost {
        /// The first message that would be lost.
        uuid: String,
    },
    /// The conversation would still be refused.
    #[error("the conversation would still be refused: {0}")]
    Refused(Refusal),
    /// No message of the conversation or its branches is on the line that was asked for.
    #[error(
        "line {line} holds no message of the conversation or of its branches; turnproof resume --explain shows them"
    )]
    NoSuchMessage {
        /// The line.
        line: u64,
    },
    /// The branch that was asked for does not come back.
    #[error("the branch with line {line} does not come back, also at the end of the file")]
    NotTaken {
        /// The line.
        line: u64,
    },
    /// Each round finds something new to change.
    #[error("the repair does not come to an end; please report this file's shape")]
    Endless,
}

/// So many rounds are run at most.
const ROUNDS: usize = 12;

/// Repairs a transcript. Time is linear in the file and the number of subagents. It fails rather than lose a message
/// that a resume finds, or give a file whose conversation is still refused.
///
/// ```
/// use turnproof_reference::message::FixedContext;
/// use turnproof_reference::transcript::Transcript;
/// use turnproof_reference::repair::{RepairOptions, repair};
///
/// let file = br#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a"}}
/// {"type":"user","uuid":"u2","parentUuid":"never written","message":{"role":"user","content":"b"}}
/// "#;
/// let transcript = Transcript::from_bytes(file.to_vec());
/// let repair = repair(&transcript, &RepairOptions::default(), &mut FixedContext::new(1))?;
/// assert_eq!(repair.changes[0].rule, "chain/parent-exists");
/// assert_eq!((&*repair.changes[0].before, &*repair.changes[0].after), (&b"\"never written\""[..], &b"\"u1\""[..]));
/// # Ok::<(), turnproof_reference::repair::RepairError>(())
/// ```
pub fn repair(
    transcript: &Transcript,
    options: &RepairOptions,
    context: &mut dyn Context,
) -> Result<Repair, RepairError> {
    repair_with(transcript, options, &[], context)
}

/// Does what is asked for, and nothing else.
pub fn as_asked(transcript: &Transcript, asked: &[Asked]) -> Result<Repair, RepairError> {
    let mut file = File::read(transcript);
    asked::fix(&mut file, asked)?;
    Ok(given(transcript, file))
}

/// Repairs a transcript after what is asked for.
pub fn repair_with(
    transcript: &Transcript,
    options: &RepairOptions,
    asked: &[Asked],
    context: &mut dyn Context,
) -> Result<Repair, RepairError> {
    let mut first = None;
    for way in WAYS {
        match attempt(transcript, options, asked, context, way) {
            Err(error) => first = first.or(Some(error)),
            repaired => return repaired,
        }
    }
    Err(first.unwrap_or(RepairError::Endless))
}

/// How to go about what decides which branch is the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    /// The last of several records with one uuid is moved to the place of the first.
    in_first_place: bool,
    /// What is wrong is dropped as a whole, where the usual way repairs it. Such are messages without a uuid and those
    /// that lose all their content, repeated keys one of which has a wrong type, and what boundaries claim to preserve.
    drops: bool,
    /// Before anything else, each message of the conversation names the one before it.
    in_line: bool,
    /// It is behind it, too.
    arranged: bool,
    /// What is not of the conversation is dropped, but for subagents and side records: any link to it would hide some.
    alone: bool,
    /// A placeholder whose true result is beside it stays a result as others are: it came back before.
    keeps_placeholders: bool,
}

const USUAL: Way = Way {
    in_first_place: true,
    drops: false,
    in_line: false,
    arranged: false,
    alone: false,
    keeps_placeholders: false,
};

/// The ways, to be tried in this order until one comes to an end and loses nothing: what changes least comes first.
const WAYS: [Way; 14] = [
    USUAL,
    Way { keeps_placeholders: true, ..USUAL },
    Way { in_first_place: false, ..USUAL },
    Way { in_first_place: false, keeps_placeholders: true, ..USUAL },
    Way { drops: true, ..USUAL },
    Way { in_line: true, ..USUAL },
    Way { in_line: true, in_first_place: false, ..USUAL },
    Way { in_line: true, drops: true, ..USUAL },
    Way { in_first_place: false, drops: true, ..USUAL },
    Way { in_line: true, alone: true, ..USUAL },
    Way { in_line: true, alone: true, drops: true, ..USUAL },
    Way { in_line: true, alone: true, arranged: true, ..USUAL },
    Way { in_line: true, alone: true, arranged: true, drops: true, ..USUAL },
    Way { keeps_placeholders: true, drops: true, ..USUAL },
];

fn attempt(
    transcript: &Transcript,
    options: &RepairOptions,
    asked: &[Asked],
    context: &mut dyn Context,
    way: Way,
) -> Result<Repair, RepairError> {
    let mut file = File::read(transcript);
    asked::fix(&mut file, asked)?;
    let changed = file.rows.transcript();
    let damaged = if asked.is_empty() { transcript } else { &*changed };
    if way.in_line {
        let conversation = stored::conversation(damaged, &Speaker::of(damaged));
        old_readers::link(&mut file, true);
        if way.arranged {
            file.arrange(&conversation, "resume/complete");
        }
        if way.alone {
            old_readers::remove_others(&mut file, damaged, &conversation);
        }
        if way.drops {
            preserved::drop_claims(&mut file);
        }
    }
    for _ in 0..ROUNDS {
        let before = (file.changes.len(), file.removed.len());
        text::fix(&mut file, way.drops);
        identity::fix(&mut file, context, way);
        links::fix(&mut file);
        preserved::fix(&mut file, way.drops);
        content::fix(&mut file, context, way);
        if options.for_old_readers {
            old_readers::fix(&mut file);
        }
        if before == (file.changes.len(), file.removed.len()) {
            return finish(transcript, damaged, file);
        }
    }
    Err(RepairError::Endless)
}

fn finish(transcript: &Transcript, damaged: &Transcript, mut file: File) -> Result<Repair, RepairError> {
    if !file.changes.is_empty() || !file.removed.is_empty() {
        verify::verify(damaged, &mut file)?;
    }
    Ok(given(transcript, file))
}

/// The repair: the bytes of the transcript where nothing was changed.
fn given(transcript: &Transcript, file: File) -> Repair {
    if file.changes.is_empty() && file.removed.is_empty() {
        return Repair { bytes: transcript.bytes().to_vec(), ..Repair::default() };
    }
    let bytes = file.rows.bytes();
    let File { mut changes, mut removed, .. } = file;
    changes.sort_by_key(|change| change.line);
    removed.sort_by_key(|removed| removed.line);
    Repair { bytes, changes, removed }
}

/// A text as a JSON token.
fn quoted(text: &str) -> String {
    Raw::from(text).get().to_owned()
}
