//! The *requests* of a whole log: when one is sent, and what it holds.
//!
//! These rules are asked only where the inputs of the log are known. Any other log may be a piece of one.

mod due;
mod given;
mod holds;
mod inputs;
mod legal;

pub(super) use due::request_when_due;
pub(super) use given::request_of_inputs;
pub(super) use holds::request_holds_live;
pub(super) use inputs::log_of_inputs;
pub(super) use legal::legal_request;

use crate::rules::{Applies, PlayEvidence, applies};

/// A rule applies only where the log is not a piece of one.
fn applies_to_whole(case: &PlayEvidence<'_>) -> Applies {
    applies(case.inputs.is_some(), "the inputs are not known, so this may be a piece of a log")
}
