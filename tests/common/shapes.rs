//! What of a block *fits* the table of shapes, said in a few plain lines.

use serde_json::{Map, Value};
pub(crate) use turnproof_format::is_tool_name as is_name;
use turnproof_format::shapes::{self, Form, Holder, Shape};

/// What fits of a block; all of it when its type is not in the table, and `None` when it lacks something.
pub(crate) fn fitted(block: &Value) -> Option<Value> {
    match shapes::block(block["type"].as_str().unwrap_or_default()) {
        Some(shape) => with_members(block, shape),
        None => Some(block.clone()),
    }
}

/// Who may hold blocks of a type; `None` when the type is not in the table.
pub(crate) fn holder(type_name: &str) -> Option<Holder> {
    shapes::block(type_name).map(|shape| shape.holder)
}

fn with_members(value: &Value, shape: &Shape) -> Option<Value> {
    let mut fitting = Map::new();
    for member in &shape.members {
        match value.as_object()?.get(member.name).and_then(|value| fit(value, &member.form)) {
            Some(value) => drop(fitting.insert(member.name.to_owned(), value)),
            None if member.is_required => return None,
            None => {}
        }
    }
    if !shape.name.is_empty() {
        fitting.insert("type".to_owned(), shape.name.into());
    }
    Some(Value::Object(fitting))
}

fn fit(value: &Value, form: &Form) -> Option<Value> {
    let text = value.as_str();
    let fits = match form {
        Form::Text => text.is_some(),
        Form::Filled | Form::OneOf(_) => text.is_some_and(|text| !text.is_empty()),
        Form::ToolName => text.is_some_and(is_name),
        Form::Only(words) => text.is_some_and(|text| words.contains(&text)),
        Form::Whole => value.is_i64() || value.is_u64(),
        Form::Flag => value.is_boolean(),
        Form::Object => value.is_object(),
        Form::Anything => true,
        Form::List(of) => return Some(value.as_array()?.iter().filter_map(|element| fit(element, of)).collect()),
        Form::Typed(alternatives) => return typed(value, alternatives),
        Form::Untyped(shape) => return with_members(value, shape),
        Form::Either(forms) => return forms.iter().find_map(|form| fit(value, form)),
        Form::OrNull(_) if value.is_null() => true,
        Form::OrNull(of) => return fit(value, of),
    };
    fits.then(|| value.clone())
}

/// An object as the alternative of its type; as it is when there is none.
fn typed(value: &Value, alternatives: &[&Shape]) -> Option<Value> {
    let type_name = value.get("type")?.as_str().filter(|name| !name.is_empty())?;
    match alternatives.iter().find(|shape| shape.name == type_name) {
        Some(shape) => with_members(value, shape),
        None => Some(value.clone()),
    }
}
