//! A *view* is a session as one page, or as a Markdown document: the verdict, the conversation as it resumes, and folded
//! what does not come back. Findings stand where they are, and a repair with what it changes.
//!
//! ```text
//! records ── parts ──> parts ── folded ──> the records that are shown ── row ──> page
//! ```
//!
//! A session may hold anything, and be of any size. So all text is escaped, long texts and lists are cut with their
//! lines named, and a policy in the page's head forbids scripts and everything from elsewhere.

mod agents;
mod attachment;
mod found;
mod markdown;
mod parts;
mod repaired;
mod row;
mod strip;

use maud::{Markup, html};

use crate::check::Verdict;
use turnproof_reference::repair::{Repair, RepairError};
use turnproof_reference::sent::Sent;
use turnproof_reference::transcript::{Transcript, resume::ResumeOptions};
use turnproof_rules::rules::find;

use super::html::text::{Limits, Shown, folded, glance, prose, within, words};
use super::html::{aside, contents, document, header};
use super::sizes::sizes_line;
use parts::{Part, Parts};
use row::{Room, Rows, Side};
use turnproof_suite::table::{count, size};

pub use agents::AgentFile;
pub use found::Found;
pub use markdown::markdown;

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
    /// The requests that it notes; `None` where it notes none.
    pub sent: Option<&'a Sent>,
    /// Its subagents that have files of their own.
    pub agents: &'a [AgentFile],
}

/// How large the conversation is, where it is the one that the verdict is on.
fn sizes(viewed: &Viewed<'_>) -> Option<String> {
    viewed.verdict.sizes.as_ref().filter(|_| viewed.agent.is_none()).map(sizes_line)
}

/// The page. The same session gives the same page.
pub fn page(viewed: &Viewed<'_>) -> String {
    let options = ResumeOptions { agent: viewed.agent.clone().or_else(|| viewed.verdict.agent.clone()) };
    let parts = parts::parts(viewed.transcript, &options);
    let (room, anchors) = (Room::default(), agents::anchors(viewed.agents, &parts));
    let side = Side { anchors: &anchors, prefix: String::new(), room: &room };
    let rows = Rows::new(viewed.transcript, viewed.found, &parts, side);
    let shown: Vec<(&Part, Vec<Shown>)> = parts.list.iter().map(|part| (part, chosen(part, &rows))).collect();
    let main = html! {
        @for (part, shown) in &shown { (section(part, shown, &rows)) }
        (torn(viewed, &rows))
    };
    let agents = agents::sections(viewed.agents, &rows, &room);
    let title = html! { (viewed.verdict.class.name()) ": " (glance(viewed.name)) };
    let body = html! {
        (header(viewed.version, viewed.verdict.class.is_broken(), viewed.verdict.class.name(), &says(viewed), &facts(viewed, &parts)))
        (contents(&links(viewed, &parts, &agents)))
        main.session {
            @if !viewed.found.is_empty() { (findings(viewed, &rows)) }
            @if let Some(repaired) = viewed.repaired { (repaired::section(viewed.verdict, repaired, &rows)) }
            @if let Some(sent) = viewed.sent { (strip::section(sent, &rows)) }
            (main)
            @for (_, _, agent) in &agents { (agent) }
        }
        footer { p { "Made by turnproof " (viewed.version) ". The same session gives the same page." } }
    };
    document(&title, &body)
}

/// How much of a conversation is shown, and of another part.
const OF_CONVERSATION: Limits = Limits { first: 300, last: 500, marked: 100, around: 1 };
const OF_OTHERS: Limits = Limits { first: 80, last: 40, marked: 40, around: 1 };

/// What is shown of a part.
fn chosen(part: &Part, rows: &Rows<'_>) -> Vec<Shown> {
    chosen_of(part, if part.is_open { OF_CONVERSATION } else { OF_OTHERS }, rows)
}

fn chosen_of(part: &Part, limits: Limits, rows: &Rows<'_>) -> Vec<Shown> {
    folded(part.records.len(), limits, |at| rows.is_marked(part.records[at]))
}

fn says(viewed: &Viewed<'_>) -> Markup {
    html! {
        p.file-name { (glance(viewed.name)) }
        ul.consequences {
            @for said in viewed.verdict.consequences().into_iter().chain(sizes(viewed)) {
                li { (words(&said)) }
            }
        }
    }
}

fn facts(viewed: &Viewed<'_>, parts: &Parts) -> Vec<(&'static str, Markup)> {
    let Viewed { name, transcript, verdict, .. } = viewed;
    let mut facts = vec![
        ("bytes", html! { (count(transcript.bytes().len() as u64)) }),
        ("records", html! { (count(transcript.len() as u64)) }),
    ];
    facts.extend(parts.session.as_ref().map(|session| ("session", glance(session))));
    if let Some((first, last)) = &parts.times {
        facts.extend([("from", glance(first)), ("to", glance(last))]);
    }
    facts.extend(verdict.command(name).map(|command| ("what to run", html! { code { (glance(&command)) } })));
    facts
}

fn links<'a>(
    viewed: &Viewed<'_>,
    parts: &'a Parts,
    agents: &'a [(String, Markup, Markup)],
) -> Vec<(bool, &'a str, Markup)> {
    let mut links = Vec::new();
    if !viewed.found.is_empty() {
        links.push((true, "findings", html! { (size(viewed.found.count(), "finding")) }));
    }
    if viewed.repaired.is_some() {
        links.push((false, "repair", html! { "The repair" }));
    }
    if viewed.sent.is_some() {
        links.push((false, "requests", html! { "The requests" }));
    }
    links.extend(parts.list.iter().map(|part| (false, part.id.as_str(), html! { (part.title) })));
    links.extend(agents.iter().map(|(id, title, _)| (false, id.as_str(), title.clone())));
    if !viewed.transcript.rejected().is_empty() {
        links.push((true, "torn", html! { "What is no record" }));
    }
    links
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
                        (aside("What the rule means, and what to do", &html! {
                            @for paragraph in rule.doc.split("\n\n") { p { (prose(paragraph)) } }
                            p { (prose(rule.remedy)) }
                        }))
                    }
                }
            }
        }
    }
}

/// What is said of a part of which not all is shown.
fn left_out(part: &Part, shown: &[Shown]) -> Markup {
    let (all, records) = (part.records.len(), shown.iter().filter(|shown| matches!(shown, Shown::Element(_))).count());
    html! {
        @if records < all {
            p.quiet {
                (count(records as u64)) " of " (count(all as u64)) " records are shown: the first, the last, and those \
                 around findings. turnproof resume prints all."
            }
        }
    }
}

/// A part of the session: the conversation open, all else folded.
fn section(part: &Part, shown: &[Shown], rows: &Rows<'_>) -> Markup {
    let all = part.records.len();
    let list = html! {
        (left_out(part, shown))
        ol.rows { (rows.list(part, shown)) }
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
                (aside(size(all as u64, "record"), &list))
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
