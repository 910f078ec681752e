//! *Subagents* in files of their own, beside the session: each a folded part of its page.

use std::collections::HashMap;

use maud::{Markup, html};
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::{ResumeOptions, resume};
use turnproof_suite::table::{count, size};

use super::found::Found;
use super::parts::{Parts, parts};
use super::row::{Room, Rows, Side};
use super::{OF_OTHERS, chosen_of};
use crate::report::html::aside;
use crate::report::html::text::{glance, words};

/// A subagent whose records are in a file of its own.
pub struct AgentFile {
    /// The file's name.
    pub name: String,
    /// The subagent's id.
    pub id: String,
    /// Its sort, as the client noted it beside the file.
    pub kind: Option<String>,
    /// What it is to do.
    pub description: Option<String>,
    /// The call that it was started by.
    pub call: Option<String>,
    /// Its records; `None` where there are too many subagents, or the file is too large.
    pub transcript: Option<Transcript>,
}

/// Which part of the page shows a subagent: by its id, and by the call that it was started by.
pub(super) fn anchors(agents: &[AgentFile], parts: &Parts) -> HashMap<String, String> {
    let mut anchors = parts.agents.clone();
    for (at, agent) in agents.iter().enumerate() {
        anchors.insert(agent.id.clone(), anchor(at));
        anchors.extend(agent.call.clone().map(|call| (call, anchor(at))));
    }
    anchors
}

fn anchor(at: usize) -> String {
    format!("agent-file-{}", at + 1)
}

/// The parts of subagents, with the link to each.
pub(super) fn sections(agents: &[AgentFile], main: &Rows<'_>, room: &Room) -> Vec<(String, Markup, Markup)> {
    let section = |(at, agent): (usize, &AgentFile)| {
        let id = anchor(at);
        let title = html! { "Subagent " (glance(agent.description.as_deref().unwrap_or(&agent.id))) };
        let drawn = html! {
            section id=(id) {
                h2 { (title) }
                p.quiet {
                    @if let Some(kind) = &agent.kind { (glance(kind)) ", " }
                    @if let Some(line) = main.called(&id) { "called at " (main.line_link(line)) ", " }
                    "in a file of its own: " code { (words(&agent.name)) }
                }
                @match &agent.transcript {
                    Some(transcript) => (conversation(at, agent, transcript, room)),
                    None => p.quiet { "It is not shown here: turnproof view shows its file." },
                }
            }
        };
        (id, title, drawn)
    };
    agents.iter().enumerate().map(section).collect()
}

/// How the conversation of a subagent's file is found.
pub(super) fn options(agent: &AgentFile, transcript: &Transcript) -> ResumeOptions {
    let own = ResumeOptions { agent: Some(agent.id.clone()) };
    if resume(transcript, &own).is_ok() { own } else { ResumeOptions::default() }
}

/// What comes back of a subagent.
fn conversation(at: usize, agent: &AgentFile, transcript: &Transcript, room: &Room) -> Markup {
    let (parts, found) = (parts(transcript, &options(agent, transcript)), Found::default());
    let side = Side { anchors: &parts.agents, prefix: format!("agent-file-{}-", at + 1), room };
    let rows = Rows::new(transcript, &found, &parts, side);
    let Some(part) = parts.list.first() else { return html! {} };
    let (records, shown) = (part.records.len() as u64, chosen_of(part, OF_OTHERS, &rows));
    let list = html! { (super::left_out(part, &shown)) ol.rows { (rows.list(part, &shown)) } };
    html! {
        (aside(size(records, "record"), &list))
        @if transcript.len() as u64 > records {
            p.quiet { (count(transcript.len() as u64 - records)) " more in its file: turnproof view shows them." }
        }
    }
}
