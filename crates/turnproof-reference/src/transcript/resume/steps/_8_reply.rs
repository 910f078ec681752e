//! A reply comes back *in one piece*: with lines and results that stand beside the path.

use std::collections::{HashMap, HashSet};

use super::_2_nodes::{COMES_BACK, Nodes};
use super::{Allowed, insert};
use crate::transcript::resume::survey::Sort;

/// A record that comes back with its reply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recovered {
    pub(crate) at: u32,
    /// The record of the conversation after which it goes; `None` at the beginning.
    pub(crate) after: Option<u32>,
}

/// Adds to a conversation what its replies lack, and marks it; gives what was added.
pub(super) fn recover(
    nodes: &mut Nodes<'_>,
    allowed: &Allowed,
    dead: &HashSet<u32>,
    conversation: &mut Vec<u32>,
) -> Vec<Recovered> {
    let replies = Replies::of(nodes, conversation);
    let mut added = replies.other_lines(nodes, allowed);
    added.retain(|(_, at)| !dead.contains(at));
    for &(_, at) in &added {
        nodes.mark(at, COMES_BACK);
    }
    added.extend(replies.results(nodes, allowed));
    if added.is_empty() {
        return Vec::new();
    }
    let mut placed: Vec<(usize, u32, u32)> =
        added.iter().map(|&(reply, at)| (replies.place(reply, at), reply, at)).collect();
    placed.sort_unstable();
    for group in placed.chunk_by_mut(|one, other| (one.0, one.1) == (other.0, other.1)) {
        move_forward(nodes, conversation, group);
    }
    let is_result = |at: u32| nodes.fact(at).sort != Sort::Assistant;
    placed.sort_by_key(|&(place, reply, at)| (place, reply, is_result(at), at));
    let placed: Vec<(usize, u32)> = placed.into_iter().map(|(place, _, at)| (place, at)).collect();
    let after = |place: usize| place.checked_sub(1).map(|before| conversation[before]);
    let recovered = placed.iter().map(|&(place, at)| Recovered { at, after: after(place) }).collect();
    insert(conversation, &placed);
    recovered
}

/// The replies of a conversation, numbered in the order of their first lines.
#[derive(Default)]
struct Replies {
    numbers: HashMap<u64, u32>,
    /// For each its lines in the conversation that come later in the file than all its lines before them:
    /// the line, and its place in the conversation.
    risings: Vec<Vec<(u32, u32)>>,
    /// Where in the conversation the last line of each stands.
    last_lines: Vec<u32>,
}

/// The number of a reply, and a record that goes after it.
type Added = (u32, u32);

impl Replies {
    fn of(nodes: &Nodes<'_>, conversation: &[u32]) -> Self {
        let mut replies = Self::default();
        for (place, &at) in conversation.iter().enumerate() {
            let Some(reply) = nodes.reply(at) else { continue };
            let count = replies.numbers.len() as u32;
            let number = *replies.numbers.entry(reply).or_insert(count) as usize;
            if number == replies.risings.len() {
                replies.last_lines.push(0);
                replies.risings.push(Vec::new());
            }
            replies.last_lines[number] = place as u32;
            let risings = &mut replies.risings[number];
            if risings.last().is_none_or(|&(line, _)| line < at) {
                risings.push((at, place as u32));
            }
        }
        replies
    }

    /// The place in the conversation before which a record of a reply goes.
    fn place(&self, reply: u32, at: u32) -> usize {
        let risings = &self.risings[reply as usize];
        match risings.get(risings.partition_point(|&(line, _)| line < at)) {
            Some(&(_, place)) => place as usize,
            None => self.last_lines[reply as usize] as usize + 1,
        }
    }

    /// The number of the reply that a node is a line of.
    fn number(&self, nodes: &Nodes<'_>, at: u32) -> Option<u32> {
        self.numbers.get(&nodes.reply(at)?).copied()
    }

    /// The lines that are not in the conversation, in file order.
    fn other_lines(&self, nodes: &Nodes<'_>, allowed: &Allowed) -> Vec<Added> {
        let missing = nodes.all().filter(|&at| allowed.is_missing(nodes, at));
        missing.filter_map(|at| Some((self.number(nodes, at)?, at))).collect()
    }

