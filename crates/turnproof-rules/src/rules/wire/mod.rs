//! The *wire* is the transcript as bytes on disk: one JSON object a line, UTF-8, LF.
//!
//! These rules judge what a subject reads from a file that may be damaged (SPEC 3.5). Those of `answers` look at the
//! subject's own answers alone. The others compare it with a [`model`] in the places where the file breaks the rule.

mod agreement;
mod answers;
mod fields;
pub(crate) mod model;

use std::cell::OnceCell;

pub(crate) use fields::has_wrong_type;
pub use model::right_reading;

use self::agreement::{Reach, agree};
use super::{ParseEvidence, RuleEntry};

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut {
    reading: OnceCell<model::Reading>,
}

impl ParseEvidence<'_> {
    /// What a right reader finds in the file.
    fn reading(&self) -> &model::Reading {
        self.worked_out.reading.get_or_init(|| model::read(&self.bytes))
    }
}

/// The rules of the family. Each agreement says why a file does not touch the rule.
pub(super) const RULES: &[RuleEntry] = &[
    rule!("wire/every-byte-accounted", Error, Parse(answers::every_byte_accounted)),
    rule!("wire/lossless", Error, Parse(answers::lossless)),
    rule!(
        "wire/json-object",
        Error,
        Parse(|case, report| agree(case, report, Reach::File, "the file holds nothing but blanks and NUL"))
    ),
    rule!(
        "wire/one-record-per-line",
        Error,
        Parse(|case, report| {
            let untouched = "no line holds more than one record or the beginning of one before another";
            agree(case, report, Reach::Line, untouched)
        })
    ),
    rule!(
        "wire/terminated",
        Warning,
        Parse(|case, report| {
            let untouched = "the last line ends with LF, or holds nothing but blanks and NUL";
            agree(case, report, Reach::Piece, untouched)
        })
    ),
    rule!("wire/no-nul", Error, Parse(|case, report| agree(case, report, Reach::Line, "the file holds no NUL byte"))),
    rule!(
        "wire/utf8",
        Error,
        Parse(|case, report| {
            let untouched = "no record holds bytes other than UTF-8, and no range is rejected for them";
            agree(case, report, Reach::Piece, untouched)
        })
    ),
    rule!(
        "wire/no-lone-surrogate",
        Error,
        Parse(|case, report| {
            agree(case, report, Reach::Piece, "no record holds an escape that is half of a surrogate pair")
        })
    ),
    rule!(
        "wire/unique-keys",
        Warning,
        Parse(|case, report| agree(case, report, Reach::Piece, "no object in a record repeats a key"))
    ),
    rule!(
        "wire/depth",
        Error,
        Parse(|case, report| agree(case, report, Reach::Piece, "nothing nests deeper than 128"))
    ),
    rule!(
        "wire/typed-fields",
        Warning,
        Parse(|case, report| {
            agree(case, report, Reach::Piece, "every known field of every record has its JSON type")
        })
    ),
    rule!(
        "wire/live-only-kind",
        Warning,
        Parse(|case, report| agree(case, report, Reach::Piece, "no record is of a kind that lives in memory only"))
    ),
    rule!("wire/deterministic", Error, Parse(answers::deterministic)),
];
