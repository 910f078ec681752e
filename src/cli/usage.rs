//! `turnproof usage`: how many tokens the replies of sessions cost.

use std::fs::File;
use std::path::PathBuf;

use clap::Args;

use crate::report::{size, usage_page};
use turnproof_reference::usage::Tally;

use super::progress::Progress;
use super::sessions::Sessions;
use super::streams::Format;
use super::{Exit, Failure, columns};

/// Say how many tokens the replies of sessions cost, by session and model
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof usage session.jsonl                      one session, a row for each model
  turnproof usage ~/.claude/projects                 every *.jsonl under a folder, and all together
  turnproof usage old.jsonl.gz                       one that was compressed
  turnproof usage --format json . | jq -s 'map(.output_tokens) | add'

A reply counts once, however many lines, files, forks or resumed copies hold it. Cache writes and \
cache reads are no part of the input. Replies of subagents have rows of their own. For replies that do \
not say what they cost, the last column has their number and about how many tokens they wrote.")]
pub(super) struct Arguments {
    /// Files, folders (every *.jsonl and *.jsonl.gz under them), or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How to print; as JSON, a line for each session, model and sort of conversation
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let sessions = Sessions::of(&arguments.paths);
    if sessions.are_none() {
        eprintln!("turnproof: nothing to count: no session in what is named");
        return Ok(Exit::Nothing);
    }
    let Sessions { inputs, unreadable } = sessions;
    let mut exit = if unreadable == 0 { Exit::Held } else { Exit::Usage };
    let progress = Progress::new(inputs.iter().map(|input| input.size).sum());
    let mut tally = Tally::default();
    for input in &inputs {
        let counted = File::open(&input.path).and_then(|file| tally.file(file, |bytes| progress.add(bytes)));
        match counted {
            Ok(0) => {}
            Ok(rejected) => progress.suspend(|| {
                eprintln!("turnproof: {}: {} hold no record; left out", input.name, size(rejected, "byte"));
            }),
            Err(error) => {
                exit = Exit::Usage;
                progress.suspend(|| eprintln!("turnproof: cannot read {}: {error}", input.name));
            }
        }
    }
    progress.finish();
    let rows = tally.rows();
    if rows.is_empty() {
        eprintln!("turnproof: no reply of a model in {}", size(inputs.len() as u64, "file"));
    }
    let page = || if rows.is_empty() { String::new() } else { usage_page(&rows, columns()) };
    arguments.format.print(page, &rows)?;
    Ok(exit)
}
