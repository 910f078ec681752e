//! The matrix as JSON Lines: the run, then of each library itself, its rules, and its breaches.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::adapter::About;
use crate::class::Counts;
use crate::judge::Judged;
use crate::kept::Kept;

use super::Matrix;

/// A line.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<'a> {
    Run {
        seed: u64,
        cases: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        date: Option<&'a str>,
        subjects: usize,
        skipped: usize,
    },
    Skipped {
        subject: &'a str,
        #[serde(flatten)]
        about: &'a About,
        why: &'a str,
    },
    Subject {
        subject: &'a str,
        #[serde(flatten)]
        about: &'a About,
    },
    Operation {
        subject: &'a str,
        operation: &'static str,
        cases: u64,
        legal: u64,
        answered: u64,
        refused_legal: u64,
        refused_illegal: u64,
        unsupported: &'a std::collections::BTreeMap<String, u64>,
        withheld: u64,
        crashed_at_legal: u64,
        crashed_at_illegal: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        ended: Option<&'a str>,
    },
    Rule {
        subject: &'a str,
        rule: &'static str,
        #[serde(flatten)]
        counts: Counts,
    },
    Breach {
        file: &'a str,
        confirmed: bool,
        /// The kind of the violation, or of the crash.
        violation_kind: &'a str,
        #[serde(flatten)]
        kept: Map<String, Value>,
    },
}

/// A breach beside its kind, which is no kind of line.
fn breach<'a>(file: &'a str, kept: &'a Kept) -> Line<'a> {
    let mut members = match serde_json::to_value(kept) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    };
    members.remove("kind");
    Line::Breach { file, confirmed: kept.is_confirmed, violation_kind: &kept.kind, kept: members }
}

pub(super) fn jsonl(matrix: &Matrix) -> String {
    let mut text = String::new();
    let mut add = |line: Line<'_>| {
        text.push_str(&serde_json::to_string(&line).unwrap_or_default());
        text.push('\n');
    };
    add(Line::Run {
        seed: matrix.seed,
        cases: matrix.cases,
        date: matrix.date.as_deref(),
        subjects: matrix.subjects.len(),
        skipped: matrix.skipped.len(),
    });
    for (adapter, why) in &matrix.skipped {
        add(Line::Skipped { subject: &adapter.folder, about: &adapter.about, why });
    }
    for subject in &matrix.subjects {
        let folder = &subject.adapter.folder;
        add(Line::Subject { subject: folder, about: &subject.adapter.about });
        for judged in &subject.judged {
            add(operation(folder, judged));
            for (rule, counts) in judged.counts.iter().filter(|(_, counts)| !counts.is_empty()) {
                add(Line::Rule { subject: folder, rule, counts: *counts });
            }
            for kept in &judged.breaches {
                let file = format!("{folder}/{}", kept.file);
                add(breach(&file, kept));
            }
        }
    }
    text
}

fn operation<'a>(subject: &'a str, judged: &'a Judged) -> Line<'a> {
    Line::Operation {
        subject,
        operation: judged.operation.name(),
        cases: judged.cases,
        legal: judged.legal,
        answered: judged.answered,
        refused_legal: judged.refused[0],
        refused_illegal: judged.refused[1],
        unsupported: &judged.unsupported,
        withheld: judged.withheld,
        crashed_at_legal: judged.crashed[0],
        crashed_at_illegal: judged.crashed[1],
        ended: judged.ended.as_deref(),
    }
}
