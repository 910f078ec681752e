//! A *change* is what a mock that runs plays from now on, such as for the next test.

use crate::fault::Fault;
use crate::script::Script;

/// What a mock plays from the next request on. What is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Whether a run begins: what was asked before is forgotten, and so is what was to be played.
    pub begin: bool,
    /// What it says, from its first step.
    pub script: Option<Script>,
    /// The seed of what it says where the script says nothing.
    pub seed: Option<u64>,
    /// Bytes that choose what it says where the script says nothing. When they are used up, the usual answers come.
    pub replies: Option<Vec<u8>>,
    /// What fails, answer by answer. Each hits one answer, and the one after it is a good one.
    pub faults: Option<Vec<Vec<Fault>>>,
}
