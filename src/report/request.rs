//! The report on *requests*: the broken rules, each with the error that the host would give, or that a request is
//! legal.

use std::io::{self, Write};

use crate::check::{RequestFinding, RequestTally};
use turnproof_rules::rules::{Place, Rule, Violation};

use super::excerpt::Excerpt;
use super::github::{Room, annotation};
use super::human::Limit;
use super::jsonl::{JsonLine, values};
use super::sarif::Sarif;
use super::screen::Screen;
use turnproof_suite::table::size;

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// Annotated excerpts and a summary
    Human,
    /// One JSON object a line: the violations, last the summary
    Json,
    /// GitHub workflow annotations, at most ten of a kind
    Github,
    /// One SARIF document, for code hosts and editors
    Sarif,
}

/// Prints what is found in requests. A method fails when something cannot be written.
pub struct RequestReport<'a, W> {
    out: Out<'a, W>,
    format: Format,
    screen: Screen,
    /// How many violations of one rule are shown for each request, in the human format.
    limit: Limit,
    profile: &'static str,
    room: Room,
}

/// Where it is written to: lines as they are, or a document.
enum Out<'a, W> {
    Lines(W),
    Sarif(Sarif<'a, W>),
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
        let out = match format {
            Format::Sarif => Out::Sarif(Sarif::new(out, rules, false)),
            Format::Human | Format::Json | Format::Github => Out::Lines(out),
        };
        Self { out, format, screen, limit: Limit::new(limit), profile, room: Room::default() }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        match &mut self.out {
            Out::Lines(out) => out.write_all(text.as_bytes()),
            // A document has no other lines.
            Out::Sarif(_) => Ok(()),
        }
    }

    /// Writes a finding in the request named `file`.
    pub fn finding(&mut self, file: &str, finding: &RequestFinding) -> io::Result<()> {
        if let Out::Sarif(sarif) = &mut self.out {
            return sarif.request(file, finding);
        }
        match self.format {
            Format::Human if self.limit.shows(finding.rule) => self.write(&self.in_words(file, finding)),
            Format::Json => self.write(&violation_line(file, finding)),
            Format::Github if self.room.take(finding.rule.severity) => {
                let Violation { place, found, error, .. } = &finding.violation;
                let error = error.as_ref().map_or(String::new(), |error| format!("; the API answers: {error}"));
                // Whatever is in the request stays on one line and moves no cursor.
                let text = fit(&format!("`{place}`: {found}{error}"));
                self.write(&(annotation(finding.rule, finding.violation.kind, file, "line=1", &text) + "\n"))
            }
            Format::Human | Format::Github | Format::Sarif => Ok(()),
        }
    }

    /// Ends a request.
    pub fn end_of_request(&mut self, file: &str, tally: &RequestTally) -> io::Result<()> {
        if matches!(self.format, Format::Json | Format::Sarif) {
            return Ok(());
        }
        let hidden: Vec<_> = self.limit.hidden().collect();
        for (rule, more) in hidden {
            self.write(&format!("... {more} more of {rule} (--limit 0 shows all)\n"))?;
        }
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
        self.write(&self.screen.wrap(&judged, 2))
    }

    /// Ends the report.
    pub fn finish(mut self, tally: &RequestTally) -> io::Result<()> {
        self.write(&self.room.told())?;
        if self.format == Format::Json {
            let line = JsonLine::new("summary")
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
            self.write(&line.end())?;
        }
        match &mut self.out {
            Out::Lines(out) => out.flush(),
            Out::Sarif(sarif) => sarif.end(),
        }
    }

    fn in_words(&self, file: &str, finding: &RequestFinding) -> String {
        let RequestFinding { rule, violation, excerpt } = finding;
        let screen = self.screen;
        let name = format!("{}[{}]", rule.severity.name(), rule.id);
        let head = screen.wrap(&format!("{name}: {}", fit(&violation.found.to_string())), 2);
        let mut text = head.replacen(&name, &screen.styled(&name, rule.severity), 1);
        text.push_str(&format!("  --> {file}: {}\n", violation.place));
        if !excerpt.is_empty() {
            let room = screen.columns.map(|columns| columns.saturating_sub("   | ".len()));
            let shown = Excerpt::within(excerpt, 0..excerpt.len(), room.map(|room| room * 3 / 2));
            text.push_str(&format!("   | {}\n", shown.text));
        }
        let mut note = |note: String| text.push_str(&screen.wrap(&format!("   = {note}"), 5));
        if let Some(error) = &violation.error {
            note(format!("the API answers: {}", fit(error)));
        }
        note(format!("expected: {}", fit(&violation.expected.to_string())));
        note(format!("turnproof explain {}", rule.id));
        text + "\n"
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

fn fit(text: &str) -> String {
    Excerpt::whole(text.as_bytes())
}

/// The beginning of a block, on one line.
fn shorten(json: &[u8]) -> String {
    Excerpt::new(json, 0..json.len()).text
}
