//! What a *delta* adds to a block and to a whole message.

use serde_json::{Map, Value, json};

use super::reply::{Block, Index, is_typed, is_usage};
use super::{DEEPEST, LATE, Model, depth};
use crate::operation::Plain;
use crate::rules::value::{kind, text};

/// The members that a late event may not touch.
const FIXED: [&str; 6] = ["id", "type", "role", "content", "model", "usage"];

/// Whether a delta has what its type says.
pub(super) fn is_sound(delta: &Value) -> bool {
    let member = match kind(delta) {
        "text_delta" => "text",
        "input_json_delta" => "partial_json",
        "thinking_delta" => "thinking",
        "signature_delta" => "signature",
        "citations_delta" => return delta.get("citation").is_some(),
        "compaction_delta" => return delta.get("content").is_some(),
        _ => return text(delta, "type").is_some(),
    };
    text(delta, member).is_some()
}

/// Whether a block's input comes as pieces of JSON: calls of any sort.
fn is_call(kind: &str) -> bool {
    kind.ends_with("tool_use")
}

impl Model {
    /// The place of a block, if it is open; otherwise notes the fault.
    pub(super) fn open_block(&mut self, index: Index, is_whole: bool, is_sound: bool) -> Option<usize> {
        let blocks = self.replies.last().map_or(&[][..], |reply| &reply.blocks);
        let name = match index {
            Index::At(at) => match blocks.get(at) {
                Some(block) if !block.is_stopped && is_whole => return Some(at),
                Some(block) if !block.is_stopped => "bad-event",
                Some(_) => "block-stopped",
                None => "no-such-block",
            },
            Index::Never => "no-such-block",
            Index::Missing => "bad-event",
        };
        let is_bad = !is_whole || !is_sound || !matches!(index, Index::At(_));
        match is_bad {
            true => self.fault(&[name, "bad-event"]),
            false => self.fault(&[name]),
        }
        None
    }

    pub(super) fn start_block(&mut self, index: Index, block: Option<Value>) {
        let blocks = self.replies.last().map_or(&[][..], |reply| &reply.blocks);
        let open = blocks.iter().position(|block| !block.is_stopped);
        let is_next = index == Index::At(blocks.len());
        let is_sound = block.as_ref().is_some_and(is_typed);
        if block.is_some() && is_next && !is_sound {
            return self.doubt("a block has no type");
        }
        let mut names = Vec::new();
        if !is_sound || !matches!(index, Index::At(_)) {
            names.push("bad-event");
        }
        if !is_next {
            names.push("wrong-block-index");
        }
        let is_ignored = !names.is_empty() && (block.is_none() || !is_next);
        names.extend(open.map(|_| "block-still-open"));
        if !names.is_empty() {
            self.fault(&names);
        }
        let Some(value) = block.filter(|_| !is_ignored) else { return };
        if let Some(open) = open {
            self.stop(open);
        }
        let named = value.get("to").and_then(|to| text(to, "model")).filter(|_| kind(&value) == "fallback");
        if let Some(reply) = self.replies.last_mut() {
            let model_before = named.map(|_| reply.member("model").clone());
            if let Some(model) = named {
                reply.set("model", json!(model));
            }
            reply.blocks.push(Block { value, json: String::new(), is_stopped: false, model_before });
        }
    }

    pub(super) fn delta(&mut self, index: Index, delta: Option<Value>, is_torn: bool) {
        let is_sound = delta.as_ref().is_some_and(is_sound);
        let Some(at) = self.open_block(index, delta.is_some(), is_sound) else { return };
        let Some(delta) = delta else { return };
        if is_torn {
            return self.doubt("a delta begins or ends with half of a surrogate pair");
        }
        let block = self.replies.last_mut().and_then(|reply| reply.blocks.get_mut(at));
        match block.map(|block| add(block, delta)) {
            Some(Added::Lacks) => self.maybe_bad(),
            Some(Added::Unclear) => self.doubt("a delta meets a member of another type, or has half of what it adds"),
            Some(Added::Well) | None => {}
        }
    }

    pub(super) fn stop(&mut self, index: usize) {
        let Some(block) = self.replies.last_mut().and_then(|reply| reply.blocks.get_mut(index)) else {
            return;
        };
        block.is_stopped = true;
        if is_call(kind(&block.value)) {
            match input(block) {
                Ok(input) => set(block, "input", input),
                Err(Input::Bad) => {
                    let collected = json!(block.json);
                    set(block, "input", collected);
                    self.fault(&["bad-input-json"]);
                }
                Err(Input::Unclear) => self.doubt("the input of a call is JSON to some readers alone"),
            }
        }
        self.show(index);
    }

    pub(super) fn stop_open(&mut self) {
        let blocks = self.replies.last().map_or(&[][..], |reply| &reply.blocks);
        let open: Vec<usize> = (0..).zip(blocks).filter(|(_, block)| !block.is_stopped).map(|(at, _)| at).collect();
        open.into_iter().for_each(|index| self.stop(index));
    }

    /// `message_delta`: what is known late.
    pub(super) fn late(&mut self, delta: Option<Value>, others: &Map<String, Value>) {
        let Some(Value::Object(delta)) = delta else {
            if others.get("usage").is_some_and(Value::is_object) {
                self.doubt("a message_delta has usage alone");
            }
            return self.fault(&["bad-event"]);
        };
        self.stop_open();
        if let Err(why) = self.set_late(&delta, others) {
            return self.doubt(why);
        }
        let Some(reply) = self.replies.last() else { return };
        let number = self.replies.len() - 1;
        let Some(line) = self.lines.last_mut().filter(|line| line.reply == number) else { return };
        let mut before = line.late.take().unwrap_or_default();
        for (name, value) in LATE.iter().zip(&mut before) {
            let is_given = |members: &Map<String, Value>| members.get(*name).is_some_and(|value| !value.is_null());
            if ["stop_reason", "stop_sequence", "usage"].contains(name) || is_given(&delta) || is_given(others) {
                value.clone_from(reply.member(name));
            }
        }
        line.late = Some(before);
    }

