//! `turnproof check --request`: requests are judged before they are sent.

use crate::check::{RequestTally, is_on_requests, judge_request, read_requests};
use crate::report::RequestReport;
use turnproof_rules::operation::{Form, Host};
use turnproof_rules::rules::Severity;

use super::{Arguments, rules_asked};
use crate::cli::streams::read_stdin;
use crate::cli::{Exit, Failure, screen, stdout};

/// Every host, in the order of their verdicts.
const LAST_PORTABLE: [Host; 5] =
    [Host::Anthropic, Host::BedrockConverse, Host::BedrockInvoke, Host::Vertex, Host::Portable];

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut rules = rules_asked(&arguments.select, &arguments.ignore)?;
    rules.retain(|rule| is_on_requests(rule));
    if rules.is_empty() {
        return Err(Failure::Usage(format!(
            "no rule on requests matches {}; they are api/*, body/*, pairing/* and thinking/*",
            arguments.select.iter().map(|glob| format!("`{glob}`")).collect::<Vec<_>>().join(", ")
        )));
    }
    let named = arguments.profile;
    let host = named.unwrap_or(Host::Anthropic);
    let mut report =
        RequestReport::new(stdout(), arguments.format, screen(), arguments.limit.unwrap_or(5), host, &rules);
    let mut all = RequestTally::default();
    for path in &arguments.paths {
        let requests = match read_requests(path, read_stdin) {
            Ok(requests) => requests,
            Err(error) => {
                all.unreadable += 1;
                eprintln!("turnproof: {error}");
                continue;
            }
        };
        for (name, request) in requests {
            // A body of Converse is for no other host.
            let form = (request.form == Form::Converse).then_some(Host::BedrockConverse);
            let host = named.or(form).unwrap_or(host);
            let mut written = Ok(());
            let tally = judge_request(&request, host, &rules, &mut |finding| {
                if written.is_ok() {
                    written = report.finding(&name, &finding);
                }
            });
            written?;
            let is_asked = |other: &Host| *other != host && form.is_none_or(|form| form == *other);
            let others = LAST_PORTABLE.into_iter().filter(|other| named.is_none() && is_asked(other));
            let others: Vec<_> =
                others.map(|other| (other, judge_request(&request, other, &rules, &mut |_| {}))).collect();
            if !arguments.says_nothing(tally.violation_count()) {
                report.end_of_request(&name, host, &tally, &others)?;
            }
            all.add(&tally);
        }
    }
    report.finish(&all)?;
    let fail_on = arguments.fail_on.unwrap_or(Severity::Error);
    let is_bad = all.severities.keys().any(|severity| *severity >= fail_on);
    Ok(match all.unreadable {
        0 if is_bad => Exit::Broken,
        0 => Exit::Held,
        _ => Exit::Usage,
    })
}
