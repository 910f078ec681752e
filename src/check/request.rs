//! A *request* is judged before it is sent, by every rule on requests, for one host.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use serde_json::value::RawValue;
use turnproof_rules::operation::{Form, Object, Value};

use super::foreign::begins_with_session;
use super::input::{InputError, describe};
use turnproof_rules::operation::{Host, Request, RequestError};
use turnproof_rules::rules::{Judge, Rule, Severity, Violation};

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

impl RequestFinding {
    /// How bad it is at the host that was asked about.
    pub fn severity(&self) -> Severity {
        self.rule.severity_of(&self.violation)
    }
}

/// What judging one or more requests counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestTally {
    /// Requests judged.
    pub requests: u64,
    /// Requests without an error.
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
    /// Violations, by how bad they are.
    pub severities: BTreeMap<Severity, u64>,
    /// What the bodies have that no rule judges.
    pub not_judged: BTreeSet<String>,
}

impl RequestTally {
    /// Violations of all rules.
    pub fn violation_count(&self) -> u64 {
        self.violations.values().sum()
    }

    /// Violations that are errors: the host refuses the request.
    pub fn errors(&self) -> u64 {
        self.severities.get(&Severity::Error).copied().unwrap_or(0)
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
        for (severity, count) in &other.severities {
            *self.severities.entry(*severity).or_default() += count;
        }
        self.not_judged.extend(other.not_judged.iter().cloned());
    }
}

/// Whether the rule judges requests themselves.
pub fn is_on_requests(rule: &Rule) -> bool {
    matches!(rule.judge, Judge::Request { .. })
}

/// Reads the text at `path`; `-` is standard input.
pub(super) fn read_text(path: &Path, stdin: impl FnOnce() -> io::Result<Vec<u8>>) -> Result<String, InputError> {
    let name = path.display().to_string();
    let bytes = if path.as_os_str() == "-" { stdin() } else { fs::read(path) };
    let bytes = bytes.map_err(|error| InputError::new(&name, describe(&error)))?;
    String::from_utf8(bytes)
        .map_err(|error| InputError::new(&name, format!("not UTF-8 after byte {}", error.utf8_error().valid_up_to())))
}

/// Why a text is no request, and what it is where that is known.
fn not_a_request(name: &str, text: &str, error: RequestError) -> InputError {
    match begins_with_session(text.as_bytes()) {
        true => InputError::new(name, "a session, and no request; `turnproof check` judges it without --request"),
        false => InputError::new(name, error),
    }
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
        not_judged: not_judged(request),
        ..RequestTally::default()
    };
    for &rule in rules {
        let Judge::Request { judge, .. } = rule.judge else { continue };
        judge(request, host, &mut |violation| {
            *tally.violations.entry(rule.id).or_default() += 1;
            let excerpt = request.excerpt(violation.place);
            let finding = RequestFinding { rule, violation, excerpt };
            *tally.severities.entry(finding.severity()).or_default() += 1;
            sink(finding);
        });
    }
    tally.legal = u64::from(tally.errors() == 0);
    tally
}

/// The members of a body that no rule judges: what they do is up to the host.
const NOT_JUDGED: [&str; 7] =
    ["metadata", "service_tier", "mcp_servers", "inference_geo", "speed", "fallbacks", "diagnostics"];

/// What a body has that no rule judges.
fn not_judged(request: &Request) -> BTreeSet<String> {
    let members = request.body.as_object().into_iter().flat_map(Object::keys);
    let members = members.filter(|name| NOT_JUDGED.contains(&&***name)).map(|name| name.to_string());
    let shapes = (request.form == Form::Converse).then(|| "the members of Converse's blocks".to_owned());
    members.chain(shapes).collect()
}

/// Reads the requests at `path`: the body or list of turns that it holds, or each of a body for batches, with the name
/// to report it by. `-` is standard input. It fails when there is nothing to read, or
/// what is read is no request.
pub fn read_requests(
    path: &Path,
    stdin: impl FnOnce() -> io::Result<Vec<u8>>,
) -> Result<Vec<(String, Request)>, InputError> {
    let name = path.display().to_string();
    let text = read_text(path, stdin)?;
    let batch: Option<Batch<'_>> = serde_json::from_str(&text).ok();
    let read = |name: &str, text: &str| Request::read(text).map_err(|error| not_a_request(name, text, error));
    match batch {
        Some(batch) => {
            let named = batch.requests.iter().enumerate().map(|(index, one)| (format!("{name}#requests.{index}"), one));
            named.map(|(name, one)| Ok((name.clone(), read(&name, one.params.get())?))).collect()
        }
        None => Ok(vec![(name.clone(), read(&name, &text)?)]),
    }
}

/// A body for batches.
#[derive(serde::Deserialize)]
pub(super) struct Batch<'a> {
    #[serde(borrow)]
    requests: Vec<BatchedRequest<'a>>,
}

impl<'a> Batch<'a> {
    /// The bodies that are in it.
    pub(super) fn bodies(&self) -> impl Iterator<Item = &'a str> {
        self.requests.iter().map(|one| one.params.get())
    }
}

/// A request of a batch.
#[derive(serde::Deserialize)]
struct BatchedRequest<'a> {
    #[serde(borrow)]
    params: &'a RawValue,
}

/// How many blocks a turn has.
fn blocks(turn: &Value) -> u64 {
    match turn.get("content") {
        Some(Value::Array(blocks)) => blocks.len() as u64,
        Some(Value::String(_)) => 1,
        _ => 0,
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