    /// The results of the replies' calls that nothing in the conversation answers, reply by reply in file
    /// order. Marks them.
    fn results(&self, nodes: &mut Nodes<'_>, allowed: &Allowed) -> Vec<Added> {
        let mut open = OpenCalls::of(nodes, allowed);
        let mut candidates = open.candidates(self, nodes);
        candidates.sort_unstable();
        let mut added = Vec::new();
        for (number, at, call, reply) in candidates {
            if !open.is_answered(call, reply) {
                nodes.mark(at, COMES_BACK);
                open.answer(nodes, nodes.survey.results_of(at).iter());
                added.push((number, at));
            }
        }
        added
    }
}

/// Moves records that go before one line of a reply, in file order, in front of what else comes later in
/// the file than they do.
fn move_forward(nodes: &Nodes<'_>, conversation: &[u32], group: &mut [(usize, u32, u32)]) {
    let Some(&(mut place, ..)) = group.first() else { return };
    for (own, _, at) in group.iter_mut().rev() {
        let is_boundary = |before: u32| nodes.fact(before).sort == Sort::Boundary;
        let comes_later = |before: u32| before > *at && !is_boundary(before);
        while place > 0 && comes_later(conversation[place - 1]) {
            place -= 1;
        }
        *own = place;
    }
}

/// A call for which a result stands beside the conversation.
#[derive(Debug, Default)]
struct OpenCall {
    /// Whether it is answered, if no other reply holds it.
    is_answered: bool,
    /// The reply that holds it.
    holder: Option<u64>,
    /// Whether another reply holds it too.
    is_shared: bool,
}

/// The calls that might be answered by results beside the conversation.
#[derive(Default)]
struct OpenCalls {
    /// By name.
    calls: HashMap<u32, OpenCall>,
    /// The results beside the conversation, in file order: node and name of the call.
    results: Vec<(u32, u32)>,
    /// The calls of lines that come back: name of the call and reply.
    held: HashSet<(u32, u64)>,
    /// The shared calls that are answered: name of the call and reply.
    answered: HashSet<(u32, u64)>,
}

impl OpenCalls {
    fn of(nodes: &Nodes<'_>, allowed: &Allowed) -> Self {
        let survey = nodes.survey;
        let results: Vec<_> = survey.results.iter().copied().filter(|&(at, _)| allowed.is_missing(nodes, at)).collect();
        if results.is_empty() {
            return Self::default();
        }
        let calls = results.iter().map(|&(_, name)| (name, OpenCall::default())).collect();
        let mut open = Self { calls, results, ..Self::default() };
        for &(at, name) in survey.calls.iter().filter(|&&(at, _)| nodes.is_node(at)) {
            let (Some(call), Some(reply)) = (open.calls.get_mut(&name), nodes.reply(at)) else { continue };
            call.is_shared |= *call.holder.get_or_insert(reply) != reply;
            if nodes.has(at, COMES_BACK) {
                open.held.insert((name, reply));
            }
        }
        open.answer(nodes, survey.results.iter().filter(|&&(at, _)| nodes.has(at, COMES_BACK)));
        open
    }

    fn is_answered(&self, name: u32, reply: u64) -> bool {
        self.calls.get(&name).is_some_and(|call| call.is_answered) || self.answered.contains(&(name, reply))
    }

    /// The calls of these results are answered. A shared call is that of the reply that the result names.
    fn answer<'r>(&mut self, nodes: &Nodes<'_>, results: impl Iterator<Item = &'r (u32, u32)>) {
        for &(at, name) in results {
            match self.calls.get_mut(&name) {
                Some(call) if call.is_shared => {
                    self.answered.extend(named_replies(nodes, at).map(|reply| (name, reply)));
                }
                Some(call) => call.is_answered = true,
                None => {}
            }
        }
    }

    /// Each result that counts for a reply: the reply's number, the node, the call, the reply.
    fn candidates(&self, replies: &Replies, nodes: &Nodes<'_>) -> Vec<(u32, u32, u32, u64)> {
        let mut candidates = Vec::new();
        for &(at, name) in &self.results {
            let Some(call) = self.calls.get(&name) else { continue };
            let named: Vec<u64> =
                if call.is_shared { named_replies(nodes, at).collect() } else { call.holder.into_iter().collect() };
            for reply in named.into_iter().filter(|&reply| self.held.contains(&(name, reply))) {
                candidates.extend(replies.numbers.get(&reply).map(|&number| (number, at, name, reply)));
            }
        }
        candidates
    }
}

/// The replies whose lines a result names, as its parent and as its source.
pub(crate) fn named_replies(nodes: &Nodes<'_>, at: u32) -> impl Iterator<Item = u64> {
    nodes.survey.named_calls(at).filter_map(|name| nodes.reply(nodes.standing(name)?))
}
