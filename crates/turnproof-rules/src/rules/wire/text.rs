//! The *text* of a record is its JSON as characters: encoding, escapes, keys and nesting.

use crate::rules::{Judge, RuleEntry};

use super::agreement::{Agreement, Reach};

const UTF8_AGREEMENT: Agreement = Agreement {
    rule: "wire/utf8",
    reach: Reach::Piece,
    untouched: "no record holds bytes other than UTF-8, and no range is rejected for them",
};

pub(super) const UTF8: RuleEntry = rule!("wire/utf8", Error, Judge::Parse(|case| UTF8_AGREEMENT.judge(case)));

const SURROGATE_AGREEMENT: Agreement = Agreement {
    rule: "wire/no-lone-surrogate",
    reach: Reach::Piece,
    untouched: "no record holds an escape that is half of a surrogate pair",
};

pub(super) const NO_LONE_SURROGATE: RuleEntry =
    rule!("wire/no-lone-surrogate", Error, Judge::Parse(|case| SURROGATE_AGREEMENT.judge(case)));

const UNIQUE_KEYS_AGREEMENT: Agreement =
    Agreement { rule: "wire/unique-keys", reach: Reach::Piece, untouched: "no object in a record repeats a key" };

pub(super) const UNIQUE_KEYS: RuleEntry =
    rule!("wire/unique-keys", Warning, Judge::Parse(|case| UNIQUE_KEYS_AGREEMENT.judge(case)));

const DEPTH_AGREEMENT: Agreement =
    Agreement { rule: "wire/depth", reach: Reach::Piece, untouched: "nothing nests deeper than 128" };

pub(super) const DEPTH: RuleEntry = rule!("wire/depth", Error, Judge::Parse(|case| DEPTH_AGREEMENT.judge(case)));
