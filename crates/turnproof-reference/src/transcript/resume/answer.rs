//! The *answer* to a resume, as plain data: the conversation and *notes* on what was done beyond following parents, or
//! why nothing was *found*.

use std::fmt;

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
    /// Where in `places` the records begin that stand after the last gap: a reader that stops at gaps finds these alone.
    pub after_gap: usize,
}

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is on the chain and comes back.
    ComesBack,
    /// It is no message: on the chain it was stepped over.
    NoMessage,
    /// A notice had pushed it off the chain; it was put back.
    PutBack,
    /// It stands beside the chain and comes back: with its reply, or as a notice with what it hangs on.
    Recovered,
    /// It is withdrawn.
    Withdrawn,
    /// It stands before the last boundary, which does not preserve it.
    BeforeBoundary,
    /// It is on a branch that was left.
    Left,
    /// Its uuid stands again further down.
    Repeated,
}

/// A record of the conversation asked for, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainedRecord {
    /// Where it stands.
    pub place: Place,
    /// The index of the record that it hangs on, after bridging and relinking.
    pub parent: Option<u32>,
    /// What became of it.
    pub fate: Fate,
    /// Whether the walk from the end to the beginning passed it.
    pub is_on_path: bool,
}

/// Each record of the conversation asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// The records, in file order.
    pub records: Vec<ExplainedRecord>,
    /// What was done to find the conversation.
    pub notes: Vec<Note>,
    /// Why there is no conversation; `None` when there is one.
    pub not_found: Option<NotFound>,
}

/// Why a file holds no conversation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// There is no record at all.
    #[error("the file holds no record that can be read")]
    Empty,
    /// There are side records alone: titles, queue operations, snapshots.
    #[error(
        "the file holds side records alone ({records}: titles, queue operations, snapshots) and no message; \
         if another file has the same id, the conversation is there (`turnproof find ID`), else no prompt was written"
    )]
    SideRecordsOnly {
        /// How many.
        records: u64,
    },
    /// What users and assistants say has no uuid, by which the next message could name it.
    #[error(
        "no message of a user or an assistant has a uuid ({messages} without one); \
         `turnproof repair` gives each of them one"
    )]
    Nameless {
        /// How many messages of the main conversation have none.
        messages: u64,
    },
    /// All messages belong to subagents.
    #[error("all messages of the file belong to subagents; {}", ask_for(.agents))]
    SidechainOnly {
        /// The first subagents that are named, in file order.
        agents: Vec<String>,
    },
    /// There are messages, but none of a user or an assistant.
    #[error(
        "no message of the file is of a user or an assistant ({participants} of others); \
         there is nothing to go on with, so start a new session"
    )]
    NoSpeaker {
        /// How many messages there are.
        participants: u64,
    },
    /// No record belongs to the subagent that was asked for.
    #[error("no record of the file belongs to the subagent {wanted}; {}", ask_for(.agents))]
    NoSuchAgent {
        /// Who was asked for.
        wanted: String,
        /// The first subagents that are named, in file order.
        agents: Vec<String>,
    },
    /// Everything that a user or an assistant said was withdrawn.
    #[error(
        "all messages of users and assistants ({speakers}) are withdrawn by later records; \
         the records are in the file, and their withdrawal is in `supersedesUuids` or `retractedMessageUuids`"
    )]
    AllWithdrawn {
        /// How many.
        speakers: u64,
    },
}

/// What to ask for, where subagents are named.
fn ask_for(agents: &[String]) -> String {
    match agents {
        [] => "it names no subagent that could be asked for".to_owned(),
        agents => format!("ask for one of the subagents that it names: {}", agents.join(", ")),
    }
}

/// What a boundary should preserve and what is not there, or not right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// `uuids` is no list of strings, or an empty one, or repeats one.
    #[error("`uuids` is not a list of different strings")]
    List,
    /// So many of `uuids` are no messages of the conversation.
    #[error("of {named} preserved messages {missing} cannot be found")]
    Messages {
        /// How many are not there.
        missing: u64,
        /// How many are named.
        named: u64,
    },
    /// The head of the segment.
    #[error("the head of the segment cannot be found before it")]
    Head,
    /// The tail of the segment.
    #[error("the tail of the segment cannot be found before it")]
    Tail,
    /// Parents from the tail on do not lead to the head.
    #[error("parents from the tail of the segment do not lead to its head")]
    Walk,
    /// The segments of the file overlap so often that this one is not walked any more.
    #[error("the segments of this file overlap too often to walk this one")]
    Overlaps,
    /// The boundary itself is in the list.
    #[error("it names itself among what it preserves")]
    Itself,
    /// The anchor, after which the messages go.
    #[error("the anchor is no message at the boundary or after it")]
    Anchor,
}

