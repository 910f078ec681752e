//! `turnproof fuzz`: mutated inputs to a program, judged by the rules.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::report::{FindsPage, count, json_line, size, table_within};
use turnproof_rules::operation::{Host, Operation};
use turnproof_rules::rules::{choose, find};
use turnproof_suite::fuzzing::campaign::{
    Corpus, Event, FUZZED, Find, Options, State, Store, StoreError, Summary, run as run_it,
};
use turnproof_suite::printable;
use turnproof_suite::subject::Subject;
use turnproof_suite::subject::program::Program;

use super::progress::Progress;
use super::signals::Signals;
use super::streams::Format;
use super::subject::{LimitArguments, Listening, not_started, subject_words};
use super::values::{duration, host};
use super::{Exit, Failure, columns, quietly, settings, stdout, write_page};

/// How many inputs of each operation are tried, unless another number or a time is named.
const INPUTS: u64 = 10_000;

/// The most lines of an input that are shown, and the most bytes of a line.
const LINES: usize = 12;
const COLUMNS: usize = 400;

/// Give mutated transcripts, streams and requests to a program, and judge what it does with them
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof fuzz --subject 'python3 mine.py'              10,000 inputs of each operation
  turnproof fuzz --subject ./mine --time 8h               all night
  turnproof fuzz --subject ./mine --operation parse --corpus ~/.claude/projects
                                                          your own files, mutated, beside what is built in
  turnproof fuzz --subject ./mine --seed 7 --inputs 500   other inputs, and few
  turnproof fuzz --subject ./mine --rules 'wire/*,!wire/depth'
                                                          only what these rules find, and crashes
  turnproof fuzz --subject ./mine --time 8h --report out  all night, and a page for the morning
  turnproof fuzz --subject ./mine --format json           one object a line

It finds crashes, hangs, growing memory, lost or changed lines, broken rules and answers that differ when asked \
again. A find is made small and kept in the folder. The same call goes on from there: it asks the known finds again \
first, and tells none of them twice. Ctrl-C ends it with its summary. The exit code is 0 when nothing fails, 1 when \
something does, 3 when the program only crashes, and 130 when nothing fails until Ctrl-C. docs/fuzz-any-program.md \
has more.")]
pub(super) struct Arguments {
    /// The program; its words are split as a shell does
    #[arg(long, value_name = "CMD")]
    subject: String,
    #[command(flatten)]
    limits: LimitArguments,
    /// Only this operation; may be given several times [default: all of them that the program announces]
    #[arg(long, value_name = "OPERATION", value_parser = ["parse", "resume", "accumulate", "check_request", "check_response"])]
    operation: Vec<String>,
    /// The seed of all inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many inputs of each operation [default: 10000, or as many as fit into --time]
    #[arg(long, value_name = "N")]
    inputs: Option<u64>,
    /// Stop when this much time has passed, such as 90s or 8h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// A folder whose files are mutated too, such as your own sessions or stored cases
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// The folder where finds are kept, and from which the next run goes on
    #[arg(long, value_name = "DIR", default_value = "turnproof-fuzz")]
    out: PathBuf,
    /// How many processes of the program run at the same time (0: one a core); the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// The most smaller inputs that are tried for one find
    #[arg(long, value_name = "N", default_value_t = 1000)]
    tries: usize,
    /// The host that requests are judged for, in `check_request`
    #[arg(long, value_name = "HOST", default_value = "portable", value_parser = host())]
    profile: Host,
    /// Only the rules whose id matches, such as 'wire/*'; '!wire/depth' leaves out. Several with commas, or several
    /// times. Crashes are found all the same
    #[arg(long, value_name = "GLOB")]
    rules: Vec<String>,
    /// The file of known deviations, of which no find is made [default: turnproof.toml, in this folder or one above,
    /// where it exists]
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Write report.html to this folder: each find, with what the program did, what it had to do, and the input
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let signals = Signals::catch()?;
    let setup = arguments.limits.setup(&arguments.subject, arguments.jobs, signals.stop())?;
    let program = match (Program::start(setup), signals.ended()) {
        (Err(_), Some(exit)) => return Ok(exit),
        (program, _) => program.map_err(not_started)?,
    };
    let rules = choose(&split(&arguments.rules)).map_err(|error| Failure::Usage(error.to_string()))?;
    let options = Options {
        operations: operations(arguments, &program)?,
        rules,
        known: settings::known(arguments.known.as_deref())?,
        seed: arguments.seed,
        inputs: arguments.inputs.or(arguments.time.is_none().then_some(INPUTS)),
        time: arguments.time,
        jobs: arguments.jobs,
        tries: arguments.tries,
        host: arguments.profile,
        now: jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string(),
    };
    let corpus = match &arguments.corpus {
        Some(folder) => Corpus::of_folder(folder).map_err(|(path, error)| {
            Failure::Usage(format!("{}: {error}; --corpus takes a folder of files", path.display()))
        })?,
        None => Corpus::default(),
    };
    let store = Store::open(&arguments.out).map_err(failure)?;
    let exit = fuzz(arguments, &options, &corpus, store, &program, &signals)?;
    if let Some(end) = program.stop() {
        eprintln!("turnproof: the subject is judged, but {end}");
    }
    Ok(exit)
}

