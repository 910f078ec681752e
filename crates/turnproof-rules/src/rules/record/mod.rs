//! Rules on *recording*: which lines are written of which messages, and when.
//!
//! Most compare the lines with those of a second, simple recorder ([`model`]). What a line holds beside the message's
//! own members (times, the client's version, its folder) is the subject's own.

mod answers;
mod envelope;
mod kept;
mod lines;
mod links;
mod message;
mod model;
mod once;

use std::cell::OnceCell;

use super::{RecordEvidence, RuleEntry};
use crate::operation::RecordStep;
use lines::{Region, regions};
use message::{List, Lists};
use model::Model;

pub(super) const RULES: &[RuleEntry] = &[
    rule!("record/incremental", Record(once::incremental)),
    rule!("record/prefix-parent", Record(links::prefix_parent)),
    rule!("record/chain-links", Record(links::chain_links)),
    rule!("record/no-ephemeral", Record(once::no_ephemeral)),
    rule!("record/user-before-request", Record(kept::user_before_request)),
    rule!("record/late-fields", Record(kept::late_fields_kept)),
    rule!("record/boundary-tail-first", Record(once::boundary_tail_first)),
    rule!("record/append-only", Record(answers::append_only)),
    rule!("record/whole-lines", Record(answers::whole_lines)),
    rule!("record/nothing-lost", Record(kept::nothing_lost)),
    rule!("record/envelope", Record(envelope::envelope)),
    rule!("record/total", Record(answers::total)),
    rule!("record/starting-parent", Record(links::starting_parent)),
    rule!("record/team", Record(links::team)),
    rule!("record/deterministic", Record(answers::deterministic)),
];

/// What the rules of the family work out of a case. An `Err` has the reason why the case does not determine it.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    regions: OnceCell<Result<Vec<Region<'a>>, &'static str>>,
    lists: OnceCell<Vec<Result<List, &'static str>>>,
    model: OnceCell<Result<Model, &'static str>>,
}

impl<'a> RecordEvidence<'a> {
    /// What the recorder appended, step by step.
    fn regions(&self) -> Result<&[Region<'a>], &'static str> {
        let regions = self.worked_out.regions.get_or_init(|| regions(self.given()));
        regions.as_deref().map_err(|why| *why)
    }

    /// The list of each step; empty for steps that have none.
    fn lists(&self) -> &[Result<List, &'static str>] {
        self.worked_out.lists.get_or_init(|| {
            let mut lists = Lists::default();
            let read = |step: &RecordStep| match step {
                RecordStep::List(json) | RecordStep::ListBeforeRequest(json) => lists.read(json),
                _ => Ok(List::default()),
            };
            self.steps.iter().map(read).collect()
        })
    }

    /// What must and may stand in the file.
    fn model(&self) -> Result<&Model, &'static str> {
        self.worked_out.model.get_or_init(|| Model::play(self)).as_ref().map_err(|why| *why)
    }
}
