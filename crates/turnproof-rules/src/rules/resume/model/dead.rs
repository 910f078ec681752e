//! A *dead* call was left by its client (steps 5 and 6).

use super::nodes::{Nodes, Role};
use super::parents::Parents;
use super::path::walk;

/// Whether an assistant's record beside the path holds calls alone that nobody answers, no participant follows it, and
/// a later prompt is on the path.
pub(super) fn is_dead(
    nodes: &Nodes,
    parents: &Parents,
    path: &[usize],
    is_withdrawn: &dyn Fn(usize) -> bool,
    node: usize,
) -> bool {
    let record = nodes.record(node);
    let stands = |other: &usize| !is_withdrawn(*other);
    let is_answered = || {
        let mut users = nodes.with_role(Role::User).filter(stands);
        users.any(|user| nodes.record(user).results.iter().any(|id| record.calls.contains(id)))
    };
    let is_there = |other: &usize| nodes.is_participant(*other) && stands(other);
    let is_below = |other: usize| walk(nodes, parents, other).skip(1).any(|above| above == node);
    let is_prompt = |other: &usize| nodes.is(*other, Role::User) && nodes.record(*other).results.is_empty();
    let went_on = || path.iter().filter(|&other| *other > node && stands(other)).any(is_prompt);
    record.is_calls_alone && went_on() && !is_answered() && !nodes.all().filter(is_there).any(is_below)
}
