//! What the API answered *instead of a reply*, as the client wrote it into the session.

use serde_json::Value;

/// An error of the API behind a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The line that holds it.
    pub line: u64,
    /// The status, where the line has one.
    pub status: Option<u64>,
    /// Its words.
    pub words: String,
}

impl Refused {
    /// The error that an assistant line holds, if it is one.
    pub fn read(record: &Value, line: u64) -> Option<Self> {
        if record["isApiErrorMessage"] != true {
            return None;
        }
        let content = &record["message"]["content"];
        let first = || content.as_array().and_then(|blocks| blocks.first()?["text"].as_str());
        let details = record["errorDetails"].as_str();
        let words = details.or_else(|| content.as_str()).or_else(first).unwrap_or_default().to_owned();
        Some(Self { line, status: record["apiErrorStatus"].as_u64(), words })
    }
}
