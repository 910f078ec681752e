//! `turnproof-matrix`: judges the libraries of `adapters/`, and writes what came out.

mod adapter;
mod again;
mod ask;
mod class;
mod clients;
mod field;
mod harm;
mod judge;
mod kept;
mod repairs;
mod replay;
mod report;
mod run;
mod stands_in;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use turnproof_suite::subject::Stop;
use turnproof_suite::subject::program::end_at_once;

use adapter::{Adapter, AdapterError, adapters};
use kept::KeptError;

/// Judge the libraries of `adapters/` by the rules that every client keeps, and write a matrix of what came out
#[derive(Parser)]
#[command(after_help = "\
Examples:
  cargo run --release -p turnproof-matrix                          all that can be installed here
  cargo run --release -p turnproof-matrix -- --only 'l*' --cases 2000
  cargo run --release -p turnproof-matrix -- --keep                and keep the smallest cases in tests/matrix
  cargo run --release -p turnproof-matrix -- --replay              only the kept cases: which still break a rule?
  cargo run --release -p turnproof-matrix -- --repairs             what repair tools make of damaged sessions
  cargo run --release -p turnproof-matrix -- --clients --out docs  what clients do in each situation

It writes matrix.md, matrix.html, matrix.jsonl and the smallest cases to --out; with --repairs, repairs.md and
repairs.jsonl. The exit code is 0; 1 when --replay finds a case that does not break its rule any more, or --repairs a
row in which another tool brings back more than turnproof; and 2 when the call or a file is wrong.")]
struct Arguments {
    /// How many cases of each operation
    #[arg(long, value_name = "N", default_value_t = 600)]
    cases: u64,
    /// The seed of all cases
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Only the adapters whose folder matches
    #[arg(long, value_name = "GLOB", default_value = "*")]
    only: String,
    /// How many libraries are judged at the same time; the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// The most smaller cases that are tried for a breach
    #[arg(long, value_name = "N", default_value_t = 300)]
    tries: usize,
    /// Where the matrix is written
    #[arg(long, value_name = "DIR", default_value = "target/matrix")]
    out: PathBuf,
    /// The day that the page names
    #[arg(long, value_name = "DAY")]
    date: Option<String>,
    /// List the adapters, and do nothing
    #[arg(long)]
    list: bool,
    /// Put the smallest cases in place of those in the folder of kept ones
    #[arg(long, conflicts_with = "replay")]
    keep: bool,
    /// Play only the kept cases, and say which still break their rule
    #[arg(long)]
    replay: bool,
    /// Damage sessions, N of each kind of damage and one of each two, and compare what repair tools make of them
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "12", conflicts_with = "replay")]
    repairs: Option<usize>,
    /// Play each situation to the clients whose folder matches, and write clients.md
    #[arg(long, conflicts_with_all = ["replay", "repairs", "keep"])]
    clients: bool,
    /// Install the clients that are not there; this needs a network
    #[arg(long, requires = "clients")]
    install: bool,
    /// Play situations again whose results are kept of the same version of a client
    #[arg(long, requires = "clients")]
    again: bool,
    /// Let these versions of the clients that resume files resume damaged sessions, instead of the situations
    #[arg(long, value_name = "VERSION", requires = "clients", value_delimiter = ',')]
    versions: Vec<String>,
    /// The folder of clients
    #[arg(long, value_name = "DIR", default_value = "clients")]
    clients_folder: PathBuf,
    /// Where clients are installed
    #[arg(long, value_name = "DIR", default_value = "target/clients")]
    installed: PathBuf,
    /// The folder in which the results of clients and their smallest cases are kept
    #[arg(long, value_name = "DIR", default_value = "tests/clients")]
    kept_clients: PathBuf,
    /// The folder of adapters
    #[arg(long, value_name = "DIR", default_value = "adapters")]
    adapters: PathBuf,
    /// The folder of kept cases
    #[arg(long, value_name = "DIR", default_value = "tests/matrix")]
    kept: PathBuf,
}

/// Why there is no matrix.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Adapter(#[from] AdapterError),
    #[error(transparent)]
    Kept(#[from] KeptError),
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("the threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error(transparent)]
    Client(#[from] turnproof_clients::ClientError),
    #[error("a client cannot be played to: {0}")]
    Play(#[from] turnproof_clients::PlayError),
    #[error(transparent)]
    KeptCase(#[from] turnproof_clients::KeptError),
    #[error("the situations cannot be read: {0}")]
    Situations(toml::de::Error),
    #[error("no adapter in {} matches `{only}`", folder.display())]
    NoAdapter { folder: PathBuf, only: String },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match act(&arguments) {
        Ok(code) => code,
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(2)
        }
    }
}

fn act(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let stop = Stop::default();
    end_with_us(&stop)?;
    if arguments.clients {
        return clients::run(arguments, &stop);
    }
    let adapters = adapters(&arguments.adapters, &arguments.only, &stop)?;
    if adapters.is_empty() {
        return Err(Failure::NoAdapter { folder: arguments.adapters.clone(), only: arguments.only.clone() });
    }
    if arguments.list {
        return list(&adapters);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs).build()?;
    if let Some(sessions) = arguments.repairs {
        return repairs::run(adapters, arguments, sessions);
    }
    if arguments.replay {
        return replay::replay(&pool, &adapters, &arguments.kept);
    }
    run::run(&pool, adapters, arguments)
}

/// Lets a signal end the libraries with this program.
fn end_with_us(stop: &Stop) -> io::Result<()> {
    let (mut signals, stop) = (Signals::new([SIGINT, SIGTERM])?, stop.clone());
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end_at_once(&stop);
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}

fn list(adapters: &[Adapter]) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    for adapter in adapters {
        let about = &adapter.about;
        let operations = about.operations.join(", ");
        writeln!(out, "{}: {} ({}, {}), {operations}", adapter.folder, about.title(), about.registry, about.language)?;
    }
    Ok(ExitCode::SUCCESS)
}
