//! *Human* output: an annotated excerpt for each violation, then a summary.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use rayon::prelude::*;

use crate::check::{Finding, InputError, Sink, Tally};
use crate::rules::{Rule, Severity, find};

use super::excerpt::Excerpt;
use super::table::{count, size, table};

/// Writes findings for people.
pub struct Human<W> {
    out: W,
    error: Option<io::Error>,
    renderer: Renderer,
    /// How many violations of one rule are shown for each file; 0 for all.
    limit: u64,
    file: String,
    shown: BTreeMap<&'static str, u64>,
    /// What has been found and not yet been drawn.
    found: Vec<Page>,
}

impl<W: Write> Human<W> {
    /// Writes to `out`, with colours or without, and shows at most `limit` violations of each rule
    /// for each file (0: all).
    pub fn new(out: W, colour: bool, limit: u64) -> Self {
        // Excerpts are cut to fit already.
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() }.term_width(1000);
        Self { out, error: None, renderer, limit, file: String::new(), shown: BTreeMap::new(), found: Vec::new() }
    }

    fn write(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = self.out.write_all(text.as_bytes()).err();
        }
    }

    /// Says how many violations of the last file were not shown.
    fn tell_hidden(&mut self) {
        let hidden: Vec<_> = std::mem::take(&mut self.shown)
            .into_iter()
            .filter(|&(_, shown)| self.limit > 0 && shown > self.limit)
            .collect();
        for (rule, shown) in &hidden {
            let more = count(shown - self.limit);
            self.write(&format!("... {more} more of {rule} in {}\n", self.file));
        }
        if !hidden.is_empty() {
            self.write("(--limit 0 shows all)\n\n");
        }
    }

    /// Writes the summary and ends.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(mut self, tally: &Tally) -> io::Result<()> {
        self.end_of_file();
        self.write(&summary(tally));
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }

    /// Draws what has been found and writes it, in order.
    fn draw(&mut self) {
        let found = std::mem::take(&mut self.found);
        let drawn: Vec<String> = found.par_iter().map(|page| page.draw(&self.renderer)).collect();
        drawn.iter().for_each(|text| self.write(text));
    }
}

/// So many findings are drawn at once.
const PAGES: usize = 256;

/// What is to be drawn of a finding.
struct Page {
    rule: &'static Rule,
    title: String,
    label: String,
    place: String,
    line: usize,
    excerpt: Excerpt,
}

impl Page {
    fn new(finding: &Finding<'_>) -> Self {
        let at = |byte: u64| byte.saturating_sub(finding.text_start) as usize;
        let path = if finding.path.is_empty() { String::new() } else { format!(" in {}", finding.path) };
        Self {
            rule: finding.rule,
            title: finding.found.clone(),
            label: format!("expected {}", finding.expected),
            // The renderer would count the column within the excerpt.
            place: format!("{}:{}:{}{path}", finding.file, finding.line, finding.column()),
            line: finding.line as usize,
            excerpt: Excerpt::new(finding.text, at(finding.start)..at(finding.end)),
        }
    }

    fn draw(&self, renderer: &Renderer) -> String {
        let level = match self.rule.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let title = level.primary_title(self.title.as_str()).id(self.rule.id);
        let group = match self.excerpt.text.is_empty() {
            true => title.element(Level::NOTE.message(self.label.as_str())),
            false => title.element(
                Snippet::source(self.excerpt.text.as_str())
                    .line_start(self.line)
                    .annotation(AnnotationKind::Primary.span(self.excerpt.marked.clone()).label(self.label.as_str())),
            ),
        };
        let rendered = renderer.render(&[group]);
        let (place, indent) = (&self.place, " ".repeat(self.line.to_string().len()));
        match rendered.split_once('\n') {
            Some((title, rest)) => format!("{title}\n{indent}--> {place}\n{rest}\n\n"),
            None => format!("{rendered}\n{indent}--> {place}\n\n"),
        }
    }
}

impl<W: Write> Sink for Human<W> {
    fn wants(&mut self, file: &str, rule: &Rule) -> bool {
        if file != self.file {
            self.end_of_file();
            file.clone_into(&mut self.file);
        }
        let shown = self.shown.entry(rule.id).or_default();
        *shown += 1;
        self.limit == 0 || *shown <= self.limit
    }

    fn finding(&mut self, finding: &Finding<'_>) {
        self.found.push(Page::new(finding));
        if self.found.len() >= PAGES {
            self.draw();
        }
    }

    fn end_of_file(&mut self) {
        self.draw();
        self.tell_hidden();
    }

    /// Not a violation: the command line tells of these on standard error.
    fn unreadable(&mut self, _error: &InputError) {}

    fn progress(&mut self, _bytes: u64) {}

    fn is_closed(&self) -> bool {
        self.error.is_some()
    }
}

/// The counts, for people.
pub(super) fn summary(tally: &Tally) -> String {
    let mut text = String::new();
    if !tally.violations.is_empty() {
        let row = |(rule, violations): (&&str, &u64)| {
            let severity = find(rule).map_or("", |rule| rule.severity.name());
            [(*rule).to_owned(), severity.to_owned(), count(*violations)]
        };
        text.push_str(&table(["rule", "severity", ">violations"], tally.violations.iter().map(row)));
        text.push('\n');
    }
    let unreadable = match tally.unreadable {
        0 => String::new(),
        inputs => format!(", {} that could not be read", size(inputs, "input")),
    };
    text.push_str(&format!(
        "{}, {}, {}{unreadable}: {}\n",
        size(tally.files, "file"),
        size(tally.lines, "line"),
        size(tally.records, "record"),
        match tally.violation_count() {
            0 if tally.files == 0 => "nothing was judged".to_owned(),
            0 => "no violations".to_owned(),
            violations => size(violations, "violation"),
        },
    ));
    text.push_str(&format!(
        "{} = {} in records + {} blank + {} in {}\n",
        size(tally.bytes, "byte"),
        count(tally.record_bytes),
        count(tally.blank_bytes),
        count(tally.rejected_bytes),
        size(tally.rejected, "rejected range"),
    ));
    text
}
