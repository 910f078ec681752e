//! *Plain* JSON is a value as a rule looks at it, with the places of what such a value cannot hold.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::json::{Fields, JsonType, Raw, Text};

/// A JSON value, and where its text had halves of surrogate pairs (`\ud83d`), which neither UTF-8
/// nor a [`Value`] can hold: they are U+FFFD in the value. A number that no `f64` can hold (`1e400`) is
/// the largest one that it can, with its sign: it stays a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plain {
    /// The value.
    pub value: Value,
    /// The JSON paths of strings with lone surrogates, in the API's notation: `2.content.0.text`.
    /// A key with one is told by the path of the object that has it.
    pub lone_surrogates: Vec<String>,
}

impl Plain {
    /// Reads JSON text.
    ///
    /// # Errors
    /// What `serde_json` says of text that is not one JSON value, or is nested too deep.
    pub fn read(json: &str) -> serde_json::Result<Self> {
        match serde_json::from_str(json) {
            Ok(value) => Ok(Self { value, lone_surrogates: Vec::new() }),
            Err(error) => {
                // Lone surrogates and numbers beyond `f64` are what raw values accept and values do not.
                let raw: Raw = serde_json::from_str(json)?;
                let mut lone_surrogates = Vec::new();
                let value = lenient(&raw, String::new(), &mut lone_surrogates).ok_or(error)?;
                Ok(Self { value, lone_surrogates })
            }
        }
    }

    /// The elements of an array; none of any other value.
    pub fn elements(&self) -> &[Value] {
        self.value.as_array().map_or(&[], Vec::as_slice)
    }
}

impl From<Value> for Plain {
    fn from(value: Value) -> Self {
        Self { value, lone_surrogates: Vec::new() }
    }
}

/// Reads a value whose strings may hold lone surrogates; adds their paths to `found`.
fn lenient(raw: &Raw, path: String, found: &mut Vec<String>) -> Option<Value> {
    let below = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
    match raw.json_type() {
        JsonType::String => {
            let text: Text = raw.read().ok()?;
            if text.has_lone_surrogate() {
                found.push(path);
            }
            Some(Value::from(text.as_str()))
        }
        JsonType::Array => {
            let elements: Vec<Raw> = raw.read().ok()?;
            let read = |(index, element): (usize, &Raw)| lenient(element, below(&index.to_string()), found);
            elements.iter().enumerate().map(read).collect::<Option<Vec<_>>>().map(Value::Array)
        }
        JsonType::Object => {
            let fields = Fields::from_raw(raw).ok()?;
            let mut object = serde_json::Map::new();
            for (key, value) in fields.iter() {
                if key.has_lone_surrogate() {
                    found.push(path.clone());
                }
                object.insert(key.as_str().to_owned(), lenient(value, below(key), found)?);
            }
            Some(Value::Object(object))
        }
        JsonType::Number => {
            let largest = if raw.get().starts_with('-') { f64::MIN } else { f64::MAX };
            Some(raw.read().unwrap_or_else(|_| Value::from(largest)))
        }
        JsonType::Null | JsonType::Bool => raw.read().ok(),
    }
}

impl Serialize for Plain {
    /// Writes the value; lone surrogates are lost.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Raw::deserialize(deserializer)?;
        Self::read(raw.get()).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_the_replacement_character_and_are_told_by_path() {
        let plain = Plain::read(r#"[{"content":[{"text":"a\ud83d","k\udc00":1}]},"\ud83d\ude00"]"#).unwrap();
        assert_eq!(plain.lone_surrogates, ["0.content.0.text", "0.content.0"]);
        assert_eq!(plain.value[0]["content"][0]["text"], "a\u{FFFD}");
        assert_eq!(plain.value[1], "\u{1F600}");
    }

    #[test]
    fn numbers_beyond_f64_are_the_largest() {
        let plain = Plain::read("[1e400,-1e999,1.5]").unwrap();
        assert_eq!(plain.value, serde_json::json!([f64::MAX, f64::MIN, 1.5]));
        assert!(plain.lone_surrogates.is_empty());
    }

    #[test]
    fn text_that_is_no_json_is_an_error() {
        for json in ["", "{", "[1,]", r#"["\ud83d]"#, "[1e400", &"[".repeat(200)] {
            assert!(Plain::read(json).is_err(), "{json}");
        }
    }
}