    fn set_late(&mut self, delta: &Map<String, Value>, others: &Map<String, Value>) -> Result<(), &'static str> {
        let Some(reply) = self.replies.last_mut() else { return Ok(()) };
        for name in ["stop_reason", "stop_sequence"] {
            match delta.get(name) {
                Some(value @ (Value::String(_) | Value::Null)) => reply.set(name, value.clone()),
                Some(_) => return Err("a stop reason is no text"),
                None if reply.member(name).is_null() => {}
                None => return Err("a later message_delta has no stop reason"),
            }
        }
        let more = delta.iter().filter(|(name, _)| !["stop_reason", "stop_sequence"].contains(&name.as_str()));
        for (name, value) in more.filter(|(_, value)| !value.is_null()) {
            if FIXED.contains(&name.as_str()) {
                return Err("a message_delta names what is fixed");
            }
            reply.set(name, value.clone());
        }
        for (name, value) in others.iter().filter(|(_, value)| !value.is_null()) {
            match name.as_str() {
                "usage" => {}
                "context_management" if !delta.contains_key(name) => reply.set(name, value.clone()),
                _ => return Err("a message_delta has members beside its delta, or one twice"),
            }
        }
        if !others.get("usage").is_none_or(is_usage) {
            return Err("usage is no object, or has members of other types");
        }
        match (others.get("usage"), reply.member("usage")) {
            (None | Some(Value::Null), before) if *before != reply.usage => Err("a later message_delta has no usage"),
            (None | Some(Value::Null), _) => Ok(()),
            (Some(Value::Object(more)), before @ (Value::Object(_) | Value::Null)) => {
                let mut usage = before.as_object().cloned().unwrap_or_default();
                let known = more.iter().filter(|(_, value)| !value.is_null());
                usage.extend(known.map(|(name, value)| (name.clone(), value.clone())));
                reply.set("usage", Value::Object(usage));
                Ok(())
            }
            _ => Err("usage is no object"),
        }
    }
}

/// What came of a delta.
enum Added {
    /// It is added, or changes nothing.
    Well,
    /// It lacks what its type needs.
    Lacks,
    /// What comes of it is unspecified.
    Unclear,
}

fn add(block: &mut Block, mut delta: Value) -> Added {
    let Some(delta_type) = text(&delta, "type") else { return Added::Lacks };
    let (is_its, member, is_text) = match delta_type {
        "text_delta" => (kind(&block.value) == "text", "text", true),
        "thinking_delta" => (kind(&block.value) == "thinking", "thinking", true),
        "signature_delta" => (kind(&block.value) == "thinking", "signature", true),
        "input_json_delta" => (is_call(kind(&block.value)), "partial_json", true),
        "citations_delta" => (kind(&block.value) == "text", "citation", false),
        "compaction_delta" => (kind(&block.value) == "compaction", "content", false),
        _ => return Added::Well,
    };
    let Some(value) = delta.get_mut(member).map(Value::take) else {
        let has_other_half = member == "content" && delta.get("encrypted_content").is_some();
        return if has_other_half { Added::Unclear } else { Added::Lacks };
    };
    if is_text && !value.is_string() {
        return Added::Lacks;
    }
    if !is_its {
        return Added::Well;
    }
    match (member, value) {
        ("partial_json", Value::String(piece)) => block.json.push_str(&piece),
        ("text" | "thinking", Value::String(piece)) => match block.value.get_mut(member) {
            Some(Value::String(before)) => before.push_str(&piece),
            None | Some(Value::Null) => set(block, member, Value::String(piece)),
            Some(_) => return Added::Unclear,
        },
        ("citation", value) => match block.value.get_mut("citations") {
            Some(Value::Array(before)) => before.push(value),
            None | Some(Value::Null) => set(block, "citations", json!([value])),
            Some(_) => return Added::Unclear,
        },
        (member, value) => {
            set(block, member, value);
            let encrypted = delta.get_mut("encrypted_content").map(Value::take);
            if let Some(encrypted) = encrypted.filter(|_| member == "content") {
                set(block, "encrypted_content", encrypted);
            }
        }
    }
    Added::Well
}

/// Why there is no input.
enum Input {
    /// What was collected is no JSON.
    Bad,
    /// Only some readers accept it as JSON.
    Unclear,
}

/// The input of a call whose pieces have all come.
fn input(block: &Block) -> Result<Value, Input> {
    let collected = &block.json;
    if collected.trim().is_empty() {
        let is_blank = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r');
        let given = block.value.get("input").filter(|input| input.as_object().is_some_and(|it| !it.is_empty()));
        return match collected.chars().all(is_blank) {
            true => Ok(given.cloned().unwrap_or_else(|| json!({}))),
            false => Err(Input::Unclear),
        };
    }
    match Plain::read(collected) {
        Ok(_) if depth(collected) > DEEPEST => Err(Input::Unclear),
        Ok(plain) => Ok(plain.value),
        Err(error) if error.to_string().contains("recursion limit") => Err(Input::Unclear),
        Err(_) => Err(Input::Bad),
    }
}

fn set(block: &mut Block, name: &str, value: Value) {
    if let Some(members) = block.value.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}
