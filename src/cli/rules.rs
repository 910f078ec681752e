//! `turnproof rules`: list the rules.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::report;
use turnproof_rules::operation::{Host, Request};
use turnproof_rules::rules::{Audience, Judge, Known, Legacy, Repair, Rule};

use super::streams::Format;
use super::test::{regressions_folder, stored};
use super::{Exit, Failure, columns, rules_matching};

/// List the rules
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof rules                 all of them
  turnproof rules 'wire/*'        one family
  turnproof rules --hosts         how it is known that a host refuses what breaks a rule
  turnproof rules --coverage      from the specification to rules, faults and cases
  turnproof rules --format json   for programs, one object a line")]
pub(super) struct Arguments {
    /// Only the rules whose id matches
    #[arg(value_name = "GLOB")]
    globs: Vec<String>,
    /// Show of each rule on requests how it is known of each host: recorded, documented or inferred
    #[arg(long, conflicts_with = "coverage")]
    hosts: bool,
    /// Show which rules cite each section of SPEC.md, and how many faults and cases are stored for them
    #[arg(long, conflicts_with = "globs")]
    coverage: bool,
    /// With --coverage: the folder of stored cases [default: tests/regressions, where it exists]
    #[arg(long, value_name = "DIR", requires = "coverage")]
    regressions: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Serialize)]
struct RuleLine<'a> {
    rule: &'a str,
    severity: &'a str,
    judges: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    audience: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legacy: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    refused_as: &'a [&'a str],
    #[serde(skip_serializing_if = "Option::is_none")]
    consequence: Option<&'a str>,
    title: &'a str,
    sources: &'a [&'a str],
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.coverage {
        return coverage(arguments);
    }
    let rules = rules_matching(&arguments.globs)?;
    if arguments.hosts {
        return hosts(&rules, arguments.format);
    }
    let line = |rule: &&'static Rule| RuleLine {
        rule: rule.id,
        severity: rule.severity.name(),
        judges: rule.judge.name(),
        audience: rule.audience.map(Audience::name),
        legacy: rule.legacy.map(Legacy::name),
        repair: rule.repair.map(Repair::name),
        refused_as: rule.refused_as,
        consequence: rule.consequence,
        title: rule.title,
        sources: rule.sources,
    };
    arguments.format.print(|| page(&rules), rules.iter().map(line))?;
    Ok(Exit::Held)
}

fn coverage(arguments: &Arguments) -> Result<Exit, Failure> {
    let stored = stored(regressions_folder(arguments.regressions.as_deref()))?;
    let covered = report::coverage::coverage(&stored);
    arguments.format.print(|| report::coverage::page(&covered, columns()), covered.iter())?;
    Ok(Exit::Held)
}

/// Prints how it is known of each host that it refuses what breaks a rule.
fn hosts(rules: &[&'static Rule], format: Format) -> Result<Exit, Failure> {
    let rows: Vec<HostsLine> = rules.iter().filter_map(|rule| HostsLine::of(rule)).collect();
    let row = |line: &HostsLine| {
        let cell = |host: Host| line.hosts.get(host.name()).map_or("–", String::as_str).to_owned();
        let hosts = [Host::Anthropic, Host::BedrockConverse, Host::BedrockInvoke, Host::Vertex].map(cell);
        let [anthropic, converse, invoke, vertex] = hosts;
        [line.rule.to_owned(), anthropic, converse, invoke, vertex]
    };
    let head = ["rule", "anthropic", "bedrock-converse", "bedrock-invoke", "vertex"];
    let note = "recorded: an exchange shows it. documented: the host says so, or a report quotes its error. inferred: from \
                other hosts. –: the host takes it. The profile portable refuses what any of them has refused.\n";
    let page = || report::table_within(columns(), head, rows.iter().map(row)) + "\n" + note;
    format.print(page, rows.iter())?;
    Ok(Exit::Held)
}

/// What is known of a rule on requests.
#[derive(Serialize)]
struct HostsLine {
    rule: &'static str,
    /// By host: `recorded 2026-01`, `documented` or `inferred`; no host that takes what breaks the rule.
    hosts: BTreeMap<&'static str, String>,
}

impl HostsLine {
    fn of(rule: &'static Rule) -> Option<Self> {
        let Judge::Request { judge, .. } = rule.judge else { return None };
        let example = std::str::from_utf8(rule.example).ok().and_then(|text| Request::read(text).ok());
        let is_broken = |host: Host| {
            let mut is_broken = false;
            example.iter().for_each(|example| judge(example, host, &mut |_| is_broken = true));
            is_broken
        };
        let known = |host: Host| match rule.known(host) {
            Known::Recorded(when) => Some(format!("recorded {when}")),
            Known::Documented => is_broken(host).then(|| "documented".to_owned()),
            Known::Inferred => is_broken(host).then(|| "inferred".to_owned()),
        };
        let hosts = Host::ALL.into_iter().filter(|host| *host != Host::Portable);
        Some(Self { rule: rule.id, hosts: hosts.filter_map(|host| Some((host.name(), known(host)?))).collect() })
    }
}

fn page(rules: &[&'static Rule]) -> String {
    let row = |rule: &&'static Rule| {
        let audience = rule.audience.map_or("", Audience::name);
        [rule.id, rule.severity.name(), rule.judge.name(), audience, rule.title].map(str::to_owned)
    };
    report::table_within(columns(), ["rule", "severity", "judges", "kept by", "what must hold"], rules.iter().map(row))
}
