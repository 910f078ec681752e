//! The *words* of a refusal: those that were recorded, whether ours are the same, and what they name that no body shows.

use serde_json::Value;

/// What a recorder or its user puts in the place of a value.
const REPLACED: [&str; 7] = ["REDACTED", "SCRUBBED", "FILTERED", "MASKED", "SANITIZED", "[redacted]", "<redacted>"];

/// Whether a text has a value in it that was replaced.
pub(super) fn is_replaced(text: &str) -> bool {
    REPLACED.iter().any(|mark| text.contains(mark))
}

/// The words of a refusal: the message of an error, or the body itself where it has none.
pub(super) fn recorded(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let json: Value = serde_json::from_str(&text).unwrap_or_default();
    let message =
        ["/error/message", "/message", "/Message", "/error"].into_iter().find_map(|at| json.pointer(at)?.as_str());
    message.map_or_else(|| text.trim().to_owned(), str::to_owned)
}

/// Whether two errors say the same, but for numbers and ids. One may say more than the other at its end.
pub(super) fn are_same(ours: &str, recorded: &str) -> bool {
    let (ours, recorded) = (plain(ours), plain(recorded));
    let is_said = |one: &str, other: &str| one.split(' ').count() >= FEWEST && other.contains(one) || one == other;
    is_said(&ours, &recorded) || is_said(&recorded, &ours)
}

/// So many words are no accident.
const FEWEST: usize = 4;

/// An error without numbers, ids and what is only form.
fn plain(error: &str) -> String {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let words = error.split(|character| !is_word(character)).filter(|word| !word.is_empty());
    let words = words.filter(|word| !word.contains(|character: char| character.is_ascii_digit()));
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// What each reason says, and the words that give it away.
const REASONS: [(&str, &[&str]); 8] = [
    ("the credit of an account", &["credit balance", "billing"]),
    ("the rate of requests", &["rate limit", "rate_limit", "too many requests", "overloaded"]),
    ("a key", &["x-api-key", "api key", "authentication", "security token"]),
    ("a header", &["anthropic-beta", "anthropic-version", "header", "input tag 'file'", "container: input should be"]),
    (
        "the size in tokens",
        &["too long", "too many total text bytes", "context window", "too many input tokens", "exceed context limit"],
    ),
    (
        "the content of a file or of a link",
        &["could not process", "file format", "unable to download", "the pdf", "image exceeds", "image dimensions"],
    ),
    ("the conversation that a block is bound to", &["different conversation", "invalid `signature`"]),
    ("the model", &["model", "effort", "is not supported", "not support"]),
];

/// What the words of a refusal name that no body shows.
pub(super) fn not_in_body(words: &str) -> Option<&'static str> {
    let words = words.to_lowercase();
    REASONS.iter().find(|(_, signs)| signs.iter().any(|sign| words.contains(sign))).map(|(reason, _)| *reason)
}
