//! *Alike* are values that are equal whatever language wrote them: each number counts as the nearest double, 0 without
//! a sign.
//!
//! Languages differ in what they make of `2.50`, `-0.0` and more than 53 bits. Values are compared without a copy; only
//! values that a report shows are brought to canonical form, in which alike values are equal.

use std::collections::HashMap;
use std::hash::Hash;

use serde_json::Number;

use super::Sentence;
use crate::json::{Object, Str, Value};

/// Whether two values are alike.
pub(super) fn alike(one: &Value, other: &Value) -> bool {
    equal(one, other, |one, other| one == other || canonical_number(one) == canonical_number(other))
}

/// Whether two values are alike, and whole numbers have the same digits: those of 64 bits are no doubles.
pub(super) fn exactly_alike(one: &Value, other: &Value) -> bool {
    equal(one, other, |one, other| match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one == other,
        _ => canonical_number(one) == canonical_number(other),
    })
}

/// A whole number; `None` for any other, and for one that is too large to be known by its digits.
fn whole(number: &Number) -> Option<i128> {
    const LIMIT: f64 = 1e30;
    let digits = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    let double = || number.as_f64().filter(|double| double.fract() == 0.0 && double.abs() < LIMIT);
    digits.or_else(|| double().map(|double| double as i128))
}

/// Whether two values have the same text, numbers and the sign of 0 included.
pub(super) fn identical(one: &Value, other: &Value) -> bool {
    equal(one, other, |one, other| one == other && is_negative(one) == is_negative(other))
}

fn is_negative(number: &Number) -> bool {
    number.as_f64().is_some_and(f64::is_sign_negative)
}

/// Whether two values are equal, with numbers compared by `is_same`.
fn equal(one: &Value, other: &Value, is_same: fn(&Number, &Number) -> bool) -> bool {
    // The same value may be given twice.
    if std::ptr::eq(one, other) {
        return true;
    }
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => is_same(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other, is_same))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.is_same(other) || alike_members(one, other, |_, _| true, |_, one, other| equal(one, other, is_same))
        }
        (one, other) => one == other,
    }
}

/// A member in which two objects differ.
pub(super) struct OtherMember<'a> {
    pub(super) name: &'a Str,
    /// The kind of the violation: `without-text`, `with-text` or `other-text`.
    pub(super) kind: &'static str,
    /// The same in words that no value is in.
    pub(super) words: String,
}

macro_rules! kinds_of_members {
    ($($word:literal $name:literal)*) => {
        /// The kinds of violations in which a member is lost, new or another one.
        fn kinds_of_member(name: &str) -> [&'static str; 3] {
            match name {
                $($name => [concat!("without-", $word), concat!("with-", $word), concat!("other-", $word)],)*
                _ => ["without-member", "with-member", "other-member"],
            }
        }
    };
}

kinds_of_members! {
    "id" "id" "type" "type" "role" "role" "model" "model" "content" "content" "usage" "usage"
    "stop-reason" "stop_reason" "stop-sequence" "stop_sequence" "stop-details" "stop_details"
    "container" "container" "context-management" "context_management" "text" "text" "name" "name" "input" "input"
    "call" "tool_use_id" "error" "is_error" "cache-control" "cache_control" "citations" "citations"
    "source" "source" "title" "title" "context" "context" "signature" "signature" "thinking" "thinking"
    "data" "data" "caller" "caller"
}

/// The first member in which two objects differ: one that is lost comes first.
pub(super) fn other_member<'a>(
    had: &'a Object,
    has: &'a Object,
    is_alike: fn(&Value, &Value) -> bool,
) -> Option<OtherMember<'a>> {
    let mut names: Vec<&Str> = had.keys().chain(has.keys().filter(|name| !had.contains_key(name))).collect();
    names.sort_unstable_by_key(|name| (has.contains_key(name), *name));
    names.into_iter().find_map(|name| {
        let [without, with, other] = kinds_of_member(name);
        let (kind, words) = match (had.get(name), has.get(name)) {
            (Some(_), None) => (without, format!("without its {}", as_word(name))),
            (None, Some(_)) => (with, format!("with {}", as_word(name))),
            (Some(one), Some(two)) if !is_alike(one, two) => (other, format!("with another {}", as_word(name))),
            _ => return None,
        };
        Some(OtherMember { name, kind, words })
    })
}

/// The name of a member as a word; one that is no word is quoted.
fn as_word(name: &str) -> String {
    let is_of_word = |letter: u8| letter.is_ascii_lowercase() || letter == b'_';
    if name.bytes().all(is_of_word) { name.to_owned() } else { format!("{name:?}") }
}

/// The innermost part in which two values differ; `None` where it is missing.
pub(super) struct OtherPart<'a> {
    /// Its place, such as `content[0].text`.
    path: String,
    found: Option<&'a Value>,
    expected: Option<&'a Value>,
}

