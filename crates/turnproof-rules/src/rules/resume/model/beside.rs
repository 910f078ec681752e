//! A notice *beside* the path comes back with its parent (step 7).

use std::collections::HashSet;

use super::nodes::{Nodes, Put, Role};
use super::parents::Parents;
use super::path::walk;

/// Puts notices beside the path into the conversation.
pub(super) fn add_notices(
    nodes: &Nodes,
    parents: &Parents,
    conversation: &mut Vec<usize>,
    is_withdrawn: &dyn Fn(usize) -> bool,
    may_return: &dyn Fn(usize) -> bool,
) -> Vec<Put> {
    let before: HashSet<usize> = conversation.iter().copied().collect();
    let mut added = Vec::new();
    for notice in nodes.with_role(Role::Notice).filter(|&notice| may_return(notice)) {
        if before.contains(&notice) {
            continue;
        }
        let speaks = |node| nodes.is_speaker(node) && !is_withdrawn(node);
        let reached = walk(nodes, parents, notice).find(|&node| before.contains(&node) || speaks(node));
        let Some(record) = reached.filter(|node| before.contains(node)) else { continue };
        let Some(host) = conversation.iter().position(|&node| node == record) else { continue };
        let later = conversation[host + 1..].iter().position(|&node| node > notice);
        let place = later.map_or(conversation.len(), |later| host + 1 + later);
        conversation.insert(place, notice);
        added.push(Put { node: notice, host: record });
    }
    added
}
