//! *Human* output: an annotated excerpt for each violation, then a summary.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use rayon::prelude::*;

use crate::check::{Finding, Sink, Tally};
use crate::rules::{Rule, Severity, find};

use super::excerpt::Excerpt;
use super::table::{count, size, table};

/// Writes findings for people.
pub struct Human<W> {
    out: W,
    renderer: Renderer,
    limit: Limit,
    file: String,
    /// What has been found and not yet been drawn.
    found: Vec<Page>,
}

impl<W: Write> Human<W> {
    /// Writes to `out`, with colours or without; shows at most `limit` violations of each rule for each file (0: all).
    pub fn new(out: W, colour: bool, limit: u64) -> Self {
        // Excerpts are cut to fit already.
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() }.term_width(1000);
        Self { out, renderer, limit: Limit::new(limit), file: String::new(), found: Vec::new() }
    }

    /// Draws what has been found and writes it, in order.
    fn draw(&mut self) -> io::Result<()> {
        let found = std::mem::take(&mut self.found);
        let drawn: Vec<String> = found.par_iter().map(|page| page.draw(&self.renderer)).collect();
        self.out.write_all(drawn.concat().as_bytes())
    }
}

/// So many findings are drawn at once.
const PAGES: usize = 256;

/// How many violations of one rule are shown.
pub(super) struct Limit {
    /// At most so many; 0 for all.
    most: u64,
    /// How many there were so far, by the rule's id.
    found: BTreeMap<&'static str, u64>,
}

impl Limit {
    pub(super) fn new(most: u64) -> Self {
        Self { most, found: BTreeMap::new() }
    }

    /// Counts a violation; gives whether it is shown.
    pub(super) fn shows(&mut self, rule: &Rule) -> bool {
        let found = self.found.entry(rule.id).or_default();
        *found += 1;
        self.most == 0 || *found <= self.most
    }

    /// The rules with violations that were not shown, and how many. The counts begin anew.
    pub(super) fn hidden(&mut self) -> impl Iterator<Item = (&'static str, String)> + use<> {
        let most = self.most;
        let found = std::mem::take(&mut self.found).into_iter();
        found.filter(move |&(_, found)| most > 0 && found > most).map(move |(rule, found)| (rule, count(found - most)))
    }
}

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
        let path = if finding.path.is_empty() { String::new() } else { format!(" in {}", finding.path) };
        Self {
            rule: finding.rule,
            title: finding.found.clone(),
            label: format!("expected {}", finding.expected),
            // The renderer would count the column within the excerpt.
            place: format!("{}:{}:{}{path}", finding.file, finding.line, finding.column()),
            line: finding.line as usize,
            excerpt: Excerpt::of(finding),
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
        file.clone_into(&mut self.file);
        self.limit.shows(rule)
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.found.push(Page::new(finding));
        if self.found.len() >= PAGES { self.draw() } else { Ok(()) }
    }

    fn end_of_file(&mut self) -> io::Result<()> {
        self.draw()?;
        let hidden: Vec<_> = self.limit.hidden().collect();
        for (rule, more) in &hidden {
            writeln!(self.out, "... {more} more of {rule} in {}", self.file)?;
        }
        if hidden.is_empty() { Ok(()) } else { self.out.write_all(b"(--limit 0 shows all)\n\n") }
    }

    fn finish(&mut self, tally: &Tally) -> io::Result<()> {
        self.out.write_all(summary(tally).as_bytes())?;
        self.out.flush()
    }
}

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
