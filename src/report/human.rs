//! *Human* output: an annotated excerpt for each violation, then a summary.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rayon::prelude::*;

use crate::check::{Class, Finding, Judged, Sink, Tally};
use turnproof_rules::rules::{Rule, find};

use super::drawn::Drawn;
use super::screen::Screen;
use super::table::table_within;
use super::verdicts::{named, verdict_page};
use turnproof_suite::table::{count, size};

/// Writes findings for people.
pub struct Human<'a, W> {
    out: W,
    screen: Screen,
    limit: Limit,
    /// What has been found and not yet been drawn.
    found: Vec<Drawn>,
    /// What was asked about, for the commands to run.
    paths: &'a [String],
    /// Whether only what is wrong is told: no counts, and nothing to run.
    is_quiet: bool,
}

impl<'a, W: Write> Human<'a, W> {
    /// Writes to `out`, for this screen; shows at most `limit` violations of each rule over all files (0: all).
    pub fn new(out: W, screen: Screen, limit: u64) -> Self {
        Self { out, screen, limit: Limit::new(limit), found: Vec::new(), paths: &[], is_quiet: false }
    }

    /// The same. `paths` is what was asked about, for the commands to run.
    pub fn with_paths(self, paths: &'a [String]) -> Self {
        Self { paths, ..self }
    }

    /// The same, where `is_quiet` without counts and advice: nothing at all where nothing is wrong.
    pub fn quiet(self, is_quiet: bool) -> Self {
        Self { is_quiet, ..self }
    }

    /// Draws what has been found and writes it, in order.
    fn draw(&mut self) -> io::Result<()> {
        let found = std::mem::take(&mut self.found);
        let screen = self.screen;
        let drawn: Vec<String> = found.par_iter().map(|drawn| drawn.draw(screen) + "\n").collect();
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

    /// The rules with violations that were not shown, and how many. The counts restart.
    pub(super) fn hidden(&mut self) -> impl Iterator<Item = (&'static str, String)> + use<> {
        let most = self.most;
        let found = std::mem::take(&mut self.found).into_iter();
        found.filter(move |&(_, found)| most > 0 && found > most).map(move |(rule, found)| (rule, count(found - most)))
    }
}

impl<W: Write> Sink for Human<'_, W> {
    fn wants(&mut self, _file: &str, rule: &Rule) -> bool {
        self.limit.shows(rule)
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.found.push(Drawn::of(finding, self.screen));
        if self.found.len() >= PAGES { self.draw() } else { Ok(()) }
    }

    fn end_of_file(&mut self, _judged: Option<&Judged>) -> io::Result<()> {
        self.draw()
    }

    fn finish(&mut self, tally: &Tally, judged: &[Judged]) -> io::Result<()> {
        if self.is_quiet {
            write!(self.out, "{}", named(judged, usize::MAX, self.screen, true))?;
            return self.out.flush();
        }
        let hidden: Vec<_> = self.limit.hidden().collect();
        for (rule, more) in &hidden {
            writeln!(self.out, "... {more} more of {rule}")?;
        }
        if !hidden.is_empty() {
            self.out.write_all(b"(--limit 0 shows all)\n\n")?;
        }
        self.out.write_all(rules_found(tally, self.screen).as_bytes())?;
        self.out.write_all(summary(tally, judged, self.screen).as_bytes())?;
        if !judged.is_empty() {
            write!(self.out, "\n{}", verdict_page(judged, self.paths, usize::MAX, self.screen))?;
        }
        self.out.flush()
    }
}

/// A table of the rules that are broken, and an empty line; nothing where none is.
pub(super) fn rules_found(tally: &Tally, screen: Screen) -> String {
    if tally.violations.is_empty() {
        return String::new();
    }
    let row = |(rule, violations): (&&str, &u64)| {
        let severity = find(rule).map_or("", |rule| rule.severity.name());
        [(*rule).to_owned(), severity.to_owned(), count(*violations)]
    };
    table_within(screen.columns, ["rule", "severity", ">violations"], tally.violations.iter().map(row)) + "\n"
}

/// How much was read, and how many rules are broken how often.
/// Where no file is a session, nothing of one can be said to hold.
pub(super) fn summary(tally: &Tally, judged: &[Judged], screen: Screen) -> String {
    let is_none = !judged.is_empty() && judged.iter().all(|judged| judged.verdict.class == Class::NotASession);
    let unreadable = match tally.unreadable {
        0 => String::new(),
        inputs => format!(", {} that could not be read", size(inputs, "input")),
    };
    let files = format!(
        "{}, {}, {}{unreadable}: {}",
        size(tally.files, "file"),
        size(tally.lines, "line"),
        size(tally.records, "record"),
        match tally.violation_count() {
            0 if tally.files == 0 => "nothing was judged".to_owned(),
            0 if is_none => "no session".to_owned(),
            0 => "no violations".to_owned(),
            violations => size(violations, "violation"),
        },
    );
    let bytes = format!(
        "{} = {} in records + {} blank + {} in {}",
        size(tally.bytes, "byte"),
        count(tally.record_bytes),
        count(tally.blank_bytes),
        count(tally.rejected_bytes),
        size(tally.rejected, "rejected range"),
    );
    screen.wrap(&files, 2) + &screen.wrap(&bytes, 2)
}
