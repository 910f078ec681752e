//! Rules on the *UI's messages*: one block each, ids that stay, an order that tells each call's story.

mod ids;
mod list;
mod order;
mod parts;
mod plain;
mod split;
mod story;

use std::cell::OnceCell;

use serde_json::Value;

use super::{OrderEvidence, RuleEntry, UiEvidence};

/// What the rules on the split work out of a case.
#[derive(Debug, Default)]
pub struct SplitWorkedOut<'a> {
    /// The messages, without events that pass by.
    input: OnceCell<Vec<&'a Value>>,
    /// What they must become.
    parts: OnceCell<Vec<parts::Part<'a>>>,
    /// The first place where the output is something else, if there is one.
    lost: OnceCell<Option<usize>>,
}

/// What the rules on the order work out of a case.
#[derive(Debug, Default)]
pub struct OrderWorkedOut<'a> {
    lists: OnceCell<list::Lists<'a>>,
    stories: OnceCell<Option<order::BothStories<'a>>>,
}

impl<'a> UiEvidence<'a> {
    /// The messages, without events that pass by.
    fn input(&self) -> &[&'a Value] {
        let case = self.given();
        self.worked_out.input.get_or_init(|| plain::input(&case.messages))
    }

    /// What the messages must become.
    fn parts(&self) -> &[parts::Part<'a>] {
        self.worked_out.parts.get_or_init(|| parts::parts(self.input()))
    }

    /// The messages of the output.
    ///
    /// # Errors
    /// What there is instead of a list.
    fn shown(&self) -> Result<&'a [Value], String> {
        let case = self.given();
        plain::output(&case.output)
    }

    /// The first place where the messages of the output are not the parts; none where there is no output.
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

    /// The stories before and after; none where these are not the same messages.
    fn stories(&self) -> Option<&order::BothStories<'a>> {
        let read = || order::BothStories::read(self.lists());
        self.worked_out.stories.get_or_init(read).as_ref()
    }
}

/// The rules of the family `ui`.
pub(super) const RULES: &[&RuleEntry] = &[
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
    &order::REORDER_DETERMINISTIC,
];
