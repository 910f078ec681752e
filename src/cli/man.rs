//! `turnproof man`: the man pages of the command and of each of its commands.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use super::{Exit, Failure, command};

/// Write the man pages, one for each command
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof man ~/.local/share/man/man1    then: man turnproof-check
  turnproof man pages && man -l pages/turnproof-check.1")]
pub(super) struct Arguments {
    /// The folder to write to; it is made where there is none
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command(), folder))
        .map_err(|error| Failure::Usage(format!("cannot write man pages to {}: {error}", folder.display())))?;
    Ok(Exit::Held)
}
