//! `turnproof test`: play scenarios to a subject and judge it.

mod client;
mod snapshots;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::report::run::{Exhibit, Replay, RunReport, WriteError, write_files};
use crate::report::{count, families_table, json_line, rules_table, size};
use turnproof_rules::operation::Operation;
use turnproof_suite::scenario::Profile;
use turnproof_suite::suite::every_client::chosen;
use turnproof_suite::suite::{
    Deviation, DeviationFate, Options, Regression, Report, RuleCount, Shard, load_regressions, run as run_suite,
};
use turnproof_suite::table::names;

use super::progress::Progress;
use super::signals::Signals;
use super::subject::{self, Judged};
use super::values::{duration, profile};
use super::{Exit, Failure as CommandFailure, columns, quietly, settings, stdout};

/// How many cases a run has, unless another number is named.
const CASES: u64 = 10_000;

/// Play generated conversations to a subject, the built-in reference or a program, and judge it by the rules
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof test                                the default run
  turnproof test --seed 7 --cases 100000        more cases of another seed
  turnproof test --seed 8 --time 8h             all night
  turnproof test --rules 'wire/*'               one family
  turnproof test --rules '!engine/*'            all but one family
  turnproof test --cases 1000000 --shard 1/4    the first of four machines
  turnproof test --report target/report         and a page, JUnit XML and JSON Lines of it
  turnproof test --subject 'python3 mine.py'    judge a program in any language, in one process a core
  turnproof test --subject ./mine --jobs 4 --regressions kept --report out
                                                in four, keep what breaks it in a folder, and write a page
  turnproof test --subject ./mine --profile plain
                                                a library that knows nothing but the Messages API
  turnproof test --subject ./mine --once normalize_api
                                                a script that answers one question and ends
  turnproof test --subject ./mine --snapshots snapshots --report out
                                                what it makes of stored conversations, against what was reviewed
  turnproof test --client clients/pydantic-ai --install
                                                a client as it is: talks to it through a mock of the API
  turnproof test --client clients/claude-code --sessions --cases 300
                                                and one that resumes sessions, most of them damaged

Case i of a seed depends on the seed and i alone: shards together run the cases of the whole, and \
the same call prints the same bytes. A case that breaks a rule is shrunk, printed, and kept in the \
regressions folder, whose cases are replayed first. Known deviations, each with the reason, stand in turnproof.toml, \
 here or in a folder above; one that has stopped fails the run. Ctrl-C or SIGTERM ends a run, and \
