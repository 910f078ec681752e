//! The *libraries* of a matrix, what they could not be asked, and what was left out.

use turnproof_rules::operation::Operation;

use crate::judge::Judged;

use super::page::{Cell, Part, Section, code, listed, section, text};
use super::{Matrix, Subject};

pub(super) fn subjects(matrix: &Matrix) -> Section {
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
        .flat_map(|subject| {
            // Those that repair have a table of their own.
            let of_libraries = subject.judged.iter().filter(|judged| judged.operation != Operation::Repair);
            of_libraries.map(move |judged| row(subject, judged))
        })
        .collect();
    let head = "library|registry|language|function|operation|cases|answered|refused|unsupported|crashed|\
                a duty that it documents";
    let head: Vec<&str> = head.split('|').collect();
    let mut parts = listed("", "", &head, rows).parts;
    if !parts.is_empty() {
        parts.extend(unsupported(matrix));
    }
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
pub(super) fn left(matrix: &Matrix) -> Section {
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

/// How to do it again.
pub(super) fn reproduce(matrix: &Matrix) -> Section {
    let date = matrix.date.as_ref().map(|date| format!(" --date {date}")).unwrap_or_default();
    let commands = vec![
        format!("cargo run --release -p turnproof-matrix -- --seed {} --cases {}{date}", matrix.seed, matrix.cases),
        "cargo run --release -p turnproof-matrix -- --replay    # only the kept cases: which still break a rule"
            .to_owned(),
        "adapters/litellm/run --install && turnproof test --subject adapters/litellm/run --profile plain".to_owned(),
    ];
    let words = "An adapter makes its environment with the pinned versions when it is first started. Python, Node and \
                 the registries are needed for that once. What cannot be installed is skipped, and the page says so. \
                 The smallest cases are in `tests/matrix/`, a file each: the history, what the library made of it, and \
                 the plan.";
    section("Run it yourself", vec![Part::Text(words.to_owned()), Part::Commands(commands)])
}
