//! A reply is *put back* that a notice pushed off the path (step 5).

use super::nodes::{Nodes, Put, Role};
use super::parents::Parents;

/// A stretch of the path after a speaker that holds no speaker.
struct Run<'a> {
    speaker: usize,
    nodes: &'a [usize],
    /// The prompt that it ends at, unless the path ends with it.
    prompt: Option<usize>,
}

pub(super) struct Search<'a> {
    pub(super) nodes: &'a Nodes<'a>,
    pub(super) parents: &'a Parents<'a>,
    pub(super) path: &'a [usize],
    pub(super) is_withdrawn: &'a dyn Fn(usize) -> bool,
    pub(super) is_dead: &'a dyn Fn(usize) -> bool,
    pub(super) is_allowed: &'a dyn Fn(usize) -> bool,
}

impl Search<'_> {
    /// The path with the replies put back, and which nodes they are.
    pub(super) fn put_back(&self) -> (Vec<usize>, Vec<Put>) {
        let Self { nodes, path, .. } = self;
        let speaks = |node: usize| nodes.is_speaker(node) && !(self.is_withdrawn)(node);
        let mut line = Vec::new();
        let mut added = Vec::new();
        let mut at = 0;
        while let Some(&node) = path.get(at) {
            line.push(node);
            at += 1;
            if !speaks(node) {
                continue;
            }
            let rest = &path[at..];
            let length =
                rest.iter().position(|&next| speaks(next) || nodes.is(next, Role::Boundary)).unwrap_or(rest.len());
            let run = Run { speaker: node, nodes: &rest[..length], prompt: rest.get(length).copied() };
            let ends_well =
                run.prompt.is_none_or(|prompt| nodes.is(prompt, Role::User) && nodes.record(prompt).results.is_empty());
            if length > 0 && ends_well {
                self.fill(&run, &mut line, &mut added);
            } else {
                line.extend(run.nodes);
            }
            at += length;
        }
        (line, added)
    }

    /// The lines of replies that hang on the run and were left, in file order.
    fn heads(&self, run: &Run) -> Vec<usize> {
        let Self { nodes, parents, path, .. } = self;
        let hangs_on_run =
            |line: usize| parents.of(line).is_some_and(|parent| parent == run.speaker || run.nodes.contains(&parent));
        let is_of_path =
            |line: usize| path.iter().any(|&node| nodes.is(node, Role::Assistant) && nodes.is_same_reply(line, node));
        nodes
            .with_role(Role::Assistant)
            .filter(|&line| run.prompt.is_none_or(|prompt| line < prompt) && hangs_on_run(line))
            .filter(|&line| (self.is_allowed)(line) && !(self.is_withdrawn)(line))
            .filter(|&line| !nodes.record(line).is_api_error && !path.contains(&line) && !is_of_path(line))
            .filter(|&line| !(self.is_dead)(line))
            .collect()
    }

    /// Adds the run to the line, each head with what comes after it before the first node of the run that comes later
    /// in the file.
    fn fill(&self, run: &Run, line: &mut Vec<usize>, added: &mut Vec<Put>) {
        let heads = self.heads(run);
        let place = |head: usize| run.nodes.iter().position(|&node| node > head).unwrap_or(run.nodes.len());
        for slot in 0..=run.nodes.len() {
            for &head in heads.iter().filter(|&&head| place(head) == slot) {
                for node in self.downwards(head) {
                    if !added.iter().any(|other| other.node == node) {
                        line.push(node);
                        added.push(Put { node, host: run.speaker });
                    }
                }
            }
            line.extend(run.nodes.get(slot));
        }
    }

    /// A node and what comes after it: at each step the allowed child that comes last in the file.
    pub(super) fn downwards(&self, from: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut next = Some(from);
        while let Some(node) = next.filter(|node| !chain.contains(node) && !self.path.contains(node)) {
            chain.push(node);
            let is_child = |child: &usize| (self.is_allowed)(*child) && self.parents.of(*child) == Some(node);
            next = self.nodes.all().rev().find(is_child);
        }
        chain
    }
}
