//! Unread faults in *streams*: which block an event changes, what it holds at its start, what is yielded when.

use std::collections::{HashMap, HashSet};

use turnproof::operation::StreamItem;
use turnproof::operation::{Object, Value};
use turnproof::stream::SseDecoder;
use turnproof_rules::json;

use super::{Unread, unread};
use crate::conserve::reply;
use crate::walk::{blocks, blocks_mut, kind, remove, text};
use crate::wire::{events, lines};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "accumulate/unread-deltas-of-the-newest-block",
        "4.3: content_block_delta changes the open block with its index (anthropics/anthropic-sdk-go#351)",
        "applies each delta to the block that began last, whatever its index",
        Wrong::Items(|items| of_the_newest(items, "content_block_delta")),
    ),
    unread(
        "accumulate/unread-stops-the-newest-block",
        "4.4: a stop of a block that is stopped, or was never started, is ignored",
        "stops the block that began last, whatever the index of the stop",
        Wrong::Items(|items| of_the_newest(items, "content_block_stop")),
    ),
    unread(
        "accumulate/unread-words-of-the-start",
        "4.3: deltas go on with what the start of the block holds (BerriAI/litellm#25852)",
        "begins each text and each thinking empty, whatever the start says",
        Wrong::EachEvent(|event| {
            if kind(event) == "content_block_start" {
                for name in ["text", "thinking"] {
                    let member = event.pointer_mut(&format!("/content_block/{name}"));
                    member.filter(|member| member.is_string()).into_iter().for_each(|member| *member = "".into());
                }
            }
        }),
    ),
    unread(
        "accumulate/unread-signature-of-the-start",
        "4.3: a signature of the start stands until a delta brings one",
        "begins each thinking without a signature, whatever the start says",
        Wrong::EachEvent(|event| {
            if kind(event) == "content_block_start" {
                let member = event.pointer_mut("/content_block/signature");
                member.filter(|member| member.is_string()).into_iter().for_each(|member| *member = "".into());
            }
        }),
    ),
    unread(
        "accumulate/unread-citations-of-the-start",
        "4.3: deltas go on with what the start of the block holds: its citations",
        "begins each text without citations, whatever the start says",
        Wrong::EachEvent(|event| {
            if kind(event) == "content_block_start" {
                event.get_mut("content_block").into_iter().for_each(|block| remove(block, "citations"));
            }
        }),
    ),
    unread(
        "accumulate/unread-blocks-of-the-start",
        "4.5: if message_start holds content, its blocks are yielded at once",
        "begins each message with an empty content, whatever message_start says",
        Wrong::EachEvent(|event| {
            if let ("message_start", Some(content)) = (kind(event), event.pointer("/message/content"))
                && content.is_array()
            {
                event["message"]["content"] = json!([]);
            }
        }),
    ),
    unread(
        "accumulate/unread-unknown-deltas-say-something",
        "4.3: a delta of an unknown type changes nothing",
        "appends the text of any delta that has one",
        Wrong::EachEvent(|event| {
            if kind(event) == "content_block_delta" && event.pointer("/delta/text").is_some_and(Value::is_string) {
                event["delta"]["type"] = "text_delta".into();
            }
        }),
    ),
    unread(
        "accumulate/unread-text-into-any-block",
        "4.3: a delta whose block is of another type changes nothing (sgl-project/sglang#24293)",
        "appends a text_delta to thinking when the open block is one",
        Wrong::Items(|items| {
            let mut is_thinking = false;
            events(items, |event| match kind(event) {
                "content_block_start" => {
                    is_thinking = event.get("content_block").is_some_and(|block| kind(block) == "thinking");
                }
                "content_block_delta" if is_thinking => {
                    if let Some(said) = event.pointer("/delta/text").cloned().filter(Value::is_string) {
                        event["delta"] = json!({"type": "thinking_delta", "thinking": said});
                    }
                }
                _ => {}
            })
        }),
    ),
    unread(
        "accumulate/unread-usage-merges-deep",
        "4.6: each member of the event's usage replaces the one in the message",
        "merges objects inside usage member by member",
        Wrong::Items(|items| {
            let mut so_far = Object::new();
            events(items, |event| match kind(event) {
                "message_start" => {
                    let usage = event.pointer("/message/usage").and_then(Value::as_object);
                    so_far = usage.cloned().unwrap_or_default();
                }
                "message_delta" => {
                    let Some(usage) = event.get_mut("usage").and_then(Value::as_object_mut) else { return };
                    for (name, member) in usage.iter_mut() {
                        if let (Some(Value::Object(old)), Value::Object(new)) = (so_far.get(name), member) {
                            for (inner, number) in old {
                                if !new.contains_key(inner) {
                                    new.insert(inner, number.clone());
                                }
                            }
                        }
                    }
                    so_far.extend(usage.clone());
                }
                _ => {}
            })
        }),
    ),
    unread(
        "accumulate/unread-first-end-counts",
        "4.6: each message_delta counts, also a second one",
        "passes over each message_delta after the first of a message",
        Wrong::Items(|items| {
            let mut has_ended = false;
            events(items, |event| match kind(event) {
                "message_start" => has_ended = false,
                "message_delta" if has_ended => *event = json!({"type": "ping"}),
                "message_delta" => has_ended = true,
                _ => {}
            })
        }),
    ),
    unread(
        "accumulate/unread-model-of-the-end",
        "4.6: id, type, role, model and content are never taken from message_delta",
        "takes the model that the end of a reply names",
        Wrong::Items(|items| {
            let (mut models, mut stream) = (HashMap::new(), 0);
            let items = events(items, |event| match kind(event) {
                "message_start" => stream += 1,
                "message_delta" => {
                    let model = event.pointer("/delta/model").filter(|model| model.is_string()).cloned();
                    models.extend(model.map(|model| (stream, model)));
                }
                _ => {}
            });
            let mut stream = 0;
            events(items, |event| {
                if kind(event) == "message_start" {
                    stream += 1;
                    if let (Some(late), Some(model)) = (models.get(&stream), event.pointer_mut("/message/model")) {
                        *model = late.clone();
                    }
                }
            })
        }),
    ),
    unread(
        "accumulate/unread-stop-sequence-stays",
        "4.6: beside a new stop_reason null takes the stop_sequence away",
        "keeps a stop_sequence when a later event says null beside its stop_reason",
        Wrong::EachEvent(|event| {
            if let ("message_delta", Some(delta)) = (kind(event), event.get("delta"))
                && delta.get("stop_sequence") == Some(&Value::Null)
            {
                remove(&mut event["delta"], "stop_sequence");
            }
        }),
    ),
    unread(
        "accumulate/unread-comments-end-an-event",
        "4.2: a line that begins with : is a comment, also inside an event (symfony/ai#1604)",
        "takes a comment for the end of an event",
        Wrong::Items(|items| {
            lines(items, |line, _| Some(if line.starts_with(':') { String::new() } else { line.to_owned() }))
        }),
    ),
    unread(
        "accumulate/unread-colon-and-space",
        "4.2: one space after the colon is dropped, if there is one (sgl-project/genai-bench#159)",
        "looks for `data: ` with a space, and passes over other lines",
        Wrong::Items(|items| {
            lines(items, |line, _| {
                let is_other = line.starts_with("data:") && !line.starts_with("data: ");
                (!is_other).then(|| line.to_owned())
            })
        }),
    ),
    unread(
        "accumulate/unread-names-say-nothing",
        "4.2: if the data has no type, the name of the event is its type",
        "does not read the names of events",
        Wrong::Items(|items| {
            lines(items, |line, _| if line.starts_with("event:") { None } else { Some(line.to_owned()) })
        }),
    ),
    unread(
        "accumulate/unread-names-before-types",
        "4.2: the type inside the data says what the event is",
        "takes the name of an event for its type, whatever the data says",
        Wrong::Items(typed_by_name),
    ),
    unread(
        "accumulate/unread-yields-when-all-is-there",
        "4.5: each finished block is yielded at once",
        "yields the blocks of a reply together, behind what joined meanwhile",
        Wrong::Output(|output| {
            for list in output.lists() {
                let mut tries = 0;
                let name = |message: &Value, tries: usize| (reply(message).to_owned(), tries);
                let mut last = HashMap::new();
                for (at, message) in list.iter().enumerate() {
                    tries += usize::from(kind(message) == "tombstone");
                    if kind(message) == "assistant" {
                        last.insert(name(message, tries), at);
                    }
                }
                tries = 0;
                let mut placed: Vec<(usize, Value)> = Vec::new();
                for (at, message) in std::mem::take(list).into_iter().enumerate() {
                    tries += usize::from(kind(&message) == "tombstone");
                    let is_reply = kind(&message) == "assistant" && !reply(&message).is_empty();
                    let place = last.get(&name(&message, tries)).copied().filter(|_| is_reply);
                    placed.push((place.unwrap_or(at), message));
                }
                placed.sort_by_key(|(place, _)| *place);
                *list = placed.into_iter().map(|(_, message)| message).collect();
            }
        }),
    ),
    unread(
        "accumulate/unread-withdraws-what-people-said",
        "4.7: a user message that holds nothing but such results is withdrawn with them",
        "withdraws what the user said beside the result of a withdrawn call",
        Wrong::Output(|output| {
            let yielded = output.events.iter().filter(|message| kind(message) == "user");
            let counts: HashMap<String, usize> =
                yielded.map(|message| (text(message, "uuid").to_owned(), blocks(message).len())).collect();
            let is_less = |message: &Value| {
                let count = counts.get(text(message, "uuid")).copied().unwrap_or_default();
                kind(message) == "user" && blocks(message).len() < count
            };
            output.live.retain(|message| !is_less(message));
            for slot in output.slots.iter_mut().filter(|slot| is_less(slot)) {
                *slot = json!({"type": "tombstone", "message": slot.clone()});
            }
        }),
    ),
    unread(
        "accumulate/unread-broken-calls-go",
        "4.4: the input is the collected text, as a string",
        "does not yield a call whose input does not parse",
        Wrong::Output(|output| {
            let is_broken = |block: &Value| block.get("input").is_some_and(Value::is_string);
            for list in output.lists() {
                list.retain(|message| kind(message) != "assistant" || !blocks(message).iter().any(is_broken));
            }
            for blocks in output.messages.iter_mut().filter_map(blocks_mut) {
                blocks.retain(|block| !is_broken(block));
            }
        }),
    ),
    unread(
        "accumulate/unread-items-from-one",
        "4.4: the fault named is the first one, at the item where it was",
        "counts the items of a stream from one when it names a fault",
        Wrong::Output(|output| output.fault.iter_mut().for_each(|fault| fault.item += 1)),
    ),
    unread(
        "accumulate/unread-numbers-as-doubles",
        "4.3: whole numbers of up to 64 bits are judged by all of their digits",
        "reads the numbers of an input as doubles",
        Wrong::Output(|output| {
            for block in output.all().filter_map(blocks_mut).flatten() {
                block.get_mut("input").into_iter().for_each(as_doubles);
            }
        }),
    ),
    unread(
        "accumulate/unread-compactions-add-up",
        "4.3: compaction_delta replaces content",
        "appends each compaction_delta to the content so far",
        Wrong::Items(|items| {
            let mut so_far = String::new();
            events(items, |event| match kind(event) {
                "content_block_start" => {
                    so_far =
                        event.get("content_block").map(|block| text(block, "content").to_owned()).unwrap_or_default();
                }
                "content_block_delta" => {
                    let Some(delta) = event.get_mut("delta").filter(|delta| kind(delta) == "compaction_delta") else {
                        return;
                    };
                    if let Some(more) = delta.get("content").and_then(Value::as_str) {
                        so_far.push_str(more);
                        delta["content"] = so_far.as_str().into();
                    }
                }
                _ => {}
            })
        }),
    ),
    unread(
        "accumulate/unread-known-members-of-messages",
        "4.3: unknown members of messages and blocks are kept",
        "keeps of message_start the members that it knows",
        Wrong::EachEvent(|event| {
            const KNOWN: [&str; 10] = [
                "id",
                "type",
                "role",
                "model",
                "content",
                "stop_reason",
                "stop_sequence",
                "usage",
                "container",
                "context_management",
            ];
            if kind(event) == "message_start"
                && let Some(members) = event.get_mut("message").and_then(Value::as_object_mut)
            {
                members.retain(|name, _| KNOWN.contains(&name.as_str()));
            }
        }),
    ),
    unread(
        "accumulate/unread-open-blocks-are-lost",
        "4.3: message_delta and message_stop stop a block that is still open",
        "loses a block that is still open when its message ends",
        Wrong::Items(|items| {
            let (mut at, mut open, mut lost) = (0, Vec::new(), HashSet::new());
            let items = events(items, |event| {
                match kind(event) {
                    "message_start" | "content_block_stop" => open.clear(),
                    "content_block_start" => open = vec![at],
                    "content_block_delta" => open.push(at),
                    "message_delta" | "message_stop" => lost.extend(open.drain(..)),
                    _ => {}
                }
                at += 1;
            });
            at = 0;
            events(items, |event| {
                if lost.contains(&at) {
                    *event = json!({"type": "ping"});
                }
                at += 1;
            })
        }),
    ),
];

