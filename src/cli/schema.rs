//! `turnproof schema`: print the JSON Schema of the protocol.

use std::io::Write;

use clap::Args;

use turnproof_suite::subject::program::schema::schema;

use super::{Exit, Failure, stdout};

/// Print the JSON Schema of the protocol for subjects that are programs (SPEC.md section 10.4)
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof schema                                      all of it, as in schema/subject.json
  turnproof schema | jq '.methods.normalize_api'        input and output of one method
  turnproof schema | jq '.\"$defs\".Turns'               one shape
  turnproof schema | jq '.\"$defs\".HistoryBlock'        a block of a plain case")]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments) -> Result<Exit, Failure> {
    let mut out = stdout();
    let text = serde_json::to_string_pretty(&schema()).map_err(|error| Failure::Internal(error.to_string()))?;
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(Exit::Held)
}
