//! A *view* is a session as one page: the verdict, the conversation as it resumes, and folded what does not come back.
//! Findings stand where they are, and a repair with what it changes.
//!
//! ```text
//! records ── parts ──> parts ── chosen ──> the records that are shown ── row ──> page
//! ```
//!
//! A session may hold anything, and be of any size. So all text is escaped, long texts and lists are cut with their
//! lines named, and a policy in the page's head forbids scripts and everything from elsewhere.

mod blocks;
mod chosen;
mod difference;
mod found;
mod parts;
mod repaired;
mod row;

use maud::{Markup, html};

use crate::check::Verdict;
use crate::repair::{Repair, RepairError};
use crate::rules::find;
use crate::transcript::{Transcript, resume::ResumeOptions};

use super::html::document;
use super::html::text::{glance, prose, within, words};
use chosen::{Shown, chosen};
use parts::{Part, Parts};
use row::Rows;
use turnproof_suite::table::{count, size};

pub use found::Found;

/// What this page adds to the looks of all pages.
const OWN_STYLE: &str = include_str!("style.css");

/// What is to be viewed.
pub struct Viewed<'a> {
    /// The file's name.
    pub name: &'a str,
    /// The version of turnproof.
    pub version: &'a str,
    /// The session.
    pub transcript: &'a Transcript,
    /// The subagent whose conversation is shown; `None` for whom the verdict is on.
    pub agent: Option<String>,
    /// What becomes of it.
    pub verdict: &'a Verdict,
    /// What is wrong with it.
    pub found: &'a Found,
    /// What a repair makes of it, and the verdict after it; `None` where it needs none.
    pub repaired: Option<&'a Result<(Repair, Verdict), RepairError>>,
}

/// The page. The same session gives the same page.
pub fn page(viewed: &Viewed<'_>) -> String {
    let options = ResumeOptions { agent: viewed.agent.clone().or_else(|| viewed.verdict.agent.clone()) };
    let parts = parts::parts(viewed.transcript, &options);
    let rows = Rows::new(viewed, &parts);
    let shown: Vec<(&Part, Vec<Shown>)> = parts.list.iter().map(|part| (part, chosen(part, &rows))).collect();
    let main = html! {
        @for (part, shown) in &shown { (section(part, shown, &rows)) }
        (torn(viewed, &rows))
    };
    let title = html! { (viewed.verdict.class.name()) ": " (glance(viewed.name)) };
    let body = html! {
        (header(viewed, &parts))
        (contents(viewed, &parts))
        main {
            @if !viewed.found.is_empty() { (findings(viewed, &rows)) }
            @if let Some(repaired) = viewed.repaired { (repaired::section(viewed.verdict, repaired, &rows)) }
            (main)
        }
        footer { p { "Made by turnproof " (viewed.version) ". The same session gives the same page." } }
    };
    document(&title, OWN_STYLE, &body)
}

fn header(viewed: &Viewed<'_>, parts: &Parts) -> Markup {
    let Viewed { name, transcript, verdict, .. } = viewed;
    let class = if verdict.class.is_broken() { "is-broken" } else { "is-held" };
    html! {
        header {
            p.product { "turnproof " (viewed.version) }
            h1 class=(class) { (verdict.class.name()) }
            p.file-name { (glance(name)) }
            ul.consequences { @for said in verdict.consequences() { li { (words(&said)) } } }
            dl.facts {
                div { dt { "bytes" } dd { (count(transcript.bytes().len() as u64)) } }
                div { dt { "records" } dd { (count(transcript.len() as u64)) } }
                @if let Some(session) = &parts.session { div { dt { "session" } dd { (glance(session)) } } }
                @if let Some((first, last)) = &parts.times { div { dt { "from" } dd { (glance(first)) } } div { dt { "to" } dd { (glance(last)) } } }
                @if let Some(command) = verdict.command(name) { div.run { dt { "what to run" } dd { code { (glance(&command)) } } } }
            }
        }
    }
}

