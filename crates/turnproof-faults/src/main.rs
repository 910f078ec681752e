//! The program plays cases to faults and says how fast their rules detect them; or lists them.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use indicatif::ProgressBar;
use serde::Serialize;
use turnproof_faults::harmless::{self, Variant};
use turnproof_faults::selftest::{Detection, SelfTest, selftest};
use turnproof_faults::{Fault, all};
use turnproof_rules::rules::glob_matches;
use turnproof_suite::suite::{Options, Regression, RegressionError, load_regressions};
use turnproof_suite::table::{count, size, table};

/// As in the command `turnproof`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Detect subjects that are wrong on purpose, each by its rule, and say how fast
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

A fault is detected with a seed when one of the first cases (--cases) breaks the fault's rule. Each line shows:
how many seeds detect the fault; the median number of cases and of milliseconds on one core; and how many
messages the case in the middle has after shrinking.

Exit codes:
   0  every seed detects every fault, or the faults were listed
   1  a seed does not detect a fault
   2  the call is wrong
  70  an internal error, or the output cannot be written"
)]
struct Arguments {
    /// Only the faults whose id matches
    #[arg(value_name = "GLOB")]
    globs: Vec<String>,
    /// List the faults, and play none
    #[arg(long)]
    list: bool,
    /// Play right subjects that differ from the reference; they may break no rule
    #[arg(long, conflicts_with_all = ["list", "store"])]
    harmless: bool,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many seeds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Within how many cases of a seed a fault has to be detected
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
struct DetectionLine<'a> {
    fault: &'a str,
    rule: &'a str,
    seeds: u64,
    detected: u64,
    /// How many cases each seed that detects it needs, in the order of the seeds.
    cases: Vec<u64>,
    median_cases: Option<u64>,
    median_milliseconds: Option<f64>,
    messages: Option<u64>,
    plan: Option<&'a turnproof_suite::scenario::Scenario>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.harmless {
        return done(judge_harmless(&arguments));
    }
    let faults = match faults_matching(&arguments.globs) {
        Ok(faults) => faults,
        Err(glob) => {
            eprintln!("turnproof-faults: no fault matches `{glob}`; `--list` lists them all");
            return ExitCode::from(2);
        }
    };
    done(if arguments.list { list(&faults, arguments.format) } else { detect(&faults, &arguments) })
}

/// Plays cases to harmless variants, and says which rules they break.
fn judge_harmless(arguments: &Arguments) -> io::Result<ExitCode> {
    let &Arguments { seed, seeds, cases, threads, .. } = arguments;
    let variants: Vec<&Variant> =
        harmless::all().iter().filter(|variant| is_wanted(&arguments.globs, variant.id)).collect();
    let progress = ProgressBar::new(seeds * cases);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?;
    let of_seed = |number| {
        let run = Options { seed: seed.wrapping_add(number), cases, ..Options::default() };
        pool.install(|| harmless::broken(&variants, &run, &|| progress.inc(1)))
    };
    let broken: Vec<_> = (0..seeds).map(of_seed).collect();
    progress.finish_and_clear();
    let mut out = io::stdout().lock();
    for Variant { id, spec, title, .. } in variants {
        writeln!(out, "{id}: {title} [{spec}]")?;
        for (number, of_seed) in broken.iter().enumerate() {
            for ((_, rule), (case, found)) in of_seed.iter().filter(|((of, _), _)| of == id) {
                writeln!(out, "    breaks {rule} in case {case} of seed {}: {found}", seed + number as u64)?;
            }
        }
    }
    let breaks = broken.iter().any(|of_seed| !of_seed.is_empty());
    Ok(ExitCode::from(u8::from(breaks)))
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
    if let Some(glob) = globs.iter().find(|glob| !all().any(|fault| matches(glob, fault.id))) {
        return Err(glob);
    }
    Ok(all().filter(|fault| is_wanted(globs, fault.id)).collect())
}

fn matches(glob: &str, id: &str) -> bool {
    glob_matches(glob.as_bytes(), id.as_bytes())
}

fn is_wanted(globs: &[String], id: &str) -> bool {
    globs.is_empty() || globs.iter().any(|glob| matches(glob, id))
}

