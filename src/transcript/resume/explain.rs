//! To *explain* a resume is to tell of each record where it hangs and what became of it.

use std::collections::HashMap;

use super::nodes::{COMES_BACK, ON_PATH};
use super::outcome::{Outcome, why_not};
use super::survey::Survey;
use super::{NotFound, Note, Place, ResumeOptions, told};

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is on the chain and comes back.
    ComesBack,
    /// It is no message: on the chain it was stepped over.
    NoMessage,
    /// A notice had pushed it off the chain; it was put back.
    PutBack,
    /// It stands beside the chain and comes back with its reply, or, a notice, with what it hangs on.
    Recovered,
    /// It is withdrawn.
    Withdrawn,
    /// It stands before the last boundary, which does not preserve it.
    BeforeBoundary,
    /// It is on a branch that was left.
    Left,
    /// Its uuid stands again further down.
    Repeated,
}

/// A record of the conversation asked for, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainedRecord {
    /// Where it stands.
    pub place: Place,
    /// The record that it hangs on, as an index, after bridging and relinking.
    pub parent: Option<u32>,
    /// What became of it.
    pub fate: Fate,
    /// Whether the walk from the end to the beginning passed it.
    pub is_on_path: bool,
}

/// Each record of the conversation asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// The records, in file order.
    pub records: Vec<ExplainedRecord>,
    /// What was done to find the conversation.
    pub notes: Vec<Note>,
    /// Why there is no conversation, if there is none.
    pub not_found: Option<NotFound>,
}

impl Survey {
    /// Tells of each record what became of it.
    pub fn explain(&self, options: &ResumeOptions) -> Explained {
        let outcome = Outcome::new(self, options);
        let nodes = &outcome.nodes;
        let not_found = outcome.conversation.is_empty().then(|| why_not(nodes, options));
        let shown: Vec<u32> =
            nodes.indexes().filter(|&at| nodes.is_node(at) || nodes.is_repeated(at)).collect();
        let records = shown.iter().map(|&at| ExplainedRecord {
            place: nodes.fact(at).place(),
            parent: outcome
                .parents
                .of(at)
                .and_then(|parent| shown.binary_search(&parent).ok())
                .map(|at| at as u32),
            fate: Fate::Left,
            is_on_path: nodes.has(at, ON_PATH),
        });
        let mut records: Vec<ExplainedRecord> = records.collect();
        let special = special(&outcome);
        for (record, &at) in records.iter_mut().zip(&shown) {
            record.fate = special.get(&at).copied().unwrap_or_else(|| fate(&outcome, at));
        }
        Explained { records, notes: told::notes(&outcome), not_found }
    }
}

/// The fates of what came back from beside the chain.
fn special(outcome: &Outcome<'_>) -> HashMap<u32, Fate> {
    let nodes = &outcome.nodes;
    let put = outcome.path.iter().filter(|&&at| !nodes.has(at, ON_PATH) && nodes.has(at, COMES_BACK));
    let put = put.map(|&at| (at, Fate::PutBack));
    let recovered = outcome.recovered.iter().map(|recovered| recovered.at);
    let notices = outcome.notices.iter().map(|notice| notice.at);
    put.chain(recovered.chain(notices).map(|at| (at, Fate::Recovered))).collect()
}

fn fate(outcome: &Outcome<'_>, at: u32) -> Fate {
    let nodes = &outcome.nodes;
    if nodes.is_repeated(at) {
        Fate::Repeated
    } else if nodes.is_withdrawn(at) {
        Fate::Withdrawn
    } else if nodes.has(at, COMES_BACK) {
        Fate::ComesBack
    } else if nodes.has(at, ON_PATH) {
        Fate::NoMessage
    } else if outcome.boundary.is_some_and(|boundary| at < boundary) {
        Fate::BeforeBoundary
    } else if !nodes.fact(at).is_participant() {
        Fate::NoMessage
    } else {
        Fate::Left
    }
}
