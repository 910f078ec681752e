//! What was *found* in a session: findings as they are kept for its page.

use std::collections::BTreeMap;
use std::io;

use crate::check::{Finding, Judged, Sink, Tally, Verdict};
use turnproof_rules::rules::Rule;

/// So many findings of a rule are kept; the others are counted.
const KEPT: u64 = 400;

/// A finding that is kept.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    pub(super) rule: &'static Rule,
    pub(super) line: u64,
    pub(super) start: u64,
    /// The block that it is about, where it is about one.
    pub(super) block: Option<usize>,
    pub(super) found: String,
    pub(super) expected: String,
}

/// What a check found in a session.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// By line.
    noted: Vec<Noted>,
    counts: BTreeMap<&'static str, u64>,
    taken: BTreeMap<&'static str, u64>,
    verdict: Option<Verdict>,
}

impl Found {
    /// What becomes of the session, where that was asked.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub(super) fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Whether a rule is broken.
    pub(super) fn has(&self, rule: &str) -> bool {
        self.counts.contains_key(rule)
    }

    /// Those of a line.
    pub(super) fn of_line(&self, line: u64) -> &[Noted] {
        let from = self.noted.partition_point(|noted| noted.line < line);
        let to = self.noted.partition_point(|noted| noted.line <= line);
        &self.noted[from..to]
    }

    /// By rule: its id, how many there are, and those that are kept.
    pub(super) fn by_rule(&self) -> Vec<(&'static str, u64, Vec<&Noted>)> {
        let mut noted: BTreeMap<&str, Vec<&Noted>> = BTreeMap::new();
        for one in &self.noted {
            noted.entry(one.rule.id).or_default().push(one);
        }
        let counts = self.counts.iter();
        let mut found: Vec<_> =
            counts.map(|(rule, count)| (*rule, *count, noted.remove(rule).unwrap_or_default())).collect();
        // What is most severe comes first.
        found.sort_by_key(|(_, _, noted)| std::cmp::Reverse(noted.first().map(|one| one.rule.severity)));
        found
    }
}

impl Sink for Found {
    fn wants(&mut self, _file: &str, rule: &Rule) -> bool {
        let taken = self.taken.entry(rule.id).or_default();
        *taken += 1;
        *taken <= KEPT
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let block = finding.path.strip_prefix("message.content[").and_then(|rest| rest.split(']').next());
        self.noted.push(Noted {
            rule: finding.rule,
            line: finding.line,
            start: finding.start,
            block: block.and_then(|index| index.parse().ok()),
            found: finding.found.to_string(),
            expected: finding.expected.to_string(),
        });
        Ok(())
    }

    fn end_of_file(&mut self, judged: Option<&Judged>) -> io::Result<()> {
        self.verdict = judged.map(|judged| judged.verdict.clone());
        Ok(())
    }

    fn finish(&mut self, tally: &Tally, _judged: &[Judged]) -> io::Result<()> {
        self.noted.sort_by_key(|noted| (noted.line, noted.start));
        self.counts = tally.violations.clone();
        Ok(())
    }
}
