//! `turnproof selftest`: show that the suite convicts subjects that are wrong on purpose.

use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use crate::report::{Column, Table, count, size};
use crate::suite::{Conviction, SelfTest, selftest};

use super::exit::Exit;
use super::faults::faults_matching;
use super::format::Format;
use super::progress::Progress;
use super::{Failure, quietly};

/// Convict subjects that are wrong on purpose, each by its rule, and say how fast
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof selftest                    every fault, ten seeds
  turnproof selftest 'resume/*'         the faults of one operation
  turnproof selftest --seeds 1          a quick look

A fault is convicted with a seed when one of its first cases (--cases) breaks the fault's rule. What is
printed of a fault: how many seeds convict it; in the median the cases and the milliseconds that takes on
one core; and how many messages are left of the case in the middle when it has been shrunk. Ends with 1 when
a seed does not convict a fault.")]
pub(super) struct Arguments {
    /// Only the faults whose id matches
    #[arg(value_name = "GLOB")]
    globs: Vec<String>,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many seeds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Within how many cases of a seed a fault has to be convicted
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    cases: u64,
    /// Threads (0: one a core); what is found does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Serialize)]
struct ConvictionLine<'a> {
    fault: &'a str,
    rule: &'a str,
    seeds: u64,
    convicted: u64,
    /// How many cases each seed that convicts needs, in the order of the seeds.
    cases: Vec<u64>,
    median_cases: Option<u64>,
    median_milliseconds: Option<f64>,
    messages: Option<u64>,
    plan: Option<&'a crate::scenario::Scenario>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let faults = faults_matching(&arguments.globs)?;
    let Arguments { seed, seeds, cases, threads, .. } = *arguments;
    let test = SelfTest { seed, seeds, cases, threads };
    let progress = Progress::of_steps(seeds + faults.len() as u64);
    let started = Instant::now();
    let convictions = quietly(|| selftest(&faults, &test, &|| progress.add(1)))
        .map_err(|error| Failure::Internal(error.to_string()))?;
    progress.finish();
    let is_convicted = |conviction: &&Conviction| conviction.found.len() as u64 == seeds;
    let convicted = convictions.iter().filter(is_convicted).count();
    let page = || {
        let summary = summary(&convictions, convicted, &test, started.elapsed());
        format!("{}{summary}", table(&convictions, seeds).render())
    };
    let lines = convictions.iter().map(|conviction| line(conviction, seeds));
    arguments.format.print(page, lines)?;
    Ok(if convicted == convictions.len() { Exit::Held } else { Exit::Broken })
}

fn milliseconds(spent: Duration) -> f64 {
    (spent.as_secs_f64() * 1e5).round() / 1e2
}

fn line(conviction: &Conviction, seeds: u64) -> ConvictionLine<'_> {
    ConvictionLine {
        fault: conviction.fault.id,
        rule: conviction.fault.rule,
        seeds,
        convicted: conviction.found.len() as u64,
        cases: conviction.found.iter().map(|found| found.case + 1).collect(),
        median_cases: conviction.median_cases(),
        median_milliseconds: conviction.median_spent().map(milliseconds),
        messages: conviction.messages().map(|messages| messages as u64),
        plan: conviction.minimal.as_ref(),
    }
}

fn table(convictions: &[Conviction], seeds: u64) -> Table {
    let columns = [
        (Column::Left, "fault"),
        (Column::Left, "convicted by"),
        (Column::Right, "seeds"),
        (Column::Right, "cases"),
        (Column::Right, "ms"),
        (Column::Right, "messages"),
    ];
    let mut table = Table::new(columns);
    for conviction in convictions {
        let or_none = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
        table.row([
            conviction.fault.id.to_owned(),
            conviction.fault.rule.to_owned(),
            format!("{}/{seeds}", conviction.found.len()),
            or_none(conviction.median_cases().map(count)),
            or_none(conviction.median_spent().map(|spent| format!("{:.1}", milliseconds(spent)))),
            or_none(conviction.messages().map(|messages| messages.to_string())),
        ]);
    }
    table
}

fn summary(convictions: &[Conviction], convicted: usize, test: &SelfTest, took: Duration) -> String {
    let middle = |mut numbers: Vec<u64>| {
        numbers.sort_unstable();
        (numbers.get(numbers.len() / 2).copied().unwrap_or(0), numbers.last().copied().unwrap_or(0))
    };
    let cases = middle(convictions.iter().filter_map(Conviction::median_cases).collect());
    let sizes = middle(convictions.iter().filter_map(|one| Some(one.messages()? as u64)).collect());
    format!(
        "\n{} of {} convicted with {} within {} each, in {:.1} s\n\
         in the median of the faults: {}, and {} in the smallest case (at most {} and {})\n",
        count(convicted as u64),
        size(convictions.len() as u64, "fault"),
        size(test.seeds, "seed"),
        size(test.cases, "case"),
        took.as_secs_f64(),
        size(cases.0, "case"),
        size(sizes.0, "message"),
        count(cases.1),
        count(sizes.1),
    )
}
