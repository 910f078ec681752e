//! An *overview* is findings by rule: how many and where first, what they mean for who holds the session, and then the
//! verdicts. It fits a page, however many files there are.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::check::{Finding, Judged, Sink, Tally};
use turnproof_rules::rules::{Rule, Severity, find};

use super::drawn::Drawn;
use super::human::summary;
use super::screen::Screen;
use super::verdicts::{lines, named, verdict_page};
use turnproof_suite::table::{count, size};

/// At most so many lines on a screen without columns. On a narrow one each of them may take several.
pub const ROOM: usize = 60;

/// At most so many of them for the verdicts.
const ROOM_OF_VERDICTS: usize = 24;

/// Writes an overview. Findings in files that are not broken are told last, in one line.
pub struct Overview<'a, W> {
    out: W,
    screen: Screen,
    /// Whether verdicts are asked for.
    verdicts: bool,
    /// What was asked about, for the commands to run.
    paths: &'a [String],
    /// Whether there is one file alone: its findings are drawn.
    is_single: bool,
    /// Whether only what is wrong is told: no counts, and nothing to run.
    is_quiet: bool,
    groups: BTreeMap<&'static str, Group>,
    /// The findings of the file at hand, by rule: how many, and the first.
    found: BTreeMap<&'static str, (u64, Option<Drawn>)>,
}

/// The findings of a rule.
#[derive(Default)]
struct Group {
    /// In files that are broken, or in all where there are no verdicts.
    told: Part,
    /// In the other ones.
    others: Part,
}

#[derive(Default)]
struct Part {
    count: u64,
    files: u64,
    first: Option<Drawn>,
}

impl<'a, W: Write> Overview<'a, W> {
    /// Writes to `out`, for this screen. `is_single` says that there is one file alone.
    pub fn new(out: W, screen: Screen, is_single: bool) -> Self {
        let (groups, found) = (BTreeMap::new(), BTreeMap::new());
        Self { out, screen, verdicts: false, paths: &[], is_single, is_quiet: false, groups, found }
    }

    /// The same, with verdicts. `paths` is what was asked about, for the commands to run.
    pub fn with_verdicts(self, paths: &'a [String]) -> Self {
        Self { verdicts: true, paths, ..self }
    }

    /// The same, where `is_quiet` without counts and advice: nothing at all where nothing is wrong.
    pub fn quiet(self, is_quiet: bool) -> Self {
        Self { is_quiet, ..self }
    }

    fn page(&self, tally: &Tally, judged: &[Judged]) -> String {
        let end = match self.is_quiet {
            true => named(judged, ROOM_OF_VERDICTS, self.screen, true),
            false => {
                let page = verdict_page(judged, self.paths, ROOM_OF_VERDICTS, self.screen);
                let gap = if page.is_empty() { "" } else { "\n" };
                self.elsewhere() + &summary(tally, judged, self.screen) + gap + &page
            }
        };
        // One line says what there was no room for.
        let room = ROOM.saturating_sub(lines(&end) + 2);
        let told = self.parts(|group| &group.told);
        let (mut text, mut used, mut shown) = (String::new(), 0, 0);
        for (rule, part) in &told {
            let block = self.block(rule, part);
            // What is drawn counts as it is; a rule that is named alone has three lines, however they break.
            used += if self.is_single { lines(&block) } else { BLOCK };
            if shown > 0 && used > room {
                break;
            }
            shown += 1;
            text += &block;
        }
        if told.len() > shown {
            let more: Vec<String> = told[shown..].iter().map(|(rule, part)| counted(rule, part)).collect();
            let rules = size(more.len() as u64, "rule");
            let more = format!("and {rules} more: {} (--limit 1 shows each)", more.join(", "));
            text += &self.screen.wrap(&more, 2);
        }
        if !text.is_empty() && !text.ends_with("\n\n") && !self.is_quiet {
            text.push('\n');
        }
        text + &end
    }

    /// The rules with a part that is not empty, worst first and then by how often they are broken.
    fn parts(&self, of: fn(&Group) -> &Part) -> Vec<(&'static Rule, &Part)> {
        let found = self.groups.iter().filter_map(|(id, group)| Some((find(id)?, of(group))));
        let mut found: Vec<_> = found.filter(|(_, part)| part.count > 0).collect();
        found.sort_by_key(|(rule, part)| (Reverse(rule.severity), Reverse(part.count)));
        found
    }

    /// A rule: drawn where there is one file, else with its counts and its first place.
    fn block(&self, rule: &Rule, part: &Part) -> String {
        let Some(first) = &part.first else { return String::new() };
        let mut text = match self.is_single {
            true => first.draw(self.screen),
            false => {
                let name = format!("{}[{}]", rule.severity.name(), rule.id);
                let files = size(part.files, "file");
                let line = format!("{name}: {} in {files}, first {}", count(part.count), first.place);
                self.screen.wrap(&line, 4).replacen(&name, &self.screen.styled(&name, rule.severity), 1)
            }
        };
        let mut note = |note: &str| text += &self.screen.wrap(&format!("  = {note}"), 4);
        if self.is_single && part.count > 1 {
            note(&format!("and {} more (--limit 0 shows all)", count(part.count - 1)));
        }
        rule.consequence.into_iter().for_each(|meaning| note(&format!("it means: {meaning}")));
        note(&format!("turnproof explain {}", rule.id));
        if self.is_single { text + "\n" } else { text }
    }

    /// What is found in files that are not broken.
    fn elsewhere(&self) -> String {
        let found = self.parts(|group| &group.others);
        if found.is_empty() {
            return String::new();
        }
        let rules: Vec<String> = found.iter().map(|(rule, part)| counted(rule, part)).collect();
        let line = format!("in files that are not broken: {} (--limit 5 shows them)", rules.join(", "));
        self.screen.wrap(&line, 2) + "\n"
    }
}

/// The lines of a rule that is named with its counts.
const BLOCK: usize = 3;

/// A rule with its count, and its severity where it is an error.
fn counted(rule: &Rule, part: &Part) -> String {
    let severity = if rule.severity == Severity::Error { "error " } else { "" };
    format!("{severity}{} × {}", rule.id, count(part.count))
}

impl<W: Write> Sink for Overview<'_, W> {
    fn wants(&mut self, _file: &str, rule: &Rule) -> bool {
        let (count, _) = self.found.entry(rule.id).or_default();
        *count += 1;
        // Whether the file is broken is not known yet.
        let has_both = |group: &Group| group.told.first.is_some() && group.others.first.is_some();
        *count == 1 && !self.groups.get(rule.id).is_some_and(has_both)
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let drawn = Drawn::of(finding, self.screen);
        self.found.entry(finding.rule.id).or_default().1 = Some(drawn);
        Ok(())
    }

    fn end_of_file(&mut self, judged: Option<&Judged>) -> io::Result<()> {
        let is_broken = judged.is_some_and(|judged| judged.verdict.class.is_broken());
        let is_told = self.is_single || !self.verdicts || is_broken;
        for (rule, (count, first)) in std::mem::take(&mut self.found) {
            let group = self.groups.entry(rule).or_default();
            let part = if is_told { &mut group.told } else { &mut group.others };
            part.count += count;
            part.files += 1;
            part.first = part.first.take().or(first);
        }
        Ok(())
    }

    fn finish(&mut self, tally: &Tally, judged: &[Judged]) -> io::Result<()> {
        self.out.write_all(self.page(tally, judged).as_bytes())?;
        self.out.flush()
    }
}
