//! What is *live* at a moment: the messages that were yielded and stand.

use std::collections::HashSet;

use serde_json::Value;

use crate::message::Kind;
use crate::operation::Moment;
use crate::rules::wire::model;

/// The state of a log after some of its moments.
#[derive(Clone, Debug, Default)]
pub(super) struct Live<'a> {
    /// What was yielded and not withdrawn, in order; results of withdrawn calls are among it.
    messages: Vec<&'a Value>,
    /// What was withdrawn.
    pub(super) withdrawn: Vec<&'a Value>,
    /// The last compaction since the session began or was resumed.
    pub(super) compaction: Option<Compaction<'a>>,
}

/// A compaction.
#[derive(Clone, Debug)]
pub(super) struct Compaction<'a> {
    /// The list that it left.
    pub(super) list: &'a [Value],
    /// The uuids of that list that were live before.
    pub(super) kept: HashSet<&'a str>,
}

impl<'a> Live<'a> {
    /// Takes the next moment.
    pub(super) fn take(&mut self, moment: &'a Moment) {
        match moment {
            Moment::Yielded(event) => self.yielded(&event.value),
            Moment::Amended(message) => {
                let uuid = uuid(&message.value);
                if let Some(place) =
                    self.messages.iter_mut().find(|old| uuid.is_some() && self::uuid(old) == uuid)
                {
                    *place = &message.value;
                }
            }
            Moment::Compacted(list) => {
                let before: HashSet<&str> =
                    self.messages.iter().filter_map(|message| uuid(message)).collect();
                let list = list.elements();
                let is_new = |message: &&Value| {
                    text(message, "subtype") == Some("compact_boundary")
                        || is_true(message, "isCompactSummary")
                };
                let old = list.iter().filter(|message| !is_new(message)).filter_map(uuid);
                let kept = old.filter(|uuid| before.contains(uuid)).collect();
                self.messages = list.iter().collect();
                self.compaction = Some(Compaction { list, kept });
            }
            Moment::Resumed(list) | Moment::Forked(list) => {
                let back: HashSet<&str> = list.elements().iter().filter_map(uuid).collect();
                self.withdrawn.retain(|message| uuid(message).is_none_or(|uuid| !back.contains(uuid)));
                self.messages = list.elements().iter().collect();
                self.compaction = None;
            }
            _ => {}
        }
    }

    fn yielded(&mut self, event: &'a Value) {
        match text(event, "type").and_then(Kind::of) {
            Some(Kind::Tombstone) => {
                let Some(gone) = event.get("message") else { return };
                let is_its = |message: &&Value| uuid(message).is_some() && uuid(message) == uuid(gone);
                let shown = self.messages.iter().copied().find(is_its);
                self.messages.retain(|message| !is_its(message));
                self.withdrawn.push(shown.unwrap_or(gone));
            }
            Some(kind) if kind.is_persisted() || kind == Kind::Progress => {
                let is_same = |old: &&mut &Value| uuid(event).is_some() && uuid(old) == uuid(event);
                match self.messages.iter_mut().find(is_same) {
                    Some(place) => *place = event,
                    None => self.messages.push(event),
                }
            }
            _ => {}
        }
    }

    /// The messages that stand, without the results of calls that only withdrawn messages hold.
    pub(super) fn messages(&self) -> Vec<&'a Value> {
        let gone = self.withdrawn_calls();
        let is_answer = |message: &Value| {
            let mut results = blocks(message).iter().map(result_of).peekable();
            results.peek().is_some() && results.all(|id| id.is_some_and(|id| gone.contains(id)))
        };
        self.messages.iter().copied().filter(|message| !is_answer(message)).collect()
    }

    /// The calls that only withdrawn messages hold.
    pub(super) fn withdrawn_calls(&self) -> HashSet<&'a str> {
        let standing: HashSet<&str> = self.messages.iter().flat_map(|message| calls(message)).collect();
        let gone = self.withdrawn.iter().flat_map(|message| calls(message));
        gone.filter(|id| !standing.contains(id)).collect()
    }
}

/// A member that is a string.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str()
}

/// Whether a member is `true`.
pub(super) fn is_true(object: &Value, name: &str) -> bool {
    object.get(name) == Some(&Value::Bool(true))
}

/// A message's uuid.
pub(super) fn uuid(message: &Value) -> Option<&str> {
    text(message, "uuid")
}

/// The blocks of a message's content.
pub(super) fn blocks(message: &Value) -> &[Value] {
    let content = message.get("message").and_then(|body| body.get("content"));
    content.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The call that a block is the result of.
pub(super) fn result_of(block: &Value) -> Option<&str> {
    (text(block, "type")? == "tool_result").then(|| text(block, "tool_use_id"))?
}

/// The id of the call that a block is.
pub(super) fn call_of(block: &Value) -> Option<&str> {
    (text(block, "type")? == "tool_use").then(|| text(block, "id"))?
}

/// The ids of the calls in an assistant message.
pub(super) fn calls(message: &Value) -> impl Iterator<Item = &str> {
    let is_assistant = text(message, "type") == Some("assistant");
    blocks(message).iter().filter(move |_| is_assistant).filter_map(call_of)
}

/// The ids of the calls that a user message answers.
pub(super) fn answered(message: &Value) -> impl Iterator<Item = &str> {
    let is_user = text(message, "type") == Some("user");
    blocks(message).iter().filter(move |_| is_user).filter_map(result_of)
}

/// The id of the reply that an assistant message is of.
pub(super) fn reply(message: &Value) -> Option<&str> {
    let is_assistant = text(message, "type") == Some("assistant");
    message.get("message").and_then(|body| text(body, "id")).filter(|id| is_assistant && !id.is_empty())
}

/// The kind of a message that is in a list.
pub(super) fn kind(message: &Value) -> Option<Kind> {
    Kind::of(text(message, "type")?)
}

/// The uuids of a transcript's records.
pub(super) fn on_disk(transcript: &[u8]) -> HashSet<String> {
    let pieces = model::read(transcript).pieces.into_iter();
    let uuids = pieces.filter_map(|piece| match piece.found {
        model::Found::Record { uuid, .. } => uuid,
        model::Found::Rejected(_) => None,
    });
    uuids.collect()
}
