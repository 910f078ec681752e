//! The *page* of a matrix: its sections, whatever they are written as.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use turnproof::operation::{Host, Operation};
use turnproof::rules::{CATALOGUE, find};

use crate::class::{CRASH, Class, Counts};
use crate::harm::Harm;
use crate::judge::Judged;
use crate::kept::Kept;

use super::shown::shown;
use super::{Matrix, Subject};

/// A page.
pub struct Page {
    /// What it is about.
    pub title: String,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// A section; the first one has no title.
pub struct Section {
    /// Its title.
    pub title: String,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part of a section.
pub enum Part {
    /// A paragraph.
    Text(String),
    /// A title of a smaller part.
    Title(String),
    /// Points.
    List(Vec<String>),
    /// Lines as they are.
    Lines(Vec<String>),
    /// A table.
    Table(Vec<&'static str>, Vec<Vec<Cell>>),
    /// A table with headings that are rules.
    Wide(Vec<String>, Vec<Vec<Cell>>),
}

/// A cell.
pub enum Cell {
    /// Words.
    Text(String),
    /// Code.
    Code(String),
    /// Links to files of the repository: words and path.
    Links(Vec<(String, String)>),
}

/// The page of a matrix.
pub fn page(matrix: &Matrix) -> Page {
    let sections = vec![
        head(matrix),
        legal(matrix),
        smallest(matrix),
        unreported(matrix),
        changed(matrix),
        illegal(matrix),
        errors(matrix),
        otherwise(matrix),
        subjects(matrix),
        left(matrix),
    ];
    let sections = sections.into_iter().filter(|section| !section.parts.is_empty()).collect();
    Page { title: "What libraries make of conversations".to_owned(), sections }
}

fn text(words: impl Into<String>) -> Cell {
    Cell::Text(words.into())
}

fn code(words: impl Into<String>) -> Cell {
    Cell::Code(words.into())
}

fn section(title: &str, parts: Vec<Part>) -> Section {
    Section { title: title.to_owned(), parts }
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn head(matrix: &Matrix) -> Section {
    let languages: BTreeSet<&str> =
        matrix.subjects.iter().map(|subject| subject.adapter.about.language.as_str()).collect();
    let legal = || matrix.subjects.iter().filter(|subject| harmed(subject).next().is_some());
    let kinds = |subject| grouped(harmed(subject)).len();
    let all: usize = matrix.subjects.iter().map(kinds).sum();
    let day = matrix.date.as_ref().map(|date| format!("On {date}, ")).unwrap_or_default();
    let judged = format!(
        "{day}seed {}, {} cases of each operation: {} in {}. With legal histories, {} showed {}.",
        matrix.seed,
        matrix.cases,
        count(matrix.subjects.len(), "library", "libraries"),
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
                API is known to refuse such a request, its own words stand in the table. Where there are none, the \
                request is one that the API takes, and the model is told something else.";
    section(
        "",
        vec![Part::Text(judged), Part::Text(about.to_owned()), Part::List(classes), Part::Text(fair.to_owned())],
    )
}

/// The confirmed breaches of a class.
pub fn breaches(subject: &Subject, class: Class) -> impl Iterator<Item = &Kept> {
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
        _ => format!("{} of {}", counts.legal_broken, counts.legal),
    }
}

fn link(subject: &Subject, kept: &Kept) -> (String, String) {
    let path = format!("tests/matrix/{}/{}", subject.adapter.folder, kept.file);
    let words = match kept.operation {
        Operation::NormalizeApi => count(kept.messages, "message", "messages"),
        _ => "file".to_owned(),
    };
    (words, path)
}

fn links(subject: &Subject, group: &[&Kept]) -> Cell {
    Cell::Links(group.iter().map(|kept| link(subject, kept)).collect())
}

/// The breaches of legal histories that were harmed. Where nobody reported that the API refuses what was made, it is
/// told apart.
fn harmed(subject: &Subject) -> impl Iterator<Item = &Kept> {
    of_requests(subject).filter(|kept| kept.harm != Some(Harm::Changed) && kept.note.is_empty())
}

fn of_requests(subject: &Subject) -> impl Iterator<Item = &Kept> {
    breaches(subject, Class::Legal).filter(|kept| kept.operation == Operation::NormalizeApi)
}

/// Breaches in groups: those of one rule and kind are one, with several smallest cases.
fn grouped<'a>(all: impl Iterator<Item = &'a Kept>) -> Vec<Vec<&'a Kept>> {
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

fn legal(matrix: &Matrix) -> Section {
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
fn unreported(matrix: &Matrix) -> Section {
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
fn changed(matrix: &Matrix) -> Section {
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
fn otherwise(matrix: &Matrix) -> Section {
    let of = |subject| breaches(subject, Class::Legal).filter(|kept| kept.operation != Operation::NormalizeApi);
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
                 Here a library reads an orderly stream, or a sound transcript, in another way.";
    let head = vec!["library", "rule", "of sound cases", "what was found", "what SPEC.md expects", "smallest case"];
    told("Streams and transcripts that are read otherwise", words, head, rows)
}

/// What the API answers, and the hosts that do.
fn answered(kept: &Kept) -> String {
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

fn smallest(matrix: &Matrix) -> Section {
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

/// The operations on requests of a matrix, with their subjects.
fn requests(matrix: &Matrix) -> impl Iterator<Item = (&Subject, &Judged)> {
    let of = |subject| judged_requests(subject).map(move |judged| (subject, judged));
    matrix.subjects.iter().flat_map(of)
}

fn judged_requests(subject: &Subject) -> impl Iterator<Item = &Judged> {
    subject.judged.iter().filter(|judged| judged.operation == Operation::NormalizeApi)
}

/// The rules of which illegal histories are counted, in the order of the catalogue.
fn rules_of_illegal(matrix: &Matrix) -> Vec<&'static str> {
    let counted = |counts: &Counts| counts.repaired + counts.refused + counts.passed_on > 0;
    let is_counted = |id: &str| requests(matrix).any(|(_, judged)| judged.counts.get(id).is_some_and(counted));
    CATALOGUE.iter().map(|rule| rule.id).filter(|id| is_counted(id)).collect()
}

fn illegal(matrix: &Matrix) -> Section {
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
    let head = ["library".to_owned()].into_iter().chain(rules.iter().map(|rule| (*rule).to_owned())).collect();
    let rows = requests(matrix).map(|(subject, judged)| row(subject, judged)).collect();
    let how = "A cell has the histories that break a rule: repaired/refused/passed on. A history that breaks several \
               rules counts for each. The smallest case that a library passes on is in its folder under \
               `tests/matrix/`, in a file `passed-on-…`.";
    let mut parts = vec![Part::Text(how.to_owned()), Part::Wide(head, rows)];
    parts.extend(anew(matrix));
    section("Illegal histories: repaired, refused, passed on", parts)
}

/// Rules that illegal histories kept, and requests break.
fn anew(matrix: &Matrix) -> Vec<Part> {
    let row = |subject: &Subject, kept: &Kept| {
        vec![
            text(kept.library.clone()),
            code(kept.rule.clone()),
            text(kept.found.clone()),
            text(answered(kept)),
            links(subject, &[kept]),
        ]
    };
    let rows: Vec<Vec<Cell>> = matrix
        .subjects
        .iter()
        .flat_map(|subject| breaches(subject, Class::Anew).map(move |kept| row(subject, kept)))
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let words = "In some illegal histories a rule breaks that the history kept. Those that legal histories break too \
                 stand above.";
    let head = vec!["library", "rule", "what was found", "the API answers", "smallest case"];
    vec![Part::Text(words.to_owned()), Part::Table(head, rows)]
}

/// For each rule that somebody passes on: the error, and who.
fn errors(matrix: &Matrix) -> Section {
    let mut by_rule: BTreeMap<&str, Vec<(&Subject, &Kept)>> = BTreeMap::new();
    for subject in &matrix.subjects {
        for kept in breaches(subject, Class::PassedOn) {
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
    match rows.is_empty() {
        true => section("", Vec::new()),
        false => {
            section("What is passed on", vec![Part::Table(vec!["rule", "what it says", "the API answers", "by"], rows)])
        }
    }
}

fn subjects(matrix: &Matrix) -> Section {
    let row = |subject: &Subject, judged: &Judged| {
        let about = &subject.adapter.about;
        vec![
            text(about.title()),
            text(about.registry.clone()),
            text(about.language.clone()),
            code(about.function.clone()),
            text(judged.operation.name()),
            text(format!("{} ({} legal)", judged.cases, judged.legal)),
            text(judged.answered.to_string()),
            text(judged.refused.iter().sum::<u64>().to_string()),
            text(judged.unsupported.values().sum::<u64>().to_string()),
            text(judged.crashed.iter().sum::<u64>().to_string()),
            text(if about.duty.is_empty() { "none found".to_owned() } else { about.duty.clone() }),
        ]
    };
    let rows: Vec<Vec<Cell>> = matrix
        .subjects
        .iter()
        .flat_map(|subject| subject.judged.iter().map(move |judged| row(subject, judged)))
        .collect();
    let head = vec![
        "library",
        "registry",
        "language",
        "function",
        "operation",
        "cases",
        "answered",
        "refused",
        "unsupported",
        "crashed",
        "a duty that it documents",
    ];
    let mut parts = vec![Part::Table(head, rows)];
    parts.extend(unsupported(matrix));
    section("The libraries", parts)
}

fn unsupported(matrix: &Matrix) -> Vec<Part> {
    let why = |subject: &Subject| {
        let all = subject.judged.iter().flat_map(|judged| &judged.unsupported);
        let mut reasons: Vec<(&String, &u64)> = all.collect();
        reasons.sort_by_key(|(why, count)| (std::cmp::Reverse(**count), (*why).clone()));
        let reasons: Vec<String> = reasons.iter().take(5).map(|(why, count)| format!("{why} ({count})")).collect();
        (!reasons.is_empty()).then(|| format!("{}: {}", subject.adapter.folder, reasons.join("; ")))
    };
    let points: Vec<String> = matrix.subjects.iter().filter_map(why).collect();
    match points.is_empty() {
        true => Vec::new(),
        false => vec![Part::Text("What their types cannot express:".to_owned()), Part::List(points)],
    }
}

/// What was not judged to the end, and what was not confirmed.
fn left(matrix: &Matrix) -> Section {
    let skipped = matrix.skipped.iter().map(|(adapter, why)| format!("{} was skipped: {why}", adapter.about.title()));
    let ended = matrix.subjects.iter().flat_map(|subject| {
        let title = subject.adapter.about.title();
        let ended = |judged: &Judged| judged.ended.as_ref().map(|why| format!("{title} was not asked further: {why}"));
        subject.judged.iter().filter_map(ended).collect::<Vec<_>>()
    });
    let unconfirmed = matrix.subjects.iter().flat_map(|subject| {
        let kept = subject.judged.iter().flat_map(|judged| &judged.breaches).filter(|kept| !kept.is_confirmed);
        kept.map(|kept| format!("{}: {} was not so in a second run, and is not claimed", kept.library, kept.rule))
            .collect::<Vec<_>>()
    });
    let points: Vec<String> = skipped.chain(ended).chain(unconfirmed).collect();
    let parts = if points.is_empty() { Vec::new() } else { vec![Part::List(points)] };
    section("What was left out", parts)
}
