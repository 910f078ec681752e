//! The *file of a subagent* holds what is said to it and by it alone. What it goes on from, such as the call that made
//! it or the conversation that it shall summarize, is in the file of its session.

use super::facts::{Facts, SIDECHAIN};

/// The first message of a file of one subagent alone, which may go on from a record of the session's file.
pub(super) fn first_message(facts: &Facts) -> Option<usize> {
    messages(facts).next().filter(|_| is_of_one_agent(facts))
}

/// The results before this record may answer calls of the session's file: in a file of one subagent alone those before
/// its first reply, in other files none.
pub(super) fn first_reply(facts: &Facts) -> usize {
    if !is_of_one_agent(facts) {
        return 0;
    }
    // What is no line of a reply is not of the same reply as itself.
    let is_reply = |node: usize| facts.nodes[node].is_same_reply(&facts.nodes[node]);
    messages(facts).find(|&node| is_reply(node)).unwrap_or(facts.nodes.len())
}

fn messages(facts: &Facts) -> impl Iterator<Item = usize> {
    (0..facts.nodes.len()).filter(|&node| facts.nodes[node].is_participant())
}

fn is_of_one_agent(facts: &Facts) -> bool {
    let agent = messages(facts).next().and_then(|node| facts.agent(node));
    agent.is_some() && messages(facts).all(|node| facts.nodes[node].is(SIDECHAIN) && facts.agent(node) == agent)
}
