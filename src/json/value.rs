//! *Raw* values, *numbers* and *fields* keep the characters they were read from.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::text::Text;
use super::token::JsonType;

/// Any JSON value, kept as its text and read only when somebody asks.
///
/// Equality is that of the text.
#[derive(Clone)]
pub struct Raw(Box<RawValue>);

impl Raw {
    /// Wraps text that must be one JSON value.
    ///
    /// # Errors
    /// What `serde_json` says of text that is not.
    pub fn from_json(text: String) -> serde_json::Result<Self> {
        RawValue::from_string(text).map(Self)
    }

    /// Writes any serializable value as JSON.
    ///
    /// # Errors
    /// What `serde_json` says of values that have no JSON form, such as maps with odd keys.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Self> {
        serde_json::value::to_raw_value(value).map(Self)
    }

    /// The value's text, as it was written.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// The value's type.
    pub fn json_type(&self) -> JsonType {
        self.get().bytes().next().map_or(JsonType::Null, JsonType::of)
    }

    /// Reads the value as `T`.
    ///
    /// # Errors
    /// What `serde_json` says of a value of another shape.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> serde_json::Result<T> {
        serde_json::from_str(self.get())
    }
}

impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Raw {}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl From<bool> for Raw {
    fn from(flag: bool) -> Self {
        Self::from(&serde_json::Value::from(flag))
    }
}

impl From<&str> for Raw {
    fn from(text: &str) -> Self {
        Self::from(&serde_json::Value::from(text))
    }
}

impl From<&serde_json::Value> for Raw {
    fn from(value: &serde_json::Value) -> Self {
        // A `Value` is made of what JSON has, so its text is a JSON value.
        Self::from_json(value.to_string()).unwrap_or_else(|_| Self(RawValue::NULL.to_owned()))
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

/// A JSON number, kept as its decimal text: `1.10` stays `1.10`, and no digit is lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number(Raw);

impl Number {
    /// The number's decimal text.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// The number as an unsigned integer, when it is written as one that fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.get().parse().ok()
    }

    /// The nearest double, as JavaScript reads it.
    pub fn as_f64(&self) -> f64 {
        self.get().parse().unwrap_or(f64::NAN)
    }

    pub(crate) fn from_raw(raw: &Raw) -> Option<Self> {
        (raw.json_type() == JsonType::Number).then(|| Self(raw.clone()))
    }
}

impl From<u64> for Number {
    fn from(number: u64) -> Self {
        Self(Raw::from(&serde_json::Value::from(number)))
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::from(0)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// An object's members in the order they were written; of a repeated key the last value stands,
/// in the place of the first, as in JavaScript.
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

    /// Reads an object.
    ///
    /// # Errors
    /// A [`FieldError`] without a path when the value is not an object.
    pub fn from_raw(raw: &Raw) -> Result<Self, FieldError> {
        let members: Members = raw.read().map_err(|_| FieldError::new("an object", raw))?;
        Ok(Self(last_wins(members.0)))
    }

    /// The object as one JSON value.
    pub fn to_raw(&self) -> Raw {
        // What is serialized is not read again, which `from_json` does at each level of a document.
        let written =
            if self.has_lone_surrogate_key() { Raw::from_json(self.to_json()) } else { Raw::of(self) };
        // Members are JSON values under string keys, so the whole is a JSON value.
        written.unwrap_or_else(|_| Raw(RawValue::NULL.to_owned()))
    }

    fn has_lone_surrogate_key(&self) -> bool {
        self.0.iter().any(|(key, _)| key.has_lone_surrogate())
    }

    /// The object as JSON text without spaces.
    pub fn to_json(&self) -> String {
        let length = self.0.iter().map(|(key, value)| key.len() + value.get().len() + 4).sum::<usize>();
        let mut json = String::with_capacity(length + 2);
        json.push('{');
        for (index, (key, value)) in self.0.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            json.push_str(&key.to_token());
            json.push(':');
            json.push_str(value.get());
        }
        json.push('}');
        json
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

impl FromIterator<(Text, Raw)> for Fields {
    fn from_iter<I: IntoIterator<Item = (Text, Raw)>>(members: I) -> Self {
        let mut fields = Self::new();
        members.into_iter().for_each(|(name, value)| fields.set(name, value));
        fields
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.has_lone_surrogate_key() {
            // Only raw text can carry such a key.
            return self.to_raw().serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The whole is read as JSON first: a key alone would be taken with raw control characters.
        let raw = Raw::deserialize(deserializer)?;
        Self::from_raw(&raw).map_err(de::Error::custom)
    }
}

/// The members of an object that a scanner has accepted, repeated keys and all.
struct Members(Vec<(Text, Raw)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> de::Visitor<'de> for MembersVisitor {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut members: Vec<(Text, Raw)> = Vec::with_capacity(map.size_hint().unwrap_or(16));
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

/// Keeps of each repeated key the first place and the last value.
fn last_wins(members: Vec<(Text, Raw)>) -> Vec<(Text, Raw)> {
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
    /// An error about a whole value, to be placed by [`FieldError::within`].
    pub fn new(expected: impl Into<Cow<'static, str>>, found: &Raw) -> Self {
        const SHOWN: usize = 40;
        let mut shown: String = found.get().chars().take(SHOWN).collect();
        if shown.len() < found.get().len() {
            shown.push('…');
        }
        Self { path: String::new(), expected: expected.into(), found: found.json_type().name(), shown }
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
