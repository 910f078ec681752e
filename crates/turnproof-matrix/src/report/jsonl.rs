//! The matrix as JSON Lines: the run, then of each library itself, its rules, and its breaches.

use turnproof::report::JsonLine;

use crate::judge::Judged;
use crate::kept::Kept;

use super::Matrix;

pub(super) fn jsonl(matrix: &Matrix) -> String {
    let mut run = JsonLine::new("run").with("seed", matrix.seed).with("cases", matrix.cases);
    if let Some(date) = &matrix.date {
        run = run.with("date", date);
    }
    let mut lines = vec![run.with("subjects", matrix.subjects.len()).with("skipped", matrix.skipped.len())];
    let of = |kind, subject: &str| JsonLine::new(kind).with("subject", subject);
    for (adapter, why) in &matrix.skipped {
        lines.push(of("skipped", &adapter.folder).with_members(&adapter.about).with("why", why));
    }
    for subject in &matrix.subjects {
        let folder = &subject.adapter.folder;
        lines.push(of("subject", folder).with_members(&subject.adapter.about));
        for judged in &subject.judged {
            lines.push(operation(of("operation", folder), judged));
            for (rule, counts) in judged.counts.iter().filter(|(_, counts)| !counts.is_empty()) {
                lines.push(of("rule", folder).with("rule", rule).with_members(counts));
            }
            lines.extend(judged.breaches.iter().map(|kept| breach(folder, kept)));
        }
    }
    lines.into_iter().map(JsonLine::end).collect()
}

/// A breach beside its kind, which is no kind of line.
fn breach(folder: &str, kept: &Kept) -> JsonLine {
    let mut members = serde_json::to_value(kept).unwrap_or_default();
    if let Some(members) = members.as_object_mut() {
        members.remove("kind");
    }
    JsonLine::new("breach")
        .with("file", format!("{folder}/{}", kept.file))
        .with("confirmed", kept.is_confirmed)
        .with("violation_kind", &kept.kind)
        .with_members(&members)
}

fn operation(line: JsonLine, judged: &Judged) -> JsonLine {
    let line = line
        .with("operation", judged.operation.name())
        .with("cases", judged.cases)
        .with("legal", judged.legal)
        .with("answered", judged.answered)
        .with("refused_legal", judged.refused[0])
        .with("refused_illegal", judged.refused[1])
        .with("unsupported", &judged.unsupported)
        .with("withheld", judged.withheld)
        .with("crashed_at_legal", judged.crashed[0])
        .with("crashed_at_illegal", judged.crashed[1]);
    match &judged.ended {
        Some(why) => line.with("ended", why),
        None => line,
    }
}
