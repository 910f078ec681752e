//! The *program* has the suite convict faults, and says how fast; or lists them.

mod ask;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use indicatif::ProgressBar;
use serde::Serialize;
use turnproof::report::{count, size, table};
use turnproof::rules::glob_matches;
use turnproof::suite::{Regression, RegressionError, load_regressions};
use turnproof_faults::selftest::{Conviction, SelfTest, selftest};
use turnproof_faults::unread::trial::Trial;
use turnproof_faults::{Fault, all};

/// As in the command `turnproof`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Convict subjects that are wrong on purpose, each by its rule, and say how fast
#[derive(Parser)]
#[command(
    max_term_width = 100,
    after_help = "\
Examples:
  turnproof-faults                    every fault, ten seeds
  turnproof-faults 'resume/*'         the faults of one operation
  turnproof-faults --seeds 1          a quick look
  turnproof-faults --list 'resume/*'  what these faults do wrong
  turnproof-faults --store tests/regressions  keep a case of each fault that has none

A fault is convicted with a seed when one of the first cases (--cases) breaks the fault's rule. Each line shows:
how many seeds convict the fault; the median number of cases and of milliseconds on one core; and how many
messages the case in the middle has after shrinking.

Exit codes:
   0  every seed convicts every fault, or the faults were listed
   1  a seed does not convict a fault
   2  the call is wrong
  70  an internal error, or the output cannot be written"
)]
struct Arguments {
    /// Only the faults whose id matches
    #[arg(value_name = "GLOB")]
    globs: Vec<String>,
    /// List the faults, and convict none
    #[arg(long)]
    list: bool,
    /// Play the faults that were written without a look at the rules, each to all rules of its operation
    #[arg(long, conflicts_with_all = ["list", "store"])]
    unread: bool,
    /// Play right subjects that differ from the reference; no rule may convict them
    #[arg(long, conflicts_with_all = ["list", "store", "unread"])]
    harmless: bool,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many seeds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Within how many cases of a seed a fault has to be convicted
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    cases: u64,
    /// Threads (0: one a core); the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Keep the smallest case of each fault that has none in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "list")]
    store: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table
    Human,
    /// One JSON object a line
    Json,
}

#[derive(Serialize)]
struct ConvictionLine<'a> {
    fault: &'a str,
    rule: &'a str,
    seeds: u64,
    convicted: u64,
    /// How many cases each seed that convicts needs, in the order of the seeds.
    cases: Vec<u64>,
    median_cases: Option<u64>,
    median_milliseconds: Option<f64>,
    messages: Option<u64>,
    plan: Option<&'a turnproof::scenario::Scenario>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.unread || arguments.harmless {
        return done(ask(&arguments));
    }
    let faults = match faults_matching(&arguments.globs) {
        Ok(faults) => faults,
        Err(glob) => {
            eprintln!("turnproof-faults: no fault matches `{glob}`; `--list` lists them all");
            return ExitCode::from(2);
        }
    };
    done(if arguments.list { list(&faults, arguments.format) } else { convict(&faults, &arguments) })
}

/// Asks subjects for which no rule is named.
fn ask(arguments: &Arguments) -> io::Result<ExitCode> {
    let &Arguments { seed, seeds, cases, threads, .. } = arguments;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?;
    let asked = ask::Asked { globs: &arguments.globs, trial: Trial { seed, seeds, cases, stops: true } };
    pool.install(|| if arguments.unread { ask::unread(&asked) } else { ask::harmless_ones(&asked) })
}

fn done(done: io::Result<ExitCode>) -> ExitCode {
    match done {
        Ok(code) => code,
        // The reader has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("turnproof-faults: {error}");
            ExitCode::from(70)
        }
    }
}

/// The faults that any of these globs matches, in the order of the catalogue; all when there is no glob. Or the first
/// glob that matches none.
fn faults_matching(globs: &[String]) -> Result<Vec<&'static Fault>, &str> {
    let matches = |glob: &String, fault: &Fault| glob_matches(glob.as_bytes(), fault.id.as_bytes());
    if let Some(glob) = globs.iter().find(|glob| !all().any(|fault| matches(glob, fault))) {
        return Err(glob);
    }
    let is_wanted = |fault: &&Fault| globs.is_empty() || globs.iter().any(|glob| matches(glob, fault));
    Ok(all().filter(is_wanted).collect())
}

fn list(faults: &[&'static Fault], format: Format) -> io::Result<ExitCode> {
    let row = |fault: &&'static Fault| {
        [fault.id, fault.rule, fault.title, fault.source.unwrap_or_default()].map(str::to_owned)
    };
    let headings = ["fault", "convicted by", "what it does wrong", "seen in"];
    print(format, || table(headings, faults.iter().map(row)), faults.iter())?;
    Ok(ExitCode::SUCCESS)
}

