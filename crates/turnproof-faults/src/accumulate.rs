//! Faults in *accumulating*: how bytes are read as events, and what events do to blocks.

use std::collections::HashMap;

use turnproof_rules::json;
use turnproof_rules::operation::{StreamItem, Value};

use super::walk::{kind, remove, text};
use super::{Fault, Wrong, fault, wire};

pub(super) const FAULTS: &[Fault] = &[
    fault("accumulate/decodes-each-piece-alone", "stream/chunking-invariant")
        .that("decodes each piece of bytes by itself, so that a character on the seam turns into U+FFFD")
        .seen_in("anthropics/claude-code changelog 2.1.94")
        .by(Wrong::EachPiece(|bytes| *bytes = String::from_utf8_lossy(bytes).into_owned().into_bytes())),
    fault("accumulate/takes-a-piece-for-whole-events", "stream/chunking-invariant")
        .that("treats the end of a piece of bytes as the end of an event")
        .by(Wrong::EachPiece(|bytes| bytes.extend(b"\n\n"))),
    fault("accumulate/ends-lines-at-line-feeds-alone", "stream/chunking-invariant")
        .that("does not treat the carriage return as part of a line end")
        .by(Wrong::EachPiece(|bytes| bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b' '))),
    fault("accumulate/joins-data-without-line-ends", "stream/total")
        .that("joins several lines of data without a line end, and reads a message that was torn")
        .by(Wrong::Data(|data| data.concat())),
    fault("accumulate/takes-the-last-data-line", "stream/accumulates")
        .that("reads only the last of several data lines")
        .by(Wrong::Data(|data| data.last().copied().unwrap_or_default().to_owned())),
    fault("accumulate/goes-on-behind-an-error", "stream/one-message-per-block")
        .that("takes what comes behind an error of the API, and yields it")
        .by(Wrong::EachEvent(|event| {
            if kind(event) == "error" {
                *event = json!({"type": "ping"});
            }
        })),
    fault("accumulate/adds-usage-up", "stream/accumulates")
        .that("adds the running totals of usage to the usage of the start")
        .by(Wrong::Items(|items| {
            let mut total: u64 = 0;
            wire::events(items, |event| match kind(event) {
                "message_start" => total = event["message"]["usage"]["output_tokens"].as_u64().unwrap_or_default(),
                "message_delta" => {
                    if let Some(tokens) = event["usage"]["output_tokens"].as_u64() {
                        total += tokens;
                        event["usage"]["output_tokens"] = total.into();
                    }
                }
                _ => {}
            })
        })),
    fault("accumulate/lets-totals-only-grow", "stream/late-fields")
        .that("keeps the larger of two counts, as if totals could only grow")
        .by(Wrong::Items(|items| {
            let mut first = Value::Null;
            wire::events(items, |event| match kind(event) {
                "message_start" => first = event["message"]["usage"].clone(),
                "message_delta" => {
                    for (name, count) in event["usage"].as_object_mut().into_iter().flat_map(|usage| usage.iter_mut()) {
                        if first[name.as_str()].as_u64() > count.as_u64() && count.is_u64() {
                            *count = first[name.as_str()].clone();
                        }
                    }
                }
                _ => {}
            })
        })),
    fault("accumulate/parses-blank-inputs", "stream/accumulates")
        .that("parses an input of white space alone, which is no JSON")
        .by(Wrong::Items(|items| {
            let mut inputs: Vec<String> = Vec::new();
            wire::events(items.clone(), |event| match kind(event) {
                "content_block_start" => inputs.push(String::new()),
                _ => inputs.last_mut().into_iter().for_each(|input| *input += text(&event["delta"], "partial_json")),
            });
            let mut block = 0;
            wire::events(items, |event| match kind(event) {
                "content_block_start" => block += 1,
                _ => {
                    let input: &str = inputs.get(block - usize::from(block > 0)).map_or("", String::as_str);
                    if !input.is_empty() && input.trim().is_empty() && !text(&event["delta"], "partial_json").is_empty()
                    {
                        event["delta"]["partial_json"] = json!("blank");
                    }
                }
            })
        })),
    fault("accumulate/ends-a-block-at-a-ping", "stream/accumulates")
        .that("treats a ping between the deltas of a block as the end of the block")
        .by(Wrong::Items(|items| {
            let (mut is_open, mut is_over) = (false, false);
            wire::events(items, |event| match kind(event) {
                "content_block_start" => (is_open, is_over) = (true, false),
                "content_block_stop" => (is_open, is_over) = (false, false),
                "ping" => is_over = is_open,
                "content_block_delta" if is_over => *event = json!({"type": "ping"}),
                _ => {}
            })
        })),
    fault("accumulate/parses-each-delta", "stream/chunking-invariant")
        .that("parses each delta of an input alone, and loses those that are not whole JSON")
        .by(Wrong::EachEvent(|event| {
            let is_alone = serde_json::from_str::<Value>(text(&event["delta"], "partial_json")).is_ok();
            if kind(&event["delta"]) == "input_json_delta" && !is_alone {
                event["delta"]["partial_json"] = json!("");
            }
        })),
    fault("accumulate/appends-signatures", "stream/accumulates")
        .that("appends a signature to the one before instead of replacing it")
        .by(Wrong::Items(|items| append(items, "signature_delta", "signature"))),
    fault("accumulate/appends-compactions", "stream/accumulates")
        .that("appends the content of a compaction to the one before instead of replacing it")
        .by(Wrong::Items(|items| append(items, "compaction_delta", "content"))),
    fault("accumulate/passes-over-citations", "stream/accumulates")
        .that("does not know deltas of citations, and loses them")
        .by(Wrong::EachEvent(|event| {
            if kind(&event["delta"]) == "citations_delta" {
                *event = json!({"type": "ping"});
            }
        })),
    fault("accumulate/passes-over-indexes", "stream/total")
        .that("adds each delta to the last block, whatever its index")
        .by(Wrong::Items(|items| {
            let mut last = Value::Null;
            wire::events(items, |event| match kind(event) {
                "message_start" => last = Value::Null,
                "content_block_start" => last = event["index"].clone(),
                "content_block_delta" if !last.is_null() && event["index"].is_u64() => event["index"] = last.clone(),
                _ => {}
            })
        })),
    fault("accumulate/begins-anew-at-a-second-start", "stream/accumulates")
        .that("drops what it has when a message starts before the previous one has stopped")
        .by(Wrong::Items(|items| {
            let tries = items.split_inclusive(|item| *item == StreamItem::Abandon);
            tries.flat_map(|items| restart_in_try(items.to_vec())).collect()
        })),
    fault("accumulate/data-alone-is-no-event", "stream/chunking-invariant")
        .that("follows the event's name alone, and reads no data without one")
        .by(Wrong::EachPiece(|piece| {
            let said = String::from_utf8_lossy(piece);
            if said.starts_with("data:") {
                *piece = format!(": {said}").into_bytes();
            }
        })),
    fault("accumulate/stop-sequence-stays", "stream/accumulates")
        .that("keeps a stop_sequence when a later event says null beside its stop_reason")
        .by(Wrong::EachEvent(|event| {
            if let ("message_delta", Some(delta)) = (kind(event), event.get("delta"))
                && delta.get("stop_sequence") == Some(&Value::Null)
            {
                remove(&mut event["delta"], "stop_sequence");
            }
        })),
    fault("accumulate/model-of-the-end", "stream/accumulates")
        .that("takes the model that the end of a reply names")
        .by(Wrong::Items(|items| {
            let (mut models, mut stream) = (HashMap::new(), 0);
            let items = wire::events(items, |event| match kind(event) {
                "message_start" => stream += 1,
                "message_delta" => {
                    let model = event.pointer("/delta/model").filter(|model| model.is_string()).cloned();
                    models.extend(model.map(|model| (stream, model)));
                }
                _ => {}
            });
            let mut stream = 0;
            wire::events(items, |event| {
                if kind(event) == "message_start" {
                    stream += 1;
                    if let (Some(late), Some(model)) = (models.get(&stream), event.pointer_mut("/message/model")) {
                        *model = late.clone();
                    }
                }
            })
        })),
    fault("accumulate/no-stop-details", "stream/accumulates")
        .that("does not take the other members of the delta, such as stop_details and container")
        .by(Wrong::EachEvent(|event| {
            if kind(event) == "message_delta"
                && let Some(delta) = event.get_mut("delta").and_then(Value::as_object_mut)
            {
                delta.retain(|name, _| name == "stop_reason" || name == "stop_sequence");
            }
        })),
];

/// Puts what the earlier deltas of a block had before a member of each delta.
fn append(items: Vec<StreamItem>, delta_type: &str, member: &str) -> Vec<StreamItem> {
    let mut before: HashMap<String, String> = HashMap::new();
    wire::events(items, |event| {
        if kind(event) == "message_start" {
            before.clear();
        }
        if kind(&event["delta"]) == delta_type {
            let all = before.entry(event["index"].to_string()).or_default();
            all.push_str(text(&event["delta"], member));
            event["delta"][member] = json!(all);
        }
    })
}

fn restart_in_try(items: Vec<StreamItem>) -> Vec<StreamItem> {
    let mut number = 0;
    let mut open = None;
    let mut lost = Vec::new();
    wire::events(items.clone(), |event| {
        match kind(event) {
            "message_start" => lost.extend(open.replace(number).into_iter().flat_map(|first| first..number)),
            "message_stop" | "error" => open = None,
            _ => {}
        }
        number += 1;
    });
    let mut number = 0;
    wire::events(items, |event| {
        if lost.binary_search(&number).is_ok() {
            *event = json!({"type": "ping"});
        }
        number += 1;
    })
}
