//! A *boundary* comes after what it preserves.

use std::collections::HashSet;

use super::{by_line, played};
use crate::rules::{Judge, RecordEvidence, Rule, Severity, Verdict};

pub(super) const BOUNDARY_TAIL_FIRST: Rule = Rule {
    id: "record/boundary-tail-first",
    title: "what a compact boundary preserves is in the file before the boundary",
    severity: Severity::Error,
    doc: "\
A compaction may keep the last messages of a conversation word for word. The boundary names them: by a head and a tail, \
or one by one; and a reader looks for them before the boundary. Since a list after a compaction begins with the \
boundary, messages that were not yet written when it came would land behind it. So everything up to the tail is \
written first.

Where the order is wrong, a reader does not find the tail, falls back to the bare boundary, and the messages that \
the user was promised to keep are gone after a resume; or it takes the whole file in and the compaction is undone.",
    example: include_bytes!("examples/boundary-tail-first.json"),
    remedy: "Before a boundary is queued, queue the new messages of the list that it preserves, in list order.",
    sources: &["spec 3.2", "anthropics/claude-code#14462", "tamaratran/fast-jev-compaction#89"],
    judge: Judge::Record(boundary_tail_first),
};

fn boundary_tail_first(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let mut violations = Vec::new();
        let mut judged = 0;
        let mut earlier: HashSet<&str> = HashSet::new();
        for (line, entry) in &model.lines {
            let entry = entry.and_then(|index| model.entries.get(index));
            for uuid in entry.iter().flat_map(|entry| &entry.preserved) {
                judged += 1;
                if !earlier.contains(uuid.as_str()) {
                    let found = format!("the boundary stands before {uuid:?}, which it preserves");
                    let expected = "what a boundary preserves first";
                    violations.push(by_line(BOUNDARY_TAIL_FIRST.id, line, found, expected));
                }
            }
            earlier.extend(line.uuid());
        }
        match judged {
            0 => Verdict::NotApplicable("no boundary that was written preserves new messages"),
            _ => Verdict::from_violations(violations),
        }
    })
}