fn failure(error: StoreError) -> Failure {
    match error {
        StoreError::Output(error) => Failure::Output(error),
        StoreError::Threads(error) => Failure::Internal(error.to_string()),
        error => Failure::Usage(error.to_string()),
    }
}

/// Globs that may come several in one word, between commas.
fn split(globs: &[String]) -> Vec<&str> {
    globs.iter().flat_map(|globs| globs.split(',')).map(str::trim).collect()
}

/// What is fuzzed: what is named, or else all that the program does.
fn operations(arguments: &Arguments, program: &Program) -> Result<Vec<Operation>, Failure> {
    let names = FUZZED.map(Operation::name).join(", ");
    let missing = arguments.operation.iter().find(|name| !program.announces(name));
    if let Some(name) = missing {
        let announced = program.announcement().operations.join(", ");
        return Err(Failure::Usage(format!("the subject does not announce `{name}`; it announces {announced}")));
    }
    let is_wanted = |operation: &Operation| {
        let is_named =
            arguments.operation.is_empty() || arguments.operation.iter().any(|name| name == operation.name());
        is_named && program.announces(operation.name())
    };
    match FUZZED.into_iter().filter(is_wanted).collect::<Vec<_>>() {
        none if none.is_empty() => {
            Err(Failure::Usage(format!("the subject announces no operation that can be fuzzed: {names}")))
        }
        operations => Ok(operations),
    }
}

