//! What *fits* is the part of a value that the API takes: without members that its shape does not have, without
//! elements and optional members that are half-written. A value of an unknown type fits as it is.

use std::borrow::Cow;

use turnproof_format::is_tool_name;
use turnproof_format::shapes::{Form, Member, Shape, part};

use crate::json::{Object, Value};

use crate::rules::value::kind;

/// What fits of a block of this shape; `None` when it lacks what its type requires.
pub(in crate::rules) fn fitted_block<'a>(block: &'a Value, shape: &Shape) -> Option<Cow<'a, Value>> {
    block.as_object().and_then(|members| fitted_members(block, members, shape))
}

/// What fits of a part of a tool's result; `None` when nothing does.
pub(in crate::rules) fn fitted_part(value: &Value) -> Option<Cow<'_, Value>> {
    fitted(value, part())
}

/// The part of a value that fits a form; `None` when nothing does.
fn fitted<'a>(value: &'a Value, form: &Form) -> Option<Cow<'a, Value>> {
    match (form, value) {
        (Form::Anything, _) | (Form::Text, Value::String(_)) | (Form::Flag, Value::Bool(_)) => {}
        (Form::Object, Value::Object(_)) | (Form::OrNull(_), Value::Null) => {}
        (Form::Filled | Form::OneOf(_), Value::String(text)) if !text.is_empty() => {}
        (Form::Only(names), Value::String(name)) if names.contains(&name.as_str()) => {}
        (Form::ToolName, Value::String(name)) if is_tool_name(name) => {}
        (Form::Whole, Value::Number(number)) if number.is_i64() || number.is_u64() => {}
        (Form::OrNull(of), value) => return fitted(value, of),
        (Form::Either(forms), value) => return forms.iter().find_map(|form| fitted(value, form)),
        (Form::List(of), Value::Array(elements)) => return Some(fitted_list(value, elements, of)),
        (Form::Untyped(shape), Value::Object(members)) => return fitted_members(value, members, shape),
        (Form::Typed(shapes), Value::Object(members)) => match shapes.iter().find(|shape| shape.name == kind(value)) {
            Some(shape) => return fitted_members(value, members, shape),
            None if kind(value).is_empty() => return None,
            None => {}
        },
        _ => return None,
    }
    Some(Cow::Borrowed(value))
}

fn fitted_list<'a>(value: &'a Value, elements: &'a [Value], of: &Form) -> Cow<'a, Value> {
    let fitting: Vec<Cow<'a, Value>> = elements.iter().filter_map(|element| fitted(element, of)).collect();
    let is_whole = fitting.len() == elements.len() && fitting.iter().all(|element| matches!(element, Cow::Borrowed(_)));
    if is_whole {
        return Cow::Borrowed(value);
    }
    Cow::Owned(Value::Array(fitting.into_iter().map(Cow::into_owned).collect()))
}

fn fitted_members<'a>(value: &'a Value, members: &'a Object, shape: &Shape) -> Option<Cow<'a, Value>> {
    let mut fitting: Vec<(&str, Cow<'a, Value>)> = Vec::with_capacity(members.len());
    for Member { name, is_required, form } in &shape.members {
        match members.get(name).and_then(|value| fitted(value, form)) {
            Some(value) => fitting.push((name, value)),
            None if *is_required => return None,
            None => {}
        }
    }
    let named = usize::from(!shape.name.is_empty());
    let is_whole = fitting.len() + named == members.len();
    if is_whole && fitting.iter().all(|(_, value)| matches!(value, Cow::Borrowed(_))) {
        return Some(Cow::Borrowed(value));
    }
    let mut kept: Object = fitting.into_iter().map(|(name, value)| (name.to_owned(), value.into_owned())).collect();
    if named == 1 {
        kept.insert("type".to_owned(), shape.name.into());
    }
    Some(Cow::Owned(Value::Object(kept)))
}
