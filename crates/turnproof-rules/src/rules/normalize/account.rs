//! An *account* compares what a request holds with what is expected of it: each block of the request is an expected
//! one, or it must be explained.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use crate::json::Value;

use super::attachment::Stance;
use super::attachment_text::{Wanted, assign};
use super::block::{Role, as_sent, is_server_call, is_server_result, is_thinking};
use super::expected::{Expected, Fate, Item};
use super::meaning::blocks_of;
use super::rename::{Named, Renames, renames};
use super::sent_messages::Sent;
use crate::operation::{ApiNormalized, Plain};
use crate::rules::Place;
use crate::rules::alike::{Numbers, identical};
use crate::rules::value::{is_blank, is_true, kind, result_of, text, text_of};
use crate::vocabulary::{MISSING_TOOL_RESULT, NO_CONTENT, is_space};

/// A block of the request.
#[derive(Clone, Debug)]
pub(super) struct Output<'a> {
    /// Which turn, from 0.
    pub turn: usize,
    /// Which block of it, from 0.
    pub block: usize,
    /// Who speaks; `None` for an unknown role.
    pub role: Option<Role>,
    /// How many blocks its turn has, itself included.
    pub siblings: usize,
    /// The block in the form in which it is sent, with the ids that calls had in the messages.
    pub value: Cow<'a, Value>,
    /// The [text of an attachment](Expected::attachment_texts) that it is.
    pub attachment_text: Option<usize>,
    /// The number of the block; equal blocks have the same one, in messages and requests.
    pub number: usize,
    pub is: OutputState,
}

/// What a block of a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputState {
    /// The expected item with this place.
    Expected(usize),
    Context,
    /// A text in a turn that would be empty otherwise.
    Made,
    /// The result of a call that has none.
    Placeholder,
    /// Thinking that is not expected; `thinking/unmodified` judges it.
    Thinking,
    /// A block of the messages that must not be here, or not again: the item with this place.
    Astray(usize),
    /// A text of an attachment that must not be sent: the attachment text with this place.
    Betrayed(usize),
    /// A block that the messages do not have.
    New,
}

/// What the messages ask for, and what the request holds.
#[derive(Debug)]
pub(super) struct Account<'a> {
    /// What the messages ask for.
    pub expected: Expected<'a>,
    /// What the request holds, in its order.
    pub outputs: Vec<Output<'a>>,
    /// How many different blocks there are.
    pub numbers: usize,
    /// Which items were found.
    pub is_found: Vec<bool>,
    /// The outputs that have a replaced id which another call has too.
    pub clashes: Vec<usize>,
    /// The numbers of texts of attachments, as texts, each with its item.
    text_items: HashMap<usize, usize>,
}

impl<'a> Account<'a> {
    /// Compares the two sides of a case; `None` when the messages or the request cannot be read, which
    /// `normalize/total` reports.
    pub(super) fn of(case: &'a ApiNormalized) -> Option<Self> {
        let events = case.messages.value.as_array()?;
        let turns = case.request.as_ref().ok()?.value.as_array()?;
        let context = case.options.context.as_deref().filter(|context| !is_blank(context));
        let mut expected = Expected::of(events, Sent::Any);
        let mut outputs = outputs(turns, &expected.json_texts);
        find_attachment_texts(&expected, &mut outputs, context);
        if expected.attachment_texts.iter().any(|attachment_text| attachment_text.stance == Stance::Free) {
            let sent = outputs.iter().filter_map(|output| output.attachment_text).collect();
            expected = Expected::of(events, Sent::These(&sent));
        }
        if let Some(last) = expected.last_words {
            trim(&mut expected.items[last].value);
        }
        let mut account = Self {
            is_found: vec![false; expected.items.len()],
            expected,
            outputs,
            numbers: 0,
            clashes: Vec::new(),
            text_items: HashMap::new(),
        };
        account.name_as_in_messages(|value| kind(value) == "tool_use", |value| kind(value) == "tool_result");
        account.name_as_in_messages(is_server_call, is_server_result);
        account.number();
        account.match_items(context);
        account.explain_rest(context);
        Some(account)
    }

    /// Gives the calls of the request, and their results, the ids that they had in the messages.
    fn name_as_in_messages(&mut self, is_call: fn(&Value) -> bool, is_result: fn(&Value) -> bool) {
        let items = self.expected.items.iter().filter(|item| item.fate == Fate::Kept);
        let wanted: Vec<Named<'_>> =
            items.map(|item| &*item.value).filter(|value| is_call(value)).map(Named::of).collect();
        let places: Vec<usize> = (0..self.outputs.len()).filter(|&index| is_call(&self.outputs[index].value)).collect();
        let given: Vec<Named<'_>> = places.iter().map(|&index| Named::of(&self.outputs[index].value)).collect();
        let Renames { originals, replaced, clashes } = renames(&wanted, &given);
        for (&place, original) in places.iter().zip(originals) {
            if let Some(original) = original {
                name(&mut self.outputs[place].value, "id", &original);
            }
        }
        for output in self.outputs.iter_mut().filter(|output| is_result(&output.value)) {
            let original = text(&output.value, "tool_use_id").and_then(|id| replaced.get(id));
            if let Some(original) = original {
                name(&mut output.value, "tool_use_id", original);
            }
        }
        self.clashes.extend(clashes.into_iter().map(|call| places[call]));
    }

