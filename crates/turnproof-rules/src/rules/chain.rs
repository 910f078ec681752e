//! The *chain* links each record of a conversation to the one before it, by `parentUuid`; these rules
//! say when walking it gives the conversation back.

use super::facts::{Facts, IdKey, NodeKind, Preserved};
use super::forks::{Fork, forks};
use super::links::{Ancestry, Links, Uuids};
use super::{Judge, Rule, Severity, Violation};

/// Takes each violation, in file order.
type Sink<'a> = &'a mut dyn FnMut(Violation);

/// The rules of the family.
pub(super) const RULES: &[&Rule] = &[
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

const PARENT_EXISTS: Rule = Rule {
    id: "chain/parent-exists",
    title: "every parent that a record names is in the file",
    severity: Severity::Error,
    doc: "\
Each user, assistant, system, attachment and hook record names the record before it in `parentUuid`; a \
session is read back by walking these names from the last record to the first. A name that no record in \
the file has ends the walk there.

It happens when a record was queued but never written (a failed or late write, a crash) while later ones \
already chained to it. Readers then show only what comes after the gap: in one public case 22 such gaps \
in 5,783 records left 5 % of the session reachable. Nothing is lost from the file itself: a reader can \
bridge the gap to the nearest earlier record of the session.",
    example: br#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a"}}
{"type":"user","uuid":"u3","parentUuid":"u2","message":{"role":"user","content":"b"}}
"#,
    remedy: "Set the parentUuid to the uuid of the nearest earlier record of the session, or null if the \
conversation starts here; in a writer, chain only to records whose write has succeeded.",
    sources: &[
        "spec 3.1",
        "anthropics/claude-code#22107",
        "anthropics/claude-code#21617",
        "anthropics/claude-code#24304",
        "anthropics/claude-code#58554",
    ],
    judge: Judge::Transcript(parent_exists),
};

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

const ACYCLIC: Rule = Rule {
    id: "chain/acyclic",
    title: "walking parents never comes back to the same record",
    severity: Severity::Error,
    doc: "\
Walking from a record to its parent, and on, must end at a record whose `parentUuid` is null. A record \
that names itself, or records that name each other in a circle, make the walk endless.

Readers without a guard hang on such a file; readers with one stop somewhere on the circle and give an \
empty or partial conversation. Client versions were fixed for circles (2.1.30) and for a record that \
names itself (2.1.108), so the files exist. Each circle is reported once, at its record that comes first \
in the file. Where a uuid repeats, the first record that has it is meant.",
    example: br#"{"type":"user","uuid":"u1","parentUuid":"u1","message":{"role":"user","content":"a"}}
"#,
    remedy: "Give the first record of the circle the parent that it really followed, or null.",
    sources: &[
        "spec 3.1",
        "anthropics/claude-code CHANGELOG 2.1.30",
        "anthropics/claude-code CHANGELOG 2.1.108",
    ],
    judge: Judge::Transcript(acyclic),
};

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

const PARENT_BEFORE_CHILD: Rule = Rule {
    id: "chain/parent-before-child",
    title: "a parent stands in the file before the records that follow it",
    severity: Severity::Warning,
    doc: "\
A transcript is only ever appended to, so a record's parent must already be there when the record is \
written. A parent that stands further down was written late or out of order, by two writers or by an \
unordered queue.

Readers that index the whole file survive it. Readers that stream lose the link, and a file cut off \
between the two, by a crash for example, has a record without its parent. Parents that are not in the \
file at all are the matter of `chain/parent-exists`. Where a uuid repeats, any earlier record will do.",
    example: br#"{"type":"user","uuid":"u2","parentUuid":"u1","message":{"role":"user","content":"b"}}
{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a"}}
"#,
    remedy: "Write records in the order of the chain, through one queue; in a broken file, move the parent \
above its child.",
    sources: &["spec 3.1", "anthropics/claude-code#33651"],
    judge: Judge::Transcript(parent_before_child),
};

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

const PROGRESS_NOT_PARENT: Rule = Rule {
    id: "chain/progress-not-parent",
    title: "no record of the conversation follows a progress record",
    severity: Severity::Warning,
    doc: "\
A `progress` record is live output of a running tool or hook. It is not part of the conversation, and \
today's clients do not write it. Older ones did, and chained the next message to it: in 273 real sessions \
1,793 messages have a progress parent.

A reader that drops progress before it walks the chain loses everything above the first such place; one \
public report lost 80 % of a session. A reader must step over progress, from its child to its parent.",
    example: br#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a"}}
{"type":"progress","uuid":"p1","parentUuid":"u1","toolUseID":"toolu_1","data":{}}
{"type":"user","uuid":"u2","parentUuid":"p1","message":{"role":"user","content":"b"}}
"#,
    remedy: "Relink the record to the nearest record above the progress that is not progress; in a reader, \
step over progress and do not drop it before the walk.",
    sources: &[
        "spec 3.1",
        "anthropics/claude-code#35024",
        "anthropics/claude-code#33651",
        "anthropics/claude-code#38575",
    ],
    judge: Judge::Transcript(progress_not_parent),
};

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

const ONE_LEAF: Rule = Rule {
    id: "chain/one-leaf",
    title: "the main conversation goes on in one way from each record",
    severity: Severity::Info,
    doc: "\
When two records name the same parent the conversation forks, and only one branch is what the user gets \
back. A rewind makes such a fork on purpose. It also comes from a race: a notice and a reply are written \
side by side under one parent, the next prompt chains to the notice, and the reply that the user had \
already read is gone after a resume.

Parallel tool calls are no fork: each call is a line, and each result hangs on the line of its call, \
beside the next line of the reply or beside a hook's notice. So lines of the parent's own reply count as \
one way on, and tool results as none, unless a prompt or another reply stands beside the result. Every \
other child (prompt, reply, notice, attachment) is a way on. Two ways on are reported, at the parent.",
    example: br#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a"}}
{"type":"user","uuid":"u2","parentUuid":"u1","message":{"role":"user","content":"b"}}
{"type":"user","uuid":"u3","parentUuid":"u1","message":{"role":"user","content":"c"}}
"#,
    remedy: "Nothing, if it was a rewind. Otherwise chain the later record to the last one of the branch to \
be kept.",
    sources: &[
        "spec 3.1",
        "anthropics/claude-code#88597",
        "anthropics/claude-code#83460",
        "anthropics/claude-code#35024",
    ],
    judge: Judge::Transcript(one_leaf),
};

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

const SESSION_MATCHES_FILE: Rule = Rule {
    id: "chain/session-matches-file",
    title: "every record belongs to the session of its file",
    severity: Severity::Warning,
    doc: "\
A session's file is named after the session, and each record repeats it in `sessionId`. Records of another \
session in the file mean that a client wrote to the wrong file, which happens with several sessions in one \
folder: public reports count 23 to 77 % foreign records.

A resume may then mix two conversations or pick the foreign one. If the file's name is not a session's \
id, the first record that has a `sessionId` says which session it is. Each foreign session is reported \
once, at its first record, with the number of its records.",
    example: br#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1"}
{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s2"}
"#,
    remedy: "Move the foreign records to their own session's file, if they are not there already.",
    sources: &[
        "spec 3.1",
        "anthropics/claude-code#26964",
        "anthropics/claude-code#29342",
        "siteboon/claudecodeui#1022",
    ],
    judge: Judge::Transcript(session_matches_file),
};

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

const SIDECHAIN_SEPARATE: Rule = Rule {
    id: "chain/sidechain-separate",
    title: "the main conversation and each subagent's are chained apart",
    severity: Severity::Error,
    doc: "\
A subagent has a conversation of its own: its records say `isSidechain: true` and, in newer files, name \
their agent in `agentId`. They stand in the session's file (old clients) or in a file of their own, and \
must never be chained to the main conversation or to another subagent's.

Where they are, a resume pulls a subagent's turns into the main conversation, or walks into the subagent \
and loses the main one. The model then reads instructions that were not meant for it.",
    example: br#"{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":true}
{"type":"user","uuid":"u2","parentUuid":"u1","isSidechain":false}
"#,
    remedy: "Relink the record to the last record before it on its own side; start a subagent's \
conversation with a null parentUuid.",
    sources: &["spec 3.1", "spec 3.4", "anthropics/claude-code#33651"],
    judge: Judge::Transcript(sidechain_separate),
};

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

const BOUNDARY_STARTS_SEGMENT: Rule = Rule {
    id: "chain/boundary-starts-segment",
    title: "a compact boundary starts a segment and says what it continues",
    severity: Severity::Error,
    doc: "\
When a conversation is compacted, a `compact_boundary` record is written, then a summary that stands for \
everything before. The boundary's `parentUuid` is null, so that a walk from the end stops there, and its \
`logicalParentUuid` names the record it followed, so that the history can still be shown.

With a parent instead of null, a resume walks through the boundary and undoes the compaction: the whole \
old history is sent again. Without a logical parent nothing connects the two parts. In real files all \
of 70 boundaries have both.",
    example: concat!(
        r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a"}}"#,
        "\n",
        r#"{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":"u1","#,
        r#""logicalParentUuid":"u1"}"#,
        "\n",
    )
    .as_bytes(),
    remedy: "Set the boundary's parentUuid to null and its logicalParentUuid to the uuid of the last record \
before it.",
    sources: &["spec 3.1", "anthropics/claude-code#14462", "anthropics/claude-code CHANGELOG 2.1.20"],
    judge: Judge::Transcript(boundary_starts_segment),
};

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

const PRESERVED_SEGMENT: Rule = Rule {
    id: "chain/preserved-segment",
    title: "what a compact boundary preserves is in the file and hangs together",
    severity: Severity::Error,
    doc: "\
A compaction may keep some of the latest messages word for word. The boundary's `compactMetadata` then \
names them: `preservedSegment` by the first (`headUuid`) and the last (`tailUuid`) of a stretch of the \
chain, `preservedMessages` one by one in `uuids`; both name in `anchorUuid` the record after which they \
come back.

If one of these records is not in the file, or walking parents from the tail does not come to the head, a \
reader cannot put them back. It then restores too little, or takes the whole old history for preserved \
and undoes the compaction (a public report: 166,000 tokens instead of 28,000). A boundary that preserves \
nothing is fine.",
    example: concat!(
        r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a"}}"#,
        "\n",
        r#"{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"#,
        r#""logicalParentUuid":"u1","#,
        r#""compactMetadata":{"preservedSegment":{"headUuid":"u0","anchorUuid":"b1","#,
        r#""tailUuid":"u1"}}}"#,
        "\n",
    )
    .as_bytes(),
    remedy: "Write everything up to the tail before the boundary. In a broken file, remove the member of \
compactMetadata: readers then take the plain boundary and its summary.",
    sources: &["spec 3.1", "anthropics/claude-code#14462", "tamaratran/fast-jev-compaction#89"],
    judge: Judge::Transcript(preserved_segment),
};

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
        let [head, _, tail] =
            [0, 1, 2].map(|at| self.find(node, SEGMENT_MEMBERS[at], segment[at].as_deref(), sink));
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
            let found =
                format!("of {all} preserved messages, {count} {are} not in this file, the first {first}");
            let member = "compactMetadata.preservedMessages.uuids";
            self.report(node, member, found, "uuids of records in this file", sink);
        }
    }
}
