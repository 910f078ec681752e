//! `turnproof fuzz-all`: all fuzz targets in turn over the cores, for a *night*.
//!
//! Each target has a program of its own, which libFuzzer runs; this command starts the programs, reads what they print,
//! files what they find, and keeps on disk how far the night is.

mod build;
mod filing;
mod finding;
mod folders;
mod line;
mod merge;
mod night;
mod run;
mod share;
mod slice;
mod state;
mod summary;
mod table;

use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;

use crate::fuzzing::{TARGETS, Target};
use crate::rules::glob_matches;

use super::Failure;
use super::exit::Exit;
use super::format::Format;
use super::time::duration;
use build::{BuildError, Sanitizer};
use folders::{FileError, Folders};
use night::Night;
use run::{Limits, Starter};
use state::{State, Store, StoreError};
use summary::Summary;
use table::Board;

/// Run all fuzz targets in turn, for a night, and file what they find
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof fuzz-all --time 8h                  all targets on all cores, all night
  turnproof fuzz-all --time 30m 'normalize_*'   some of them
  turnproof fuzz-all --time 8h --jobs 2         leave the other cores alone
  turnproof fuzz-all --time 8h --format json    the summary for programs

The targets are built with cargo-fuzz. Then each free core takes the target that has had the
least time, for a slice. A target that crashes is started again; after five crashes of one kind
it waits for its next slice. Each kind of crash is filed once, made smaller where it can be, under
tests/regressions/fuzz/TARGET, where `cargo test` replays it. Two crashes are of one kind where
they have the place of the panic and its words before the first colon in common. At the end the
corpora are merged.

fuzz/night/summary.txt and summary.json tell what came out, fuzz/night/state.json how far the
night is; all are written after each slice. So a night can be stopped with Ctrl-C or `kill`: the
same call goes on with the rest of its time, without the slices that were running, and merges at
its end. A call with another time or other targets begins a night of its own; what was found
before stays known.

Exit codes:
   0  nothing was found
   1  something was found, tonight or again
   2  the call is wrong, or the targets cannot be built
   4  nothing ran
  70  an error in turnproof itself")]
pub(super) struct Arguments {
    /// Only the targets whose name matches, such as 'normalize_*'
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// How long the night is, such as 8h, 30m or 90s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Duration,
    /// On how many cores [default: all]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// How long a target runs before it is the next one's turn [default: half a share, 30s to 15m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    slice: Option<Duration>,
    /// What to build the targets with
    #[arg(long, value_enum, default_value_t = Sanitizer::None)]
    sanitizer: Sanitizer,
    /// Do not build; run the programs that are there
    #[arg(long)]
    no_build: bool,
    /// Do not build; run the programs in this folder [default: where cargo-fuzz puts them]
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// The folder of the fuzz crate, with seeds, corpora and what is known of the night
    #[arg(long, value_name = "DIR", default_value = "fuzz")]
    fuzz_dir: PathBuf,
    /// The folder of regression cases, a folder a target in it
    #[arg(long, value_name = "DIR", default_value = "tests/regressions/fuzz")]
    regressions: PathBuf,
    /// The memory that a target may take, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    rss_limit: u64,
    /// The time that one input may take
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    timeout: Duration,
    /// Forget earlier nights, and what was found in them
    #[arg(long)]
    fresh: bool,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        Self::Usage(error.to_string())
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let targets = targets_matching(&arguments.targets)?;
    let fuzz = &arguments.fuzz_dir;
    if !fuzz.join("Cargo.toml").is_file() {
        return Err(Failure::Usage(format!(
            "{} is not the folder of the fuzz crate; call this from the root of turnproof's repository, or name \
             the folder with --fuzz-dir",
            fuzz.display()
        )));
    }
    if arguments.time < share::LEAST {
        return Err(Failure::Usage("--time is less than a second".to_owned()));
    }
    let store = Store::open(&fuzz.join("night"))?;
    let folders = Folders {
        fuzz: fuzz.clone(),
        programs: programs(arguments, &targets)?,
        regressions: arguments.regressions.clone(),
    };
    let targets = with_programs(&folders, targets);
    if targets.is_empty() {
        return Ok(Exit::Nothing);
    }
    let summary = spend(arguments, &targets, &folders, &store)?;
    arguments.format.print(|| summary.text().to_owned(), [&summary])?;
    Ok(match (summary.has_finds(), summary.has_run()) {
        (true, _) => Exit::Broken,
        (false, true) => Exit::Held,
        (false, false) => Exit::Nothing,
    })
}

