//! A *defect* is what is wrong with a piece of a transcript, named by the rule that it breaks; a
//! *reason* is why a range of bytes holds no record.

use crate::json::{FaultKind, JsonType};

/// Why a range of bytes was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A run of NUL bytes, as file systems leave after a crash.
    Nul,
    /// Nested deeper than [`MAX_DEPTH`](crate::json::MAX_DEPTH).
    TooDeep,
    /// A JSON value that is not an object.
    NotObject,
    /// The beginning of a record.
    CutShort,
    /// Not UTF-8.
    InvalidUtf8,
    /// Not JSON.
    NotJson,
    /// A line longer than [`MAX_LINE`](super::MAX_LINE).
    TooLong,
}

impl Reason {
    /// The reason's name in reports and in the protocol, in kebab case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nul => "nul",
            Self::TooDeep => "too-deep",
            Self::NotObject => "not-object",
            Self::CutShort => "cut-short",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::NotJson => "not-json",
            Self::TooLong => "too-long",
        }
    }
}

/// What is wrong, by the rule that it breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefectKind {
    /// `wire/json-object`
    JsonObject,
    /// `wire/one-record-per-line`
    OneRecordPerLine,
    /// `wire/terminated`
    Terminated,
    /// `wire/no-nul`
    NoNul,
    /// `wire/utf8`
    Utf8,
    /// `wire/no-lone-surrogate`
    NoLoneSurrogate,
    /// `wire/unique-keys`
    UniqueKeys,
    /// `wire/depth`
    Depth,
    /// `wire/typed-fields`
    TypedFields,
    /// `wire/live-only-kind`
    LiveOnlyKind,
}

impl DefectKind {
    /// The id of the rule.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::JsonObject => "wire/json-object",
            Self::OneRecordPerLine => "wire/one-record-per-line",
            Self::Terminated => "wire/terminated",
            Self::NoNul => "wire/no-nul",
            Self::Utf8 => "wire/utf8",
            Self::NoLoneSurrogate => "wire/no-lone-surrogate",
            Self::UniqueKeys => "wire/unique-keys",
            Self::Depth => "wire/depth",
            Self::TypedFields => "wire/typed-fields",
            Self::LiveOnlyKind => "wire/live-only-kind",
        }
    }
}

/// What a defect's message needs to know beside its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing more.
    None,
    /// A range was rejected, and what stopped the reading of it.
    Rejected(Reason, Option<FaultKind>),
    /// How many such places the record has; the defect stands at the first.
    Count(u32),
    /// A field should have been one thing, and is another.
    WrongType {
        /// What it should be, with its article.
        expected: &'static str,
        /// What it is.
        found: JsonType,
    },
}

/// Something wrong in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defect {
    /// What, by the rule that it breaks.
    pub kind: DefectKind,
    /// The line, counted like the line that was scanned.
    pub line: u64,
    /// Where the record or rejected range begins that it is about, from the file's start.
    pub piece: u64,
    /// The first byte concerned, from the file's start.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// What the message needs to know.
    pub detail: Detail,
}
