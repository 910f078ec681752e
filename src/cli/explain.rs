//! `turnproof explain`: teach what a rule means.

use std::io::Write;

use clap::Args;

use crate::check::predictions;
use crate::report::{Excerpt, Screen};
use turnproof_rules::rules::{Judge, Repair, Rule, find};

use super::{Exit, Failure, columns, did_you_mean, stdout, stdout_has_colour};

/// Teach what a rule means, with an example that breaks it
#[derive(Args)]
#[command(after_help = "\
Example:
  turnproof explain wire/no-lone-surrogate")]
pub(super) struct Arguments {
    /// The rule's id, as reports and `turnproof rules` print it
    #[arg(value_name = "RULE")]
    rule: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let rule = find(&arguments.rule.to_lowercase()).ok_or_else(|| Failure::Usage(unknown(&arguments.rule)))?;
    let mut out = stdout();
    out.write_all(page(rule, stdout_has_colour()).as_bytes())?;
    out.flush()?;
    Ok(Exit::Held)
}

fn unknown(id: &str) -> String {
    let part = id.rsplit('/').next().unwrap_or(id);
    let mut alike = turnproof_rules::rules::matching(&format!("*{}*", part.to_lowercase()));
    // The very name in another family comes first.
    alike.sort_by_key(|rule| !rule.id.ends_with(&format!("/{part}")));
    let alike: Vec<&str> = alike.iter().map(|rule| rule.id).collect();
    did_you_mean(&format!("there is no rule `{id}`"), &alike, "turnproof rules")
}

fn page(rule: &Rule, colour: bool) -> String {
    let bold = |text: &str| {
        let style = if colour { anstyle::Style::new().bold() } else { anstyle::Style::new() };
        format!("{style}{text}{style:#}")
    };
    let head = Screen { colour: false, columns: columns() };
    let head = head.wrap(&format!("{} ({}): {}.", rule.id, rule.severity.name(), rule.title), 0);
    let mut page = head.replacen(rule.id, &bold(rule.id), 1);
    for paragraph in rule.doc.split("\n\n") {
        page.push_str(&format!("\n{}\n", wrap(&paragraph.split_whitespace().collect::<Vec<_>>().join(" "))));
    }
    page.push_str(&format!("\n{}\n\n", bold("An example that breaks it")));
    for line in rule.example.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        page.push_str(&format!("    {}\n", Excerpt::whole(line)));
    }
    let told = predictions(rule);
    if !told.is_empty() {
        page.push_str(&format!("\n{}\n", bold("What the API answers")));
    }
    for (hosts, error) in told {
        let hosts: Vec<&str> = hosts.into_iter().map(|host| host.name()).collect();
        page.push_str(&format!("\n{}:\n    {}\n", hosts.join(", "), Excerpt::whole(error.as_bytes())));
    }
    page.push_str(&format!("\n{}\n\n{}\n", bold("What to do"), wrap(rule.remedy)));
    page.push_str(&format!("\n{}\n\n{}\n", bold("Where it comes from"), wrap(&rule.sources.join(", "))));
    page.push('\n');
    for line in said(rule) {
        page.push_str(&format!("{}\n", wrap(&line)));
    }
    page
}

/// What the front matter of the rule's page says, but for the severity, a sentence each.
fn said(rule: &Rule) -> Vec<String> {
    let mut said = vec![format!("It judges: {}.", judges(rule))];
    said.extend(rule.audience.map(|audience| format!("It must be kept by: {}.", audience.name())));
    said.extend(rule.consequence.map(|meaning| format!("In a session it means: {meaning}.")));
    if !rule.refused_as.is_empty() {
        said.push(format!("The API refuses it as: {}.", rule.refused_as.join(", ")));
    }
    said.extend(rule.repair.map(|repair| match repair {
        Repair::Must => "A repair fixes it.".to_owned(),
        Repair::May => "A repair fixes it where it must.".to_owned(),
    }));
    said.extend(rule.legacy.map(|legacy| format!("It is legacy {}: old clients wrote it.", legacy.name())));
    said
}

fn judges(rule: &Rule) -> &'static str {
    match rule.judge {
        Judge::Request { structural: false, .. } => {
            "requests, in `turnproof check --request`; subjects are not asked, since it depends on sizes, on the \
             caller or on the model"
        }
        Judge::Request { structural: true, .. } => {
            "the requests that a subject makes (normalize_api), and in `turnproof check --request` a request itself"
        }
        Judge::Reply(_) => {
            "replies, in `turnproof check --response` and `turnproof accumulate`; subjects are not asked"
        }
        _ => rule.operation().describe(),
    }
}

/// Breaks a paragraph into lines of at most 90 characters, or of the columns of a narrower screen.
fn wrap(paragraph: &str) -> String {
    let widest = columns().map_or(90, |columns| columns.min(90));
    let mut lines = vec![String::new()];
    for word in paragraph.split_whitespace() {
        let room =
            lines.last().is_some_and(|line| line.is_empty() || line.chars().count() + word.chars().count() < widest);
        if !room {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
