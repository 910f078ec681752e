//! `turnproof requests`: every request that a session proves was sent.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::check::{SentVerdict, is_on_requests, judge_sent, read_sent};
use crate::report::{sent_counts, sent_line, sent_page, sent_summary, size};
use turnproof_reference::sent::Sent;
use turnproof_rules::rules::CATALOGUE;

use super::sessions::{InMemory, Sessions};
use super::streams::Format;
use super::{Exit, Failure, columns, stdout};

/// Show every request that a session proves was sent: judged, and beside the one before
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof requests session.jsonl                   one request a line: legal or not, what broke the cache
  turnproof requests session.jsonl --show 3 | jq .   the body of one
  turnproof requests session.jsonl -o bodies         all of them, a file each
  turnproof requests --format json session.jsonl     for programs
  turnproof requests session.jsonl --show 3 | turnproof check --request -

Clients of today note in a session which turns they sent, by hashes. A request is rebuilt of these notes, \
and the hashes are checked. It is judged as the Messages API judges it. Beside it is how much of the request \
before it begins with, in the order in which a host caches it: tools, system prompt, messages. Subagents \
have files of their own.")]
pub(super) struct Arguments {
    /// A session, or `-` for standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// Print the body of one request, as JSON
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["out", "format"])]
    show: Option<u32>,
    /// Write the body of each request into this folder, as request-NUMBER.json
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// How to print; as JSON, a line for each request, and last a summary
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    memory: InMemory,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let sessions = Sessions::of(std::slice::from_ref(&arguments.path));
    let input = match sessions.inputs.as_slice() {
        [input] if arguments.path.is_file() || arguments.path.as_os_str() == "-" => input,
        [] if sessions.unreadable == 0 => return Ok(Exit::Nothing),
        [] => return Ok(Exit::Usage),
        _ => return Err(Failure::Usage("requests takes one session: name a file".to_owned())),
    };
    arguments.memory.admit(input).map_err(|why| Failure::Usage(format!("{}: {why}", input.name)))?;
    let sent = read_sent(input).map_err(|error| Failure::Usage(format!("cannot read {}: {error}", input.name)))?;
    if let Some(number) = arguments.show {
        return show(&sent, number);
    }
    if sent.requests().is_empty() {
        eprintln!("turnproof: {}: no request is noted; clients before 2.1.332 did not note what they sent", input.name);
    }
    if let Some(folder) = &arguments.out {
        write_all(&sent, folder)?;
    }
    let rules: Vec<_> = CATALOGUE.iter().copied().filter(|rule| is_on_requests(rule)).collect();
    let mut requests: Vec<SentVerdict> = Vec::new();
    let mut out = stdout();
    judge_sent(&sent, &rules, &mut |mut request| {
        if arguments.format == Format::Json {
            out.write_all(sent_line(&request).as_bytes())?;
        }
        // The page says how long it is.
        if let Ok(judged) = &mut request.judged {
            judged.body.json = String::new();
        }
        requests.push(request);
        Ok::<(), Failure>(())
    })?;
    match arguments.format {
        Format::Json => out.write_all(sent_summary(&requests).as_bytes())?,
        Format::Human if requests.is_empty() => {}
        Format::Human => {
            out.write_all(sent_page(&requests, columns()).as_bytes())?;
            out.write_all(format!("\n{}: {}\n", input.name, counts(&requests)).as_bytes())?;
        }
    }
    out.flush()?;
    Ok(if requests.iter().all(SentVerdict::is_legal) { Exit::Held } else { Exit::Broken })
}

/// How many requests there are, and what is said of them.
fn counts(requests: &[SentVerdict]) -> String {
    let [rebuilt, fitting, legal, refused] = sent_counts(requests);
    let refused = if refused > 0 { format!(", {refused} refused by the API") } else { String::new() };
    let all = size(requests.len() as u64, "request");
    format!("{all}: {rebuilt} rebuilt, {fitting} exactly as sent, {legal} legal{refused}")
}

/// Prints the body of one request.
fn show(sent: &Sent, number: u32) -> Result<Exit, Failure> {
    let index = (number as usize).checked_sub(1).filter(|index| *index < sent.requests().len());
    let Some(index) = index else {
        let there = size(sent.requests().len() as u64, "request");
        return Err(Failure::Usage(format!("there is no request {number}: the session notes {there}")));
    };
    match sent.body(index) {
        Ok(body) => {
            let mut out = stdout();
            writeln!(out, "{}", body.json)?;
            out.flush()?;
            Ok(Exit::Held)
        }
        Err(error) => {
            eprintln!("turnproof: request {number} cannot be rebuilt: {error}");
            Ok(Exit::Broken)
        }
    }
}

/// Writes the body of each request that can be rebuilt.
fn write_all(sent: &Sent, folder: &Path) -> Result<(), Failure> {
    let failed = |path: &Path, error| Failure::Usage(format!("cannot write {}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let mut written = 0;
    for index in 0..sent.requests().len() {
        let Ok(body) = sent.body(index) else { continue };
        let path = folder.join(format!("request-{:03}.json", index + 1));
        fs::write(&path, body.json + "\n").map_err(|error| failed(&path, error))?;
        written += 1;
    }
    eprintln!("turnproof: {} in {}", size(written, "request"), folder.display());
    Ok(())
}
