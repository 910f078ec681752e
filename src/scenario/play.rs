//! *Playing* a plan writes the transcript that it describes.

use std::fmt::Write;

use memchr::memmem;

use crate::engine::Options;
use crate::message::{Entry, SIDE_KINDS};
use crate::operation::StreamItem;
use crate::transcript::Transcript;

use super::body::{body, clashes};
use super::disorder;
use super::drive::{Driven, drive};
use super::line::{LineKind, LinePlan, Link};
use super::pool::{EXTRAS, FLAGS, HUGE, id, session};
use super::{Profile, Scenario};

impl Scenario {
    /// Plays the actions on the engine.
    pub fn drive(&self) -> Driven {
        drive(&self.actions, self.engine_options())
    }

    /// Plays the actions on the engine, which keeps what the recorder was told.
    pub fn drive_recorded(&self) -> Driven {
        drive(&self.actions, Options { keeps_recording: true, ..self.engine_options() })
    }

    /// What came over the wire, one list a request; where no conversation is played, one list that is made
    /// of the assistant lines, in disorder, and as bytes where lines are damaged.
    pub fn streams(&self) -> Vec<Vec<StreamItem>> {
        let first = self.indexes.first().copied().unwrap_or_default();
        match self.profile {
            Profile::Causal => self.drive().streams,
            Profile::Shuffled => vec![disorder::stream(&self.lines, None)],
            Profile::Hostile => vec![disorder::stream(&self.lines, Some(1 + (first % 61) as usize))],
        }
    }

    /// What the engine is told of the conversation.
    pub fn engine_options(&self) -> Options {
        Options { context: self.project_context(), ..Options::default() }
    }

    /// The project context of requests, when they have one.
    pub fn project_context(&self) -> Option<String> {
        self.context.then(|| "The project is a crate.".to_owned())
    }

    /// The transcript's bytes.
    pub fn transcript(&self) -> Vec<u8> {
        if self.profile == Profile::Causal {
            return self.drive().engine.transcript().to_vec();
        }
        let mut lines: Vec<Vec<u8>> = Vec::with_capacity(self.lines.len());
        let mut previous = None;
        for (number, plan) in self.lines.iter().enumerate() {
            let mut line = record(plan, previous, number).into_bytes();
            line.push(b'\n');
            lines.push(line);
            previous = plan.uuid.or(previous);
        }
        for (number, plan) in self.lines.iter().enumerate() {
            for damage in &plan.damage {
                let (before, after) = lines.split_at_mut(number + 1);
                if let Some(line) = before.last_mut() {
                    damage.apply(line, after.first().map_or(&[], Vec::as_slice));
                }
            }
        }
        lines.concat()
    }

    /// The messages and events that a reader finds in the transcript, each as JSON text, in file
    /// order; what is no message, has a known field of a wrong type, is nested so deep that a
    /// list of such messages is too deep for common readers, or holds a number beyond all doubles,
    /// is left out.
    pub fn messages(&self) -> Vec<String> {
        if self.profile == Profile::Causal {
            return self.drive().events();
        }
        let transcript = Transcript::from_bytes(self.transcript());
        let is_value = |json: &[u8]| depth(json) <= DEEPEST && memmem::find(json, HUGE.as_bytes()).is_none();
        let is_event = |entry| matches!(entry, Ok(Entry::Event(_)));
        let records =
            transcript.records().filter(|record| is_value(record.bytes) && is_event(record.entry()));
        records.map(|record| String::from_utf8_lossy(record.bytes).into_owned()).collect()
    }

    /// The ids of the lines, without repetition; in a causal scenario one of the pool.
    pub fn ids(&self) -> Vec<&'static str> {
        if self.profile == Profile::Causal {
            return vec![id(4)];
        }
        let mut ids: Vec<&'static str> = self.lines.iter().filter_map(|line| line.uuid).map(id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// How deep a message may be nested: common readers stop at 128 levels, and a message stands in a
/// list, perhaps as a part of another.
const DEEPEST: usize = 112;

/// How deep JSON is nested; for any bytes.
fn depth(json: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut is_escaped) = (0_usize, 0, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
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
    for (bit, flag) in FLAGS.iter().enumerate() {
        if plan.flags & 1 << bit != 0 {
            let value = plan.flags & 1 << (bit + FLAGS.len()) != 0;
            put(&mut json, &format!("\"{flag}\":{value},"));
        }
    }
    if plan.kind != LineKind::Untyped {
        put(&mut json, &format!("\"type\":\"{}\",", type_name(plan.kind)));
    }
    put(&mut json, &body(plan));
    for (bit, extra) in EXTRAS.iter().enumerate() {
        if plan.extras & 1 << bit != 0 && !clashes(plan, extra) {
            put(&mut json, &format!("{extra},"));
        }
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

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn type_name(kind: LineKind) -> &'static str {
    match kind {
        LineKind::User => "user",
        LineKind::Assistant => "assistant",
        LineKind::System(_) => "system",
        LineKind::Attachment => "attachment",
        LineKind::HookResult => "hook_result",
        LineKind::Progress => "progress",
        LineKind::ToolUseSummary => "tool_use_summary",
        LineKind::Tombstone => "tombstone",
        LineKind::GroupedToolUse => "grouped_tool_use",
        LineKind::StreamEvent => "stream_event",
        LineKind::StreamRequestStart => "stream_request_start",
        LineKind::Side(which) => SIDE_KINDS[usize::from(which) % SIDE_KINDS.len()],
        LineKind::Unknown => "a-kind-of-tomorrow",
        LineKind::Untyped => "",
    }
}
