//! What a *delta* adds to a block and to a whole message.

use crate::json;
use crate::json::{Object, Value};

use super::halves::{has_stand_ins, joined, settled};
use super::reply::{Block, Index, Reply, is_typed, is_usage};
use super::{DEEPEST, Late, Model, depth};
use crate::operation::Plain;
use crate::rules::value::{kind, text};

/// The members that a late event never sets.
const FIXED: [&str; 5] = ["id", "type", "role", "content", "model"];

/// The members that stand beside the `delta` of a `message_delta`.
const BESIDE: [&str; 2] = ["context_management", "input_transformations"];

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

    pub(super) fn delta(&mut self, index: Index, delta: Option<Value>) {
        let is_sound = delta.as_ref().is_some_and(is_sound);
        let Some(at) = self.open_block(index, delta.is_some(), is_sound) else { return };
        let Some(delta) = delta else { return };
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
        block.value = settled(block.value.take());
        if is_call(kind(&block.value)) {
            match input(block) {
                Ok(input) => set(block, "input", input),
                Err(Input::Bad) => {
                    let collected = json!(joined(&block.json));
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
    pub(super) fn late(&mut self, delta: Option<Value>, others: &Object) {
        let Some(Value::Object(delta)) = delta else {
            if others.get("usage").is_some_and(Value::is_object) {
                self.doubt("a message_delta has usage alone");
            }
            return self.fault(&["bad-event"]);
        };
        self.stop_open();
        let number = self.replies.len().saturating_sub(1);
        let Some(reply) = self.replies.last_mut() else { return };
        let given = match set_late(reply, &delta, others) {
            Ok(given) => given,
            Err(why) => return self.doubt(why),
        };
        let is_later = !reply.late_names.is_empty();
        reply.late_names.extend(given.keys().cloned());
        let Some(line) = self.lines.last_mut().filter(|line| line.reply == number) else { return };
        // Whether the new last line gets what another one has got already is unspecified.
        let is_half = ["stop_reason", "usage"].iter().any(|name| !given.contains_key(name));
        let is_unclear = is_later && !line.is_amended && is_half;
        line.is_amended = true;
        line.late.extend(given);
        if is_unclear {
            self.doubt("a block comes between two message_deltas, and the second one says less");
        }
    }
}

/// Sets on a message what a `message_delta` says; gives what it set.
fn set_late(reply: &mut Reply, delta: &Object, others: &Object) -> Result<Late, &'static str> {
    let mut given = Late::new();
    for (name, value) in delta.iter().filter(|(_, value)| !value.is_null()) {
        match name.as_str() {
            // One that is no text counts as missing.
            "stop_reason" | "stop_sequence" if !value.is_string() => {}
            "usage" => return Err("a message_delta has usage in its delta"),
            name if FIXED.contains(&name) => {}
            _ => _ = given.insert(name.clone(), value.clone()),
        }
    }
    if given.contains_key("stop_reason") && delta.get("stop_sequence").is_some_and(Value::is_null) {
        given.insert("stop_sequence", Value::Null);
    }
    for (name, value) in others.iter().filter(|(name, value)| *name != "usage" && !value.is_null()) {
        if !BESIDE.contains(&name.as_str()) || delta.contains_key(name) {
            return Err("a message_delta has unknown members beside its delta, or one twice");
        }
        given.insert(name.clone(), value.clone());
    }
    if let Some(usage) = late_usage(reply.member("usage"), others.get("usage"))? {
        given.insert("usage".to_owned(), usage);
    }
    given.iter().for_each(|(name, value)| reply.set(name, value.clone()));
    Ok(given)
}

/// The usage with the totals that come late.
fn late_usage(before: &Value, totals: Option<&Value>) -> Result<Option<Value>, &'static str> {
    if !totals.is_none_or(is_usage) {
        return Err("usage is no object, or has members of other types");
    }
    match (totals, before) {
        (None | Some(Value::Null), _) => Ok(None),
        (Some(Value::Object(totals)), Value::Object(_) | Value::Null) => {
            let mut usage = before.as_object().cloned().unwrap_or_default();
            let known = totals.iter().filter(|(_, value)| !value.is_null());
            usage.extend(known.map(|(name, value)| (name.clone(), value.clone())));
            Ok(Some(Value::Object(usage)))
        }
        _ => Err("usage is no object"),
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
            Some(Value::String(before)) => before.to_mut().push_str(&piece),
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
    let collected = &joined(&block.json);
    if has_half_alone(&block.json) {
        return Err(Input::Unclear);
    }
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
        Ok(plain) => Ok(plain.into_value()),
        Err(error) if error.to_string().contains(Plain::TOO_DEEP) => Err(Input::Unclear),
        Err(_) => Err(Input::Bad),
    }
}

/// Whether a half of a surrogate pair stays alone in the JSON text itself, where no reader need accept it.
fn has_half_alone(json: &str) -> bool {
    has_stand_ins(json) && joined(json).contains('\u{FFFD}')
}

fn set(block: &mut Block, name: &str, value: Value) {
    if let Some(members) = block.value.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}
