//! How texts and bytes look in the protocol of programs (SPEC 10.4): JSON as it is, bytes in base64.
//!
//! JSON goes through as text, because its strings may hold what a parsed value cannot. Bytes may be no UTF-8.

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::list::List;
use super::plain::Plain;

/// JSON as its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// The JSON of a text. A text that is no JSON becomes a string.
    pub fn of(text: &str) -> Self {
        let raw = RawValue::from_string(on_one_line(text).into_owned()).or_else(|_| to_raw_value(text));
        Self(raw.unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// A value.
    pub fn value(value: &impl Serialize) -> Self {
        Self(to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    fn into_text(self) -> String {
        Box::<str>::from(self.0).into_string()
    }

    /// The text, or what a string says, halves of surrogate pairs as U+FFFD.
    pub fn words(&self) -> String {
        let plain = Plain::read(self.text()).unwrap_or_default();
        plain.value.as_str().map_or_else(|| self.text().to_owned(), str::to_owned)
    }
}

/// JSON without line ends, which stand between the parts of a value alone; a line of the protocol holds none.
pub fn on_one_line(json: &str) -> Cow<'_, str> {
    match json.contains(['\n', '\r']) {
        true => json.replace(['\n', '\r'], " ").into(),
        false => json.into(),
    }
}

/// The longest excerpt of what a program printed.
const EXCERPT: usize = 120;

/// The beginning of a text.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl Serialize for List {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ListText::serialize(self.text(), serializer)
    }
}

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ListText::deserialize(deserializer).map(Self::from)
    }
}

/// The form of a text: the JSON that it holds.
pub(super) struct JsonText;

impl JsonText {
    pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        Json::of(text).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        Ok(Json::deserialize(deserializer)?.into_text())
    }
}

/// The form of a text: the array that it holds.
pub(super) struct ListText;

impl ListText {
    pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        Json::of(text).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        let json = Json::deserialize(deserializer)?;
        match json.text().starts_with('[') {
            true => Ok(json.into_text()),
            false => Err(D::Error::custom(format!("expected a list, found {}", excerpt(json.text())))),
        }
    }
}

/// The same, where there may be none.
pub(super) struct OptionalListText;

impl OptionalListText {
    pub(super) fn serialize<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
        text.as_deref().map(Json::of).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
        Ok(Option::<List>::deserialize(deserializer)?.map(|list| list.text().to_owned()))
    }
}

/// The form of plain JSON that must be an array.
pub(super) struct PlainList;

impl PlainList {
    pub(super) fn serialize<S: Serializer>(plain: &Plain, serializer: S) -> Result<S::Ok, S::Error> {
        plain.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Plain, D::Error> {
        List::deserialize(deserializer)?.plain().map_err(D::Error::custom)
    }
}

/// The form of bytes: base64.
pub struct Base64;

impl Base64 {
    /// Writes bytes.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        BASE64_STANDARD.encode(bytes).serialize(serializer)
    }

    /// Reads bytes.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let bytes = BASE64_STANDARD.decode(text.as_bytes());
        bytes.map_err(|error| D::Error::custom(format!("it is no base64: {error}")))
    }
}

#[cfg(feature = "schema")]
mod schema {
    use super::{Base64, Cow, Json, JsonText, List, ListText, OptionalListText, Plain, PlainList};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    macro_rules! schemas {
        ($($type:ty: $schema:tt,)*) => {$(
            impl JsonSchema for $type {
                fn schema_name() -> Cow<'static, str> {
                    stringify!($type).into()
                }

                fn inline_schema() -> bool {
                    true
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!($schema)
                }
            }
        )*};
    }

    schemas! {
        Json: {},
        JsonText: {},
        Plain: {},
        List: {"type": "array"},
        ListText: {"type": "array"},
        PlainList: {"type": "array"},
        OptionalListText: {"type": ["array", "null"]},
        Base64: {"type": "string", "contentEncoding": "base64"},
    }
}
