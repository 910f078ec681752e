//! The report on *requests*: the broken rules, each with the error that the host would give, or that a request is
//! legal.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::check::{RequestFinding, RequestTally};
use turnproof_rules::operation::Host;
use turnproof_rules::rules::{Place, Rule};

use super::excerpt::Excerpt;
use super::jsonl::{JsonLine, values};
use super::printer::{Format, Printed, Printer};
use super::screen::Screen;
use turnproof_suite::table::size;

/// Prints what is found in requests. A method fails when something cannot be written.
pub struct RequestReport<'a, W> {
    printer: Printer<'a, W>,
    profile: Host,
}

impl<'a, W: Write> RequestReport<'a, W> {
    /// Writes to `out`, for this host. `rules` are those that are asked. Shows people at most `limit` violations of a
    /// rule for each request (0: all).
    pub fn new(out: W, format: Format, screen: Screen, limit: u64, profile: Host, rules: &'a [&'static Rule]) -> Self {
        Self { printer: Printer::new(out, format, screen, limit, rules), profile }
    }

    /// Writes a finding in the request named `file`. A request is one document, on its first line.
    pub fn finding(&mut self, file: &str, finding: &RequestFinding) -> io::Result<()> {
        let RequestFinding { rule, violation, excerpt } = finding;
        let printed = Printed { file, line: 1, rule, severity: finding.severity(), violation, excerpt };
        self.printer.finding(&printed, || violation_line(file, finding))
    }

    /// Ends a request that was judged for a host, and without findings for others.
    pub fn end_of_request(
        &mut self,
        file: &str,
        host: Host,
        tally: &RequestTally,
        others: &[(Host, RequestTally)],
    ) -> io::Result<()> {
        if self.printer.format == Format::Json {
            return self.printer.write(&verdict_line(file, host, tally, others));
        }
        let counts =
            format!("{}, {}, {}", size(tally.turns, "turn"), size(tally.blocks, "block"), size(tally.bytes, "byte"));
        if others.is_empty() {
            // What was not seen is not called legal.
            let what = if tally.lists > 0 { "messages " } else { "" };
            self.printer.end_of_file(&format!("{file}: {what}{} under {}: {counts}", verdict(tally), host.name()))?;
        } else {
            self.printer.end_of_file(&format!("{file}: {counts}"))?;
            for (host, tally) in each_host(host, tally, others) {
                self.printer.detail(&host_line(host, tally))?;
            }
        }
        let mut not_judged: Vec<&str> = tally.not_judged.iter().map(String::as_str).collect();
        if tally.lists > 0 {
            not_judged.push("model, tools and whatever else a body has, since this is a list of turns");
        }
        match not_judged.is_empty() {
            true => Ok(()),
            false => self.printer.detail(&format!("not judged: {}", not_judged.join(", "))),
        }
    }

    /// Ends the report.
    pub fn finish(self, tally: &RequestTally) -> io::Result<()> {
        let summary = JsonLine::new("summary")
            .with("profile", self.profile.name())
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

/// The host that was asked about, and then the others.
fn each_host<'a>(
    host: Host,
    tally: &'a RequestTally,
    others: &'a [(Host, RequestTally)],
) -> impl Iterator<Item = (Host, &'a RequestTally)> {
    std::iter::once((host, tally)).chain(others.iter().map(|(host, tally)| (*host, tally)))
}

/// What one of several hosts does with a request: `vertex: not legal: 1 error: api/sources`.
fn host_line(host: Host, tally: &RequestTally) -> String {
    let name = if host == Host::Portable { "portable (every host, every year)" } else { host.name() };
    let rules = tally.violations.keys().copied().collect::<Vec<_>>().join(", ");
    let rules = if rules.is_empty() { rules } else { format!(": {rules}") };
    format!("{name}: {}{rules}", verdict(tally))
}

/// What a host does with a request: `legal`, `legal, 1 warning`, or `not legal: 2 errors`.
fn verdict(tally: &RequestTally) -> String {
    let warnings = tally.violation_count() - tally.errors();
    let warned = if warnings > 0 { format!(", {}", size(warnings, "warning")) } else { String::new() };
    match tally.errors() {
        0 => format!("legal{warned}"),
        errors => format!("not legal: {}{warned}", size(errors, "error")),
    }
}

fn verdict_line(file: &str, host: Host, tally: &RequestTally, others: &[(Host, RequestTally)]) -> String {
    let hosts: BTreeMap<&str, _> = each_host(host, tally, others)
        .map(|(host, tally)| {
            let rules: Vec<&str> = tally.violations.keys().copied().collect();
            (host.name(), serde_json::json!({"legal": tally.errors() == 0, "errors": tally.errors(), "rules": rules}))
        })
        .collect();
    let line = JsonLine::new("verdict")
        .with("file", file)
        .with("profile", host.name())
        .with("legal", tally.errors() == 0)
        .with("hosts", hosts)
        .with("not_judged", &tally.not_judged);
    line.end()
}

fn violation_line(file: &str, finding: &RequestFinding) -> String {
    let violation = &finding.violation;
    let (turn, block) = match violation.place {
        Place::Message { index, block } => (Some(index), block),
        _ => (None, None),
    };
    let line = JsonLine::new("violation")
        .with("rule", finding.rule.id)
        .with("severity", finding.severity().name())
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
