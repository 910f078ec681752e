//! What came of a run, *counted*: a row a rule, or a row a family where no rule was named.

use turnproof_suite::suite::{Report, RuleCount};
use turnproof_suite::table::count;

use super::table_within;

/// The rules with their counts, for a screen of so many columns. What is known to deviate has a column, where there is
/// something.
pub fn rules_table(report: &Report, columns: Option<usize>) -> String {
    let cells = |row: &RuleCount| {
        let cells = match row.supported {
            true => [row.tested(), row.held, row.not_applicable, row.broken, row.known].map(count),
            false => ["not supported", "", "", "", ""].map(str::to_owned),
        };
        (row.rule.to_owned(), cells)
    };
    let rows = report.counts.iter().map(cells);
    let headings = ["rule", ">tested", ">passed", ">not applicable", ">failed", ">known"];
    match report.counts.iter().any(|row| row.known > 0) {
        true => table_within(columns, headings, rows.map(|(rule, [a, b, c, d, e])| [rule, a, b, c, d, e])),
        false => table_within(
            columns,
            [0, 1, 2, 3, 4].map(|at| headings[at]),
            rows.map(|(rule, [a, b, c, d, _])| [rule, a, b, c, d]),
        ),
    }
}

/// The families of rules, each with how many of its rules came out how, and how often one was tested. What a subject
/// does not do has no row.
pub fn families_table(report: &Report, columns: Option<usize>) -> String {
    let mut families = families(&report.counts);
    families.retain(|(_, rules)| rules.iter().any(|row| row.supported));
    let rows = families.into_iter().map(|(family, mut rules)| {
        rules.retain(|row| row.supported);
        let rows = |is_so: fn(&RuleCount) -> bool| rules.iter().filter(|row| is_so(row)).count() as u64;
        let (failed, tested) = (rows(|row| row.broken > 0), rows(|row| row.tested() > 0));
        let known = rows(|row| row.broken == 0 && row.known > 0);
        let (all, tests) = (rules.len() as u64, rules.iter().map(|row| row.tested()).sum());
        let cells = [all, tested - failed - known, failed, known, all - tested, tests];
        let [all, passed, failed, known, idle, tests] = cells.map(count);
        [family.to_owned(), all, passed, failed, known, idle, tests]
    });
    let headings = ["family", ">rules", ">passed", ">failed", ">known", ">not exercised", ">tests"];
    table_within(columns, headings, rows)
}

/// The rules by family, both in the order of the catalogue.
pub(super) fn families(counts: &[RuleCount]) -> Vec<(&'static str, Vec<&RuleCount>)> {
    let mut families: Vec<(&str, Vec<&RuleCount>)> = Vec::new();
    for row in counts {
        let family = row.rule.split('/').next().unwrap_or(row.rule);
        match families.iter_mut().find(|(known, _)| *known == family) {
            Some((_, rules)) => rules.push(row),
            None => families.push((family, vec![row])),
        }
    }
    families
}
