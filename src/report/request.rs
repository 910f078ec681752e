//! The report on *requests*: the broken rules, each with the error that the host would give, or that a request is
//! legal.

use std::io::{self, Write};

use crate::check::{RequestFinding, RequestTally};
use turnproof_rules::rules::{Place, Rule};

use super::excerpt::Excerpt;
use super::jsonl::{JsonLine, values};
use super::printer::{Format, Printed, Printer};
use super::screen::Screen;
use turnproof_suite::table::size;

/// Prints what is found in requests. A method fails when something cannot be written.
pub struct RequestReport<'a, W> {
    printer: Printer<'a, W>,
    profile: &'static str,
}

impl<'a, W: Write> RequestReport<'a, W> {
    /// Writes to `out`, for the profile of this name. `rules` are those that are asked. Shows people at most `limit`
    /// violations of a rule for each request (0: all).
    pub fn new(
        out: W,
        format: Format,
        screen: Screen,
        limit: u64,
        profile: &'static str,
        rules: &'a [&'static Rule],
    ) -> Self {
        Self { printer: Printer::new(out, format, screen, limit, rules), profile }
    }

    /// Writes a finding in the request named `file`. A request is one document, on its first line.
    pub fn finding(&mut self, file: &str, finding: &RequestFinding) -> io::Result<()> {
        let RequestFinding { rule, violation, excerpt } = finding;
        let printed = Printed { file, line: 1, rule, violation, excerpt };
        self.printer.finding(&printed, || violation_line(file, finding))
    }

    /// Ends a request.
    pub fn end_of_request(&mut self, file: &str, tally: &RequestTally) -> io::Result<()> {
        let counts =
            format!("{}, {}, {}", size(tally.turns, "turn"), size(tally.blocks, "block"), size(tally.bytes, "byte"));
        let judged = match tally.violation_count() {
            0 => {
                // What was not seen is not called legal.
                let what = if tally.lists > 0 { "messages legal" } else { "legal" };
                format!("{file}: {what} under {}: {counts}", self.profile)
            }
            violations => {
                let violations = size(violations, "violation");
                format!("{file}: not legal under {}: {violations} in {counts}", self.profile)
            }
        };
        self.printer.end_of_file(&judged)
    }

    /// Ends the report.
    pub fn finish(self, tally: &RequestTally) -> io::Result<()> {
        let summary = JsonLine::new("summary")
            .with("profile", self.profile)
            .with("requests", tally.requests)
            .with("legal", tally.legal)
            .with("lists", tally.lists)
            .with("turns", tally.turns)
            .with("blocks", tally.blocks)
            .with("bytes", tally.bytes)
            .with("violations", tally.violation_count())
            .with("unreadable", tally.unreadable)
            .with("violations_by_rule", &tally.violations);
        self.printer.finish(summary)
    }
}

fn violation_line(file: &str, finding: &RequestFinding) -> String {
    let violation = &finding.violation;
    let (turn, block) = match violation.place {
        Place::Message { index, block } => (Some(index), block),
        _ => (None, None),
    };
    let line = JsonLine::new("violation")
        .with("rule", finding.rule.id)
        .with("severity", finding.rule.severity.name())
        .with("file", file)
        .with("turn", turn)
        .with("block", block)
        .with("path", violation.place.to_string())
        .with("violation_kind", violation.kind)
        .with("found", violation.found.to_string())
        .with("expected", violation.expected.to_string())
        .with("values", values(violation.found.values().iter().chain(violation.expected.values())))
        .with("error", &violation.error)
        .with("excerpt", shorten(&finding.excerpt));
    line.end()
}

/// The beginning of a block, on one line.
fn shorten(json: &[u8]) -> String {
    Excerpt::new(json, 0..json.len()).text
}
