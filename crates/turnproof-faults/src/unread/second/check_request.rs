//! Unread faults of *validators*: what they overlook, what they refuse, and which turn they name.

use turnproof::operation::Value;
use turnproof::operation::{Host, Refusal};

use super::{Unread, unread};
use crate::walk::{blocks, content, is_blank, is_of, is_thinking, kind, text};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "check_request/unread-old-turns-are-trusted",
        "10.3: a request that breaks a structural rule for the host gets an error",
        "checks the last two turns, since the others were sent before",
        Wrong::Refusals(|turns, refusals| {
            let new = turns.len().saturating_sub(2) as u64;
            refusals.retain(|refusal| refusal.turn.is_none_or(|turn| turn >= new));
        }),
    ),
    unread(
        "check_request/unread-names-the-last-turn",
        "10.3: one of the errors names a turn that is wrong",
        "names the last turn, whatever is wrong",
        Wrong::Refusals(|turns, refusals| {
            for refusal in refusals.iter_mut().filter(|refusal| refusal.turn.is_some()) {
                refusal.turn = Some(turns.len().saturating_sub(1) as u64);
            }
        }),
    ),
    unread(
        "check_request/unread-counts-turns-of-the-user",
        "10.3: the turn that it is about, from 0",
        "counts the turns of each role by themselves",
        Wrong::Refusals(|turns, refusals| {
            for refusal in refusals.iter_mut() {
                let Some(turn) = of(turns, refusal) else { continue };
                let before = turns.iter().take(refusal.turn.unwrap_or_default() as usize);
                let role = text(turn, "role").to_owned();
                refusal.turn = Some(before.filter(|turn| is_of(turn, &role)).count() as u64);
            }
        }),
    ),
    unread(
        "check_request/unread-last-reply-may-be-empty",
        "6.12.3: on Bedrock and under strict, an assistant's turn that ends the request may not be empty",
        "lets an empty reply at the end of the request pass for every host",
        Wrong::Refusals(|turns, refusals| {
            let last = turns.len().saturating_sub(1) as u64;
            let is_empty =
                |turn: &Value| is_of(turn, "assistant") && content(turn).as_array().is_some_and(Vec::is_empty);
            let may_be = turns.last().is_some_and(is_empty);
            refusals.retain(|refusal| !(may_be && refusal.turn == Some(last)));
        }),
    ),
    unread(
        "check_request/unread-strings-are-fine",
        "6.12.4: content that is an empty string counts as one empty text",
        "looks at blocks, and not at content that is a string",
        Wrong::Refusals(|turns, refusals| {
            refusals.retain(|refusal| {
                !(refusal.error.contains("content") && of(turns, refusal).is_some_and(|turn| content(turn).is_string()))
            });
        }),
    ),
    unread(
        "check_request/unread-results-are-not-opened",
        "6.12.4: no text is empty or only white space, inside tool results too",
        "does not look at the texts inside results",
        Wrong::Refusals(|turns, refusals| {
            let is_fine = |turn: &Value| {
                let texts = blocks(turn).iter().filter(|block| kind(block) == "text");
                content(turn).is_array() && texts.map(|block| text(block, "text")).all(|said| !is_blank(said))
            };
            refusals
                .retain(|refusal| !(refusal.error.contains("text content") && of(turns, refusal).is_some_and(is_fine)));
        }),
    ),
    unread(
        "check_request/unread-white-space-is-text",
        "6.12.4: no text is only white space",
        "refuses empty texts, and lets white space pass",
        Wrong::Refusals(|turns, refusals| {
            let has_empty = |turn: &Value| turn.to_string().contains("\"text\":\"\"");
            refusals.retain(|refusal| {
                let is_blank_on_bedrock =
                    refusal.error.contains("is blank") && !of(turns, refusal).is_some_and(has_empty);
                !(refusal.error.contains("non-whitespace") || is_blank_on_bedrock)
            });
        }),
    ),
    unread(
        "check_request/unread-space-of-ascii",
        "1.2: a text is blank when all its characters are white space to Rust, JavaScript or Python",
        "takes a text for blank when it has nothing but the white space of ASCII",
        Wrong::Refusals(|turns, refusals| {
            let is_rare = |block: &Value| {
                let said = text(block, "text");
                is_blank(said) && !said.is_ascii()
            };
            refusals.retain(|refusal| {
                let is_about = |turn: &Value| blocks(turn).iter().any(is_rare);
                !(refusal.error.contains("non-whitespace") && of(turns, refusal).is_some_and(is_about))
            });
        }),
    ),
    unread(
        "check_request/unread-results-may-come-later",
        "6.13.1: each tool_use has a tool_result with its id in the very next turn",
        "is content when the results of a turn's calls stand anywhere behind it",
        Wrong::Refusals(|turns, refusals| {
            refusals.retain(|refusal| {
                if !refusal.error.contains("without `tool_result` blocks") {
                    return true;
                }
                let at = refusal.turn.unwrap_or_default() as usize;
                let calls = turns.get(at).map_or(&[][..], blocks).iter().filter(|block| kind(block) == "tool_use");
                let results: Vec<&str> =
                    turns.iter().skip(at).flat_map(blocks).map(|block| text(block, "tool_use_id")).collect();
                !calls.map(|call| text(call, "id")).all(|id| results.contains(&id))
            });
        }),
    ),
    unread(
        "check_request/unread-calls-anywhere-before",
        "6.13.2: each tool_result names a call of the turn right before it; a call further up does not help",
        "is content when a result has its call anywhere before it",
        Wrong::Refusals(|turns, refusals| {
            refusals.retain(|refusal| {
                if !refusal.error.contains("unexpected `tool_use_id`") {
                    return true;
                }
                let at = refusal.turn.unwrap_or_default() as usize;
                let calls: Vec<&str> = turns.iter().take(at).flat_map(blocks).map(|call| text(call, "id")).collect();
                let results = turns.get(at).map_or(&[][..], blocks).iter().map(|block| text(block, "tool_use_id"));
                !results.filter(|id| !id.is_empty()).all(|id| calls.contains(&id))
            });
        }),
    ),
    unread(
        "check_request/unread-ids-once-in-a-turn",
        "6.13.3: no two calls of a request share an id",
        "looks for an id that is used twice in each turn by itself",
        Wrong::Refusals(|turns, refusals| {
            let has_twins = |turn: &Value| {
                let calls = blocks(turn).iter().filter(|block| kind(block) == "tool_use");
                let mut ids: Vec<&str> = calls.map(|call| text(call, "id")).collect();
                let all = ids.len();
                ids.sort_unstable();
                ids.dedup();
                ids.len() < all
            };
            refusals.retain(|refusal| {
                !refusal.error.contains("ids must be unique") || of(turns, refusal).is_some_and(has_twins)
            });
        }),
    ),
    unread(
        "check_request/unread-results-behind-words",
        "6.13.4: the results stand before everything else in the turn after a reply with calls",
        "does not mind words before the results of a turn",
        Wrong::Refusals(|turns, refusals| {
            let says_first = |turn: Option<&Value>| {
                turn.map_or(&[][..], blocks).split_first().is_some_and(|(first, rest)| {
                    kind(first) != "tool_result" && rest.iter().any(|block| kind(block) == "tool_result")
                })
            };
            refusals.retain(|refusal| {
                let at = refusal.turn.unwrap_or_default() as usize;
                let is_about = says_first(turns.get(at)) || says_first(turns.get(at + 1));
                !(refusal.error.contains("without `tool_result` blocks") && is_about)
            });
        }),
    ),
    unread(
        "check_request/unread-thoughts-end-old-turns",
        "6.14.1: no turn of the assistant ends with thinking",
        "refuses thinking at the end of the last reply alone",
        Wrong::Refusals(|turns, refusals| {
            let last = turns.iter().rposition(|turn| is_of(turn, "assistant")).map(|last| last as u64);
            let is_thought = |turn: &Value| blocks(turn).last().is_some_and(is_thinking);
            refusals.retain(|refusal| {
                let is_old = refusal.turn < last && of(turns, refusal).is_some_and(is_thought);
                !(is_old && refusal.error.contains("final block"))
            });
        }),
    ),
    unread(
        "check_request/unread-nothing-is-a-request",
        "6.12.1: an empty list is no request",
        "lets a request without turns pass",
        Wrong::Refusals(|_, refusals| refusals.retain(|refusal| !refusal.error.contains("at least one message"))),
    ),
    unread(
        "check_request/unread-inside-is-not-checked",
        "6.12.6: turns, blocks and what they hold have no other members than their shape, at any depth",
        "checks the members of blocks, and not those of what they hold",
        Wrong::Refusals(|_, refusals| {
            let is_deep = |error: &str| error.split(": ").next().is_some_and(|path| path.matches('.').count() > 5);
            refusals.retain(|refusal| !(refusal.error.starts_with("messages.") && is_deep(&refusal.error)));
        }),
    ),
    unread(
        "check_request/unread-one-host-for-all",
        "6.15: strict is the default: what any host refuses is refused",
        "checks for the Messages API, whatever the host is",
        Wrong::Host(Host::Anthropic),
    ),
    unread(
        "check_request/unread-ids-begin-with-the-vendor",
        "6.13.5: the id of a call matches ^[a-zA-Z0-9_-]+$",
        "refuses calls whose ids do not begin with `toolu_`",
        Wrong::Refusals(|turns, refusals| {
            let is_odd = |block: &Value| kind(block) == "tool_use" && !text(block, "id").starts_with("toolu_");
            add(turns, refusals, |_, turn| blocks(turn).iter().any(is_odd));
        }),
    ),
    unread(
        "check_request/unread-results-need-content",
        "6.12.10: tool_result: content?",
        "refuses a result without content",
        Wrong::Refusals(|turns, refusals| {
            let is_odd = |block: &Value| kind(block) == "tool_result" && block.get("content").is_none();
            add(turns, refusals, |_, turn| blocks(turn).iter().any(is_odd));
        }),
    ),
    unread(
        "check_request/unread-thinking-needs-words",
        "6.14.2: the text of thinking itself may be empty, since some models hide it",
        "refuses thinking whose text is empty",
        Wrong::Refusals(|turns, refusals| {
            let is_odd = |block: &Value| kind(block) == "thinking" && block["thinking"].as_str() == Some("");
            add(turns, refusals, |_, turn| blocks(turn).iter().any(is_odd));
        }),
    ),
    unread(
        "check_request/unread-space-at-any-end",
        "6.12.5: only the last text of the last turn is looked at",
        "refuses white space at the end of each reply",
        Wrong::Refusals(|turns, refusals| {
            let is_odd = |block: &Value| kind(block) == "text" && text(block, "text").ends_with([' ', '\n']);
            add(turns, refusals, |at, turn| {
                at + 1 < turns.len() && is_of(turn, "assistant") && blocks(turn).last().is_some_and(is_odd)
            });
        }),
    ),
];

/// The turn that an error is about.
fn of<'a>(turns: &'a [Value], refusal: &Refusal) -> Option<&'a Value> {
    turns.get(usize::try_from(refusal.turn?).ok()?)
}

/// Refuses the turns for which this holds.
fn add(turns: &[Value], refusals: &mut Vec<Refusal>, is_odd: impl Fn(usize, &Value) -> bool) {
    for (at, _) in turns.iter().enumerate().filter(|(at, turn)| is_odd(*at, turn)) {
        refusals.push(Refusal { turn: Some(at as u64), error: format!("messages.{at}: invalid") });
    }
}
