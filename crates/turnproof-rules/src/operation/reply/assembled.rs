//! A reply *assembled*: its message, its blocks and its end, the same for a stream and for a message.

use crate::json::{Object, Value};

use super::ReplyEvent;
use crate::operation::plain::Plain;
use crate::rules::Place;
use crate::rules::value::{kind, list, text};

/// A reply, put together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembled {
    /// The message as it began, or the whole message that is no stream.
    pub(crate) message: Option<(Place, Value)>,
    /// The blocks, as they are at their end.
    pub(crate) blocks: Vec<AssembledBlock>,
    /// The events `message_delta`.
    pub(crate) ends: Vec<(Place, Value)>,
    /// Whether the reply has its end.
    pub(crate) is_finished: bool,
}

/// A block of a reply.
#[derive(Clone, Debug)]
pub(crate) struct AssembledBlock {
    /// Where it begins.
    pub(crate) place: Place,
    /// Its index, as its events have it.
    pub(crate) index: u64,
    pub(crate) value: Value,
    /// The JSON of its input, as deltas brought it.
    pub(crate) input: Option<String>,
    /// What deltas added to its text or its thinking.
    added: String,
    /// Whether it has its end.
    pub(crate) is_stopped: bool,
}

/// The deltas, each with the member that holds what it adds, and the block that it changes. The input of a call goes to
/// every block whose type ends so.
pub(crate) const DELTA_TARGETS: &[(&str, &str, &str)] = &[
    ("text_delta", "text", "text"),
    ("input_json_delta", "partial_json", "tool_use"),
    ("citations_delta", "citation", "text"),
    ("thinking_delta", "thinking", "thinking"),
    ("signature_delta", "signature", "thinking"),
    ("compaction_delta", "content", "compaction"),
];

/// Whether a delta fits the type of a block; `None` for an unknown delta.
pub(crate) fn delta_fits(delta: &str, block: &str) -> Option<bool> {
    let (.., target) = DELTA_TARGETS.iter().find(|(known, ..)| *known == delta)?;
    Some(block == *target || delta == "input_json_delta" && block.ends_with(target))
}

impl AssembledBlock {
    fn new(place: Place, index: u64, value: Value, is_stopped: bool) -> Self {
        Self { place, index, value, input: None, added: String::new(), is_stopped }
    }

    /// Whether it calls a tool that the client has.
    pub(crate) fn is_client_call(&self) -> bool {
        kind(&self.value) == "tool_use"
    }

    /// Whether it calls a tool, of the client or of the host.
    pub(crate) fn is_call(&self) -> bool {
        kind(&self.value).ends_with("tool_use")
    }

    fn take(&mut self, delta: &Value) {
        let name = kind(delta);
        if delta_fits(name, kind(&self.value)) != Some(true) {
            return;
        }
        let added = |member: &str| text(delta, member).unwrap_or_default();
        match name {
            "input_json_delta" => self.input.get_or_insert_default().push_str(added("partial_json")),
            "text_delta" => self.added.push_str(added("text")),
            "thinking_delta" => self.added.push_str(added("thinking")),
            "citations_delta" => {
                let citation = delta.get("citation").cloned().unwrap_or_default();
                let citations = list(&self.value, "citations").iter().cloned().chain([citation]);
                let citations = citations.collect();
                self.set("citations", citations);
            }
            _ => {
                let members = delta.as_object().into_iter().flat_map(Object::iter);
                let kept: Vec<_> = members.filter(|(name, _)| *name != "type").collect();
                kept.into_iter().for_each(|(name, value)| self.set(name, value.clone()));
            }
        }
    }

    fn set(&mut self, member: &str, value: Value) {
        if let Some(members) = self.value.as_object_mut() {
            members.insert(member.to_owned(), value);
        }
    }

    /// Puts together what deltas brought.
    fn settle(&mut self) {
        let added = std::mem::take(&mut self.added);
        if !added.is_empty() {
            let member = kind(&self.value).to_owned();
            let whole = format!("{}{added}", text(&self.value, &member).unwrap_or_default());
            self.set(&member, whole.into());
        }
        let Some(input) = self.input.as_deref().filter(|input| !input.trim().is_empty()) else { return };
        if let Ok(input) = Plain::read(input) {
            self.set("input", input.into_value());
        }
    }
}

