//! Unread faults in *pairing* the calls and the results of a request.

use std::collections::{HashMap, HashSet};

use turnproof::operation::Value;

use super::super::super::walk::{
    blocks, blocks_mut, is_of, is_server_call, is_server_result, kind, lists, results, text,
};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-third-results-as-they-came",
        "6.8: the results of a reply begin the user's turn after it, in the order of the calls",
        "gives the results of a reply in the order in which the tools ended",
        Wrong::List(|asked, turns| {
            let ids = asked.messages.iter().filter(|message| is_of(message, "user")).flat_map(result_ids);
            let mut came = HashMap::new();
            for (place, id) in ids.enumerate() {
                came.entry(id.to_owned()).or_insert(place);
            }
            lists(turns, "user", |blocks| {
                let count = results(blocks);
                let place = |result: &Value| came.get(text(result, "tool_use_id")).copied().unwrap_or(usize::MAX);
                blocks[..count].sort_by_key(place);
            });
        }),
    ),
    unread(
        "normalize_api/unread-third-last-result-wins",
        "6.8: a result answers the first of the calls without a result; if they all have results, it goes",
        "takes the last of two results of one call",
        Wrong::Messages(|messages| {
            let mut calls: HashMap<String, usize> = HashMap::new();
            for id in messages.iter().flat_map(call_ids) {
                *calls.entry(id.to_owned()).or_default() += 1;
            }
            let mut later = HashSet::new();
            for message in messages.iter_mut().rev().filter(|message| is_of(message, "user")) {
                let Some(blocks) = blocks_mut(message) else { continue };
                let mut kept: Vec<Value> = Vec::new();
                for block in std::mem::take(blocks).into_iter().rev() {
                    let id = text(&block, "tool_use_id").to_owned();
                    let is_single = kind(&block) == "tool_result" && calls.get(&id) == Some(&1);
                    if !is_single || later.insert(id) {
                        kept.insert(0, block);
                    }
                }
                *blocks = kept;
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-drops-the-open-calls-at-the-end",
        "6.8: a call without a result gets a placeholder",
        "takes the unanswered calls of the newest reply away in the place of giving them placeholders",
        Wrong::Messages(|messages| {
            let users = messages.iter().filter(|message| is_of(message, "user"));
            let answered: HashSet<String> = users.flat_map(result_ids).map(str::to_owned).collect();
            let Some(newest) = messages.iter().rfind(|message| is_of(message, "assistant")).map(reply) else { return };
            let of_newest =
                messages.iter_mut().filter(|message| is_of(message, "assistant") && reply(message) == newest);
            for blocks in of_newest.filter_map(blocks_mut) {
                blocks.retain(|block| kind(block) != "tool_use" || answered.contains(text(block, "id")));
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-repeats-by-id-in-a-reply",
        "6.8: a call that repeats one of its turn has the same id, the same tool and the same input; any other stays",
        "takes two calls of one reply for the same when they share an id",
        Wrong::Messages(|messages| {
            let mut seen = HashSet::new();
            for message in messages.iter_mut().filter(|message| is_of(message, "assistant")) {
                let reply = reply(message);
                if let Some(blocks) = blocks_mut(message) {
                    blocks.retain(|block| {
                        kind(block) != "tool_use" || seen.insert((reply.clone(), text(block, "id").to_owned()))
                    });
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-repeats-by-id-everywhere",
        "6.8: any other call stays, also if its id is used before; some vendors number the calls of each reply from 0",
        "drops the calls of a later reply whose ids an earlier reply used",
        Wrong::Messages(|messages| {
            let mut owners: HashMap<String, String> = HashMap::new();
            for message in messages.iter_mut().filter(|message| is_of(message, "assistant")) {
                let reply = reply(message);
                if let Some(blocks) = blocks_mut(message) {
                    blocks.retain(|block| {
                        let id = text(block, "id").to_owned();
                        kind(block) != "tool_use" || *owners.entry(id).or_insert(reply.clone()) == reply
                    });
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-late-results-lost",
        "6.8: a result may come turns later, and is brought back to its call",
        "drops a result that comes after the next reply has begun",
        Wrong::Messages(|messages| {
            let (mut reply, mut open) = (String::new(), HashSet::new());
            for message in messages {
                if is_of(message, "assistant") {
                    let id = text(&message["message"], "id");
                    if id.is_empty() || id != reply {
                        open.clear();
                    }
                    reply = id.to_owned();
                    open.extend(call_ids(message).map(str::to_owned));
                } else if let (true, Some(blocks)) = (is_of(message, "user"), blocks_mut(message)) {
                    blocks.retain(|block| kind(block) != "tool_result" || open.contains(text(block, "tool_use_id")));
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-one-server-tool",
        "6.8: a server call without result goes, and so does a result without call",
        "pairs the calls of web_search, and passes those of all other server tools as they are",
        Wrong::HiddenWhere("assistant", |block| {
            let is_search = text(block, "name") == "web_search" || kind(block) == "web_search_tool_result";
            (is_server_call(block) || is_server_result(block)) && !is_search
        }),
    ),
];

/// The ids of a message's calls.
fn call_ids(message: &Value) -> impl Iterator<Item = &str> {
    blocks(message).iter().filter(|block| kind(block) == "tool_use").map(|block| text(block, "id"))
}

/// The ids that a message's results name.
fn result_ids(message: &Value) -> impl Iterator<Item = &str> {
    blocks(message).iter().filter(|block| kind(block) == "tool_result").map(|block| text(block, "tool_use_id"))
}

/// The id of a message's reply, else its own.
fn reply(message: &Value) -> String {
    let own = [text(&message["message"], "id"), text(message, "uuid")];
    own.into_iter().find(|id| !id.is_empty()).unwrap_or_default().to_owned()
}
