//! Faults of a *validator*, which checks requests for a host.

use turnproof_rules::operation::{Host, Refusal, Value};

use super::stable::is_second_time;
use super::walk::{blocks, content, is_thinking, kind};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("check_request/wants-lists-of-blocks", "check/accepts-legal").that("refuses content that is a string").by(
        Wrong::Refusals(|turns, refusals| {
            let string = turns.iter().position(|turn| content(turn).is_string());
            let error = "content should be a list of blocks".to_owned();
            refusals.extend(string.map(|turn| Refusal { turn: Some(turn as u64), error }));
        }),
    ),
    fault("check_request/treats-hosts-as-portable", "check/accepts-legal")
        .that("refuses neighbouring turns of one role, also for hosts that join them")
        .by(Wrong::Host(Host::Portable)),
    fault("check_request/treats-hosts-as-anthropic", "check/refuses-illegal")
        .that("accepts neighbouring turns of one role, also for hosts that refuse them")
        .by(Wrong::Host(Host::Anthropic)),
    fault("check_request/checks-no-pairs", "check/refuses-illegal")
        .that("does not check that calls and results belong together")
        .by(Wrong::Refusals(|_, refusals| refusals.retain(|refusal| !refusal.error.contains("tool_use")))),
    fault("check_request/counts-turns-from-one", "check/names-turn").that("counts the turns from 1").by(
        Wrong::Refusals(|_, refusals| {
            refusals.iter_mut().filter_map(|refusal| refusal.turn.as_mut()).for_each(|turn| *turn += 1);
        }),
    ),
    fault("check_request/errors-in-the-order-of-keys", "check/deterministic")
        .that("keeps errors in a map, and gives them in the order of its keys")
        .by(Wrong::Refusals(|_, refusals| {
            if is_second_time() {
                refusals.reverse();
            }
        })),
    fault("check_request/accepts-extra-members", "check/refuses-illegal")
        .that("ignores members that it does not know")
        .by(Wrong::Refusals(|_, refusals| without(refusals, "Extra inputs are not permitted"))),
    fault("check_request/accepts-extra-members-inside", "check/refuses-illegal")
        .that("looks at the members of turns and blocks, and not at those of sources")
        .by(Wrong::Refusals(|_, refusals| {
            refusals.retain(|refusal| !(refusal.error.contains(".source.") && refusal.error.contains("Extra")));
        })),
    fault("check_request/accepts-response-objects", "check/refuses-illegal")
        .that("lets a turn have the members of the API's own response")
        .by(Wrong::Refusals(|_, refusals| {
            for member in ["id", "type", "model", "stop_reason", "stop_sequence", "usage"] {
                let is_of_turn = |error: &str| error.split(':').next().is_some_and(|path| path.split('.').count() == 3);
                let ending = format!(".{member}: Extra inputs are not permitted");
                refusals.retain(|refusal| !(refusal.error.ends_with(&ending) && is_of_turn(&refusal.error)));
            }
        })),
    fault("check_request/accepts-missing-members", "check/refuses-illegal")
        .that("does not know which members are required")
        .by(Wrong::Refusals(|_, refusals| without(refusals, "Field required"))),
    fault("check_request/accepts-half-written-media", "check/refuses-illegal")
        .that("does not look into sources")
        .by(Wrong::Refusals(|_, refusals| without(refusals, ".source"))),
    fault("check_request/accepts-wrong-types", "check/refuses-illegal")
        .that("looks at the names of members alone, not at their types")
        .by(Wrong::Refusals(|_, refusals| without(refusals, "Input should be"))),
    fault("check_request/accepts-any-tool-name", "check/refuses-illegal")
        .that("lets tools have any name")
        .by(Wrong::Refusals(|_, refusals| without(refusals, "'^[a-zA-Z0-9_-]{1,128}$'"))),
    fault("check_request/accepts-no-messages", "check/refuses-illegal")
        .that("takes a list without a message for a request")
        .by(Wrong::Refusals(|_, refusals| without(refusals, "at least one message is required"))),
    fault("check_request/accepts-bodies-without-max-tokens", "check/refuses-illegal")
        .that("has a default for `max_tokens`, which the API has not")
        .by(Wrong::Refusals(|_, refusals| without(refusals, "max_tokens:"))),
    fault("check_request/accepts-turns-of-the-system", "check/refuses-illegal")
        .that("takes turns of the role `system` anywhere, for each host")
        .by(Wrong::Refusals(|_, refusals| without(refusals, "'system'"))),
    fault("check_request/accepts-any-id-of-a-server-tool", "check/refuses-illegal")
        .that("does not know that ids of server tools begin with `srvtoolu_`")
        .by(Wrong::Refusals(|_, refusals| without(refusals, "'^srvtoolu_"))),
    fault("check_request/checks-no-pairs-of-server-tools", "check/refuses-illegal")
        .that("does not check that calls and results of server tools belong together")
        .by(Wrong::Refusals(|_, refusals| {
            without(refusals, "was found without a corresponding");
            without(refusals, "block before it");
        })),
    fault("check_request/accepts-turns-without-blocks", "check/refuses-illegal")
        .that("takes turns whose content is empty")
        .by(Wrong::Refusals(|_, refusals| {
            without(refusals, "non-empty content");
            without(refusals, "is empty");
        })),
    fault("check_request/accepts-thinking-at-the-end", "check/refuses-illegal")
        .that("lets a turn of the assistant end with thinking")
        .by(Wrong::Refusals(|_, refusals| without(refusals, "The final block in an assistant message"))),
    fault("check_request/refuses-new-blocks", "check/accepts-legal")
        .that("knows the blocks of the API's first year alone")
        .by(Wrong::Refusals(|turns, refusals| {
            let is_old = |block: &Value| {
                matches!(kind(block), "text" | "image" | "document" | "tool_use" | "tool_result") || is_thinking(block)
            };
            let newer = turns.iter().position(|turn| !blocks(turn).iter().all(is_old));
            let error = "a block of an unknown type".to_owned();
            refusals.extend(newer.map(|turn| Refusal { turn: Some(turn as u64), error }));
        })),
    fault("check_request/refuses-nulls", "check/accepts-legal")
        .that("refuses null where the API lets a member be null")
        .by(Wrong::Refusals(|turns, refusals| {
            let has_null = |block: &Value| block.as_object().is_some_and(|block| block.values().any(Value::is_null));
            let first = turns.iter().position(|turn| blocks(turn).iter().any(has_null));
            let error = "null is no value".to_owned();
            refusals.extend(first.map(|turn| Refusal { turn: Some(turn as u64), error }));
        })),
    fault("check_request/newest-turn-alone", "check/refuses-illegal")
        .that("checks the two newest turns, since the others were checked before")
        .by(Wrong::Refusals(|turns, refusals| {
            refusals.retain(|refusal| refusal.turn.is_none_or(|turn| turn as usize + 2 >= turns.len()));
        })),
    fault("check_request/strings-are-fine", "check/refuses-illegal")
        .that("looks at blocks, and not at content that is a string")
        .by(Wrong::Refusals(|turns, refusals| {
            refusals.retain(|refusal| {
                !(refusal.error.contains("content") && of(turns, refusal).is_some_and(|turn| content(turn).is_string()))
            });
        })),
];

/// Takes the errors with these words away.
fn without(refusals: &mut Vec<Refusal>, words: &str) {
    refusals.retain(|refusal| !refusal.error.contains(words));
}

/// The turn that an error is about.
fn of<'a>(turns: &'a [Value], refusal: &Refusal) -> Option<&'a Value> {
    turns.get(usize::try_from(refusal.turn?).ok()?)
}