the program, with the table of what was judged until then; the exit code is 1 when a rule is broken or the subject \
crashed, else 130 or 143.")]
pub(super) struct Arguments {
    #[command(flatten)]
    subject: subject::Arguments,
    #[command(flatten)]
    client: client::Arguments,
    /// The seed of all cases
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many cases the whole run has [default: 10000, or as many as fit into --time]
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// Stop when this much time has passed, such as 90s or 8h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Run only part k of n
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Only the rules whose id matches, such as 'wire/*'; '!wire/depth' leaves out. Several with commas, or several
    /// times. The table then has a row for each rule. `every-client` names those that every client of the Messages API
    /// must keep [default with --profile plain]
    #[arg(long, value_name = "GLOB")]
    rules: Vec<String>,
    /// Only scenarios of this profile [default: causal, shuffled and hostile]
    #[arg(long, value_name = "PROFILE", value_parser = profile())]
    profile: Option<Profile>,
    /// Threads (0: one a core); the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// The folder of stored cases [default: tests/regressions, where it exists; for a program none]
    #[arg(long, value_name = "DIR")]
    regressions: Option<PathBuf>,
    /// The file of known deviations [default: turnproof.toml, in this folder or one above, where it exists]
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Write one JSON line for each case to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write report.html, junit.xml and report.jsonl to this folder, whatever comes out (of snapshots report.html alone)
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    #[command(flatten)]
    snapshots: snapshots::Arguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CommandFailure> {
    if let Some(folder) = &arguments.client.client {
        return client::run(&arguments.client, folder, arguments);
    }
    if let Some(folder) = &arguments.snapshots.snapshots {
        return snapshots::run(arguments, folder);
    }
    let profiles = arguments.profile.map_or(Profile::ALL.to_vec(), |profile| vec![profile]);
    let choice = chosen(&arguments.rules, &profiles).map_err(|error| CommandFailure::Usage(error.to_string()))?;
    let mut options = Options {
        seed: arguments.seed,
        cases: arguments.cases.unwrap_or(if arguments.time.is_some() { u64::MAX } else { CASES }),
        shard: arguments.shard,
        rules: choice.rules,
        every_client: choice.every_client,
        known: settings::known(arguments.known.as_deref())?,
        profiles,
        threads: arguments.threads,
        time: arguments.time,
        ..Options::default()
    };
    let signals = Signals::catch()?;
    options.stop = signals.stop().clone();
    let judged = match (arguments.subject.start(signals.stop()), signals.ended()) {
        (Err(_), Some(exit)) => return Ok(exit),
        (judged, _) => judged?,
    };
    options.rules = judged.rules(options.rules);
    options.threads = judged.threads(options.threads);
    options.tries = judged.tries().unwrap_or(options.tries);
    let exit = judge(arguments, &options, &judged, &signals)?;
    if let Some(end) = judged.stop() {
        eprintln!("turnproof: the subject is judged, but {end}");
    }
    Ok(exit)
}

/// Judges a subject, and prints what comes out.
fn judge(arguments: &Arguments, options: &Options, judged: &Judged, signals: &Signals) -> Result<Exit, CommandFailure> {
    let named = arguments.regressions.as_deref();
    let folder = match judged {
        Judged::Reference => regressions_folder(named),
        // What is stored of another subject says nothing of this one.
        Judged::Program { .. } => named,
    };
    is_there(named)?;
    let regressions = stored(folder)?;
    let log = arguments.log.as_ref().map(File::create).transpose();
    let log = log.map_err(|error| CommandFailure::Usage(format!("cannot write the log: {error}")))?;
    let (mut log, mut logged) = (log.map(BufWriter::new), Ok(()));
    let is_counted = options.cases < u64::MAX;
    let progress = Progress::of_cases(is_counted.then(|| options.shard.share_of(options.cases)));
    let mut report = quietly(|| {
        run_suite(judged.subject(), options, &regressions, &mut |line| {
            progress.add(1);
            if let (Some(log), Ok(())) = (&mut log, &logged) {
                logged = json_line(log, line);
            }
        })
    })
    .map_err(|error| CommandFailure::Internal(error.to_string()))?;
    progress.finish();
    logged?;
    log.map_or(Ok(()), |mut log| log.flush())?;
    if let Some(why) = &report.ended {
        let hint = simpler(options, why.operation).map_or_else(String::new, |hint| format!("\n  {hint}"));
        return Err(CommandFailure::Subject(format!("the subject could not be judged: {why}{hint}")));
    }
    if !report.is_stopped {
        quietly(|| judged.quote(&mut report.failures));
    }
    let mut out = stdout();
    out.write_all(page(arguments, options, &report).as_bytes())?;
    for note in judged.notes() {
        writeln!(out, "{note}")?;
    }
    for operation in &report.untested {
        let name = operation.name();
        writeln!(out, "\nuntested: `{name}`\n  the subject does it, and no case exercised a rule on it")?;
    }
    for deviation in report.stopped() {
        let (rule, reason) = (&deviation.known.rule, &deviation.known.reason);
        writeln!(out, "\nstopped: {rule} is known to deviate, and does not any more\n  known because: {reason}")?;
        writeln!(out, "  {}", deviation.stopped())?;
    }
    for failure in &report.failures {
        write!(out, "\n{failure}")?;
        if let Some(folder) = folder {
            let paths = failure.save(folder).map_err(|error| CommandFailure::Usage(error.to_string()))?;
            writeln!(out, "  kept as {}", names(&paths))?;
        }
    }
    if report.answers == 0 {
        let mut operations = report.crashes().map(|(operation, _)| operation);
        if let Some(hint) = operations.find_map(|operation| simpler(options, operation)) {
            writeln!(out, "\n{hint}")?;
        }
    }
    if let Some(folder) = &arguments.report {
        writeln!(out, "\n{}", write_report(folder, options, judged, &report)?)?;
    }
    out.flush()?;
    if let (true, Some(exit)) = (report.failures.is_empty(), signals.ended()) {
        return Ok(exit);
    }
    Ok(match (report.failures.is_empty(), report.cases + report.replayed) {
        (false, _) if report.answers == 0 && report.crashes > 0 => Exit::NotJudged,
        (false, _) => Exit::Broken,
        (true, 0) => Exit::Nothing,
        (true, _) if report.stopped().next().is_some() => Exit::Broken,
        (true, _) if report.counts.iter().all(|count| count.held + count.known == 0) => Exit::Nothing,
        (true, _) if !report.untested.is_empty() => Exit::Broken,
        (true, _) => Exit::Held,
    })
}

/// What to play to a subject that answers no case: where it makes requests, dialogues with calls and results, and
/// nothing in them that one client alone has.
fn simpler(options: &Options, operation: Operation) -> Option<&'static str> {
    let has_simpler = operation == Operation::NormalizeApi && options.profiles != [Profile::Plain];
    has_simpler.then_some("begin with simple dialogues: --profile plain --rules 'pairing/*'")
}

