//! A *resume* finds the conversation that a user gets back from a transcript, whatever happened to
//! the file (spec section 3.3).
//!
//! # Words
//!
//! The records are those that the scanner finds, in file order. Texts of ids are compared as they are
//! shown (halves of surrogate pairs and bytes that are not UTF-8 as U+FFFD).
//!
//! * A *node* is a record with a string `uuid` that belongs to the conversation: neither `isSidechain:
//!   true` nor a `teamName` that is a string with something in it. When a subagent is asked for, the
//!   nodes are the records with its `agentId` instead, sidechain or not.
//! * Where a uuid repeats among nodes, the last node *stands*; the earlier ones are no nodes, but for
//!   finding what a boundary preserves (below).
//! * A *participant* is a node of kind `user`, `assistant`, `system`, `attachment` or `hook_result` whose
//!   `isVirtual` is not true. Other nodes (old `progress`, unknown kinds) are *passing*: they are walked
//!   through and never come back.
//! * A *speaker* is a participant of kind `user` or `assistant`.
//! * A *boundary* is a participant `system` with subtype `compact_boundary`.
//! * A *reply* is all assistant participants with one `message.id`, a string with something in it. An
//!   assistant participant without such an id is a reply of its own.
//! * A *call* is a `tool_use` block with a string `id` in a list of content; a *result* is a `tool_result`
//!   block with a string `tool_use_id`.
//!
//! # 1. What is withdrawn
//!
//! A node is *withdrawn* when a later record of the file that is a node, or would be one but for its
//! uuid or for standing, names its uuid in a list `supersedesUuids` or `retractedMessageUuids`. A user
//! participant is withdrawn too when its content is a list of results alone (at least one), each of a call
//! that stands in a withdrawn assistant participant and in none that is not withdrawn. What is withdrawn is
//! walked through, and never comes back.
//!
//! # 2. Parents
//!
//! Each node has at most one *parent*, found in this order.
//!
//! 1. A boundary has none, whatever its `parentUuid` says. `parentUuid: null` means none. A string that is
//!    the uuid of a node means that node. Anything else (a string that is no node's uuid, no such member,
//!    a value of another type) is a *gap*.
//! 2. Each boundary, in file order, *relinks* what it preserves. `compactMetadata.preservedMessages` counts
//!    when it is an object, else `preservedSegment` when it is one.
//!    * Of `preservedMessages` the list is `uuids`. It must be a list with at least one string, all
//!      strings, no uuid twice, each the uuid of a participant.
//!    * Of a `preservedSegment` the list goes from the head to the tail: starting at the last node before the
//!      boundary in the file whose uuid is `tailUuid`, `parentUuid` by `parentUuid` (each time the last node
//!      before the boundary with that uuid), until the node whose uuid is `headUuid`; passing nodes on the way
//!      are left out. It fails when one is missing or the walk comes to a node a second time.
//!      Where segments overlap so often that their walks together, from the last boundary on backwards, pass more than 64
//!      times as many records as the file has, those of the earlier boundaries fail, so that no file takes more than linear time.
//!    * The anchor (`anchorUuid`) must be the uuid of a participant that is the boundary or stands after it
//!      in the file, and must not be in the list. Nor may the boundary itself be: what is before it cannot come
//!      after it.
//!
//!    Where one of these fails, the boundary preserves nothing, which is reported
//!    (`NoteKind::PreservedMissing`). Otherwise the parent of the first of the list becomes the anchor, of
//!    each other one the one before it in the list (a boundary in the list has none still); and every other node after the boundary in the file whose
//!    parent was the anchor gets the last of the list as parent. But a node is not moved by boundaries up to the last one before
//!    it in the file that lists the parent that it names: it was written when they had been. (A repeated uuid means the node that stands.)
//! 3. Where parents run in a circle, the node of the circle that comes first in the file has a gap instead.
//! 4. A gap is *bridged*: the parent is the nearest participant before the node in the file whose `sessionId` is
//!    the same (equal strings, or none in both), none when there is none. Bridges may close a circle again
//!    with parents that stand later in the file; a walk ends before a node that it has passed already.
//!
//! # 3. Where it ends
//!
//! A node is *compacted away* by a boundary that relinks when it stands before the boundary in the file, neither that
//! boundary nor a later one lists it, and its parent was relinked by this boundary last, or is compacted away
//! by it too: it is what came after the kept messages, and what the summary tells instead.
//!
//! A *terminal* is a node that is not compacted away, and the parent of none that is not. Its *leaf* is the first node of the walk from it
//! (itself first) that is a speaker, not withdrawn and without `isMeta: true`. The walk starts at the
//! terminal whose leaf comes last in the file (what a boundary has relinked counts as standing right behind the anchor of the
//! last such boundary, if that is later); among terminals with the same leaf at a participant rather
//! than at a passing node, then at the last in the file. When no terminal has a leaf, the same is asked with
//! meta speakers allowed; when that gives none either, the walk starts at the last speaker in the file that is not
//! withdrawn, without `isMeta` if there is such a one. When there is none at all, there is no conversation.
//!
//! # 4. The path
//!
//! The walk goes from there to the root, or to a boundary, which is its last node. The *path* is what it
//! passed, in the other order; the nodes on it that are participants and not withdrawn are the conversation so far.
//!
//! # 5. Replies that a notice pushed off the chain
//!
//! A *run* is a stretch of the path after a speaker X, of one or more nodes that are no speakers and no
//! boundaries, up to a speaker Z or the end of the path; Z must be a user participant whose content holds no result.
//! (Withdrawn speakers count as no speakers here.) An assistant participant A that is allowed (step 6), not withdrawn, no API error
//! (`isApiErrorMessage`), not on the path and of no reply that has a line on the path, whose parent is X or a
//! node of the run, and which comes before Z in the file, is *put back*: with it the nodes from A downwards, at each step the allowed child
//! that comes last in the file. They go into the run before the first of its nodes that comes later in the
//! file than A, else to its end. Where there are several, they are taken in file order. (anthropics/claude-code#88597, #83460.)
//!
//! # 6. Replies in one piece
//!
//! What lies before the boundary on the path does not come back, unless it is preserved: where the path
//! begins with a boundary, a node is *allowed* if it stands after the boundary in the file, or is named in
//! the list, in `preservedMessages.allUuids`, or, for a segment, lies in the file from the head to the tail. Where the boundary
//! preserves nothing, only the first holds; without a boundary, all are allowed.
//!
//! For each reply with a line in the conversation so far, in the order of its first such line: its other lines that are participants,
//! allowed and not withdrawn, and results. Each goes right before the first of the reply's lines in the conversation so far that comes
//! later in the file than it, in front of those records directly before that line which come later in the file, too, and are neither lines of the reply nor a boundary;
//! or else right after the last of the reply's lines; where several go to one place, they go reply by reply, lines
//! before results, each in file order. (So a conversation that goes on from here is found again in the same order.) These results are the user participants that are not in the conversation, allowed, not withdrawn, and that hold a
//! result for a call of the reply's lines which no user participant in the conversation answers yet (those that
//! were just put back included), in file order. When a line of another reply also holds a call with that id, the result
//! counts only if its `parentUuid` or its `sourceToolAssistantUUID` is a line of this reply.
//!
//! # 7. Notices beside the path
//!
//! (Added after this text was first handed out; part of the definition like the rest.) A participant that is no
//! speaker and no boundary (system, attachment, hook result), that is not withdrawn, is allowed (step 6) and is not in the conversation
//! yet, comes back when the walk over parents from it comes to a record of the conversation after passing, at most, nodes
//! that are no speakers (or withdrawn ones) and not in the conversation. So a hook's attachment that hangs on a call comes back, though the result hangs on the same
//! call; what hangs on a branch that was left does not. Its place: after that record of the conversation, right before the first record
//! following it there that comes later in the file than the notice, else at the end; several are put in in file order. (What was put in by this step
//! does not count as a record of the conversation for the walks of other notices, but counts for places.)
//!
//! # What comes back
//!
//! The records of the conversation, each as it stands in the file, and `Note`s of what was bridged,
//! dropped, put back or relinked, and why. There is always an answer, in time linear in the file (but for
//! sorting), with at most 100 bytes a record in memory beside the records that come back.

