//! What a subject has *shown*: its lines, tombstones and user messages, in order.

use std::collections::HashSet;

use crate::json::Value;

use super::model::{BlockMessage, Mixed, Model, answers_of, calls};
use crate::operation::{Plain, StreamItem, Streamed};
use crate::rules::StreamEvidence;
use crate::rules::alike::{alike, alike_members};
use crate::rules::value::{is_true, kind, text, uuid, withdrawn_by};

#[derive(Clone, Debug)]
pub(super) enum Shown<'a> {
    Line(&'a Value),
    User(&'a Value),
    /// A withdrawal: the uuid of the message, empty when it names none, and what it holds of it.
    Tombstone(&'a str, Option<&'a Value>),
}

impl<'a> Shown<'a> {
    /// The message; `None` for a tombstone.
    pub(super) fn message(&self) -> Option<&'a Value> {
        match self {
            Self::Line(message) | Self::User(message) => Some(message),
            Self::Tombstone(..) => None,
        }
    }
}

/// What a subject yielded, in order; other events are left out.
pub(super) fn shown(output: &Streamed) -> Vec<Shown<'_>> {
    let read = |event| match kind(event) {
        "assistant" if !is_error(event) => Some(Shown::Line(event)),
        "user" => Some(Shown::User(event)),
        "tombstone" => Some(Shown::Tombstone(withdrawn_by(event).unwrap_or_default(), event.get("message"))),
        _ => None,
    };
    output.events.elements().iter().filter_map(read).collect()
}

/// Whether a message reports an error of the API.
pub(super) fn is_error(message: &Value) -> bool {
    is_true(message, "isApiErrorMessage")
}

/// Whether two values are alike; in objects a member that is null counts as missing.
pub(super) fn alike_but_nulls(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            alike_members(one, other, |_, value| !value.is_null(), |_, one, other| alike(one, other))
        }
        (one, other) => alike(one, other),
    }
}

/// Whether each message that joins has a uuid of its own: their places are known by it.
pub(super) fn joined_are_distinct(items: &[StreamItem]) -> bool {
    let mut uuids = HashSet::new();
    items.iter().all(|item| {
        let StreamItem::Message(json) = item else { return true };
        let message = Plain::read(json).unwrap_or_default().into_value();
        uuid(&message).filter(|uuid| !uuid.is_empty()).is_some_and(|uuid| uuids.insert(uuid.to_owned()))
    })
}

/// A member of an assistant message's body; null if it is not there.
pub(super) fn body<'a>(message: &'a Value, name: &str) -> &'a Value {
    message.get("message").and_then(|body| body.get(name)).unwrap_or(&Value::Null)
}

/// Why a rule on single lines does not apply.
pub(super) const OTHER_MESSAGES: &str = "there are other messages";

/// Why no rule on the output applies.
pub(super) const NO_OUTPUT: &str = "there is no output";

/// A case of which it is known what has to come out.
pub(super) struct Case<'e, 'a> {
    /// What a right accumulator makes of it.
    pub(super) model: &'e Model,
    /// What the subject made of it.
    pub(super) output: &'a Streamed,
    pub(super) shown: &'e [Shown<'a>],
}

impl<'e, 'a> Case<'e, 'a> {
    /// Plays the case with the model; or says why that is not possible.
    pub(super) fn read(case: &'e StreamEvidence<'a>) -> Result<Self, &'static str> {
        let output = case.given().output.as_ref().map_err(|_| NO_OUTPUT)?;
        Ok(Self { model: case.model()?, output, shown: case.shown() })
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &'a Value> + Clone + use<'e, 'a> {
        self.shown.iter().filter_map(|shown| match shown {
            Shown::Line(line) => Some(*line),
            _ => None,
        })
    }

    /// Each line that must be yielded with the one that was; `None` when there are more or fewer.
    pub(super) fn pairs(&self) -> Option<impl Iterator<Item = (&'e BlockMessage, &'a Value)> + Clone + use<'e, 'a>> {
        let shown = self.lines();
        (shown.clone().count() == self.model.lines.len()).then(|| self.model.lines.iter().zip(shown))
    }
}

/// What tombstones withdrew, by what a subject yielded itself.
#[derive(Debug, Default)]
pub(super) struct Withdrawn<'a> {
    pub(super) messages: HashSet<&'a str>,
    /// The uuids of user messages with results of calls that only withdrawn messages hold.
    pub(super) results: HashSet<&'a str>,
    /// User messages with such results and more, with that.
    pub(super) mixed: Mixed<'a>,
}

impl<'a> Withdrawn<'a> {
    pub(super) fn read(shown: &[Shown<'a>]) -> Self {
        let mut messages = HashSet::new();
        let mut users = Vec::new();
        for event in shown {
            match event {
                Shown::Tombstone(uuid, _) => _ = messages.insert(*uuid),
                Shown::User(user) => users.push(*user),
                Shown::Line(_) => {}
            }
        }
        if messages.is_empty() {
            return Self::default();
        }
        let mut standing: HashSet<&str> = HashSet::new();
        let mut gone: HashSet<&str> = HashSet::new();
        for event in shown {
            let Shown::Line(line) = event else { continue };
            let is_gone = uuid(line).is_some_and(|uuid| messages.contains(uuid));
            if is_gone { &mut gone } else { &mut standing }.extend(calls(line));
        }
        let only: HashSet<&str> = gone.difference(&standing).copied().collect();
        // Another reply may have a call with the same id. Then the source says which call the result answers.
        let names_a_line =
            |user: &&Value| text(user, "sourceToolAssistantUUID").is_some_and(|line| messages.contains(line));
        let (named, others): (Vec<&Value>, Vec<&Value>) = users.into_iter().partition(names_a_line);
        let (mut results, mut mixed) = answers_of(&named, &gone);
        let (more, more_mixed) = answers_of(&others, &only);
        results.extend(more);
        mixed.extend(more_mixed);
        Self { messages, results, mixed }
    }

    pub(super) fn hides(&self, uuid: &str) -> bool {
        self.messages.contains(uuid) || self.results.contains(uuid)
    }
}