fn fuzz(
    arguments: &Arguments,
    options: &Options,
    corpus: &Corpus,
    mut store: Store,
    program: &Program,
    signals: &Signals,
) -> Result<Exit, Failure> {
    let names: Vec<&str> = options.operations.iter().map(|operation| operation.name()).collect();
    let mut out = stdout();
    if arguments.format == Format::Human {
        let pieces = if corpus.is_empty() {
            String::new()
        } else {
            format!(", {} of files", size(corpus.len() as u64, "piece"))
        };
        writeln!(out, "subject {}, seed {}, {}{pieces}", program.name(), options.seed, names.join(", "))?;
        out.flush()?;
    }
    let total = options.inputs.map(|inputs| inputs * options.operations.len() as u64);
    let progress = Progress::of_inputs(total);
    let folder = arguments.out.join("finds");
    let mut is_hopeless = None;
    let mut tell = |event: Event<'_>| {
        if let Event::Tried(more) = event {
            progress.add(more);
            return Ok(());
        }
        if let Event::OnlyCrashes(operation) = event {
            is_hopeless = Some(operation.to_owned());
            return Ok(());
        }
        let told = match arguments.format {
            Format::Human => page(&event, &folder).into_bytes(),
            Format::Json => line(&event, &folder)?,
        };
        progress.suspend(|| out.write_all(&told).and_then(|()| out.flush()))?;
        Ok(())
    };
    let listening = Listening(program);
    let summary =
        quietly(|| run_it(&listening, options, corpus, &mut store, signals.stop(), &mut tell)).map_err(failure)?;
    progress.finish();
    let text = summary_page(&summary, &store, arguments);
    let path = arguments.out.join("summary.txt");
    std::fs::write(&path, &text).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    let report = arguments
        .report
        .as_ref()
        .map(|folder| write_report(folder, arguments, program, &summary, &store))
        .transpose()?;
    match arguments.format {
        Format::Human => out.write_all(text.as_bytes())?,
        Format::Json => json_line(&mut out, &Line { event: "summary", ..Line::of_summary(&summary) })?,
    }
    if let (Some(path), Format::Human) = (report, arguments.format) {
        writeln!(out, "report: {}", path.display())?;
    }
    out.flush()?;
    if signals.ended().is_some() {
        eprintln!("turnproof: stopped; the same call goes on from here");
    }
    if let Some(operation) = is_hopeless {
        eprintln!("turnproof: `{operation}` could not be judged: the subject crashed at each input");
        if summary.judged() == 0 {
            return Ok(Exit::NotJudged);
        }
    }
    Ok(match (summary.failing, signals.ended(), summary.judged()) {
        (1.., ..) => Exit::Broken,
        (0, Some(exit), _) => exit,
        (0, None, 0) => Exit::Nothing,
        (0, None, _) => Exit::Held,
    })
}

/// Writes the page of all finds; gives its path.
fn write_report(
    folder: &Path,
    arguments: &Arguments,
    program: &Program,
    summary: &Summary,
    store: &Store,
) -> Result<PathBuf, Failure> {
    let finds = store.finds().iter().map(|find| Ok((find, store.input(find)?, store.path(find).display().to_string())));
    let finds = finds.collect::<Result<Vec<_>, StoreError>>().map_err(failure)?;
    let out = arguments.out.display().to_string();
    let out = shlex::try_quote(&out).map_or_else(|_| out.clone(), Into::into);
    let command = format!("turnproof fuzz {} --out {out}", subject_words(&arguments.subject, program));
    let page = FindsPage { version: env!("CARGO_PKG_VERSION"), command: &command, summary, finds: &finds };
    write_page(folder, &page.html())
}

/// An event in words.
fn page(event: &Event<'_>, folder: &Path) -> String {
    let path = |find: &Find| folder.join(&find.input).display().to_string();
    match event {
        Event::Tried(_) | Event::OnlyCrashes(_) => String::new(),
        Event::Still(find) => {
            format!("known: {} {}: {}\n  {}\n", find.operation.name(), find.name(), find.kind, path(find))
        }
        Event::Gone(find) => {
            let (operation, name, kind) = (find.operation.name(), find.name(), &find.kind);
            format!("does not fail any more: {operation} {name}: {kind}\n  {}\n", path(find))
        }
        Event::Back(find) => {
            let (operation, name, kind) = (find.operation.name(), find.name(), &find.kind);
            format!("fails again: {operation} {name}: {kind}\n  {}\n", path(find))
        }
        Event::New(find, input) => find_page(find, input, &path(find)),
    }
}

