//! What is *live* at a moment: the messages that were yielded and not withdrawn.

use std::collections::HashSet;

use crate::json::Value;

use crate::operation::Moment;
use crate::rules::value::{blocks, call_of, is_true, kind, list, result_of, text, uuid};
use crate::vocabulary::{COMPACT_BOUNDARY, Kind};

/// The state of a log after some of its moments.
#[derive(Clone, Debug, Default)]
pub(super) struct Live<'a> {
    /// What was yielded and not withdrawn, in order, with its uuids; results of withdrawn calls included.
    messages: Vec<(Option<&'a str>, &'a Value)>,
    pub(super) withdrawn: Vec<&'a Value>,
    pub(super) compaction: Option<Compaction<'a>>,
}

/// The last compaction of what is live.
#[derive(Clone, Debug)]
pub(super) struct Compaction<'a> {
    pub(super) list: &'a [Value],
    /// The uuids of that list that were live before; empty when the list was resumed or forked, since then all of it
    /// came from a transcript.
    pub(super) kept: HashSet<&'a str>,
}

impl<'a> Compaction<'a> {
    /// The compaction that a resumed or forked list begins with: its boundary, its summary, what it names.
    fn at_the_head_of(back: &'a [Value]) -> Option<Self> {
        let metadata = back.iter().rfind(|message| is_boundary(message))?.get("compactMetadata");
        let member = |name: &str| metadata.and_then(|metadata| metadata.get(name));
        let tail = member("preservedSegment").and_then(|segment| text(segment, "tailUuid"));
        let uuids = member("preservedMessages").map_or(&[][..], |messages| list(messages, "uuids"));
        let named: HashSet<&str> = uuids.iter().filter_map(Value::as_str).chain(tail).collect();
        let is_of_it = |message: &Value| is_made(message) || uuid(message).is_some_and(|uuid| named.contains(uuid));
        let last = back.iter().rposition(is_of_it)?;
        Some(Self { list: back.get(..=last)?, kept: HashSet::new() })
    }
}

fn is_made(message: &Value) -> bool {
    is_boundary(message) || is_true(message, "isCompactSummary")
}

/// Whether a message is a compaction's boundary.
pub(super) fn is_boundary(message: &Value) -> bool {
    text(message, "subtype") == Some(COMPACT_BOUNDARY)
}

impl<'a> Live<'a> {
    pub(super) fn take(&mut self, moment: &'a Moment) {
        match moment {
            Moment::Yielded(event) => self.yielded(&event.value),
            Moment::Amended(message) => {
                if let Some(place) = self.place_of(uuid(&message.value)) {
                    *place = &message.value;
                }
            }
            Moment::Compacted(list) => {
                let before: HashSet<&str> = self.messages.iter().filter_map(|(uuid, _)| *uuid).collect();
                let list = list.elements();
                let old = list.iter().filter(|message| !is_made(message)).filter_map(uuid);
                let kept = old.filter(|uuid| before.contains(uuid)).collect();
                self.messages = with_uuids(list);
                self.compaction = Some(Compaction { list, kept });
            }
            Moment::Resumed(list) | Moment::Forked(list) => {
                let back: HashSet<&str> = list.elements().iter().filter_map(uuid).collect();
                self.withdrawn.retain(|message| uuid(message).is_none_or(|uuid| !back.contains(uuid)));
                self.messages = with_uuids(list.elements());
                self.compaction = Compaction::at_the_head_of(list.elements());
            }
            _ => {}
        }
    }

    fn yielded(&mut self, event: &'a Value) {
        match Kind::of(kind(event)) {
            Some(Kind::Tombstone) => {
                let Some(gone) = event.get("message") else { return };
                let its = uuid(gone);
                let shown = self.place_of(its).map(|place| *place);
                self.messages.retain(|(uuid, _)| uuid.is_none() || *uuid != its);
                self.withdrawn.push(shown.unwrap_or(gone));
            }
            Some(kind) if kind.is_persisted() || kind == Kind::Progress => {
                let uuid = uuid(event);
                match self.place_of(uuid) {
                    Some(place) => *place = event,
                    None => self.messages.push((uuid, event)),
                }
            }
            _ => {}
        }
    }

    /// Where the first message with a uuid is.
    fn place_of(&mut self, uuid: Option<&str>) -> Option<&mut &'a Value> {
        let is_its = |(own, _): &&mut (Option<&str>, &Value)| uuid.is_some() && *own == uuid;
        self.messages.iter_mut().find(is_its).map(|(_, message)| message)
    }

    /// The live messages, without the results of withdrawn calls.
    pub(super) fn messages(&self) -> Vec<&'a Value> {
        let standing = self.messages.iter().map(|(_, message)| *message);
        if self.withdrawn.is_empty() {
            return standing.collect();
        }
        let gone = self.withdrawn_calls();
        let back: HashSet<&str> = self.messages.iter().filter_map(|(uuid, _)| *uuid).collect();
        let withdrawn = self.withdrawn.iter().filter_map(|message| uuid(message));
        let lines: HashSet<&str> = withdrawn.filter(|uuid| !back.contains(uuid)).collect();
        let is_answer = |message: &Value| {
            let mut results = blocks(message).iter().map(result_of).peekable();
            // Another reply may have a call with the same id. Then the source says which call the result answers.
            let is_of_line = text(message, "sourceToolAssistantUUID").is_some_and(|line| lines.contains(line));
            results.peek().is_some() && results.all(|id| id.is_some_and(|id| is_of_line || gone.contains(id)))
        };
        standing.filter(|message| !is_answer(message)).collect()
    }

    /// The calls that only withdrawn messages hold.
    pub(super) fn withdrawn_calls(&self) -> HashSet<&'a str> {
        let mut gone: HashSet<&str> = self.withdrawn.iter().flat_map(|message| calls(message)).collect();
        if !gone.is_empty() {
            let standing = self.messages.iter().flat_map(|(_, message)| calls(message));
            standing.for_each(|id| _ = gone.remove(id));
        }
        gone
    }
}

/// A list with the uuids of its messages.
fn with_uuids(list: &[Value]) -> Vec<(Option<&str>, &Value)> {
    list.iter().map(|message| (uuid(message), message)).collect()
}

/// The ids of the calls in an assistant message.
pub(super) fn calls(message: &Value) -> impl Iterator<Item = &str> {
    let is_assistant = kind(message) == "assistant";
    blocks(message).iter().filter(move |_| is_assistant).filter_map(call_of)
}

/// The ids of the calls that a user message answers.
pub(super) fn answered(message: &Value) -> impl Iterator<Item = &str> {
    let is_user = kind(message) == "user";
    blocks(message).iter().filter(move |_| is_user).filter_map(result_of)
}

/// Whether messages of this kind are written to the transcript.
pub(super) fn is_persisted(message: &&Value) -> bool {
    Kind::of(kind(message)).is_some_and(Kind::is_persisted)
}
