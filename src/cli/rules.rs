//! `turnproof rules`: list the rules.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::report;
use turnproof_rules::rules::{Audience, Legacy, Repair, Rule};

use super::streams::Format;
use super::test::{regressions_folder, stored};
use super::{Exit, Failure, columns, rules_matching};

/// List the rules
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof rules                 all of them
  turnproof rules 'wire/*'        one family
  turnproof rules --coverage      from the specification to rules, faults and cases
  turnproof rules --format json   for programs, one object a line")]
pub(super) struct Arguments {
    /// Only the rules whose id matches
    #[arg(value_name = "GLOB")]
    globs: Vec<String>,
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

fn page(rules: &[&'static Rule]) -> String {
    let row = |rule: &&'static Rule| {
        let audience = rule.audience.map_or("", Audience::name);
        [rule.id, rule.severity.name(), rule.judge.name(), audience, rule.title].map(str::to_owned)
    };
    report::table_within(columns(), ["rule", "severity", "judges", "kept by", "what must hold"], rules.iter().map(row))
}
