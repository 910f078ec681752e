//! What is *allowed* to come back: all, or what stands after the boundary at the beginning of the path, and
//! what that boundary preserves.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::_2_nodes::{COMES_BACK, Nodes};
use super::_4_relink::Preserved;

/// Which nodes the boundary at the beginning of the path lets come back.
pub(super) struct Allowed {
    /// Later nodes may; `None` when there is no boundary, and all may.
    boundary: Option<u32>,
    /// The uuids that the boundary preserves.
    named: HashSet<u32>,
    /// From the head to the tail of the segment that the boundary preserves.
    segment: Option<RangeInclusive<u32>>,
}

impl Allowed {
    pub(super) fn new(nodes: &Nodes<'_>, boundary: Option<u32>, preserved: Option<&Preserved>) -> Self {
        let list = preserved.iter().flat_map(|preserved| &preserved.list).map(|&at| nodes.fact(at).uuid);
        let all = preserved.iter().flat_map(|preserved| &preserved.all).copied();
        let segment = preserved.and_then(|preserved| preserved.segment.clone());
        Self { boundary, named: list.chain(all).collect(), segment }
    }

    pub(super) fn has(&self, nodes: &Nodes<'_>, at: u32) -> bool {
        self.boundary.is_none_or(|boundary| at > boundary)
            || self.segment.as_ref().is_some_and(|segment| segment.contains(&at))
            || self.named.contains(&nodes.fact(at).uuid)
    }

    /// Whether a node could come back and does not yet.
    pub(super) fn is_missing(&self, nodes: &Nodes<'_>, at: u32) -> bool {
        nodes.may_come_back(at) && !nodes.has(at, COMES_BACK) && self.has(nodes, at)
    }
}
