//! The *refusal of the API* that a session ends with. Clients write what the API answered as a message of their own.

use std::collections::HashSet;

use serde_json::Value;
use turnproof_reference::sent::Refused;
use turnproof_rules::errors::{Origin, look_up, sharing};
use turnproof_rules::rules::{Judge, find};

/// The API's refusal of a conversation, as its file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The line, from 1.
    pub line: u64,
    /// What the API said.
    pub error: String,
}

/// What clients write in front of the API's words.
const LEAD: &str = "API Error:";

impl ApiError {
    /// Reads the record of an error; `None` where the API refused something else than the conversation: the key, the
    /// rate, the model.
    pub(super) fn of(line: u64, record: &[u8]) -> Option<Self> {
        let record: Value = serde_json::from_slice(record).ok()?;
        let Refused { status, words, .. } = Refused::read(&record, line)?;
        let words = words.split_once(LEAD).map_or(&*words, |(_, words)| words).trim_start();
        let (number, rest) = words.split_once(' ').unwrap_or((words, ""));
        let told: Option<u64> = number.parse().ok();
        // A client that has a word for the error has a status for a refusal.
        let is_classified = status.is_none() && record.get("error").is_some_and(Value::is_string);
        let status = status.or(told);
        let is_of_conversation = matches!(status, Some(400 | 413)) || status.is_none() && !is_classified;
        let words = if told.is_some() { rest } else { words };
        is_of_conversation.then(|| Self { line, error: said(words) })
    }

    /// Whether it is of the form of what was sent: a rule that judges that has its words. Sizes and what else a body has
    /// are not in the file.
    pub(super) fn is_of_form(&self) -> bool {
        self.rules()
            .into_iter()
            .filter_map(find)
            .any(|rule| matches!(rule.judge, Judge::Request { structural: true, .. }))
    }

    /// The rules whose pages have these words.
    pub(super) fn rules(&self) -> HashSet<&'static str> {
        let origins = look_up(&self.error).found.into_iter().map(|found| found.origin);
        let of = |origin: Origin| sharing(origin).map(|rule| rule.id).chain([origin.id()]);
        origins.flat_map(of).collect()
    }
}

/// The message of an error's body, or the words themselves.
fn said(words: &str) -> String {
    let body: Option<Value> = words.find('{').and_then(|start| serde_json::from_str(&words[start..]).ok());
    let message = body.as_ref().and_then(|body| body.get("error")?.get("message")?.as_str());
    message.unwrap_or(words).trim().to_owned()
}
