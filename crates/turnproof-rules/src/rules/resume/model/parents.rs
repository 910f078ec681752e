//! A *parent* is the one node that a node comes after (step 2).

use super::nodes::{Nodes, Role};
use super::path::walk;
use super::preserved::{Preserved, preserved};
use super::record::Named;

/// What comes before a node, before gaps are bridged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    Nothing,
    To(usize),
    Gap,
}

pub(super) struct Parents<'a> {
    parents: Vec<Option<usize>>,
    /// Whether a node's parent bridges a gap.
    pub(super) is_bridge: Vec<bool>,
    /// Whether a node's parent is lost, with something before it or not.
    pub(super) is_gap: Vec<bool>,
    /// What each boundary preserves, by its index.
    pub(super) preserved: Vec<(usize, Preserved<'a>)>,
}

impl<'a> Parents<'a> {
    pub(super) fn new(nodes: &Nodes<'a>) -> Self {
        let mut links: Vec<Link> = (0..nodes.len()).map(|index| named(nodes, index)).collect();
        let kept = |boundary| preserved(nodes, boundary).map(|preserved| (boundary, preserved));
        let preserved: Vec<_> = nodes.with_role(Role::Boundary).filter_map(kept).collect();
        for at in 0..preserved.len() {
            relink(nodes, &preserved[..], at, &mut links);
        }
        for node in nodes.all() {
            if runs_in_circle(&links, node) {
                links[node] = Link::Gap;
            }
        }
        let parent = |index: usize| match links[index] {
            Link::Nothing => None,
            Link::To(parent) => Some(parent),
            Link::Gap => bridge(nodes, index),
        };
        let parents: Vec<Option<usize>> = (0..links.len()).map(parent).collect();
        let is_bridge =
            links.iter().zip(&parents).map(|(link, parent)| *link == Link::Gap && parent.is_some()).collect();
        let is_gap = links.iter().map(|link| *link == Link::Gap).collect();
        Self { parents, is_bridge, is_gap, preserved }
    }

    pub(super) fn of(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    /// The place of a node in the search for the last one: after the anchor of the last boundary that preserves it.
    pub(super) fn standing(&self, node: usize) -> (usize, bool) {
        self.last_listing(node).map_or((node, false), |(_, preserved)| (preserved.anchor.max(node), true))
    }

    /// The last boundary that preserves a node, and what it preserves.
    fn last_listing(&self, node: usize) -> Option<&(usize, Preserved<'a>)> {
        self.preserved.iter().rev().find(|(_, preserved)| preserved.list.contains(&node))
    }

    /// The last boundary that a node came before, and that keeps what the node came after.
    pub(super) fn compacted_away_by(&self, nodes: &Nodes, node: usize) -> Option<usize> {
        let listed_by = |node| self.last_listing(node).map(|(boundary, _)| *boundary);
        let is_before = |node, boundary| node < boundary && listed_by(node) < Some(boundary);
        let is_away = |&boundary: &usize| {
            let above = walk(nodes, self, node).find(|&above| !is_before(above, boundary));
            is_before(node, boundary) && above.is_some_and(|above| listed_by(above) == Some(boundary))
        };
        self.preserved.iter().map(|&(boundary, _)| boundary).filter(is_away).max()
    }

    pub(super) fn preserved_by(&self, boundary: usize) -> Option<&Preserved<'a>> {
        self.preserved.iter().find(|(own, _)| *own == boundary).map(|(_, preserved)| preserved)
    }
}

/// What a record names itself. What is no node has no links.
fn named(nodes: &Nodes, index: usize) -> Link {
    match (nodes.role(index), &nodes.record(index).parent) {
        (None | Some(Role::Boundary), _) | (_, Named::Nothing) => Link::Nothing,
        (_, Named::Uuid(uuid)) => nodes.with_uuid(uuid).map_or(Link::Gap, Link::To),
        (_, Named::Unusable) => Link::Gap,
    }
}

/// Puts what a boundary preserves between its anchor and what comes after that.
fn relink(nodes: &Nodes, all: &[(usize, Preserved)], at: usize, links: &mut [Link]) {
    let (boundary, Preserved { anchor, list, .. }) = &all[at];
    let Some(&last) = list.last() else { return };
    let lists = |(_, other): &(usize, Preserved), node| other.list.contains(&node);
    // Whether a node was written after this boundary, and names what a later boundary lists.
    let is_later = |node: usize| match named(nodes, node) {
        Link::To(parent) if !all[..at].iter().any(|before| lists(before, node)) => {
            all[at..].iter().any(|other| other.0 < node && lists(other, parent))
        }
        _ => false,
    };
    for node in nodes.all().filter(|node| node > boundary && !list.contains(node)) {
        if links[node] == Link::To(*anchor) && !is_later(node) {
            links[node] = Link::To(last);
        }
    }
    let mut before = *anchor;
    for &node in list {
        // A boundary has no parent, listed or not.
        if !nodes.is(node, Role::Boundary) {
            links[node] = Link::To(before);
        }
        before = node;
    }
}

/// Whether the links lead from a node back to it.
fn runs_in_circle(links: &[Link], node: usize) -> bool {
    let mut at = node;
    for _ in links {
        let Link::To(next) = links[at] else { return false };
        if next == node {
            return true;
        }
        at = next;
    }
    false
}

/// The nearest participant before a node that is of the same session.
fn bridge(nodes: &Nodes, node: usize) -> Option<usize> {
    let session = &nodes.record(node).session;
    (0..node).rev().find(|&earlier| nodes.is_participant(earlier) && nodes.record(earlier).session == *session)
}
