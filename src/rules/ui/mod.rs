//! Rules on the *UI's messages*: one block each, ids that stay, an order that tells each call's story.

mod ids;
mod order;
mod parts;
mod plain;
mod split;
mod story;

use super::Rule;

/// What the rules on the split work out of a case: nothing yet that two of them share.
#[derive(Debug, Default)]
pub struct SplitWorkedOut;

/// What the rules on the order work out of a case: nothing yet that two of them share.
#[derive(Debug, Default)]
pub struct OrderWorkedOut;

/// The rules of the family `ui`.
pub(super) const RULES: &[&Rule] = &[
    &split::ONE_BLOCK,
    &split::CONSERVES,
    &ids::DERIVED_AFTER_SPLIT,
    &split::PASTE_IDS,
    &ids::STABLE,
    &ids::PREFIX_STABLE,
    &ids::UNIQUE_IDS,
    &order::PERMUTATION,
    &order::TOOL_STORY,
    &order::OTHERS_IN_ORDER,
    &order::REORDER_IDEMPOTENT,
];
