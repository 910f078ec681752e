//! What *fits* of a block is what its type has: no other members, no half-written elements, nothing of a wrong type.
//!
//! A block whose required members do not fit does not fit at all. A type that the table does not know fits as it is.

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;
use turnproof_format::shapes::{Form, Member, Shape};
use turnproof_format::{LONGEST_TOOL_NAME, is_tool_name};

use crate::json::{JsonType, ObjectWriter, Raw, Text, push_quoted};

/// How much of a value fits.
pub(super) enum Fit {
    /// All of it.
    Whole,
    /// This much of it.
    Part(Raw),
    /// Nothing, for want of the member at this path; empty for the value itself.
    Not(String),
}

/// The name with `_` for each character that the API does not take, and no longer than it may be.
pub(super) fn legal_name(name: &str) -> String {
    let legal = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
    name.chars().map(legal).take(LONGEST_TOOL_NAME).collect()
}

/// How much fits of an object of this shape.
pub(super) fn object(json: &str, shape: &Shape) -> Fit {
    let Some(members) = members(json) else { return Fit::Not(String::new()) };
    // Of a repeated name the last value counts.
    let find = |name: &str| members.iter().rfind(|(key, _)| key.as_str() == name).map(|(_, value)| value.get());
    let mut fitting: Vec<(&'static str, Option<Raw>, &str)> = Vec::with_capacity(members.len());
    for Member { name, is_required, form } in &shape.members {
        let Some(json) = find(name) else {
            match is_required {
                true => return Fit::Not((*name).to_owned()),
                false => continue,
            }
        };
        match value(json, form) {
            Fit::Whole => fitting.push((name, None, json)),
            Fit::Part(part) => fitting.push((name, Some(part), json)),
            Fit::Not(path) if *is_required => {
                return Fit::Not(if path.is_empty() { (*name).to_owned() } else { format!("{name}.{path}") });
            }
            Fit::Not(_) => {}
        }
    }
    let named = usize::from(!shape.name.is_empty());
    if fitting.len() + named == members.len() && fitting.iter().all(|(_, part, _)| part.is_none()) {
        return Fit::Whole;
    }
    Fit::Part(written(&members, &fitting, shape))
}

/// An object with the members that fit, in the order in which they stood.
fn written(members: &[(Text, &RawValue)], fitting: &[(&'static str, Option<Raw>, &str)], shape: &Shape) -> Raw {
    let mut json = String::new();
    let mut object = ObjectWriter::begin(&mut json);
    for (at, (name, _)) in members.iter().enumerate() {
        if members[..at].iter().any(|(before, _)| before == name) {
            continue;
        }
        if name.as_str() == "type" && !shape.name.is_empty() {
            push_quoted(object.member("type"), shape.name);
        } else if let Some(&(name, ref part, json)) = fitting.iter().find(|(fitting, ..)| name.as_str() == *fitting) {
            object.member(name).push_str(part.as_ref().map_or(json, Raw::get));
        }
    }
    object.end();
    Raw::written(json)
}

/// How much of a value fits a form.
pub(super) fn value(json: &str, form: &Form) -> Fit {
    let found = json.bytes().next().map_or(JsonType::Null, JsonType::of);
    let text = || Text::from_token(&json[1..json.len() - 1]);
    let fits = match (form, found) {
        (Form::Anything, _) | (Form::Text, JsonType::String) | (Form::Flag, JsonType::Bool) => true,
        (Form::Object, JsonType::Object) | (Form::OrNull(_), JsonType::Null) => true,
        (Form::Filled | Form::OneOf(_), JsonType::String) => json.len() > 2,
        (Form::ToolName, JsonType::String) => is_tool_name(text().as_str()),
        (Form::Only(words), JsonType::String) => words.contains(&text().as_str()),
        (Form::Whole, JsonType::Number) => is_integer(json),
        (Form::OrNull(of), _) => return value(json, of),
        (Form::Either(forms), _) => return one_of(json, forms),
        (Form::List(of), JsonType::Array) => return list(json, of),
        (Form::Untyped(shape), JsonType::Object) => return object(json, shape),
        (Form::Typed(shapes), JsonType::Object) => return typed(json, shapes),
        _ => false,
    };
    if fits { Fit::Whole } else { Fit::Not(String::new()) }
}

/// Whether a number is one that is counted with: no fraction, no exponent, and of a size that computers have.
fn is_integer(digits: &str) -> bool {
    digits != "-0" && (digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok())
}

/// How much of a value fits the first of these forms that it fits; else what the last one misses.
fn one_of(json: &str, forms: &[Form]) -> Fit {
    let mut fit = Fit::Not(String::new());
    for form in forms {
        fit = value(json, form);
        if !matches!(fit, Fit::Not(_)) {
            break;
        }
    }
    fit
}

/// How much of an object fits the shape of its type.
fn typed(json: &str, shapes: &[&Shape]) -> Fit {
    let Some(name) = type_of(json) else { return Fit::Not("type".to_owned()) };
    shapes.iter().find(|shape| shape.name == name.as_str()).map_or(Fit::Whole, |shape| object(json, shape))
}

/// The `type` of an object, if it has one that is not empty.
pub(super) fn type_of(json: &str) -> Option<Text> {
    let members = members(json)?;
    let found = members.iter().rfind(|(name, _)| name.as_str() == "type").map(|(_, value)| value.get())?;
    let name = Text::from_token(found.strip_prefix('"')?.strip_suffix('"')?);
    (!name.as_str().is_empty()).then_some(name)
}

/// How much of a list fits: the elements that do.
fn list(json: &str, of: &Form) -> Fit {
    let Some(elements) = elements(json) else { return Fit::Not(String::new()) };
    let mut is_whole = true;
    let mut fitting: Vec<String> = Vec::with_capacity(elements.len());
    for element in elements {
        match value(element.get(), of) {
            Fit::Whole => fitting.push(element.get().to_owned()),
            Fit::Part(part) => {
                is_whole = false;
                fitting.push(part.get().to_owned());
            }
            Fit::Not(_) => is_whole = false,
        }
    }
    if is_whole { Fit::Whole } else { Fit::Part(Raw::written(format!("[{}]", fitting.join(",")))) }
}

/// The elements of an array.
pub(super) fn elements(json: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(json).ok()
}

/// The members of an object, borrowed.
type Members<'a> = Vec<(Text, &'a RawValue)>;

/// The members of an object, in order; of repeated names all.
pub(super) fn members(json: &str) -> Option<Members<'_>> {
    serde_json::Deserializer::from_str(json).deserialize_map(InOrder).ok()
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members::new();
        while let Some(member) = map.next_entry::<Text, &RawValue>()? {
            members.push(member);
        }
        Ok(members)
    }
}
