//! *Playing* a plan writes the transcript that it describes.

use std::fmt::Write;

use crate::engine::Options;

use super::body::{body, clashes};
use super::drive::{Driven, drive};
use super::pool::{id, quoted, session};
use super::{Case, LineKind, LinePlan, Link, Scenario};

impl Scenario {
    /// Plays the actions on the engine.
    pub(super) fn drive(&self) -> Driven {
        drive(&self.actions, self.engine_options())
    }

    /// Plays the actions on the engine, which keeps what the recorder was told.
    pub(super) fn drive_recorded(&self) -> Driven {
        drive(&self.actions, Options { keeps_recording: true, ..self.engine_options() })
    }

    /// The transcript's bytes.
    pub fn transcript(&self) -> Vec<u8> {
        Case::of(self).transcript().to_vec()
    }

    /// What the engine is told of the conversation.
    pub fn engine_options(&self) -> Options {
        Options { context: self.project_context(), ..Options::default() }
    }

    /// The project context of requests, when they have one.
    pub fn project_context(&self) -> Option<String> {
        self.context.then(|| "The project is a crate.".to_owned())
    }
}

/// The transcript of the lines, damaged as they say.
pub(super) fn transcript(scenario: &Scenario) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = Vec::with_capacity(scenario.lines.len());
    let mut previous = None;
    for (number, plan) in scenario.lines.iter().enumerate() {
        let mut line = record(plan, previous, number).into_bytes();
        line.push(b'\n');
        lines.push(line);
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

/// One record as JSON.
fn record(plan: &LinePlan, previous: Option<u8>, number: usize) -> String {
    let mut json = String::from("{");
    match plan.parent {
        Link::Absent => {}
        Link::Null => json.push_str(r#""parentUuid":null,"#),
        Link::To(which) => add_link(&mut json, Some(which)),
        Link::Previous => add_link(&mut json, previous),
    }
    for (flag, value) in &plan.flags {
        put(&mut json, &format!("\"{}\":{value},", flag.what()));
    }
    if plan.kind != LineKind::Untyped {
        put(&mut json, &format!("\"type\":\"{}\",", plan.kind.name()));
    }
    put(&mut json, &body(plan));
    for extra in plan.extras.iter().map(|extra| extra.what()).filter(|extra| !clashes(plan.kind, extra)) {
        put(&mut json, &format!("{extra},"));
    }
    if let Some(which) = plan.uuid {
        put(&mut json, &format!("\"uuid\":{},", quoted(id(which))));
    }
    put(&mut json, &format!("\"sessionId\":\"{}\",", session(plan.session)));
    put(&mut json, &format!("\"timestamp\":\"2026-01-01T00:00:{:02}.000Z\"}}", number % 60));
    json
}

fn add_link(json: &mut String, which: Option<u8>) {
    let link = which.map_or("null".to_owned(), |which| quoted(id(which)));
    put(json, &format!("\"parentUuid\":{link},"));
}

fn put(json: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _ = json.write_str(text);
}