    /// Gives the blocks of both sides their numbers.
    fn number(&mut self) {
        let mut numbers = Numbers::default();
        let mut number = |block| {
            let says = ["text", "id", "tool_use_id", "signature", "data"];
            let what = says.iter().find_map(|name| text(block, name)).unwrap_or_default();
            numbers.of((kind(block), what), block, identical)
        };
        let items: Vec<usize> = self.expected.items.iter().map(|item| number(&item.value)).collect();
        let outputs: Vec<usize> = self.outputs.iter().map(|output| number(&output.value)).collect();
        self.numbers = numbers.count;
        for (output, &number) in self.outputs.iter().zip(&outputs) {
            let of_same =
                |item: &Item<'_>| item.attachment_text.is_some() && item.attachment_text == output.attachment_text;
            let item = self.expected.items.iter().position(of_same);
            self.text_items.extend(item.map(|item| (number, item)));
        }
        // A text in the subject's words is recognized by what it says.
        let of = |place: Option<usize>, number| place.map_or(number, |place| self.numbers + place);
        self.expected
            .items
            .iter_mut()
            .zip(items)
            .for_each(|(item, number)| item.number = of(item.attachment_text, number));
        self.outputs
            .iter_mut()
            .zip(outputs)
            .for_each(|(output, number)| output.number = of(output.attachment_text, number));
        self.numbers += self.expected.attachment_texts.len();
    }

    /// Finds the expected items among the outputs; equal ones in their order.
    fn match_items(&mut self, context: Option<&str>) {
        let mut waiting: HashMap<(Role, usize), VecDeque<usize>> = HashMap::new();
        let items = self.expected.items.iter().enumerate();
        for (index, item) in items.filter(|(_, item)| item.fate == Fate::Kept) {
            waiting.entry((item.role, item.number)).or_default().push_back(index);
        }
        for output in &mut self.outputs {
            if (output.turn, output.block) == (0, 0) && output.is_text(Role::User, context) {
                output.is = OutputState::Context;
                continue;
            }
            let Some(role) = output.role else { continue };
            let queue = waiting.get_mut(&(role, output.number));
            if let Some(index) = queue.and_then(VecDeque::pop_front) {
                output.is = OutputState::Expected(index);
                self.is_found[index] = true;
            }
        }
    }

    /// Says what the outputs are that are not expected.
    fn explain_rest(&mut self, context: Option<&str>) {
        if self.outputs.iter().all(|output| output.is != OutputState::New) {
            return;
        }
        let mut known: HashMap<usize, usize> = HashMap::new();
        for (index, item) in self.expected.items.iter().enumerate() {
            let known = known.entry(item.number).or_insert(index);
            // A kept block is preferred to an equal one that is not kept.
            if self.expected.items[*known].fate != Fate::Kept && item.fate == Fate::Kept {
                *known = index;
            }
        }
        let has_context = self.outputs.iter().any(|output| output.is == OutputState::Context);
        let mut context = context.filter(|_| !has_context);
        // The context was added to its turn when the turn was whole.
        let is_alone = |output: &&Output| output.siblings == 1 + usize::from(has_context && output.turn == 0);
        let alone = self.outputs.iter().filter(|output| output.is_no_content()).filter(is_alone).count();
        let mut made = self.expected.made.len().min(alone);
        let calls = self.expected.calls.iter().filter(|call| call.result.is_none());
        let id = |call: usize| text(&self.expected.items[call].value, "id").unwrap_or_default();
        let mut unanswered: HashSet<&str> = calls.map(|call| id(call.call)).collect();
        for output in self.outputs.iter_mut().filter(|output| output.is == OutputState::New) {
            let answers = || answered_by_placeholder(&output.value);
            let betrayed =
                output.attachment_text.filter(|&place| self.expected.attachment_texts[place].stance == Stance::Never);
            output.is = if made > 0 && output.is_no_content() {
                // What an attachment says may have the same words.
                output.attachment_text = None;
                made -= 1;
                OutputState::Made
            } else if let Some(place) = betrayed {
                OutputState::Betrayed(place)
            } else if is_thinking(&output.value) {
                OutputState::Thinking
            } else if output.is_text(Role::User, context) {
                context = None;
                OutputState::Context
            } else if output.role == Some(Role::User) && answers().is_some_and(|id| unanswered.remove(id)) {
                OutputState::Placeholder
            } else {
                let index = known.get(&output.number).or_else(|| self.text_items.get(&output.number));
                index.map_or(OutputState::New, |&index| OutputState::Astray(index))
            };
        }
    }
}

impl Output<'_> {
    pub(super) fn place(&self) -> Place {
        Place::block(self.turn, Some(self.block))
    }

    /// Whether this is a text of this role with just these words.
    pub(super) fn is_text(&self, role: Role, words: Option<&str>) -> bool {
        self.role == Some(role) && words.is_some() && text_of(&self.value) == words
    }

    fn is_no_content(&self) -> bool {
        self.is_text(Role::User, Some(NO_CONTENT))
    }
}

