//! *Raw* values, *numbers* and *fields* keep the characters they were read from.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

use super::shared::Shared;
use super::tape::{Json, Members, Name, walked};
use super::text::{Text, decoded};
use super::token::JsonType;
use super::write::{ObjectWriter, push_quoted};

/// Any JSON value, kept as its text and read only when somebody asks.
///
/// Equality is that of the text. Copies share it.
#[derive(Clone, PartialEq, Eq)]
pub struct Raw(Shared);

impl Raw {
    /// Wraps text that must be one JSON value.
    pub fn from_json(text: String) -> serde_json::Result<Self> {
        serde_json::from_str::<&RawValue>(&text).map(Self::from)
    }

    /// Wraps bytes that must be one JSON value; those that are not UTF-8 are read as U+FFFD.
    pub(crate) fn from_bytes(json: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_str::<&RawValue>(&decoded(json)).map(Self::from)
    }

    /// Text that was just written as one JSON value.
    pub fn written(json: String) -> Self {
        debug_assert!(serde_json::from_str::<&RawValue>(&json).is_ok(), "no JSON value: {json}");
        Self(json.into())
    }

    /// A value whose JSON text is known beforehand.
    pub const fn fixed(json: &'static str) -> Self {
        Self(Shared::fixed(json))
    }

    /// The characters of a JSON value.
    #[inline(always)]
    pub(super) const fn of(json: Shared) -> Self {
        Self(json)
    }

    /// `null`
    pub const fn null() -> Self {
        Self::fixed("null")
    }

    /// The value's text, as it was written.
    pub fn get(&self) -> &str {
        &self.0
    }

    /// The value's type.
    pub fn json_type(&self) -> JsonType {
        self.get().bytes().next().map_or(JsonType::Null, JsonType::of)
    }

    /// The string that the value is; `None` for other values.
    pub fn text(&self) -> Option<Text> {
        let token = self.get().strip_prefix('"')?.strip_suffix('"')?;
        Some(Text::from_token(token))
    }

    /// Reads the value by walking it.
    pub(crate) fn walked<T>(&self, read: impl FnOnce(Json<'_>) -> Result<T, FieldError>) -> Result<T, FieldError> {
        // Only a text of 4 GiB cannot be walked.
        let read = walked(self.get(), read);
        read.unwrap_or_else(|| Err(FieldError::new("a value of less than 4 GiB", self.get())))
    }

    /// Reads the value as `T`.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> serde_json::Result<T> {
        serde_json::from_str(self.get())
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl From<bool> for Raw {
    fn from(flag: bool) -> Self {
        Self::fixed(if flag { "true" } else { "false" })
    }
}

impl From<&str> for Raw {
    fn from(text: &str) -> Self {
        let mut json = String::with_capacity(text.len() + 2);
        push_quoted(&mut json, text);
        Self::written(json)
    }
}

impl From<&serde_json::Value> for Raw {
    fn from(value: &serde_json::Value) -> Self {
        // A `Value` is made of what JSON has, so its text is a JSON value.
        Self::written(value.to_string())
    }
}

impl From<Json<'_>> for Raw {
    #[inline]
    fn from(value: Json<'_>) -> Self {
        value.hand_raw(|raw| raw)
    }
}

impl From<&RawValue> for Raw {
    fn from(value: &RawValue) -> Self {
        Self(value.get().into())
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.read::<&RawValue>().map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|value| Self::from(&*value))
    }
}

/// A JSON number, kept as its decimal text: `1.10` stays `1.10`, and no digit is lost.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Number(Raw);

impl Number {
    /// The number's decimal text.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// The nearest double, as JavaScript reads it.
    pub fn as_f64(&self) -> f64 {
        self.get().parse().unwrap_or(f64::NAN)
    }

    pub(crate) fn from_raw(raw: &Raw) -> Option<Self> {
        (raw.json_type() == JsonType::Number).then(|| Self(raw.clone()))
    }

    pub(crate) fn from_json(json: Json<'_>) -> Option<Self> {
        Self::hand(json, |number| number)
    }

    /// Hands over the number that a value is; `None` for other values.
    #[inline(always)]
    pub(crate) fn hand<R>(json: Json<'_>, take: impl FnOnce(Self) -> R) -> Option<R> {
        (json.json_type() == JsonType::Number).then(|| json.hand_raw(|raw| take(Self(raw))))
    }
}

impl From<u64> for Number {
    fn from(number: u64) -> Self {
        Self(Raw::written(number.to_string()))
    }
}

/// An object's members in the order they were written. Of a repeated key the last value is kept, in the place of the
/// first, as in JavaScript.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(Text, Raw)>);

impl Fields {
    /// No members.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The value under `name`.
    pub fn get(&self, name: &str) -> Option<&Raw> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The string under `name`; `None` for other values.
    pub fn text(&self, name: &str) -> Option<Text> {
        self.get(name).and_then(Raw::text)
    }

    /// The object under `name`; `None` for other values.
    pub fn object(&self, name: &str) -> Option<Self> {
        Self::from_raw(self.get(name)?).ok()
    }

