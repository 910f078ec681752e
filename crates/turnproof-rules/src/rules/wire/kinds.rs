//! A *kind* is what a record's `type` says it is; rules on kinds and on the types of their fields.

use crate::rules::{Judge, RuleEntry};

use super::agreement::{Agreement, Reach};

const TYPED_FIELDS_AGREEMENT: Agreement = Agreement {
    rule: "wire/typed-fields",
    reach: Reach::Piece,
    untouched: "every known field of every record has its JSON type",
};

pub(super) const TYPED_FIELDS: RuleEntry =
    rule!("wire/typed-fields", Warning, Judge::Parse(|case| TYPED_FIELDS_AGREEMENT.judge(case)));

const LIVE_ONLY_AGREEMENT: Agreement = Agreement {
    rule: "wire/live-only-kind",
    reach: Reach::Piece,
    untouched: "no record is of a kind that lives in memory only",
};

pub(super) const LIVE_ONLY_KIND: RuleEntry =
    rule!("wire/live-only-kind", Warning, Judge::Parse(|case| LIVE_ONLY_AGREEMENT.judge(case)));
