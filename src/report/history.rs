//! The report on *requests in a row*: what a request says otherwise than the one before, and how much of it is the same.

use std::io::{self, Write};

use crate::check::{HistoryFinding, HistoryTally};
use turnproof_rules::rules::{Rule, Severity};

use super::excerpt::Excerpt;
use super::jsonl::{JsonLine, values};
use super::printer::{Format, Printed, Printer};
use super::screen::Screen;
use turnproof_suite::table::{count, size};

/// Prints what is found in requests in a row.
pub struct HistoryReport<'a, W>(Printer<'a, W>);

impl<'a, W: Write> HistoryReport<'a, W> {
    /// Writes to `out`. `rules` are those that are asked. Shows people at most `limit` violations of a rule for each
    /// file (0: all).
    pub fn new(out: W, format: Format, screen: Screen, limit: u64, rules: &'a [&'static Rule]) -> Self {
        Self(Printer::new(out, format, screen, limit, rules))
    }

    /// Writes a finding in the file named `file`, whose lines are requests.
    pub fn finding(&mut self, file: &str, finding: &HistoryFinding) -> io::Result<()> {
        let HistoryFinding { rule, violation, number, excerpt, .. } = finding;
        let name = format!("{file}#{number}");
        let printed = Printed { file: &name, line: *number, rule, severity: finding.severity(), violation, excerpt };
        self.0.finding(&printed, || violation_line(file, finding))
    }

    /// Ends a file.
    pub fn end_of_file(&mut self, file: &str, tally: &HistoryTally) -> io::Result<()> {
        let of = |severity| tally.severities.get(&severity).copied().unwrap_or(0);
        let found = [
            (of(Severity::Error), size(of(Severity::Error), "error")),
            (of(Severity::Warning), size(of(Severity::Warning), "warning")),
            (of(Severity::Info), size(of(Severity::Info), "note")),
        ];
        let found: Vec<String> = found.into_iter().filter(|(times, _)| *times > 0).map(|(_, text)| text).collect();
        let found = if found.is_empty() { "nothing found".to_owned() } else { found.join(", ") };
        let continued =
            format!("{} of {} continue the one before unchanged", count(tally.continued), count(tally.pairs));
        self.0.end_of_file(&format!("{file}: {}: {continued}; {found}", size(tally.requests, "request")))
    }

    /// Ends the report.
    pub fn finish(self, tally: &HistoryTally) -> io::Result<()> {
        let of = |severity| tally.severities.get(&severity).copied().unwrap_or(0);
        let summary = JsonLine::new("summary")
            .with("requests", tally.requests)
            .with("pairs", tally.pairs)
            .with("continued", tally.continued)
            .with("errors", of(Severity::Error))
            .with("warnings", of(Severity::Warning))
            .with("notes", of(Severity::Info));
        self.0.finish(summary)
    }
}

fn violation_line(file: &str, finding: &HistoryFinding) -> String {
    let violation = &finding.violation;
    let line = JsonLine::new("violation")
        .with("rule", finding.rule.id)
        .with("severity", finding.severity().name())
        .with("file", file)
        .with("request", finding.number)
        .with("continues", finding.continues)
        .with("path", violation.place.to_string())
        .with("violation_kind", violation.kind)
        .with("found", violation.found.to_string())
        .with("expected", violation.expected.to_string())
        .with("values", values(violation.found.values().iter().chain(violation.expected.values())))
        .with("error", &violation.error)
        .with("excerpt", Excerpt::whole(&finding.excerpt));
    line.end()
}
