//! What is *expected* of a request: each block of the input as an item, with what becomes of it. It says what must be
//! there and in which order, and leaves the building of turns to the subject.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::json::Value;

use super::attachment::AttachmentText;
use super::block::{Role, as_sent, content_as_text, is_thinking, why_unfit};
use super::pair::{self, Call};
use super::sent_messages::{Sent, Source, sent_messages};
use crate::rules::value::{kind, text_of};

/// What becomes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is in the request, once.
    Kept,
    /// It is not, for this reason.
    Gone(&'static str),
}

/// An *item* is one block of the input, with what becomes of it.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    /// Which message it is from, from 0.
    pub message: usize,
    /// Which block of that message's content; `None` when the content is not a list.
    pub block: Option<usize>,
    pub role: Role,
    /// Which run of messages of one role it is in, from 0.
    pub turn: usize,
    /// The block in the form in which it is sent.
    pub value: Cow<'a, Value>,
    /// The [text of an attachment](Expected::attachment_texts) that it is, if its words are the subject's.
    pub attachment_text: Option<usize>,
    /// The number of the block; equal blocks have the same one, in messages and requests.
    pub number: usize,
    pub fate: Fate,
}

impl Item<'_> {
    /// Whether this is a block of this type that is kept.
    pub(super) fn is_kept(&self, type_name: &str) -> bool {
        self.fate == Fate::Kept && kind(&self.value) == type_name
    }
}

/// Why thinking at the end of a turn is dropped.
const ENDS_TURN: &str = "thinking cannot end a turn";

/// What a list of messages asks for.
#[derive(Debug, Default)]
pub(super) struct Expected<'a> {
    /// Every block, in the order of the messages that are sent; then those of other messages.
    pub items: Vec<Item<'a>>,
    /// The calls of the client's tools, in the order of the request.
    pub calls: Vec<Call>,
    /// The calls of the API's tools.
    pub server_calls: Vec<usize>,
    /// What is kept, without results of the client's tools, in the order of the request.
    pub order: Vec<usize>,
    /// Where texts must be made, for turns that would be empty or for a missing first turn. Each text comes before what
    /// is of a later turn than this.
    pub made: Vec<usize>,
    /// Which turn of the request each run of messages is part of, and behind all of them what would come next.
    pub sent_in: Vec<usize>,
    /// The thinking of the last assistant turn that stays.
    pub last_thinking: Vec<usize>,
    /// The thinking that ends its turn as it was written.
    free_thinking: HashSet<usize>,
    /// Whether there is any turn.
    pub has_turns: bool,
    /// The text with which an assistant ends the request.
    pub last_words: Option<usize>,
    /// What the texts of attachments say, in the order of the request; also of those that need not be there.
    pub attachment_texts: Vec<AttachmentText>,
    /// The texts that stand in place of results' content, as compact JSON.
    pub json_texts: HashSet<String>,
}

impl<'a> Expected<'a> {
    /// What a list of messages asks for, when the subject has sent these texts of free attachments.
    pub(super) fn of(events: &'a [Value], sent: Sent<'_>) -> Self {
        let mut turns = Vec::new();
        let mut json_texts = HashSet::new();
        let (items, attachment_texts) = items(events, sent, &mut turns, &mut json_texts);
        let mut expected = Self { items, attachment_texts, json_texts, ..Self::default() };
        expected.calls = pair::client_calls(&mut expected.items);
        expected.server_calls = pair::server_calls(&mut expected.items);
        let mut members = vec![Vec::new(); turns.len()];
        for (index, item) in expected.items.iter().enumerate() {
            // A result follows its call, wherever it was.
            if item.fate == Fate::Kept && kind(&item.value) != "tool_result" {
                members[item.turn].push(index);
            }
        }
        for (role, members) in turns.iter().zip(&mut members) {
            if *role == Role::Assistant {
                expected.tidy_turn(members);
            }
        }
        expected.sum_up(&turns, members);
        expected
    }

