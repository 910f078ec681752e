//! To *explain* a resume is to say of each record where it hangs and what became of it.

use std::collections::HashMap;

use super::{notes::notes, why_not};
use crate::transcript::resume::answer::{Explained, ExplainedRecord, Fate};
use crate::transcript::resume::steps::{COMES_BACK, Found, ON_PATH};

/// What became of each record of the conversation asked for.
pub(crate) fn explain(found: &Found<'_>) -> Explained {
    let Found { nodes, parents, .. } = found;
    let shown: Vec<u32> = nodes.indexes().filter(|&at| nodes.is_node(at) || nodes.is_repeated(at)).collect();
    let beside = beside(found);
    let index = |at: u32| shown.binary_search(&at).ok().map(|index| index as u32);
    let records = shown.iter().map(|&at| ExplainedRecord {
        place: nodes.fact(at).place(),
        parent: parents.of(at).and_then(index),
        fate: beside.get(&at).copied().unwrap_or_else(|| fate(found, at)),
        is_on_path: nodes.has(at, ON_PATH),
    });
    Explained { records: records.collect(), notes: notes(found), not_found: why_not(found) }
}

/// The fates of what came back from beside the chain.
fn beside(found: &Found<'_>) -> HashMap<u32, Fate> {
    let nodes = &found.nodes;
    let put = found.path.iter().filter(|&&at| !nodes.has(at, ON_PATH) && nodes.has(at, COMES_BACK));
    let put = put.map(|&at| (at, Fate::PutBack));
    let recovered = found.recovered.iter().map(|recovered| recovered.at);
    let notices = found.notices.iter().map(|notice| notice.at);
    put.chain(recovered.chain(notices).map(|at| (at, Fate::Recovered))).collect()
}

fn fate(found: &Found<'_>, at: u32) -> Fate {
    let nodes = &found.nodes;
    if nodes.is_repeated(at) {
        Fate::Repeated
    } else if nodes.is_withdrawn(at) {
        Fate::Withdrawn
    } else if nodes.has(at, COMES_BACK) {
        Fate::ComesBack
    } else if nodes.has(at, ON_PATH) {
        Fate::NoMessage
    } else if found.boundary.is_some_and(|boundary| at < boundary) {
        Fate::BeforeBoundary
    } else if !nodes.fact(at).is_participant() {
        Fate::NoMessage
    } else {
        Fate::Left
    }
}
