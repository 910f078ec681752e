//! The *wire* is the transcript as bytes on disk: one JSON object a line, UTF-8, LF.
//!
//! These rules judge what a subject reads from a file that may be damaged (SPEC 3.5). Those of `answers` look at the
//! subject's own answers alone. The others compare it with a [`model`] in the places where the file breaks the rule.

mod agreement;
mod answers;
pub(crate) mod fields;
mod first_byte;
pub(crate) mod model;

use std::cell::OnceCell;

pub use model::right_reading;

pub(super) use self::agreement::NAMING;
use self::agreement::agree;
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

pub(super) const RULES: &[RuleEntry] = &[
    rule!("wire/every-byte-accounted", Parse(answers::every_byte_accounted)),
    rule!("wire/lossless", Parse(answers::lossless)),
    rule!("wire/json-object", Parse(agree)),
    rule!("wire/one-record-per-line", Parse(agree)),
    rule!("wire/terminated", Parse(agree)),
    rule!("wire/no-nul", Parse(agree)),
    rule!("wire/utf8", Parse(agree)),
    rule!("wire/no-lone-surrogate", Parse(agree)),
    rule!("wire/unique-keys", Parse(agree)),
    rule!("wire/depth", Parse(agree)),
    rule!("wire/typed-fields", Parse(agree)),
    rule!("wire/live-only-kind", Parse(agree)),
    rule!("wire/deterministic", Parse(answers::deterministic)),
];
