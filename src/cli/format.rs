//! The *format* of what a command prints as a table.

use std::io::Write;

use clap::ValueEnum;
use serde::Serialize;

use super::{Failure, stdout};
use crate::report::json_line;

/// How a table is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table
    Human,
    /// One JSON object a line
    Json,
}

impl Format {
    pub(super) fn print<L: Serialize>(
        self,
        table: impl FnOnce() -> String,
        lines: impl IntoIterator<Item = L>,
    ) -> Result<(), Failure> {
        let mut out = stdout();
        match self {
            Self::Human => out.write_all(table().as_bytes())?,
            Self::Json => {
                for line in lines {
                    json_line(&mut out, &line)?;
                }
            }
        }
        Ok(out.flush()?)
    }
}
