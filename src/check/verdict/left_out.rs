//! What the client of today *leaves out* of a conversation that two clients wrote. It takes the first result of a call in
//! the file, and the last branch (recorded: 2.1.332, 2026-11-29).

use std::fmt;

/// What the client of today leaves out of what comes back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How many true results are left out for the placeholder before them.
    pub results: u64,
    /// The lines of the first such placeholder and of its true result.
    pub first_result: Option<(u64, u64)>,
    /// How many records of another client are left out.
    pub records: u64,
    /// The line of the first of them.
    pub first_record: Option<u64>,
}

impl LeftOut {
    /// Notes that the true result on line `by` takes the place of the placeholder on line `placeholder`.
    pub(super) fn note_placeholder(&mut self, placeholder: u64, by: u64) {
        if placeholder < by {
            self.results += 1;
            self.first_result.get_or_insert((placeholder, by));
        }
    }

    /// Notes that so many records of another client come back, from a line on.
    pub(super) fn note_turn(&mut self, line: u64, count: u64) {
        self.records += count;
        self.first_record.get_or_insert(line);
    }

    /// Whether nothing is left out.
    pub fn is_empty(&self) -> bool {
        self.results == 0 && self.records == 0
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the client of today leaves out ")?;
        if let Some((placeholder, by)) = self.first_result {
            match self.results {
                1 => write!(f, "the true result on line {by}")?,
                count => write!(f, "{count} true results, the first on line {by}")?,
            }
            write!(f, ", for the placeholder on line {placeholder}")?;
        }
        if let Some(line) = self.first_record {
            let and = if self.results > 0 { ", and " } else { "" };
            match self.records {
                1 => write!(f, "{and}1 record of another client, on line {line}")?,
                count => write!(f, "{and}{count} records of another client, from line {line} on")?,
            }
        }
        Ok(())
    }
}
