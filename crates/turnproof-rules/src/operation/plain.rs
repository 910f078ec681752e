//! *Plain* JSON is a value as a rule looks at it, with the places of what such a value cannot hold.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::json::{Object, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json::{self, Stop, Text, Tree, Unread};

/// A JSON value, and where its text had halves of surrogate pairs (`\ud83d`), which neither UTF-8 nor a [`Value`] can
/// hold: they are U+FFFD in the value. A number that no `f64` can hold (`1e400`) is the largest one that it can, with
/// its sign: it stays a number.
///
/// Copies share what they hold until one of them is changed.
#[derive(Clone, Debug, Default)]
pub struct Plain(Arc<Parts>);

/// The parts of plain JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// The value.
    pub value: Value,
    /// The JSON paths of strings with lone surrogates, in the API's notation: `2.content.0.text`. A key with one has
    /// the path of its object.
    pub lone_surrogates: Vec<String>,
}

impl Plain {
    /// What the error of [`read`](Self::read) says of JSON that is nested too deep; the words are `serde_json`'s.
    pub const TOO_DEEP: &str = "recursion limit exceeded";

    /// Reads JSON text; fails as `serde_json` does if it is not one JSON value, or is nested too deep.
    pub fn read(json: &str) -> serde_json::Result<Self> {
        Self::spelled(json, |text| text.lossy().into_owned())
    }

    /// As [`read`](Self::read), from bytes; those that are not UTF-8 are read as U+FFFD.
    pub(crate) fn read_bytes(json: &[u8]) -> serde_json::Result<Self> {
        // The check for UTF-8 takes eight bytes at a time, the search for other bytes takes one.
        std::str::from_utf8(json).map_or_else(|_| Self::read(&String::from_utf8_lossy(json)), Self::read)
    }

    /// As [`read`](Self::read), with texts that have lone surrogates spelled by `spell`.
    pub(crate) fn spelled(json: &str, spell: fn(&Text<'_>) -> String) -> serde_json::Result<Self> {
        // Lone surrogates and numbers beyond `f64` are what a tree holds and a value does not.
        let is_torn = match json::read_quickly(json) {
            Ok(value) => return Ok(value.into()),
            Err(unread) => unread == Unread::Torn,
        };
        if !is_torn && let Ok(value) = serde_json::from_str::<Value>(json) {
            return Ok(value.into());
        }
        Self::lenient(json, spell).or_else(|stop| match stop {
            // `serde_json` reports a lone surrogate that comes before.
            Stop::TooDeep => Err(serde::de::Error::custom(Self::TOO_DEEP)),
            Stop::End | Stop::Wrong => serde_json::from_str::<Value>(json).map(Self::from),
        })
    }

    /// What a tree holds, as a value.
    fn lenient(json: &str, spell: fn(&Text<'_>) -> String) -> Result<Self, Stop> {
        let tree = json::read_all(json.as_bytes())?;
        let mut lenient = Lenient { spell, path: Vec::new(), lone_surrogates: Vec::new() };
        let value = lenient.value(&tree);
        Ok(Self(Arc::new(Parts { value, lone_surrogates: lenient.lone_surrogates })))
    }

    /// The parts, taken out; a copy of them when they are shared.
    pub fn into_parts(self) -> Parts {
        Arc::unwrap_or_clone(self.0)
    }

    /// The value, taken out; a copy of it when it is shared.
    pub fn into_value(self) -> Value {
        self.into_parts().value
    }

    /// The elements of an array; empty for any other value.
    pub fn elements(&self) -> &[Value] {
        self.value.as_array().map_or(&[], Vec::as_slice)
    }
}

impl Deref for Plain {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl DerefMut for Plain {
    fn deref_mut(&mut self) -> &mut Parts {
        Arc::make_mut(&mut self.0)
    }
}

impl PartialEq for Plain {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl From<Value> for Plain {
    fn from(value: Value) -> Self {
        Self(Arc::new(Parts { value, lone_surrogates: Vec::new() }))
    }
}

impl From<serde_json::Value> for Plain {
    fn from(value: serde_json::Value) -> Self {
        Value::from(value).into()
    }
}

/// A step of a path, to a member or to an element.
enum Step {
    Member(String),
    Element(usize),
}

/// The path of these steps; an empty name at its start is left out.
fn path_of(steps: &[Step]) -> String {
    steps.iter().fold(String::new(), |path, step| {
        let dot = if path.is_empty() { "" } else { "." };
        match step {
            Step::Member(name) => format!("{path}{dot}{name}"),
            Step::Element(index) => format!("{path}{dot}{index}"),
        }
    })
}

/// How a tree becomes a value.
struct Lenient {
    spell: fn(&Text<'_>) -> String,
    /// The steps to what is read now.
    path: Vec<Step>,
    /// The paths of the texts that have lone surrogates.
    lone_surrogates: Vec<String>,
}

impl Lenient {
    fn value(&mut self, tree: &Tree<'_>) -> Value {
        match tree {
            Tree::Null => Value::Null,
            Tree::Boolean(flag) => Value::from(*flag),
            Tree::Number(digits) => number(digits),
            Tree::Text(text) => Value::from(self.text(text)),
            Tree::Array(elements) => {
                elements.iter().enumerate().map(|(index, element)| self.element(index, element)).collect()
            }
            Tree::Object(members) => {
                let mut object = Object::new();
                for (key, member) in json::last_of_each_key(members) {
                    let key = self.text(key);
                    self.path.push(Step::Member(key));
                    let member = self.value(member);
                    if let Some(Step::Member(key)) = self.path.pop() {
                        object.insert(key, member);
                    }
                }
                Value::Object(object)
            }
        }
    }

    fn element(&mut self, index: usize, element: &Tree<'_>) -> Value {
        self.path.push(Step::Element(index));
        let value = self.value(element);
        self.path.pop();
        value
    }

    fn text(&mut self, text: &Text<'_>) -> String {
        if !text.is_torn() {
            return text.lossy().into_owned();
        }
        self.lone_surrogates.push(path_of(&self.path));
        (self.spell)(text)
    }
}

/// The value of a number; beyond `f64`, the largest with its sign.
fn number(digits: &[u8]) -> Value {
    let largest = if digits.starts_with(b"-") { f64::MIN } else { f64::MAX };
    serde_json::from_slice(digits).unwrap_or_else(|_| Value::from(largest))
}

impl Serialize for Plain {
    /// Writes the value; lone surrogates are lost.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::read(raw.get()).map_err(serde::de::Error::custom)
    }
}
