//! The *wire* is the transcript as bytes on disk: one JSON object a line, UTF-8, LF.
//!
//! These rules judge what a subject reads from a file that may be damaged (SPEC.md section 3.5). Three look at the
//! subject's own answers alone; the others compare it with a [`model`], where the file breaks the rule.

mod accounted;
mod again;
mod agreement;
mod fields;
mod kinds;
mod lines;
mod lossless;
pub mod model;
mod text;

use std::cell::OnceCell;

pub(crate) use fields::has_wrong_type;

use super::{ParseEvidence, RuleEntry};

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut {
    /// What a right reader finds in the file.
    reading: OnceCell<model::Reading>,
}

impl ParseEvidence<'_> {
    /// What a right reader finds in the file.
    fn reading(&self) -> &model::Reading {
        self.worked_out.reading.get_or_init(|| model::read(&self.bytes))
    }
}

/// The rules of the family.
pub(super) const RULES: &[&RuleEntry] = &[
    &accounted::EVERY_BYTE_ACCOUNTED,
    &lossless::LOSSLESS,
    &lines::JSON_OBJECT,
    &lines::ONE_RECORD_PER_LINE,
    &lines::TERMINATED,
    &lines::NO_NUL,
    &text::UTF8,
    &text::NO_LONE_SURROGATE,
    &text::UNIQUE_KEYS,
    &text::DEPTH,
    &kinds::TYPED_FIELDS,
    &kinds::LIVE_ONLY_KIND,
    &again::DETERMINISTIC,
];
