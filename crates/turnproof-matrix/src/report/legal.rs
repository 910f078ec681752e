//! What *legal* histories suffered: made illegal, refused, lost, or sent in another form.

use serde_json::Value;
use turnproof_rules::operation::Operation;

use crate::class::Class;
use crate::harm::Harm;
use crate::kept::Kept;

use super::page::{Part, Section, breach_row, breaches, listed, section};
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

/// A section of a paragraph and a table, with a row for each group of breaches of each subject.
fn of_groups<'a, I: Iterator<Item = &'a Kept>>(
    matrix: &'a Matrix,
    title: &str,
    words: &str,
    columns: &str,
    of: impl Fn(&'a Subject) -> I,
) -> Section {
    let head: Vec<&str> = columns.split(", ").collect();
    let groups =
        matrix.subjects.iter().flat_map(|subject| grouped(of(subject)).into_iter().map(move |group| (subject, group)));
    listed(title, words, &head, groups.map(|(subject, group)| breach_row(&head, subject, &group)).collect())
}

pub(super) fn legal(matrix: &Matrix) -> Section {
    let columns = "library, what happens, rule, of legal cases, what was found, the API answers, smallest case";
    let title = "Legal histories made illegal, refused, or content of them lost";
    let mut section = of_groups(matrix, title, "", columns, harmed);
    if section.parts.is_empty() {
        section.parts.push(Part::Text("No library did this in these cases.".to_owned()));
    }
    section
}

/// What breaks a rule of which no public report says that the API enforces it there.
pub(super) fn unreported(matrix: &Matrix) -> Section {
    let words = "These libraries write an empty text inside of a result, which the history did not have. SPEC.md takes \
                 it for illegal. No public report was found that the API refuses it there, so it is no accusation.";
    let columns = "library, rule, of legal cases, what was found, smallest case";
    let of = |subject| of_requests(subject).filter(|kept| !kept.note.is_empty());
    of_groups(matrix, "Empty texts inside of results", words, columns, of)
}

/// What is there in another form only.
pub(super) fn changed(matrix: &Matrix) -> Section {
    let words = "All that was said is in these requests, in another form or order, or with something beside it. \
                 Nothing is lost.";
    let of = |subject| of_requests(subject).filter(|kept| kept.harm == Some(Harm::Changed));
    let columns = "library, rule, what was found, smallest case";
    of_groups(matrix, "Legal histories sent in another form", words, columns, of)
}

/// What libraries that read streams and transcripts read otherwise.
pub(super) fn otherwise(matrix: &Matrix) -> Section {
    let words = "Rules on streams and transcripts are SPEC.md's reading of formats that are not documented to the end. \
                 Here a library reads an orderly stream, or a sound transcript, in another way. For \
                 `stream/chunking-invariant` the same events come in other pieces, and each is named `x`; the API \
                 names them as their type. Some streams have the type of an event in `event:` alone, or in its data alone; \
                 the API writes both.";
    let is_request = |kept: &Kept| [Operation::NormalizeApi, Operation::Repair].contains(&kept.operation);
    let of = |subject| breaches(subject, Class::Legal).filter(move |kept| !is_request(kept));
    let columns = "library, rule, of sound cases, what was found, what SPEC.md expects, smallest case";
    of_groups(matrix, "Streams and transcripts that are read otherwise", words, columns, of)
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
