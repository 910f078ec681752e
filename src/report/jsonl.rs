//! *JSON Lines*: one object a violation, last the summary.

use std::io::{self, Write};

use serde::Serialize;

use crate::check::{Finding, Sink, Tally};

use super::excerpt::Excerpt;

/// Writes findings as JSON Lines.
pub struct JsonLines<W>(pub W);

#[derive(Serialize)]
struct ViolationLine<'a> {
    kind: &'static str,
    rule: &'static str,
    severity: &'static str,
    file: &'a str,
    line: u64,
    column: u64,
    start: u64,
    end: u64,
    path: &'a str,
    found: &'a str,
    expected: &'a str,
    excerpt: String,
}

/// The counts; always the last line.
#[derive(Serialize)]
struct SummaryLine<'a> {
    kind: &'static str,
    files: u64,
    lines: u64,
    records: u64,
    bytes: u64,
    blank: u64,
    rejected: u64,
    violations: u64,
    record_bytes: u64,
    blank_bytes: u64,
    rejected_bytes: u64,
    unreadable: u64,
    violations_by_rule: &'a std::collections::BTreeMap<&'static str, u64>,
}

/// Writes a value as JSON on a line of its own.
///
/// # Errors
/// When it cannot be written.
pub fn json_line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

impl<W: Write> Sink for JsonLines<W> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let line = ViolationLine {
            kind: "violation",
            rule: finding.rule.id,
            severity: finding.rule.severity.name(),
            file: finding.file,
            line: finding.line,
            column: finding.column(),
            start: finding.start,
            end: finding.end,
            path: &finding.path,
            found: &finding.found,
            expected: &finding.expected,
            excerpt: Excerpt::of(finding).text,
        };
        json_line(&mut self.0, &line)
    }

    fn finish(&mut self, tally: &Tally) -> io::Result<()> {
        let line = SummaryLine {
            kind: "summary",
            files: tally.files,
            lines: tally.lines,
            records: tally.records,
            bytes: tally.bytes,
            blank: tally.blank_bytes,
            rejected: tally.rejected,
            violations: tally.violation_count(),
            record_bytes: tally.record_bytes,
            blank_bytes: tally.blank_bytes,
            rejected_bytes: tally.rejected_bytes,
            unreadable: tally.unreadable,
            violations_by_rule: &tally.violations,
        };
        json_line(&mut self.0, &line)?;
        self.0.flush()
    }
}
