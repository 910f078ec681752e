//! `turnproof mock --suite`: a command is played a table of situations, one after the other, and each is judged alone.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;

use turnproof_clients::{Breach, Client, Deck, Options, Outcome, Played, Situation, Situations, run as run_deck};

use crate::cli::progress::Progress;
use crate::cli::signals::Signals;
use crate::cli::streams::Format;
use crate::cli::{Exit, Failure, columns, quietly, stdout};
use crate::report::{ClientReport, client_junit, table_within};
use turnproof_rules::rules::glob_matches;
use turnproof_suite::subject::Stop;
use turnproof_suite::table::size;

use super::baseline::{self, Baseline, Wrong};
use super::{Arguments, unwritten};

/// What stands between the command of the first prompt and that of the second.
const THEN: &str = "--then";

/// How many smaller cases are tried: a situation has one thing each.
const TRIES: usize = 3;

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let client = client(arguments)?;
    let known = arguments.baseline.as_deref().filter(|_| !arguments.write_baseline);
    let known = known.map(Baseline::read).transpose()?.flatten();
    let signals = Signals::catch()?;
    let deck = situations(client, &arguments.only, signals.stop().clone())?;
    let cases = deck.all().len() as u64;
    let options = Options { seed: 0, cases, tries: TRIES, time: None, stop: signals.stop().clone() };
    let is_json = arguments.format == Format::Json;
    let mut printer = ClientReport::new(stdout(), is_json);
    let progress = Progress::of_cases(Some(cases));
    let (mut printed, mut rows, mut seen) = (Ok(()), Vec::new(), BTreeSet::new());
    let mut observer = |played: &Played| {
        progress.add(1);
        if let Some(situation) = situation(deck.all(), played) {
            let wrong = |breach: &Breach| Wrong { situation: situation.name.clone(), key: breach.key.clone() };
            let wrong: Vec<Wrong> = played.breaches.iter().map(wrong).collect();
            let is_known = known.as_ref().is_some_and(|known| wrong.iter().all(|wrong| known.covers(wrong)));
            rows.push(row(situation, played, is_known));
            seen.extend(wrong);
        }
        if printed.is_ok() {
            printed = printer.case(played);
        }
    };
    let report = quietly(|| run_deck(&deck, &options, Vec::new(), &mut observer));
    let mut report = report.map_err(|error| Failure::Subject(format!("the command could not be judged: {error}")))?;
    progress.finish();
    printed?;
    let written = match (&arguments.baseline, &known) {
        (Some(path), None) if !report.is_stopped => Some((path, baseline::write(path, &seen, &report)?)),
        _ => None,
    };
    let known = known.map(|known| known.of(|name| deck.all().iter().any(|situation| situation.name == name)));
    if let Some(known) = &known {
        baseline::keep_new(&mut report.found, &seen, known);
    }
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
    match (written, &known, &arguments.baseline) {
        (Some((path, count)), ..) => eprintln!("turnproof: {}: {} written", path.display(), size(count as u64, "line")),
        (None, Some(known), Some(path)) if known.left(&seen) > 0 => {
            let left = size(known.left(&seen) as u64, "line");
            eprintln!("turnproof: {}: {left} of it are right now; --write-baseline leaves them out", path.display());
        }
        _ => {}
    }
    Ok(match (report.found.is_empty() || written.is_some(), signals.ended()) {
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

/// The situations that are chosen by their names.
fn situations(client: Client, globs: &[String], stop: Stop) -> Result<Situations, Failure> {
    let mut deck = Situations::new(client, stop).map_err(|error| Failure::Internal(error.to_string()))?;
    let matches = |glob: &str, name: &str| glob_matches(glob.as_bytes(), name.as_bytes());
    if let Some(glob) = globs.iter().find(|glob| !deck.all().iter().any(|one| matches(glob, &one.name))) {
        let names: Vec<&str> = deck.all().iter().map(|situation| situation.name.as_str()).collect();
        return Err(Failure::Usage(format!("no situation matches {glob:?}; there are {}", names.join(", "))));
    }
    deck.choose(|situation| globs.is_empty() || globs.iter().any(|glob| matches(glob, &situation.name)));
    Ok(deck)
}

/// The situation that was played.
fn situation<'a>(all: &'a [Situation], played: &Played) -> Option<&'a Situation> {
    all.get(usize::try_from(played.number?).ok()?)
}

/// What came of a situation, and the rules by which.
fn row(situation: &Situation, played: &Played, is_known: bool) -> [String; 3] {
    let mut rules: Vec<&str> = played.breaches.iter().map(|breach| breach.key.rule.as_str()).collect();
    rules.dedup();
    let for_ever = played.breaches.iter().any(|breach| breach.for_ever);
    let outcome = match played.outcome {
        _ if for_ever => "is refused for ever",
        // What could not be said whole shows nothing of the situation.
        Outcome::Right if played.is_partial => "not played: its requests do not allow it",
        outcome => outcome.words(),
    };
    let known = if is_known && !rules.is_empty() { " (known)" } else { "" };
    [situation.what.clone(), format!("{outcome}{known}"), rules.join(", ")]
}
