//! A *reply* comes back in one piece, with what answers its calls (step 6).

use std::borrow::Cow;

use super::nodes::{Nodes, Put, Role};

/// Puts the other lines of replies, and the results of their calls, into the conversation.
pub(super) fn recover(
    nodes: &Nodes,
    conversation: &mut Vec<usize>,
    may_return: &dyn Fn(usize) -> bool,
    is_dead: &dyn Fn(usize) -> bool,
) -> Vec<Put> {
    let mut recovered = Vec::new();
    for first in first_lines(nodes, conversation) {
        let is_line = |&node: &usize| nodes.is(node, Role::Assistant) && nodes.is_same_reply(first, node);
        let lines_before: Vec<usize> = conversation.iter().copied().filter(is_line).collect();
        let mut put_in = |node: usize, conversation: &mut Vec<usize>| {
            let line = beside(&lines_before, node);
            let at = conversation.iter().position(|&other| other == line).unwrap_or_default();
            // What was put in at the same place earlier stays in front.
            let mut place = if line > node { at } else { at + 1 };
            if line > node {
                let is_put = |other: usize| recovered.iter().any(|put: &Put| put.node == other);
                // What this step has put in is passed over.
                for (before, &other) in
                    conversation[..at].iter().enumerate().rev().filter(|(_, other)| !is_put(**other))
                {
                    if other < node || is_line(&other) || nodes.is(other, Role::Boundary) {
                        break;
                    }
                    place = before;
                }
            }
            if line < node {
                let is_put = |other: &usize| recovered.iter().any(|put: &Put| put.node == *other);
                place += conversation[place..].iter().take_while(|other| is_put(other)).count();
            }
            conversation.insert(place, node);
            recovered.push(Put { node, host: line });
        };
        let others = nodes.with_role(Role::Assistant).filter(is_line);
        for other in others.filter(|&other| may_return(other)) {
            if !conversation.contains(&other) && !is_dead(other) {
                put_in(other, conversation);
            }
        }
        let lines: Vec<usize> = conversation.iter().copied().filter(is_line).collect();
        for user in nodes.with_role(Role::User).filter(|&user| may_return(user)) {
            if answers_open_call(nodes, conversation, &lines, user) && !conversation.contains(&user) {
                put_in(user, conversation);
            }
        }
    }
    recovered
}

/// The line beside which a record is put in: before the first line that comes later in the file, or else after the
/// last.
fn beside(lines: &[usize], node: usize) -> usize {
    let later = lines.iter().copied().find(|&line| line > node);
    later.or_else(|| lines.last().copied()).unwrap_or_default()
}

/// The first line of each reply in the conversation.
fn first_lines(nodes: &Nodes, conversation: &[usize]) -> Vec<usize> {
    let mut firsts: Vec<usize> = Vec::new();
    for &line in conversation.iter().filter(|&&node| nodes.is(node, Role::Assistant)) {
        if !firsts.iter().any(|&first| nodes.is_same_reply(first, line)) {
            firsts.push(line);
        }
    }
    firsts
}

/// Whether a user participant holds a result for a call of the lines that nothing in the conversation answers.
fn answers_open_call(nodes: &Nodes, conversation: &[usize], lines: &[usize], user: usize) -> bool {
    let is_called = |call: &Cow<'_, str>| lines.iter().any(|&line| nodes.record(line).calls.contains(call));
    // A result of a call whose id other replies have too belongs to the reply that its record names.
    let belongs = |call: &Cow<'_, str>, user: usize| {
        !is_called_by_another_line(nodes, lines, call) || names_line(nodes, lines, user)
    };
    let is_answered = |call: &Cow<'_, str>| {
        let mut users = conversation.iter().filter(|&&node| nodes.is(node, Role::User));
        users.any(|&node| nodes.record(node).results.contains(call) && belongs(call, node))
    };
    let mut results = nodes.record(user).results.iter();
    results.any(|call| is_called(call) && !is_answered(call) && belongs(call, user))
}

/// Whether a line of another reply holds a call with this id.
fn is_called_by_another_line(nodes: &Nodes, lines: &[usize], call: &str) -> bool {
    let has_call = |line: usize| nodes.record(line).calls.iter().any(|own| own == call);
    let is_other = |line: usize| !lines.iter().any(|&own| nodes.is_same_reply(own, line));
    nodes.with_role(Role::Assistant).any(|line| has_call(line) && is_other(line))
}

/// Whether a user participant names a line of the reply as its parent or as its source.
fn names_line(nodes: &Nodes, lines: &[usize], user: usize) -> bool {
    let record = nodes.record(user);
    let named = [record.parent.uuid(), record.source.as_deref()].into_iter().flatten();
    named
        .filter_map(|uuid| nodes.with_uuid(uuid))
        .any(|node| nodes.is(node, Role::Assistant) && lines.iter().any(|&own| nodes.is_same_reply(own, node)))
}
