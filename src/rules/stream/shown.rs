//! What a subject has *shown*: its lines, tombstones and user messages, in order.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Number, Value};

use super::model::{Happened, Line, Model, calls, text};
use crate::operation::Streamed;
use crate::rules::{StreamEvidence, Verdict};

/// One event that a subject yielded.
#[derive(Clone, Debug)]
pub(super) enum Shown {
    /// An assistant message.
    Line(Value),
    /// A user message.
    User(Value),
    /// The withdrawal of the message with this uuid.
    Tombstone(String),
}

/// What a subject yielded, in order; other events are left out.
pub(super) fn shown(output: &Streamed) -> Vec<Shown> {
    let read = |event: &Value| match text(event, "type")? {
        "assistant" if event.get("isApiErrorMessage") != Some(&Value::Bool(true)) => {
            Some(Shown::Line(canonical(event)))
        }
        "user" => Some(Shown::User(canonical(event))),
        "tombstone" => Some(Shown::Tombstone(withdrawn_by(event).to_owned())),
        _ => None,
    };
    output.events.elements().iter().filter_map(read).collect()
}

/// The uuid of the message that a tombstone withdraws; empty if it names none.
pub(super) fn withdrawn_by(tombstone: &Value) -> &str {
    tombstone.get("message").and_then(|message| text(message, "uuid")).unwrap_or_default()
}

/// The value with each number as the nearest double: languages differ in how they write numbers.
pub(super) fn canonical(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let double = number.as_f64().and_then(|double| Number::from_f64(double + 0.0));
            Value::Number(double.unwrap_or_else(|| number.clone()))
        }
        Value::Array(elements) => elements.iter().map(canonical).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), canonical(value))).collect()
        }
        other => other.clone(),
    }
}

/// An object without the members that are null; other values as they are.
pub(super) fn without_nulls(value: &Value) -> Value {
    match canonical(value) {
        Value::Object(members) => {
            let kept: Map<String, Value> =
                members.into_iter().filter(|(_, value)| !value.is_null()).collect();
            Value::Object(kept)
        }
        other => other,
    }
}

/// A member of an assistant message's body; null if it is not there.
pub(super) fn body(message: &Value, name: &str) -> Value {
    message.get("message").and_then(|body| body.get(name)).cloned().unwrap_or_default()
}

/// The start of a value's JSON, for people.
pub(super) fn in_short(value: &Value) -> String {
    const LONGEST: usize = 200;
    let json = value.to_string();
    match json.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", json.get(..end).unwrap_or_default()),
        None => json,
    }
}

/// A case of which it is known what has to come out.
pub(super) struct Case<'a> {
    /// What a right accumulator makes of it.
    pub(super) model: &'a Model,
    /// What the subject made of it.
    pub(super) output: &'a Streamed,
    /// What it yielded.
    pub(super) shown: &'a [Shown],
}

impl<'a> Case<'a> {
    /// Plays the case by hand.
    ///
    /// # Errors
    /// The verdict where that is not possible.
    pub(super) fn read(case: &'a StreamEvidence<'_>) -> Result<Self, Verdict> {
        let Ok(output) = &case.output else { return Err(Verdict::NotApplicable("there is no output")) };
        let model = case.model().map_err(Verdict::NotApplicable)?;
        Ok(Self { model, output, shown: case.shown() })
    }

    /// The lines that the subject yielded.
    pub(super) fn lines(&self) -> impl Iterator<Item = &Value> {
        self.shown.iter().filter_map(|shown| match shown {
            Shown::Line(line) => Some(line),
            _ => None,
        })
    }

    /// Each line that must be yielded with the one that was; none where their numbers differ.
    pub(super) fn pairs(&self) -> Option<Vec<(&Line, &Value)>> {
        let shown: Vec<&Value> = self.lines().collect();
        (shown.len() == self.model.lines.len()).then(|| self.model.lines.iter().zip(shown).collect())
    }

    /// Whether a stream was abandoned.
    pub(super) fn has_fallback(&self) -> bool {
        self.model.happened.iter().any(|happened| matches!(happened, Happened::Abandoned { .. }))
    }
}

/// What tombstones withdrew, by what a subject yielded itself.
#[derive(Debug, Default)]
pub(super) struct Withdrawn {
    /// The uuids of messages that were withdrawn.
    pub(super) messages: HashSet<String>,
    /// The calls that only withdrawn messages hold.
    pub(super) calls: HashSet<String>,
    /// The uuids of user messages with results of such calls alone.
    pub(super) results: HashSet<String>,
    /// The uuids of user messages with such results and more.
    pub(super) mixed: HashSet<String>,
}

impl Withdrawn {
    /// Reads what was yielded.
    pub(super) fn read(shown: &[Shown]) -> Self {
        let mut withdrawn = Self::default();
        let mut users = Vec::new();
        for event in shown {
            match event {
                Shown::Tombstone(uuid) => {
                    withdrawn.messages.insert(uuid.clone());
                }
                Shown::User(user) => users.push(user.clone()),
                Shown::Line(_) => {}
            }
        }
        let mut standing: HashSet<&str> = HashSet::new();
        let mut gone: HashSet<&str> = HashSet::new();
        for event in shown {
            let Shown::Line(line) = event else { continue };
            let is_gone = text(line, "uuid").is_some_and(|uuid| withdrawn.messages.contains(uuid));
            if is_gone { &mut gone } else { &mut standing }.extend(calls(line));
        }
        let only: HashSet<&str> = gone.difference(&standing).copied().collect();
        let owned = |uuids: HashSet<&str>| uuids.into_iter().map(str::to_owned).collect();
        withdrawn.results = owned(Model::answers_of(&users, &only));
        withdrawn.mixed = owned(Model::mixed(&users, &only));
        withdrawn.calls = owned(only);
        withdrawn
    }

    /// Whether a message must not be seen any more.
    pub(super) fn hides(&self, uuid: &str) -> bool {
        self.messages.contains(uuid) || self.results.contains(uuid)
    }
}

/// The messages of a list by their uuids.
pub(super) fn by_uuid(messages: &[Value]) -> HashMap<&str, &Value> {
    messages.iter().filter_map(|message| Some((text(message, "uuid")?, message))).collect()
}
