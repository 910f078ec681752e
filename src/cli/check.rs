//! `turnproof check`: judge transcripts on disk, and requests before they are sent.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::check::{
    CheckError, Finding, InputError, Options, RequestTally, Sink, check, is_on_requests, judge_request, read_request,
    verdicts,
};
use crate::operation::Host;
use crate::report::{Format, GitHub, Human, JsonLines, Overview, RequestReport};
use crate::rules::{Rule, Severity, find};

use super::progress::Progress;
use super::sessions::Sessions;
use super::streams::read_stdin;
use super::values::{host, severity};
use super::{Exit, Failure, rules_matching, screen, stdout};

/// Say what is wrong with transcripts or requests, and where
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof check session.jsonl                      one transcript
  turnproof check ~/.claude/projects                 every *.jsonl under a folder
  turnproof check old.jsonl.gz                       one that was compressed
  turnproof resume session.jsonl | turnproof check - standard input
  turnproof check --rules 'chain/*' session.jsonl    one family of rules
  turnproof check --format json . | jq .rule         for programs
  turnproof check --format github fixtures/          annotations in a GitHub workflow
  turnproof check --verdict ~/.claude/projects       what becomes of each session, worst first
  turnproof check --request body.json                a request: would the API take it?
  turnproof check --request --profile bedrock -      one from standard input, for another host

`turnproof explain RULE` teaches what a rule means.")]
pub(super) struct Arguments {
    /// Files, folders (every *.jsonl and *.jsonl.gz under them), or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The files are requests: bodies, or bare arrays of turns, as JSON
    #[arg(long, overrides_with = "request")]
    request: bool,
    /// The host that the requests must please [default: strict]
    #[arg(long, value_parser = host())]
    profile: Option<Host>,
    /// Only the rules whose id matches, such as 'wire/*'; may be given several times
    #[arg(long, value_name = "GLOB")]
    rules: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show so many violations of each rule over all files, each with its line (human format; 0: all)
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Also tell what older clients wrote and every reader takes: progress in the chain, a last line without LF, forks
    #[arg(long)]
    legacy: bool,
    /// The least severity that makes the exit code 1
    #[arg(long, default_value = "warning", value_parser = severity())]
    fail_on: Severity,
    /// Only what becomes of each session: a line for each that is not healthy, worst first, and counts by class
    #[arg(long, conflicts_with_all = ["request", "rules", "limit", "legacy", "fail_on", "threads"])]
    verdict: bool,
    /// Threads that scan (0: one a core); the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.request {
        return of_requests(arguments);
    }
    if arguments.profile.is_some() {
        return Err(Failure::Usage("--profile is for requests: say --request".into()));
    }
    let options = Options {
        rules: rules_matching(&arguments.rules)?,
        threads: arguments.threads,
        legacy: arguments.legacy,
        ..Options::default()
    };
    let sessions = Sessions::of(&arguments.paths);
    let paths: Vec<String> = arguments.paths.iter().map(|path| path.display().to_string()).collect();
    if sessions.are_none() {
        eprintln!("turnproof: nothing to check: no session in what is named");
        return Ok(Exit::Nothing);
    }
    if arguments.verdict {
        return super::verdicts::run(&sessions, &paths, arguments.format);
    }
    let Sessions { inputs, unreadable } = sessions;
    let bytes: u64 = inputs.iter().map(|input| input.size).sum();
    let progress = Progress::new(2 * bytes);
    // What cannot be read is told when its lines are.
    let (judged, _) = verdicts(&inputs, |bytes| progress.add(bytes));
    let report: Box<dyn Sink + Send + '_> = match (arguments.format, arguments.limit) {
        (Format::Human, None) => {
            let is_single = inputs.len() == 1;
            Box::new(Overview::new(stdout(), screen(), is_single).with_verdicts(&judged, &paths))
        }
        (Format::Human, Some(limit)) => Box::new(Human::new(stdout(), screen(), limit).with_verdicts(&judged, &paths)),
        (Format::Json, _) => Box::new(JsonLines::new(stdout(), &judged)),
        (Format::Github, _) => Box::new(GitHub::new(stdout(), &judged)),
    };
    let mut watched = Watched { report, progress };
    let mut tally = check(&inputs, &options, &mut watched).map_err(|error| match error {
        CheckError::Sink(error) => Failure::Output(error),
        CheckError::Threads(error) => Failure::Internal(error.to_string()),
    })?;
    watched.progress.finish();
    tally.unreadable += unreadable;
    watched.report.finish(&tally)?;
    let is_broken = judged.iter().any(|judged| judged.verdict.class.is_broken());
    Ok(match exit(tally.unreadable, &tally.violations, arguments.fail_on) {
        Exit::Held if is_broken => Exit::Broken,
        exit => exit,
    })
}

fn exit(unreadable: u64, violations: &BTreeMap<&'static str, u64>, fail_on: Severity) -> Exit {
    let is_bad = |rule: &&str| find(rule).is_some_and(|rule| rule.severity >= fail_on);
    match unreadable {
        0 if violations.keys().any(is_bad) => Exit::Broken,
        0 => Exit::Held,
        _ => Exit::Usage,
    }
}

/// Judges requests before they are sent.
fn of_requests(arguments: &Arguments) -> Result<Exit, Failure> {
    let globs = &arguments.rules;
    let mut rules = rules_matching(globs)?;
    rules.retain(|rule| is_on_requests(rule));
    if rules.is_empty() {
        return Err(Failure::Usage(format!(
            "no rule on requests matches {}; they are api/*, pairing/* and thinking/*",
            globs.iter().map(|glob| format!("`{glob}`")).collect::<Vec<_>>().join(", ")
        )));
    }
    let host = arguments.profile.unwrap_or(Host::Strict);
    let mut report =
        RequestReport::new(stdout(), arguments.format, screen(), arguments.limit.unwrap_or(5), host.name());
    let mut all = RequestTally::default();
    for path in &arguments.paths {
        let request = match read_request(path, read_stdin) {
            Ok(request) => request,
            Err(error) => {
                all.unreadable += 1;
                eprintln!("turnproof: {error}");
                continue;
            }
        };
        let name = path.display().to_string();
        let mut written = Ok(());
        let tally = judge_request(&request, host, &rules, &mut |finding| {
            if written.is_ok() {
                written = report.finding(&name, &finding);
            }
        });
        written?;
        report.end_of_request(&name, &tally)?;
        all.add(&tally);
    }
    report.finish(&all)?;
    Ok(exit(all.unreadable, &all.violations, arguments.fail_on))
}

/// A report with a bar of progress beside it, and with unreadable inputs named on standard error.
struct Watched<'a> {
    report: Box<dyn Sink + Send + 'a>,
    progress: Progress,
}

impl Sink for Watched<'_> {
    fn wants(&mut self, file: &str, rule: &Rule) -> bool {
        self.report.wants(file, rule)
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.progress.suspend(|| self.report.finding(finding))
    }

    fn end_of_file(&mut self) -> io::Result<()> {
        self.progress.suspend(|| self.report.end_of_file())
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        self.progress.suspend(|| {
            let reported = self.report.unreadable(error);
            // A closed standard error has no reader.
            let _ = writeln!(io::stderr(), "turnproof: {error}");
            reported
        })
    }

    fn progress(&mut self, bytes: u64) {
        self.progress.add(bytes);
    }
}
