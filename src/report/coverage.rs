//! *Coverage* goes from a section of SPEC.md to the rules that cite it, and to what stored cases show of them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::table_within;
use turnproof_rules::rules::CATALOGUE;
use turnproof_suite::suite::Regression;

/// The specification, as this build knows it.
pub const SPECIFICATION: &str = include_str!("../../SPEC.md");

/// What a section says of its own force: the line under its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// It must hold, and a rule judges it.
    Normative,
    /// It must hold, and no rule can judge it, for this reason.
    NotJudged(&'static str),
    /// It explains.
    Informative,
}

/// A numbered section of SPEC.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its number, such as `6.9`.
    pub number: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Whether it must hold; `None` when the line under the heading has none of the known forms.
    pub force: Option<Force>,
}

/// The sections, in their order.
pub fn sections() -> Vec<Section> {
    let mut is_example = false;
    let mut sections = Vec::new();
    let mut lines = SPECIFICATION.lines().peekable();
    while let Some(line) = lines.next() {
        is_example ^= line.starts_with("```");
        let Some((marks, heading)) = line.split_once(' ').filter(|_| !is_example) else { continue };
        let is_heading = marks.len() > 1 && marks.bytes().all(|byte| byte == b'#');
        let Some((number, title)) = heading.split_once(' ').filter(|_| is_heading) else { continue };
        let number = number.trim_end_matches('.');
        if number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            sections.push(Section { number, title, force: lines.peek().and_then(|line| force(line)) });
        }
    }
    sections
}

fn force(line: &'static str) -> Option<Force> {
    let words = line.strip_prefix('*')?.strip_suffix('*')?;
    match words.split_once(": ") {
        None if words == "normative" => Some(Force::Normative),
        Some(("normative, not judged", why)) => Some(Force::NotJudged(why)),
        Some(("informative", _)) => Some(Force::Informative),
        _ => None,
    }
}

/// A section and a rule that cites it, with what stored cases show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// The section's number.
    pub section: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The rule; `None` when no rule cites the section.
    pub rule: Option<&'static str>,
    /// How many faults have a stored case that breaks the rule.
    pub faults: usize,
    /// How many cases are stored for the rule.
    pub cases: usize,
}

/// The sections that must hold, each with the rules that cite it.
pub fn coverage(stored: &[Regression]) -> Vec<Covered> {
    let mut covered = Vec::new();
    let must_hold = |section: &Section| matches!(section.force, Some(Force::Normative | Force::NotJudged(_)));
    for Section { number, title, .. } in sections().into_iter().filter(must_hold) {
        let citation = format!("SPEC {number}");
        let rules = CATALOGUE.iter().filter(|rule| rule.sources.contains(&citation.as_str()));
        let before = covered.len();
        for rule in rules {
            let cases: Vec<&Regression> = stored.iter().filter(|case| case.rule == rule.id).collect();
            let subjects: BTreeSet<&str> = cases.iter().map(|case| case.subject.as_str()).collect();
            let faults = subjects.len() - usize::from(subjects.contains("reference"));
            covered.push(Covered { section: number, title, rule: Some(rule.id), faults, cases: cases.len() });
        }
        if covered.len() == before {
            covered.push(Covered { section: number, title, rule: None, faults: 0, cases: 0 });
        }
    }
    covered
}

/// The coverage as a table, for a screen of so many columns.
pub fn page(covered: &[Covered], columns: Option<usize>) -> String {
    let row = |row: &Covered| {
        let [section, title, rule] =
            [row.section, row.title, row.rule.unwrap_or("no rule can judge it")].map(str::to_owned);
        [section, title, rule, row.faults.to_string(), row.cases.to_string()]
    };
    table_within(columns, ["section", "title", "rule", ">faults", ">cases"], covered.iter().map(row))
}
