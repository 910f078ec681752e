//! The *chain* links each record of a conversation to the one before it, by `parentUuid`; these rules say when walking
//! it gives the conversation back.

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
    for (node, record) in facts.nodes.iter().enumerate() {
        if record.is_link() && record.parent().is_some() && links.parent(node).is_none() {
            let found = "no record in this file has the uuid that this record names as its parent";
            let expected = "the uuid of a record in this file, or null where the conversation starts";
            report.add(facts.place(node, "parentUuid"), found, expected);
        }
    }
}

fn acyclic(facts: &Facts, report: &mut Report<'_>) {
    for (first, length) in Links::new(facts).cycles() {
        let found = match length {
            1 => "the record names itself as its parent".to_owned(),
            _ => format!("walking parents from this record comes back to it after {length} records"),
        };
        report.add(facts.place(first, "parentUuid"), found, "a walk that ends at a record whose parentUuid is null");
    }
}

fn parent_before_child(facts: &Facts, report: &mut Report<'_>) {
    for (node, parent) in Links::new(facts).pairs().filter(|&(node, parent)| parent >= node) {
        let found = match parent == node {
            true => "the record names itself as its parent".to_owned(),
            false => format!("the parent comes later, on line {}", facts.nodes[parent].line),
        };
        report.add(facts.place(node, "parentUuid"), found, "a parent that stands earlier in the file");
    }
}

fn progress_not_parent(facts: &Facts, report: &mut Report<'_>) {
    for (node, parent) in Links::new(facts).pairs() {
        let above = &facts.nodes[parent];
        if facts.nodes[node].is_participant() && above.kind == NodeKind::Progress {
            let found = format!("the parent, on line {}, is a progress record", above.line);
            report.add(facts.place(node, "parentUuid"), found, "a parent that is a message of the conversation");
        }
    }
}

fn one_leaf(facts: &Facts, report: &mut Report<'_>) {
    for fork in forks(facts) {
        let found = format!("{} records follow this one, on lines {}", fork.count, shown_lines(&fork));
        let expected = "one record that follows, beside tool results and lines of the same reply";
        report.add(facts.place(fork.node, "uuid"), found, expected);
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
        let records = if count == 1 { "1 record" } else { &format!("{count} records") };
        let found = format!("{records} of session {session}, of which this is the first");
        report.add(facts.place(first, "sessionId"), found, format!("only records of session {own}"));
    }
}

fn sidechain_separate(facts: &Facts, report: &mut Report<'_>) {
    for (node, parent) in Links::new(facts).pairs() {
        let line = facts.nodes[parent].line;
        let found = match (facts.nodes[node].is(SIDECHAIN), facts.nodes[parent].is(SIDECHAIN)) {
            (false, true) => format!("the parent, on line {line}, is a sidechain record and this one is not"),
            (true, false) => format!("this is a sidechain record and the parent, on line {line}, is not"),
            (true, true) if have_two_agents(facts, node, parent) => {
                format!("the parent, on line {line}, belongs to another subagent")
            }
            _ => continue,
        };
        report.add(facts.place(node, "parentUuid"), found, "a parent in the same conversation");
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
            report.add(place, "the boundary has a parent", "a parentUuid that is null");
        } else if !record.is(PARENT_NULL) {
            let found = "the boundary has no valid parentUuid";
            report.add(facts.place(node, ""), found, "a parentUuid that is null");
        }
        if !record.is(HAS_LOGICAL_PARENT) {
            let expected = "the uuid of the record that the boundary followed, as logicalParentUuid";
            report.add(facts.place(node, ""), "the boundary has no logicalParentUuid", expected);
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
                Some(uuid) => format!("the {name}, {uuid}, is not in this file"),
                None => format!("the boundary names no {name}"),
            };
            self.report.add(self.facts.place(node, member), problem, "the uuid of a record in this file");
        }
        found
    }

    fn judge_segment(&mut self, node: usize, preserved: &Preserved) {
        let Some(segment) = &preserved.segment else { return };
        let [head, _, tail] = [0, 1, 2].map(|at| self.find(node, SEGMENT_MEMBERS[at], segment[at].as_deref()));
        let Some((head, tail)) = head.zip(tail) else { return };
        if !self.ancestry.leads_to(tail, head) {
            let (tail, head) = (self.facts.nodes[tail].line, self.facts.nodes[head].line);
            let found = format!("walking parents from the tail, line {tail}, misses the head, line {head}");
            let place = self.facts.place(node, SEGMENT_MEMBERS[2].1);
            self.report.add(place, found, "a tail whose parents lead to the head");
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
            let found = format!("of {all} preserved messages, {count} {are} not in this file, the first {first}");
            let place = self.facts.place(node, "compactMetadata.preservedMessages.uuids");
            self.report.add(place, found, "uuids of records in this file");
        }
    }
}
