//! Rules on *recording*: which lines are written of which messages, and when.
//!
//! They are held against a second recorder that is plain enough to be believed (`model`). What a line
//! holds beside the message's own members (times, the client's version, its folder) is the
//! subject's own.

mod again;
mod boundary;
mod bytes;
mod kept;
mod lines;
mod links;
mod message;
mod model;
mod once;
mod total;

use std::cell::OnceCell;

use super::{Place, RecordEvidence, RuleEntry, Verdict, Violation};
use crate::operation::RecordStep;
use lines::{Line, Region, regions};
use message::{List, Lists};
use model::Model;

/// The rules of the family `record`.
pub(super) const RULES: &[&RuleEntry] = &[
    &once::INCREMENTAL,
    &links::PREFIX_PARENT,
    &links::CHAIN_LINKS,
    &once::NO_EPHEMERAL,
    &kept::USER_BEFORE_REQUEST,
    &kept::LATE_FIELDS,
    &boundary::BOUNDARY_TAIL_FIRST,
    &bytes::APPEND_ONLY,
    &bytes::WHOLE_LINES,
    &kept::NOTHING_LOST,
    &total::TOTAL,
    &again::DETERMINISTIC,
];

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    /// What the recorder appended; or why that cannot be told.
    regions: OnceCell<Result<Vec<Region<'a>>, &'static str>>,
    /// The list of each step, an empty one for steps that have none; or why it is not laid down what becomes
    /// of it.
    lists: OnceCell<Vec<Result<List, &'static str>>>,
    /// The case, played by hand; or why it is not laid down what must happen.
    model: OnceCell<Result<Model, &'static str>>,
}

impl<'a> RecordEvidence<'a> {
    /// What the recorder appended, step by step.
    ///
    /// # Errors
    /// Why that cannot be told.
    fn regions(&self) -> Result<&[Region<'a>], &'static str> {
        let regions = self.worked_out.regions.get_or_init(|| regions(self.given()));
        regions.as_deref().map_err(|why| *why)
    }

    /// The list of each step.
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
}

/// Judges by the model; not applicable where it is not laid down what must happen.
fn played(case: &RecordEvidence<'_>, judge: impl FnOnce(&Model) -> Verdict) -> Verdict {
    match case.worked_out.model.get_or_init(|| Model::play(case)) {
        Ok(model) => judge(model),
        Err(why) => Verdict::NotApplicable(why),
    }
}

/// The bytes of a line.
fn place(line: &Line) -> Place {
    Place::Bytes { start: line.range.0 as u64, end: line.range.1 as u64 }
}

/// A violation by a line.
fn by_line(rule: &'static str, line: &Line, found: String, expected: impl Into<String>) -> Violation {
    Violation::new(rule, place(line), found, expected)
}
