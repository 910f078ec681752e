//! *GitHub annotations* are workflow commands that mark the lines of a file in a pull request. GitHub shows ten of each
//! kind a step, so findings are grouped by file and rule, and what there is no room for is counted.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::check::{Finding, InputError, Judged, Sink, Tally};
use crate::rules::{Rule, Severity};

use super::human::{rules_found, summary};
use super::screen::Screen;
use turnproof_suite::table::size;

/// So many annotations of a kind are shown by GitHub.
const SHOWN: usize = 10;

/// Writes findings as GitHub annotations, one for each rule in each file, and one for each session that is broken.
pub struct GitHub<'a, W> {
    out: W,
    judged: &'a [Judged],
    room: Room,
    /// The findings of the file at hand, by rule: the annotation of the first, and how many there are.
    found: BTreeMap<&'static str, (Severity, String, u64)>,
}

/// How many annotations of each kind there still is room for.
pub(super) struct Room {
    left: BTreeMap<Severity, usize>,
    without: u64,
}

impl Default for Room {
    fn default() -> Self {
        let kinds = [Severity::Info, Severity::Warning, Severity::Error];
        Self { left: kinds.map(|severity| (severity, SHOWN)).into(), without: 0 }
    }
}

impl Room {
    /// Takes a place for an annotation; `false` where there is none left.
    pub(super) fn take(&mut self, severity: Severity) -> bool {
        match self.left.get_mut(&severity) {
            Some(left @ 1..) => {
                *left -= 1;
                true
            }
            _ => {
                self.without += 1;
                false
            }
        }
    }

    /// What there was no room for; nothing where all was shown.
    pub(super) fn told(&self) -> String {
        match self.without {
            0 => String::new(),
            more => format!("and {} more: GitHub shows {SHOWN} of each kind\n", size(more, "annotation")),
        }
    }
}

impl<'a, W: Write> GitHub<'a, W> {
    /// Writes to `out`. Sessions that are broken take the first places for errors.
    pub fn new(out: W, judged: &'a [Judged]) -> Self {
        let broken = judged.iter().filter(|judged| judged.is_broken()).count();
        let mut room = Room::default();
        room.left.insert(Severity::Error, SHOWN.saturating_sub(broken));
        room.without = broken.saturating_sub(SHOWN) as u64;
        Self { out, judged, room, found: BTreeMap::new() }
    }
}

impl<W: Write> Sink for GitHub<'_, W> {
    fn wants(&mut self, _file: &str, rule: &Rule) -> bool {
        let known = self.found.get_mut(rule.id);
        known.map(|(.., count)| *count += 1).is_none()
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let path = if finding.path.is_empty() { String::new() } else { format!("`{}`: ", finding.path) };
        let text = format!("{path}{}; expected {}", finding.found, finding.expected);
        let place = format!("line={},col={}", finding.line, finding.column());
        let annotation = annotation(finding.rule, finding.kind, finding.file, &place, &text);
        self.found.insert(finding.rule.id, (finding.rule.severity, annotation, 1));
        Ok(())
    }

    fn end_of_file(&mut self) -> io::Result<()> {
        for (severity, annotation, count) in std::mem::take(&mut self.found).into_values() {
            if self.room.take(severity) {
                let more = if count > 1 { format!(" (and {} more in this file)", count - 1) } else { String::new() };
                writeln!(self.out, "{annotation}{more}")?;
            }
        }
        Ok(())
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        writeln!(self.out, "::error file={}::{}", property(&error.name), message(&error.problem))
    }

    /// Writes the annotations of sessions, and the summary as plain text.
    fn finish(&mut self, tally: &Tally) -> io::Result<()> {
        let broken = self.judged.iter().filter(|judged| judged.is_broken());
        for Judged { file, verdict, .. } in broken.take(SHOWN) {
            let text = verdict.consequences().join("; ");
            let (file, class) = (property(file), verdict.class.name());
            writeln!(self.out, "::error file={file},line=1,title={class}::{}", message(&text))?;
        }
        let screen = Screen::default();
        let text = self.room.told() + &rules_found(tally, screen) + &summary(tally, self.judged, screen);
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

/// The annotation for a broken rule.
pub(super) fn annotation(rule: &Rule, kind: &str, file: &str, place: &str, text: &str) -> String {
    let level = match rule.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let title = property(&format!("{} ({kind})", rule.id));
    format!("::{level} file={},{place},title={title}::{}", property(file), message(text))
}

/// Text of a message, escaped as workflow commands require.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text of a property, escaped as workflow commands require.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
