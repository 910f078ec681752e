//! *Names* stand for the ids of messages when two outputs with random ids are compared: an id's name is its place in
//! the order in which ids are first met. Times are not compared.

use std::collections::HashMap;

use crate::json::Value;

use super::alike::{alike, alike_members};

/// The number of each uuid, in the order in which they are met.
#[derive(Debug, Default)]
pub(super) struct Names<'a>(HashMap<&'a str, usize>);

impl<'a> Names<'a> {
    /// The names in these values.
    pub(super) fn of(values: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut names = Self::default();
        values.into_iter().for_each(|value| names.meet(value));
        names
    }

    fn meet(&mut self, value: &'a Value) {
        match value {
            Value::Array(elements) => elements.iter().for_each(|element| self.meet(element)),
            Value::Object(members) => {
                if let Some(Value::String(uuid)) = members.get("uuid") {
                    let next = self.0.len();
                    self.0.entry(uuid).or_insert(next);
                }
                members.values().for_each(|member| self.meet(member));
            }
            _ => {}
        }
    }

    /// Whether two values are alike, with these names in the one and others in the other.
    pub(super) fn is_same(&self, one: &Value, other: &Value, other_names: &Names<'_>) -> bool {
        match (one, other) {
            (Value::String(one), Value::String(other)) => {
                match (self.0.get(one.as_str()), other_names.0.get(other.as_str())) {
                    (None, None) => one == other,
                    (one, other) => one == other,
                }
            }
            (Value::Array(one), Value::Array(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| self.is_same(one, other, other_names))
            }
            (Value::Object(one), Value::Object(other)) => alike_members(
                one,
                other,
                |name, _| !is_time(name),
                |_, one, other| self.is_same(one, other, other_names),
            ),
            (one, other) => alike(one, other),
        }
    }

    /// The value with names for ids and without times, for people.
    pub(super) fn rename(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match self.0.get(text.as_str()) {
                Some(number) => Value::from(format!("id {number}")),
                None => value.clone(),
            },
            Value::Array(elements) => elements.iter().map(|element| self.rename(element)).collect(),
            Value::Object(members) => {
                let kept = members.iter().filter(|(name, _)| !is_time(name));
                Value::Object(kept.map(|(name, member)| (name.clone(), self.rename(member))).collect())
            }
            other => other.clone(),
        }
    }
}

/// Whether a member of this name holds a time.
fn is_time(name: &str) -> bool {
    matches!(name, "timestamp" | "createdAt")
}