impl Assembled {
    pub(super) fn of_message(message: &Value) -> Self {
        let place = Place::Reply { block: None, member: "" };
        let block = |(index, value): (u32, &Value)| {
            let place = Place::Reply { block: Some(index), member: "" };
            AssembledBlock::new(place, index.into(), value.clone(), true)
        };
        Self {
            blocks: (0..).zip(list(message, "content")).map(block).collect(),
            message: Some((place, message.clone())),
            ends: Vec::new(),
            is_finished: true,
        }
    }

    pub(super) fn of_events(events: &[ReplyEvent]) -> Self {
        let mut assembled = Self::default();
        for event in events {
            let member = |name: &str| event.value.get(name).cloned().unwrap_or_default();
            match event.kind() {
                "message_start" if assembled.message.is_none() => assembled.begin(event.place(), member("message")),
                "content_block_start" => {
                    let index = event.index().unwrap_or(assembled.blocks.len() as u64);
                    let block = AssembledBlock::new(event.place(), index, member("content_block"), false);
                    assembled.blocks.push(block);
                }
                "content_block_delta" => {
                    if let Some(block) = assembled.open(event.index()) {
                        block.take(&member("delta"));
                    }
                }
                "content_block_stop" => {
                    if let Some(block) = assembled.open(event.index()) {
                        block.is_stopped = true;
                    }
                }
                "message_delta" => assembled.ends.push((event.place(), event.value.clone())),
                "message_stop" => assembled.is_finished = true,
                "error" => break,
                _ => {}
            }
            if assembled.is_finished {
                break;
            }
        }
        assembled.blocks.iter_mut().for_each(AssembledBlock::settle);
        assembled
    }

    fn begin(&mut self, place: Place, message: Value) {
        let held = (0..).zip(list(&message, "content"));
        self.blocks = held.map(|(index, value)| AssembledBlock::new(place, index, value.clone(), true)).collect();
        self.message = Some((place, message));
    }

    /// The message as it is at its end; `None` where it has not begun.
    pub(super) fn to_message(&self) -> Option<Value> {
        let (_, begun) = self.message.as_ref()?;
        let mut message = begun.as_object()?.clone();
        let blocks: Vec<Value> = self.blocks.iter().map(|block| block.value.clone()).collect();
        message.insert("content", blocks.into_iter().collect());
        for (_, end) in &self.ends {
            let delta = end.get("delta").and_then(Value::as_object).into_iter().flat_map(Object::iter);
            delta.for_each(|(name, value)| drop(message.insert(name.clone(), value.clone())));
            let counts = end.get("usage").and_then(Value::as_object).into_iter().flat_map(Object::iter);
            let usage = message.or_null("usage");
            for (name, value) in counts {
                if let Some(usage) = usage.as_object_mut() {
                    usage.insert(name.clone(), value.clone());
                }
            }
        }
        Some(Value::Object(message))
    }

    /// The last block that has this index.
    pub(crate) fn block(&self, index: Option<u64>) -> Option<&AssembledBlock> {
        self.blocks.iter().rev().find(|block| Some(block.index) == index)
    }

    fn open(&mut self, index: Option<u64>) -> Option<&mut AssembledBlock> {
        let block = self.blocks.iter_mut().rev().find(|block| Some(block.index) == index)?;
        (!block.is_stopped).then_some(block)
    }

    /// Why the model stopped, and where that is said: the last that is said.
    pub(crate) fn stop_reason(&self) -> Option<(Place, &Value)> {
        let late =
            self.ends.iter().filter_map(|(place, event)| Some((*place, event.get("delta")?.get("stop_reason")?)));
        let early = self
            .message
            .iter()
            .filter_map(|(place, message)| Some((place.member("stop_reason"), message.get("stop_reason")?)));
        early.chain(late).rfind(|(_, reason)| !reason.is_null())
    }

    /// Whether the reply was cut short, so that its last block may be half there.
    pub(crate) fn is_cut_short(&self) -> bool {
        let reason = self.stop_reason().and_then(|(_, reason)| reason.as_str());
        matches!(reason, Some("max_tokens" | "model_context_window_exceeded" | "refusal"))
    }
}
