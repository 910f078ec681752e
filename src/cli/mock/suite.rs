//! `turnproof mock --suite`: a command is played a table of situations, one after the other, and each is judged alone.

use std::fs;
use std::io::Write;

use turnproof_clients::{Client, Deck, Options, Outcome, Played, Situation, Situations, run as run_deck};

use crate::cli::progress::Progress;
use crate::cli::signals::Signals;
use crate::cli::streams::Format;
use crate::cli::{Exit, Failure, columns, quietly, stdout};
use crate::report::{ClientReport, client_junit, table_within};

use super::{Arguments, unwritten};

/// What stands between the command of the first prompt and that of the second.
const THEN: &str = "--then";

/// How many smaller cases are tried: a situation has one thing each.
const TRIES: usize = 3;

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let client = client(arguments)?;
    let signals = Signals::catch()?;
    let deck = Situations::new(client, signals.stop().clone()).map_err(|error| Failure::Internal(error.to_string()))?;
    let cases = deck.all().len() as u64;
    let options = Options { seed: 0, cases, tries: TRIES, time: None, stop: signals.stop().clone() };
    let is_json = arguments.format == Format::Json;
    let mut printer = ClientReport::new(stdout(), is_json);
    let progress = Progress::of_cases(Some(cases));
    let (mut printed, mut rows) = (Ok(()), Vec::new());
    let mut observer = |played: &Played| {
        progress.add(1);
        rows.extend(row(deck.all(), played));
        if printed.is_ok() {
            printed = printer.case(played);
        }
    };
    let report = quietly(|| run_deck(&deck, &options, Vec::new(), &mut observer));
    let report = report.map_err(|error| Failure::Subject(format!("the command could not be judged: {error}")))?;
    progress.finish();
    printed?;
    if !is_json {
        let mut out = stdout();
        writeln!(out, "{}", table_within(columns(), ["situation", "outcome", "by"], rows))?;
        out.flush()?;
    }
    let files = vec![None; report.found.len()];
    printer.finish(&deck, &options, &report, &files)?;
    if let Some(file) = &arguments.junit {
        let text = client_junit(deck.client(), &report).map_err(|error| Failure::Internal(error.to_string()))?;
        fs::write(file, text).map_err(|error| unwritten(file, &error))?;
    }
    Ok(match (report.found.is_empty(), signals.ended()) {
        (false, _) => Exit::Broken,
        (true, Some(exit)) => exit,
        (true, None) if report.outcomes.keys().all(|outcome| *outcome == Outcome::Dies) => Exit::NotJudged,
        (true, None) => Exit::Held,
    })
}

/// The two commands of the call.
fn client(arguments: &Arguments) -> Result<Client, Failure> {
    let mut parts = arguments.command.split(|word| word == THEN);
    let (first, next) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match (first, parts.next()) {
        ([], _) => Err(Failure::Usage("--suite wants a command: -- COMMAND --then COMMAND".to_owned())),
        (_, Some(_)) => Err(Failure::Usage("there are two prompts, so that `--then` comes once".to_owned())),
        (first, None) => Ok(Client::of_commands(first.to_vec(), next.to_vec(), arguments.timeout)),
    }
}

/// What came of a situation, and the rules by which.
fn row(all: &[Situation], played: &Played) -> Option<[String; 3]> {
    let situation = all.get(usize::try_from(played.number?).ok()?)?;
    let mut rules: Vec<&str> = played.breaches.iter().map(|breach| breach.key.rule.as_str()).collect();
    rules.dedup();
    let for_ever = played.breaches.iter().any(|breach| breach.for_ever);
    let outcome = if for_ever { "is refused for ever" } else { played.outcome.words() };
    Some([situation.what.clone(), outcome.to_owned(), rules.join(", ")])
}
