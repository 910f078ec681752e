//! *Labels* on the command line: how often cases hold what, and a case that holds it.

use std::io::Write;

use crate::operation::StreamItem;
use crate::report::{Excerpt, count, size, table_within};
use crate::scenario::{Case, LABELS, Label, Scenario};
use crate::suite::{LabelCount, Options, Report};

use super::{Exit, Failure, columns, did_you_mean, stdout};

/// The table of labels, a row a family or a row a label, and a word for each that is too rare.
pub(super) fn page(report: &Report, has_each: bool) -> String {
    if report.cases == 0 {
        return String::new();
    }
    let mut page = match has_each {
        true => each(&report.labels),
        false => families(&report.labels),
    };
    page.insert(0, '\n');
    let rare: Vec<&LabelCount> = report.labels.iter().filter(|count| count.is_rare).collect();
    page.push_str(&match rare.len() as u64 {
        0 => format!("\nall of {} often enough\n", size(report.labels.len() as u64, "label")),
        rare => format!("\n{} of {} too rare\n", count(rare), size(report.labels.len() as u64, "label")),
    });
    for rare in rare {
        page.push_str(&format!(
            "\ntoo rare: {} in {} of {} cases ({}), required in {}\n  {}\n",
            rare.label,
            count(rare.cases),
            count(rare.of),
            share(rare),
            percent(rare.least),
            LabelCount::REMEDY,
        ));
    }
    page
}

/// A row for each family: how many labels, and the one that is rarest for what is required of it.
fn families(counts: &[LabelCount]) -> String {
    let mut names: Vec<&str> = counts.iter().map(|count| family(count.label)).collect();
    names.sort_unstable();
    names.dedup();
    let surplus = |count: &LabelCount| count.cases as f64 / (count.of as f64 * count.least).max(f64::MIN_POSITIVE);
    let row = |name: &str| {
        let its: Vec<&LabelCount> = counts.iter().filter(|count| family(count.label) == name).collect();
        // What did not run has no share to look at.
        let run = its.iter().filter(|count| count.of > 0);
        let rarest = run.min_by(|one, two| surplus(one).total_cmp(&surplus(two)))?;
        let [_, cases, _, share, required] = cells(rarest);
        Some([name.to_owned(), count(its.len() as u64), rarest.label.to_owned(), cases, share, required])
    };
    let headings = ["labels", ">", "nearest to its limit", ">cases", ">share", ">required"];
    table_within(columns(), headings, names.into_iter().filter_map(row))
}

/// A label in the columns of [`each`].
fn cells(row: &LabelCount) -> [String; 5] {
    [row.label.to_owned(), count(row.cases), count(row.of), share(row), percent(row.least)]
}

fn each(counts: &[LabelCount]) -> String {
    table_within(columns(), ["label", ">cases", ">of", ">share", ">required"], counts.iter().map(cells))
}

fn family(name: &str) -> &str {
    name.split_once('/').map_or(name, |(family, _)| family)
}

fn share(row: &LabelCount) -> String {
    match row.of {
        0 => "-".to_owned(),
        of => percent(row.cases as f64 / of as f64),
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

/// Prints the first case that has a label.
pub(super) fn show(options: &Options, name: &str) -> Result<Exit, Failure> {
    let label = LABELS.iter().find(|label| label.name == name);
    let label = label.ok_or_else(|| Failure::Usage(unknown(name)))?;
    let cases = (0..options.cases).filter(|&case| options.shard.has(case));
    let mut plans = cases.map(|case| (case, options.scenario(case)));
    let mut out = stdout();
    let found = plans.find(|(_, scenario)| Case::of(scenario).labels().has(name));
    match &found {
        Some((case, scenario)) => out.write_all(case_page(options.seed, *case, label, scenario).as_bytes())?,
        None => {
            let cases = size(options.cases, "case");
            writeln!(out, "none of {cases} of seed {} has the label {name}", options.seed)?;
        }
    }
    out.flush()?;
    Ok(if found.is_some() { Exit::Held } else { Exit::Nothing })
}

/// A case: the plan, the transcript and what came over the wire.
fn case_page(seed: u64, number: u64, label: &Label, scenario: &Scenario) -> String {
    let case = Case::of(scenario);
    let profile = scenario.profile.name();
    let mut page = format!("case {number} of seed {seed} ({profile}) has {}: {}\n", label.name, label.title);
    page.push_str(&format!("  plan: {}\n", serde_json::to_string(scenario).unwrap_or_default()));
    let transcript = case.transcript();
    let lines = transcript.strip_suffix(b"\n").unwrap_or(transcript).split(|&byte| byte == b'\n');
    lines.for_each(|line| page.push_str(&format!("  | {}\n", Excerpt::whole(line))));
    for (number, stream) in case.streams().iter().enumerate().filter(|(_, stream)| !stream.is_empty()) {
        page.push_str(&format!("  stream {}:\n", number + 1));
        stream.iter().for_each(|item| page.push_str(&format!("  > {}\n", item_line(item))));
    }
    page
}

fn item_line(item: &StreamItem) -> String {
    match item {
        StreamItem::Event(json) => Excerpt::whole(json.as_bytes()).to_string(),
        StreamItem::Bytes(bytes) => format!("bytes: {}", Excerpt::whole(bytes)),
        StreamItem::Message(json) => format!("message: {}", Excerpt::whole(json.as_bytes())),
        StreamItem::Abandon => "given up".to_owned(),
    }
}

fn unknown(name: &str) -> String {
    let (family_name, part) = name.split_once('/').unwrap_or(("", name));
    let is_near = |label: &&Label| {
        let (other_family, other) = label.name.split_once('/').unwrap_or_default();
        let is_alike = other.contains(part) || part.contains(other);
        other_family == family_name || other_family == name || !part.is_empty() && is_alike
    };
    let mut near: Vec<&str> = LABELS.iter().filter(is_near).map(|label| label.name).collect();
    // The very name in another family comes first, then what holds it.
    near.sort_by_key(|other| (!other.ends_with(&format!("/{part}")), !other.contains(part)));
    near.truncate(8);
    did_you_mean(&format!("there is no label `{name}`"), &near, "turnproof test --labels")
}
