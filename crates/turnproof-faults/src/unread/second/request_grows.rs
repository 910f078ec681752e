//! Unread faults in requests of a *growing* list: what a normalizer keeps from one message to the next.

use turnproof::operation::Value;
use turnproof_rules::json;

use super::{Unread, unread};
use crate::walk::{blocks, blocks_mut, is_of, kind, text};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-kept-state-ignores-tombstones",
        "6.17.6: after each message it has the request that the whole beginning gives",
        "keeps what a tombstone withdraws in the request that it has made already",
        Wrong::Incremental(|turns, so_far, right| {
            let left: Vec<Value> = so_far.iter().filter(|message| kind(message) != "tombstone").cloned().collect();
            *turns = right(&left);
        }),
    ),
    unread(
        "normalize_api/unread-kept-state-waits-for-the-user",
        "6.17.6: after each message it has the request that the whole beginning gives",
        "makes the request anew when a message of the user or an attachment comes",
        Wrong::Incremental(|turns, so_far, right| {
            if so_far.last().is_some_and(|message| matches!(kind(message), "user" | "attachment")) {
                *turns = right(so_far);
            }
        }),
    ),
    unread(
        "normalize_api/unread-kept-state-splits-replies",
        "6.6: the lines of a reply are joined where the first one stands, whatever stands between them",
        "begins a new turn with a line of a reply when a message of the user has come since",
        Wrong::Incremental(|turns, so_far, right| {
            let mut users = 0;
            let mut list = so_far.to_vec();
            for message in &mut list {
                if is_of(message, "user") {
                    users += 1;
                } else if !text(&message["message"], "id").is_empty() && is_of(message, "assistant") {
                    let id = format!("{} {users}", text(&message["message"], "id"));
                    message["message"]["id"] = json!(id);
                }
            }
            *turns = right(&list);
        }),
    ),
    unread(
        "normalize_api/unread-kept-state-knows-the-last-calls",
        "6.8: a result may come turns later, and is brought back to its call",
        "drops a result whose call is not in the last reply, since that turn is made already",
        Wrong::Incremental(|turns, so_far, right| {
            let mut calls: Vec<String> = Vec::new();
            let mut reply = String::new();
            let mut list = so_far.to_vec();
            for message in &mut list {
                if is_of(message, "assistant") {
                    let id = text(&message["message"], "id").to_owned();
                    if id.is_empty() || id != reply {
                        calls.clear();
                    }
                    reply = id;
                    let new = blocks(message).iter().filter(|block| kind(block) == "tool_use");
                    calls.extend(new.map(|call| text(call, "id").to_owned()));
                } else if is_of(message, "user")
                    && let Some(blocks) = blocks_mut(message)
                {
                    blocks.retain(|block| {
                        kind(block) != "tool_result" || calls.iter().any(|id| id == text(block, "tool_use_id"))
                    });
                }
            }
            *turns = right(&list);
        }),
    ),
    unread(
        "normalize_api/unread-kept-state-begins-at-a-boundary",
        "6.17.6: after each message it has the request that the whole beginning gives",
        "forgets all that it has made when a boundary comes",
        Wrong::Incremental(|turns, so_far, right| {
            let last = so_far.iter().rposition(|message| text(message, "subtype") == "compact_boundary");
            *turns = right(&so_far[last.unwrap_or(0)..]);
        }),
    ),
    unread(
        "normalize_api/unread-kept-state-answers-once",
        "6.8: a call without a result gets a placeholder, and its result takes the place of that when it comes",
        "keeps a placeholder that it has put in, and drops the result that comes after it",
        Wrong::Incremental(|turns, so_far, right| {
            let now = right(so_far);
            let is_made = |block: &Value| text(block, "content").starts_with("[Tool result missing");
            let made: Vec<Value> = turns.iter().flat_map(blocks).filter(|block| is_made(block)).cloned().collect();
            *turns = now;
            for block in turns.iter_mut().filter_map(blocks_mut).flatten().filter(|block| kind(block) == "tool_result")
            {
                let before = made.iter().find(|made| text(made, "tool_use_id") == text(block, "tool_use_id"));
                before.into_iter().for_each(|before| *block = before.clone());
            }
        }),
    ),
];
