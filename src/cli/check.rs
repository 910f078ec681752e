//! `turnproof check`: say what is wrong with transcripts, and where; or judge requests before they are sent, or replies.

mod history;
mod recordings;
mod reply;
mod request;
mod session;
mod verdict;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use crate::check::{Class, Judged};
use crate::report::Format;
use turnproof_rules::operation::Host;
use turnproof_rules::rules::{Rule, Severity, find};

use super::sessions::Sessions;
use super::values::{bytes, host, severity};
use super::{Exit, Failure, rules_matching, settings};

/// Say what is wrong with transcripts, requests or replies, and where
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof check session.jsonl                      one transcript
  turnproof check ~/.claude/projects                 every *.jsonl under a folder
  turnproof check old.jsonl.gz                       one that was compressed
  turnproof resume session.jsonl | turnproof check - standard input
  turnproof check --select 'chain/*' session.jsonl   one family of rules
  turnproof check --ignore 'message/*,!message/has-uuid' .  all but these
  turnproof check --baseline known.jsonl fixtures/   only what is new since the first call
  turnproof check --format json . | jq .rule         for programs
  turnproof check --format github fixtures/          annotations in a GitHub workflow
  turnproof check --verdict ~/.claude/projects       what becomes of each session, worst first
  turnproof check --request body.json                a request: which host would take it?
  turnproof check --request --profile bedrock-converse -   one from standard input, for one host
  turnproof check --requests log.jsonl               requests of one conversation: is what was said still said?
  turnproof check --response reply.sse               a reply: would clients read it? A stream, or JSON
  curl -sN … | turnproof check --response -          what a gateway or a mock server sends
  turnproof check --recordings tests/cassettes       recorded exchanges: do the rules say what the hosts said?

`turnproof explain RULE` teaches what a rule means. The section [check] of turnproof.toml, in the folder of the call or
above it, says for sessions what is not said here.")]
pub(super) struct Arguments {
    /// Files, folders (every *.jsonl and *.jsonl.gz under them), or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The files are requests: bodies, or bare arrays of turns, as JSON
    #[arg(long, overrides_with = "request")]
    request: bool,
    /// The files are replies: streams of server-sent events, their events as JSON, or whole messages
    #[arg(long, overrides_with = "response", conflicts_with_all = ["request", "profile"])]
    response: bool,
    /// The files are requests of one conversation, in order: a body a line, or a recording. Each is held against the one
    /// that it continues
    #[arg(long, overrides_with = "requests", conflicts_with_all = [
        "request", "response", "recordings", "profile", "statistics", "quiet", "baseline", "write_baseline", "legacy",
        "verdict",
    ])]
    requests: bool,
    /// The files are recordings of exchanges, or folders of them: cassettes of VCR, vcrpy, go-vcr and Polly.js, HAR, JSON
    /// Lines. Exit code 1: a request that a host took is called not legal, or a reply breaks a rule
    #[arg(long, overrides_with = "recordings", conflicts_with_all = [
        "request", "response", "profile", "statistics", "quiet", "baseline", "write_baseline", "legacy", "verdict",
    ])]
    recordings: bool,
    /// The host that the requests must please [default: each one, and the exit code follows anthropic]
    #[arg(long, value_parser = host())]
    profile: Option<Host>,
    /// Only the rules whose id matches, such as 'wire/*,!wire/utf8', and no verdicts; may be given several times
    #[arg(long, visible_alias = "rules", value_name = "GLOB")]
    select: Vec<String>,
    /// Not the rules whose id matches; may be given several times
    #[arg(long, value_name = "GLOB")]
    ignore: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show so many violations of each rule over all files, each with its line (human format; 0: all)
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Counts alone: of each rule, and of each class of session (human and json format)
    #[arg(long, conflicts_with_all = ["request", "response", "limit", "quiet"])]
    statistics: bool,
    /// Only what is wrong: no counts, and nothing to run (human format)
    #[arg(long, short)]
    quiet: bool,
    /// Tell only what this file does not know; where there is none, write it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["request", "response"])]
    baseline: Option<PathBuf>,
    /// Write the baseline again, with all that is found
    #[arg(long, conflicts_with_all = ["request", "response"])]
    write_baseline: bool,
    /// Also tell what older clients wrote and every reader takes: progress in the chain, a last line without LF, forks
    #[arg(long)]
    legacy: bool,
    /// The least severity that makes the exit code 1 [default: error; for replies warning]
    #[arg(long, value_parser = severity())]
    fail_on: Option<Severity>,
    /// Only what becomes of each session: a line for each that is not healthy, worst first, and counts by class
    #[arg(long, conflicts_with_all = [
        "request", "response", "select", "ignore", "limit", "statistics", "quiet", "baseline", "write_baseline", "legacy",
        "fail_on", "threads",
    ])]
    verdict: bool,
    /// Do not look into lines that are longer: each is a rejected range
    #[arg(long, value_name = "BYTES", default_value = "256MiB", value_parser = bytes, conflicts_with_all = [
        "request", "response", "requests", "recordings", "verdict",
    ])]
    max_line: usize,
    /// Threads that scan (0: one a core); the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

impl Arguments {
    /// Whether nothing is said of a request or a reply with so many violations.
    fn says_nothing(&self, violations: u64) -> bool {
        self.quiet && violations == 0 && self.format == Format::Human
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.request {
        return request::run(arguments);
    }
    if arguments.response {
        return reply::run(arguments);
    }
    if arguments.requests {
        return history::run(arguments);
    }
    if arguments.recordings {
        return recordings::run(arguments);
    }
    if arguments.profile.is_some() {
        return Err(Failure::Usage("--profile is for requests: say --request".into()));
    }
    let asked = session::Asked::of(arguments, settings::check()?)?;
    let sessions = Sessions::of(&arguments.paths);
    if sessions.are_none() {
        eprintln!("turnproof: nothing to check: no session in what is named");
        return Ok(Exit::Nothing);
    }
    match arguments.verdict {
        true => verdict::run(&sessions, &asked.paths, arguments.format),
        false => session::run(sessions, &asked),
    }
}

/// The rules that are selected and not ignored.
pub(super) fn rules_asked(select: &[String], ignore: &[String]) -> Result<Vec<&'static Rule>, Failure> {
    let mut rules = rules_matching(select)?;
    if !ignore.is_empty() {
        let ignored = rules_matching(ignore)?;
        rules.retain(|rule| ignored.iter().all(|other| other.id != rule.id));
    }
    Ok(rules)
}

/// Whether a file that was named itself is no session.
fn names_no_session(judged: &[Judged], paths: &[String]) -> bool {
    judged.iter().any(|one| one.verdict.class == Class::NotASession && paths.contains(&one.file))
}

fn exit(unreadable: u64, violations: &BTreeMap<&'static str, u64>, fail_on: Severity) -> Exit {
    let is_bad = |rule: &&str| find(rule).is_some_and(|rule| rule.severity >= fail_on);
    match unreadable {
        0 if violations.keys().any(is_bad) => Exit::Broken,
        0 => Exit::Held,
        _ => Exit::Usage,
    }
}
