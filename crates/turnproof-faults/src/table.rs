//! A *table* is rows in aligned columns, and numbers as people read them.

/// How a column is aligned.
#[derive(Clone, Copy)]
pub(crate) enum Column {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A heading and rows, one line each.
pub(crate) fn table<const N: usize>(
    columns: [(Column, &str); N],
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let heading = columns.map(|(_, heading)| heading.to_owned());
    let rows: Vec<[String; N]> = std::iter::once(heading).chain(rows).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (index, (cell, (column, _))) in row.iter().zip(columns).enumerate() {
            let width = rows.iter().map(|row| row[index].len()).max().unwrap_or(0);
            line += &match column {
                Column::Left => format!("{cell:<width$}  "),
                Column::Right => format!("{cell:>width$}  "),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A number with a comma between groups of three digits.
pub(crate) fn count(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", count(number / 1_000), number % 1_000),
    }
}

/// A number and its noun.
pub(crate) fn size(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}
