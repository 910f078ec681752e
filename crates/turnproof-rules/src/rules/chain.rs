//! The *chain* links each record of a conversation to the one before it, by `parentUuid`; these rules say when walking
//! it gives the conversation back.

use super::agent_file::first_message;
use super::facts::{Facts, HAS_LOGICAL_PARENT, IdKey, NodeKind, PARENT_NULL, Preserved, SIDECHAIN};
use super::forks::{Fork, forks};
use super::links::{Ancestry, Links, Uuids};
use super::{Report, RuleEntry};

pub(super) const RULES: &[RuleEntry] = &[
    rule!("chain/parent-exists", Transcript(parent_exists)),
    rule!("chain/acyclic", Transcript(acyclic)),
    rule!("chain/parent-before-child", Transcript(parent_before_child)),
    rule!("chain/progress-not-parent", Transcript(progress_not_parent)),
    rule!("chain/one-leaf", Transcript(one_leaf)),
    rule!("chain/session-matches-file", Transcript(session_matches_file)),
    rule!("chain/sidechain-separate", Transcript(sidechain_separate)),
    rule!("chain/boundary-starts-segment", Transcript(boundary_starts_segment)),
    rule!("chain/preserved-segment", Transcript(preserved_segment)),
];

fn parent_exists(facts: &Facts, report: &mut Report<'_>) {
    let links = Links::new(facts);
    let begins = first_message(facts);
    // Nothing is lost where `progress` has no parent and nobody goes on from it.
    let mut is_parent = vec![false; facts.nodes.len()];
    links.pairs().for_each(|(_, parent)| is_parent[parent] = true);
    for (node, record) in facts.nodes.iter().enumerate() {
        let is_asked = record.is_participant() || record.is_link() && is_parent[node];
        if is_asked && Some(node) > begins && record.parent().is_some() && links.parent(node).is_none() {
            let found = "no record in this file has the uuid that this record names as its parent";
            let expected = "the uuid of a record in this file, or null where the conversation starts";
            report.add(facts.place(node, "parentUuid"), "missing", found, expected);
        }
    }
}

const OWN_PARENT: &str = "the record names itself as its parent";

fn acyclic(facts: &Facts, report: &mut Report<'_>) {
    for (first, length) in Links::new(facts).cycles() {
        let (kind, found) = match length {
            1 => ("own-parent", OWN_PARENT.into()),
            _ => {
                ("cycle", sentence!("walking parents from this record comes back to it after {length} records", length))
            }
        };
        let expected = "a walk that ends at a record whose parentUuid is null";
        report.add(facts.place(first, "parentUuid"), kind, found, expected);
    }
}

fn parent_before_child(facts: &Facts, report: &mut Report<'_>) {
    for (node, parent) in Links::new(facts).pairs().filter(|&(node, parent)| parent >= node) {
        let (kind, found) = match parent == node {
            true => ("own-parent", OWN_PARENT.into()),
            false => ("later", sentence!("the parent comes later, on line {line}", line = facts.nodes[parent].line)),
        };
        report.add(facts.place(node, "parentUuid"), kind, found, "a parent that stands earlier in the file");
    }
}

fn progress_not_parent(facts: &Facts, report: &mut Report<'_>) {
    for (node, parent) in Links::new(facts).pairs() {
        let above = &facts.nodes[parent];
        if facts.nodes[node].is_participant() && above.kind == NodeKind::Progress {
            let found = sentence!("the parent, on line {line}, is a progress record", line = above.line);
            let expected = "a parent that is a message of the conversation";
            report.add(facts.place(node, "parentUuid"), "progress", found, expected);
        }
    }
}

fn one_leaf(facts: &Facts, report: &mut Report<'_>) {
    for fork in forks(facts) {
        let (count, lines) = (fork.count, shown_lines(&fork));
        let found = sentence!("{count} records follow this one, on lines {lines}", count, lines);
        let expected = "one record that follows, beside tool results and lines of the same reply";
        report.add(facts.place(fork.node, "uuid"), "fork", found, expected);
    }
}

/// `4, 9 and 14`, or `4, 9, 14, 20 and more`.
fn shown_lines(fork: &Fork) -> String {
    let mut lines: Vec<String> = fork.lines.iter().map(u32::to_string).collect();
    if fork.count > lines.len() {
        lines.push("more".to_owned());
    }
    match lines.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => lines.concat(),
    }
}

fn session_matches_file(facts: &Facts, report: &mut Report<'_>) {
    let Some(own) = facts.file_session.as_ref().or(facts.sessions.first()) else { return };
    let mut seen: Vec<(usize, u64)> = vec![(usize::MAX, 0); facts.sessions.len()];
    for (node, record) in facts.nodes.iter().enumerate() {
        if let Some(session) = record.session() {
            seen[session] = (seen[session].0.min(node), seen[session].1 + 1);
        }
    }
    for (session, (first, count)) in facts.sessions.iter().zip(seen) {
        if session == own || count == 0 {
            continue;
        }
        let found = match count {
            1 => sentence!("1 record of session {session}, of which this is the first", session),
            _ => sentence!("{count} records of session {session}, of which this is the first", count, session),
        };
        let expected = sentence!("only records of session {own}", own);
        report.add(facts.place(first, "sessionId"), "other-session", found, expected);
    }
}

