//! An *account* puts what a request holds beside what is expected of it: each block of the request
//! is one of the expected ones, or it must be explained.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Value, json};

use super::block::{
    Role, canonical, is_blank, is_server_call, is_server_result, is_thinking, kind, string, text_of,
};
use super::expected::Expected;
use super::item::Fate;
use super::last_words;
use super::rename::{Named, Renames, is_legal, renames};
use crate::message::constants::{MISSING_TOOL_RESULT, NO_CONTENT};
use crate::operation::ApiNormalized;

/// A block of the request.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// Which turn, from 0.
    pub turn: usize,
    /// Which block of it, from 0.
    pub block: usize,
    /// Who speaks; nothing for a role that there is not.
    pub role: Option<Role>,
    /// How many blocks its turn has, itself included.
    pub siblings: usize,
    /// The block in the form in which it is sent, with the ids that calls had in the messages.
    pub value: Value,
    /// What it is.
    pub is: Standing,
}

/// What a block of a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The expected item with this place.
    Expected(usize),
    /// The given context.
    Context,
    /// A text that stands where nothing else would.
    Made,
    /// The result of a call that has none.
    Placeholder,
    /// Thinking that is not expected; `thinking/unmodified` judges it.
    Thinking,
    /// A block of the messages that must not be here, or not again: the item with this place.
    Astray(usize),
    /// Nothing that the messages have.
    New,
}

/// The two sides.
#[derive(Debug)]
pub(super) struct Account {
    /// What the messages ask for.
    pub expected: Expected,
    /// What the request holds, in its order.
    pub outputs: Vec<Output>,
    /// Which items were found.
    pub is_found: Vec<bool>,
    /// The outputs that have a replaced id which another call has too.
    pub clashes: Vec<usize>,
}

impl Account {
    /// Takes account of a case; nothing when the messages or the request cannot be read, which
    /// `normalize/total` tells.
    pub(super) fn of(case: &ApiNormalized) -> Option<Self> {
        let events = case.messages.value.as_array()?;
        let turns = case.request.as_ref().ok()?.value.as_array()?;
        let mut expected = Expected::of(events);
        if let Some(last) = expected.last_words {
            trim(&mut expected.items[last].value);
        }
        let mut account = Self {
            is_found: vec![false; expected.items.len()],
            expected,
            outputs: outputs(turns),
            clashes: Vec::new(),
        };
        account.name_as_in_messages(|value| kind(value) == "tool_use", |value| kind(value) == "tool_result");
        account.name_as_in_messages(is_server_call, is_server_result);
        let context = case.options.context.as_deref().filter(|context| !is_blank(context));
        account.match_items(context);
        account.explain_rest(context);
        Some(account)
    }

    /// Gives the calls of the request, and their results, the ids that they had in the messages.
    fn name_as_in_messages(&mut self, is_call: fn(&Value) -> bool, is_result: fn(&Value) -> bool) {
        let items = self.expected.items.iter().filter(|item| item.fate == Fate::Kept);
        let wanted: Vec<Named> =
            items.map(|item| &item.value).filter(|value| is_call(value)).map(named).collect();
        let places: Vec<usize> =
            (0..self.outputs.len()).filter(|&index| is_call(&self.outputs[index].value)).collect();
        let given: Vec<Named> = places.iter().map(|&index| named(&self.outputs[index].value)).collect();
        let Renames { originals, replaced, clashes } = renames(&wanted, &given);
        for (&place, original) in places.iter().zip(originals) {
            if let (Some(original), Some(id)) = (original, self.outputs[place].value.get_mut("id")) {
                *id = Value::from(original);
            }
        }
        for output in self.outputs.iter_mut().filter(|output| is_result(&output.value)) {
            let original = string(&output.value, "tool_use_id").and_then(|id| replaced.get(id));
            if let (Some(original), Some(id)) = (original, output.value.get_mut("tool_use_id")) {
                *id = Value::from(original.as_str());
            }
        }
        self.clashes.extend(clashes.into_iter().map(|call| places[call]));
    }

