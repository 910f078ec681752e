//! `turnproof watch`: judge sessions while they are written.

use std::io;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;

use crate::check::{Event, Options, Watcher};
use crate::report::{HumanWatch, watch_line};
use turnproof_rules::rules::Severity;
use turnproof_suite::subject::Stop;

use super::check::rules_asked;
use super::signals::Signals;
use super::streams::Format;
use super::{Exit, Failure, screen, stdout};

/// Judge sessions while they are written: what is new, and the verdict when it changes
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof watch session.jsonl                      one session; it need not be there yet
  turnproof watch ~/.claude/projects                 every *.jsonl under a folder, new ones too
  turnproof watch --from-start session.jsonl         also what stands in it already
  turnproof watch --format json . | jq .rule         for programs, a line for each event
  turnproof watch --until-idle 5 session.jsonl       ends when nothing has changed for 5 seconds

Ctrl-C ends it; then each file is judged as it stands. Exit code 1 means that a session is broken then, or that a \
finding that was told still stands.")]
pub(super) struct Arguments {
    /// Sessions, or folders (every *.jsonl under them)
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Also tell what stands in the files before the watch begins
    #[arg(long)]
    from_start: bool,
    /// Look at the files every so many milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    interval: u64,
    /// End when nothing has changed for so many seconds; else only Ctrl-C does
    #[arg(long, value_name = "SECONDS")]
    until_idle: Option<u64>,
    /// Only the rules whose id matches, such as 'wire/*,!wire/utf8'; may be given several times
    #[arg(long, value_name = "GLOB")]
    select: Vec<String>,
    /// Not the rules whose id matches; may be given several times
    #[arg(long, value_name = "GLOB")]
    ignore: Vec<String>,
    /// Also tell what older clients wrote and every reader takes
    #[arg(long)]
    legacy: bool,
    /// At each look show so many new findings of a rule and a file (human format; 0: all)
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The longest sleep between two looks at whether it is to stop.
const NAP: Duration = Duration::from_millis(50);

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let rules = rules_asked(&arguments.select, &arguments.ignore)?;
    if rules.is_empty() {
        return Err(Failure::Usage("no rule is left: --ignore takes out all that --select chooses".into()));
    }
    if arguments.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::Usage("standard input is no file that can be watched; name a file or a folder".into()));
    }
    let signals = Signals::catch()?;
    let options = Options { rules, legacy: arguments.legacy, ..Options::default() };
    let watcher = Watcher::new(&arguments.paths, &options, arguments.from_start);
    let mut human = HumanWatch::new(stdout(), screen(), arguments.limit);
    let mut out = stdout();
    let mut tell = |told: Told<'_>| match (told, arguments.format) {
        (Told::Event(file, event), Format::Human) => human.tell(file, event),
        (Told::Event(file, event), Format::Json) => watch_line(&mut out, file, event),
        (Told::EndOfLook, Format::Human) => human.end_of_look(),
        (Told::EndOfLook, Format::Json) => io::Write::flush(&mut out),
    };
    Ok(watch(watcher, arguments, signals.stop(), &mut tell)?)
}

/// What is reported: an event of a file, or that all files were looked at.
#[expect(clippy::large_enum_variant, reason = "one is made for each call, and is gone after it")]
enum Told<'a> {
    Event(&'a str, Event<'a>),
    EndOfLook,
}

fn watch(
    mut watcher: Watcher,
    arguments: &Arguments,
    stop: &Stop,
    tell: &mut dyn FnMut(Told<'_>) -> io::Result<()>,
) -> io::Result<Exit> {
    let began = Instant::now();
    let idle = arguments.until_idle.map(Duration::from_secs);
    let mut busy_at = Duration::ZERO;
    while !stop.is_set() {
        let now = began.elapsed();
        if watcher.poll(now, &mut |file, event| tell(Told::Event(file, event)))? {
            busy_at = now;
        }
        tell(Told::EndOfLook)?;
        if idle.is_some_and(|idle| now - busy_at >= idle) {
            break;
        }
        let next = now + Duration::from_millis(arguments.interval);
        while !stop.is_set() && began.elapsed() < next {
            sleep(NAP.min(next.saturating_sub(began.elapsed())));
        }
    }
    watcher.end(began.elapsed(), &mut |file, event| tell(Told::Event(file, event)))?;
    tell(Told::EndOfLook)?;
    Ok(if watcher.is_broken(Severity::Warning) { Exit::Broken } else { Exit::Held })
}
