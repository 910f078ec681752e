//! `turnproof test --client`: play generated conversations, or sessions, to a client that runs as it is.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use turnproof_clients::{Alone, Client, Deck, Kept, Options, Played, Sessions, Talks, alone, run as run_deck};

use crate::cli::progress::Progress;
use crate::cli::signals::Signals;
use crate::cli::streams::Format;
use crate::cli::{Exit, Failure, quietly, stdout};
use crate::report::{ClientReport, client_junit};

/// How many cases a run has, unless another number is named: a client starts again for each prompt.
const CASES: u64 = 30;

/// The client that is judged.
#[derive(Args)]
pub(super) struct Arguments {
    /// Judge the client of this folder, which has a client.toml: it runs as it is, against a mock
    #[arg(long, value_name = "DIR", conflicts_with_all = ["subject", "rules", "profile", "known", "shard"])]
    pub(super) client: Option<PathBuf>,
    /// Let the client resume generated sessions, half of them damaged, instead of talking to it
    #[arg(long, requires = "client")]
    sessions: bool,
    /// Install the client first, if it is not there in its version; this needs a network
    #[arg(long, requires = "client")]
    install: bool,
    /// Where clients are installed
    #[arg(long, value_name = "DIR", default_value = "target/clients", requires = "client")]
    installed: PathBuf,
    /// Judge this version of it, in place of the one that is pinned
    #[arg(long, value_name = "VERSION", requires = "client")]
    client_version: Option<String>,
    /// The most smaller cases that are tried for what the client does wrong [default: 40, with --sessions 20]
    #[arg(long, value_name = "N", requires = "client")]
    tries: Option<usize>,
    /// How to print what the client does wrong
    #[arg(long, value_enum, default_value_t = Format::Human, requires = "client")]
    format: Format,
    /// Where the client runs: without any way out where the system gives that, or as all programs do
    #[arg(long, value_enum, default_value_t = Network::None, requires = "client")]
    network: Network,
}

/// What a client can reach.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Network {
    /// Loopback alone, where the system gives it
    None,
    /// All that other programs reach
    Host,
}

/// Judges a client. The other arguments are those of `turnproof test`.
pub(super) fn run(arguments: &Arguments, folder: &Path, of_test: &super::Arguments) -> Result<Exit, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let mut client = Client::read(folder, &arguments.installed).map_err(|error| usage(&error))?;
    if let Some(version) = &arguments.client_version {
        client = client.of_version(version);
    }
    let signals = Signals::catch()?;
    if arguments.install {
        eprintln!("turnproof: {} is installed into {}", client.title(), client.installed.display());
        client.install(signals.stop()).map_err(|error| Failure::Subject(error.to_string()))?;
    }
    if arguments.network == Network::None
        && let Some(exit) = judged_alone(&signals)?
    {
        return Ok(exit);
    }
    client.check(signals.stop()).map_err(|error| Failure::Subject(error.to_string()))?;
    if arguments.sessions && client.manifest.resume.is_empty() {
        return Err(Failure::Usage(format!("{} cannot resume a session file", client.name)));
    }
    let stop = signals.stop().clone();
    match arguments.sessions {
        true => judge(&Sessions::new(client, stop), arguments, of_test, &signals),
        false => judge(&Talks::new(client, stop), arguments, of_test, &signals),
    }
}

/// Judges it in a process that reaches nothing but itself; gives how that has ended. `None` where this is that process,
/// or the system gives none.
fn judged_alone(signals: &Signals) -> Result<Option<Exit>, Failure> {
    match alone(signals.stop()).map_err(|error| Failure::Internal(error.to_string()))? {
        Alone::Is => Ok(None),
        Alone::Cannot => {
            eprintln!("turnproof: there is no network namespace here; the client reaches what this program reaches");
            Ok(None)
        }
        Alone::Was(code) => {
            let exit = code.and_then(Exit::of_code).or(signals.ended());
            exit.map(Some).ok_or_else(|| Failure::Internal(format!("the run without a network ended: {code:?}")))
        }
    }
}

fn judge<D: Deck>(
    deck: &D,
    arguments: &Arguments,
    of_test: &super::Arguments,
    signals: &Signals,
) -> Result<Exit, Failure> {
    let options = Options {
        seed: of_test.seed,
        cases: of_test.cases.unwrap_or(if of_test.time.is_some() { u64::MAX } else { CASES }),
        tries: arguments.tries.unwrap_or(if arguments.sessions { 20 } else { 40 }),
        time: of_test.time,
        stop: signals.stop().clone(),
    };
    let folder = of_test.regressions.as_deref();
    super::is_there(folder)?;
    let kept = folder.map_or(Ok(Vec::new()), Kept::all).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut printer = ClientReport::new(stdout(), arguments.format == Format::Json);
    let progress = Progress::of_cases((options.cases < u64::MAX).then_some(options.cases));
    let mut printed = Ok(());
    let mut observer = |played: &Played| {
        progress.add(u64::from(played.number.is_some()));
        if printed.is_ok() {
            printed = printer.case(played);
        }
    };
    let report = quietly(|| run_deck(deck, &options, kept, &mut observer));
    let report = report.map_err(|error| Failure::Subject(format!("the client could not be judged: {error}")))?;
    progress.finish();
    printed?;
    let mut files = Vec::new();
    for found in &report.found {
        let file = folder.map(|folder| {
            let path = found.kept.save(folder).map_err(|error| error.to_string())?;
            deck.write_beside(&found.kept.case, &path).map_err(|error| error.to_string())?;
            Ok(path)
        });
        files.push(file.transpose().map_err(Failure::Usage)?);
    }
    printer.finish(deck, &options, &report, &files)?;
    if let Some(folder) = &of_test.report {
        let junit = client_junit(deck.client(), &report).map_err(|error| Failure::Internal(error.to_string()))?;
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(folder.join("junit.xml"), junit));
        written.map_err(|error| Failure::Usage(format!("cannot write to {}: {error}", folder.display())))?;
    }
    stdout().flush()?;
    Ok(match (report.found.is_empty(), signals.ended()) {
        (false, _) => Exit::Broken,
        (true, Some(exit)) => exit,
        (true, None) if report.cases + report.replayed == 0 => Exit::Nothing,
        (true, None) => Exit::Held,
    })
}
