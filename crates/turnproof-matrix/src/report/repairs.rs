//! What *tools that repair transcripts* made of sound files and of damaged ones.

use std::collections::BTreeSet;

use turnproof_rules::operation::Operation;
use turnproof_rules::rules::CATALOGUE;

use crate::class::{Class, Counts};
use crate::harm::Harm;
use crate::judge::Judged;
use crate::kept::Kept;

use super::legal::grouped;
use super::page::{Cell, Part, Section, breach_row, breaches, code, section, table, text};
use super::{Matrix, Subject};

/// The tools, with what came of their repairs.
fn tools(matrix: &Matrix) -> impl Iterator<Item = (&Subject, &Judged)> {
    let of = |subject: &'_ Subject| subject.judged.iter().position(|judged| judged.operation == Operation::Repair);
    matrix.subjects.iter().filter_map(move |subject| Some((subject, &subject.judged[of(subject)?])))
}

pub(super) fn repairs(matrix: &Matrix) -> Section {
    if tools(matrix).next().is_none() {
        return section("", Vec::new());
    }
    let words = "These tools are given whole transcripts as a client writes them, also one that crashed, and are judged \
                 by the rules `repair/*` (SPEC.md 3.9). The classes mean this here:";
    let classes = [
        "A *sound* file has nothing wrong. A tool that changes it, or loses of it, made the mistake.",
        "A *damaged* file breaks a rule. A tool may *repair* it, so that the rule holds; *refuse* it; or *pass it on*, \
         so that the rule is still broken. A tool promises some repairs and not all.",
        "*Anew*: a damaged file kept a rule, and what the tool made of it breaks that one. Mostly messages are lost \
         that came back before.",
    ];
    let left_out = "No tool names what it changed, so `repair/conserves` is not asked: the adapter finds what is gone \
                    by comparing both files. [Repair a session](repair.md) says how many messages each tool brings back.";
    let mut parts = vec![Part::Text(words.to_owned()), Part::List(classes.map(str::to_owned).into())];
    parts.extend([Part::Text(left_out.to_owned()), who(matrix), counted(matrix)]);
    parts.extend(cases(matrix));
    section("Tools that repair transcripts", parts)
}

/// The tools, and how they answered.
fn who(matrix: &Matrix) -> Part {
    let row = |(subject, judged): (&Subject, &Judged)| {
        let both = |of: [u64; 2]| text(format!("{} and {}", of[0], of[1]));
        vec![
            text(subject.adapter.about.title()),
            code(subject.adapter.about.function.clone()),
            text(format!("{} ({} sound)", judged.cases, judged.legal)),
            text(judged.answered.to_string()),
            both(judged.refused),
            both(judged.crashed),
        ]
    };
    let head = ["tool", "function", "files", "answered", "refused sound and damaged", "crashed at sound and damaged"];
    table(&head, tools(matrix).map(row).collect())
}

/// The counts, a row for each rule.
fn counted(matrix: &Matrix) -> Part {
    let cell = |judged: &Judged, rule: &str| {
        let counts = judged.counts.get(rule).copied().unwrap_or_default();
        let Counts { legal_broken, repaired, refused, passed_on, anew, .. } = counts;
        text(format!("{legal_broken} of {}; {repaired}/{refused}/{passed_on}, {anew} anew", judged.legal))
    };
    let asked: BTreeSet<&str> = tools(matrix).flat_map(|(_, judged)| judged.counts.keys().copied()).collect();
    let row = |rule: &str| {
        let mut row = vec![code(rule)];
        row.extend(tools(matrix).map(|(_, judged)| cell(judged, rule)));
        row
    };
    let rules = CATALOGUE.iter().map(|rule| rule.id).filter(|id| asked.contains(id));
    let names = tools(matrix).map(|(subject, _)| subject.adapter.about.title());
    let head = ["broken of sound; damaged: repaired/refused/passed on, anew".to_owned()].into_iter().chain(names);
    table(&head.collect::<Vec<_>>(), rules.map(row).collect())
}

/// A row for each breach with a smallest case, those of sound files first.
fn cases(matrix: &Matrix) -> Option<Part> {
    let head = ["tool", "what becomes of the file", "rule", "what was found", "smallest case"];
    let classes = [Class::Legal, Class::Anew, Class::PassedOn].into_iter();
    let rows: Vec<Vec<Cell>> = classes
        .flat_map(|class| tools(matrix).map(move |(subject, _)| (subject, class)))
        .flat_map(|(subject, class)| {
            let of_repair = breaches(subject, class).filter(|kept| kept.operation == Operation::Repair);
            grouped(of_repair).into_iter().map(move |group| breach_row(&head, subject, &group)).collect::<Vec<_>>()
        })
        .collect();
    (!rows.is_empty()).then(|| table(&head, rows))
}

/// What becomes of a file, in words.
pub(super) fn becomes(kept: &Kept) -> &'static str {
    match (kept.class, kept.harm) {
        (Class::Legal, Some(Harm::MadeIllegal)) => "sound, and damaged by it",
        (Class::Legal, Some(Harm::Refused)) => "sound, and refused",
        (Class::Legal, Some(Harm::Changed)) => "sound, and changed",
        (Class::Legal, _) => "sound, and content lost",
        (Class::Anew, _) => "damaged, and broken anew",
        (Class::PassedOn, _) => "damaged, and passed on",
    }
}