fn list(faults: &[&'static Fault], format: Format) -> io::Result<ExitCode> {
    let row = |fault: &&'static Fault| {
        [fault.id, fault.rule, fault.title, fault.source.unwrap_or_default()].map(str::to_owned)
    };
    let headings = ["fault", "detected by", "what it does wrong", "seen in"];
    print(format, || table(headings, faults.iter().map(row)), faults.iter())?;
    Ok(ExitCode::SUCCESS)
}

fn detect(faults: &[&'static Fault], arguments: &Arguments) -> io::Result<ExitCode> {
    let &Arguments { seed, seeds, cases, threads, format, .. } = arguments;
    let test = SelfTest { seed, seeds, cases, threads };
    let progress = ProgressBar::new(seeds + faults.len() as u64);
    let started = Instant::now();
    // Some faults panic on purpose; only what the rules say is of interest.
    std::panic::set_hook(Box::new(|_| {}));
    let detections = selftest(faults, &test, &|| progress.inc(1)).map_err(io::Error::other)?;
    let _ = std::panic::take_hook();
    progress.finish_and_clear();
    if let Some(folder) = &arguments.store {
        store(&detections, folder).map_err(io::Error::other)?;
    }
    let is_detected = |detection: &&Detection| detection.found.len() as u64 == seeds;
    let detected = detections.iter().filter(is_detected).count();
    let page = || {
        let summary = summary(&detections, detected, &test, started.elapsed());
        format!("{}{summary}", table_of(&detections, seeds))
    };
    print(format, page, detections.iter().map(|detection| line(detection, seeds)))?;
    Ok(ExitCode::from(u8::from(detected != detections.len())))
}

/// Keeps the smallest case of each detected fault that has none in the folder; standard error names the files.
fn store(detections: &[Detection], folder: &Path) -> Result<(), RegressionError> {
    let kept: BTreeSet<String> =
        load_regressions(folder)?.into_iter().map(|(_, regression)| regression.subject).collect();
    let is_new = |regression: &Regression| !kept.contains(&regression.subject);
    for regression in detections.iter().filter_map(Detection::regression).filter(is_new) {
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

fn line(detection: &Detection, seeds: u64) -> DetectionLine<'_> {
    DetectionLine {
        fault: detection.fault.id,
        rule: detection.fault.rule,
        seeds,
        detected: detection.found.len() as u64,
        cases: detection.found.iter().map(|found| found.cases).collect(),
        median_cases: detection.median(|found| found.cases),
        median_milliseconds: detection.median(|found| found.spent).map(milliseconds),
        messages: detection.messages().map(|messages| messages as u64),
        plan: detection.minimal.as_ref(),
    }
}

fn table_of(detections: &[Detection], seeds: u64) -> String {
    let headings = ["fault", "detected by", ">seeds", ">cases", ">ms", ">messages"];
    let or_none = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
    let row = |detection: &Detection| {
        [
            detection.fault.id.to_owned(),
            detection.fault.rule.to_owned(),
            format!("{}/{seeds}", detection.found.len()),
            or_none(detection.median(|found| found.cases).map(count)),
            or_none(detection.median(|found| found.spent).map(|spent| format!("{:.1}", milliseconds(spent)))),
            or_none(detection.messages().map(|messages| messages.to_string())),
        ]
    };
    table(headings, detections.iter().map(row))
}

fn summary(detections: &[Detection], detected: usize, test: &SelfTest, took: Duration) -> String {
    let middle = |mut numbers: Vec<u64>| {
        numbers.sort_unstable();
        (numbers.get(numbers.len() / 2).copied().unwrap_or(0), numbers.last().copied().unwrap_or(0))
    };
    let cases = middle(detections.iter().filter_map(|one| one.median(|found| found.cases)).collect());
    let sizes = middle(detections.iter().filter_map(|one| Some(one.messages()? as u64)).collect());
    format!(
        "\n{} of {} detected with {} within {} each, in {:.1} s\n\
         in the median of the faults: {}, and {} in the smallest case (at most {} and {})\n",
        count(detected as u64),
        size(detections.len() as u64, "fault"),
        size(test.seeds, "seed"),
        size(test.cases, "case"),
        took.as_secs_f64(),
        size(cases.0, "case"),
        size(sizes.0, "message"),
        count(cases.1),
        count(sizes.1),
    )
}
