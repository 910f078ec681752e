//! Notices *beside* the path come back with what they hang on (part 7 of the [definition](super)).

use super::fact::Sort;
use super::names::NONE;
use super::nodes::{COMES_BACK, Nodes};
use super::parents::Parents;
use super::reply::Allowed;

/// A host that is not known yet.
const UNKNOWN: u32 = NONE - 1;

/// A notice that comes back beside the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    pub(super) at: u32,
    /// The record of the conversation that it hangs on.
    pub(super) host: u32,
}

/// Adds the notices to a conversation, and marks them; gives what was added, in file order.
pub(super) fn beside(
    nodes: &mut Nodes<'_>,
    parents: &Parents,
    allowed: &Allowed,
    conversation: &mut Vec<u32>,
) -> Vec<Beside> {
    let mut hosts = vec![UNKNOWN; nodes.survey.facts.len()];
    let mut added = Vec::new();
    for at in nodes.participants() {
        let is_notice = nodes.fact(at).sort == Sort::Notice;
        if !is_notice || nodes.has(at, COMES_BACK) || nodes.is_withdrawn(at) || !allowed.has(nodes, at) {
            continue;
        }
        let host = host_of(nodes, parents, at, &mut hosts);
        if host != NONE {
            added.push(Beside { at, host });
        }
    }
    if !added.is_empty() {
        insert(conversation, &added);
        added.iter().for_each(|beside| nodes.mark(beside.at, COMES_BACK));
    }
    added
}

/// The record of the conversation on which a notice hangs, other notices between, or [`NONE`]; what was
/// found for a node is kept.
fn host_of(nodes: &Nodes<'_>, parents: &Parents, start: u32, hosts: &mut [u32]) -> u32 {
    let mut passed = vec![start];
    // A walk that comes back to itself ends there.
    hosts[start as usize] = NONE;
    let host = loop {
        let last = passed[passed.len() - 1];
        let Some(parent) = parents.of(last) else { break NONE };
        if nodes.has(parent, COMES_BACK) {
            break parent;
        }
        if nodes.fact(parent).is_speaker() {
            break NONE;
        }
        if hosts[parent as usize] != UNKNOWN {
            break hosts[parent as usize];
        }
        hosts[parent as usize] = NONE;
        passed.push(parent);
    };
    for at in passed {
        hosts[at as usize] = host;
    }
    host
}

/// Puts each notice before the first record after its host that comes later in the file.
fn insert(conversation: &mut Vec<u32>, added: &[Beside]) {
    let mut by_host: Vec<(u32, u32)> = added.iter().map(|beside| (beside.host, beside.at)).collect();
    by_host.sort_unstable();
    // For each notice the place before which it goes, found from the end: the records to the right that come
    // later in the file than all before them, the nearest on top.
    let mut places: Vec<(usize, u32)> = Vec::with_capacity(added.len());
    let mut later: Vec<usize> = Vec::new();
    for (index, &record) in conversation.iter().enumerate().rev() {
        let from = by_host.partition_point(|&(host, _)| host < record);
        for &(_, at) in by_host[from..].iter().take_while(|&&(host, _)| host == record) {
            let nearer = later.partition_point(|&place| conversation[place] > at);
            let place = if nearer == 0 { conversation.len() } else { later[nearer - 1] };
            places.push((place, at));
        }
        while later.last().is_some_and(|&place| conversation[place] <= record) {
            later.pop();
        }
        later.push(index);
    }
    places.sort_unstable();
    let mut with_notices = Vec::with_capacity(conversation.len() + places.len());
    let mut next = places.into_iter().peekable();
    for (index, &record) in conversation.iter().enumerate() {
        while let Some((_, at)) = next.next_if(|&(place, _)| place == index) {
            with_notices.push(at);
        }
        with_notices.push(record);
    }
    with_notices.extend(next.map(|(_, at)| at));
    *conversation = with_notices;
}
