//! The *format* of what a command prints as a table.

use clap::ValueEnum;

/// How a table is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table
    Human,
    /// One JSON object a line
    Json,
}
