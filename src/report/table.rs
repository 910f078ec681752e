//! A *table* is rows in aligned columns, and numbers as people read them.

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Words, to the left.
    Left,
    /// Numbers, to the right.
    Right,
}

/// Rows in aligned columns.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns and headings.
    pub fn new<const N: usize>(columns: [(Column, &str); N]) -> Self {
        Self {
            columns: columns.iter().map(|(column, _)| *column).collect(),
            rows: vec![columns.iter().map(|(_, heading)| (*heading).to_owned()).collect()],
        }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }

    /// The rows, a line each, without spaces at their ends.
    pub fn render(&self) -> String {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), column) in row.iter().zip(&widths).zip(&self.columns) {
                let cell = match column {
                    Column::Left => format!("{cell:<width$}"),
                    Column::Right => format!("{cell:>width$}"),
                };
                line.push_str(&cell);
                line.push_str("  ");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A number with a comma between groups of three digits.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun, in the plural unless it is one.
pub fn size(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}
