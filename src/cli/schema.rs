//! `turnproof schema`: print the JSON Schema of the protocol, or of the scripts of the mock.

use std::io::Write;

use clap::{Args, ValueEnum};
use turnproof_mock::Script;

use turnproof_suite::subject::program::schema::schema;

use super::{Exit, Failure, stdout};

/// Print the JSON Schema of the protocol for subjects that are programs (SPEC.md section 10.4)
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof schema                                      all of it, as in schema/subject.json
  turnproof schema | jq '.methods.normalize_api'        input and output of one method
  turnproof schema | jq '.\"$defs\".Turns'               one shape
  turnproof schema | jq '.\"$defs\".HistoryBlock'        a block of a plain case
  turnproof schema --of script                          a script of `turnproof mock`, as in schema/script.json")]
pub(super) struct Arguments {
    /// Whose schema
    #[arg(long, value_enum, default_value_t = Of::Subject)]
    of: Of,
}

/// Whose schema.
#[derive(Clone, Copy, ValueEnum)]
enum Of {
    /// The protocol for subjects
    Subject,
    /// Scripts of the mock
    Script,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut out = stdout();
    let schema = match arguments.of {
        Of::Subject => schema(),
        Of::Script => Script::schema(),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(|error| Failure::Internal(error.to_string()))?;
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(Exit::Held)
}
