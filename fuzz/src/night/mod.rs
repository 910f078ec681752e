//! A *night*: all fuzz targets in turn, on all cores, until the time is over. Each find becomes a regression case.
//!
//! libFuzzer does the work: `-fork` uses all cores and goes on after a crash, `-minimize_crash` and `-merge` tidy up.
//! This program divides the time, distinguishes finds, files them, and remembers the state of the night.

mod crash;
mod filing;
mod program;
mod state;

use std::fs::{self, File};
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

use clap::Parser;
use turnproof::fuzzing::{TARGETS, Target};
use turnproof::rules::glob_matches;

use filing::file_all;
use program::{NIGHT, Programs, at, build, clear, corpus, found, put};
use state::{Account, State, in_words, row, text};

const HELP: &str = "\
Each kind of crash is made smaller and filed once, in tests/regressions/fuzz. At the end the corpora
are merged. fuzz/night/summary.txt and summary.json are written after each slice.

Ctrl-C stops a night. The same call goes on with the rest of it; a call with another time or other
targets begins another one. To forget what earlier nights found, remove fuzz/night.

Exit codes: 0 nothing was found, 1 something was found, 2 the call is wrong or nothing can be built,
4 nothing ran";

/// Run all fuzz targets in turn, for a night, and file what they find
#[derive(Parser)]
#[command(max_term_width = 100, after_help = HELP)]
struct Arguments {
    /// Only the targets whose name matches, such as 'normalize_*'
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// How long the night is, such as 8h, 30m or 90s
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: u64,
    /// Do not build; run the programs in this folder, such as those with the address sanitizer
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
}

/// Spends the night that the command line asks for.
pub fn run() -> ExitCode {
    let state = spend(&Arguments::parse()).inspect_err(|error| eprintln!("night: {error}"));
    let Ok(state) = state else { return ExitCode::from(2) };
    print!("{}", text(&state));
    let total = |number: fn(&Account) -> u64| state.targets.values().map(number).sum::<u64>();
    match (total(|account| account.crashes), state.tonight().count(), total(|account| account.executions)) {
        (0, 0, 0) => ExitCode::from(4),
        (0, 0, _) => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    }
}

/// Spends the night, or the rest of one that was stopped.
fn spend(arguments: &Arguments) -> io::Result<State> {
    let targets = targets_matching(&arguments.targets)?;
    let _lock = lock()?;
    let only = if let [target] = targets.as_slice() { Some(target.name) } else { None };
    let folder = arguments.programs.clone().map_or_else(|| build(only), Ok)?;
    let programs = Programs { folder, jobs: available_parallelism().map_or(1, NonZero::get) };
    for target in &targets {
        let program = programs.folder.join(target.name);
        at(&program, fs::metadata(&program))?;
    }
    let mut state = State::read(&Path::new(NIGHT).join("summary.json"))?;
    if state.begin(arguments.time, &targets, &now()) {
        eprintln!("going on with the night of {}, of which {} are over", state.began, in_words(state.done()));
    }
    fuzz(&mut state, &programs, &targets)?;
    for target in &targets {
        eprintln!("merging the corpus of {}", target.name);
        let merged = programs.merge(target)?;
        state.targets.entry(target.name.to_owned()).or_default().merged = merged;
    }
    state.ended = Some(now());
    write(&state)?;
    Ok(state)
}

/// Gives slices to the targets until the time is over. A target that cannot run gets no more.
fn fuzz(state: &mut State, programs: &Programs, targets: &[&'static Target]) -> io::Result<()> {
    let mut targets = targets.to_vec();
    for target in &targets {
        for folder in [corpus(target), found(target)] {
            at(&folder, fs::create_dir_all(&folder))?;
        }
        // What the last call left when it was stopped.
        file_all(state, programs, target, &now())?;
    }
    while let Some((target, seconds)) = state.next(&targets) {
        let began = Instant::now();
        let text = programs.fuzz(target, seconds)?;
        let inputs = file_all(state, programs, target, &now())?;
        let account = state.targets.entry(target.name.to_owned()).or_default();
        let crashes = account.crashes;
        if !account.add(began.elapsed().as_secs(), &text) {
            targets.retain(|other| other.name != target.name);
        } else if account.crashes > crashes && inputs == 0 {
            account.trouble = Some("it crashed and left no input".to_owned());
        }
        eprint!("{}", row(target.name, account));
        write(state)?;
    }
    Ok(())
}

fn write(state: &State) -> io::Result<()> {
    put("summary.txt", text(state).as_bytes())?;
    put("summary.json", &serde_json::to_vec_pretty(state)?)
}

/// Makes the folder of the night, and keeps it from other processes until this one ends.
fn lock() -> io::Result<File> {
    let (path, manifest) = (Path::new(NIGHT), Path::new("fuzz/Cargo.toml"));
    at(manifest, fs::metadata(manifest))?;
    at(path, fs::create_dir_all(path))?;
    let lock = at(path, File::create(path.join("lock")))?;
    lock.try_lock().map_err(|_| io::Error::other("another night works in fuzz/night; wait for it, or stop it"))?;
    clear(&path.join("tmp"))?;
    Ok(lock)
}

/// The targets that any of these globs matches; all when there is no glob.
fn targets_matching(globs: &[String]) -> io::Result<Vec<&'static Target>> {
    let matches = |glob: &String, target: &Target| glob_matches(glob.as_bytes(), target.name.as_bytes());
    if let Some(glob) = globs.iter().find(|glob| !TARGETS.iter().any(|target| matches(glob, target))) {
        let names = TARGETS.map(|target| target.name).join(", ");
        return Err(io::Error::other(format!("no target matches `{glob}`; there are {names}")));
    }
    let is_wanted = |target: &&Target| globs.is_empty() || globs.iter().any(|glob| matches(glob, target));
    Ok(TARGETS.into_iter().filter(is_wanted).collect())
}

/// A time such as `90s`, `30m` or `8h`, in seconds.
fn seconds(text: &str) -> Result<u64, String> {
    let time: jiff::SignedDuration = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    u64::try_from(time.as_secs()).ok().filter(|&time| time > 0).ok_or_else(|| "less than a second".to_owned())
}

fn now() -> String {
    format!("{:.0}", jiff::Timestamp::now())
}
