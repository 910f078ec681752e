//! `turnproof reduce`: the smallest session that still shows a problem.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{ArgGroup, Args};

use crate::check::{CheckError, Finding, Options, Sink, TranscriptFile, check};
use crate::fuzzing::reduce;
use crate::rules::Rule;

use super::scrub::{new_file, scrubber};
use super::{Exit, Failure, rules_matching, stdout};

/// Find the smallest session that still shows a problem
#[derive(Args)]
#[command(group(ArgGroup::new("shows").required(true).args(["rule", "predicate"])), after_help = "\
Examples:
  turnproof reduce --rule chain/parent-exists session.jsonl > small.jsonl
  turnproof reduce --rule 'tool/*' --scrub -o report.jsonl session.jsonl
  turnproof reduce --predicate './fails.sh' session.jsonl

A predicate gets the path of a session as its last argument and the session on standard input; exit code 0 says that \
the session still shows the problem. Lines are left out first, then members and elements, then texts become empty. \
When a record goes, its children get its parent. How it goes is said on standard error. Exit code 1 means that the \
file does not show the problem.")]
pub(super) struct Arguments {
    /// A transcript; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The problem: `turnproof check` finds a rule that matches this
    #[arg(long, value_name = "GLOB")]
    rule: Option<String>,
    /// The problem: this command ends with exit code 0; its words are split as a shell does
    #[arg(long, value_name = "CMD")]
    predicate: Option<String>,
    /// Scrub the result, as `turnproof scrub` does
    #[arg(long)]
    scrub: bool,
    /// Choose the replacements of --scrub by this number
    #[arg(long, value_name = "N", requires = "scrub")]
    seed: Option<u64>,
    /// Write to this new file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The most smaller sessions that are tried
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    tries: usize,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let bytes = read(&arguments.file)?;
    let mut problem = None;
    let shows: Shows = match (&arguments.rule, &arguments.predicate) {
        (_, Some(command)) => predicate(command)?,
        (rule, None) => {
            let rules = rules_matching(&rule.iter().cloned().collect::<Vec<_>>())?;
            Box::new(move |bytes: &[u8]| breaks(&rules, bytes))
        }
    };
    if !shows(&bytes)? {
        eprintln!("turnproof: {} does not show the problem", arguments.file.display());
        return Ok(Exit::Broken);
    }
    let reduced = reduce(&bytes, arguments.tries, &mut |bytes| {
        let answer = problem.is_none().then(|| shows(bytes)).transpose();
        answer.unwrap_or_else(|failure| {
            problem = Some(failure);
            None
        }) == Some(true)
    });
    if let Some(failure) = problem {
        return Err(failure);
    }
    let lines = |bytes: &[u8]| bytes.split_inclusive(|&byte| byte == b'\n').count();
    eprintln!(
        "lines: {} -> {}, bytes: {} -> {}, tries: {}{}",
        lines(&bytes),
        lines(&reduced.bytes),
        bytes.len(),
        reduced.bytes.len(),
        reduced.tries,
        if reduced.is_cut_off { "; there is more to try: say --tries N" } else { "" }
    );
    let mut result = reduced.bytes;
    if arguments.scrub {
        result = scrubber(arguments.seed).scrub(&result);
        if !shows(&result)? {
            eprintln!("turnproof: the scrubbed session does not show the problem any more; it depends on words");
        }
    }
    match &arguments.output {
        Some(path) => new_file(path)?.write_all(&result)?,
        None => stdout().write_all(&result)?,
    }
    Ok(Exit::Held)
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

    fn finding(&mut self, _finding: &Finding<'_>) -> io::Result<()> {
        Ok(())
    }
}

type Shows = Box<dyn Fn(&[u8]) -> Result<bool, Failure>>;

/// Whether a command ends with exit code 0.
fn predicate(command: &str) -> Result<Shows, Failure> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| Failure::Usage(format!("`{command}` is no command: a quote is not closed")))?;
    Ok(Box::new(move |bytes| {
        let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile()?;
        file.write_all(bytes)?;
        let mut run = Command::new(&words[0]);
        run.args(&words[1..]).arg(file.path()).stdin(fs::File::open(file.path())?);
        let status = run.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let status = status.map_err(|error| Failure::Usage(format!("cannot run `{}`: {error}", words[0])))?;
        Ok(status.success())
    }))
}