fn contents(viewed: &Viewed<'_>, parts: &Parts) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                @if !viewed.found.is_empty() { li.is-broken { a href="#findings" { (size(viewed.found.count(), "finding")) } } }
                @if viewed.repaired.is_some() { li { a href="#repair" { "The repair" } } }
                @for part in &parts.list { li { a href={ "#" (part.id) } { (part.title) } } }
                @if !viewed.transcript.rejected().is_empty() { li.is-broken { a href="#torn" { "What is no record" } } }
            }
        }
    }
}

/// So many findings of a rule are listed.
const LISTED: usize = 20;

/// Findings by rule, with what they mean.
fn findings(viewed: &Viewed<'_>, rows: &Rows<'_>) -> Markup {
    html! {
        section #findings {
            h2 { "Findings" }
            @for (rule, total, noted) in viewed.found.by_rule() {
                div.rule id={ "rule-" (rule.replace('/', "-")) } {
                    @if let Some(rule) = find(rule) {
                        h3 { code { (rule.id) } " " span.flag { (rule.severity.name()) } }
                        p.title { (prose(rule.title)) "." }
                        @if let Some(consequence) = rule.consequence { p { "It means: " (consequence) "." } }
                    }
                    ul.places {
                        @for finding in noted.iter().take(LISTED) {
                            li { (rows.line_link(finding.line)) " " (words(&finding.found)) }
                        }
                    }
                    @if total > LISTED as u64 {
                        p.quiet { "… and " (count(total - LISTED as u64)) " more: turnproof check --limit 0 shows all" }
                    }
                    @if let Some(rule) = find(rule) {
                        details.aside {
                            summary { "What the rule means, and what to do" }
                            @for paragraph in rule.doc.split("\n\n") { p { (prose(paragraph)) } }
                            p { (prose(rule.remedy)) }
                        }
                    }
                }
            }
        }
    }
}

/// A part of the session: the conversation open, all else folded.
fn section(part: &Part, shown: &[Shown], rows: &Rows<'_>) -> Markup {
    let list = html! {
        @if let Some(cut) = chosen::in_words(part, shown) { p.quiet { (cut) } }
        ol.rows {
            @for shown in shown {
                @match shown {
                    Shown::Record(at) => (rows.row(part, *at)),
                    Shown::Gap { from, to } => (rows.gap(part, *from, *to)),
                }
            }
        }
    };
    html! {
        section id=(part.id) {
            h2 { (part.title) }
            p.quiet { (part.says) }
            @if part.records.is_empty() {
                p.empty { "nothing" }
            } @else if part.is_open {
                (list)
            } @else {
                details.aside { summary { (size(part.records.len() as u64, "record")) } (list) }
            }
        }
    }
}

/// So many ranges that hold no record are shown, and of each so many bytes.
const RANGES: usize = 40;
const OF_RANGE: usize = 600;

/// The ranges that hold no record.
fn torn(viewed: &Viewed<'_>, rows: &Rows<'_>) -> Markup {
    let rejected = viewed.transcript.rejected();
    let mut lines = rows.lines();
    html! {
        @if !rejected.is_empty() {
            section #torn {
                h2 { "What is no record" }
                p.quiet { "Bytes that no reader makes a record of: " (size(rejected.len() as u64, "range")) "." }
                ol.file {
                    @for &(start, end, _) in rejected.iter().take(RANGES) {
                        @let line = lines.of(start);
                        li.line.marked id=[rows.anchor(line)] {
                            span.index { (line) }
                            div.says {
                                code { (within(&viewed.transcript.bytes()[start as usize..end as usize], OF_RANGE)) }
                                (rows.notes(viewed.found.of_line(line).iter().filter(|noted| (start..end).contains(&noted.start))))
                            }
                        }
                    }
                    @if rejected.len() > RANGES { li.gap { "… " (count((rejected.len() - RANGES) as u64)) " more ranges, from line " (lines.of(rejected[RANGES].0)) " on …" } }
                }
            }
        }
    }
}
