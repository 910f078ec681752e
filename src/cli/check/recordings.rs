//! `turnproof check --recordings`: recorded exchanges are a test of the rules, and the rules are a test of recordings.

use crate::check::{
    ExchangeVerdict, Outcome, RecordedFile, RecordingTally, RequestVerdict, Told, is_on_exchanges, judge_recordings,
};
use crate::report::{Format, RecordingReport};
use turnproof_rules::rules::Severity;

use super::{Arguments, rules_asked};
use crate::cli::{Exit, Failure, screen, stdout};

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if !matches!(arguments.format, Format::Human | Format::Json) {
        return Err(Failure::Usage("recordings have no such format: say --format human or json".into()));
    }
    let mut rules = rules_asked(&arguments.select, &arguments.ignore)?;
    rules.retain(|rule| is_on_exchanges(rule));
    if rules.is_empty() {
        return Err(Failure::Usage("no rule on requests or replies matches".into()));
    }
    let (mut tally, mut files) = (RecordingTally::default(), Vec::new());
    for file in RecordedFile::gather(&arguments.paths) {
        match file {
            Ok(file) => files.push(file),
            Err(error) => {
                tally.unreadable += 1;
                eprintln!("turnproof: {error}");
            }
        }
    }
    let mut judged = Vec::new();
    for verdict in judge_recordings(&files, &rules) {
        match verdict {
            Ok(verdict) => {
                tally.add(&verdict);
                judged.push(verdict);
            }
            Err(error) => {
                tally.unreadable += u64::from(!error.is_harmless);
                tally.other_files += u64::from(error.is_harmless);
                eprintln!("turnproof: {error}{}", if error.is_harmless { "; left out" } else { "" });
            }
        }
    }
    RecordingReport::new(stdout(), arguments.format, screen(), arguments.limit.unwrap_or(10)).write(&judged, &tally)?;
    let is_broken = |exchange: &ExchangeVerdict| is_broken(exchange, arguments.fail_on);
    Ok(match (tally.unreadable, tally.exchanges) {
        (1.., _) => Exit::Usage,
        (0, 0) => Exit::Nothing,
        _ if judged.iter().flat_map(|file| &file.exchanges).any(is_broken) => Exit::Broken,
        _ => Exit::Held,
    })
}

/// Whether what was recorded contradicts the rules: the host took a request that is called not legal, or sent a reply
/// that breaks a rule. A refusal that no rule sees may have its reason outside of the body.
fn is_broken(exchange: &ExchangeVerdict, fail_on: Option<Severity>) -> bool {
    let has = |findings: &[Told], least: Severity| findings.iter().any(|finding| finding.severity >= least);
    let of_request = match &exchange.request {
        RequestVerdict::Legal(findings) | RequestVerdict::NotLegal(findings) => findings.as_slice(),
        RequestVerdict::NotJudged(_) => &[],
    };
    exchange.outcome == Outcome::Accepted && has(of_request, fail_on.unwrap_or(Severity::Error))
        || has(&exchange.reply, fail_on.unwrap_or(Severity::Warning))
}