/// What was done, or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A record's parent is not in the file, or not named.
    Bridged {
        /// Whether it names one at all.
        is_named: bool,
        /// The line that was taken instead; `None` when nothing stands before.
        to: Option<u64>,
    },
    /// Parents run in a circle, which was cut at its first record.
    CircleCut {
        /// The line that was taken as its parent instead; `None` when nothing stands before.
        to: Option<u64>,
    },
    /// Records on the path that are no messages (old progress, unknown kinds) were stepped over.
    PassedOver {
        /// How many; the note stands at the first.
        count: u64,
    },
    /// A record is withdrawn by a later one.
    Withdrawn {
        /// The line of the last record that withdraws it.
        by: u64,
    },
    /// A record holds only results of withdrawn calls.
    WithdrawnResult,
    /// A reply that a notice pushed off the chain was put back.
    PutBack {
        /// How many records came back with it, itself included.
        count: u64,
        /// The line of the message after which it goes.
        after: u64,
    },
    /// A turn that another client wrote was put back: it hangs on another result of a call of the conversation.
    TurnBack {
        /// How many records came back, the first included.
        count: u64,
        /// The line of the call.
        after: u64,
    },
    /// A placeholder stands for a result that is in the file.
    Replaced {
        /// The line of that result.
        by: u64,
    },
    /// A line of a reply, or a result of its calls, stood beside the chain and came back.
    Recovered {
        /// The line of the record after which it goes; `None` at the beginning.
        after: Option<u64>,
    },
    /// A notice that hangs beside the chain came back with what it hangs on.
    NoticeBack {
        /// The line of the record that it hangs on.
        on: u64,
    },
    /// What a boundary preserves was put after its anchor.
    Relinked {
        /// How many records.
        count: u64,
        /// The line of the anchor.
        anchor: u64,
    },
    /// What a boundary preserves is not there; it preserves nothing.
    PreservedMissing {
        /// What is wrong.
        what: Missing,
    },
    /// Messages before the last boundary do not come back.
    BeforeBoundary {
        /// How many; the note stands at the boundary.
        count: u64,
    },
    /// Messages on branches that were left do not come back.
    OtherBranch {
        /// How many; the note stands at the first.
        count: u64,
    },
    /// Records of subagents do not come back.
    Sidechain {
        /// How many; the note stands at the first.
        count: u64,
    },
    /// A record's uuid stands again further down, and only the last one counts.
    RepeatedUuid {
        /// The line of the one that counts.
        standing: u64,
    },
}

impl NoteKind {
    /// The kind's name, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bridged { .. } => "bridged",
            Self::CircleCut { .. } => "circle-cut",
            Self::PassedOver { .. } => "passed-over",
            Self::Withdrawn { .. } => "withdrawn",
            Self::WithdrawnResult => "withdrawn-result",
            Self::PutBack { .. } => "put-back",
            Self::TurnBack { .. } => "turn-back",
            Self::Replaced { .. } => "replaced",
            Self::Recovered { .. } => "recovered",
            Self::NoticeBack { .. } => "notice-back",
            Self::Relinked { .. } => "relinked",
            Self::PreservedMissing { .. } => "preserved-missing",
            Self::BeforeBoundary { .. } => "before-boundary",
            Self::OtherBranch { .. } => "other-branch",
            Self::Sidechain { .. } => "sidechain",
            Self::RepeatedUuid { .. } => "repeated-uuid",
        }
    }
}

/// One thing that a resume did, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// What was done.
    pub kind: NoteKind,
    /// The line of the record that it is about, from 1.
    pub line: u64,
    /// Where that record begins in the file.
    pub start: u64,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match self.kind {
            NoteKind::Bridged { is_named, to } => {
                let names = if is_named { "a parent that is not in the file" } else { "no parent" };
                let put = to.map(|to| format!("; it was put after line {to}"));
                let put = put.as_deref().unwrap_or(", and nothing of its session stands before it");
                write!(f, "line {line} names {names}{put}")
            }
            NoteKind::CircleCut { to } => {
                let cut =
                    to.map_or("the conversation begins there".to_owned(), |to| format!("it was put after line {to}"));
                write!(f, "parents run in a circle through line {line}; {cut}")
            }
            NoteKind::PassedOver { count } => {
                let are = if count == 1 { "is no message and was" } else { "are no messages and were" };
                write!(f, "{} on the chain, from line {line} on, {are} stepped over", records(count))
            }
            NoteKind::Withdrawn { by } => write!(f, "line {line} is withdrawn by line {by}"),
            NoteKind::WithdrawnResult => {
                write!(f, "line {line} holds only results of withdrawn calls and is withdrawn with them")
            }
            NoteKind::PutBack { count, after } => {
                write!(f, "the reply on line {line} was pushed off the chain by a notice; ")?;
                write!(f, "it was put back after line {after}")?;
                if count > 1 { write!(f, ", with {} below it", records(count - 1)) } else { Ok(()) }
            }
            NoteKind::TurnBack { count, after } => {
                let records = records(count);
                write!(f, "{records} of another client, from line {line} on, come back behind the call on line {after}")
            }
            NoteKind::Replaced { by } => {
                write!(f, "line {line} is a placeholder; the true result on line {by} comes back instead")
            }
            NoteKind::Recovered { after } => {
                let place = after.map_or("at the beginning".to_owned(), |after| format!("after line {after}"));
                write!(f, "line {line} stands beside the chain; it was put back with its reply, {place}")
            }
            NoteKind::NoticeBack { on } => {
                write!(f, "the notice on line {line} hangs beside the chain on line {on} and comes back with it")
            }
            NoteKind::Relinked { count, anchor } => {
                write!(f, "the boundary on line {line} preserves {}; they were put after line {anchor}", records(count))
            }
            NoteKind::PreservedMissing { what } => {
                write!(f, "the boundary on line {line} preserves nothing: {what}")
            }
            NoteKind::BeforeBoundary { count } => {
                write!(f, "{} before the boundary on line {line} {} not come back", records(count), does(count))
            }
            NoteKind::OtherBranch { count } => {
                let (records, does) = (records(count), does(count));
                write!(f, "{records} on branches that were left, from line {line} on, {does} not come back")
            }
            NoteKind::Sidechain { count } => {
                let (records, does) = (records(count), does(count));
                write!(f, "{records} of subagents, from line {line} on, {does} not belong to this conversation")
            }
            NoteKind::RepeatedUuid { standing } => {
                write!(f, "line {line} has the uuid of line {standing}, and only the last one counts")
            }
        }
    }
}

fn records(count: u64) -> String {
    if count == 1 { "1 record".to_owned() } else { format!("{count} records") }
}

fn does(count: u64) -> &'static str {
    if count == 1 { "does" } else { "do" }
}
