//! `turnproof explain`: teach what a rule means, or what an error means that somebody got.

mod error;

use std::io::Write;
use std::path::Path;

use clap::Args;

use crate::check::predictions;
use crate::report::{Excerpt, Screen};
use turnproof_rules::errors;
use turnproof_rules::rules::{Judge, Repair, Rule, find, meant};

use super::streams::read;
use super::{Exit, Failure, columns, stdout, stdout_has_colour};

/// Teach what a rule means, with an example that breaks it, or what an error means that you got
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof explain wire/no-lone-surrogate
  turnproof explain 'messages.3: `tool_use` ids were found without `tool_result` blocks'
  turnproof explain 'Prompt is too long'
  turnproof explain - < error.log                    an error, whatever is around it

Numbers, ids and names in an error may be any. Exit code 2 means that no rule and no page has it.")]
pub(super) struct Arguments {
    /// A rule's id, as reports and `turnproof rules` print it, or the text of an error: the bare message, a whole body,
    /// or a line of a log; `-` for standard input
    #[arg(required = true, value_name = "RULE|TEXT")]
    about: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let about = arguments.about.join(" ");
    let about = if about == "-" { String::from_utf8_lossy(&read(Path::new("-"))?).into_owned() } else { about };
    let page = text(about.trim()).map_err(Failure::Usage)?;
    let mut out = stdout();
    out.write_all(page.as_bytes())?;
    out.flush()?;
    Ok(Exit::Held)
}

/// What there is to say about an id or an error.
fn text(about: &str) -> Result<String, String> {
    let id = about.to_lowercase();
    if let Some(rule) = find(&id) {
        return Ok(page(rule, stdout_has_colour()));
    }
    if let Some(page) = errors::page(&id) {
        return Ok(error::page(page));
    }
    let answer = errors::look_up(about);
    if !answer.found.is_empty() {
        return Ok(error::found(about, &answer.found));
    }
    let is_id = !about.contains(|char: char| char.is_whitespace() || char == '{');
    Err(if is_id { format!("there is no rule `{about}`; {}", meant(about)) } else { error::nothing(&answer.near) })
}

/// A heading, in bold where there are colours.
fn heading(text: &str, colour: bool) -> String {
    let style = if colour { anstyle::Style::new().bold() } else { anstyle::Style::new() };
    format!("{style}{text}{style:#}")
}

fn page(rule: &Rule, colour: bool) -> String {
    let bold = |text: &str| heading(text, colour);
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
        Judge::Requests(_) => "requests in a row, in `turnproof check --requests`; subjects are not asked",
        Judge::Talk(_) => "talks with a server, in `turnproof mock`; subjects are not asked",
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
