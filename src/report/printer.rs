//! A *printer* writes what reports on requests and on replies have in common: a finding in each format, and the end.

use std::io::{self, Write};

use turnproof_rules::rules::{Rule, Severity, Violation};

use super::excerpt::Excerpt;
use super::github::{Room, annotation};
use super::human::Limit;
use super::jsonl::JsonLine;
use super::sarif::Sarif;
use super::screen::Screen;

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

/// Where findings are written to, and how.
pub(super) struct Printer<'a, W> {
    out: Out<'a, W>,
    pub(super) format: Format,
    pub(super) screen: Screen,
    /// How many violations of one rule are shown for each file, in the human format.
    limit: Limit,
    room: Room,
}

/// Lines as they are, or a document.
enum Out<'a, W> {
    Lines(W),
    Sarif(Sarif<'a, W>),
}

/// A finding as it is printed.
pub(super) struct Printed<'f> {
    pub(super) file: &'f str,
    /// The line in the file.
    pub(super) line: u32,
    pub(super) rule: &'static Rule,
    /// How bad it is here.
    pub(super) severity: Severity,
    pub(super) violation: &'f Violation,
    /// The beginning of what it is about, as JSON.
    pub(super) excerpt: &'f [u8],
}

impl<'a, W: Write> Printer<'a, W> {
    pub(super) fn new(out: W, format: Format, screen: Screen, limit: u64, rules: &'a [&'static Rule]) -> Self {
        let out = match format {
            Format::Sarif => Out::Sarif(Sarif::new(out, rules, false)),
            Format::Human | Format::Json | Format::Github => Out::Lines(out),
        };
        Self { out, format, screen, limit: Limit::new(limit), room: Room::default() }
    }

    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        match &mut self.out {
            Out::Lines(out) => out.write_all(text.as_bytes()),
            // A document has no other lines.
            Out::Sarif(_) => Ok(()),
        }
    }

    /// Writes a finding. `json` makes its line for programs.
    pub(super) fn finding(&mut self, printed: &Printed<'_>, json: impl FnOnce() -> String) -> io::Result<()> {
        if let Out::Sarif(sarif) = &mut self.out {
            return sarif.judged(printed);
        }
        let Printed { file, line, rule, severity, violation, .. } = *printed;
        match self.format {
            Format::Human if self.limit.shows(rule) => self.write(&self.in_words(printed)),
            Format::Json => self.write(&json()),
            Format::Github if self.room.take(severity) => {
                let Violation { place, found, error, .. } = violation;
                let error = error.as_ref().map_or(String::new(), |error| format!("; the API answers: {error}"));
                // Whatever is in the file stays on one line and moves no cursor.
                let text = fit(&format!("`{place}`: {found}{error}"));
                self.write(&(annotation(rule, severity, violation.kind, file, &format!("line={line}"), &text) + "\n"))
            }
            Format::Human | Format::Github | Format::Sarif => Ok(()),
        }
    }

    /// Ends a file with a verdict for people.
    pub(super) fn end_of_file(&mut self, verdict: &str) -> io::Result<()> {
        if matches!(self.format, Format::Json | Format::Sarif) {
            return Ok(());
        }
        let hidden: Vec<_> = self.limit.hidden().collect();
        for (rule, more) in hidden {
            self.write(&format!("... {more} more of {rule} (--limit 0 shows all)\n"))?;
        }
        self.write(&self.screen.wrap(verdict, 2))
    }

    /// Writes a line below the verdict of a file, for people.
    pub(super) fn detail(&mut self, line: &str) -> io::Result<()> {
        match self.format {
            Format::Human | Format::Github => self.write(&self.screen.wrap(&format!("  {line}"), 4)),
            Format::Json | Format::Sarif => Ok(()),
        }
    }

    /// Shows what was written until now.
    #[cfg(feature = "cli")]
    pub(super) fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Lines(out) => out.flush(),
            Out::Sarif(_) => Ok(()),
        }
    }

    /// Ends the report, with a summary for programs.
    pub(super) fn finish(mut self, summary: JsonLine) -> io::Result<()> {
        self.write(&self.room.told())?;
        if self.format == Format::Json {
            self.write(&summary.end())?;
        }
        match &mut self.out {
            Out::Lines(out) => out.flush(),
            Out::Sarif(sarif) => sarif.end(),
        }
    }

    fn in_words(&self, printed: &Printed<'_>) -> String {
        let Printed { file, rule, severity, violation, excerpt, .. } = *printed;
        let screen = self.screen;
        let name = format!("{}[{}]", severity.name(), rule.id);
        let head = screen.wrap(&format!("{name}: {}", fit(&violation.found.to_string())), 2);
        let mut text = head.replacen(&name, &screen.styled(&name, severity), 1);
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

/// A text on one line, without what moves a cursor.
fn fit(text: &str) -> String {
    Excerpt::whole(text.as_bytes())
}