    /// Takes the value under `name` out.
    pub fn take(&mut self, name: &str) -> Option<Raw> {
        let at = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(at).1)
    }

    /// Sets `name` to `value`, in its old place or at the end.
    pub fn set(&mut self, name: impl Into<Text>, value: Raw) {
        let name = name.into();
        match self.0.iter_mut().find(|(key, _)| *key == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Appends a member that is known to be new.
    pub(crate) fn push(&mut self, name: impl Into<Text>, value: Raw) {
        self.0.push((name.into(), value));
    }

    /// Appends the members of another object, which are known to be new.
    pub(crate) fn extend(&mut self, others: &Self) {
        self.0.extend(others.0.iter().cloned());
    }

    /// These members with the values of `newer` where it has them, and what only `newer` has.
    pub(crate) fn replaced_by(&self, newer: &Self) -> Self {
        Self(last_wins(self.0.iter().chain(&newer.0).cloned().collect()))
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, &Raw)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Reads an object; the error for another value has no path.
    pub fn from_raw(raw: &Raw) -> Result<Self, FieldError> {
        raw.walked(Self::from_json)
    }

    /// Reads an object; the error for another value has no path.
    pub(crate) fn from_json(json: Json<'_>) -> Result<Self, FieldError> {
        let members = json.members().ok_or_else(|| FieldError::new("an object", json.get()))?;
        Ok(Self::of(members))
    }

    /// The members as they are written; of a repeated key the last value is kept, in the place of the first.
    pub(crate) fn of(members: Members<'_>) -> Self {
        Self(last_wins(members.map(|(name, value)| (name.into(), value.into())).collect()))
    }

    /// The object as one JSON value.
    pub fn to_raw(&self) -> Raw {
        Raw::written(self.to_json())
    }

    /// The object as JSON text without spaces.
    pub fn to_json(&self) -> String {
        let length = self.0.iter().map(|(key, value)| key.len() + value.get().len() + 4).sum::<usize>();
        let mut json = String::with_capacity(length + 2);
        self.push_json(&mut json);
        json
    }

    /// Appends the object as JSON text.
    pub fn push_json(&self, json: &mut String) {
        let mut object = ObjectWriter::begin(json);
        self.push_members(&mut object);
        object.end();
    }

    /// Appends the members to an object.
    pub(crate) fn push_members(&self, object: &mut ObjectWriter<'_>) {
        for (name, value) in self.iter() {
            object.member_of(|json| name.push_token(json)).push_str(value.get());
        }
    }
}

impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl IntoIterator for Fields {
    type Item = (Text, Raw);
    type IntoIter = std::vec::IntoIter<(Text, Raw)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Members whose names differ.
impl<const N: usize> From<[(&str, Raw); N]> for Fields {
    fn from(members: [(&str, Raw); N]) -> Self {
        Self(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

impl FromIterator<(Text, Raw)> for Fields {
    fn from_iter<I: IntoIterator<Item = (Text, Raw)>>(members: I) -> Self {
        let mut fields = Self::new();
        members.into_iter().for_each(|(name, value)| fields.set(name, value));
        fields
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_raw().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The whole is read as JSON first: a key alone would be taken with raw control characters.
        let raw = Raw::deserialize(deserializer)?;
        Self::from_raw(&raw).map_err(de::Error::custom)
    }
}

/// The members of an object as they are written, repeated keys and all.
#[derive(Default)]
pub(crate) struct WithRepeated(Vec<(Text, Raw)>);

impl WithRepeated {
    /// Appends a member.
    pub(crate) fn push(&mut self, name: Name<'_>, value: Json<'_>) {
        self.0.push((name.into(), value.into()));
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members; of a repeated key the last value is kept, in the place of the first.
    pub(crate) fn last_of_each(self) -> Fields {
        Fields(last_wins(self.0))
    }
}

/// Keeps of each repeated key the first place and the last value.
fn last_wins(members: Vec<(Text, Raw)>) -> Vec<(Text, Raw)> {
    const FEW: usize = 12;
    let is_met_before = |at: usize| members[..at].iter().any(|(name, _)| *name == members[at].0);
    if members.len() <= FEW && !(1..members.len()).any(is_met_before) {
        return members;
    }
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by(|&a, &b| members[a].0.cmp(&members[b].0));
    if order.windows(2).all(|pair| members[pair[0]].0 != members[pair[1]].0) {
        return members;
    }
    let mut value_of: Vec<Option<usize>> = vec![None; members.len()];
    for same in order.chunk_by(|&a, &b| members[a].0 == members[b].0) {
        value_of[same[0]] = same.last().copied();
    }
    let kept = value_of.iter().enumerate();
    kept.filter_map(|(at, value)| Some((members[at].0.clone(), members[(*value)?].1.clone()))).collect()
}

/// A known field that holds another JSON type than its meaning needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} should be {expected}, not {found}: {shown}", place(.path))]
pub struct FieldError {
    /// Where, as a JSON path such as `message.content[2].text`.
    pub path: String,
    /// What the field must be, with its article: `a string`, `an object`.
    pub expected: Cow<'static, str>,
    /// The type found.
    pub found: &'static str,
    /// The value found, cut to fit a line.
    pub shown: String,
}

/// A path in words; the empty path is the whole value.
fn place(path: &str) -> String {
    if path.is_empty() { "the value".to_owned() } else { format!("`{path}`") }
}

impl FieldError {
    /// An error about a whole value, given as JSON text, to be placed by [`FieldError::within`].
    pub fn new(expected: impl Into<Cow<'static, str>>, found: &str) -> Self {
        const SHOWN: usize = 40;
        let mut shown: String = found.chars().take(SHOWN).collect();
        if shown.len() < found.len() {
            shown.push('…');
        }
        let json_type = found.bytes().next().map_or(JsonType::Null, JsonType::of);
        Self { path: String::new(), expected: expected.into(), found: json_type.name(), shown }
    }

    /// The same error, seen from the object that has the value under `name`.
    #[must_use]
    pub fn within(mut self, name: &str) -> Self {
        self.path = match self.path.chars().next() {
            None => name.to_owned(),
            Some('[') => format!("{name}{}", self.path),
            Some(_) => format!("{name}.{}", self.path),
        };
        self
    }

    /// The same error, seen from the array that has the value at `index`.
    #[must_use]
    pub fn at(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }
}
