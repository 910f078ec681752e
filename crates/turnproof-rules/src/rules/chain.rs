//! The *chain* links each record of a conversation to the one before it, by `parentUuid`; these rules
//! say when walking it gives the conversation back.

use super::facts::{Facts, IdKey, NodeKind, Preserved};
use super::forks::{Fork, forks};
use super::links::{Ancestry, Links, Uuids};
use super::{Judge, RuleEntry, Violation};

/// Takes each violation, in file order.
type Sink<'a> = &'a mut dyn FnMut(Violation);

/// The rules of the family.
pub(super) const RULES: &[&RuleEntry] = &[
    &PARENT_EXISTS,
    &ACYCLIC,
    &PARENT_BEFORE_CHILD,
    &PROGRESS_NOT_PARENT,
    &ONE_LEAF,
    &SESSION_MATCHES_FILE,
    &SIDECHAIN_SEPARATE,
    &BOUNDARY_STARTS_SEGMENT,
    &PRESERVED_SEGMENT,
];

const PARENT_EXISTS: RuleEntry = rule!("chain/parent-exists", Error, Judge::Transcript(parent_exists));

fn parent_exists(facts: &Facts, sink: Sink<'_>) {
    let links = Links::new(facts);
    for (node, record) in facts.nodes.iter().enumerate() {
        if record.is_link() && record.parent().is_some() && links.parent(node).is_none() {
            sink(Violation::new(
                PARENT_EXISTS.id,
                facts.place(node, "parentUuid"),
                "no record in this file has the uuid that this record names as its parent",
                "the uuid of a record in this file, or null where the conversation starts",
            ));
        }
    }
}

const ACYCLIC: RuleEntry = rule!("chain/acyclic", Error, Judge::Transcript(acyclic));

fn acyclic(facts: &Facts, sink: Sink<'_>) {
    for (first, length) in Links::new(facts).cycles() {
        let found = match length {
            1 => "the record names itself as its parent".to_owned(),
            _ => format!("walking parents from this record comes back to it after {length} records"),
        };
        sink(Violation::new(
            ACYCLIC.id,
            facts.place(first, "parentUuid"),
            found,
            "a walk that ends at a record whose parentUuid is null",
        ));
    }
}

const PARENT_BEFORE_CHILD: RuleEntry =
    rule!("chain/parent-before-child", Warning, Judge::Transcript(parent_before_child));

fn parent_before_child(facts: &Facts, sink: Sink<'_>) {
    for (node, parent) in Links::new(facts).pairs().filter(|&(node, parent)| parent >= node) {
        let found = match parent == node {
            true => "the record names itself as its parent".to_owned(),
            false => format!("the parent comes later, on line {}", facts.nodes[parent].line),
        };
        sink(Violation::new(
            PARENT_BEFORE_CHILD.id,
            facts.place(node, "parentUuid"),
            found,
            "a parent that stands earlier in the file",
        ));
    }
}

const PROGRESS_NOT_PARENT: RuleEntry =
    rule!("chain/progress-not-parent", Warning, Judge::Transcript(progress_not_parent));

fn progress_not_parent(facts: &Facts, sink: Sink<'_>) {
    for (node, parent) in Links::new(facts).pairs() {
        let above = &facts.nodes[parent];
        if facts.nodes[node].is_participant() && above.kind == NodeKind::Progress {
            sink(Violation::new(
                PROGRESS_NOT_PARENT.id,
                facts.place(node, "parentUuid"),
                format!("the parent, on line {}, is a progress record", above.line),
                "a parent that is a message of the conversation",
            ));
        }
    }
}

const ONE_LEAF: RuleEntry = rule!("chain/one-leaf", Info, Judge::Transcript(one_leaf));

