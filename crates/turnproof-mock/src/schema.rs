//! A *value that fits a JSON Schema*, the smallest that is found: what a model would give as the input of a tool.

use serde_json::{Map, Value, json};

/// How deep schemas are followed.
const DEEPEST: usize = 16;

/// A value that fits a schema.
pub fn fitting(schema: &Value) -> Value {
    Maker { root: schema }.make(schema, 0)
}

/// A part of a schema without references and alternatives.
pub(crate) fn resolved(root: &Value, part: &Value) -> Value {
    Maker { root }.resolved(part, 0)
}

struct Maker<'a> {
    root: &'a Value,
}

impl Maker<'_> {
    fn make(&self, schema: &Value, depth: usize) -> Value {
        let schema = &self.resolved(schema, depth);
        let first = |name: &str| schema.get(name)?.as_array()?.first();
        if depth > DEEPEST {
            return Value::Null;
        }
        if let Some(value) = schema.get("const").or_else(|| first("enum")) {
            return value.clone();
        }
        if let Some(value) = schema.get("default").filter(|value| !value.is_null()).or_else(|| first("examples")) {
            return value.clone();
        }
        match kind(schema) {
            "object" => self.object(schema, depth),
            "array" => self.array(schema, depth),
            "string" => string(schema).into(),
            "integer" | "number" => number(schema),
            "boolean" => false.into(),
            "null" => Value::Null,
            _ => json!("demo"),
        }
    }

    /// A schema without references and alternatives: the first of each is taken, and what all must fit is joined.
    fn resolved(&self, schema: &Value, depth: usize) -> Value {
        let mut schema = schema.clone();
        for _ in 0..=DEEPEST.saturating_sub(depth) {
            let reference =
                schema.get("$ref").and_then(Value::as_str).and_then(|at| self.root.pointer(at.strip_prefix('#')?));
            let Some(next) = reference.or_else(|| alternative(&schema)).cloned() else { break };
            let Some(members) = schema.as_object_mut() else { break };
            for name in ["$ref", "anyOf", "oneOf"] {
                members.remove(name);
            }
            join(members, &next);
        }
        let parts = schema.get("allOf").and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some(members) = schema.as_object_mut().filter(|_| depth < DEEPEST) {
            members.remove("allOf");
            parts.iter().for_each(|part| join(members, &self.resolved(part, depth + 1)));
        }
        schema
    }

    fn object(&self, schema: &Value, depth: usize) -> Value {
        let empty = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let required = schema.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let names = required.iter().filter_map(Value::as_str);
        let any = json!({});
        let member = |name: &str| (name.to_owned(), self.make(properties.get(name).unwrap_or(&any), depth + 1));
        let mut members: Map<String, Value> = names.map(member).collect();
        let fewest = schema.get("minProperties").and_then(Value::as_u64).unwrap_or(0) as usize;
        for name in properties.keys() {
            if members.len() >= fewest {
                break;
            }
            let (name, value) = member(name);
            members.entry(name).or_insert(value);
        }
        members.into()
    }

    fn array(&self, schema: &Value, depth: usize) -> Value {
        let leading = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let fewest = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(64) as usize;
        let mut items: Vec<Value> = leading.iter().map(|item| self.make(item, depth + 1)).collect();
        let any = json!({"type": "string"});
        let item = schema.get("items").filter(|items| items.is_object()).unwrap_or(&any);
        while items.len() < fewest {
            items.push(self.make(item, depth + 1));
        }
        items.into()
    }
}

fn alternative(schema: &Value) -> Option<&Value> {
    let of = |name: &str| {
        let parts = schema.get(name)?.as_array()?;
        parts.iter().find(|part| kind(part) != "null").or_else(|| parts.first())
    };
    of("anyOf").or_else(|| of("oneOf"))
}

/// Joins the members of a schema with those of another that must hold, too.
fn join(members: &mut Map<String, Value>, other: &Value) {
    for (name, value) in other.as_object().into_iter().flatten() {
        match (members.get_mut(name), value) {
            (Some(Value::Object(known)), Value::Object(more)) => {
                for (name, value) in more {
                    known.entry(name).or_insert_with(|| value.clone());
                }
            }
            (Some(Value::Array(known)), Value::Array(more)) if name == "required" => known.extend(more.iter().cloned()),
            (Some(_), _) => {}
            (None, value) => drop(members.insert(name.clone(), value.clone())),
        }
    }
}

/// The type of the values of a schema; the first that is not null, where there are several.
fn kind(schema: &Value) -> &str {
    let named = match schema.get("type") {
        Some(Value::String(kind)) => Some(kind.as_str()),
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").or(Some("null"))
        }
        _ => None,
    };
    let has = |name: &str| schema.get(name).is_some();
    named.unwrap_or_else(|| match () {
        () if has("properties") => "object",
        () if has("items") || has("prefixItems") => "array",
        () => "",
    })
}

fn string(schema: &Value) -> String {
    let length = |name: &str| schema.get(name).and_then(Value::as_u64).map(|length| length.min(1 << 16) as usize);
    let text = match schema.get("format").and_then(Value::as_str).unwrap_or_default() {
        "uri" | "url" | "uri-reference" => "https://example.com/",
        "date" => "2026-01-01",
        "time" => "00:00:00Z",
        "date-time" => "2026-01-01T00:00:00Z",
        "duration" => "P1D",
        "email" => "demo@example.com",
        "uuid" => "00000000-0000-4000-8000-000000000000",
        "ipv4" => "127.0.0.1",
        "ipv6" => "::1",
        "hostname" => "example.com",
        _ => "demo",
    };
    let mut text = text.to_owned();
    while text.chars().count() < length("minLength").unwrap_or(0) {
        text.push('a');
    }
    match length("maxLength") {
        Some(most) => text.chars().take(most).collect(),
        None => text,
    }
}

fn number(schema: &Value) -> Value {
    let is_whole = kind(schema) == "integer";
    let at = |name: &str| schema.get(name).and_then(Value::as_f64);
    let above = at("exclusiveMinimum").map(|least| if is_whole { least.floor() + 1.0 } else { least + 0.5 });
    let least = at("minimum").into_iter().chain(above).fold(f64::NEG_INFINITY, f64::max);
    let below = at("exclusiveMaximum").map(|most| if is_whole { most.ceil() - 1.0 } else { most - 0.5 });
    let most = at("maximum").into_iter().chain(below).fold(f64::INFINITY, f64::min);
    let mut value = 1.0_f64.min(most).max(least);
    if let Some(step) = at("multipleOf").filter(|step| *step > 0.0) {
        value = (value / step).ceil() * step;
    }
    match is_whole || value.fract() == 0.0 {
        true => json!(value.ceil() as i64),
        false => json!(value),
    }
}
