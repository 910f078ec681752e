//! The *steps* from the facts of a file to its conversation. The file `_N_…` does what SPEC.md section 3.3.N says.
//!
//! ```text
//! 2 nodes ─> 3 parents (4 relink) ─> 5 end ─> 6 path ─> 7 put back ─> 8 reply ─> 9 notice
//! ```

mod _2_nodes;
mod _3_parents;
mod _4_relink;
mod _5_end;
mod _6_path;
mod _7_dead;
mod _7_put_back;
mod _7_two_clients;
mod _8_reply;
mod _9_notice;

pub(super) use _2_nodes::{CIRCLE, COMES_BACK, GAP, Nodes, ON_PATH};

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::survey::{Sort, Survey};
use _3_parents::Parents;
use _4_relink::{Finder, Preserved};
use _5_end::CompactedAway;
use _7_put_back::PutBack;
use _8_reply::Recovered;
use _9_notice::Hanging;

/// What the steps found, and what they did on the way. Records are named by the indexes of their facts.
pub(super) struct ResumeSteps<'a> {
    /// The subagent that was asked for.
    pub(super) agent: Option<&'a str>,
    pub(super) nodes: Nodes<'a>,
    pub(super) parents: Parents,
    /// From the beginning to the end, with what was put back.
    pub(super) path: Vec<u32>,
    pub(super) put: Vec<PutBack>,
    pub(super) recovered: Vec<Recovered>,
    pub(super) notices: Vec<Hanging>,
    /// The boundary that the path begins with.
    pub(super) boundary: Option<u32>,
    /// What that boundary preserves.
    pub(super) preserved: Option<Preserved>,
    /// The records that come back, in order; empty when there is no conversation.
    pub(super) conversation: Vec<u32>,
}

impl<'a> ResumeSteps<'a> {
    /// Takes the steps in order.
    pub(super) fn new(survey: &'a Survey, agent: Option<&'a str>) -> Self {
        let mut nodes = Nodes::new(survey, agent);
        let parents = Parents::new(&mut nodes);
        let away = CompactedAway::new(&nodes, &parents);
        let end = _5_end::end(&nodes, &parents, &away);
        let mut path = _6_path::path(&mut nodes, &parents, end);
        let boundary = path.first().copied().filter(|&at| survey.fact(at).sort == Sort::Boundary);
        let preserved = boundary.and_then(|boundary| Finder::new(&nodes).of(boundary));
        let allowed = Allowed::new(&nodes, boundary, preserved.as_ref(), away.undone(boundary, &path));
        let dead = _7_dead::dead(&nodes, &parents, &path);
        let mut put = _7_put_back::put_back(&nodes, &parents, &allowed, &dead, &mut path);
        put.extend(_7_two_clients::put_turns_back(&nodes, &parents, &allowed, &mut path));
        let mut conversation: Vec<u32> = path.iter().copied().filter(|&at| nodes.may_come_back(at)).collect();
        conversation.iter().for_each(|&at| nodes.mark(at, COMES_BACK));
        let recovered = _8_reply::recover(&mut nodes, &allowed, &dead, &mut conversation);
        let notices = _9_notice::add_notices(&mut nodes, &parents, &allowed, &mut conversation);
        Self { agent, nodes, parents, path, put, recovered, notices, boundary, preserved, conversation }
    }
}

/// Puts records into a conversation, each before the record at a place of it, or at its end. They come by place.
fn insert(conversation: &mut Vec<u32>, placed: &[(usize, u32)]) {
    let mut whole = Vec::with_capacity(conversation.len() + placed.len());
    let mut from = 0;
    for &(place, at) in placed {
        whole.extend(&conversation[from..place]);
        whole.push(at);
        from = place;
    }
    whole.extend(&conversation[from..]);
    *conversation = whole;
}

/// Which nodes are *allowed* to come back: all, or those after the boundary at the beginning of the path, and what it
/// preserves. Where the conversation goes on from what that boundary compacted away, all of that too.
struct Allowed {
    /// Later nodes may; `None` when there is no boundary, and all may.
    boundary: Option<u32>,
    /// The uuids that the boundary preserves.
    named: HashSet<u32>,
    /// From the head to the tail of the segment that the boundary preserves.
    segment: Option<RangeInclusive<u32>>,
    /// What the boundary compacted away, if the conversation goes on from it.
    undone: HashSet<u32>,
}

impl Allowed {
    fn new(nodes: &Nodes<'_>, boundary: Option<u32>, preserved: Option<&Preserved>, undone: HashSet<u32>) -> Self {
        let list = preserved.iter().flat_map(|preserved| &preserved.list).map(|&at| nodes.fact(at).uuid);
        let all = preserved.iter().flat_map(|preserved| &preserved.all).copied();
        let segment = preserved.and_then(|preserved| preserved.segment.clone());
        let mut allowed = Self { boundary, named: list.chain(all).collect(), segment, undone };
        // A true result stands where its placeholder does.
        let replaced = nodes.replaced.iter().filter(|one| one.placeholders.iter().any(|&at| allowed.has(nodes, at)));
        let results: Vec<u32> = replaced.flat_map(|one| &one.results).map(|&at| nodes.fact(at).uuid).collect();
        allowed.named.extend(results);
        allowed
    }

    fn has(&self, nodes: &Nodes<'_>, at: u32) -> bool {
        self.boundary.is_none_or(|boundary| at > boundary)
            || self.segment.as_ref().is_some_and(|segment| segment.contains(&at))
            || self.named.contains(&nodes.fact(at).uuid)
            || self.undone.contains(&at)
    }

    /// Whether a node could come back and does not yet.
    fn is_missing(&self, nodes: &Nodes<'_>, at: u32) -> bool {
        nodes.may_come_back(at) && !nodes.has(at, COMES_BACK) && self.has(nodes, at)
    }
}
