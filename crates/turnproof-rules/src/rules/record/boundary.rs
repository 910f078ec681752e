//! A *boundary* comes after what it preserves.

use std::collections::HashSet;

use super::{by_line, played};
use crate::rules::{Judge, RecordEvidence, RuleEntry, Verdict};

pub(super) const BOUNDARY_TAIL_FIRST: RuleEntry =
    rule!("record/boundary-tail-first", Error, Judge::Record(boundary_tail_first));

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
