//! Unread faults in *streams*: from what a model sends to messages.

use std::collections::HashMap;

use turnproof::operation::Value;
use turnproof::operation::{StreamFault, StreamItem};
use turnproof_rules::json;

use super::super::output::StreamOutput;
use super::super::walk::{blocks, blocks_mut, change_text, kind, remove, text};
use super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "accumulate/unread-eager-input-is-lost",
        "4.3: if nothing was collected, input is that of the start (yannikzz/narracat-novel-agent#16)",
        "begins each call with an empty input, whatever the start says",
        Wrong::EachEvent(|event| {
            if kind(event) == "content_block_start" && event.pointer("/content_block/input").is_some() {
                event["content_block"]["input"] = json!({});
            }
        }),
    ),
    unread(
        "accumulate/unread-calls-of-servers-without-input",
        "4.3: a block takes input_json_delta if its type is tool_use or ends so",
        "collects input for calls of the client alone",
        Wrong::Items(|items| {
            let mut is_server = false;
            each_event(items, |event| {
                if kind(event) == "content_block_start" {
                    is_server = text(&event["content_block"], "type") == "server_tool_use";
                }
                if is_server && event.pointer("/delta/partial_json").is_some() {
                    event["delta"]["partial_json"] = "".into();
                }
            })
        }),
    ),
    unread(
        "accumulate/unread-signatures-add-up",
        "4.3: signature_delta replaces signature",
        "appends each signature to the one before",
        Wrong::Items(|items| {
            let mut so_far = String::new();
            each_event(items, |event| {
                if kind(event) == "content_block_start" {
                    so_far =
                        event.pointer("/content_block/signature").and_then(Value::as_str).unwrap_or_default().into();
                }
                if let Some(more) = event.pointer("/delta/signature").and_then(Value::as_str) {
                    so_far.push_str(more);
                    event["delta"]["signature"] = so_far.as_str().into();
                }
            })
        }),
    ),
    unread(
        "accumulate/unread-one-citation",
        "4.3: citations_delta appends to citations",
        "keeps the first citation of a text alone",
        Wrong::Output(|output| {
            each_block(output, |block| {
                if let Some(cited) = block.get_mut("citations").and_then(Value::as_array_mut) {
                    cited.truncate(1);
                }
            })
        }),
    ),
    unread(
        "accumulate/unread-texts-are-trimmed",
        "4.3: the accumulated message is what the events describe, and nothing of it is lost",
        "trims each text when its block stops",
        Wrong::Output(|output| each_block(output, |block| change_text(block, |said| said.trim().to_owned()))),
    ),
    unread(
        "accumulate/unread-blank-blocks-go",
        "4.5: each finished block is yielded",
        "does not yield a text block that is blank",
        Wrong::Output(|output| {
            let is_blank = |message: &Value| {
                let is_text = |block: &Value| kind(block) == "text" && text(block, "text").trim().is_empty();
                kind(message) == "assistant" && !blocks(message).is_empty() && blocks(message).iter().all(is_text)
            };
            for list in [&mut output.events, &mut output.live, &mut output.slots] {
                list.retain(|message| !is_blank(message));
            }
        }),
    ),
    unread(
        "accumulate/unread-usage-adds-up",
        "4.1 and 4.6: a later number takes the place of an earlier one (envoyproxy/ai-gateway#2239)",
        "adds the output tokens of each message_delta to those before",
        Wrong::Items(|items| {
            let mut so_far = 0;
            each_event(items, |event| {
                if kind(event) == "message_start" {
                    so_far = event.pointer("/message/usage/output_tokens").and_then(Value::as_u64).unwrap_or(0);
                }
                if kind(event) == "message_delta"
                    && let Some(tokens) = event.pointer("/usage/output_tokens").and_then(Value::as_u64)
                {
                    so_far = tokens.saturating_add(so_far);
                    event["usage"]["output_tokens"] = so_far.into();
                }
            })
        }),
    ),
    unread(
        "accumulate/unread-input-tokens-of-the-start",
        "4.6: each member of the event's usage replaces the one in the message (cline/cline#4346)",
        "takes only output_tokens from the usage of message_delta",
        Wrong::EachEvent(|event| {
            if kind(event) == "message_delta"
                && let Some(usage) = event.get_mut("usage").and_then(Value::as_object_mut)
            {
                usage.retain(|name, _| name == "output_tokens");
            }
        }),
    ),
    unread(
        "accumulate/unread-null-usage-counts",
        "4.6: each member of the event's usage that is neither null nor of a wrong type replaces",
        "forgets cache_read_input_tokens when the last usage comes",
        Wrong::Output(|output| {
            each_last(output, |message| {
                if message["message"]["usage"].is_object()
                    && message["message"]["usage"]["cache_read_input_tokens"].is_u64()
                {
                    message["message"]["usage"]["cache_read_input_tokens"] = Value::Null;
                }
            })
        }),
    ),
    unread(
        "accumulate/unread-stop-reason-of-null",
        "4.6: a stop_reason that is absent, or no string, stays as it was",
        "sets a missing stop_reason to end_turn",
        Wrong::EachEvent(|event| {
            if kind(event) == "message_delta"
                && event["delta"].is_object()
                && !event["delta"]["stop_reason"].is_string()
            {
                event["delta"]["stop_reason"] = "end_turn".into();
            }
        }),
    ),
    unread(
        "accumulate/unread-no-stop-sequence",
        "4.6: message_delta sets stop_reason, stop_sequence and usage",
        "does not take the stop_sequence",
        Wrong::EachEvent(|event| {
            if kind(event) == "message_delta" && event["delta"].is_object() {
                remove(&mut event["delta"], "stop_sequence");
            }
        }),
    ),
    unread(
        "accumulate/unread-no-stop-details",
        "4.6: of the other members of the delta, those that are not null are set",
        "does not take the other members of the delta, such as stop_details and container",
        Wrong::EachEvent(|event| {
            if kind(event) == "message_delta"
                && let Some(delta) = event.get_mut("delta").and_then(Value::as_object_mut)
            {
                delta.retain(|name, _| name == "stop_reason" || name == "stop_sequence");
            }
        }),
    ),
    unread(
        "accumulate/unread-late-fields-for-all",
        "4.6: the other messages keep null and the first usage",
        "sets the stop reason on every message of a reply",
        Wrong::Output(|output| {
            for list in [&mut output.live, &mut output.slots] {
                let mut reasons = HashMap::new();
                for message in list.iter().filter(|message| kind(message) == "assistant") {
                    if let Some(reason) = message.pointer("/message/stop_reason").filter(|reason| reason.is_string()) {
                        reasons.insert(text(&message["message"], "id").to_owned(), reason.clone());
                    }
                }
                for message in list.iter_mut().filter(|message| kind(message) == "assistant") {
                    if let Some(reason) = reasons.get(text(&message["message"], "id")) {
                        message["message"]["stop_reason"] = reason.clone();
                    }
                }
            }
        }),
    ),
    unread(
        "accumulate/unread-bad-input-is-empty",
        "4.4: bad-input-json, then the input is the collected text, as a string",
        "gives a call the input {} when what was collected does not parse",
        Wrong::Output(|output| {
            each_block(output, |block| {
                if kind(block).ends_with("tool_use") && block["input"].is_string() {
                    block["input"] = json!({});
                }
            })
        }),
    ),
    unread(
        "accumulate/unread-bad-input-passes",
        "4.4: the fault named is the first one; bad-input-json",
        "does not name an input that does not parse",
        Wrong::Output(|output| {
            if output.fault.as_ref().is_some_and(|fault| fault.name == "bad-input-json") {
                output.fault = None;
            }
        }),
    ),
    unread(
        "accumulate/unread-last-fault",
        "4.4: the fault named is the first one, at the item where it was",
        "names the item after the one where the fault was",
        Wrong::Output(|output| {
            if let Some(fault) = &mut output.fault {
                fault.item += 1;
            }
        }),
    ),
    unread(
        "accumulate/unread-wrong-index-for-an-open-block",
        "4.4: a start comes while another block is open: block-still-open",
        "calls a start while another block is open a wrong-block-index",
        Wrong::Output(|output| {
            if let Some(fault) = output.fault.as_mut().filter(|fault| fault.name == "block-still-open") {
                fault.name = "wrong-block-index".to_owned();
            }
        }),
    ),
    unread(
        "accumulate/unread-pings-are-faults",
        "4.4: an orderly stream has none; a ping may come anywhere",
        "calls a ping before message_start a fault",
        Wrong::Items(|items| {
            let mut has_begun = false;
            each_event(items, |event| {
                has_begun |= kind(event) == "message_start";
                if kind(event) == "ping" && !has_begun {
                    *event = json!({"type": "message_stop"});
                }
            })
        }),
    ),
    unread(
        "accumulate/unread-second-start-begins-anew",
        "4.4: second-message-start: the message goes on as it was",
        "begins a reply anew when a second message_start comes in the middle of it",
        Wrong::Items(|items| {
            let mut is_under_way = false;
            let mut taken = Vec::new();
            for item in items {
                if let StreamItem::Event(json) = &item {
                    let event: Value = serde_json::from_str(json).unwrap_or_default();
                    if kind(&event) == "message_start" && is_under_way {
                        taken.push(StreamItem::Event(r#"{"type":"message_stop"}"#.to_owned()));
                    }
                    match kind(&event) {
                        "message_start" => is_under_way = true,
                        "message_stop" => is_under_way = false,
                        _ => {}
                    }
                }
                taken.push(item);
            }
            taken
        }),
    ),
    unread(
        "accumulate/unread-error-ends-nothing",
        "4.4: api-error: the stream has ended",
        "goes on with a stream after an error event",
        Wrong::EachEvent(|event| {
            if kind(event) == "error" {
                *event = json!({"type": "ping"});
            }
        }),
    ),
    unread(
        "accumulate/unread-data-alone-is-no-event",
        "4.2: the `type` inside the data says what the event is",
        "goes by the event's name alone, and reads no data without one",
        Wrong::EachPiece(|piece| {
            let said = String::from_utf8_lossy(piece);
            if said.starts_with("data:") {
                *piece = format!(": {said}").into_bytes();
            }
        }),
    ),
    unread(
        "accumulate/unread-carriage-returns-end-nothing",
        "4.2: a line ends with LF, CR or CR LF",
        "takes a CR alone for a character of the line",
        Wrong::EachPiece(|piece| {
            for at in 0..piece.len() {
                if piece[at] == b'\r' && piece.get(at + 1).is_some_and(|&next| next != b'\n') {
                    piece[at] = b' ';
                }
            }
        }),
    ),
    unread(
        "accumulate/unread-pieces-are-decoded-alone",
        "4.2: bytes that are not UTF-8 become U+FFFD, but only after the line is whole",
        "decodes each piece of the response by itself",
        Wrong::EachPiece(|piece| *piece = String::from_utf8_lossy(piece).into_owned().into_bytes()),
    ),
    unread(
        "accumulate/unread-data-lines-run-together",
        "4.2: several data lines are joined with LF",
        "keeps the last data line of an event",
        Wrong::Data(|lines| lines.last().copied().unwrap_or_default().to_owned()),
    ),
    unread(
        "accumulate/unread-tombstones-backwards",
        "4.7: tombstones come in the order in which the messages were shown",
        "withdraws the last message first",
        Wrong::Output(|output| {
            let is_tombstone = |event: &Value| kind(event) == "tombstone";
            for run in output.events.chunk_by_mut(|one, two| is_tombstone(one) && is_tombstone(two)) {
                run.reverse();
            }
        }),
    ),
    unread(
        "accumulate/unread-tombstone-names-it",
        "4.7: a tombstone holds the message that it withdraws, whole",
        "gives a tombstone the uuid of what it withdraws, and not the message",
        Wrong::Output(|output| {
            for event in output.events.iter_mut().filter(|event| kind(event) == "tombstone") {
                event["message"] = json!({"type": "assistant", "uuid": event["message"]["uuid"]});
            }
        }),
    ),
    unread(
        "accumulate/unread-places-close-up",
        "4.8: in the second view the nth message that was yielded is the nth for ever",
        "leaves out the places of withdrawn messages at the end",
        Wrong::Output(|output| {
            while output.slots.last().is_some_and(|slot| kind(slot) == "tombstone") {
                output.slots.pop();
            }
        }),
    ),
    unread(
        "accumulate/unread-one-uuid-a-reply",
        "4.5: each has its own uuid",
        "gives all messages of a reply the uuid of the first",
        Wrong::Output(|output| {
            for list in [&mut output.events, &mut output.live, &mut output.slots] {
                let mut first: HashMap<String, Value> = HashMap::new();
                for message in list.iter_mut().filter(|message| kind(message) == "assistant") {
                    let id = text(&message["message"], "id").to_owned();
                    let own = message["uuid"].clone();
                    message["uuid"] = first.entry(id).or_insert(own).clone();
                }
            }
        }),
    ),
    unread(
        "accumulate/unread-index-is-a-whole-number-as-written",
        "4.3: an index is a number, however it is written (0, 0.0)",
        "refuses an index that is written 0.0",
        Wrong::Items(|mut items| {
            for item in &mut items {
                if let StreamItem::Event(json) = item
                    && json.contains(".0")
                    && serde_json::from_str::<Value>(json).is_ok_and(|event| event["index"].is_f64())
                {
                    *json = r#"{"type":"content_block_stop"}"#.to_owned();
                }
            }
            items
        }),
    ),
    unread(
        "accumulate/unread-unfinished-passes",
        "4.4: unfinished: the whole message is asked for before message_stop",
        "takes a reply that has a stop_reason for finished, though message_stop never came",
        Wrong::Output(|output| {
            let has_reason = |message: &Value| message.get("stop_reason").is_some_and(Value::is_string);
            let is_unfinished = |fault: &StreamFault| fault.name == "unfinished";
            if output.fault.as_ref().is_some_and(is_unfinished) && output.messages.last().is_some_and(has_reason) {
                output.fault = None;
            }
        }),
    ),
    unread(
        "accumulate/unread-fallback-block-goes",
        "4.3: a block of type fallback with to.model names the message's model anew, and is kept",
        "takes the model from a fallback block, and drops the block",
        Wrong::Output(|output| {
            let is_fallback = |block: &Value| kind(block) == "fallback";
            for list in [&mut output.events, &mut output.live, &mut output.slots] {
                list.retain(|message| !blocks(message).iter().any(is_fallback));
            }
            for message in &mut output.messages {
                blocks_mut(message).into_iter().for_each(|blocks| blocks.retain(|block| !is_fallback(block)));
            }
        }),
    ),
];

fn each_event(mut items: Vec<StreamItem>, mut change: impl FnMut(&mut Value)) -> Vec<StreamItem> {
    for item in &mut items {
        if let StreamItem::Event(json) = item
            && let Ok(mut event) = serde_json::from_str::<Value>(json)
        {
            let before = event.clone();
            change(&mut event);
            if event != before {
                *json = event.to_string();
            }
        }
    }
    items
}

/// Changes each block of the model's messages, wherever they come out.
fn each_block(output: &mut StreamOutput, change: fn(&mut Value)) {
    for list in [&mut output.events, &mut output.live, &mut output.slots, &mut output.messages] {
        for message in list.iter_mut().filter(|message| kind(message) != "user") {
            blocks_mut(message).into_iter().flatten().for_each(change);
        }
    }
}

/// Changes the last message of each reply, which has the late fields.
fn each_last(output: &mut StreamOutput, change: fn(&mut Value)) {
    for list in [&mut output.live, &mut output.slots] {
        let has_reason = |message: &&mut Value| message.pointer("/message/stop_reason").is_some_and(Value::is_string);
        list.iter_mut().filter(has_reason).for_each(change);
    }
}
