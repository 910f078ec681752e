//! The *meaning* of a turn is what the API reads of it: content that is a text is one text block.

use std::borrow::Cow;

use crate::json::{Str, Value};

use super::block::text_block;
use crate::rules::Sentence;
use crate::rules::alike::excerpt;
use crate::rules::value::text_of;

/// The blocks of a turn; empty when its content is neither a list nor a text.
pub(super) fn blocks_of(turn: &Value) -> Cow<'_, [Value]> {
    match turn.get("content") {
        Some(Value::Array(blocks)) => Cow::Borrowed(blocks),
        Some(Value::String(words)) => Cow::Owned(vec![text_block(words)]),
        _ => Cow::Borrowed(&[]),
    }
}

/// Whether two turns have the same role and say the same.
pub(super) fn says_the_same(one: &Value, other: &Value) -> bool {
    one == other || one.get("role") == other.get("role") && is_same_content(one.get("content"), other.get("content"))
}

/// Whether two turns mean the same, with all their members.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    let (Value::Object(members), Value::Object(others)) = (one, other) else { return one == other };
    let has = |(name, value): (&Str, &Value)| name == "content" || others.get(name) == Some(value);
    one == other || members.len() == others.len() && members.iter().all(has) && says_the_same(one, other)
}

fn is_same_content(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(Value::String(words)), Some(Value::Array(blocks)))
        | (Some(Value::Array(blocks)), Some(Value::String(words))) => match blocks.as_slice() {
            [block] => text_of(block) == Some(words) && block.as_object().is_some_and(|members| members.len() == 2),
            _ => false,
        },
        (one, other) => one == other,
    }
}

/// What a report shows of a value.
const SHOWN: usize = 60;

/// How a value became another one: the first place that differs, in words.
pub(super) fn how(was: &Value, is: Option<&Value>) -> Sentence {
    let mut path = Vec::new();
    let (mut was, mut is) = (Some(was), is);
    while let Some((step, one, other)) = first_step(was, is) {
        path.push(step);
        (was, is) = (one, other);
    }
    let shown = |value: Option<&Value>| value.map_or("missing".to_owned(), |value| excerpt(value.to_string(), SHOWN));
    let (was, is) = (shown(was), shown(is));
    match path.is_empty() {
        true => sentence!("it was {was}, and is {is}", was, is),
        false => sentence!("`{path}` was {was}, and is {is}", path = path.join("."), was, is),
    }
}

/// A name or a place, and the two values there.
type Step<'a> = (String, Option<&'a Value>, Option<&'a Value>);

/// The first member or element in which two objects or two lists differ.
fn first_step<'a>(one: Option<&'a Value>, other: Option<&'a Value>) -> Option<Step<'a>> {
    match (one?, other?) {
        (Value::Object(members), Value::Object(others)) => {
            let names = members.keys().chain(others.keys().filter(|name| !members.contains_key(name)));
            let mut steps = names.map(|name| (name.to_string(), members.get(name), others.get(name)));
            steps.find(|(_, one, other)| one != other)
        }
        (Value::Array(elements), Value::Array(others)) => {
            let places = 0..elements.len().max(others.len());
            let mut steps = places.map(|place| (place.to_string(), elements.get(place), others.get(place)));
            steps.find(|(_, one, other)| one != other)
        }
        _ => None,
    }
}
