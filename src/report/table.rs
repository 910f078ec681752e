//! A table that fits a terminal.

use turnproof_suite::table::table;

use super::screen::Screen;

/// A table for a screen of so many columns. Where it is wider, each row takes two lines or more: its first cell, and the
/// others below it, without headings.
pub fn table_within<const N: usize>(
    columns: Option<usize>,
    headings: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let rows: Vec<[String; N]> = rows.into_iter().collect();
    let wide = table(headings, rows.iter().cloned());
    let screen = Screen { colour: false, columns };
    if wide.lines().all(|line| screen.fits(line.chars().count())) {
        return wide;
    }
    let stacked = |row: &[String; N]| {
        let cells = row[1..].iter().zip(&headings[1..]).filter(|(cell, _)| !cell.is_empty());
        let cell = |(cell, heading): (&String, &&str)| match heading.strip_prefix('>') {
            Some(heading) => format!("{heading} {cell}"),
            None => cell.clone(),
        };
        let cells: Vec<String> = cells.map(cell).collect();
        format!("{}\n{}", row[0], screen.wrap(&format!("  {}", cells.join(", ")), 2))
    };
    rows.iter().map(stacked).collect()
}
