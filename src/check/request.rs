//! A *request* is judged before it is sent, by every rule on requests, for one host.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use turnproof_rules::operation::Value;

use super::input::{InputError, describe};
use turnproof_rules::operation::{Host, Request};
use turnproof_rules::rules::{Judge, Place, Rule, Violation};

/// A rule that a request breaks.
#[derive(Clone, Debug)]
pub struct RequestFinding {
    /// The rule.
    pub rule: &'static Rule,
    /// Where, what, and the error that the host would give.
    pub violation: Violation,
    /// The beginning of the turn or block in question, as JSON; empty for the request as a whole.
    pub excerpt: Vec<u8>,
}

/// What judging one or more requests counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestTally {
    /// Requests judged.
    pub requests: u64,
    /// Requests without a violation.
    pub legal: u64,
    /// Requests that are a list of messages, not a whole body.
    pub lists: u64,
    /// Turns.
    pub turns: u64,
    /// Blocks; content that is a string is one.
    pub blocks: u64,
    /// The bodies' bytes.
    pub bytes: u64,
    /// Inputs that could not be read, or are no requests.
    pub unreadable: u64,
    /// Violations, by the rule's id.
    pub violations: BTreeMap<&'static str, u64>,
}

impl RequestTally {
    /// Violations of all rules.
    pub fn violation_count(&self) -> u64 {
        self.violations.values().sum()
    }

    /// Adds the counts of another request.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.legal += other.legal;
        self.lists += other.lists;
        self.turns += other.turns;
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.unreadable += other.unreadable;
        for (rule, count) in &other.violations {
            *self.violations.entry(rule).or_default() += count;
        }
    }
}

/// Whether the rule judges requests themselves.
pub fn is_on_requests(rule: &Rule) -> bool {
    matches!(rule.judge, Judge::Request { .. })
}

/// Reads the request at `path`; `-` is standard input.
/// It fails when there is nothing to read, or what is read is no request.
pub fn read_request(path: &Path, stdin: impl FnOnce() -> io::Result<Vec<u8>>) -> Result<Request, InputError> {
    let name = path.display().to_string();
    let bytes = if path.as_os_str() == "-" { stdin() } else { fs::read(path) };
    let bytes = bytes.map_err(|error| InputError::new(&name, describe(&error)))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| InputError::new(&name, format!("not UTF-8 after byte {}", error.valid_up_to())))?;
    Request::read(text).map_err(|error| InputError::new(&name, error))
}

/// Judges a request by those of `rules` that judge requests; gives each finding to `sink`, rule by rule, in the order
/// of the request. Linear in the size of the request and the number of findings.
pub fn judge_request(
    request: &Request,
    host: Host,
    rules: &[&'static Rule],
    sink: &mut dyn FnMut(RequestFinding),
) -> RequestTally {
    let mut tally = RequestTally {
        requests: 1,
        lists: u64::from(request.body.is_null()),
        turns: request.messages.len() as u64,
        blocks: request.messages.iter().map(blocks).sum(),
        bytes: request.bytes,
        ..RequestTally::default()
    };
    for &rule in rules {
        let Judge::Request { judge, .. } = rule.judge else { continue };
        judge(request, host, &mut |violation| {
            *tally.violations.entry(rule.id).or_default() += 1;
            let excerpt = excerpt(request, violation.place);
            sink(RequestFinding { rule, violation, excerpt });
        });
    }
    tally.legal = u64::from(tally.violations.is_empty());
    tally
}

/// How many blocks a turn has.
fn blocks(turn: &Value) -> u64 {
    match turn.get("content") {
        Some(Value::Array(blocks)) => blocks.len() as u64,
        Some(Value::String(_)) => 1,
        _ => 0,
    }
}

/// The beginning of what stands at a place, as JSON.
fn excerpt(request: &Request, place: Place) -> Vec<u8> {
    let Place::Message { index, block } = place else { return Vec::new() };
    let Some(turn) = request.messages.get(index as usize) else { return Vec::new() };
    let block = block.and_then(|block| turn.get("content")?.get(block as usize));
    let mut head = Head(Vec::new());
    // The only error is that the head is full.
    let _ = serde_json::to_writer(&mut head, block.unwrap_or(turn));
    head.0
}

/// Takes the first 512 bytes that are written to it and refuses the rest, so that a large block costs no more.
struct Head(Vec<u8>);

impl Write for Head {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(512 - self.0.len());
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The first error that each host gives for the example of a rule on requests; hosts with the same error together.
pub fn predictions(rule: &Rule) -> Vec<(Vec<Host>, String)> {
    let mut told: Vec<(Vec<Host>, String)> = Vec::new();
    let Judge::Request { judge, .. } = rule.judge else { return told };
    let example = std::str::from_utf8(rule.example).ok().and_then(|text| Request::read(text).ok());
    let Some(request) = example else { return told };
    for host in Host::ALL {
        let mut first = None;
        judge(&request, host, &mut |violation| first = first.take().or(violation.error));
        let Some(error) = first else { continue };
        match told.iter_mut().find(|(_, known)| *known == error) {
            Some((hosts, _)) => hosts.push(host),
            None => told.push((vec![host], error)),
        }
    }
    told
}
