//! A *table* is rows in aligned columns, and numbers and names of files as people read them.

use std::path::PathBuf;

/// Rows under their headings, one line each, without spaces at their ends. A `>` before a heading makes its column one
/// of numbers, aligned to the right.
pub fn table<const N: usize>(headings: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let is_of_numbers = headings.map(|heading| heading.starts_with('>'));
    let headings = headings.map(|heading| heading.trim_start_matches('>').to_owned());
    let rows: Vec<[String; N]> = [headings].into_iter().chain(rows).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
            line += &if is_of_numbers[column] { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A number with a comma between groups of three digits.
pub fn count(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", count(number / 1_000), number % 1_000),
    }
}

/// A number and its noun, in the plural unless it is one.
pub fn size(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// Names of files, with commas.
pub fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
