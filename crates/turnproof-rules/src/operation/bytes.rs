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

#[cfg(test)]
mod tests {
    use crate::operation::{Continued, ConversationRecord};

    #[test]
    fn text_is_written_as_a_string_and_other_bytes_as_numbers() {
        for (bytes, json) in [(&b"{\n"[..], r#""{\n""#), (b"\xFF\0", "[255,0]"), (b"", r#""""#)] {
            let record = ConversationRecord { uuid: "u1".into(), bytes: bytes.to_vec() };
            let written = serde_json::to_string(&record).unwrap();
            assert_eq!(written, format!(r#"{{"uuid":"u1","bytes":{json}}}"#));
            assert_eq!(serde_json::from_str::<ConversationRecord>(&written).unwrap(), record);
        }
        let numbers = r#"{"uuid":"u1","bytes":[123,10]}"#;
        assert_eq!(serde_json::from_str::<ConversationRecord>(numbers).unwrap().bytes, b"{\n");
    }

    #[test]
    fn an_answer_of_bytes_is_read_as_it_is_written() {
        for file in [Ok(b"a\n".to_vec()), Ok(vec![0xFF]), Err("no".to_owned())] {
            let continued = Continued { cut: 1, before: Ok(None), added: Vec::new(), file, after: Ok(None) };
            let written = serde_json::to_string(&continued).unwrap();
            assert_eq!(serde_json::from_str::<Continued>(&written).unwrap(), continued);
        }
    }
}
