//! A *note* is one thing that a resume did beyond following parents, in a plain sentence.

use std::fmt;

/// What a boundary should preserve and what is not there, or not right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// `uuids` is no list of strings, or an empty one, or repeats one.
    List,
    /// So many of `uuids` are no messages of the conversation.
    Messages {
        /// How many are not there.
        missing: u64,
        /// How many are named.
        named: u64,
    },
    /// The head of the segment.
    Head,
    /// The tail of the segment.
    Tail,
    /// Parents from the tail on do not lead to the head.
    Walk,
    /// The segments of the file overlap so often that this one is not walked any more.
    Overlaps,
    /// The boundary itself is in the list.
    Itself,
    /// The anchor, after which the messages go.
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
    /// Records of subagents or teams do not come back.
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
                match to {
                    Some(to) => write!(f, "line {line} names {names}; it was put after line {to}"),
                    None => {
                        write!(f, "line {line} names {names}, and nothing of its session stands before it")
                    }
                }
            }
            NoteKind::CircleCut { to: Some(to) } => {
                write!(f, "parents run in a circle through line {line}; it was put after line {to}")
            }
            NoteKind::CircleCut { to: None } => {
                write!(f, "parents run in a circle through line {line}; the conversation begins there")
            }
            NoteKind::PassedOver { count } => {
                let are = if count == 1 { "is no message and was" } else { "are no messages and were" };
                write!(f, "{} on the chain, from line {line} on, {are} stepped over", records(count))
            }
            NoteKind::Withdrawn { by } => write!(f, "line {line} is withdrawn by line {by}"),
            NoteKind::WithdrawnResult => {
                write!(f, "line {line} holds only results of withdrawn calls and is withdrawn with them")
            }
            NoteKind::PutBack { count: 1, after } => {
                write!(
                    f,
                    "the reply on line {line} was pushed off the chain by a notice; it was put back after line {after}"
                )
            }
            NoteKind::PutBack { count, after } => {
                write!(
                    f,
                    "the reply on line {line} was pushed off the chain by a notice; it was put back after line {after}, with {} below it",
                    records(count - 1)
                )
            }
            NoteKind::Recovered { after: None } => {
                write!(f, "line {line} stands beside the chain; it was put back with its reply, at the beginning")
            }
            NoteKind::Recovered { after: Some(after) } => {
                write!(f, "line {line} stands beside the chain; it was put back with its reply, after line {after}")
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
                write!(f, "{} before the boundary on line {line} {} not come back", records(count), do_or_does(count))
            }
            NoteKind::OtherBranch { count } => {
                write!(
                    f,
                    "{} on branches that were left, from line {line} on, {} not come back",
                    records(count),
                    do_or_does(count)
                )
            }
            NoteKind::Sidechain { count } => {
                write!(
                    f,
                    "{} of subagents or teams, from line {line} on, {} not belong to this conversation",
                    records(count),
                    do_or_does(count)
                )
            }
            NoteKind::RepeatedUuid { standing } => {
                write!(f, "line {line} has the uuid of line {standing}, and only the last one counts")
            }
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List => f.write_str("`uuids` is not a list of different strings"),
            Self::Messages { missing, named } => {
                write!(f, "of {named} preserved messages {missing} cannot be found")
            }
            Self::Head => f.write_str("the head of the segment cannot be found before it"),
            Self::Tail => f.write_str("the tail of the segment cannot be found before it"),
            Self::Walk => f.write_str("parents from the tail of the segment do not lead to its head"),
            Self::Overlaps => f.write_str("the segments of this file overlap too often to walk this one"),
            Self::Itself => f.write_str("it names itself among what it preserves"),
            Self::Anchor => f.write_str("the anchor is no message at the boundary or after it"),
        }
    }
}

fn records(count: u64) -> String {
    if count == 1 { "1 record".to_owned() } else { format!("{count} records") }
}

fn do_or_does(count: u64) -> &'static str {
    if count == 1 { "does" } else { "do" }
}
