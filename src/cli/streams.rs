//! *Streams*: what a command reads, a file or standard input, and what it prints as a table.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;

use super::{Failure, stdout};
use crate::report::json_line;

/// The bytes of a file; of standard input where its name is `-`.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = if path.as_os_str() == "-" { read_stdin() } else { fs::read(path) };
    bytes.map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))
}

pub(super) fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How a command prints.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people
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
