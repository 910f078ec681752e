//! The report on *replies*: the broken rules, each with its event and its line, or that a reply is legal.

use std::io::{self, Write};

use crate::check::{ReplyFinding, ReplyTally};
use turnproof_rules::rules::{Place, Rule};

use super::excerpt::Excerpt;
use super::github::{Room, annotation};
use super::human::Limit;
use super::jsonl::{JsonLine, values};
use super::request::Format;
use super::sarif::Sarif;
use super::screen::Screen;
use turnproof_suite::table::size;

/// Prints what is found in replies. A method fails when something cannot be written.
pub struct ReplyReport<'a, W> {
    out: Out<'a, W>,
    format: Format,
    screen: Screen,
    limit: Limit,
    room: Room,
}

/// Where it is written to: lines as they are, or a document.
enum Out<'a, W> {
    Lines(W),
    Sarif(Sarif<'a, W>),
}

impl<'a, W: Write> ReplyReport<'a, W> {
    /// Writes to `out`. `rules` are those that are asked. Shows people at most `limit` violations of a rule for each
    /// reply (0: all).
    pub fn new(out: W, format: Format, screen: Screen, limit: u64, rules: &'a [&'static Rule]) -> Self {
        let out = match format {
            Format::Sarif => Out::Sarif(Sarif::new(out, rules, false)),
            Format::Human | Format::Json | Format::Github => Out::Lines(out),
        };
        Self { out, format, screen, limit: Limit::new(limit), room: Room::default() }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        match &mut self.out {
            Out::Lines(out) => out.write_all(text.as_bytes()),
            // A document has no other lines.
            Out::Sarif(_) => Ok(()),
        }
    }

    /// Writes a finding in the reply named `file`.
    pub fn finding(&mut self, file: &str, finding: &ReplyFinding) -> io::Result<()> {
        if let Out::Sarif(sarif) = &mut self.out {
            return sarif.reply(file, line(finding), finding);
        }
        match self.format {
            Format::Human if self.limit.shows(finding.rule) => self.write(&self.in_words(file, finding)),
            Format::Json => self.write(&violation_line(file, finding)),
            Format::Github if self.room.take(finding.rule.severity) => {
                // Whatever is in the reply stays on one line and moves no cursor.
                let text = fit(&format!("`{}`: {}", finding.violation.place, finding.violation.found));
                let place = format!("line={}", line(finding));
                self.write(&(annotation(finding.rule, finding.violation.kind, file, &place, &text) + "\n"))
            }
            Format::Human | Format::Github | Format::Sarif => Ok(()),
        }
    }

    /// Ends a reply, which is `what`.
    pub fn end_of_reply(&mut self, file: &str, what: &str, tally: &ReplyTally) -> io::Result<()> {
        if matches!(self.format, Format::Json | Format::Sarif) {
            return Ok(());
        }
        let hidden: Vec<_> = self.limit.hidden().collect();
        for (rule, more) in hidden {
            self.write(&format!("... {more} more of {rule} (--limit 0 shows all)\n"))?;
        }
        let bytes = size(tally.bytes, "byte");
        let counts = if tally.events > 0 { format!("{}, {bytes}", size(tally.events, "event")) } else { bytes };
        let judged = match tally.violation_count() {
            0 => format!("{file}: {what}, legal: {counts}"),
            notes if tally.legal > 0 => format!("{file}: {what}, legal, with {}: {counts}", size(notes, "note")),
            violations => format!("{file}: {what}, not legal: {} in {counts}", size(violations, "violation")),
        };
        self.write(&self.screen.wrap(&judged, 2))
    }

    /// Ends the report.
    pub fn finish(mut self, tally: &ReplyTally) -> io::Result<()> {
        self.write(&self.room.told())?;
        if self.format == Format::Json {
            let line = JsonLine::new("summary")
                .with("replies", tally.replies)
                .with("legal", tally.legal)
                .with("events", tally.events)
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

    fn in_words(&self, file: &str, finding: &ReplyFinding) -> String {
        let ReplyFinding { rule, violation, excerpt } = finding;
        let screen = self.screen;
        let name = format!("{}[{}]", rule.severity.name(), rule.id);
        let head = screen.wrap(&format!("{name}: {}", fit(&violation.found.to_string())), 2);
        let mut text = head.replacen(&name, &screen.styled(&name, rule.severity), 1);
        text.push_str(&format!("  --> {file}: {}\n", violation.place));
        if !excerpt.is_empty() {
            let room = screen.columns.map(|columns| columns.saturating_sub("   | ".len()));
            let shown = Excerpt::within(excerpt.as_bytes(), 0..excerpt.len(), room.map(|room| room * 3 / 2));
            text.push_str(&format!("   | {}\n", shown.text));
        }
        let mut note = |note: String| text.push_str(&screen.wrap(&format!("   = {note}"), 5));
        note(format!("expected: {}", fit(&violation.expected.to_string())));
        note(format!("turnproof explain {}", rule.id));
        text + "\n"
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
        .with("excerpt", fit(&finding.excerpt));
    line.end()
}

fn fit(text: &str) -> String {
    Excerpt::whole(text.as_bytes())
}
