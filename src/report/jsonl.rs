//! *JSON Lines*: one object a violation, last the summary.

use std::io::{self, Write};

use serde::Serialize;

use crate::check::{Finding, InputError, Sink, Tally};

use super::excerpt::Excerpt;

/// Writes findings as JSON Lines.
pub struct JsonLines<W> {
    out: W,
    error: Option<io::Error>,
}

/// A violation.
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

impl<W: Write> JsonLines<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, error: None }
    }

    fn write(&mut self, line: &impl Serialize) {
        if self.error.is_some() {
            return;
        }
        let written = serde_json::to_writer(&mut self.out, line).map_err(io::Error::from);
        self.error = written.and_then(|()| self.out.write_all(b"\n")).err();
    }

    /// Writes the summary and ends.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(mut self, tally: &Tally) -> io::Result<()> {
        self.write(&SummaryLine {
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
        });
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }
}

impl<W: Write> Sink for JsonLines<W> {
    fn finding(&mut self, finding: &Finding<'_>) {
        let at = |byte: u64| (byte.saturating_sub(finding.text_start)) as usize;
        self.write(&ViolationLine {
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
            excerpt: Excerpt::new(finding.text, at(finding.start)..at(finding.end)).text,
        });
    }

    /// Not a violation: the command line tells of these on standard error.
    fn unreadable(&mut self, _error: &InputError) {}

    fn progress(&mut self, _bytes: u64) {}

    fn is_closed(&self) -> bool {
        self.error.is_some()
    }
}