mod explain;
mod fact;
mod frugal;
mod names;
mod nodes;
mod not_found;
mod note;
mod notice;
mod outcome;
mod parents;
mod path;
mod put_back;
mod read;
mod relink;
mod reply;
mod survey;
mod terminals;
mod told;

pub use explain::{Explained, ExplainedRecord, Fate};
pub use not_found::NotFound;
pub use note::{Missing, Note, NoteKind};
pub use read::{copy_places, resume_file, survey};
pub use survey::Survey;

use super::whole::Transcript;

/// What is asked of a resume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResumeOptions {
    /// The subagent whose conversation is wanted; none for the main one.
    pub agent: Option<String>,
}

/// Where a record of the conversation stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first byte, from the file's start.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// The line, from 1.
    pub line: u64,
}

/// A conversation that was found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    /// Its records, in the order of the conversation.
    pub places: Vec<Place>,
    /// What was bridged, dropped, put back or relinked.
    pub notes: Vec<Note>,
}

/// Finds the conversation in a file that is in memory; its records lie at the places in
/// [`Transcript::bytes`].
///
/// ```
/// use turnproof::transcript::Transcript;
/// use turnproof::transcript::resume::{ResumeOptions, resume};
///
/// let file = br#"{"type":"user","uuid":"u1","parentUuid":null}
/// {"type":"assistant","uuid":"u2","parentUuid":"never written"}
/// "#;
/// let transcript = Transcript::from_bytes(file.to_vec());
/// let resume = resume(&transcript, &ResumeOptions::default())?;
/// assert_eq!(resume.places.iter().map(|place| place.line).collect::<Vec<_>>(), [1, 2]);
/// assert!(resume.notes[0].to_string().starts_with("line 2 names a parent that is not in the file"));
/// # Ok::<(), turnproof::transcript::resume::NotFound>(())
/// ```
///
/// # Errors
/// Why there is no conversation, and what to do.
pub fn resume(transcript: &Transcript, options: &ResumeOptions) -> Result<Resume, NotFound> {
    let mut survey = Survey::default();
    transcript.records().for_each(|record| survey.note(&record));
    survey.resume(options)
}
