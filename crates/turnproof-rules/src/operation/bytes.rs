//! *Bytes* as JSON: a string when they are UTF-8, so that people can read them, else a list of numbers. Both are read.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Numbers(Vec<u8>),
}

impl Form {
    fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Numbers(bytes.to_vec()),
        }
    }

    fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Numbers(bytes) => bytes,
        }
    }
}

pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    Form::of(bytes).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    Ok(Form::deserialize(deserializer)?.into_bytes())
}

/// Bytes, or why there are none.
pub(super) mod answer {
    use super::{Deserialize, Deserializer, Form, Serialize, Serializer};

    pub(in crate::operation) fn serialize<S: Serializer>(
        answer: &Result<Vec<u8>, String>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        answer.as_ref().map(|bytes| Form::of(bytes)).serialize(serializer)
    }

    pub(in crate::operation) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Result<Vec<u8>, String>, D::Error> {
        Ok(<Result<Form, String>>::deserialize(deserializer)?.map(Form::into_bytes))
    }
}

/// Several files.
pub(super) mod list {
    use super::{Deserialize, Deserializer, Form, Serialize, Serializer};

    pub(in crate::operation) fn serialize<S: Serializer>(files: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
        files.iter().map(|bytes| Form::of(bytes)).collect::<Vec<_>>().serialize(serializer)
    }

    pub(in crate::operation) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Vec<u8>>, D::Error> {
        Ok(<Vec<Form>>::deserialize(deserializer)?.into_iter().map(Form::into_bytes).collect())
    }
}