/// Gives each event of this type the index of the block that began last.
fn of_the_newest(items: Vec<StreamItem>, type_name: &str) -> Vec<StreamItem> {
    let mut newest = Value::Null;
    events(items, |event| match kind(event) {
        "message_start" => newest = Value::Null,
        "content_block_start" => newest = event["index"].clone(),
        other if other == type_name && newest.is_number() => event["index"] = newest.clone(),
        _ => {}
    })
}

/// Gives the data of each event that has a name this name as its type.
fn typed_by_name(items: Vec<StreamItem>) -> Vec<StreamItem> {
    let mut decoder = SseDecoder::new();
    let mut rewrite = |item| match item {
        StreamItem::Bytes(bytes) => {
            let mut written = String::new();
            for sent in decoder.push(&bytes) {
                let mut data = sent.data;
                if let (Some(name), Ok(Value::Object(mut members))) = (sent.name, serde_json::from_str(&data)) {
                    members.insert("type".to_owned(), name.into());
                    data = Value::Object(members).to_string();
                }
                data.split('\n').for_each(|line| written.push_str(&format!("data: {line}\n")));
                written.push('\n');
            }
            StreamItem::Bytes(written.into_bytes())
        }
        StreamItem::Abandon => {
            decoder = SseDecoder::new();
            StreamItem::Abandon
        }
        other => other,
    };
    items.into_iter().map(&mut rewrite).collect()
}

/// Rounds whole numbers as doubles do.
fn as_doubles(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(whole) = number.as_u64().filter(|whole| *whole > 1 << 53) {
                *value = Value::from(whole as f64 as u64);
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(as_doubles),
        Value::Object(members) => members.values_mut().for_each(as_doubles),
        _ => {}
    }
}
