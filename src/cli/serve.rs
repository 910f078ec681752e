//! `turnproof serve`: answer as a subject.

mod questions;

use std::io;

use clap::Args;

use turnproof_suite::subject::Reference;
use turnproof_suite::subject::program::wire::Announcement;
use turnproof_suite::subject::program::{METHODS, ServeError, serve_with};

use super::{Exit, Failure, quietly};

/// Answer as a subject: the built-in reference, by the protocol of SPEC.md section 10.4
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof test --subject 'turnproof serve'    judge the reference through a pipe
  turnproof serve                               type lines of the protocol, and look at the answers

It answers one line on standard output for each line on standard input, until `stop` or the end. To see what \
your own program should answer, send it the same lines. Beside the operations of subjects it answers `judge_request`, \
`judge_response`, `judge_session` and `draw`, which the packages for Python and npm ask (SPEC.md section 10.4.4).")]
pub(super) struct Arguments {
    /// Answer only these operations [default: all]
    #[arg(long, value_name = "OPERATIONS", value_delimiter = ',')]
    operations: Option<Vec<String>>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let announcement = Announcement {
        name: "reference".to_owned(),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        language: Some("rust".to_owned()),
        operations: arguments
            .operations
            .clone()
            .unwrap_or_else(|| METHODS.iter().copied().map(str::to_owned).collect()),
        lone_surrogates: true,
        ..Announcement::default()
    };
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    match quietly(|| serve_with(&Reference, &questions::answer, &announcement, &mut input, &mut output)) {
        Ok(()) => Ok(Exit::Held),
        Err(ServeError::Io(error)) => Err(Failure::Output(error)),
        Err(error @ ServeError::NoCommand { .. }) => Err(Failure::Usage(error.to_string())),
    }
}
