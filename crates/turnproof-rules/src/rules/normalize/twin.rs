//! The *twin* of a block that is lost is a block of the request that stands for it and is not the same: so a report
//! names the member that differs.

use crate::json::{Object, Str, Value};

use super::account::{Account, Output, Standing};
use super::block::in_quotes;
use super::expected::Item;
use crate::rules::alike::{excerpt, identical};
use crate::rules::value::{call_of, kind, result_of, text, text_of};

/// How many blocks of the request are looked at, so that a request of nothing but mistakes is judged in linear time.
const MOST: usize = 64;

/// What a report shows of a value.
const SHOWN: usize = 40;

/// The blocks of a request that are in no message, as far as they are looked at.
pub(super) fn strangers<'e, 'a>(account: &'e Account<'a>) -> Vec<&'e Output<'a>> {
    account.outputs.iter().filter(|output| output.is == Standing::New).take(MOST).collect()
}

/// Takes the twin of a lost block from the strangers, and says in what it differs.
pub(super) fn difference(item: &Item<'_>, strangers: &mut Vec<&Output<'_>>) -> Option<String> {
    let is_twin = |output: &&Output<'_>| output.role == Some(item.role) && stands_for(&item.value, &output.value);
    let place = strangers.iter().position(is_twin)?;
    let twin = strangers.remove(place);
    let (Value::Object(had), Value::Object(has)) = (&*item.value, &*twin.value) else { return None };
    Some(format!("in turn {}: {}", twin.turn, first_difference(had, has)?))
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

/// The first member in which two blocks differ, in words.
fn first_difference(had: &Object, has: &Object) -> Option<String> {
    let mut names: Vec<&Str> = had.keys().chain(has.keys().filter(|name| !had.contains_key(name))).collect();
    names.sort_unstable();
    names.into_iter().find_map(|name| match (had.get(name), has.get(name)) {
        (Some(_), None) => Some(format!("without its `{name}`")),
        (None, Some(value)) => Some(format!("with `{name}`, which is {}", shown(value))),
        (Some(one), Some(other)) if !identical(one, other) => {
            Some(format!("with another `{name}`, which is {} and was {}", shown(other), shown(one)))
        }
        _ => None,
    })
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => in_quotes(text),
        other => excerpt(other.to_string(), SHOWN),
    }
}
