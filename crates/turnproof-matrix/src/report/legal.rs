//! What *legal* histories suffered: made illegal, refused, lost, or sent in another form.

use serde_json::Value;
use turnproof_rules::operation::Operation;

use crate::class::Class;
use crate::harm::Harm;
use crate::kept::Kept;

use super::page::{Cell, Part, Section, answered, breaches, code, links, of_cases, section, text};
use super::shown::shown;
use super::{Matrix, Subject};

/// The breaches of legal histories that were harmed. Where nobody reported that the API refuses what was made, it is
/// told apart.
pub(super) fn harmed(subject: &Subject) -> impl Iterator<Item = &Kept> {
    of_requests(subject).filter(|kept| kept.harm != Some(Harm::Changed) && kept.note.is_empty())
}

fn of_requests(subject: &Subject) -> impl Iterator<Item = &Kept> {
    breaches(subject, Class::Legal).filter(|kept| kept.operation == Operation::NormalizeApi)
}

/// Breaches in groups: those of one rule and kind are one, with several smallest cases.
pub(super) fn grouped<'a>(all: impl Iterator<Item = &'a Kept>) -> Vec<Vec<&'a Kept>> {
    let mut groups: Vec<Vec<&Kept>> = Vec::new();
    for kept in all {
        match groups.iter_mut().find(|group| group[0].rule == kept.rule && group[0].kind == kept.kind) {
            Some(group) => group.push(kept),
            None => groups.push(vec![kept]),
        }
    }
    groups
}

/// A row for each group of breaches of each subject.
fn rows<'a, I: Iterator<Item = &'a Kept>>(
    matrix: &'a Matrix,
    of: impl Fn(&'a Subject) -> I,
    row: impl Fn(&'a Subject, &'a Kept, Cell) -> Vec<Cell>,
) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    for subject in &matrix.subjects {
        for group in grouped(of(subject)) {
            rows.push(row(subject, group[0], links(subject, &group)));
        }
    }
    rows
}

pub(super) fn legal(matrix: &Matrix) -> Section {
    let head =
        vec!["library", "what happens", "rule", "of legal cases", "what was found", "the API answers", "smallest case"];
    let rows = rows(matrix, harmed, |subject, kept, links| {
        vec![
            text(kept.library.clone()),
            text(kept.harm.map_or("", Harm::words)),
            code(kept.rule.clone()),
            text(of_cases(subject, kept)),
            text(kept.found.clone()),
            text(answered(kept)),
            links,
        ]
    });
    let title = "Legal histories made illegal, refused, or content of them lost";
    match rows.is_empty() {
        true => section(title, vec![Part::Text("No library did this in these cases.".to_owned())]),
        false => section(title, vec![Part::Table(head, rows)]),
    }
}

/// A section of a paragraph and a table, if the table has rows.
fn told(title: &str, words: &str, head: Vec<&'static str>, rows: Vec<Vec<Cell>>) -> Section {
    match rows.is_empty() {
        true => section("", Vec::new()),
        false => section(title, vec![Part::Text(words.to_owned()), Part::Table(head, rows)]),
    }
}

/// What breaks a rule of which no public report says that the API enforces it there.
pub(super) fn unreported(matrix: &Matrix) -> Section {
    let of = |subject| of_requests(subject).filter(|kept| !kept.note.is_empty());
    let rows = rows(matrix, of, |subject, kept, links| {
        vec![
            text(kept.library.clone()),
            code(kept.rule.clone()),
            text(of_cases(subject, kept)),
            text(kept.found.clone()),
            links,
        ]
    });
    let words = "These libraries write an empty text inside of a result, which the history did not have. SPEC.md takes \
                 it for illegal. No public report was found that the API refuses it there, so it is no accusation.";
    let head = vec!["library", "rule", "of legal cases", "what was found", "smallest case"];
    told("Empty texts inside of results", words, head, rows)
}

/// What is there in another form only.
pub(super) fn changed(matrix: &Matrix) -> Section {
    let of = |subject| of_requests(subject).filter(|kept| kept.harm == Some(Harm::Changed));
    let rows = rows(matrix, of, |_, kept, links| {
        vec![text(kept.library.clone()), code(kept.rule.clone()), text(kept.found.clone()), links]
    });
    let words = "All that was said is in these requests, in another form or order, or with something beside it. \
                 Nothing is lost.";
    told(
        "Legal histories sent in another form",
        words,
        vec!["library", "rule", "what was found", "smallest case"],
        rows,
    )
}

/// What libraries that read streams and transcripts read otherwise.
pub(super) fn otherwise(matrix: &Matrix) -> Section {
    let of = |subject| {
        breaches(subject, Class::Legal)
            .filter(|kept| ![Operation::NormalizeApi, Operation::Repair].contains(&kept.operation))
    };
    let rows = rows(matrix, of, |subject, kept, links| {
        vec![
            text(kept.library.clone()),
            code(kept.rule.clone()),
            text(of_cases(subject, kept)),
            text(kept.found.clone()),
            text(kept.expected.clone()),
            links,
        ]
    });
    let words = "Rules on streams and transcripts are SPEC.md's reading of formats that are not documented to the end. \
                 Here a library reads an orderly stream, or a sound transcript, in another way. For \
                 `stream/chunking-invariant` the same events come in other pieces, and each is named `x`; the API \
                 names them as their type. Some streams have the type of an event in `event:` alone, or in its data alone; \
                 the API writes both.";
    let head = vec!["library", "rule", "of sound cases", "what was found", "what SPEC.md expects", "smallest case"];
    told("Streams and transcripts that are read otherwise", words, head, rows)
}

pub(super) fn smallest(matrix: &Matrix) -> Section {
    let mut parts = Vec::new();
    for subject in &matrix.subjects {
        for kept in grouped(harmed(subject)).into_iter().map(|group| group[0]) {
            parts.push(Part::Title(format!("{}: {}", kept.library, kept.rule)));
            let duty = match subject.adapter.about.duty.as_str() {
                "" => "no duty of the caller's was found in its documentation".to_owned(),
                duty => format!("its documentation says: {}", duty.trim_end_matches('.')),
            };
            let also = match kept.also.as_slice() {
                [] => String::new(),
                also => format!(" It breaks {} too.", also.join(", ")),
            };
            parts.push(Part::Text(format!("`{}`; {duty}. {}.{also}", kept.function, first_upper(&kept.found))));
            let mut lines = shown("given", &kept.input);
            lines.extend(shown("sent", &sent(&kept.answer)));
            parts.push(Part::Lines(lines));
        }
    }
    section("Their smallest cases", parts)
}

fn first_upper(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The turns of a request; any other answer is one value.
fn sent(answer: &Value) -> Vec<Value> {
    match answer.get("messages").and_then(Value::as_array) {
        Some(turns) => turns.clone(),
        None => vec![answer.clone()],
    }
}
