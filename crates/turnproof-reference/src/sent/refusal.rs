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

/// The error that an assistant line holds, if it is one.
pub(super) fn refused(record: &Value, line: u64) -> Option<Refused> {
    if record["isApiErrorMessage"] != true {
        return None;
    }
    let text = record["message"]["content"].as_array().and_then(|blocks| blocks.first()?["text"].as_str());
    let details = record["errorDetails"].as_str();
    let words = details.or(text).unwrap_or_default().to_owned();
    Some(Refused { line, status: record["apiErrorStatus"].as_u64(), words })
}
