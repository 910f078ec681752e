//! `turnproof check --requests`: requests of one conversation are judged as a history.

use crate::check::{HistoryTally, is_on_history, judge_history, read_history};
use crate::report::HistoryReport;
use turnproof_rules::rules::Severity;

use super::{Arguments, rules_asked};
use crate::cli::streams::read_stdin;
use crate::cli::{Exit, Failure, screen, stdout};

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut rules = rules_asked(&arguments.select, &arguments.ignore)?;
    rules.retain(|rule| is_on_history(rule));
    if rules.is_empty() {
        return Err(Failure::Usage("no rule on requests in a row matches; they are history/*".into()));
    }
    let mut report = HistoryReport::new(stdout(), arguments.format, screen(), arguments.limit.unwrap_or(5), &rules);
    let (mut all, mut unreadable) = (HistoryTally::default(), 0_u64);
    for path in &arguments.paths {
        let requests = match read_history(path, read_stdin) {
            Ok(requests) => requests,
            Err(error) => {
                unreadable += 1;
                eprintln!("turnproof: {error}");
                continue;
            }
        };
        let (name, mut written) = (path.display().to_string(), Ok(()));
        let tally = judge_history(&requests, &rules, &mut |finding| {
            if written.is_ok() {
                written = report.finding(&name, &finding);
            }
        });
        written?;
        report.end_of_file(&name, &tally)?;
        all.add(&tally);
    }
    report.finish(&all)?;
    let fail_on = arguments.fail_on.unwrap_or(Severity::Error);
    Ok(match unreadable {
        0 if all.severities.keys().any(|severity| *severity >= fail_on) => Exit::Broken,
        0 => Exit::Held,
        _ => Exit::Usage,
    })
}
