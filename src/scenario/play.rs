//! *Playing* a plan of lines writes its transcript.

use crate::engine::Options;

use super::body::{body, clashes};
use super::pool::{id, quoted, session};
use super::{Case, LineKind, LinePlan, Link, Scenario};

impl Scenario {
    /// The transcript's bytes.
    pub fn transcript(&self) -> Vec<u8> {
        Case::of(self).transcript().to_vec()
    }

    /// The options of the engine that plays the conversation.
    pub fn engine_options(&self) -> Options {
        Options { context: self.project_context(), ..Options::default() }
    }

    /// The project context of requests. `None` when they have none.
    pub fn project_context(&self) -> Option<String> {
        self.context.then(|| "The project is a crate.".to_owned())
    }
}

/// The transcript of the lines, with their damages.
pub(super) fn transcript(scenario: &Scenario) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = Vec::with_capacity(scenario.lines.len());
    let mut previous = None;
    for (number, plan) in scenario.lines.iter().enumerate() {
        lines.push((record(plan, previous, number) + "\n").into_bytes());
        previous = plan.uuid.or(previous);
    }
    for (number, plan) in scenario.lines.iter().enumerate() {
        for damage in &plan.damage {
            let (before, after) = lines.split_at_mut(number + 1);
            if let Some(line) = before.last_mut() {
                damage.apply(line, after.first().map_or(&[], Vec::as_slice));
            }
        }
    }
    lines.concat()
}

fn record(plan: &LinePlan, previous: Option<u8>, number: usize) -> String {
    let link =
        |which: Option<u8>| format!("\"parentUuid\":{},", which.map_or("null".to_owned(), |which| quoted(id(which))));
    let mut json = String::from("{");
    json += &match plan.parent {
        Link::Absent => String::new(),
        Link::Null => link(None),
        Link::Previous => link(previous),
        Link::To(which) => link(Some(which)),
    };
    for (flag, value) in &plan.flags {
        json += &format!("\"{}\":{value},", flag.what());
    }
    if plan.kind != LineKind::Untyped {
        json += &format!("\"type\":\"{}\",", plan.kind.name());
    }
    json += &body(plan);
    for extra in plan.extras.iter().map(|extra| extra.what()).filter(|extra| !clashes(plan.kind, extra)) {
        json += &format!("{extra},");
    }
    if let Some(which) = plan.uuid {
        json += &format!("\"uuid\":{},", quoted(id(which)));
    }
    json += &format!("\"sessionId\":\"{}\",", session(plan.session));
    json + &format!("\"timestamp\":\"2026-01-01T00:00:{:02}.000Z\"}}", number % 60)
}
