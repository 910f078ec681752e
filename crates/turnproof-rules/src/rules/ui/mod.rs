//! Rules on the *UI's messages*: one block each, ids that stay, and an order in which each call is followed by its
//! hooks and results.

mod ids;
mod list;
mod order;
mod parts;
pub(super) mod plain;
mod split;
mod story;

use std::cell::OnceCell;

use crate::json::Value;

pub(super) use self::story::what_it_is;
use super::{OrderEvidence, RuleEntry, UiEvidence};

/// What the rules on the split work out of a case.
#[derive(Debug, Default)]
pub struct SplitWorkedOut<'a> {
    input: OnceCell<Vec<&'a Value>>,
    parts: OnceCell<Vec<parts::Part<'a>>>,
    lost: OnceCell<Option<usize>>,
}

/// What the rules on the order work out of a case.
#[derive(Debug, Default)]
pub struct OrderWorkedOut<'a> {
    lists: OnceCell<list::Lists<'a>>,
    stories: OnceCell<Option<order::BothStories<'a>>>,
}

impl<'a> UiEvidence<'a> {
    /// The messages, without events that are in no list.
    fn input(&self) -> &[&'a Value] {
        let case = self.given();
        self.worked_out.input.get_or_init(|| plain::input(&case.messages))
    }

    /// What the messages must become.
    fn parts(&self) -> &[parts::Part<'a>] {
        self.worked_out.parts.get_or_init(|| parts::parts(self.input()))
    }

    /// The messages of the output; or what there is instead of a list.
    fn shown(&self) -> Result<&'a [Value], plain::NoList> {
        let case = self.given();
        plain::output(&case.output)
    }

    /// The first place where the messages of the output are not the parts; `None` when there is no output.
    fn lost(&self) -> Option<usize> {
        let find = || parts::difference(self.parts(), self.shown().ok()?);
        *self.worked_out.lost.get_or_init(find)
    }
}

impl<'a> OrderEvidence<'a> {
    /// The messages before and after.
    fn lists(&self) -> &list::Lists<'a> {
        let case = self.given();
        self.worked_out.lists.get_or_init(|| list::Lists::read(&case.messages, &case.output))
    }

    /// The stories before and after; `None` when these are not the same messages.
    fn stories(&self) -> Option<&order::BothStories<'a>> {
        let read = || order::BothStories::read(self.lists());
        self.worked_out.stories.get_or_init(read).as_ref()
    }
}

pub(super) const RULES: &[RuleEntry] = &[
    rule!("ui/one-block", NormalizeUi(split::one_block)),
    rule!("ui/conserves", NormalizeUi(split::conserves)),
    rule!("ui/derived-after-split", NormalizeUi(ids::derived_after_split)),
    rule!("ui/paste-ids", NormalizeUi(split::paste_ids)),
    rule!("ui/stable", NormalizeUi(ids::stable)),
    rule!("ui/prefix-stable", NormalizeUi(ids::prefix_stable)),
    rule!("ui/unique-ids", NormalizeUi(ids::unique_ids)),
    rule!("ui/permutation", ReorderUi(order::permutation)),
    rule!("ui/tool-story", ReorderUi(order::tool_story)),
    rule!("ui/others-in-order", ReorderUi(order::others_in_order)),
    rule!("ui/reorder-idempotent", ReorderUi(order::reorder_idempotent)),
    rule!("ui/reorder-deterministic", ReorderUi(order::reorder_deterministic)),
];
