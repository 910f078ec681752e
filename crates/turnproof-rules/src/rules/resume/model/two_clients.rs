//! A turn *comes back* that another client wrote: one hangs on a placeholder, the other on the true result (step 5).

use std::collections::{BTreeSet, HashSet};

use super::nodes::{Put, Role};
use super::put_back::Search;
use super::withdrawal::{Withdrawal, true_results};

/// A placeholder, and the users with the true results.
pub(super) struct Replaced {
    pub(super) placeholder: usize,
    pub(super) results: BTreeSet<usize>,
}

impl Search<'_> {
    /// The placeholders that true results replace.
    pub(super) fn replaced(&self, withdrawals: &[Option<Withdrawal>]) -> Vec<Replaced> {
        let is_replaced = |user: &usize| withdrawals[*user] == Some(Withdrawal::Replaced);
        let replaced = |placeholder: usize| {
            let calls = &self.nodes.record(placeholder).results;
            let results = calls.iter().flat_map(|call| true_results(self.nodes, placeholder, call, self.is_withdrawn));
            Replaced { placeholder, results: results.collect() }
        };
        self.nodes.with_role(Role::User).filter(is_replaced).map(replaced).collect()
    }

    /// Puts such turns into the line; gives which nodes they are.
    pub(super) fn put_turns_back(&self, replaced: &[Replaced], line: &mut Vec<usize>) -> Vec<Put> {
        let heads = replaced.iter().flat_map(|one| std::iter::once(one.placeholder).chain(one.results.iter().copied()));
        let heads: BTreeSet<usize> = heads.filter(|head| !line.contains(head)).collect();
        let mut taken: HashSet<usize> = line.iter().copied().collect();
        let mut turns: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut added = Vec::new();
        for head in heads {
            let Some(call) = line.iter().rposition(|&node| self.is_of_its_reply(head, node)) else { continue };
            let turn: Vec<usize> =
                self.downwards(head).into_iter().skip(1).take_while(|node| !taken.contains(node)).collect();
            if !turn.iter().any(|&node| self.nodes.is_speaker(node) && !(self.is_withdrawn)(node)) {
                continue;
            }
            taken.extend(&turn);
            added.extend(turn.iter().map(|&node| Put { node, host: line[call] }));
            let holds_results = |node: &&usize| self.nodes.record(**node).is_results_alone && self.is_user(**node);
            let place = call + 1 + line[call + 1..].iter().take_while(holds_results).count();
            turns.push((place, turn));
        }
        let whole = (0..=line.len()).flat_map(|place| {
            let here = turns.iter().filter(move |(other, _)| *other == place).flat_map(|(_, turn)| turn);
            here.chain(line.get(place)).copied().collect::<Vec<_>>()
        });
        *line = whole.collect();
        added
    }

    fn is_user(&self, node: usize) -> bool {
        self.nodes.is(node, Role::User)
    }

    /// Whether a node is a line of the reply whose call a user answers.
    fn is_of_its_reply(&self, user: usize, node: usize) -> bool {
        let record = self.nodes.record(user);
        let named = [record.parent.uuid(), record.source.as_deref()].into_iter().flatten();
        let mut named = named.filter_map(|uuid| self.nodes.with_uuid(uuid));
        let is_line = |line: usize| self.nodes.is(line, Role::Assistant) && self.nodes.is_same_reply(line, node);
        self.nodes.is(node, Role::Assistant) && named.any(is_line)
    }
}
