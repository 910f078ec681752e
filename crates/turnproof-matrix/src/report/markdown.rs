//! The page as Markdown.

use super::page::{Cell, Page, Part};

/// The widest line of prose.
const WIDTH: usize = 120;

/// The most characters of a cell.
const LONGEST: usize = 260;

/// Where links lead from the page, which stands in `docs/`.
const ROOT: &str = "../";

pub(super) fn markdown(page: &Page) -> String {
    let mut text = format!("# {}\n", page.title);
    for section in &page.sections {
        if !section.title.is_empty() {
            text.push_str(&format!("\n## {}\n", section.title));
        }
        for part in &section.parts {
            text.push('\n');
            text.push_str(&written(part));
        }
    }
    text
}

fn written(part: &Part) -> String {
    match part {
        Part::Text(words) => filled(words, ""),
        Part::Title(words) => format!("### {words}\n"),
        Part::List(points) => points.iter().map(|point| filled(point, "- ")).collect(),
        Part::Lines(lines) => format!("```text\n{}\n```\n", lines.join("\n")),
        Part::Commands(lines) => format!("```sh\n{}\n```\n", lines.join("\n")),
        Part::Table(head, rows) => table(head, rows),
    }
}

fn table(head: &[String], rows: &[Vec<Cell>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head) + &format!("|{}\n", "---|".repeat(head.len()));
    for row in rows {
        text.push_str(&line(&row.iter().map(cell).collect::<Vec<_>>()));
    }
    text
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(words) => escaped(words),
        Cell::Code(words) if words.is_empty() => String::new(),
        Cell::Code(words) => format!("`{}`", words.replace('|', "\\|")),
        Cell::Links(links) => {
            links.iter().map(|(words, to)| format!("[{words}]({ROOT}{to})")).collect::<Vec<_>>().join(", ")
        }
    }
}

/// A text on one line, without what Markdown reads. Code in it stays.
fn escaped(words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    };
    let words = if !words.matches('`').count().is_multiple_of(2) { words.replace('`', "'") } else { words };
    words.replace('|', "\\|").replace('<', "&lt;")
}

/// A paragraph, broken at the width; a point goes on under its text.
fn filled(words: &str, point: &str) -> String {
    let mut text = String::new();
    let mut line = point.to_owned();
    let mut is_empty = true;
    for word in words.split_whitespace() {
        let word = match word.char_indices().nth(WIDTH - 20) {
            Some((end, _)) => format!("{}…", &word[..end]),
            None => word.to_owned(),
        };
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&format!("{line}\n"));
            line = " ".repeat(point.len());
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(&word);
        is_empty = false;
    }
    text + &format!("{line}\n")
}
