//! The *twin* of a block that is lost is a block of the request that replaces it and is not the same: so a report
//! names the member that differs.

use crate::json::{Object, Value};

use super::account::{Account, Output, OutputState};
use super::block::in_quotes;
use super::expected::Item;
use crate::rules::Sentence;
use crate::rules::alike::{OtherMember, excerpt, identical, other_member};
use crate::rules::value::{call_of, kind, result_of, text, text_of};

/// How many blocks of the request are looked at, so that a request of nothing but mistakes is judged in linear time.
const MOST: usize = 64;

/// What a report shows of a value.
const SHOWN: usize = 40;

/// The blocks of a request that are in no message, as far as they are looked at.
pub(super) fn strangers<'e, 'a>(account: &'e Account<'a>) -> Vec<&'e Output<'a>> {
    account.outputs.iter().filter(|output| output.is == OutputState::New).take(MOST).collect()
}

/// Takes the twin of a lost block from the strangers, and says how it is sent: the kind, and what is found. Blocks that
/// differ in the same member count as one mistake, and those that differ in another one do not.
pub(super) fn difference(item: &Item<'_>, strangers: &mut Vec<&Output<'_>>) -> Option<(&'static str, Sentence)> {
    let is_twin = |output: &&Output<'_>| output.role == Some(item.role) && stands_for(&item.value, &output.value);
    let place = strangers.iter().position(is_twin)?;
    let twin = strangers.remove(place);
    let (Value::Object(had), Value::Object(has)) = (&*item.value, &*twin.value) else { return None };
    first_difference(had, has, twin.turn)
}

/// Whether one block is sent in the place of another.
fn stands_for(lost: &Value, sent: &Value) -> bool {
    if kind(lost) != kind(sent) || kind(lost).is_empty() {
        return false;
    }
    match kind(lost) {
        "text" => match (text_of(lost), text_of(sent)) {
            (Some(lost), Some(sent)) => is_part(lost.trim(), sent.trim()),
            _ => false,
        },
        "tool_use" => call_of(lost) == call_of(sent),
        "tool_result" => result_of(lost) == result_of(sent),
        _ => ["id", "tool_use_id"].iter().all(|name| text(lost, name) == text(sent, name)),
    }
}

/// Whether one of two texts is a part of the other, and neither is empty.
fn is_part(one: &str, other: &str) -> bool {
    !one.is_empty() && !other.is_empty() && (one.contains(other) || other.contains(one))
}

/// The first member in which two blocks differ, in words, with its values.
fn first_difference(had: &Object, has: &Object, turn: usize) -> Option<(&'static str, Sentence)> {
    let OtherMember { name, kind, words } = other_member(had, has, identical)?;
    let found = match [had, has].map(|members| members.get(name).map(shown)) {
        [Some(was), Some(is)] => {
            sentence!("{words}, in turn {turn}: it is {is} and was {was}", words, turn, is, was)
        }
        [None, Some(is)] => sentence!("{words}, in turn {turn}: {is}", words, turn, is),
        _ => sentence!("{words}, in turn {turn}", words, turn),
    };
    Some((kind, found))
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => in_quotes(text),
        other => excerpt(other.to_string(), SHOWN),
    }
}
