//! *Statistics* are counts alone: how often each rule is broken and in how many files, and how many sessions are of
//! which class.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use turnproof_suite::table::count;

use crate::check::{Judged, Sink, Tally};
use turnproof_rules::rules::{Rule, find};

use super::human::summary;
use super::jsonl::JsonLine;
use super::printer::Format;
use super::screen::Screen;
use super::table::table_within;
use super::verdicts::{by_class, class_counts};

/// Writes statistics: a table, or an object a line.
pub struct Statistics<W> {
    out: W,
    screen: Screen,
    format: Format,
    /// By rule: violations, files, and the number of the last file.
    rules: BTreeMap<&'static str, (u64, u64, u64)>,
    /// The number of the file at hand, from 1.
    file: u64,
}

impl<W: Write> Statistics<W> {
    /// Writes to `out`, for this screen; objects where the format is JSON.
    pub fn new(out: W, screen: Screen, format: Format) -> Self {
        Self { out, screen, format, rules: BTreeMap::new(), file: 1 }
    }

    /// The most frequent first, after the severity.
    fn sorted(&self) -> Vec<(&'static Rule, u64, u64)> {
        let rule = |(id, &(violations, files, _)): (&&str, &(u64, u64, u64))| Some((find(id)?, violations, files));
        let mut sorted: Vec<_> = self.rules.iter().filter_map(rule).collect();
        sorted.sort_by_key(|(rule, violations, _)| (Reverse(rule.severity), Reverse(*violations)));
        sorted
    }

    fn page(&self, tally: &Tally, judged: &[Judged]) -> String {
        let row = |(rule, violations, files): (&Rule, u64, u64)| {
            [rule.id.to_owned(), rule.severity.name().to_owned(), count(violations), count(files)]
        };
        let rows: Vec<[String; 4]> = self.sorted().into_iter().map(row).collect();
        let mut text = String::new();
        if !rows.is_empty() {
            text = table_within(self.screen.columns, ["rule", "severity", ">violations", ">files"], rows) + "\n";
        }
        text += &summary(tally, judged, self.screen);
        if !judged.is_empty() {
            text += &self.screen.wrap(&by_class(judged), 2);
        }
        text
    }

    fn lines(&self, judged: &[Judged]) -> String {
        let rule = |(rule, violations, files): (&'static Rule, u64, u64)| {
            let line = JsonLine::new("rule").with("rule", rule.id).with("severity", rule.severity.name());
            line.with("violations", violations).with("files", files).end()
        };
        let class =
            |(class, files): (&str, u64)| JsonLine::new("class").with("class", class).with("files", files).end();
        let classes = class_counts(judged);
        self.sorted().into_iter().map(rule).chain(classes.into_iter().map(class)).collect()
    }
}

impl<W: Write> Sink for Statistics<W> {
    fn wants(&mut self, _file: &str, rule: &Rule) -> bool {
        let (violations, files, last) = self.rules.entry(rule.id).or_default();
        *violations += 1;
        *files += u64::from(*last != self.file);
        *last = self.file;
        false
    }

    fn end_of_file(&mut self, _judged: Option<&Judged>) -> io::Result<()> {
        self.file += 1;
        Ok(())
    }

    fn finish(&mut self, tally: &Tally, judged: &[Judged]) -> io::Result<()> {
        let text = if self.format == Format::Json { self.lines(judged) } else { self.page(tally, judged) };
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}
