//! *GitHub annotations*: workflow commands that mark the lines of a file in a pull request.

use std::io::{self, Write};

use crate::check::{Finding, InputError, Sink, Tally};
use crate::rules::Severity;

use super::human::summary;

/// Writes findings as GitHub annotations.
pub struct GitHub<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W: Write> GitHub<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, error: None }
    }

    fn write(&mut self, line: &str) {
        if self.error.is_none() {
            self.error = writeln!(self.out, "{line}").err();
        }
    }

    /// Writes the summary as plain text and ends.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(mut self, tally: &Tally) -> io::Result<()> {
        self.write(summary(tally).trim_end());
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }
}

impl<W: Write> Sink for GitHub<W> {
    fn finding(&mut self, finding: &Finding<'_>) {
        let level = match finding.rule.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let place = if finding.path.is_empty() { String::new() } else { format!("`{}`: ", finding.path) };
        let line = format!(
            "::{level} file={},line={},col={},title={}::{}",
            property(finding.file),
            finding.line,
            finding.column(),
            property(finding.rule.id),
            message(&format!("{place}{}; expected {}", finding.found, finding.expected)),
        );
        self.write(&line);
    }

    fn unreadable(&mut self, error: &InputError) {
        let line = format!("::error file={}::{}", property(&error.name), message(&error.problem));
        self.write(&line);
    }

    fn progress(&mut self, _bytes: u64) {}

    fn is_closed(&self) -> bool {
        self.error.is_some()
    }
}

/// Text of a message, as workflow commands want it.
pub(super) fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text of a property, as workflow commands want it.
pub(super) fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
