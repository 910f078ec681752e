//! `turnproof faults`: list the subjects that are wrong on purpose.

use clap::Args;
use serde::Serialize;

use crate::faults::{Fault, all};
use crate::report::{Column, Table};
use crate::rules::glob_matches;

use super::Failure;
use super::exit::Exit;
use super::format::Format;

/// List the faults: subjects that are wrong on purpose, which the suite must convict
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof faults                 all of them
  turnproof faults 'record/*'      those of one operation
  turnproof faults --format json   for programs, one object a line

`turnproof selftest` shows that the suite convicts each of them.")]
pub(super) struct Arguments {
    /// Only the faults whose id matches
    #[arg(value_name = "GLOB")]
    globs: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Serialize)]
struct FaultLine<'a> {
    fault: &'a str,
    rule: &'a str,
    title: &'a str,
    source: Option<&'a str>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let faults = faults_matching(&arguments.globs)?;
    let line = |fault: &&'static Fault| {
        let Fault { id, rule, title, source, .. } = fault;
        FaultLine { fault: id, rule, title, source: *source }
    };
    arguments.format.print(|| table(&faults).render(), faults.iter().map(line))?;
    Ok(Exit::Held)
}

/// The faults that any of these globs matches, in the order of the catalogue; all without a glob.
pub(super) fn faults_matching(globs: &[String]) -> Result<Vec<&'static Fault>, Failure> {
    let matches = |glob: &String, fault: &Fault| glob_matches(glob.as_bytes(), fault.id.as_bytes());
    if let Some(glob) = globs.iter().find(|glob| !all().any(|fault| matches(glob, fault))) {
        let words = format!("no fault matches `{glob}`; `turnproof faults` lists them all");
        return Err(Failure::Usage(words));
    }
    let is_wanted = |fault: &&Fault| globs.is_empty() || globs.iter().any(|glob| matches(glob, fault));
    Ok(all().filter(is_wanted).collect())
}

fn table(faults: &[&Fault]) -> Table {
    let columns = [
        (Column::Left, "fault"),
        (Column::Left, "convicted by"),
        (Column::Left, "what it does wrong"),
        (Column::Left, "seen in"),
    ];
    let mut table = Table::new(columns);
    for fault in faults {
        let cells = [fault.id, fault.rule, fault.title, fault.source.unwrap_or_default()];
        table.row(cells.map(str::to_owned));
    }
    table
}
