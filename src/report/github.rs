//! *GitHub annotations* are workflow commands that mark the lines of a file in a pull request. GitHub shows ten of each
//! kind a step, so findings are grouped by file and rule, and what there is no room for is counted.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::check::{Finding, InputError, Judged, Sink, Tally};
use turnproof_rules::rules::{Rule, Severity};

use super::human::{rules_found, summary};
use super::screen::Screen;
use turnproof_suite::table::size;

/// So many annotations of a kind are shown by GitHub.
const SHOWN: usize = 10;

/// Writes findings as GitHub annotations, one for each rule in each file, and one for each session that is broken.
pub struct GitHub<W> {
    out: W,
    room: Room,
    /// The annotations that there may be room for, in their order. An input that cannot be read has no severity.
    annotations: Vec<(Option<Severity>, String)>,
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

impl<W: Write> GitHub<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, room: Room::default(), annotations: Vec::new(), found: BTreeMap::new() }
    }

    /// Writes the annotations that there is room for. Sessions that are broken take the first places for errors.
    fn annotate(&mut self, broken: usize) -> io::Result<()> {
        let mut errors = SHOWN.saturating_sub(broken);
        for (severity, annotation) in &self.annotations {
            if *severity == Some(Severity::Error) {
                let Some(left) = errors.checked_sub(1) else {
                    self.room.without += 1;
                    continue;
                };
                errors = left;
            }
            writeln!(self.out, "{annotation}")?;
        }
        self.room.without += broken.saturating_sub(SHOWN) as u64;
        Ok(())
    }
}

impl<W: Write> Sink for GitHub<W> {
    fn wants(&mut self, _file: &str, rule: &Rule) -> bool {
        let known = self.found.get_mut(rule.id);
        known.map(|(.., count)| *count += 1).is_none()
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let path = if finding.path.is_empty() { String::new() } else { format!("`{}`: ", finding.path) };
        let text = format!("{path}{}; expected {}", finding.found, finding.expected);
        let place = format!("line={},col={}", finding.line, finding.column());
        let annotation = annotation(finding.rule, finding.rule.severity, finding.kind, finding.file, &place, &text);
        self.found.insert(finding.rule.id, (finding.rule.severity, annotation, 1));
        Ok(())
    }

    fn end_of_file(&mut self, _judged: Option<&Judged>) -> io::Result<()> {
        for (severity, annotation, count) in std::mem::take(&mut self.found).into_values() {
            if self.room.take(severity) {
                let more = if count > 1 { format!(" (and {} more in this file)", count - 1) } else { String::new() };
                self.annotations.push((Some(severity), annotation + &more));
            }
        }
        Ok(())
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        let annotation = format!("::error file={}::{}", property(&error.name), message(&error.problem));
        self.annotations.push((None, annotation));
        Ok(())
    }

    /// Writes the annotations of sessions, and the summary as plain text.
    fn finish(&mut self, tally: &Tally, judged: &[Judged]) -> io::Result<()> {
        let broken = judged.iter().filter(|judged| judged.is_broken());
        self.annotate(broken.clone().count())?;
        for Judged { file, verdict, .. } in broken.take(SHOWN) {
            let text = verdict.consequences().join("; ");
            let (file, class) = (property(file), verdict.class.name());
            writeln!(self.out, "::error file={file},line=1,title={class}::{}", message(&text))?;
        }
        let screen = Screen::default();
        let text = self.room.told() + &rules_found(tally, screen) + &summary(tally, judged, screen);
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

/// The annotation for a broken rule.
pub(super) fn annotation(rule: &Rule, severity: Severity, kind: &str, file: &str, place: &str, text: &str) -> String {
    let level = match severity {
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