    /// Puts an assistant turn's calls last, and takes the thinking from its end. Where calls stay in their places, other
    /// thinking is at the end, and need not be there.
    fn tidy_turn(&mut self, members: &mut Vec<usize>) {
        let is = |index: &usize, test: fn(&Value) -> bool| test(&self.items[*index].value);
        let is_call = |value: &Value| kind(value) == "tool_use";
        let at_end = members.iter().rev().take_while(|index| is_thinking(&self.items[**index].value)).copied();
        self.free_thinking.extend(at_end);
        members.sort_by_key(|index| is(index, is_call));
        while let Some(last) = members.pop_if(|index| is_thinking(&self.items[*index].value)) {
            self.items[last].fate = Fate::Gone(ENDS_TURN);
        }
    }

    /// Finds what depends on which turns stay.
    fn sum_up(&mut self, turns: &[Role], members: Vec<Vec<usize>>) {
        let is_call = |index: &usize| kind(&self.items[*index].value) == "tool_use";
        // Whether the last run of user turns holds something; `None` when no such run is last.
        let mut is_filled: Option<bool> = None;
        let mut has_calls = false;
        let mut last = None;
        for (turn, (role, members)) in turns.iter().zip(&members).enumerate() {
            if *role == Role::User {
                is_filled = Some(is_filled.unwrap_or(has_calls) || !members.is_empty());
            } else if !members.is_empty() {
                let is_first = last.is_none() && is_filled.is_none();
                if is_first || is_filled == Some(false) {
                    self.made.push(turn);
                }
                is_filled = None;
                has_calls = members.iter().any(is_call);
                last = Some(members);
            }
        }
        if is_filled == Some(false) {
            self.made.push(turns.len());
        }
        // A request begins with the user, and an empty run of an assistant is no turn of it.
        let mut users = 0;
        for (role, members) in turns.iter().zip(&members) {
            let speaks = *role == Role::Assistant && !members.is_empty();
            self.sent_in.push(users + usize::from(speaks));
            users += 2 * usize::from(speaks);
        }
        self.sent_in.push(users);
        self.has_turns = is_filled.is_some() || last.is_some();
        if let Some(members) = last {
            let is_thought =
                |index: &&usize| is_thinking(&self.items[**index].value) && !self.free_thinking.contains(index);
            self.last_thinking = members.iter().filter(is_thought).copied().collect();
            let ends_request = is_filled.is_none() && !has_calls;
            let words = members.last().filter(|index| text_of(&self.items[**index].value).is_some());
            self.last_words = words.copied().filter(|_| ends_request);
        }
        self.order = members.concat();
    }
}

/// The blocks of a list of messages. Each is kept unless it cannot be sent or its message is dropped. Adds the role of
/// each run of messages of one role to `turns`, and the texts that replace results' content.
fn items<'a>(
    events: &'a [Value],
    sent: Sent<'_>,
    turns: &mut Vec<Role>,
    json_texts: &mut HashSet<String>,
) -> (Vec<Item<'a>>, Vec<AttachmentText>) {
    let sent_messages = sent_messages(events, sent);
    let mut items = Vec::new();
    for message in sent_messages.messages {
        if turns.last() != Some(&message.role) {
            turns.push(message.role);
        }
        for source in message.blocks {
            let why = why_unfit(message.role, &source.value);
            json_texts.extend(content_as_text(&source.value));
            let fate = why.map_or(Fate::Kept, Fate::Gone);
            items.push(item(source, message.role, turns.len() - 1, fate));
        }
    }
    let gone = sent_messages.gone.into_iter();
    items.extend(gone.map(|(source, why)| item(source, Role::User, 0, Fate::Gone(why))));
    (items, sent_messages.attachment_texts)
}

fn item(source: Source<'_>, role: Role, turn: usize, fate: Fate) -> Item<'_> {
    let Source { message, block, value, attachment_text } = source;
    Item { message, block, role, turn, value: as_sent(value), attachment_text, number: 0, fate }
}

/// The thinking that a subject may send, in the order of the request, whether or not it ends a turn.
pub(super) fn thinking(expected: &Expected<'_>) -> Vec<usize> {
    let sent = expected.items.iter().enumerate().filter(|(_, item)| {
        let may_stand = matches!(item.fate, Fate::Kept | Fate::Gone(ENDS_TURN));
        is_thinking(&item.value) && may_stand
    });
    sent.map(|(index, _)| index).collect()
}
