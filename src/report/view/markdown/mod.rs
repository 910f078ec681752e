//! A session as a *Markdown* document, to be read or kept: also what was before compactions.
//!
//! Turns are headings; calls and results are fenced code, in the order of the file.

mod record;
mod text;

use turnproof_reference::transcript::resume::ResumeOptions;
use turnproof_reference::transcript::{Record, Transcript};
use turnproof_suite::table::{count, size};

use super::parts::{Part, Parts, parts};
use super::{AgentFile, Viewed, agents, sizes};
use text::{code, inline};
use turnproof_rules::rules::find;

/// Texts of at most so many bytes are whole, as long as the document is small.
const WHOLE: usize = 64 << 10;

/// From so many bytes of a document on texts are shorter, from so many on there are none, and then no records.
const SMALL: usize = 16 << 20;
const FULL: usize = 24 << 20;
const END: usize = 32 << 20;
const SHORT: usize = 300;

/// So many reminders are folded together.
const RUN: usize = 200;

/// So many lines are named of the findings of a rule, and so many refused requests.
const LISTED: usize = 20;

/// The document. The same session gives the same one.
pub fn markdown(viewed: &Viewed<'_>) -> String {
    let options = ResumeOptions { agent: viewed.agent.clone().or_else(|| viewed.verdict.agent.clone()) };
    let parts = parts(viewed.transcript, &options);
    let mut out = head(viewed, &parts);
    findings(&mut out, viewed);
    refusals(&mut out, viewed);
    let is_read = |part: &&Part| part.is_open || part.id == "before" || part.id.starts_with("agent-");
    // What was before a compaction is read first.
    let before = parts.list.iter().filter(|part| part.id == "before");
    let others = parts.list.iter().filter(|part| is_read(part) && part.id != "before");
    for part in before.chain(others) {
        section(&mut out, &part.title, &part.says, viewed.transcript, &part.records);
    }
    viewed.agents.iter().for_each(|agent| subagent(&mut out, agent));
    left_out(&mut out, viewed, parts.list.iter().filter(|part| !is_read(part)));
    out += &format!("\n---\n\nMade by turnproof {}. The same session gives the same document.\n", viewed.version);
    out
}

fn head(viewed: &Viewed<'_>, parts: &Parts) -> String {
    let verdict = viewed.verdict;
    let mut out = format!("# Session {}\n\n**{}**\n\n", code(viewed.name), verdict.class.name());
    let mut item = |text: String| out += &format!("- {text}\n");
    verdict.consequences().iter().for_each(|said| item(inline(said)));
    sizes(viewed).iter().for_each(|said| item(inline(said)));
    let (bytes, records) = (viewed.transcript.bytes().len() as u64, viewed.transcript.len() as u64);
    item(format!("{} in {}", size(records, "record"), size(bytes, "byte")));
    parts.session.iter().for_each(|session| item(format!("session {}", code(session))));
    parts.times.iter().for_each(|(first, last)| item(format!("from {} to {}", code(first), code(last))));
    verdict.command(viewed.name).iter().for_each(|command| item(format!("what to run: {}", code(command))));
    out
}

fn findings(out: &mut String, viewed: &Viewed<'_>) {
    if viewed.found.is_empty() {
        return;
    }
    *out += "\n## Findings\n\n";
    for (rule, total, noted) in viewed.found.by_rule() {
        let lines: Vec<String> = noted.iter().take(LISTED).map(|noted| count(noted.line)).collect();
        let more = if total > LISTED as u64 { " …" } else { "" };
        let title = find(rule).map(|rule| format!(": {}", rule.title)).unwrap_or_default();
        *out += &format!("- `{rule}`{title} ({}, line {}{more})\n", size(total, "finding"), lines.join(", "));
    }
}

/// The requests that the API refused, with its words.
fn refusals(out: &mut String, viewed: &Viewed<'_>) {
    let requests = viewed.sent.map(|sent| sent.requests()).unwrap_or_default();
    let refused: Vec<_> = requests.iter().filter_map(|request| request.refused.as_ref()).collect();
    if refused.is_empty() {
        return;
    }
    *out += "\n## Requests that the API refused\n\n";
    for refused in refused.iter().take(LISTED) {
        let status = refused.status.map(|status| format!(" ({status})")).unwrap_or_default();
        *out += &format!("- line {}{status}: {}\n", count(refused.line), inline(&refused.words));
    }
    if refused.len() > LISTED {
        *out += &format!("- {} more\n", count((refused.len() - LISTED) as u64));
    }
}

/// Records under a heading, as far as there is room.
fn section(out: &mut String, title: &str, says: &str, transcript: &Transcript, records: &[usize]) {
    *out += &format!("\n## {}\n\n{}\n", inline(title), inline(says));
    let mut writer = record::Writer::default();
    let mut at = 0;
    while let Some(record) = records.get(at).map(|at| transcript.record(*at)) {
        if out.len() >= END {
            let left = (records.len() - at) as u64;
            *out += &format!("\n*{} left out, from line {} on*\n", size(left, "more record"), count(record.line));
            return;
        }
        let run = records[at..].iter().take(RUN).take_while(|at| writer.is_folded(&transcript.record(**at))).count();
        match run {
            0 => writer.record(out, &record),
            _ => {
                let run: Vec<Record<'_>> = records[at..at + run].iter().map(|at| transcript.record(*at)).collect();
                record::reminders(out, &run);
            }
        }
        at += run.max(1);
    }
}

/// How many bytes of a text are written just now; `None` when the document is full.
fn most(out: &str) -> Option<usize> {
    match out.len() {
        written if written < SMALL => Some(WHOLE),
        written if written < FULL => Some(SHORT),
        _ => None,
    }
}

fn subagent(out: &mut String, agent: &AgentFile) {
    let title = format!("Subagent {}", agent.description.as_deref().unwrap_or(&agent.id));
    let says = format!("In a file of its own: {}", agent.name);
    match &agent.transcript {
        None => *out += &format!("\n## {}\n\n{}. It is not shown here.\n", inline(&title), inline(&says)),
        Some(transcript) => {
            let parts = parts(transcript, &agents::options(agent, transcript));
            let records = parts.list.first().map(|part| &part.records[..]).unwrap_or_default();
            section(out, &title, &says, transcript, records);
        }
    }
}

fn left_out<'a>(out: &mut String, viewed: &Viewed<'_>, parts: impl Iterator<Item = &'a Part>) {
    let mut left: Vec<String> =
        parts.map(|part| format!("{}: {}", part.title, size(part.records.len() as u64, "record"))).collect();
    let torn = viewed.transcript.rejected().len() as u64;
    left.extend((torn > 0).then(|| format!("What is no record: {}", size(torn, "range"))));
    if !left.is_empty() {
        *out += "\n## Not shown\n\n";
        left.iter().for_each(|left| *out += &format!("- {}\n", inline(left)));
    }
}
