//! A *document* is what a recorder wrote, as a JSON value: read from JSON, JSON Lines or YAML.
//!
//! Bytes that YAML holds as `!!binary` become `{"base64_string": …}`, which is how VCR for Ruby writes them in JSON.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use serde_json::{Map, Number, Value};

/// So deep documents may nest.
const DEEPEST: usize = 128;

/// The documents of YAML text. It fails where the text is no YAML, and says at which line.
pub(super) fn yaml(text: &str) -> Result<Vec<Value>, String> {
    let mut tree = Tree::default();
    for event in Parser::new_from_str(text) {
        let (event, _) =
            event.map_err(|error| format!("no YAML at line {}: {}", error.marker().line(), error.info()))?;
        tree.take(event)?;
    }
    Ok(tree.documents)
}

/// The documents of JSON text: one, or one a line. It fails where neither is there.
pub(super) fn json(text: &str) -> Result<Vec<Value>, String> {
    let whole = match serde_json::from_str(text) {
        Ok(document) => return Ok(vec![document]),
        Err(error) => error,
    };
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let first = lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
    if first.is_none_or(|first| !first.is_object()) {
        return Err(format!("no JSON: {whole}"));
    }
    // A line that cannot be read is an exchange that is not whole.
    Ok(lines().map(|line| serde_json::from_str(line).unwrap_or_default()).collect())
}

/// The value at a path of members, as text.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str()
}

/// The status at a path: a number, or a text that begins with one (`200 OK`).
pub(super) fn status(value: &Value, pointer: &str) -> Option<u16> {
    match value.pointer(pointer)? {
        Value::Number(number) => number.as_u64()?.try_into().ok(),
        Value::String(text) => text.get(..3)?.parse().ok(),
        _ => None,
    }
}

/// Documents as they grow from events.
#[derive(Default)]
struct Tree {
    documents: Vec<Value>,
    open: Vec<Open>,
    anchors: HashMap<usize, Value>,
}

/// A list or a mapping that has not ended, with its anchor.
enum Open {
    List(usize, Vec<Value>),
    Mapping(usize, Map<String, Value>, Option<String>),
}

impl Tree {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        if self.open.len() > DEEPEST {
            return Err(format!("nested more than {DEEPEST} deep"));
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.give(anchor, scalar(&text, style, tag.as_deref()));
            }
            Event::Alias(anchor) => {
                let value = self.anchors.get(&anchor).cloned().unwrap_or_default();
                self.give(0, value);
            }
            Event::SequenceStart(anchor, _) => self.open.push(Open::List(anchor, Vec::new())),
            Event::MappingStart(anchor, _) => self.open.push(Open::Mapping(anchor, Map::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(anchor, values)) => self.give(anchor, Value::Array(values)),
                Some(Open::Mapping(anchor, members, _)) => self.give(anchor, Value::Object(members)),
                None => {}
            },
            _ => {}
        }
        Ok(())
    }

    /// Puts a value where it belongs.
    fn give(&mut self, anchor: usize, value: Value) {
        if anchor > 0 {
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut() {
            None => self.documents.push(value),
            Some(Open::List(_, values)) => values.push(value),
            Some(Open::Mapping(_, members, name)) => match name.take() {
                Some(name) => _ = members.insert(name, value),
                None => *name = Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
            },
        }
    }
}

/// A scalar as its tag says, or as it looks where it has none and is plain.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    match tag.map(|tag| tag.suffix.as_str()) {
        Some("binary") => return Value::Object(Map::from_iter([("base64_string".to_owned(), text.into())])),
        Some(_) => return text.into(),
        None => {}
    }
    if style != ScalarStyle::Plain {
        return text.into();
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        _ => text.parse::<Number>().map_or_else(|_| text.into(), Value::Number),
    }
}
