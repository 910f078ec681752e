//! The *path* is the walk from where the conversation ends to its beginning.

use super::_2_nodes::{Nodes, ON_PATH};
use super::_3_parents::Parents;

/// The path from its beginning to its end, which is marked; empty when there is no end.
pub(super) fn path(nodes: &mut Nodes<'_>, parents: &Parents, end: Option<u32>) -> Vec<u32> {
    let mut path = Vec::new();
    let mut next = end;
    while let Some(at) = next.filter(|&at| !nodes.has(at, ON_PATH)) {
        nodes.mark(at, ON_PATH);
        path.push(at);
        next = parents.of(at);
    }
    path.reverse();
    path
}
