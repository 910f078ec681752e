//! Faults in *conserving*: on the way to a request something is lost, doubled, invented, moved or mixed up.

use std::collections::{HashMap, HashSet};

use turnproof_reference::message::constants::{MISSING_TOOL_RESULT, NO_CONTENT, SYNTHETIC_MODEL};
use turnproof_rules::json;
use turnproof_rules::operation::Value;

use super::pairing::{drop_late_results, is_placeholder};
use super::walk::{
    blocks, blocks_mut, content_mut, is, is_blank, is_of, is_server_call, is_server_result, is_thinking, kind, prompt,
    remove, results, retain, reverse_results, text, text_block, turn, without,
};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/loses-attachments-beside-results", "normalize/conserves")
        .that("loses the attachment behind a result when the two are joined")
        .by(Wrong::Messages(|messages| {
            let mut is_behind_result = false;
            messages.retain(|message| {
                let is_lost = is_behind_result && kind(message) == "attachment";
                if !is_lost {
                    is_behind_result = blocks(message).iter().any(|block| kind(block) == "tool_result");
                }
                !is_lost
            });
        })),
    fault("normalize_api/loses-images-of-queued-prompts", "normalize/conserves")
        .that("keeps the text of a prompt that was typed while a tool ran, and drops its image")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.105")
        .by(Wrong::EachMessage("attachment", |message| {
            let prompt = message.pointer_mut("/attachment/prompt").and_then(Value::as_array_mut);
            prompt.into_iter().for_each(|blocks| blocks.retain(|block| kind(block) != "image"));
        })),
    fault("normalize_api/loses-the-compact-summary", "normalize/conserves")
        .that("drops the summary of a compaction, because only the transcript shows it")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.20")
        .by(Wrong::Messages(|messages| messages.retain(|message| !is(message, "isVisibleInTranscriptOnly")))),
    fault("normalize_api/drops-meta-messages", "normalize/conserves")
        .that("drops the messages that the user does not see, as the UI does")
        .by(Wrong::Messages(|messages| messages.retain(|message| !is(message, "isMeta")))),
    fault("normalize_api/sends-virtual-messages", "normalize/conserves")
        .that("sends messages that were only shown")
        .by(Wrong::Messages(|messages| without(messages, "isVirtual"))),
    fault("normalize_api/sends-transcript-only-messages", "normalize/conserves")
        .that("sends messages that only the transcript shows")
        .by(Wrong::Messages(|messages| without(messages, "isVisibleInTranscriptOnly"))),
    fault("normalize_api/sends-what-follows-a-boundary", "normalize/conserves")
        .that("sends whatever follows a boundary, also what only the transcript shows")
        .by(Wrong::Messages(|messages| {
            let mut is_boundary_before = false;
            for message in messages {
                if is_boundary_before && !is(message, "isCompactSummary") {
                    remove(message, "isVisibleInTranscriptOnly");
                }
                is_boundary_before = text(message, "subtype") == "compact_boundary";
            }
        })),
    fault("normalize_api/flattens-results", "normalize/conserves")
        .that("joins the texts of a result to one string")
        .by(Wrong::EachBlock("user", |block| {
            let texts = block.get("content").and_then(Value::as_array).filter(|texts| texts.len() > 1);
            let texts = texts.filter(|texts| texts.iter().all(|text| kind(text) == "text"));
            let joined =
                texts.map(|texts| texts.iter().map(|block| text(block, "text")).collect::<Vec<_>>().join("\n"));
            if let Some(joined) = joined.filter(|_| kind(block) == "tool_result") {
                block["content"] = Value::from(joined);
            }
        })),
    fault("normalize_api/sends-four-results", "normalize/conserves")
        .that("sends four results of a turn, and the placeholder for the others")
        .by(Wrong::Blocks("user", |blocks| {
            for block in blocks.iter_mut().filter(|block| kind(block) == "tool_result").skip(4) {
                block["content"] = Value::from(MISSING_TOOL_RESULT);
            }
        })),
    fault("normalize_api/joins-replies-with-an-empty-id", "normalize/keeps-order")
        .that("takes replies whose id is the empty text for one")
        .by(Wrong::EachMessage("assistant", |message| {
            if message.pointer("/message/id").is_some_and(|id| id == "") {
                message["message"]["id"] = Value::from("msg_empty");
            }
        })),
    fault("normalize_api/loses-local-commands", "normalize/conserves")
        .that("drops the output of the client's commands together with all other notices")
        .by(Wrong::Messages(|messages| messages.retain(|message| text(message, "subtype") != "local_command"))),
    fault("normalize_api/sends-withdrawn-replies", "normalize/conserves")
        .that("sends a reply that was taken back")
        .by(Wrong::Messages(|messages| messages.retain(|message| kind(message) != "tombstone"))),
    fault("normalize_api/sends-synthetic-errors", "normalize/conserves")
        .that("sends the client's own words about an API error as words of the model")
        .by(Wrong::Messages(|messages| without(messages, "isApiErrorMessage"))),
    fault("normalize_api/keeps-refused-media", "normalize/conserves")
        .that("sends the image that was too large again with each prompt")
        .seen_in("anthropics/claude-code#13480")
        .by(Wrong::Messages(|messages| {
            for message in messages.iter_mut().filter(|message| is(message, "isApiErrorMessage")) {
                if message.pointer("/message/model").is_some_and(|model| model == SYNTHETIC_MODEL) {
                    content_mut(message).into_iter().for_each(|content| *content = json!([]));
                }
            }
        })),
    fault("normalize_api/drops-late-results", "normalize/conserves")
        .that("drops a result that comes after the next prompt, and writes a placeholder")
        .by(Wrong::Messages(drop_late_results)),
    fault("normalize_api/keeps-the-last-line-of-a-reply", "normalize/conserves")
        .that("treats the lines of a reply as copies of one message, and keeps the last")
        .seen_in("anthropics/claude-code#21751")
        .by(Wrong::Messages(|messages| {
            let mut seen = HashSet::new();
            messages.reverse();
            messages.retain(|message| reply(message).is_empty() || seen.insert(reply(message).to_owned()));
            messages.reverse();
        })),
    fault("normalize_api/doubles-the-last-text", "normalize/conserves")
        .that("appends the last text of a reply again when the stream ends")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.51")
        .by(Wrong::Blocks("assistant", |blocks| {
            if let Some(last) = blocks.iter().rposition(|block| kind(block) == "text") {
                blocks.insert(last, blocks.get(last).cloned().unwrap_or_default());
            }
        })),
    fault("normalize_api/joins-texts", "normalize/no-invention")
        .that("joins the texts of neighbouring messages to one")
        .by(Wrong::Blocks("user", |blocks| {
            for block in std::mem::take(blocks) {
                match blocks.last_mut().filter(|last| kind(last) == "text" && kind(&block) == "text") {
                    Some(last) => {
                        last["text"] = Value::from(format!("{}\n{}", text(last, "text"), text(&block, "text")));
                    }
                    None => blocks.push(block),
                }
            }
        })),
    fault("normalize_api/cuts-long-texts", "normalize/no-invention")
        .that("cuts what the user says after twenty characters, and says so")
        .by(Wrong::EachBlock("user", |block| {
            if let Some((end, _)) = text(block, "text").char_indices().nth(20) {
                let head = text(block, "text").get(..end).unwrap_or_default().to_owned();
                block["text"] = Value::from(head + "… [truncated]");
            }
        })),
    fault("normalize_api/asks-to-continue", "normalize/no-invention")
        .that("adds a prompt of its own when a reply would be last")
        .by(Wrong::List(|_, turns| {
            if turns.last().is_some_and(|last| is_of(last, "assistant")) {
                turns.push(turn("user", vec![text_block("Continue.")]));
            }
        })),
    fault("normalize_api/placeholder-in-its-own-words", "normalize/no-invention")
        .that("says in its own words that a call has no result")
        .by(Wrong::EachBlock("user", |block| {
            if is_placeholder(block) {
                block["content"] = Value::from(MISSING_TOOL_RESULT.to_lowercase());
            }
        })),
    fault("normalize_api/sends-progress", "normalize/no-invention").that("sends progress of tools as text").by(
        Wrong::EachMessage("progress", |message| {
            *message = prompt(&format!("{} is running", text(message, "toolUseID")));
        }),
    ),
    fault("normalize_api/sends-hook-results-as-text", "normalize/no-invention")
        .that("sends what hooks print for the user")
        .by(Wrong::EachMessage("hook_result", |message| {
            *message = prompt(&format!("hook: {}", text(message, "content")));
        })),
    fault("normalize_api/turns-texts-around", "normalize/keeps-order")
        .that("puts each message that it joins in front of the others")
        .by(Wrong::Blocks("user", |blocks| {
            let count = results(blocks);
            blocks[count..].reverse();
        })),
    fault("normalize_api/results-in-the-order-of-arrival", "normalize/keeps-order")
        .that("puts results in front as they came, not in the order of the calls")
        .by(Wrong::Blocks("user", |blocks| reverse_results(blocks))),
    fault("normalize_api/collects-attachments-backwards", "normalize/keeps-order")
        .that("moves attachments up one by one, so that the last comes first")
        .by(Wrong::Messages(|messages| {
            let is_attachment = |message: &Value| kind(message) == "attachment";
            messages
                .chunk_by_mut(|one, other| is_attachment(one) == is_attachment(other))
                .filter(|run| run.first().is_some_and(is_attachment))
                .for_each(<[Value]>::reverse);
        })),
    fault("normalize_api/leaves-attachments-in-place", "normalize/keeps-order")
        .that("does not move a prompt that was typed while a tool ran, nor a reminder")
        .by(Wrong::EachMessage("attachment", |message| {
            let attachment = message.get("attachment").unwrap_or(&Value::Null);
            let member = match kind(attachment) {
                "queued_command" => "prompt",
                "date_change" => "newDate",
                "read_truncation_notice" => "banner",
                "skill_listing" | "hook_additional_context" => "content",
                _ => "text",
            };
            let words = text(attachment, member);
            if !words.is_empty() {
                *message = prompt(words);
            }
        })),
    fault("normalize_api/attachments-in-the-last-turn", "normalize/keeps-order")
        .that("puts every attachment into the last turn")
        .by(Wrong::Messages(|messages| messages.sort_by_key(|message| kind(message) == "attachment"))),
    fault("normalize_api/joins-neighbouring-lines-only", "normalize/keeps-order")
        .that("joins the lines of a reply only where nothing is between them")
        .seen_in("anthropics/claude-code#63155")
        .by(Wrong::Messages(|messages| {
            let (mut before, mut count) = (String::new(), 0);
            for message in messages.iter_mut().filter(|message| matches!(kind(message), "user" | "assistant")) {
                let own = reply(message).to_owned();
                count += usize::from(own != before);
                before.clone_from(&own);
                if !own.is_empty() {
                    message["message"]["id"] = Value::from(format!("{own}-{count}"));
                }
            }
        })),
    fault("normalize_api/thinking-first", "normalize/keeps-order")
        .that("puts all thinking of a turn before its other blocks")
        .by(Wrong::Blocks("assistant", |blocks| blocks.sort_by_key(|block| !is_thinking(block)))),
    fault("normalize_api/answers-by-place", "normalize/no-invention")
        .that("gives results to parallel calls in the order in which the results came")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.9")
        .by(Wrong::Blocks("user", |blocks| {
            let count = results(blocks);
            let results = blocks.get_mut(..count).unwrap_or_default();
            let ids: Vec<Option<Value>> = results.iter().map(|result| result.get("tool_use_id").cloned()).collect();
            results.reverse();
            for (result, id) in results.iter_mut().zip(ids) {
                result["tool_use_id"] = id.unwrap_or_default();
            }
        })),
    fault("normalize_api/last-result-wins", "normalize/conserves")
        .that("keeps the last of several results for a call")
        .by(Wrong::Messages(|messages| keep_the_last(messages, "user", "tool_result", "tool_use_id"))),
    fault("normalize_api/last-call-wins", "normalize/conserves")
        .that("keeps the last of several calls with one id")
        .by(Wrong::Messages(|messages| keep_the_last(messages, "assistant", "tool_use", "id"))),
    fault("normalize_api/withdraws-whole-replies", "normalize/conserves")
        .that("takes back all lines of a reply when a tombstone names one of them")
        .by(Wrong::Messages(|messages| {
            let tombstones = messages.iter().filter(|message| kind(message) == "tombstone");
            let withdrawn: Vec<&Value> = tombstones.filter_map(|message| message.pointer("/message/uuid")).collect();
            let named = messages.iter().filter(|message| message.get("uuid").is_some_and(|id| withdrawn.contains(&id)));
            let replies: Vec<Value> = named.filter_map(|message| message.pointer("/message/id").cloned()).collect();
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
        .by(Wrong::List(|_, turns| {
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
            let is_bad = |block: &Value| match kind(block) {
                "" => true,
                "image" | "document" => block.get("source").is_none_or(|source| kind(source).is_empty()),
                _ => false,
            };
            messages.retain(|message| !blocks(message).iter().any(is_bad));
        })),
    fault("normalize_api/drops-equal-texts", "normalize/conserves")
        .that("treats a text that is said twice as one that was stored twice")
        .by(Wrong::Blocks("user", |blocks| {
            for block in std::mem::take(blocks) {
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
        .by(Wrong::EachBlock("user", |block| remove(block, "is_error"))),
    fault("normalize_api/loses-images-of-results", "normalize/conserves").that("sends only the texts of a result").by(
        Wrong::EachBlock("user", |block| {
            blocks_mut(block).into_iter().for_each(|parts| parts.retain(|part| kind(part) == "text"));
        }),
    ),
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
        .by(Wrong::List(|_, turns| {
            let is_plain =
                |turn: &Value| is_of(turn, "assistant") && blocks(turn).iter().all(|block| kind(block) == "text");
            for whole in turns.iter_mut().filter(|whole| is_plain(whole)) {
                *whole = turn("user", blocks(whole).to_vec());
            }
        })),
    fault("normalize_api/fills-user-turns", "normalize/no-invention")
        .that("puts the no-content text behind results, although the turn is not empty")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.30")
        .by(Wrong::Blocks("user", |blocks| {
            if results(blocks) == blocks.len() {
                blocks.push(text_block(NO_CONTENT));
            }
        })),
    fault("normalize_api/replies-where-they-end", "normalize/keeps-order")
        .that("joins the lines of a reply in the place of the last one")
        .by(Wrong::Messages(where_they_end)),
];

/// The id of the reply that an assistant message is a line of; empty for other messages.
pub(super) fn reply(message: &Value) -> &str {
    match message.get("message") {
        Some(body) if kind(message) == "assistant" => text(body, "id"),
        _ => "",
    }
}

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

fn where_they_end(messages: &mut Vec<Value>) {
    let id = |message: &Value| match message.pointer("/message/id").and_then(Value::as_str) {
        Some(id) if kind(message) == "assistant" && !id.is_empty() => Some(id.to_owned()),
        _ => None,
    };
    let last: HashMap<String, usize> =
        messages.iter().enumerate().filter_map(|(at, message)| Some((id(message)?, at))).collect();
    let mut placed: Vec<(usize, Value)> = messages.drain(..).enumerate().collect();
    placed.sort_by_key(|(at, message)| id(message).and_then(|id| last.get(&id).copied()).unwrap_or(*at));
    messages.extend(placed.into_iter().map(|(_, message)| message));
}
