//! What became of *illegal* histories, rule by rule: repaired, refused, passed on.

use std::collections::BTreeMap;

use turnproof_rules::operation::Operation;
use turnproof_rules::rules::{CATALOGUE, find};

use crate::class::{Class, Counts};
use crate::judge::Judged;
use crate::kept::Kept;

use super::page::{Cell, Part, Section, answered, breach_row, breaches, code, listed, section, table, text};
use super::{Matrix, Subject};

/// The operations on requests of a matrix, with their subjects.
fn requests(matrix: &Matrix) -> impl Iterator<Item = (&Subject, &Judged)> {
    let of = |subject| judged_requests(subject).map(move |judged| (subject, judged));
    matrix.subjects.iter().flat_map(of)
}

fn judged_requests(subject: &Subject) -> impl Iterator<Item = &Judged> {
    subject.judged.iter().filter(|judged| judged.operation == Operation::NormalizeApi)
}

/// The breaches of a class by requests.
fn of_requests(subject: &Subject, class: Class) -> impl Iterator<Item = &Kept> {
    breaches(subject, class).filter(|kept| kept.operation == Operation::NormalizeApi)
}

/// The rules of which illegal histories are counted, in the order of the catalogue.
fn rules_of_illegal(matrix: &Matrix) -> Vec<&'static str> {
    let counted = |counts: &Counts| counts.repaired + counts.refused + counts.passed_on > 0;
    let is_counted = |id: &str| requests(matrix).any(|(_, judged)| judged.counts.get(id).is_some_and(counted));
    CATALOGUE.iter().map(|rule| rule.id).filter(|id| is_counted(id)).collect()
}

pub(super) fn illegal(matrix: &Matrix) -> Section {
    let rules = rules_of_illegal(matrix);
    if rules.is_empty() {
        return section("", Vec::new());
    }
    let cell = |judged: &Judged, rule: &str| {
        let counts = judged.counts.get(rule).copied().unwrap_or_default();
        match counts.repaired + counts.refused + counts.passed_on {
            0 => text("–"),
            _ => text(format!("{}/{}/{}", counts.repaired, counts.refused, counts.passed_on)),
        }
    };
    let row = |subject: &Subject, judged: &Judged| {
        let mut row = vec![text(subject.adapter.about.title())];
        row.extend(rules.iter().map(|rule| cell(judged, rule)));
        row
    };
    let head: Vec<&str> = ["library"].into_iter().chain(rules.iter().copied()).collect();
    let rows = requests(matrix).map(|(subject, judged)| row(subject, judged)).collect();
    let how = "A cell has the histories that break a rule: repaired/refused/passed on. A history that breaks several \
               rules counts for each. The smallest case that a library passes on is in its folder under \
               `tests/matrix/`, in a file `passed-on-…`.";
    let mut parts = vec![Part::Text(how.to_owned()), table(&head, rows)];
    parts.extend(anew(matrix));
    section("Illegal histories: repaired, refused, passed on", parts)
}

/// Rules that illegal histories kept, and requests break.
fn anew(matrix: &Matrix) -> Vec<Part> {
    let head = ["library", "rule", "what was found", "the API answers", "smallest case"];
    let of = |subject| of_requests(subject, Class::Anew).map(move |kept| breach_row(&head, subject, &[kept]));
    let rows = matrix.subjects.iter().flat_map(of).collect();
    let words = "In some illegal histories a rule breaks that the history kept. Those that legal histories break too \
                 stand above.";
    listed("", words, &head, rows).parts
}

/// For each rule that somebody passes on: the error, and who.
pub(super) fn errors(matrix: &Matrix) -> Section {
    let mut by_rule: BTreeMap<&str, Vec<(&Subject, &Kept)>> = BTreeMap::new();
    for subject in &matrix.subjects {
        for kept in of_requests(subject, Class::PassedOn) {
            by_rule.entry(&kept.rule).or_default().push((subject, kept));
        }
    }
    let row = |(rule, all): (&str, Vec<(&Subject, &Kept)>)| {
        let title = find(rule).map_or("", |rule| rule.title);
        let with_words = all.iter().find(|(_, kept)| kept.note.is_empty()).or(all.first());
        let error = with_words.map(|(_, kept)| answered(kept)).unwrap_or_default();
        let names: Vec<&str> = all.iter().map(|(subject, _)| subject.adapter.folder.as_str()).collect();
        vec![code(rule), text(title), text(error), text(names.join(", "))]
    };
    let rows: Vec<Vec<Cell>> = by_rule.into_iter().map(row).collect();
    listed("What is passed on", "", &["rule", "what it says", "the API answers", "by"], rows)
}
