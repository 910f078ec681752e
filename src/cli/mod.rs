//! The *command line*: one file a command. Findings go to standard output, reports on the run to standard error.

mod accumulate;
mod check;
mod completions;
mod explain;
mod find;
mod fuzz;
mod man;
mod mock;
mod normalize;
mod progress;
mod reduce;
mod repair;
mod requests;
mod resume;
mod rules;
mod schema;
mod scrub;
mod serve;
mod sessions;
mod settings;
mod signals;
mod smoke;
mod streams;
mod subject;
mod test;
mod usage;
mod values;
mod view;
mod watch;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ColorChoice, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::report::Screen;
use turnproof_rules::rules::{Rule, choose};

/// Tells whether an agent's message pipeline is right.
#[derive(Parser)]
#[command(name = "turnproof", version, about, after_help = EXIT_CODES, max_term_width = WIDEST)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// When to print in colour; auto: on a terminal, as NO_COLOR and CLICOLOR_FORCE say
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Arguments),
    Watch(watch::Arguments),
    View(view::Arguments),
    Normalize(normalize::Arguments),
    Accumulate(accumulate::Arguments),
    Find(find::Arguments),
    Repair(repair::Arguments),
    Requests(requests::Arguments),
    Resume(resume::Arguments),
    Reduce(reduce::Arguments),
    Scrub(scrub::Arguments),
    Usage(usage::Arguments),
    Rules(rules::Arguments),
    Explain(explain::Arguments),
    Test(Box<test::Arguments>),
    Fuzz(fuzz::Arguments),
    Mock(Box<mock::Arguments>),
    Smoke(smoke::Arguments),
    Schema(schema::Arguments),
    Serve(serve::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Exit {
    /// All rules held, or nothing was judged.
    Held = 0,
    /// A rule is broken.
    Broken = 1,
    /// The call is wrong, or an input cannot be read.
    Usage = 2,
    /// A subject only crashed.
    NotJudged = 3,
    /// Nothing ran.
    Nothing = 4,
    /// An error in turnproof itself.
    Internal = 70,
    /// Ctrl-C ended it, and nothing had failed.
    Interrupted = 130,
    /// It was asked to terminate, and nothing had failed.
    Terminated = 143,
}

impl Exit {
    /// The one with this code.
    fn of_code(code: i32) -> Option<Self> {
        use Exit::{Broken, Held, Internal, Interrupted, NotJudged, Nothing, Terminated, Usage};
        let all = [Held, Broken, Usage, NotJudged, Nothing, Internal, Interrupted, Terminated];
        all.into_iter().find(|exit| *exit as i32 == code)
    }
}

/// The exit codes, for `--help`.
const EXIT_CODES: &str = "\
Exit codes:
   0  every rule held (or whoever read the output closed it)
   1  a rule or session is broken, a known deviation has stopped, or cases lack what they must hold
   2  the call is wrong, or an input cannot be read
   3  a subject could not be judged: it only crashed
   4  nothing ran
  70  an error in turnproof itself
 130  Ctrl-C ended it before it was done, and nothing had failed; 143: SIGTERM did";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command ended without a result.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// Standard output is closed or full.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
    /// The words of the call are off.
    #[error("{0}")]
    Usage(String),
    /// A subject could not be judged.
    #[error("{0}")]
    Subject(String),
    /// Something that should not happen.
    #[error("internal error: {0}")]
    Internal(String),
}

/// Runs the command that `arguments` name, the program's own name first; gives the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let color = color(&arguments);
    color_choice(color).write_global();
    let mut command = command().color(color);
    if let Some(columns) = columns() {
        command = command.term_width(columns.min(WIDEST));
        // Beside the longest options there is no room then.
        command = command.mut_subcommands(|command| command.next_line_help(columns < NARROW));
    }
    let parsed = command.try_get_matches_from(arguments).and_then(|found| Arguments::from_arg_matches(&found));
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version go to standard output; it does not matter when that is closed.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Held }.into();
        }
    };
    let command = AssertUnwindSafe(|| match parsed.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments),
        Command::View(arguments) => view::run(&arguments),
        Command::Normalize(arguments) => normalize::run(&arguments),
        Command::Accumulate(arguments) => accumulate::run(&arguments),
        Command::Repair(arguments) => repair::run(&arguments),
        Command::Requests(arguments) => requests::run(&arguments),
        Command::Resume(arguments) => resume::run(&arguments),
        Command::Reduce(arguments) => reduce::run(&arguments),
        Command::Scrub(arguments) => scrub::run(&arguments),
        Command::Usage(arguments) => usage::run(&arguments),
        Command::Find(arguments) => find::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Mock(arguments) => mock::run(&arguments),
        Command::Smoke(arguments) => smoke::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    });
    match catch_unwind(command) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => failed(&failure).into(),
        Err(_) => Exit::Internal.into(),
    }
}

fn failed(failure: &Failure) -> Exit {
    let exit = match failure {
        // The reader of the output has closed it.
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return Exit::Held,
        Failure::Usage(_) => Exit::Usage,
        Failure::Subject(_) => Exit::NotJudged,
        Failure::Output(_) | Failure::Internal(_) => Exit::Internal,
    };
    eprintln!("turnproof: {failure}");
    exit
}

/// The command line as `clap` knows it, for help, completions and tests.
pub fn command() -> clap::Command {
    <Arguments as clap::CommandFactory>::command()
}

/// The widest help, and the width from which on what an option does stands beside it.
const WIDEST: usize = 100;
const NARROW: usize = 80;

/// When to print in colour, before the arguments are understood: help and errors have colours too.
fn color(arguments: &[OsString]) -> ColorChoice {
    let words = arguments.iter().map(|word| word.to_str().unwrap_or_default()).take_while(|word| *word != "--");
    let mut last = "";
    let mut choice = ColorChoice::Auto;
    for word in words {
        let named = if last == "--color" { Some(word) } else { word.strip_prefix("--color=") };
        choice = named.and_then(|name| ColorChoice::from_str(name, false).ok()).unwrap_or(choice);
        last = word;
    }
    choice
}

fn color_choice(choice: ColorChoice) -> anstream::ColorChoice {
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
}

/// Runs without the word that a panic prints: the panic of a subject is a finding.
fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = work();
    std::panic::set_hook(hook);
    result
}

/// Writes a page to a folder, which is made where it is missing; gives its path.
fn write_page(folder: &Path, html: &str) -> Result<PathBuf, Failure> {
    let path = folder.join("report.html");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, html));
    written.map(|()| path).map_err(|error| Failure::Usage(format!("cannot write to {}: {error}", folder.display())))
}

/// The text of a baseline; `None` where there is no such file.
fn baseline_text(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::Usage(format!("cannot read the baseline {}: {error}", path.display()))),
    }
}

fn stdout() -> io::BufWriter<io::Stdout> {
    io::BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Whether standard output takes colours: a terminal, unless `NO_COLOR` is set.
fn stdout_has_colour() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// The columns that the environment names, or those of the terminal on standard output; `None` where there is no end.
fn columns() -> Option<usize> {
    let named = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    named.or_else(|| terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0)))
}

/// Where people read standard output.
fn screen() -> Screen {
    Screen { colour: stdout_has_colour(), columns: columns() }
}

/// The rules that these globs choose, in the order of the catalogue; all without a glob.
fn rules_matching(globs: &[String]) -> Result<Vec<&'static Rule>, Failure> {
    choose(globs).map_err(|error| Failure::Usage(error.to_string()))
}