fn one_leaf(facts: &Facts, sink: Sink<'_>) {
    for fork in forks(facts) {
        sink(Violation::new(
            ONE_LEAF.id,
            facts.place(fork.node, "uuid"),
            format!("{} records follow this one, on lines {}", fork.count, shown_lines(&fork)),
            "one record that follows, beside tool results and lines of the same reply",
        ));
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

const SESSION_MATCHES_FILE: RuleEntry =
    rule!("chain/session-matches-file", Warning, Judge::Transcript(session_matches_file));

fn session_matches_file(facts: &Facts, sink: Sink<'_>) {
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
        sink(Violation::new(
            SESSION_MATCHES_FILE.id,
            facts.place(first, "sessionId"),
            format!("{records} of session {session}, of which this is the first"),
            format!("only records of session {own}"),
        ));
    }
}

const SIDECHAIN_SEPARATE: RuleEntry = rule!("chain/sidechain-separate", Error, Judge::Transcript(sidechain_separate));

fn sidechain_separate(facts: &Facts, sink: Sink<'_>) {
    for (node, parent) in Links::new(facts).pairs() {
        let line = facts.nodes[parent].line;
        let sides = (facts.nodes[node].is_sidechain(), facts.nodes[parent].is_sidechain());
        let found = match sides {
            (false, true) => format!("the parent, on line {line}, is a sidechain record and this one is not"),
            (true, false) => format!("this is a sidechain record and the parent, on line {line}, is not"),
            (true, true) if have_two_agents(facts, node, parent) => {
                format!("the parent, on line {line}, belongs to another subagent")
            }
            _ => continue,
        };
        sink(Violation::new(
            SIDECHAIN_SEPARATE.id,
            facts.place(node, "parentUuid"),
            found,
            "a parent in the same conversation",
        ));
    }
}

/// Whether both records name an agent, and not the same.
fn have_two_agents(facts: &Facts, node: usize, parent: usize) -> bool {
    facts.agent(node).zip(facts.agent(parent)).is_some_and(|(agent, other)| agent != other)
}

const BOUNDARY_STARTS_SEGMENT: RuleEntry =
    rule!("chain/boundary-starts-segment", Error, Judge::Transcript(boundary_starts_segment));

fn boundary_starts_segment(facts: &Facts, sink: Sink<'_>) {
    let mut report = |node, member, found: &str, expected: &str| {
        sink(Violation::new(BOUNDARY_STARTS_SEGMENT.id, facts.place(node, member), found, expected));
    };
    for (node, record) in facts.nodes.iter().enumerate() {
        if record.kind != NodeKind::Boundary {
            continue;
        }
        if record.parent().is_some() {
            report(node, "parentUuid", "the boundary has a parent", "a parentUuid that is null");
        } else if !record.parent_is_null() {
            report(node, "", "the boundary has no valid parentUuid", "a parentUuid that is null");
        }
        if !record.has_logical_parent() {
            let expected = "the uuid of the record that the boundary followed, as logicalParentUuid";
            report(node, "", "the boundary has no logicalParentUuid", expected);
        }
    }
}

const PRESERVED_SEGMENT: RuleEntry = rule!("chain/preserved-segment", Error, Judge::Transcript(preserved_segment));

const SEGMENT_MEMBERS: [(&str, &str); 3] = [
    ("head", "compactMetadata.preservedSegment.headUuid"),
    ("anchor", "compactMetadata.preservedSegment.anchorUuid"),
    ("tail", "compactMetadata.preservedSegment.tailUuid"),
];

fn preserved_segment(facts: &Facts, sink: Sink<'_>) {
    if facts.preserved.is_empty() {
        return;
    }
    let uuids = Uuids::new(facts);
    let links = Links::with(facts, &uuids);
    let reader = PreservedReader { facts, ancestry: Ancestry::new(&links), uuids };
    for (node, preserved) in &facts.preserved {
        if facts.nodes[*node as usize].kind == NodeKind::Boundary {
            reader.judge_segment(*node as usize, preserved, sink);
            reader.judge_messages(*node as usize, preserved, sink);
        }
    }
}

/// Looks up what boundaries preserve.
struct PreservedReader<'a> {
    facts: &'a Facts,
    ancestry: Ancestry<'a>,
    uuids: Uuids<'a>,
}

impl PreservedReader<'_> {
    fn report(&self, node: usize, member: &'static str, found: String, expected: &str, sink: Sink<'_>) {
        sink(Violation::new(PRESERVED_SEGMENT.id, self.facts.place(node, member), found, expected));
    }

    /// The record that a boundary names; reports it when it is not there.
    fn find(
        &self,
        node: usize,
        (name, member): (&str, &'static str),
        uuid: Option<&str>,
        sink: Sink<'_>,
    ) -> Option<usize> {
        let found = uuid.and_then(|uuid| self.uuids.get(IdKey::of(uuid)));
        if found.is_none() {
            let problem = match uuid {
                Some(uuid) => format!("the {name}, {uuid}, is not in this file"),
                None => format!("the boundary names no {name}"),
            };
            self.report(node, member, problem, "the uuid of a record in this file", sink);
        }
        found
    }

    fn judge_segment(&self, node: usize, preserved: &Preserved, sink: Sink<'_>) {
        let Some(segment) = &preserved.segment else { return };
        let [head, _, tail] = [0, 1, 2].map(|at| self.find(node, SEGMENT_MEMBERS[at], segment[at].as_deref(), sink));
        let Some((head, tail)) = head.zip(tail) else { return };
        if !self.ancestry.leads_to(tail, head) {
            let (tail, head) = (self.facts.nodes[tail].line, self.facts.nodes[head].line);
            let found = format!("walking parents from the tail, line {tail}, misses the head, line {head}");
            self.report(node, SEGMENT_MEMBERS[2].1, found, "a tail whose parents lead to the head", sink);
        }
    }

    fn judge_messages(&self, node: usize, preserved: &Preserved, sink: Sink<'_>) {
        let Some((anchor, uuids)) = &preserved.messages else { return };
        let anchor_member = ("anchor", "compactMetadata.preservedMessages.anchorUuid");
        self.find(node, anchor_member, anchor.as_deref(), sink);
        let is_missing = |uuid: &&String| self.uuids.get(IdKey::of(uuid)).is_none();
        let mut missing = uuids.iter().filter(is_missing);
        if let Some(first) = missing.next() {
            let (count, all) = (missing.count() + 1, uuids.len());
            let are = if count == 1 { "is" } else { "are" };
            let found = format!("of {all} preserved messages, {count} {are} not in this file, the first {first}");
            let member = "compactMetadata.preservedMessages.uuids";
            self.report(node, member, found, "uuids of records in this file", sink);
        }
    }
}
