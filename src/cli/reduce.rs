//! `turnproof reduce`: the smallest session that still shows a problem.

mod wrong;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{ArgGroup, Args};

use crate::check::{CheckError, Options, Sink, TranscriptFile, check};
use turnproof_rules::rules::Rule;
use turnproof_suite::fuzzing::{Reduced, reduce};
use turnproof_suite::subject::Stop;
use turnproof_suite::subject::program::Program;

use super::scrub::{new_file, scrubber};
use super::sessions::InMemory;
use super::signals::Signals;
use super::subject::{LimitArguments, not_started};
use super::{Exit, Failure, quietly, rules_matching, stdout};
use wrong::Wrong;

/// The most smaller sessions that are tried, unless another number is named.
const TRIES: usize = 5_000;

/// Find the smallest session that still shows a problem
#[derive(Args)]
#[command(
    group(ArgGroup::new("shows").required(true).multiple(true).args(["rule", "predicate", "subject"])),
    after_help = "\
Examples:
  turnproof reduce --rule chain/parent-exists session.jsonl > small.jsonl
  turnproof reduce --rule 'tool/*' --scrub -o report.jsonl session.jsonl
  turnproof reduce --predicate './fails.sh' session.jsonl
  turnproof reduce --subject 'python3 mine.py' session.jsonl
  turnproof reduce --subject ./mine --operation resume --rule resume/complete session.jsonl

A predicate gets the path of a session as its last argument and the session on standard input; exit code 0 says that \
the session still shows the problem. A subject is a program as `turnproof fuzz` asks it: the problem is a crash, a \
hang, or a rule that it breaks, each in the way that it does with the whole session. Lines are left out first, then \
members and elements, then texts become empty or shorter. When a record goes, its children get its parent. How it \
goes is said on standard error. Exit code 1 means that the file does not show the problem. Ctrl-C ends it with the \
smallest session found."
)]
pub(super) struct Arguments {
    /// A transcript; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The problem: `turnproof check` finds a rule that matches this; with --subject, the program breaks one
    #[arg(long, value_name = "GLOB")]
    rule: Option<String>,
    /// The problem: this command ends with exit code 0; its words are split as a shell does
    #[arg(long, value_name = "CMD", conflicts_with_all = ["rule", "subject"])]
    predicate: Option<String>,
    /// The problem: what this program does wrong with the session; its words are split as a shell does
    #[arg(long, value_name = "CMD")]
    subject: Option<String>,
    /// What to ask the program [default: parse, and then resume, if it announces them]
    #[arg(long, value_name = "OPERATION", value_parser = ["parse", "resume"], requires = "subject")]
    operation: Option<String>,
    #[command(flatten)]
    limits: LimitArguments,
    /// Scrub the result, as `turnproof scrub` does
    #[arg(long)]
    scrub: bool,
    /// Choose the replacements of --scrub by this number
    #[arg(long, value_name = "N", requires = "scrub")]
    seed: Option<u64>,
    /// Write to this new file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The most smaller sessions that are tried [default: 5000, and no more than 40 at which a program hangs]
    #[arg(long, value_name = "N")]
    tries: Option<usize>,
    #[command(flatten)]
    memory: InMemory,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let bytes = read(&arguments.file)?;
    arguments.memory.admit_weight(bytes.len() as u64).map_err(Failure::Usage)?;
    let signals = Signals::catch()?;
    let Some(command) = &arguments.subject else { return reduced(arguments, &bytes, None, &signals) };
    let program = Program::start(arguments.limits.setup(command, 1, signals.stop())?).map_err(not_started)?;
    let exit = quietly(|| reduced(arguments, &bytes, Some(&program), &signals));
    program.stop();
    exit
}

