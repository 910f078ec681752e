//! *Usage* as people read it: a table with a row for each session and model and the totals below, or the same stacked
//! for a narrow terminal.

use std::collections::BTreeMap;

use turnproof_rules::operation::UsageRow;
use turnproof_suite::printable::characters;

use turnproof_suite::table::{count, table};

/// What a line of the report is about, and its numbers.
struct Line {
    session: String,
    model: String,
    numbers: UsageRow,
}

/// The report on rows, whose sessions stand one after the other. `width` is the number of columns of the terminal;
/// `None` when it has no end.
pub fn usage_page(rows: &[UsageRow], width: Option<usize>) -> String {
    let lines = lines(rows);
    let wide = wide(&lines);
    match width {
        Some(width) if wide.lines().any(|line| line.chars().count() > width) => stacked(&lines),
        _ => wide,
    }
}

/// A line for each row, one for each model in all, and one for everything.
fn lines(rows: &[UsageRow]) -> Vec<Line> {
    let mut lines: Vec<Line> = rows.iter().map(|row| line(named(row.session.as_deref(), "session"), row)).collect();
    let mut models: BTreeMap<(Option<&str>, bool), UsageRow> = BTreeMap::new();
    let mut all = UsageRow::default();
    for row in rows {
        let model = models.entry((row.model.as_deref(), row.sidechain)).or_default();
        (model.model, model.sidechain) = (row.model.clone(), row.sidechain);
        add(model, row);
        add(&mut all, row);
    }
    if rows.len() > models.len() {
        lines.extend(models.values().map(|row| line("all sessions".to_owned(), row)));
    }
    if models.len() > 1 {
        lines.push(Line { session: "everything".to_owned(), model: String::new(), numbers: all });
    }
    lines
}

fn line(session: String, row: &UsageRow) -> Line {
    let model = named(row.model.as_deref(), "model") + if row.sidechain { ", subagents" } else { "" };
    Line { session, model, numbers: row.clone() }
}

/// The most characters of a name that are shown; those of clients have fewer.
const LONGEST: usize = 60;

/// A name as a terminal may show it.
fn named(name: Option<&str>, what: &str) -> String {
    name.map_or_else(|| format!("(no {what})"), |name| characters(name.as_bytes()).take(LONGEST).collect())
}

fn add(sum: &mut UsageRow, row: &UsageRow) {
    let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
    add(&mut sum.replies, row.replies);
    add(&mut sum.unknown, row.unknown);
    add(&mut sum.input_tokens, row.input_tokens);
    add(&mut sum.output_tokens, row.output_tokens);
    add(&mut sum.cache_creation_input_tokens, row.cache_creation_input_tokens);
    add(&mut sum.cache_read_input_tokens, row.cache_read_input_tokens);
    if let Some(estimated) = row.estimated_output_tokens {
        add(sum.estimated_output_tokens.get_or_insert(0), estimated);
    }
}

/// The numbers of a line, each with its name.
fn numbers(row: &UsageRow) -> [(&'static str, String); 6] {
    let estimated = row.estimated_output_tokens.map(|tokens| format!(", wrote about {}", count(tokens)));
    let unknown = match row.unknown {
        0 => String::new(),
        unknown => count(unknown) + &estimated.unwrap_or_default(),
    };
    [
        ("replies", count(row.replies)),
        ("input", count(row.input_tokens)),
        ("cache writes", count(row.cache_creation_input_tokens)),
        ("cache reads", count(row.cache_read_input_tokens)),
        ("output", count(row.output_tokens)),
        ("without usage", unknown),
    ]
}

fn wide(lines: &[Line]) -> String {
    let mut before = "";
    let rows = lines.iter().map(|line| {
        // A session is named once.
        let session = if line.session == before { String::new() } else { line.session.clone() };
        before = &line.session;
        let [replies, input, writes, reads, output, unknown] = numbers(&line.numbers).map(|(_, number)| number);
        [session, line.model.clone(), replies, input, writes, reads, output, unknown]
    });
    let unknown = if lines.iter().any(|line| line.numbers.unknown > 0) { ">without usage" } else { "" };
    let headings = ["session", "model", ">replies", ">input", ">cache writes", ">cache reads", ">output", unknown];
    table(headings, rows.collect::<Vec<_>>())
}

fn stacked(lines: &[Line]) -> String {
    let mut page = String::new();
    let mut before = "";
    let widest = lines.iter().flat_map(|line| numbers(&line.numbers).into_iter().take(5));
    let widest = widest.map(|(_, number)| number.len()).max().unwrap_or(0);
    for line in lines {
        if line.session != before {
            page.push_str(&format!("{}\n", line.session));
        }
        before = &line.session;
        if !line.model.is_empty() {
            page.push_str(&format!("  {}\n", line.model));
        }
        for (name, number) in numbers(&line.numbers).into_iter().filter(|(_, number)| !number.is_empty()) {
            page.push_str(&format!("    {name:<13}  {number:>widest$}\n"));
        }
    }
    page
}
