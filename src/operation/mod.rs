//! An *operation* is something that a subject can be asked to do; its input and output are plain
//! data, so that a rule can judge them without knowing who did it.

pub mod derive;
pub mod parse;

pub use derive::{Answer, Derived, Shortened};
pub use parse::{Parsed, ParsedRecord, Rejected, Report};

use serde::{Deserialize, Serialize};

/// What a subject can be asked to do (spec section 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Bytes to records and rejected ranges.
    Parse,
    /// Parent id and index to the derived id.
    DeriveUuid,
    /// Id to its short form.
    ShortId,
    /// Not a subject's doing: the rule judges transcripts themselves.
    Transcript,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 4] = [Self::Parse, Self::DeriveUuid, Self::ShortId, Self::Transcript];

    /// The operation's name in the protocol and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::DeriveUuid => "derive_uuid",
            Self::ShortId => "short_id",
            Self::Transcript => "transcript",
        }
    }

    /// The operation in words: what is judged.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Parse => "how a subject reads a file (parse), and in `turnproof check` the file itself",
            Self::DeriveUuid => "the ids that a subject derives (derive_uuid)",
            Self::ShortId => "the short ids that a subject makes (short_id)",
            Self::Transcript => "transcripts, as they lie on disk",
        }
    }
}
