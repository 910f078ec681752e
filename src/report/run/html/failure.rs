//! A *failure* as a section: what is wrong, the conversation that shows it, what the rule means, how to play it again.

use maud::{Markup, html};

use crate::report::html::aside;
use crate::report::html::text::{glance, prose, words};
use crate::report::run::exhibit::{Exhibit, JudgedAnswer};
use crate::report::run::place::{Target, target};
use crate::report::run::{RunReport, in_ascii};
use turnproof_rules::rules::{Place, Rule, Violation, find};
use turnproof_suite::printable;
use turnproof_suite::suite::Failure;
use turnproof_suite::table::size;

use super::answer::Answer;
use super::drawing::{drawing, element};
use super::marks::{Mark, Marks, said};

/// The most violations that are shown of one answer, and the most answers.
const VIOLATIONS: usize = 20;
const PARTS: usize = 4;

pub(super) fn failure(run: &RunReport<'_>, failure: &Failure, exhibit: &Exhibit, anchor: &str) -> Markup {
    let rule = find(&failure.regression.rule);
    let parts: Vec<(&JudgedAnswer, Marks<'_>)> = match rule {
        Some(rule) => numbered(rule, exhibit, anchor),
        None => Vec::new(),
    };
    let drawings: Vec<Markup> = parts.iter().map(|(part, marks)| drawing(&Answer::of(&part.shown, marks))).collect();
    html! {
        section.failure id=(anchor) aria-labelledby={ (anchor) "-title" } {
            h2 id={ (anchor) "-title" } { a href={ "#" (anchor) } { (name(failure)) } }
            @match (failure.crashed(), rule) {
                (Some(_), _) => p.title { "The subject gave no answer, so no rule could judge the case." },
                (None, Some(rule)) => p.title { (prose(rule.title)) "." },
                (None, None) => {}
            }
            (violations(failure, &parts))
            @if let Some(stream) = &failure.stream {
                h3 { "The smallest stream found" }
                (plain_file("", stream))
                p.quiet { (failure.asked.join("; ")) "." }
            } @else {
                h3 { "The smallest conversation found" }
            }
            @if parts.is_empty() {
                p.empty { "The subject did not do it again when it was asked for this page." }
                (transcript(failure))
            }
            @for (at, drawing) in drawings.iter().enumerate() {
                @if drawings.len() > 1 { p.same { "Answer " (at + 1) " of " (drawings.len()) } }
                (drawing)
            }
            @if !failure.said.is_empty() {
                (aside("What the subject said", &html! { pre { code { (lines(&failure.said)) } } }))
            }
            @if let Some(words) = not_shown(exhibit) { p.quiet { (words) } }
            @if let (None, Some(rule)) = (failure.crashed(), rule) { (meaning(rule)) }
            (again(run, failure))
        }
    }
}

/// What was found: the rule that is broken, or that the subject crashed, and at which operation.
pub(super) fn name(failure: &Failure) -> String {
    match failure.crashed() {
        Some(operation) => format!("crashed: {}", operation.name()),
        None => failure.regression.rule.clone(),
    }
}

/// What a subject said, as lines that a page can hold.
pub(in crate::report) fn lines(said: &[String]) -> String {
    said.iter().map(|line| format!("{}\n", printable::line(line.as_bytes()))).collect()
}

/// The answers that are shown, with their violations numbered through.
fn numbered<'a>(rule: &Rule, exhibit: &'a Exhibit, anchor: &'a str) -> Vec<(&'a JudgedAnswer, Marks<'a>)> {
    let mut next = 1..;
    let mut mark = |part: &'a JudgedAnswer, violation: &'a Violation| Mark {
        number: next.next().unwrap_or_default(),
        target: target(rule, violation, &part.shown),
        violation,
    };
    let parts = exhibit.parts.iter().take(PARTS);
    parts
        .map(|part| {
            let shown = part.violations.iter().take(VIOLATIONS);
            let marks = shown.map(|violation| mark(part, violation)).collect();
            (part, Marks::new(anchor, marks))
        })
        .collect()
}

