//! `turnproof check --request`: requests are judged before they are sent.

use crate::check::{RequestTally, is_on_requests, judge_request, read_request};
use crate::report::RequestReport;
use turnproof_rules::operation::Host;
use turnproof_rules::rules::Severity;

use super::{Arguments, exit, rules_asked};
use crate::cli::streams::read_stdin;
use crate::cli::{Exit, Failure, screen, stdout};

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut rules = rules_asked(&arguments.select, &arguments.ignore)?;
    rules.retain(|rule| is_on_requests(rule));
    if rules.is_empty() {
        return Err(Failure::Usage(format!(
            "no rule on requests matches {}; they are api/*, pairing/* and thinking/*",
            arguments.select.iter().map(|glob| format!("`{glob}`")).collect::<Vec<_>>().join(", ")
        )));
    }
    let host = arguments.profile.unwrap_or(Host::Strict);
    let mut report =
        RequestReport::new(stdout(), arguments.format, screen(), arguments.limit.unwrap_or(5), host.name(), &rules);
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
    Ok(exit(all.unreadable, &all.violations, arguments.fail_on.unwrap_or(Severity::Warning)))
}