    /// Finds the expected items among the outputs; of equal ones the first is the first.
    fn match_items(&mut self, context: Option<&str>) {
        let mut waiting: HashMap<(Role, String), VecDeque<usize>> = HashMap::new();
        let items = self.expected.items.iter().enumerate();
        for (index, item) in items.filter(|(_, item)| item.fate == Fate::Kept) {
            waiting.entry((item.role, item.value.to_string())).or_default().push_back(index);
        }
        for output in &mut self.outputs {
            if (output.turn, output.block) == (0, 0) && output.is_text(Role::User, context) {
                output.is = Standing::Context;
                continue;
            }
            let Some(role) = output.role else { continue };
            let queue = waiting.get_mut(&(role, output.value.to_string()));
            if let Some(index) = queue.and_then(VecDeque::pop_front) {
                output.is = Standing::Expected(index);
                self.is_found[index] = true;
            }
        }
    }

    /// Says what the outputs are that are not expected.
    fn explain_rest(&mut self, context: Option<&str>) {
        let mut known: HashMap<String, usize> = HashMap::new();
        for (index, item) in self.expected.items.iter().enumerate() {
            let known = known.entry(item.value.to_string()).or_insert(index);
            // A block that is kept says more than an equal one that is not.
            if self.expected.items[*known].fate != Fate::Kept && item.fate == Fate::Kept {
                *known = index;
            }
        }
        let has_context = self.outputs.iter().any(|output| output.is == Standing::Context);
        let mut context = context.filter(|_| !has_context);
        // The context came to its turn when the turn was whole.
        let is_alone = |output: &&Output| output.siblings == 1 + usize::from(has_context && output.turn == 0);
        let alone = self.outputs.iter().filter(|output| output.is_no_content()).filter(is_alone).count();
        let mut made = self.expected.made.min(alone);
        let calls = self.expected.calls.iter().filter(|call| call.result.is_none());
        let mut unanswered: HashSet<String> =
            calls.map(|call| placeholder(&self.expected.items[call.call].value).to_string()).collect();
        for output in self.outputs.iter_mut().filter(|output| output.is == Standing::New) {
            let text = output.value.to_string();
            output.is = if is_thinking(&output.value) {
                Standing::Thinking
            } else if output.is_text(Role::User, context) {
                context = None;
                Standing::Context
            } else if made > 0 && output.is_no_content() {
                made -= 1;
                Standing::Made
            } else if output.role == Some(Role::User) && unanswered.remove(&text) {
                Standing::Placeholder
            } else {
                known.get(&text).map_or(Standing::New, |&index| Standing::Astray(index))
            };
        }
    }
}

impl Output {
    /// Whether this is a text of this role with just these words.
    pub(super) fn is_text(&self, role: Role, words: Option<&str>) -> bool {
        self.role == Some(role) && words.is_some() && text_of(&self.value) == words
    }

    fn is_no_content(&self) -> bool {
        self.is_text(Role::User, Some(NO_CONTENT))
    }
}

/// The blocks of a request.
fn outputs(turns: &[Value]) -> Vec<Output> {
    let last = last_words(turns);
    let mut outputs = Vec::new();
    for (turn, value) in turns.iter().enumerate() {
        let blocks = value.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (block, value) in blocks.iter().enumerate() {
            let mut output = Output {
                turn,
                block,
                role: string(&turns[turn], "role").and_then(Role::named),
                siblings: blocks.len(),
                value: canonical(value),
                is: Standing::New,
            };
            if last == Some((turn, block)) {
                trim(&mut output.value);
            }
            outputs.push(output);
        }
    }
    outputs
}

/// Takes the blank characters from a text's end.
fn trim(block: &mut Value) {
    if let Some(Value::String(text)) = block.get_mut("text") {
        text.truncate(text.trim_end_matches(crate::rules::vocabulary::is_space).len());
    }
}

fn named(call: &Value) -> Named {
    let id = string(call, "id").unwrap_or_default().to_owned();
    let mut body = call.clone();
    if let Value::Object(members) = &mut body {
        members.remove("id");
    }
    Named { is_legal: is_legal(kind(call), &id), body: body.to_string(), id }
}

/// What stands in for the result of a call.
fn placeholder(call: &Value) -> Value {
    let id = string(call, "id").unwrap_or_default();
    json!({"type": "tool_result", "tool_use_id": id, "content": MISSING_TOOL_RESULT, "is_error": true})
}
