//! *GitHub annotations* are workflow commands that mark the lines of a file in a pull request.

use std::io::{self, Write};

use crate::check::{Finding, InputError, Sink, Tally};
use crate::rules::{Rule, Severity};

use super::human::summary;

/// Writes findings as GitHub annotations.
pub struct GitHub<W>(pub W);

impl<W: Write> Sink for GitHub<W> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let path = if finding.path.is_empty() { String::new() } else { format!("`{}`: ", finding.path) };
        let text = format!("{path}{}; expected {}", finding.found, finding.expected);
        let place = format!("line={},col={}", finding.line, finding.column());
        writeln!(self.0, "{}", annotation(finding.rule, finding.file, &place, &text))
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        writeln!(self.0, "::error file={}::{}", property(&error.name), message(&error.problem))
    }

    /// Writes the summary as plain text.
    fn finish(&mut self, tally: &Tally) -> io::Result<()> {
        writeln!(self.0, "{}", summary(tally).trim_end())?;
        self.0.flush()
    }
}

/// The annotation for a broken rule.
pub(super) fn annotation(rule: &Rule, file: &str, place: &str, text: &str) -> String {
    let level = match rule.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    format!("::{level} file={},{place},title={}::{}", property(file), property(rule.id), message(text))
}

/// Text of a message, escaped as workflow commands require.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text of a property, escaped as workflow commands require.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
