//! What a boundary *preserves* comes back although it is before the boundary (step 2, 2).

use std::borrow::Cow;

use super::nodes::{Nodes, Role};
use super::record::{Claim, Claimed, Named};

pub(super) struct Preserved<'a> {
    /// The participant that the list comes after.
    pub(super) anchor: usize,
    /// The nodes that come after it, in order; at least one.
    pub(super) list: Vec<usize>,
    /// What else may come back from before the boundary.
    pub(super) also: Also<'a>,
}

/// What may come back from before a boundary beside its list.
pub(super) enum Also<'a> {
    /// The nodes with these uuids.
    Uuids(&'a [Cow<'a, str>]),
    /// Everything from the first of these records to the second.
    Between(usize, usize),
}

impl Preserved<'_> {
    /// Whether a node from before the boundary may come back.
    pub(super) fn allows(&self, nodes: &Nodes, node: usize) -> bool {
        let also = match &self.also {
            Also::Uuids(uuids) => nodes.record(node).uuid.as_ref().is_some_and(|uuid| uuids.contains(uuid)),
            Also::Between(head, tail) => (*head..=*tail).contains(&node),
        };
        also || self.list.contains(&node)
    }
}

/// What a boundary preserves; `None` when it claims nothing, or something that is missing.
pub(super) fn preserved<'a>(nodes: &Nodes<'a>, boundary: usize) -> Option<Preserved<'a>> {
    let claim = nodes.record(boundary).claim.as_ref()?;
    let (list, also) = match &claim.what {
        Claimed::Messages { uuids, all } => (listed(nodes, uuids.as_ref()?)?, Also::Uuids(all)),
        Claimed::Segment { head, tail } => {
            let (list, head, tail) = segment(nodes, boundary, head.as_ref()?, tail.as_ref()?)?;
            (list, Also::Between(head, tail))
        }
    };
    let anchor = anchor(nodes, boundary, claim)?;
    let is_apart = !list.contains(&anchor) && !list.contains(&boundary);
    (!list.is_empty() && is_apart).then_some(Preserved { anchor, list, also })
}

/// The participants with these uuids, when there are so many different ones.
fn listed(nodes: &Nodes, uuids: &[Cow<'_, str>]) -> Option<Vec<usize>> {
    let mut list = Vec::new();
    for uuid in uuids {
        let node = nodes.with_uuid(uuid).filter(|&node| nodes.is_participant(node))?;
        if list.contains(&node) {
            return None;
        }
        list.push(node);
    }
    Some(list)
}

/// The nodes from head to tail, and the records at both ends.
fn segment(nodes: &Nodes, boundary: usize, head: &str, tail: &str) -> Option<(Vec<usize>, usize, usize)> {
    let mut walked = Vec::new();
    let mut uuid = tail;
    loop {
        let record = nodes.last_before(boundary, uuid)?;
        if walked.contains(&record) {
            return None;
        }
        walked.push(record);
        if uuid == head {
            break;
        }
        let Named::Uuid(parent) = &nodes.record(record).parent else { return None };
        uuid = parent.as_ref();
    }
    let (last, first) = (*walked.first()?, *walked.last()?);
    let that_stay = walked.into_iter().rev().filter(|&record| Role::of(nodes.record(record)) != Role::Passing);
    let standing = that_stay.filter_map(|record| nodes.with_uuid(nodes.record(record).uuid.as_ref()?));
    Some((standing.collect(), first, last))
}

fn anchor(nodes: &Nodes, boundary: usize, claim: &Claim<'_>) -> Option<usize> {
    let anchor = nodes.with_uuid(claim.anchor.as_ref()?)?;
    (anchor >= boundary && nodes.is_participant(anchor)).then_some(anchor)
}