/// Reduces a session and writes it.
fn reduced(arguments: &Arguments, bytes: &[u8], program: Option<&Program>, signals: &Signals) -> Result<Exit, Failure> {
    let shown = shown(arguments, bytes, program)?;
    if let Some(ended) = signals.ended() {
        return Ok(ended);
    }
    let Some(shows) = shown else {
        eprintln!("turnproof: {} does not show the problem", arguments.file.display());
        return Ok(Exit::Broken);
    };
    let reduced = smallest(arguments, bytes, &shows, signals.stop())?;
    let lines = |bytes: &[u8]| bytes.split_inclusive(|&byte| byte == b'\n').count();
    eprintln!(
        "lines: {} -> {}, bytes: {} -> {}, tries: {}{}",
        lines(bytes),
        lines(&reduced.bytes),
        bytes.len(),
        reduced.bytes.len(),
        reduced.tries,
        if reduced.is_cut_off { "; there is more to try: say --tries N" } else { "" }
    );
    let mut result = reduced.bytes;
    if arguments.scrub {
        result = scrubber(arguments.seed).scrub(&result);
        if shows(&result)? == Some(false) {
            eprintln!("turnproof: the scrubbed session does not show the problem any more; it depends on words");
        }
    }
    match &arguments.output {
        Some(path) => new_file(path)?.write_all(&result)?,
        None => stdout().write_all(&result)?,
    }
    Ok(Exit::Held)
}

/// The smallest session that is found before all is tried, or somebody says stop.
fn smallest(arguments: &Arguments, bytes: &[u8], shows: &Shows<'_>, stop: &Stop) -> Result<Reduced, Failure> {
    let mut problem = None;
    let reduced = reduce(bytes, arguments.tries.unwrap_or(TRIES), &mut |bytes| {
        if stop.is_set() {
            return None;
        }
        shows(bytes).unwrap_or_else(|failure| {
            // Ctrl-C ends what was asked, too.
            problem = (!stop.is_set()).then_some(failure);
            None
        })
    });
    problem.map_or(Ok(reduced), Err)
}

/// Whether a session shows a problem; `None` when no more is to be asked.
type Shows<'s> = Box<dyn Fn(&[u8]) -> Result<Option<bool>, Failure> + 's>;

/// What shows the problem of the call; `None` when the file does not.
fn shown<'s>(arguments: &Arguments, bytes: &[u8], program: Option<&'s Program>) -> Result<Option<Shows<'s>>, Failure> {
    let rules = arguments.rule.as_ref().map(|glob| rules_matching(std::slice::from_ref(glob))).transpose()?;
    let shows: Shows<'s> = match (program, &arguments.predicate, rules) {
        (Some(program), _, rules) => {
            let wrong = Wrong::first(program, arguments.operation.as_deref(), rules.as_deref(), bytes)?;
            let Some((wrong, others)) = wrong else { return Ok(None) };
            let beside = if others > 0 { format!("; and {others} beside it") } else { String::new() };
            eprintln!("problem: {}{beside}", wrong.words());
            let is_patient = arguments.tries.is_some();
            return Ok(Some(Box::new(move |bytes| Ok(wrong.is_shown_by(bytes, is_patient)))));
        }
        (None, Some(command), _) => predicate(command)?,
        (None, None, rules) => {
            let rules = rules.unwrap_or_default();
            Box::new(move |bytes| breaks(&rules, bytes).map(Some))
        }
    };
    Ok((shows(bytes)? == Some(true)).then_some(shows))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = match path.as_os_str() == "-" {
        true => io::stdin().lock().read_to_end(&mut bytes).map(drop),
        false => fs::read(path).map(|read| bytes = read),
    };
    read.map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))?;
    Ok(bytes)
}

/// Whether a check finds one of the rules.
fn breaks(rules: &[&'static Rule], bytes: &[u8]) -> Result<bool, Failure> {
    let input = TranscriptFile::stream("-", bytes)?;
    let options = Options { rules: rules.to_vec(), ..Options::default() };
    match check(&[input], &options, &mut Quiet) {
        Ok(tally) => Ok(tally.violation_count() > 0),
        Err(CheckError::Sink(error)) => Err(Failure::Output(error)),
        Err(CheckError::Threads(error)) => Err(Failure::Internal(error.to_string())),
    }
}

/// Counts are enough.
struct Quiet;

impl Sink for Quiet {
    fn wants(&mut self, _file: &str, _rule: &Rule) -> bool {
        false
    }
}

/// Whether a command ends with exit code 0.
fn predicate(command: &str) -> Result<Shows<'static>, Failure> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| Failure::Usage(format!("`{command}` is no command: a quote is not closed")))?;
    Ok(Box::new(move |bytes| {
        let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile()?;
        file.write_all(bytes)?;
        let mut run = Command::new(&words[0]);
        run.args(&words[1..]).arg(file.path()).stdin(fs::File::open(file.path())?);
        let status = run.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let status = status.map_err(|error| Failure::Usage(format!("cannot run `{}`: {error}", words[0])))?;
        Ok(Some(status.success()))
    }))
}
