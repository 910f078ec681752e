//! A *body* as a recorder kept it, made the bytes that were sent: out of base64 and gzip.

use std::io::Read;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use serde_json::Value;

use super::words::is_replaced;

/// A body.
pub(super) enum Body {
    /// The recorder kept none.
    Absent,
    /// What was sent.
    Bytes(Vec<u8>),
    /// It is not what was sent, and why.
    NotWhole(&'static str),
}

/// A body of more bytes is not read: a recording of some kilobytes could hold it all the same.
pub(super) const LARGEST: u64 = 256 << 20;

impl Body {
    /// The body that a recorder wrote as `value`: a text, an object that holds one, or JSON itself.
    pub(super) fn of(value: Option<&Value>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Absent,
            Some(Value::String(text)) => Self::text(text),
            Some(Value::Object(members)) => {
                let text = |name: &str| members.get(name).and_then(Value::as_str);
                match (members.get("string"), text("base64_string").or_else(|| text("raw_gzip"))) {
                    (_, Some(base64)) => Self::base64(base64),
                    (Some(inner), None) => Self::of(Some(inner)),
                    // An encoding alone, as Ruby's VCR has it for nothing.
                    (None, None) if members.keys().all(|name| name == "encoding") => Self::Absent,
                    (None, None) => Self::json(value.expect("an object")),
                }
            }
            Some(json) => Self::json(json),
        }
    }

    /// The bytes that base64 stands for.
    pub(super) fn base64(text: &str) -> Self {
        let tight: String = text.split_ascii_whitespace().collect();
        BASE64_STANDARD.decode(tight).map_or(Self::NotWhole("its base64 cannot be read"), Self::bytes)
    }

    /// A text that is the body.
    pub(super) fn text(text: &str) -> Self {
        Self::bytes(text.as_bytes().to_vec())
    }

    /// Bytes, out of gzip where they are compressed. Recorders keep the header of what they have decompressed, so the
    /// bytes decide.
    fn bytes(bytes: Vec<u8>) -> Self {
        let unpacked = match bytes.as_slice() {
            [0x1F, 0x8B, ..] => unpacked(MultiGzDecoder::new(&*bytes)),
            [0x78, 0x01 | 0x9C | 0xDA, ..] => unpacked(ZlibDecoder::new(&*bytes)),
            _ => Some(bytes),
        };
        match unpacked {
            None => Self::NotWhole("its gzip cannot be read"),
            Some(bytes) if bytes.trim_ascii().is_empty() => Self::Absent,
            Some(bytes) if is_placeholder(&bytes) => Self::NotWhole("a recorder replaced it"),
            Some(bytes) => Self::Bytes(bytes),
        }
    }

    fn json(value: &Value) -> Self {
        Self::Bytes(value.to_string().into_bytes())
    }
}

fn unpacked(reader: impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether bytes are a short text that takes the place of a body.
fn is_placeholder(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).map(str::trim).unwrap_or_default();
    let is_marked = text.starts_with('<') && text.ends_with('>') && !text.contains(['/', ' ', '=']);
    text.len() < 80 && !text.starts_with(['{', '[']) && (is_marked || is_replaced(text))
}