fn convict(faults: &[&'static Fault], arguments: &Arguments) -> io::Result<ExitCode> {
    let &Arguments { seed, seeds, cases, threads, format, .. } = arguments;
    let test = SelfTest { seed, seeds, cases, threads };
    let progress = ProgressBar::new(seeds + faults.len() as u64);
    let started = Instant::now();
    // Some faults panic on purpose; only their convictions are of interest.
    std::panic::set_hook(Box::new(|_| {}));
    let convictions = selftest(faults, &test, &|| progress.inc(1)).map_err(io::Error::other)?;
    let _ = std::panic::take_hook();
    progress.finish_and_clear();
    if let Some(folder) = &arguments.store {
        store(&convictions, folder).map_err(io::Error::other)?;
    }
    let is_convicted = |conviction: &&Conviction| conviction.found.len() as u64 == seeds;
    let convicted = convictions.iter().filter(is_convicted).count();
    let page = || {
        let summary = summary(&convictions, convicted, &test, started.elapsed());
        format!("{}{summary}", table_of(&convictions, seeds))
    };
    print(format, page, convictions.iter().map(|conviction| line(conviction, seeds)))?;
    Ok(ExitCode::from(u8::from(convicted != convictions.len())))
}

/// Keeps the smallest case of each convicted fault that has none in the folder; standard error names the files.
fn store(convictions: &[Conviction], folder: &Path) -> Result<(), RegressionError> {
    let kept: BTreeSet<String> =
        load_regressions(folder)?.into_iter().map(|(_, regression)| regression.subject).collect();
    let is_new = |regression: &Regression| !kept.contains(&regression.subject);
    for regression in convictions.iter().filter_map(Conviction::regression).filter(is_new) {
        eprintln!("turnproof-faults: {} is kept", regression.save(folder)?.display());
    }
    Ok(())
}

fn print<L: Serialize>(
    format: Format,
    page: impl FnOnce() -> String,
    lines: impl Iterator<Item = L>,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout());
    match format {
        Format::Human => out.write_all(page().as_bytes())?,
        Format::Json => {
            for line in lines {
                serde_json::to_writer(&mut out, &line)?;
                out.write_all(b"\n")?;
            }
        }
    }
    out.flush()
}

fn milliseconds(spent: Duration) -> f64 {
    (spent.as_secs_f64() * 1e5).round() / 1e2
}

fn line(conviction: &Conviction, seeds: u64) -> ConvictionLine<'_> {
    ConvictionLine {
        fault: conviction.fault.id,
        rule: conviction.fault.rule,
        seeds,
        convicted: conviction.found.len() as u64,
        cases: conviction.found.iter().map(|found| found.cases).collect(),
        median_cases: conviction.median(|found| found.cases),
        median_milliseconds: conviction.median(|found| found.spent).map(milliseconds),
        messages: conviction.messages().map(|messages| messages as u64),
        plan: conviction.minimal.as_ref(),
    }
}

fn table_of(convictions: &[Conviction], seeds: u64) -> String {
    let headings = ["fault", "convicted by", ">seeds", ">cases", ">ms", ">messages"];
    let or_none = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
    let row = |conviction: &Conviction| {
        [
            conviction.fault.id.to_owned(),
            conviction.fault.rule.to_owned(),
            format!("{}/{seeds}", conviction.found.len()),
            or_none(conviction.median(|found| found.cases).map(count)),
            or_none(conviction.median(|found| found.spent).map(|spent| format!("{:.1}", milliseconds(spent)))),
            or_none(conviction.messages().map(|messages| messages.to_string())),
        ]
    };
    table(headings, convictions.iter().map(row))
}

fn summary(convictions: &[Conviction], convicted: usize, test: &SelfTest, took: Duration) -> String {
    let middle = |mut numbers: Vec<u64>| {
        numbers.sort_unstable();
        (numbers.get(numbers.len() / 2).copied().unwrap_or(0), numbers.last().copied().unwrap_or(0))
    };
    let cases = middle(convictions.iter().filter_map(|one| one.median(|found| found.cases)).collect());
    let sizes = middle(convictions.iter().filter_map(|one| Some(one.messages()? as u64)).collect());
    format!(
        "\n{} of {} convicted with {} within {} each, in {:.1} s\n\
         in the median of the faults: {}, and {} in the smallest case (at most {} and {})\n",
        count(convicted as u64),
        size(convictions.len() as u64, "fault"),
        size(test.seeds, "seed"),
        size(test.cases, "case"),
        took.as_secs_f64(),
        size(cases.0, "case"),
        size(sizes.0, "message"),
        count(cases.1),
        count(sizes.1),
    )
}
