//! `turnproof check --request`: judge requests before they are sent.

use std::path::PathBuf;

use crate::check::{RequestTally, is_on_requests, judge_request, read_request};
use crate::operation::Host;
use crate::report::{Format, RequestReport};
use crate::rules::{Severity, find};

use super::streams::read_stdin;
use super::{Exit, Failure, rules_matching, stdout, stdout_has_colour};

/// What is to be judged, and how it is reported.
pub(super) struct Call<'a> {
    pub(super) paths: &'a [PathBuf],
    pub(super) profile: Host,
    pub(super) globs: &'a [String],
    pub(super) format: Format,
    pub(super) limit: u64,
    pub(super) fail_on: Severity,
}

pub(super) fn run(call: &Call<'_>) -> Result<Exit, Failure> {
    let mut rules = rules_matching(call.globs)?;
    rules.retain(|rule| is_on_requests(rule));
    if rules.is_empty() {
        return Err(Failure::Usage(format!(
            "no rule on requests matches {}; they are api/*, pairing/* and thinking/*",
            call.globs.iter().map(|glob| format!("`{glob}`")).collect::<Vec<_>>().join(", ")
        )));
    }
    let mut report = RequestReport::new(stdout(), call.format, stdout_has_colour(), call.limit, call.profile.name());
    let mut all = RequestTally::default();
    for path in call.paths {
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
        let tally = judge_request(&request, call.profile, &rules, &mut |finding| {
            if written.is_ok() {
                written = report.finding(&name, &finding);
            }
        });
        written?;
        report.end_of_request(&name, &tally)?;
        all.add(&tally);
    }
    report.finish(&all)?;
    let is_bad = |rule: &str| find(rule).is_some_and(|rule| rule.severity >= call.fail_on);
    Ok(match all.unreadable {
        0 if all.violations.keys().any(|rule| is_bad(rule)) => Exit::Broken,
        0 => Exit::Held,
        _ => Exit::Usage,
    })
}
