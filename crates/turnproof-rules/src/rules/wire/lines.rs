//! A *line* holds one record and ends with LF; rules on files whose lines are damaged.

use crate::rules::{Judge, RuleEntry};

use super::agreement::{Agreement, Reach};

const JSON_OBJECT_AGREEMENT: Agreement =
    Agreement { rule: "wire/json-object", reach: Reach::File, untouched: "the file holds nothing but blanks and NUL" };

pub(super) const JSON_OBJECT: RuleEntry =
    rule!("wire/json-object", Error, Judge::Parse(|case| JSON_OBJECT_AGREEMENT.judge(case)));

const ONE_RECORD_AGREEMENT: Agreement = Agreement {
    rule: "wire/one-record-per-line",
    reach: Reach::Line,
    untouched: "no line holds more than one record or the beginning of one before another",
};

pub(super) const ONE_RECORD_PER_LINE: RuleEntry =
    rule!("wire/one-record-per-line", Error, Judge::Parse(|case| ONE_RECORD_AGREEMENT.judge(case)));

const TERMINATED_AGREEMENT: Agreement = Agreement {
    rule: "wire/terminated",
    reach: Reach::Piece,
    untouched: "the last line ends with LF, or holds nothing but blanks and NUL",
};

pub(super) const TERMINATED: RuleEntry =
    rule!("wire/terminated", Warning, Judge::Parse(|case| TERMINATED_AGREEMENT.judge(case)));

const NO_NUL_AGREEMENT: Agreement =
    Agreement { rule: "wire/no-nul", reach: Reach::Line, untouched: "the file holds no NUL byte" };

pub(super) const NO_NUL: RuleEntry = rule!("wire/no-nul", Error, Judge::Parse(|case| NO_NUL_AGREEMENT.judge(case)));