/// The folder of stored cases: the one that is named, or else the usual one, where it exists.
pub(super) fn regressions_folder(named: Option<&Path>) -> Option<&Path> {
    named.or(Some(Path::new("tests/regressions")).filter(|usual| usual.is_dir()))
}

/// Refuses a folder of stored cases that is not there: if its name were mistyped, nothing would be replayed.
fn is_there(named: Option<&Path>) -> Result<(), CommandFailure> {
    let Some(missing) = named.filter(|folder| !folder.exists()) else { return Ok(()) };
    let folder = missing.display();
    Err(CommandFailure::Usage(format!(
        "there is no folder {folder}; make it (`mkdir -p {folder}`), and the smallest case of what is broken is kept in it"
    )))
}

pub(super) fn stored(folder: Option<&Path>) -> Result<Vec<Regression>, CommandFailure> {
    let stored = folder.map(load_regressions).transpose().map_err(|error| CommandFailure::Usage(error.to_string()))?;
    Ok(stored.into_iter().flatten().map(|(_, regression)| regression).collect())
}

/// Writes the files of the run report; gives a line that names them.
fn write_report(folder: &Path, options: &Options, judged: &Judged, report: &Report) -> Result<String, CommandFailure> {
    let exhibit = |failure| match report.is_stopped {
        // The subject has been ended.
        true => Exhibit::default(),
        false => Exhibit::of(judged.subject(), failure),
    };
    let exhibits: Vec<Exhibit> = quietly(|| report.failures.iter().map(exhibit).collect());
    let run = RunReport {
        version: env!("CARGO_PKG_VERSION"),
        replay: Replay::Command(&judged.command()),
        options,
        report,
        exhibits: &exhibits,
    };
    let paths = write_files(&run, folder).map_err(|error| match error {
        WriteError::Io { .. } => CommandFailure::Usage(error.to_string()),
        _ => CommandFailure::Internal(error.to_string()),
    })?;
    Ok(format!("report: {}", names(&paths)))
}

fn page(arguments: &Arguments, options: &Options, report: &Report) -> String {
    let profiles: Vec<&str> = options.profiles.iter().map(|profile| profile.name()).collect();
    let shard = match options.shard {
        Shard::WHOLE => String::new(),
        shard => format!(", part {shard}"),
    };
    let of_all = match options.cases {
        u64::MAX => String::new(),
        cases => format!(" of {}", count(cases)),
    };
    let mut page = format!(
        "subject {}, seed {}, {}{} ({}){shard}, {}\n\n",
        report.subject,
        options.seed,
        size(report.cases, "case"),
        of_all,
        profiles.join(", "),
        size(report.replayed, "stored case"),
    );
    let has_table = !arguments.rules.is_empty();
    page.push_str(&if has_table { rules_table(report, columns()) } else { families_table(report, columns()) });
    let rows = |is_so: fn(&RuleCount) -> bool| report.counts.iter().filter(|row| is_so(row)).count() as u64;
    let (tested, broken) = (rows(|row| row.tested() > 0), rows(|row| row.broken > 0));
    let known = rows(|row| row.broken == 0 && row.known > 0);
    let crashed = match report.crashed_cases {
        0 => String::new(),
        cases => format!(", {} crashed", size(cases, "case")),
    };
    page.push_str(&match (tested, broken, known, report.crashed_cases) {
        (_, 0, 0, 0) => format!("\nall of {} held\n", size(tested, "rule")),
        (_, 0, known, 0) => {
            format!("\n{} of {} held, {}\n", count(tested - known), size(tested, "rule"), known_to(known))
        }
        (0, 0, 0, _) => format!("\nno rule was exercised{crashed}\n"),
        (_, broken, 0, _) => format!("\n{} of {} broken{crashed}\n", count(broken), size(tested, "rule")),
        (_, broken, known, _) => {
            format!("\n{} of {} broken, {}{crashed}\n", count(broken), size(tested, "rule"), known_to(known))
        }
    });
    if !has_table {
        page.push_str("a row for each rule: --rules '*'\n");
    }
    if report.is_stopped {
        page.push_str("stopped: this was judged until then; what is broken may have smaller cases\n");
    }
    for Deviation { known, fate } in &report.deviations {
        match fate {
            DeviationFate::Deviates => page.push_str(&format!("known: {}: {}\n", known.rule, known.reason)),
            DeviationFate::Untold => page.push_str(&format!("not told: {}: {}\n", known.rule, known.reason)),
            DeviationFate::Stopped => {}
        }
    }
    page
}

fn known_to(known: u64) -> String {
    let verb = if known == 1 { "is" } else { "are" };
    format!("{} {verb} known to deviate", count(known))
}
