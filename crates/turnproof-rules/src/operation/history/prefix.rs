//! The *prefix* that two requests share, in the order in which a host caches it: tools, system prompt, messages.

use super::super::request::Request;
use super::piece::{CACHE_POINT, Piece, said};
use crate::json::Value;

/// How much of the earlier request the later one begins with.
#[derive(Debug, Default)]
pub(crate) struct Prefix {
    /// Turns of the earlier request that are the same, and all.
    pub(crate) turns: (usize, usize),
    /// Bytes of tools, system prompt and messages that are the same, and all; cache points left out.
    pub(crate) bytes: (usize, usize),
    /// The path of what first differs; `None` where nothing does.
    pub(crate) broken: Option<String>,
}

impl Prefix {
    pub(super) fn of(earlier: &Request, later: &Request, before: &[Piece<'_>], after: &[Piece<'_>]) -> Self {
        let mut prefix = Self { turns: (0, earlier.messages.len()), ..Self::default() };
        // Another model has another cache.
        prefix.compare_member(earlier, later, "model");
        prefix.compare_list(earlier, later, "tools");
        prefix.compare_list(earlier, later, "system");
        // These are part of what the messages are read with.
        prefix.compare_member(earlier, later, "tool_choice");
        prefix.compare_member(earlier, later, "thinking");
        prefix.compare_messages(before, after);
        prefix
    }

    fn compare_member(&mut self, earlier: &Request, later: &Request, name: &str) {
        let of = |request: &Request| request.body.get(name).map(said);
        if of(earlier) != of(later) {
            self.broken.get_or_insert_with(|| name.to_owned());
        }
    }

    fn compare_list(&mut self, earlier: &Request, later: &Request, name: &str) {
        let (one, other) = (elements(earlier, name), elements(later, name));
        for (index, element) in one.iter().enumerate() {
            let same = other.get(index).is_some_and(|other| said(other) == said(element));
            let path = || difference(element, other.get(index).copied(), format!("{name}.{index}"));
            self.add(size(element), same, path);
        }
        if other.len() > one.len() {
            self.broken.get_or_insert_with(|| format!("{name}.{}", one.len()));
        }
    }

    fn compare_messages(&mut self, before: &[Piece<'_>], after: &[Piece<'_>]) {
        for (index, piece) in before.iter().enumerate() {
            let other = after.get(index);
            let same = other.is_some_and(|other| other.said == piece.said);
            self.add(size(piece.value), same, || difference(piece.value, other.map(|other| other.value), piece.path()));
            let is_last = before.get(index + 1).is_none_or(|next| next.turn != piece.turn);
            self.turns.0 += usize::from(is_last && self.broken.is_none());
        }
    }

    /// Adds so many bytes, which are the same or not.
    fn add(&mut self, bytes: usize, same: bool, path: impl FnOnce() -> String) {
        self.bytes.1 += bytes;
        if !same {
            self.broken.get_or_insert_with(path);
        }
        self.bytes.0 += if self.broken.is_none() { bytes } else { 0 };
    }
}

/// The elements of a member; a text is one.
fn elements<'a>(request: &'a Request, name: &str) -> Vec<&'a Value> {
    match request.body.get(name) {
        Some(Value::Array(elements)) => elements.iter().collect(),
        None | Some(Value::Null) => Vec::new(),
        Some(other) => vec![other],
    }
}

/// The path of what first differs in two values.
fn difference(one: &Value, other: Option<&Value>, path: String) -> String {
    let Some(other) = other else { return path };
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            let at = one.iter().zip(other).position(|(one, other)| said(one) != said(other));
            at.map_or(path.clone(), |at| difference(&one[at], Some(&other[at]), format!("{path}.{at}")))
        }
        (Value::Object(one), Value::Object(other)) => {
            let members = || one.iter().filter(|(name, _)| &***name != CACHE_POINT);
            let first = members().find(|(name, value)| other.get(name).map(said) != Some(said(value)));
            match first {
                Some((name, value)) => difference(value, other.get(name), format!("{path}.{}", &**name)),
                None => path,
            }
        }
        _ => path,
    }
}

/// How many bytes a value takes, about: escapes are not counted.
fn size(value: &Value) -> usize {
    match value {
        Value::Null => 4,
        Value::Bool(flag) => 5 - usize::from(*flag),
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => text.len() + 2,
        Value::Array(values) => 2 + values.iter().map(|value| size(value) + 1).sum::<usize>().saturating_sub(1),
        Value::Object(members) => {
            let said = members.iter().filter(|(name, _)| &***name != CACHE_POINT);
            2 + said.map(|(name, value)| name.len() + size(value) + 4).sum::<usize>().saturating_sub(1)
        }
    }
}
