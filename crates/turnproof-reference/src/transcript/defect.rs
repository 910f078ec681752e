//! A *defect* is what is wrong with a piece of a transcript, named by the rule that it breaks. A *reason* is why a
//! range of bytes holds no record.

use crate::json::{FaultKind, JsonType, named};

named! {
    /// Why a range of bytes was rejected.
    pub enum Reason {
        /// A run of NUL bytes, as file systems leave after a crash.
        Nul = "nul",
        /// Nested deeper than [`MAX_DEPTH`](crate::json::MAX_DEPTH).
        TooDeep = "too-deep",
        /// A JSON value that is not an object.
        NotObject = "not-object",
        /// The beginning of a record.
        CutShort = "cut-short",
        InvalidUtf8 = "invalid-utf8",
        NotJson = "not-json",
        /// A line longer than [`MAX_LINE`](super::MAX_LINE), or of more blocks or pieces than are looked into.
        TooLong = "too-long",
    }
    /// The reason's name in reports and in the protocol, in kebab case.
    name
}

impl Reason {
    /// What the range is instead of a record, in words; `fault` is what stopped the reading of it.
    pub fn in_words(self, fault: Option<FaultKind>) -> String {
        match (self, fault) {
            (Self::NotObject, _) => "a JSON value that is not an object".into(),
            (Self::CutShort, _) => "the line ends inside a record".into(),
            (Self::TooLong, _) => "more than is looked into on one line".into(),
            (_, Some(FaultKind::Expected(what))) => format!("not JSON: here should be {what}"),
            (_, Some(FaultKind::EndOfText)) => "not JSON: the line ends inside a value".into(),
            (_, Some(FaultKind::ControlInString)) => "not JSON: a raw control character in a string".into(),
            (_, Some(FaultKind::BadEscape)) => "not JSON: an escape that does not exist".into(),
            _ => "not JSON".into(),
        }
    }
}

named! {
    /// What is wrong, by the rule that it breaks.
    pub enum DefectKind {
        JsonObject = "wire/json-object",
        OneRecordPerLine = "wire/one-record-per-line",
        Terminated = "wire/terminated",
        NoNul = "wire/no-nul",
        Utf8 = "wire/utf8",
        NoLoneSurrogate = "wire/no-lone-surrogate",
        UniqueKeys = "wire/unique-keys",
        Depth = "wire/depth",
        TypedFields = "wire/typed-fields",
        LiveOnlyKind = "wire/live-only-kind",
    }
    /// The id of the rule.
    rule
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

impl Defect {
    /// Whether older clients wrote it, and every reader takes it: a last line without LF that is a whole record.
    pub fn is_legacy(&self) -> bool {
        self.kind == DefectKind::Terminated && self.detail == Detail::None
    }
}
