//! What of a block *fits* the table of shapes, said in a few plain lines: the table is read as the oracle tells it.

use std::sync::LazyLock;

use serde_json::{Map, Value};

static SHAPES: LazyLock<Value> = LazyLock::new(|| turnproof_rules::rules::shapes().into());

/// What fits of a block; all of it when its type is not in the table, and `None` when it lacks something.
pub fn fitted(block: &Value) -> Option<Value> {
    match SHAPES.get(block["type"].as_str().unwrap_or_default()) {
        Some(known) => with_members(block, &known["shape"]["members"]),
        None => Some(block.clone()),
    }
}

/// Who may hold blocks of a type; `None` when the type is not in the table.
pub fn holder(type_name: &str) -> Option<&'static str> {
    SHAPES.get(type_name)?["holder"].as_str()
}

fn with_members(value: &Value, members: &Value) -> Option<Value> {
    let mut fitting = Map::new();
    for (name, of) in members.as_object()? {
        let is_required = !name.ends_with('?');
        let name = name.trim_end_matches('?');
        match value.as_object()?.get(name).and_then(|member| fit(member, of)) {
            Some(member) => drop(fitting.insert(name.to_owned(), member)),
            None if is_required => return None,
            None => {}
        }
    }
    Some(Value::Object(fitting)).map(|mut object| {
        if let Some(type_name) =
            value.get("type").filter(|_| !members.as_object().is_some_and(|all| all.contains_key("type")))
        {
            object["type"] = type_name.clone();
        }
        object
    })
}

fn fit(value: &Value, form: &Value) -> Option<Value> {
    let text = value.as_str();
    let fits = match form {
        Value::String(simple) => match simple.as_str() {
            "string" => text.is_some(),
            "filled" => text.is_some_and(|text| !text.is_empty()),
            "name" => text.is_some_and(is_name),
            "integer" => value.is_i64() || value.is_u64(),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            _ => true,
        },
        Value::Array(alternatives) => match alternatives.as_slice() {
            [first, ..] if first.get("members").is_some() => return typed(value, alternatives),
            of => {
                let elements = value.as_array()?.iter().filter_map(|element| fit(element, of.first()?));
                return Some(elements.collect());
            }
        },
        form if form.get("one of").is_some() => text.is_some_and(|text| !text.is_empty()),
        form if form.get("only").is_some() => form["only"].as_array()?.contains(value),
        form if form.get("or null").is_some() && value.is_null() => true,
        form if form.get("or null").is_some() => return fit(value, &form["or null"]),
        form if form.get("either").is_some() => {
            return form["either"].as_array()?.iter().find_map(|form| fit(value, form));
        }
        members => {
            // A shape without a type.
            let mut object = with_members(value, members)?;
            object.as_object_mut()?.remove("type");
            return Some(object);
        }
    };
    fits.then(|| value.clone())
}

/// An object as the alternative of its type; as it is when there is none.
fn typed(value: &Value, alternatives: &[Value]) -> Option<Value> {
    let type_name = value.get("type")?.as_str().filter(|name| !name.is_empty())?;
    match alternatives.iter().find(|shape| shape["type"] == type_name) {
        Some(shape) => with_members(value, &shape["members"]),
        None => Some(value.clone()),
    }
}

/// Whether a tool may have the name.
pub fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
}
