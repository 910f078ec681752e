//! Unread faults in *checking* a request.

use std::collections::HashSet;

use turnproof::operation::{Host, Refusal, Value};

use super::super::super::walk::{blocks, content, is_blank, kind, text};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "check_request/unread-third-thinking-in-between",
        "6.14.1: no turn of the assistant ends with thinking",
        "looks for thinking at the end of the newest reply alone",
        Wrong::Refusals(|turns, refusals| {
            let last = turns.iter().rposition(|turn| text(turn, "role") == "assistant");
            refusals.retain(|refusal| !says(refusal, "final block in an assistant") || place(refusal) == last);
        }),
    ),
    unread(
        "check_request/unread-third-pairs-anywhere",
        "6.13.2: each tool_result names a call of the turn right before it, and a call further up does not help",
        "pairs calls and results by their ids, however far from each other they stand",
        Wrong::Refusals(|turns, refusals| {
            let called: HashSet<&str> = turns.iter().flat_map(|turn| ids(turn, "tool_use", "id")).collect();
            let answered: HashSet<&str> =
                turns.iter().flat_map(|turn| ids(turn, "tool_result", "tool_use_id")).collect();
            refusals.retain(|refusal| {
                let Some(place) = place(refusal).filter(|&place| place < turns.len()) else { return true };
                let near = &turns[place.saturating_sub(1)..=place];
                if says(refusal, "found in `tool_result` blocks") {
                    ids(&turns[place], "tool_result", "tool_use_id").any(|id| !called.contains(id))
                } else if says(refusal, "were found without `tool_result`") || says(refusal, "Expected toolResult") {
                    near.iter().flat_map(|turn| ids(turn, "tool_use", "id")).any(|id| !answered.contains(id))
                } else {
                    true
                }
            });
        }),
    ),
    unread(
        "check_request/unread-third-blank-texts-of-results",
        "6.12.4: no text is empty or blank in all turns and inside tool results",
        "does not look into results for blank texts",
        Wrong::Refusals(|turns, refusals| {
            refusals.retain(|refusal| {
                let is_blank_block = |block: &Value| kind(block) == "text" && is_blank(text(block, "text"));
                let turn = place(refusal).and_then(|turn| turns.get(turn));
                let is_plain = |turn: &Value| {
                    content(turn).as_str().is_some_and(is_blank) || blocks(turn).iter().any(is_blank_block)
                };
                !is_about_blank(refusal) || turn.is_none_or(is_plain)
            });
        }),
    ),
    unread(
        "check_request/unread-third-thinking-has-words",
        "6.14.2: the text of thinking may be empty, since some models hide it",
        "refuses thinking whose text is empty",
        Wrong::Refusals(|turns, refusals| {
            let is_empty = |block: &Value| kind(block) == "thinking" && block["thinking"] == "";
            refuse(turns, refusals, is_empty, "thinking: each thinking block must contain thinking");
        }),
    ),
    unread(
        "check_request/unread-third-every-host-is-vertex",
        "6.15: a profile says which rules apply",
        "checks a request for every host by what Vertex takes",
        Wrong::Host(Host::Vertex),
    ),
    unread(
        "check_request/unread-third-counts-joined-turns",
        "10.3: each error has the turn that it is about, from 0",
        "joins neighbours of one role first, and then counts the turns",
        Wrong::Refusals(|turns, refusals| {
            for refusal in refusals {
                let Some(turn) = place(refusal).filter(|&turn| turn < turns.len()) else { continue };
                let is_same = |pair: &&[Value]| text(&pair[0], "role") == text(&pair[1], "role");
                let joined = turns[..=turn].windows(2).filter(is_same).count();
                refusal.turn = Some((turn - joined) as u64);
            }
        }),
    ),
    unread(
        "check_request/unread-third-newest-turn-alone",
        "10.3: a request that breaks a structural rule for the host gets an error",
        "checks the two newest turns, since the others were checked before",
        Wrong::Refusals(|turns, refusals| {
            refusals.retain(|refusal| place(refusal).is_none_or(|turn| turn + 2 >= turns.len()));
        }),
    ),
    unread(
        "check_request/unread-third-empty-strings",
        "6.12.4: content that is an empty string counts as one empty text",
        "accepts an empty string as content",
        Wrong::Refusals(|turns, refusals| {
            let is_empty = |turn: usize| turns.get(turn).is_some_and(|turn| turn["content"] == "");
            refusals.retain(|refusal| !place(refusal).is_some_and(is_empty));
        }),
    ),
    unread(
        "check_request/unread-third-results-have-content",
        "6.12.10: the content of a tool_result may be missing",
        "refuses a result without content",
        Wrong::Refusals(|turns, refusals| {
            let is_bare = |block: &Value| kind(block) == "tool_result" && block.get("content").is_none();
            refuse(turns, refusals, is_bare, "tool_result.content: Field required");
        }),
    ),
    unread(
        "check_request/unread-third-ids-unique-in-a-turn",
        "6.13.3: no two calls of a request share an id",
        "accepts two calls with one id in different turns",
        Wrong::Refusals(|turns, refusals| {
            refusals.retain(|refusal| {
                let Some(turn) = place(refusal).filter(|_| says(refusal, "`tool_use` ids must be unique")) else {
                    return true;
                };
                let mut seen = HashSet::new();
                turns.get(turn).is_none_or(|turn| ids(turn, "tool_use", "id").any(|id| !seen.insert(id)))
            });
        }),
    ),
    unread(
        "check_request/unread-third-responses-as-turns",
        "6.12.6: the response object of the API, with id, model and usage, is no turn",
        "passes over members of a turn that it does not know",
        Wrong::Refusals(|turns, refusals| {
            let is_response =
                |turn: usize| turns.get(turn).and_then(Value::as_object).is_some_and(|turn| turn.len() > 2);
            let is_extra = |refusal: &Refusal| says(refusal, "Extra inputs are not permitted");
            refusals.retain(|refusal| !is_extra(refusal) || !place(refusal).is_some_and(is_response));
        }),
    ),
    unread(
        "check_request/unread-third-no-token-limit",
        "6.12.6: a whole body has max_tokens, a whole number above 0",
        "accepts a body without max_tokens",
        Wrong::Refusals(|_, refusals| refusals.retain(|refusal| !says(refusal, "max_tokens"))),
    ),
];

/// Whether the error of a refusal has these words.
fn says(refusal: &Refusal, words: &str) -> bool {
    refusal.error.contains(words)
}

/// Whether a refusal is about an empty or a blank text.
fn is_about_blank(refusal: &Refusal) -> bool {
    ["must be non-empty", "non-whitespace text", "is blank. Add text"].iter().any(|words| says(refusal, words))
}

/// The turn that a refusal names.
fn place(refusal: &Refusal) -> Option<usize> {
    refusal.turn.map(|turn| turn as usize)
}

/// The ids in the blocks of a type.
fn ids<'a>(turn: &'a Value, type_name: &'a str, member: &'a str) -> impl Iterator<Item = &'a str> {
    blocks(turn).iter().filter(move |block| kind(block) == type_name).map(move |block| text(block, member))
}

/// Refuses each block for which this holds.
fn refuse(turns: &[Value], refusals: &mut Vec<Refusal>, is_meant: impl Fn(&Value) -> bool, error: &str) {
    for (turn, value) in turns.iter().enumerate() {
        for (number, _) in blocks(value).iter().enumerate().filter(|(_, block)| is_meant(block)) {
            let error = format!("messages.{turn}.content.{number}.{error}");
            refusals.push(Refusal { turn: Some(turn as u64), error });
        }
    }
}