/// The blocks of a request; a text with which an assistant ends it without the white space at its end.
fn outputs<'a>(turns: &'a [Value], json_texts: &HashSet<String>) -> Vec<Output<'a>> {
    let mut outputs = Vec::new();
    for (turn, value) in turns.iter().enumerate() {
        let role = text(value, "role").and_then(Role::named);
        let blocks: Vec<Cow<'a, Value>> = match blocks_of(value) {
            Cow::Borrowed(blocks) => blocks.iter().map(Cow::Borrowed).collect(),
            Cow::Owned(blocks) => blocks.into_iter().map(Cow::Owned).collect(),
        };
        let siblings = blocks.len();
        for (block, value) in blocks.into_iter().enumerate() {
            let mut value = as_sent(value);
            compact(&mut value, json_texts);
            outputs.push(Output {
                turn,
                block,
                role,
                siblings,
                value,
                attachment_text: None,
                number: 0,
                is: OutputState::New,
            });
        }
    }
    let ends_request = |output: &&mut Output<'_>| {
        output.turn + 1 == turns.len() && output.role == Some(Role::Assistant) && kind(&output.value) == "text"
    };
    if let Some(last) = outputs.last_mut().filter(ends_request) {
        trim(&mut last.value);
    }
    outputs
}

/// Finds the texts of the user's turns that belong to attachments.
fn find_attachment_texts(expected: &Expected<'_>, outputs: &mut [Output<'_>], context: Option<&str>) {
    if expected.attachment_texts.is_empty() {
        return;
    }
    let wanted = wanted_texts(expected);
    let is_context = |output: &Output<'_>| (output.turn, output.block) == (0, 0) && output.is_text(Role::User, context);
    let is_asked = |output: &&mut Output<'_>| output.role == Some(Role::User) && !is_context(output);
    let asked: Vec<&mut Output<'_>> =
        outputs.iter_mut().filter(is_asked).filter(|output| text_of(&output.value).is_some()).collect();
    let texts = asked.iter().filter_map(|output| Some((output.turn, text_of(&output.value)?)));
    let texts: Vec<(usize, &str)> = texts.collect();
    let assigned = assign(&wanted, &expected.attachment_texts, &texts);
    for (output, attachment_text) in asked.into_iter().zip(assigned) {
        output.attachment_text = attachment_text;
    }
}

/// The texts that the user's turns should have, in order, each with its turn of the request: also those that are made
/// where nothing is said.
fn wanted_texts<'e>(expected: &'e Expected<'_>) -> Vec<(usize, Wanted<'e>)> {
    let mut made = expected.made.iter().peekable();
    let sent_in = |turn: usize| expected.sent_in[turn];
    // It is before the turn of an assistant, or after all.
    let filler = |turn: &usize| (sent_in(*turn) / 2 * 2, Wanted::Words(NO_CONTENT));
    let mut wanted = Vec::new();
    for item in expected.items.iter().filter(|item| item.fate == Fate::Kept && item.role == Role::User) {
        while let Some(turn) = made.next_if(|turn| **turn < item.turn) {
            wanted.push(filler(turn));
        }
        let text = match item.attachment_text {
            Some(place) => Some(Wanted::Text(place, &expected.attachment_texts[place])),
            None => text_of(&item.value).map(Wanted::Words),
        };
        wanted.extend(text.map(|text| (sent_in(item.turn), text)));
    }
    wanted.extend(made.map(filler));
    wanted
}

/// Writes the JSON text of a result's content compactly, as the expected one is: only its value counts.
fn compact(block: &mut Cow<'_, Value>, json_texts: &HashSet<String>) {
    let is_result = matches!(kind(block), "tool_result" | "mcp_tool_result") && !json_texts.is_empty();
    let Some(content) = text(block, "content").filter(|_| is_result) else { return };
    let compact = Plain::read(content).map(|plain| plain.value.to_string());
    if let Some(compact) = compact.ok().filter(|compact| json_texts.contains(compact)) {
        block.to_mut()["content"] = compact.into();
    }
}

/// Takes the blank characters from a text's end.
fn trim(block: &mut Cow<'_, Value>) {
    if text(block, "text").is_some_and(|text| text.ends_with(is_space))
        && let Some(Value::String(text)) = block.to_mut().get_mut("text")
    {
        let length = text.trim_end_matches(is_space).len();
        text.to_mut().truncate(length);
    }
}

/// Sets a member that is an id.
fn name(block: &mut Cow<'_, Value>, member: &str, id: &str) {
    if text(block, member) != Some(id)
        && let Some(member) = block.to_mut().get_mut(member)
    {
        *member = Value::from(id);
    }
}

/// The call whose missing result this block replaces, word for word; `None` for any other block.
fn answered_by_placeholder(block: &Value) -> Option<&str> {
    let is_placeholder = text(block, "content") == Some(MISSING_TOOL_RESULT) && is_true(block, "is_error");
    result_of(block).filter(|_| is_placeholder && block.as_object().is_some_and(|members| members.len() == 4))
}
