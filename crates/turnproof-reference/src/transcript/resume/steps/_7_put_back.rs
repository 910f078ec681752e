//! A reply that a notice pushed off the chain is *put back*.

use std::collections::HashSet;

use super::_2_nodes::{Nodes, ON_PATH};
use super::_3_parents::Parents;
use super::Allowed;
use crate::transcript::resume::survey::{API_ERROR, HAS_RESULT, NONE, Sort};

/// A reply that was put back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PutBack {
    /// Its first line.
    pub(crate) first: u32,
    /// How many nodes came with it, itself included, that may come back.
    pub(crate) count: u64,
    /// The speaker after which it goes.
    pub(crate) after: u32,
    /// Whether another client wrote it.
    pub(crate) is_of_another_client: bool,
}

/// A reply beside the path, and the node of the path that is its parent.
type Beside = (u32, u32);

/// Puts such replies into the path; gives them.
pub(super) fn put_back(
    nodes: &Nodes<'_>,
    parents: &Parents,
    allowed: &Allowed,
    dead: &HashSet<u32>,
    path: &mut Vec<u32>,
) -> Vec<PutBack> {
    let mut beside = beside(nodes, parents, allowed, path);
    beside.retain(|(_, at)| !dead.contains(at));
    if beside.is_empty() {
        return Vec::new();
    }
    let last_children = last_children(nodes, parents, allowed);
    let mut put = Vec::new();
    let mut whole = Vec::with_capacity(path.len());
    let mut rest = &path[..];
    while let Some((&speaker, after)) = rest.split_first() {
        whole.push(speaker);
        let length = after.iter().position(|&at| nodes.speaks(at)).unwrap_or(after.len());
        let run = &after[..length];
        rest = &after[length..];
        let before = rest.first().copied();
        if !nodes.speaks(speaker) || run.is_empty() || !before.is_none_or(|z| is_prompt(nodes, z)) {
            whole.extend(run);
            continue;
        }
        let replies = replies_of_run(&beside, speaker, run, before);
        let mut at_run = 0;
        for first in replies {
            let later = run[at_run..].iter().position(|&at| at > first).unwrap_or(run.len() - at_run);
            whole.extend(&run[at_run..at_run + later]);
            at_run += later;
            let count = extend_downwards(nodes, &last_children, first, &mut whole);
            put.push(PutBack { first, count, after: speaker, is_of_another_client: false });
        }
        whole.extend(&run[at_run..]);
    }
    *path = whole;
    put
}

/// Whether a speaker is a user without a result.
pub(super) fn is_prompt(nodes: &Nodes<'_>, at: u32) -> bool {
    let fact = nodes.fact(at);
    fact.sort == Sort::User && !fact.has(HAS_RESULT)
}

/// The lines of replies beside the path whose parent is on it, by parent and then in file order.
fn beside(nodes: &Nodes<'_>, parents: &Parents, allowed: &Allowed, path: &[u32]) -> Vec<Beside> {
    let is_reply = |&at: &u32| {
        let fact = nodes.fact(at);
        fact.sort == Sort::Assistant
            && !fact.has(API_ERROR)
            && !nodes.has(at, ON_PATH)
            && !nodes.is_withdrawn(at)
            && allowed.has(nodes, at)
    };
    let hanging = |at: u32| Some((parents.of(at).filter(|&parent| nodes.has(parent, ON_PATH))?, at));
    let mut beside: Vec<Beside> = nodes.all().filter(is_reply).filter_map(hanging).collect();
    if beside.is_empty() {
        return beside;
    }
    let mut replies: HashSet<u64> = beside.iter().filter_map(|&(_, at)| nodes.reply(at)).collect();
    for reply in path.iter().filter_map(|&at| nodes.reply(at)) {
        replies.remove(&reply);
    }
    beside.retain(|&(_, at)| nodes.reply(at).is_some_and(|reply| replies.contains(&reply)));
    beside.sort_unstable();
    beside
}

/// The replies that hang on a run or on the speaker above it and come before the prompt below it, in file order.
fn replies_of_run(beside: &[Beside], speaker: u32, run: &[u32], before: Option<u32>) -> Vec<u32> {
    let mut replies = Vec::new();
    for &parent in std::iter::once(&speaker).chain(run) {
        let from = beside.partition_point(|&(other, _)| other < parent);
        let own = beside[from..].iter().take_while(|&&(other, _)| other == parent);
        replies.extend(own.map(|&(_, at)| at).filter(|&at| before.is_none_or(|before| at < before)));
    }
    replies.sort_unstable();
    replies
}

/// The allowed child of each fact that comes last in the file.
pub(crate) fn last_children(nodes: &Nodes<'_>, parents: &Parents, allowed: &Allowed) -> Vec<u32> {
    let mut last = vec![NONE; parents.count()];
    for at in nodes.all().filter(|&at| allowed.has(nodes, at)) {
        if let Some(parent) = parents.of(at) {
            last[parent as usize] = at;
        }
    }
    last
}

/// Adds a reply and what hangs on it, each time the last; gives how many of them may come back.
fn extend_downwards(nodes: &Nodes<'_>, last_children: &[u32], first: u32, whole: &mut Vec<u32>) -> u64 {
    let (mut at, mut count) = (first, 0);
    while at != NONE {
        whole.push(at);
        count += u64::from(nodes.may_come_back(at));
        at = last_children[at as usize];
    }
    count
}
