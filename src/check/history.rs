//! *Requests in a row* are judged as a history: each against the one that it continues.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use turnproof_rules::operation::{Request, RequestPair, predecessors, read_requests};
use turnproof_rules::rules::{Judge, Rule, Severity, Violation};

use super::input::InputError;
use super::recordings::{RecordedFile, recorded_requests};
use super::request::read_text;

/// A rule that a request breaks, beside the one before.
#[derive(Clone, Debug)]
pub struct HistoryFinding {
    /// The rule.
    pub rule: &'static Rule,
    /// Where and what.
    pub violation: Violation,
    /// Which request of the file, from 1.
    pub number: u32,
    /// The one that it continues, from 1.
    pub continues: u32,
    /// The beginning of the turn or block in question, as JSON.
    pub excerpt: Vec<u8>,
}

impl HistoryFinding {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.violation.severity.unwrap_or(self.rule.severity)
    }
}

/// What judging requests in a row counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryTally {
    /// Requests.
    pub requests: u64,
    /// Requests that continue another.
    pub pairs: u64,
    /// Those that begin with all that the other has.
    pub continued: u64,
    /// Findings, by how bad they are.
    pub severities: BTreeMap<Severity, u64>,
}

impl HistoryTally {
    /// Adds the counts of another file.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.pairs += other.pairs;
        self.continued += other.continued;
        for (severity, count) in &other.severities {
            *self.severities.entry(*severity).or_default() += count;
        }
    }
}

/// Whether the rule judges requests in a row.
pub fn is_on_history(rule: &Rule) -> bool {
    matches!(rule.judge, Judge::Requests(_))
}

/// Reads the requests of a conversation at `path`: JSON Lines of bodies, or a recording. `-` is standard input.
/// It fails where neither is there.
pub fn read_history(path: &Path, stdin: impl FnOnce() -> io::Result<Vec<u8>>) -> Result<Vec<Request>, InputError> {
    let name = path.display().to_string();
    let text = match read_text(path, stdin) {
        Ok(text) => text,
        // It may be compressed.
        Err(error) => return recorded_requests(&RecordedFile::named(path)).map_err(|_| error),
    };
    let wrong = match read_requests(&text) {
        Ok(requests) if !requests.is_empty() => return Ok(requests),
        Ok(_) => "there is no request in it".to_owned(),
        Err(error) => error.to_string(),
    };
    let recorded = recorded_requests(&RecordedFile::named(path)).unwrap_or_default();
    if recorded.is_empty() { Err(InputError::new(name, wrong)) } else { Ok(recorded) }
}

/// Judges requests in a row by those of `rules` that do; gives each finding to `sink`, request by request.
/// Linear in their size.
pub fn judge_history(
    requests: &[Request],
    rules: &[&'static Rule],
    sink: &mut dyn FnMut(HistoryFinding),
) -> HistoryTally {
    let mut tally = HistoryTally { requests: requests.len() as u64, ..HistoryTally::default() };
    for (index, before) in predecessors(requests).into_iter().enumerate() {
        let Some(before) = before else { continue };
        let pair = RequestPair::new(&requests[before], &requests[index]);
        tally.pairs += 1;
        tally.continued += u64::from(pair.is_continued());
        for &rule in rules {
            let Judge::Requests(judge) = rule.judge else { continue };
            judge(&pair, &mut |violation| {
                let excerpt = pair.later.excerpt(violation.place);
                let (number, continues) = (index as u32 + 1, before as u32 + 1);
                let finding = HistoryFinding { rule, violation, number, continues, excerpt };
                *tally.severities.entry(finding.severity()).or_default() += 1;
                sink(finding);
            });
        }
    }
    tally
}