impl OtherPart<'_> {
    /// What is there, and what is expected, for people.
    pub(super) fn in_words(&self) -> (Sentence, Sentence) {
        let found = self.found.map_or("missing".to_owned(), in_short);
        let expected = self.expected.map_or("no such member".to_owned(), in_short);
        (sentence!("`{path}` is {found}", path = &self.path, found), sentence!("{expected}", expected))
    }
}

/// The first part in which two values differ that are not alike. The path begins with what leads to the values.
pub(super) fn other_part<'a>(
    from: &str,
    found: impl Into<Option<&'a Value>>,
    expected: impl Into<Option<&'a Value>>,
    is_alike: fn(&Value, &Value) -> bool,
) -> OtherPart<'a> {
    let mut part = OtherPart { path: from.to_owned(), found: found.into(), expected: expected.into() };
    let differ = |one: Option<&Value>, other: Option<&Value>| {
        let [one, other] = [one, other].map(|value| value.unwrap_or(&Value::Null));
        !is_alike(one, other)
    };
    loop {
        let path = &part.path;
        let inner = match (part.found, part.expected) {
            (Some(Value::Object(found)), Some(Value::Object(expected))) => {
                let mut names = expected.keys().chain(found.keys());
                let name = names.find(|name| differ(found.get(name), expected.get(name)));
                name.map(|name| {
                    let dot = if path.is_empty() { "" } else { "." };
                    (format!("{path}{dot}{name}"), found.get(name), expected.get(name))
                })
            }
            (Some(Value::Array(found)), Some(Value::Array(expected))) if found.len() == expected.len() => {
                let at = (0..found.len()).find(|at| differ(found.get(*at), expected.get(*at)));
                at.map(|at| (format!("{path}[{at}]"), found.get(at), expected.get(at)))
            }
            _ => None,
        };
        let Some((path, found, expected)) = inner else { return part };
        part = OtherPart { path, found, expected };
    }
}

/// Whether two objects have the same members, each with a value that is alike in the given sense. Only the members that
/// `is_compared` names count.
pub(super) fn alike_members(
    one: &Object,
    other: &Object,
    is_compared: impl Fn(&str, &Value) -> bool,
    mut is_alike: impl FnMut(&str, &Value, &Value) -> bool,
) -> bool {
    let is_kept = |(name, value): &(&Str, &Value)| is_compared(name, value);
    let mut others = other.iter().filter(is_kept);
    for (name, value) in one.iter().filter(is_kept) {
        let found = match others.next() {
            // Members mostly come in one order on both sides.
            Some((next, found)) if next == name => Some(found),
            Some(_) => other.get(name).filter(|found| is_compared(name, found)),
            None => None,
        };
        if !found.is_some_and(|found| is_alike(name, value, found)) {
            return false;
        }
    }
    others.next().is_none()
}

/// The first place where two lists differ, if there is one.
pub(super) fn difference<T>(one: &[T], other: &[T], is_same: impl Fn(&T, &T) -> bool) -> Option<usize> {
    let same = one.iter().zip(other).take_while(|(a, b)| is_same(a, b)).count();
    (same < one.len().max(other.len())).then_some(same)
}

/// The value in canonical form, in which alike values are equal.
pub(super) fn canonical(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(canonical_number(number)),
        Value::Array(elements) => elements.iter().map(canonical).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), canonical(value))).collect(),
        other => other.clone(),
    }
}

fn canonical_number(number: &Number) -> Number {
    let double = number.as_f64().and_then(|double| Number::from_f64(double + 0.0));
    double.unwrap_or_else(|| number.clone())
}

/// *Numbers* stand for values when many are searched among many: equal values have the same one. Values are met by a
/// key that equal ones have in common.
#[derive(Debug)]
pub(super) struct Numbers<'a, K> {
    met: HashMap<K, Vec<(usize, &'a Value)>>,
    /// How many different values have been met.
    pub(super) count: usize,
}

impl<K> Default for Numbers<'_, K> {
    fn default() -> Self {
        Self { met: HashMap::new(), count: 0 }
    }
}

impl<'a, K: Eq + Hash> Numbers<'a, K> {
    /// The number of a value.
    pub(super) fn of(&mut self, key: K, value: &'a Value, is_same: fn(&Value, &Value) -> bool) -> usize {
        let met = self.met.entry(key).or_default();
        if let Some((number, _)) = met.iter().find(|(_, other)| is_same(other, value)) {
            return *number;
        }
        met.push((self.count, value));
        self.count += 1;
        self.count - 1
    }
}

/// The start of a value's JSON, for people.
pub(super) fn in_short(value: &Value) -> String {
    excerpt(value.to_string(), 200)
}

/// The start of a text of more than `most` characters.
pub(super) fn excerpt(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