fn violations(failure: &Failure, parts: &[(&JudgedAnswer, Marks<'_>)]) -> Markup {
    let shown: usize = parts.iter().map(|(_, marks)| marks.all().len()).sum();
    let more = failure.violations.len().saturating_sub(shown);
    html! {
        ol.violations {
            @if parts.is_empty() {
                @for violation in failure.violations.iter().take(VIOLATIONS) { li { (in_words(violation, &violation.place.to_string())) } }
            }
            @for (_, marks) in parts {
                @for mark in marks.all() {
                    li id=(marks.violation_id(mark.number)) value=(mark.number) {
                        (in_words(mark.violation, &place_in_words(mark)))
                        @if marks.is_drawn(mark.number) {
                            a.to-place href={ "#" (marks.place_id(mark.number)) } { "see it" }
                        }
                    }
                }
            }
        }
        @if more > 0 && !parts.is_empty() { p.quiet { (size(more as u64, "more violation")) } }
    }
}

fn in_words(violation: &Violation, place: &str) -> Markup {
    html! {
        (said(violation))
        @if let Some(error) = &violation.error { p { b { "the API answers" } " " (words(error)) } }
        code.place { (place) }
    }
}

/// The place by the list that it counts in.
fn place_in_words(mark: &Mark<'_>) -> String {
    let Some(Target::Element { list, index, block }) = mark.target else {
        return match mark.violation.place {
            Place::Whole => "the case as a whole".to_owned(),
            place => place.to_string(),
        };
    };
    let Some(name) = element(list) else { return mark.violation.place.to_string() };
    block.map_or(format!("{name} {index}"), |block| format!("{name} {index}, block {block}"))
}

fn not_shown(exhibit: &Exhibit) -> Option<String> {
    let wrong = exhibit.parts.len().saturating_sub(PARTS);
    let told = [(wrong, "more wrong answer"), (exhibit.right, "right answer")];
    let told: Vec<String> =
        told.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| size(count as u64, what)).collect();
    (!told.is_empty()).then(|| format!("Not shown: {}.", told.join(", ")))
}

fn transcript(failure: &Failure) -> Markup {
    plain_file("The transcript", &failure.regression.scenario.transcript())
}

/// A file of which nothing is marked.
pub(in crate::report) fn plain_file(title: &str, bytes: &[u8]) -> Markup {
    super::file::file(title, bytes, &Marks::new("", Vec::new()), &|_| None)
}

/// What a rule means, what to do, and where it comes from.
pub(in crate::report) fn meaning(rule: &Rule) -> Markup {
    html! {
        div.meaning {
            div {
                h3 { "What the rule means" }
                @for paragraph in rule.doc.split("\n\n") { p { (prose(paragraph)) } }
            }
            div {
                h3 { "What to do" }
                p { (prose(rule.remedy)) }
                h3 { "Where it comes from" }
                ul.sources { @for source in rule.sources { li { (self::source(source)) } } }
            }
        }
    }
}

/// A source; an issue of a public repository leads to it.
fn source(source: &str) -> Markup {
    match issue_address(source) {
        Some(address) => html! { a href=(address) rel="noreferrer" { (source) } },
        None => html! { (source) },
    }
}

/// The address of the issue that a rule names as its source, as `owner/repository#number`; `None` for other sources.
pub fn issue_address(source: &str) -> Option<String> {
    let (repository, number) = source.split_once('#')?;
    let (owner, name) = repository.split_once('/')?;
    let is_name = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_issue = is_name(owner) && is_name(name) && is_number;
    is_issue.then(|| format!("https://github.com/{owner}/{name}/issues/{number}"))
}

/// Where the case comes from and how to play it again.
fn again(run: &RunReport<'_>, failure: &Failure) -> Markup {
    let regression = &failure.regression;
    let stored = serde_json::to_string_pretty(regression).unwrap_or_default();
    html! {
        h3 { "Play it again" }
        @match regression.origin {
            Some((seed, case)) => p {
                "Case " (case) " of seed " (seed) ", a " (regression.scenario.profile().name()) " one, then made smaller:"
            },
            None => p { "A stored case, " code { (regression.file_name()) } ", from the folder of regressions:" },
        }
        pre { code { (run.replay(failure)) } }
        @let name = html! {
            "The smallest case as a file for the folder of regressions, " code { (glance(&regression.file_name())) }
        };
        (aside(name, &html! { pre.stored { code { (in_ascii(&stored)) } } }))
        @if failure.stream.is_none() { (aside("Its transcript", &transcript(failure))) }
    }
}
