//! The *page* of a matrix: its sections, whatever they are written as.

use std::collections::BTreeSet;

use turnproof_rules::operation::{Host, Operation};

use crate::class::{CRASH, Class};
use crate::harm::Harm;
use crate::judge::Judged;
use crate::kept::Kept;

use super::illegal::{errors, illegal};
use super::legal::{changed, grouped, harmed, legal, otherwise, smallest, unreported};
use super::repairs::{becomes, repairs};
use super::subjects::{left, reproduce, subjects};
use super::{Matrix, Subject};

/// A page.
pub(super) struct Page {
    /// What it is about.
    pub title: String,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// A section; the first one has no title.
pub(super) struct Section {
    /// Its title.
    pub title: String,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part of a section.
pub(super) enum Part {
    /// A paragraph.
    Text(String),
    /// A title of a smaller part.
    Title(String),
    /// Points.
    List(Vec<String>),
    /// Lines as they are.
    Lines(Vec<String>),
    /// Commands for a shell.
    Commands(Vec<String>),
    /// A table.
    Table(Vec<String>, Vec<Vec<Cell>>),
}

/// A cell.
pub(super) enum Cell {
    /// Words.
    Text(String),
    /// Code.
    Code(String),
    /// Links to files of the repository: words and path.
    Links(Vec<(String, String)>),
}

/// The page of a matrix.
pub(super) fn page(matrix: &Matrix) -> Page {
    let sections = vec![
        head(matrix),
        legal(matrix),
        smallest(matrix),
        unreported(matrix),
        changed(matrix),
        illegal(matrix),
        errors(matrix),
        otherwise(matrix),
        repairs(matrix),
        subjects(matrix),
        left(matrix),
        reproduce(matrix),
    ];
    let sections = sections.into_iter().filter(|section| !section.parts.is_empty()).collect();
    Page { title: "What libraries make of conversations".to_owned(), sections }
}

pub(super) fn text(words: impl Into<String>) -> Cell {
    Cell::Text(words.into())
}

pub(super) fn code(words: impl Into<String>) -> Cell {
    Cell::Code(words.into())
}

pub(super) fn section(title: &str, parts: Vec<Part>) -> Section {
    Section { title: title.to_owned(), parts }
}

/// A table of these columns.
pub(super) fn table<N: ToString>(head: &[N], rows: Vec<Vec<Cell>>) -> Part {
    Part::Table(head.iter().map(N::to_string).collect(), rows)
}

/// A section of a paragraph and a table; there is none without rows.
pub(super) fn listed(title: &str, words: &str, head: &[&str], rows: Vec<Vec<Cell>>) -> Section {
    let words = (!words.is_empty()).then(|| Part::Text(words.to_owned()));
    let parts = if rows.is_empty() { Vec::new() } else { words.into_iter().chain([table(head, rows)]).collect() };
    section(title, parts)
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn head(matrix: &Matrix) -> Section {
    let libraries = || matrix.subjects.iter().filter(|subject| !subject.only_repairs());
    let languages: BTreeSet<&str> = libraries().map(|subject| subject.adapter.about.language.as_str()).collect();
    let legal = || matrix.subjects.iter().filter(|subject| harmed(subject).next().is_some());
    let kinds = |subject| grouped(harmed(subject)).len();
    let all: usize = matrix.subjects.iter().map(kinds).sum();
    let day = matrix.date.as_ref().map(|date| format!("On {date}, ")).unwrap_or_default();
    let judged = format!(
        "{day}seed {}, {} cases of each operation: {} in {}. With legal histories, {} showed {}.",
        matrix.seed,
        matrix.cases,
        count(libraries().count(), "library", "libraries"),
        count(languages.len(), "language", "languages"),
        count(legal().count(), "library", "libraries"),
        count(all, "kind of breach", "kinds of breaches"),
    );
    let about = "Each library is given histories of a conversation in its own message types, and is asked for the \
                 request that it would send. Its HTTP client is caught, so nothing is sent. The rules are those that \
                 every client of the Messages API must keep, judged by the strictest host profile.";
    let classes = vec![
        "A *legal* history is a legal request as it stands. A library that makes it illegal, refuses it, or loses or \
         changes content of it is the one that made the mistake."
            .to_owned(),
        "An *illegal* history went wrong before: a call without a result, a blank text, an id twice. A library may \
         *repair* it, *refuse* it, or *pass it on*. Its authors may call it the caller's duty."
            .to_owned(),
    ];
    let fair = "Every breach is told with its smallest case, and was confirmed by a second run of that file in a new \
                process. Breaches of one rule and kind by a library count as one. What a library's types cannot express is counted as unsupported, and is no breach. Where the \
                API is known to refuse such a request, its own words stand in the table. Where there are none, no \
                error is predicted: the model is told something else.";
    section(
        "",
        vec![Part::Text(judged), Part::Text(about.to_owned()), Part::List(classes), Part::Text(fair.to_owned())],
    )
}

/// The confirmed breaches of a class.
pub(super) fn breaches(subject: &Subject, class: Class) -> impl Iterator<Item = &Kept> {
    let all = subject.judged.iter().flat_map(|judged| &judged.breaches);
    all.filter(move |kept| kept.class == class && kept.is_confirmed)
}

fn judged_of<'a>(subject: &'a Subject, kept: &Kept) -> Option<&'a Judged> {
    subject.judged.iter().find(|judged| judged.operation == kept.operation)
}

fn of_cases(subject: &Subject, kept: &Kept) -> String {
    let Some(judged) = judged_of(subject, kept) else { return String::new() };
    let counts = judged.counts.get(kept.rule.as_str()).copied().unwrap_or_default();
    match kept.rule.as_str() {
        CRASH => format!("{} of {}", judged.crashed[0], judged.legal),
        _ if counts.legal_broken == 0 => "in a smaller case alone".to_owned(),
        _ => format!("{} of {}", counts.legal_broken, counts.legal),
    }
}

/// Breaches of one rule and kind in the row of a table, by the names of its columns.
pub(super) fn breach_row(head: &[&str], subject: &Subject, group: &[&Kept]) -> Vec<Cell> {
    let kept = group[0];
    let cell = |column: &&str| match *column {
        "library" | "tool" => text(&kept.library),
        "what happens" => text(kept.harm.map_or("", Harm::words)),
        "what becomes of the file" => text(becomes(kept)),
        "rule" => code(&kept.rule),
        "of legal cases" | "of sound cases" => text(of_cases(subject, kept)),
        "what was found" => text(&kept.found),
        "what SPEC.md expects" => text(&kept.expected),
        "the API answers" => text(answered(kept)),
        _ => Cell::Links(group.iter().map(|kept| link(subject, kept)).collect()),
    };
    head.iter().map(cell).collect()
}

fn link(subject: &Subject, kept: &Kept) -> (String, String) {
    let path = format!("tests/matrix/{}/{}", subject.adapter.folder, kept.file);
    let words = match kept.operation {
        Operation::NormalizeApi => count(kept.messages, "message", "messages"),
        _ => "file".to_owned(),
    };
    (words, path)
}

/// What the API answers, and the hosts that do.
pub(super) fn answered(kept: &Kept) -> String {
    match (&kept.error, kept.hosts.as_slice()) {
        _ if kept.rule == CRASH => "nothing is sent".to_owned(),
        _ if kept.rule == "normalize/total" => "nothing is sent".to_owned(),
        (Some(error), hosts) => format!("{error} ({})", of_hosts(hosts)),
        (None, []) => "–".to_owned(),
        (None, hosts) => format!("an error of which the words are not known ({})", of_hosts(hosts)),
    }
}

fn of_hosts(hosts: &[String]) -> String {
    if hosts.len() == Host::ALL.len() { "every host".to_owned() } else { hosts.join(", ") }
}