/// Spends the night, or the rest of one.
fn spend(
    arguments: &Arguments,
    targets: &[&'static Target],
    folders: &Folders,
    store: &Store,
) -> Result<Summary, Failure> {
    let board = Board::new();
    let mut state = state(arguments, targets, store, &board)?;
    for target in targets {
        merge::recover(folders, target.name)?;
    }
    let cores = arguments.jobs.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get);
    let jobs = cores.min(targets.len());
    let slice = share::slice(arguments.time, targets.len(), jobs, arguments.slice);
    let limits = Limits { memory: arguments.rss_limit, time: arguments.timeout };
    let starter = Starter { folders, limits };
    let mut night = Night { targets, starter, jobs, slice, store, state: &mut state, board: &board };
    night.run();
    board.say("merging the corpora");
    let merged = night.merge();
    state.night.ended = Some(now());
    store.save(&state)?;
    let summary = Summary::of(&state, &merged);
    summary.write(store)?;
    Ok(summary)
}

/// The state to go on with: that of a night that was stopped, or that of a new one.
fn state(
    arguments: &Arguments,
    targets: &[&'static Target],
    store: &Store,
    board: &Board,
) -> Result<State, Failure> {
    let (mut state, warning) = if arguments.fresh { (State::default(), None) } else { store.load()? };
    if let Some(warning) = warning {
        board.say(&warning);
    }
    let names: Vec<String> = targets.iter().map(|target| target.name.to_owned()).collect();
    if state.goes_on(arguments.time, &names) {
        let done = super::time::in_words(state.night.done);
        board.say(&format!("going on with the night of {}, of which {done} are over", state.night.began));
    } else {
        if state.is_under_way() {
            board.say(&format!("the night of {} was stopped; this call is another one", state.night.began));
        }
        state.begin(arguments.time, names, now());
    }
    store.save(&state)?;
    Ok(state)
}

/// The folder of the programs, which are built before, if need be.
fn programs(arguments: &Arguments, targets: &[&'static Target]) -> Result<PathBuf, Failure> {
    if let Some(programs) = &arguments.programs {
        return Ok(programs.clone());
    }
    if !arguments.no_build {
        let only = match targets {
            [target] => Some(target.name),
            _ => None,
        };
        build::build(&arguments.fuzz_dir, arguments.sanitizer, only)?;
    }
    Ok(build::programs(&arguments.fuzz_dir)?)
}

/// The targets that have a program; of the others it is said that they have none.
fn with_programs(folders: &Folders, targets: Vec<&'static Target>) -> Vec<&'static Target> {
    let has_program = |target: &&'static Target| {
        let program = folders.program(target.name);
        if !program.is_file() {
            eprintln!(
                "turnproof: {} has no program {}; call without --no-build",
                target.name,
                program.display()
            );
        }
        program.is_file()
    };
    targets.into_iter().filter(has_program).collect()
}

/// The targets that any of these globs matches, in the order of the table; all without a glob.
fn targets_matching(globs: &[String]) -> Result<Vec<&'static Target>, Failure> {
    let matches = |glob: &String, target: &Target| glob_matches(glob.as_bytes(), target.name.as_bytes());
    if let Some(glob) = globs.iter().find(|glob| !TARGETS.iter().any(|target| matches(glob, target))) {
        let names = TARGETS.map(|target| target.name).join(", ");
        return Err(Failure::Usage(format!("no target matches `{glob}`; there are {names}")));
    }
    let is_wanted =
        |target: &&'static Target| globs.is_empty() || globs.iter().any(|glob| matches(glob, target));
    Ok(TARGETS.into_iter().filter(is_wanted).collect())
}

/// The time, to the second.
fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Second).unwrap_or(now).to_string()
}
