//! A notice *beside* the path comes back with the record that it hangs on (step 7).

use std::collections::HashSet;

use super::nodes::{Nodes, Role};
use super::parents::Parents;
use super::path::walk;

/// A notice that comes back, and the record of the conversation that it hangs on.
pub(super) struct Beside {
    pub(super) notice: usize,
    pub(super) record: usize,
}

/// Puts notices beside the path into the conversation.
pub(super) fn add_notices(
    nodes: &Nodes,
    parents: &Parents,
    conversation: &mut Vec<usize>,
    is_withdrawn: &dyn Fn(usize) -> bool,
    may_return: &dyn Fn(usize) -> bool,
) -> Vec<Beside> {
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
        added.push(Beside { notice, record });
    }
    added
}
