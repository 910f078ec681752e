//! `turnproof smoke`: ask a program a handful of cases, and say what it gets wrong.

use std::io::Write;

use clap::Args;

use crate::report::json_line;
use turnproof_suite::subject::program::smoke::{Look, Verdict, smoke};

use super::signals::Signals;
use super::streams::Format;
use super::subject::{LimitArguments, not_started};
use super::{Exit, Failure, stdout};

/// Ask a program a handful of cases made by hand, and say in words what its answers lack
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof smoke --subject 'python3 mine.py'         does it speak the protocol?
  turnproof smoke --subject ./mine --timeout 1s       is it fast enough?
  turnproof smoke --subject ./mine --format json      for programs, one object a line

It looks at the form of the answers: `turnproof test --subject` says whether they are right. The exit code is 1 when \
something is wrong, and 3 when the program does not answer `start`. Ctrl-C ends it, and the program. SPEC.md section 10.4 has the protocol.")]
pub(super) struct Arguments {
    /// The program; its words are split as a shell does
    #[arg(long, value_name = "CMD")]
    subject: String,
    #[command(flatten)]
    limits: LimitArguments,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let signals = Signals::catch()?;
    let looks = match (smoke(arguments.limits.setup(&arguments.subject, 1, signals.stop())?), signals.ended()) {
        (Err(_), Some(exit)) => return Ok(exit),
        (looks, _) => looks.map_err(not_started)?,
    };
    let mut out = stdout();
    match arguments.format {
        Format::Human => out.write_all(page(&looks, signals.ended().is_some()).as_bytes())?,
        Format::Json => looks.iter().try_for_each(|look| json_line(&mut out, look))?,
    }
    out.flush()?;
    let is_wrong = looks.iter().any(|look| look.verdict == Verdict::Wrong);
    Ok(if is_wrong { Exit::Broken } else { signals.ended().unwrap_or(Exit::Held) })
}

fn page(looks: &[Look], is_stopped: bool) -> String {
    let mut page = String::new();
    for Look { at, verdict, found, said } in looks {
        let word = match verdict {
            Verdict::Right => "right",
            Verdict::Note => "note ",
            Verdict::Wrong => "WRONG",
        };
        page.push_str(&format!("{word}  {at}: {found}\n"));
        for line in said.lines() {
            page.push_str(&format!("       standard error: {}\n", turnproof_suite::printable::line(line.as_bytes())));
        }
    }
    let wrong = looks.iter().filter(|look| look.verdict == Verdict::Wrong).count();
    page.push_str(&match wrong {
        0 if is_stopped => "\nstopped before all was asked\n".to_owned(),
        0 => "\nit speaks the protocol; `turnproof test --subject` judges what it says\n".to_owned(),
        wrong => format!("\n{wrong} of {} wrong\n", looks.len()),
    });
    page
}
