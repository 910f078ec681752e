//! How a request *ends*: newer models do not go on with a reply that the caller began.

use serde_json::Value;

use super::super::{Judge, RuleEntry, Violation};
use super::view::{Role, SERVER_CALLS, SERVER_RESULTS, Sink, last_turn};
use crate::operation::{Host, Request};

pub(super) const ENDS_WITH_USER: RuleEntry =
    rule!("api/ends-with-user", Warning, Judge::Request { structural: false, judge: ends_with_user });

fn ends_with_user(request: &Request, _: Host, sink: Sink<'_>) {
    let Some(last) = last_turn(request).filter(|turn| turn.role() == Role::Assistant) else { return };
    let kind = last.blocks().next_back().map_or("", |block| block.kind());
    let is_paused = SERVER_CALLS.contains(&kind) || SERVER_RESULTS.contains(&kind);
    let version = request.body.get("model").and_then(Value::as_str).and_then(version);
    if !is_paused && version >= Some((4, 6)) {
        let found = "the last turn is the assistant's";
        let violation = Violation::new(ENDS_WITH_USER.id, last.place(), found, "a turn of the user at the end");
        sink(violation.predicting(
            "This model does not support assistant message prefill. The conversation must end with a user message.",
        ));
    }
}

/// The version in a model's name: (4, 6) of `us.anthropic.claude-opus-4-6-v1:0`, (3, 5) of
/// `claude-3-5-sonnet-20241022`, (4, 0) of `claude-opus-4-20250514`; none when it has none.
fn version(model: &str) -> Option<(u8, u8)> {
    let (_, name) = model.split_once("claude-")?;
    let mut words = name.split(['-', '.', '@', ':']).skip_while(|word| number(word).is_none());
    let major = words.next().and_then(number)?;
    Some((major, words.next().and_then(number).unwrap_or(0)))
}

/// A word of one or two digits; longer ones are dates.
fn number(word: &str) -> Option<u8> {
    let is_short = (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_short { word.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_models_version_is_read_from_its_name() {
        for (model, expected) in [
            ("claude-3-5-sonnet-20241022", Some((3, 5))),
            ("claude-opus-4-20250514", Some((4, 0))),
            ("claude-sonnet-4-5@20250929", Some((4, 5))),
            ("us.anthropic.claude-opus-4-6-v1:0", Some((4, 6))),
            ("claude-opus-5", Some((5, 0))),
            ("claude-2.1", Some((2, 1))),
            ("claude-instant-v1", None),
            ("gpt-4", None),
            ("", None),
        ] {
            assert_eq!(version(model), expected, "{model}");
        }
    }
}
