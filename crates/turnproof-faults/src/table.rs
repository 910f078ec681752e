//! A *table* is rows in aligned columns, and numbers as people read them.

/// Rows under their headings, one line each: first columns of words, then, from `numbers` on, of numbers.
pub(crate) fn table<const N: usize>(
    headings: [&str; N],
    numbers: usize,
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let rows: Vec<[String; N]> = std::iter::once(headings.map(str::to_owned)).chain(rows).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (index, cell) in row.iter().enumerate() {
            let width = rows.iter().map(|row| row[index].len()).max().unwrap_or(0);
            line += &if index < numbers { format!("{cell:<width$}  ") } else { format!("{cell:>width$}  ") };
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
