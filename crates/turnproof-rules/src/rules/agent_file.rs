//! The *file of a subagent* holds what is said to it and by it alone. What it goes on from, such as the call that made
//! it or the conversation that it shall summarize, is in the file of its session.

use super::facts::{Facts, SIDECHAIN};

/// The records before this one may go on from records of the session's file: in a file of one subagent alone those
/// before its first reply, in other files none.
pub(super) fn first_reply(facts: &Facts) -> usize {
    let links = || (0..facts.nodes.len()).filter(|&node| facts.nodes[node].is_participant());
    let agent = links().next().and_then(|node| facts.agent(node));
    let is_of_agent = |node: usize| facts.nodes[node].is(SIDECHAIN) && facts.agent(node) == agent;
    if agent.is_none() || !links().all(is_of_agent) {
        return 0;
    }
    // What is no line of a reply is not of the same reply as itself.
    let is_reply = |node: usize| facts.nodes[node].is_same_reply(&facts.nodes[node]);
    links().find(|&node| is_reply(node)).unwrap_or(facts.nodes.len())
}
