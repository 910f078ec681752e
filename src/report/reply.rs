//! The report on *replies*: the broken rules, each with its event and its line, or that a reply is legal.

use std::io::{self, Write};

use crate::check::{ReplyFinding, ReplyTally};
use turnproof_rules::rules::{Place, Rule};

use super::excerpt::Excerpt;
use super::jsonl::{JsonLine, values};
use super::printer::{Format, Printed, Printer};
use super::screen::Screen;
use turnproof_suite::table::size;

/// Prints what is found in replies. A method fails when something cannot be written.
pub struct ReplyReport<'a, W>(Printer<'a, W>);

impl<'a, W: Write> ReplyReport<'a, W> {
    /// Writes to `out`. `rules` are those that are asked. Shows people at most `limit` violations of a rule for each
    /// reply (0: all).
    pub fn new(out: W, format: Format, screen: Screen, limit: u64, rules: &'a [&'static Rule]) -> Self {
        Self(Printer::new(out, format, screen, limit, rules))
    }

    /// Writes a finding in the reply named `file`.
    pub fn finding(&mut self, file: &str, finding: &ReplyFinding) -> io::Result<()> {
        let ReplyFinding { rule, violation, excerpt } = finding;
        let printed = Printed {
            file,
            line: line(finding),
            rule,
            severity: rule.severity,
            violation,
            excerpt: excerpt.as_bytes(),
        };
        self.0.finding(&printed, || violation_line(file, finding))
    }

    /// Ends a reply, which is `what`.
    pub fn end_of_reply(&mut self, file: &str, what: &str, tally: &ReplyTally) -> io::Result<()> {
        let bytes = size(tally.bytes, "byte");
        let counts = if tally.events > 0 { format!("{}, {bytes}", size(tally.events, "event")) } else { bytes };
        let judged = match tally.violation_count() {
            0 => format!("{file}: {what}, legal: {counts}"),
            notes if tally.legal > 0 => format!("{file}: {what}, legal, with {}: {counts}", size(notes, "note")),
            violations => format!("{file}: {what}, not legal: {} in {counts}", size(violations, "violation")),
        };
        self.0.end_of_file(&judged)
    }

    /// Ends the report.
    pub fn finish(self, tally: &ReplyTally) -> io::Result<()> {
        let summary = JsonLine::new("summary")
            .with("replies", tally.replies)
            .with("legal", tally.legal)
            .with("events", tally.events)
            .with("bytes", tally.bytes)
            .with("violations", tally.violation_count())
            .with("unreadable", tally.unreadable)
            .with("violations_by_rule", &tally.violations);
        self.0.finish(summary)
    }
}

/// The line of a finding; 1 in a reply that is no stream.
fn line(finding: &ReplyFinding) -> u32 {
    match finding.violation.place {
        Place::Event { line, .. } => line,
        _ => 1,
    }
}

fn violation_line(file: &str, finding: &ReplyFinding) -> String {
    let violation = &finding.violation;
    let (event, line) = match violation.place {
        Place::Event { number, line } => (Some(number), Some(line)),
        _ => (None, None),
    };
    let line = JsonLine::new("violation")
        .with("rule", finding.rule.id)
        .with("severity", finding.rule.severity.name())
        .with("file", file)
        .with("event", event)
        .with("line", line)
        .with("path", violation.place.to_string())
        .with("violation_kind", violation.kind)
        .with("found", violation.found.to_string())
        .with("expected", violation.expected.to_string())
        .with("values", values(violation.found.values().iter().chain(violation.expected.values())))
        .with("excerpt", Excerpt::whole(finding.excerpt.as_bytes()));
    line.end()
}