fn sidechain_separate(facts: &Facts, report: &mut Report<'_>) {
    for (node, parent) in Links::new(facts).pairs() {
        let line = facts.nodes[parent].line;
        let (kind, found) = match (facts.nodes[node].is(SIDECHAIN), facts.nodes[parent].is(SIDECHAIN)) {
            (false, true) => (
                "parent-in-sidechain",
                sentence!("the parent, on line {line}, is a sidechain record and this one is not", line),
            ),
            (true, false) => {
                ("parent-outside", sentence!("this is a sidechain record and the parent, on line {line}, is not", line))
            }
            (true, true) if have_two_agents(facts, node, parent) => {
                ("other-agent", sentence!("the parent, on line {line}, belongs to another subagent", line))
            }
            _ => continue,
        };
        report.add(facts.place(node, "parentUuid"), kind, found, "a parent in the same conversation");
    }
}

/// Whether both records name an agent, and not the same.
fn have_two_agents(facts: &Facts, node: usize, parent: usize) -> bool {
    facts.agent(node).zip(facts.agent(parent)).is_some_and(|(agent, other)| agent != other)
}

fn boundary_starts_segment(facts: &Facts, report: &mut Report<'_>) {
    let boundaries = facts.nodes.iter().enumerate().filter(|(_, record)| record.kind == NodeKind::Boundary);
    for (node, record) in boundaries {
        if record.parent().is_some() {
            let place = facts.place(node, "parentUuid");
            report.add(place, "has-parent", "the boundary has a parent", "a parentUuid that is null");
        } else if !record.is(PARENT_NULL) {
            let found = "the boundary has no valid parentUuid";
            report.add(facts.place(node, ""), "no-valid-parent", found, "a parentUuid that is null");
        }
        if !record.is(HAS_LOGICAL_PARENT) {
            let expected = "the uuid of the record that the boundary followed, as logicalParentUuid";
            let found = "the boundary has no logicalParentUuid";
            report.add(facts.place(node, ""), "no-logical-parent", found, expected);
        }
    }
}

const SEGMENT_MEMBERS: [(&str, &str); 3] = [
    ("head", "compactMetadata.preservedSegment.headUuid"),
    ("anchor", "compactMetadata.preservedSegment.anchorUuid"),
    ("tail", "compactMetadata.preservedSegment.tailUuid"),
];

fn preserved_segment(facts: &Facts, report: &mut Report<'_>) {
    if facts.preserved.is_empty() {
        return;
    }
    let uuids = Uuids::new(facts);
    let links = Links::with(facts, &uuids);
    let mut reader = PreservedReader { facts, ancestry: Ancestry::new(&links), uuids, report };
    for (node, preserved) in &facts.preserved {
        if facts.nodes[*node as usize].kind == NodeKind::Boundary {
            reader.judge_segment(*node as usize, preserved);
            reader.judge_messages(*node as usize, preserved);
        }
    }
}

struct PreservedReader<'a, 'r> {
    facts: &'a Facts,
    ancestry: Ancestry<'a>,
    uuids: Uuids<'a>,
    report: &'a mut Report<'r>,
}

impl PreservedReader<'_, '_> {
    /// The record that a boundary names; reports it when it is not there.
    fn find(&mut self, node: usize, (name, member): (&str, &'static str), uuid: Option<&str>) -> Option<usize> {
        let found = uuid.and_then(|uuid| self.uuids.get(IdKey::of(uuid)));
        if found.is_none() {
            let problem = match uuid {
                Some(uuid) => sentence!("the {name}, {uuid}, is not in this file", name, uuid),
                None => sentence!("the boundary names no {name}", name),
            };
            let kind = if uuid.is_some() { "missing" } else { "not-named" };
            self.report.add(self.facts.place(node, member), kind, problem, "the uuid of a record in this file");
        }
        found
    }

    fn judge_segment(&mut self, node: usize, preserved: &Preserved) {
        let Some(segment) = &preserved.segment else { return };
        let [head, _, tail] = [0, 1, 2].map(|at| self.find(node, SEGMENT_MEMBERS[at], segment[at].as_deref()));
        let Some((head, tail)) = head.zip(tail) else { return };
        if !self.ancestry.leads_to(tail, head) {
            let (tail, head) = (self.facts.nodes[tail].line, self.facts.nodes[head].line);
            let found =
                sentence!("walking parents from the tail, line {tail}, misses the head, line {head}", tail, head);
            let place = self.facts.place(node, SEGMENT_MEMBERS[2].1);
            self.report.add(place, "not-linked", found, "a tail whose parents lead to the head");
        }
    }

    fn judge_messages(&mut self, node: usize, preserved: &Preserved) {
        let Some((anchor, uuids)) = &preserved.messages else { return };
        let anchor_member = ("anchor", "compactMetadata.preservedMessages.anchorUuid");
        self.find(node, anchor_member, anchor.as_deref());
        let is_missing = |uuid: &&String| self.uuids.get(IdKey::of(uuid)).is_none();
        let mut missing = uuids.iter().filter(is_missing);
        if let Some(first) = missing.next() {
            let (count, all) = (missing.count() + 1, uuids.len());
            let are = if count == 1 { "is" } else { "are" };
            let found = sentence!(
                "of {all} preserved messages, {count} {are} not in this file, the first {first}",
                all,
                count,
                are,
                first
            );
            let place = self.facts.place(node, "compactMetadata.preservedMessages.uuids");
            self.report.add(place, "missing-messages", found, "uuids of records in this file");
        }
    }
}
