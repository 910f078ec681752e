//! `turnproof completions`: a script that completes commands and options in a shell.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use super::{Exit, Failure, command, stdout};

/// Print a script that completes commands and options in a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof completions bash >> ~/.bashrc
  turnproof completions zsh > ~/.zfunc/_turnproof
  turnproof completions fish > ~/.config/fish/completions/turnproof.fish")]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    // Written at once, so that a closed pipe ends the command quietly.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "turnproof", &mut script);
    let mut out = stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Held)
}
