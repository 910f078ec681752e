//! `turnproof check --response`: what a host, a gateway or a mock server sends back is judged.

use crate::check::{ReplyTally, describe_reply, is_on_replies, judge_reply, read_reply};
use crate::report::ReplyReport;
use turnproof_rules::rules::Severity;

use super::{Arguments, exit, rules_asked};
use crate::cli::streams::read_stdin;
use crate::cli::{Exit, Failure, screen, stdout};

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut rules = rules_asked(&arguments.select, &arguments.ignore)?;
    rules.retain(|rule| is_on_replies(rule));
    if rules.is_empty() {
        let asked: Vec<String> = arguments.select.iter().map(|glob| format!("`{glob}`")).collect();
        return Err(Failure::Usage(format!("no rule on replies matches {}; they are reply/*", asked.join(", "))));
    }
    let mut report = ReplyReport::new(stdout(), arguments.format, screen(), arguments.limit.unwrap_or(5), &rules);
    let mut all = ReplyTally::default();
    for path in &arguments.paths {
        let reply = match read_reply(path, read_stdin) {
            Ok(reply) => reply,
            Err(error) => {
                all.unreadable += 1;
                eprintln!("turnproof: {error}");
                continue;
            }
        };
        let name = path.display().to_string();
        let mut written = Ok(());
        let tally = judge_reply(&reply, &rules, &mut |finding| {
            if written.is_ok() {
                written = report.finding(&name, &finding);
            }
        });
        written?;
        if !arguments.says_nothing(tally.violation_count()) {
            report.end_of_reply(&name, describe_reply(&reply), &tally)?;
        }
        all.add(&tally);
    }
    report.finish(&all)?;
    Ok(exit(all.unreadable, &all.violations, arguments.fail_on.unwrap_or(Severity::Warning)))
}
