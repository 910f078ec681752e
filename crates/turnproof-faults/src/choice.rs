//! Faults of *choice*: of two blocks that share an id the wrong one is kept, or too much is removed.

use std::collections::HashMap;

use serde_json::Value;

use super::walk::{
    blocks, blocks_mut, is, is_blank, is_of, is_server_call, is_server_result, is_thinking, kind, results,
    retain, text, text_block, turn,
};
use super::{Fault, Wrong, fault};

/// More faults that rules of the family `normalize` convict.
pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/answers-by-place", "normalize/no-invention")
        .that("gives results to parallel calls in the order in which the results came")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.9")
        .by(Wrong::Blocks("user", |blocks| {
            let count = results(blocks);
            let results = blocks.get_mut(..count).unwrap_or_default();
            let ids: Vec<Option<Value>> =
                results.iter().map(|result| result.get("tool_use_id").cloned()).collect();
            results.reverse();
            for (result, id) in results.iter_mut().zip(ids) {
                result["tool_use_id"] = id.unwrap_or_default();
            }
        })),
    fault("normalize_api/last-result-wins", "normalize/conserves")
        .that("keeps the last of several results for a call")
        .by(Wrong::Messages(|messages| {
            keep_the_last(messages, "user", "tool_result", "tool_use_id");
        })),
    fault("normalize_api/last-call-wins", "normalize/conserves")
        .that("keeps the last of several calls with one id")
        .by(Wrong::Messages(|messages| {
            keep_the_last(messages, "assistant", "tool_use", "id");
        })),
    fault("normalize_api/withdraws-whole-replies", "normalize/conserves")
        .that("takes back all lines of a reply when a tombstone names one of them")
        .by(Wrong::Messages(|messages| {
            let withdrawn: Vec<Value> = messages
                .iter()
                .filter(|message| kind(message) == "tombstone")
                .filter_map(|tombstone| tombstone.pointer("/message/uuid").cloned())
                .collect();
            let replies: Vec<Value> = messages
                .iter()
                .filter(|message| message.get("uuid").is_some_and(|uuid| withdrawn.contains(uuid)))
                .filter_map(|message| message.pointer("/message/id").cloned())
                .collect();
            messages.retain(|message| {
                let reply = message.pointer("/message/id");
                kind(message) != "assistant" || reply.is_none_or(|reply| !replies.contains(reply))
            });
        })),
    fault("normalize_api/takes-media-from-all-messages", "normalize/conserves")
        .that("removes all media as soon as the API has refused one")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.126")
        .by(Wrong::Messages(|messages| {
            if messages.iter().any(|message| is(message, "isApiErrorMessage")) {
                retain(messages, "user", |block| !matches!(kind(block), "image" | "document"));
            }
        })),
    fault("normalize_api/drops-unknown-blocks", "normalize/conserves")
        .that("drops blocks whose type it does not know")
        .seen_in("datadog-labs/trajectory#78")
        .by(Wrong::Turns(|_, turns| {
            let is_known = |block: &Value| {
                matches!(kind(block), "text" | "tool_use" | "tool_result" | "image" | "document")
                    || is_thinking(block)
                    || is_server_call(block)
                    || is_server_result(block)
            };
            ["user", "assistant"].iter().for_each(|role| retain(turns, role, is_known));
        })),
    fault("normalize_api/drops-messages-with-a-bad-block", "normalize/conserves")
        .that("drops a whole message because of one block that cannot be sent")
        .by(Wrong::Messages(|messages| {
            messages.retain(|message| blocks(message).iter().all(|block| !kind(block).is_empty()));
        })),
    fault("normalize_api/drops-equal-texts", "normalize/conserves")
        .that("treats a text that is said twice as one that was stored twice")
        .by(Wrong::Blocks("user", |blocks| {
            let all = std::mem::take(blocks);
            for block in all {
                if kind(&block) != "text" || !blocks.contains(&block) {
                    blocks.push(block);
                }
            }
        })),
    fault("normalize_api/drops-results-without-content", "normalize/conserves")
        .that("drops a result that is empty")
        .by(Wrong::Messages(|messages| {
            retain(messages, "user", |block| {
                let content = block.get("content");
                kind(block) != "tool_result"
                    || content.is_some_and(|content| content.as_str().is_none_or(|words| !is_blank(words)))
            })
        })),
    fault("normalize_api/trims-prompts", "normalize/no-invention")
        .that("removes white space from the ends of the user's words")
        .by(Wrong::EachBlock("user", |block| {
            if kind(block) == "text" {
                block["text"] = Value::from(text(block, "text").trim());
            }
        })),
    fault("normalize_api/forgets-errors", "normalize/no-invention")
        .that("forgets that a result is an error")
        .by(Wrong::EachBlock("user", |block| {
            if let Some(members) = block.as_object_mut() {
                members.remove("is_error");
            }
        })),
    fault("normalize_api/loses-images-of-results", "normalize/conserves")
        .that("sends only the texts of a result")
        .by(Wrong::EachBlock("user", |block| {
            blocks_mut(block).into_iter().for_each(|parts| parts.retain(|part| kind(part) == "text"));
        })),
    fault("normalize_api/moves-attachments-over-results", "normalize/keeps-order")
        .that("moves attachments up to the last reply, past the results of its calls")
        .by(Wrong::Messages(|messages| {
            let is_stop = |message: &Value| kind(message) == "assistant";
            messages
                .chunk_by_mut(|one, _| !is_stop(one))
                .for_each(|run| run.sort_by_key(|message| kind(message) != "attachment"));
        })),
    fault("normalize_api/replies-as-prompts", "normalize/conserves")
        .that("sends what the model said before the last prompt as the user's words")
        .by(Wrong::Turns(|_, turns| {
            let is_plain = |turn: &Value| {
                is_of(turn, "assistant") && blocks(turn).iter().all(|block| kind(block) == "text")
            };
            for whole in turns.iter_mut().filter(|whole| is_plain(whole)) {
                *whole = turn("user", blocks(whole).to_vec());
            }
        })),
    fault("normalize_api/fills-user-turns", "normalize/no-invention")
        .that("puts the no-content text behind results, although the turn is not empty")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.30")
        .by(Wrong::Blocks("user", |blocks| {
            if results(blocks) == blocks.len() {
                blocks.push(text_block(turnproof::message::constants::NO_CONTENT));
            }
        })),
];

/// Keeps the last of a role's blocks of one type that share an id.
fn keep_the_last(messages: &mut [Value], role: &str, type_name: &str, member: &str) {
    let mut left: HashMap<String, u32> = HashMap::new();
    for block in messages.iter().flat_map(blocks).filter(|block| kind(block) == type_name) {
        *left.entry(text(block, member).to_owned()).or_default() += 1;
    }
    retain(messages, role, |block| {
        let left = left.entry(text(block, member).to_owned()).or_default();
        *left = left.saturating_sub(u32::from(kind(block) == type_name));
        kind(block) != type_name || *left == 0
    });
}
