//! The *wire* is the transcript as bytes on disk: one JSON object a line, UTF-8, LF.
//!
//! These rules judge what a subject reads from a file that may be damaged (spec section 3). Two look at the
//! subject's own answer alone; the others compare it with a [`model`], where the file breaks the rule.

mod accounted;
mod agreement;
mod fields;
mod kinds;
mod lines;
mod lossless;
pub mod model;
mod text;
pub(in crate::rules) mod tree;

use super::Rule;

/// The rules of the family.
pub(super) const RULES: &[&Rule] = &[
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
];
