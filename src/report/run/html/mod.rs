//! `report.html`: a run for people, as one page that needs no script, no network and no other file.
//!
//! A square for each rule comes first. Each failure has a section: what is wrong, the smallest conversation with the broken place marked, what the rule
//! means, and how to play the case again. The table of rules follows.
//!
//! A case may hold anything. So all text is escaped, invisible characters are named, long texts and lists are cut, and
//! a policy in the page's head forbids scripts and everything from elsewhere.

mod answer;
mod drawing;
mod failure;
mod file;
mod marks;
mod overview;
mod rules;

pub use failure::issue_address;
pub(in crate::report) use failure::{lines, meaning, plain_file};

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::report::html::text::glance;
use crate::report::html::{contents, document, header};
use turnproof_suite::suite::Failure;
use turnproof_suite::table::{count, size};

use super::{Exhibit, RunReport};

/// The page.
pub fn page(run: &RunReport<'_>) -> String {
    let anchors = anchors(run);
    let nothing = Exhibit::default();
    let exhibits = run.exhibits.iter().chain(std::iter::repeat(&nothing));
    let failures = run.report.failures.iter().zip(exhibits).zip(&anchors);
    let anchor_of = |rule: &str| {
        let is_of = |failure: &Failure| failure.regression.rule == rule && failure.crashed().is_none();
        let place = run.report.failures.iter().position(is_of)?;
        anchors.get(place).cloned()
    };
    let is_broken = !run.report.failures.is_empty() || run.stopped() > 0;
    let body = html! {
        (header(run.version, is_broken, &verdict(run), &html! {}, &facts(run)))
        (contents(&links(run, &anchors)))
        main {
            (overview::overview(run, &anchor_of))
            @for ((failure, exhibit), anchor) in failures {
                (failure::failure(run, failure, exhibit, anchor))
            }
            (rules::rules(run, &anchor_of))
            @if !run.report.deviations.is_empty() { (rules::known(run)) }
        }
        footer { p { "Made by turnproof " (run.version) ". The same seed gives the same page." } }
    };
    document(&html! { (verdict(run)) }, &body)
}

/// The anchor of each failure: its rule or that it is a crash at an operation, and a number where there are several.
fn anchors(run: &RunReport<'_>) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    run.report
        .failures
        .iter()
        .map(|failure| {
            let what = match failure.crashed() {
                Some(operation) => format!("crashed-{}", operation.name()),
                None => format!("broken-{}", failure.regression.rule),
            };
            let name = what.replace(|character: char| !character.is_ascii_alphanumeric(), "-");
            let times = seen.entry(name.clone()).or_default();
            *times += 1;
            if *times == 1 { name } else { format!("{name}-{times}") }
        })
        .collect()
}

fn verdict(run: &RunReport<'_>) -> String {
    let mut verdict = match run.tested() {
        (0, _, 0) => "No rule was exercised".to_owned(),
        (broken, _, tested) if run.report.crashed_cases > 0 => {
            format!("{} of {} broken", count(broken), size(tested, "rule"))
        }
        (0, 0, 1) => "The one rule held".to_owned(),
        (0, 0, tested) => format!("All of {} held", size(tested, "rule")),
        (0, known, tested) => format!("{} of {} held", count(tested - known), size(tested, "rule")),
        (broken, _, tested) => format!("{} of {} broken", count(broken), size(tested, "rule")),
    };
    if run.tested().1 > 0 {
        verdict.push_str(&format!(", {} known to deviate", count(run.tested().1)));
    }
    if run.report.crashed_cases > 0 {
        verdict.push_str(&format!(", {} crashed", size(run.report.crashed_cases, "case")));
    }
    if run.stopped() > 0 {
        verdict.push_str(&format!(", {} stopped", size(run.stopped(), "known deviation")));
    }
    if run.report.is_stopped {
        verdict.push_str(", until the run was stopped");
    }
    verdict
}

fn facts(run: &RunReport<'_>) -> Vec<(&'static str, Markup)> {
    let all = html! { @if run.part().is_some() { " of " (count(run.options.cases)) } };
    let mut facts = vec![
        ("subject", glance(&run.report.subject)),
        ("seed", html! { (run.options.seed) }),
        ("cases", html! { (count(run.report.cases)) (all) }),
    ];
    if run.report.replayed > 0 {
        facts.push(("stored cases", html! { (count(run.report.replayed)) }));
    }
    facts.push(("profiles", html! { (run.profiles().join(", ")) }));
    facts.extend(run.part().map(|part| ("part", html! { (part) })));
    facts
}

fn links<'a>(run: &'a RunReport<'_>, anchors: &'a [String]) -> Vec<(bool, &'a str, Markup)> {
    let failures = run.report.failures.iter().zip(anchors);
    let broken = failures.map(|(failure, anchor)| (true, anchor.as_str(), html! { (failure::name(failure)) }));
    let mut links: Vec<_> = broken.chain([(false, "rules", html! { "Each rule" })]).collect();
    if !run.report.deviations.is_empty() {
        links.push((run.stopped() > 0, "known", html! { "Known deviations" }));
    }
    links
}