fn find_page(find: &Find, input: &[u8], path: &str) -> String {
    let operation = find.operation.name();
    let mut page = match &find.rule {
        Some(rule) => format!("\nbroken: {operation} {rule}"),
        None => format!("\ncrashed: {operation}"),
    };
    page.push_str(&format!(" (from input {} of seed {})\n", find.number, find.seed));
    if let Some(rule) = find.rule.as_deref().and_then(self::find) {
        page.push_str(&format!("  rule: {}\n", rule.title));
    }
    let place = if find.place.is_empty() { String::new() } else { format!("{}: ", find.place) };
    page.push_str(&format!("  {place}{}; expected {}\n", find.found, find.expected));
    if !find.is_again {
        page.push_str("  it was not so when the subject was asked again: it answers by chance, or remembers\n");
    }
    for line in &find.said {
        page.push_str(&format!("  {}\n", shortened(line.as_bytes())));
    }
    for beside in &find.beside {
        page.push_str(&format!("  and beside it {beside}\n"));
    }
    let cut_off = if find.is_cut_off { ", the most that are made; there may be a smaller one" } else { "" };
    page.push_str(&format!(
        "  {} of {} left after {}{cut_off}\n",
        count(find.bytes as u64),
        size(find.before as u64, "byte"),
        tries(find.tries)
    ));
    page.push_str(&format!("  kept as {path}\n"));
    let text = input.strip_suffix(b"\n").unwrap_or(input);
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    lines.iter().take(LINES).for_each(|line| page.push_str(&format!("  | {}\n", shortened(line))));
    if lines.len() > LINES {
        page.push_str(&format!("  and {} more\n", size((lines.len() - LINES) as u64, "line")));
    }
    page
}

fn tries(tries: usize) -> String {
    if tries == 1 { "1 try".to_owned() } else { format!("{} tries", count(tries as u64)) }
}

fn shortened(line: &[u8]) -> String {
    let text = printable::exact(line);
    match text.char_indices().nth(COLUMNS) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], line.len()),
        None => text,
    }
}

/// A line for programs.
#[derive(Default, Serialize)]
struct Line<'a> {
    event: &'a str,
    #[serde(flatten)]
    find: Option<&'a Find>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(flatten)]
    summary: Option<&'a Summary>,
}

impl<'a> Line<'a> {
    fn of_summary(summary: &'a Summary) -> Self {
        Self { summary: Some(summary), ..Self::default() }
    }
}

fn line(event: &Event<'_>, folder: &Path) -> Result<Vec<u8>, StoreError> {
    let (event, find) = match event {
        Event::Tried(_) | Event::OnlyCrashes(_) => return Ok(Vec::new()),
        Event::New(find, _) => ("found", find),
        Event::Still(find) => ("known", find),
        Event::Gone(find) => ("gone", find),
        Event::Back(find) => ("back", find),
    };
    let line =
        Line { event, find: Some(find), path: Some(folder.join(&find.input).display().to_string()), summary: None };
    let mut bytes = Vec::new();
    json_line(&mut bytes, &line)?;
    Ok(bytes)
}

fn summary_page(summary: &Summary, store: &Store, arguments: &Arguments) -> String {
    let head = ["operation", ">inputs", ">answered", ">refused", ">not judged", ">crashed", ">finds"];
    let mut untold = 0;
    let rows: Vec<[String; 7]> = summary
        .operations
        .iter()
        .map(|(name, account)| {
            untold += account.untold;
            let finds = store.finds().iter().filter(|find| find.operation.name() == name).count() as u64;
            let figures = [account.inputs, account.answered, account.refused, account.not_done, account.crashed, finds];
            let [inputs, answered, refused, not_done, crashed, finds] = figures.map(count);
            [name.clone(), inputs, answered, refused, not_done, crashed, finds]
        })
        .collect();
    let mut page = format!("\n{}", table_within(columns(), head, rows));
    let seen = |find: &Find| {
        let state = if find.state == State::Gone { ", gone" } else { "" };
        [count(find.times), format!("{} {}: {}{state}", find.operation.name(), find.name(), find.kind)]
    };
    if !store.finds().is_empty() {
        page.push_str(&format!("\n{}", table_within(columns(), [">times", "find"], store.finds().iter().map(seen))));
    }
    if untold > 0 {
        page.push_str(&format!("\n{} of further kinds of the same rules, not told\n", size(untold, "sighting")));
    }
    let gone = if summary.gone > 0 { format!(", {} gone", count(summary.gone as u64)) } else { String::new() };
    page.push_str(&format!("\n{} in {}{gone}\n", size(summary.failing as u64, "find"), arguments.out.display()));
    page
}
