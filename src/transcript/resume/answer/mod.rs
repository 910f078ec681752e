//! The *answer* to a resume: plain data that knows nobody.

mod not_found;
mod note;

pub use not_found::NotFound;
pub use note::{Missing, Note, NoteKind};

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
