//! Faults in *accumulating*: how bytes are read as events, and what events do to blocks.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::operation::StreamItem;

use super::walk::{kind, text};
use super::{Fault, Wrong, wire};

/// The faults of `accumulate` in what is read.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "accumulate/decodes-each-piece-alone",
        title: "decodes each piece of bytes by itself, so that a character on the seam turns into U+FFFD",
        source: Some("anthropics/claude-code changelog 2.1.94"),
        rule: "stream/chunking-invariant",
        wrong: Wrong::StreamItems(|items| {
            wire::pieces(items, |bytes| String::from_utf8_lossy(&bytes).into_owned().into_bytes())
        }),
    },
    Fault {
        id: "accumulate/takes-a-piece-for-whole-events",
        title: "takes an event for ended where a piece of bytes ends",
        source: None,
        rule: "stream/chunking-invariant",
        wrong: Wrong::StreamItems(|items| {
            wire::pieces(items, |mut bytes| {
                bytes.extend(b"\n\n");
                bytes
            })
        }),
    },
    Fault {
        id: "accumulate/ends-lines-at-line-feeds-alone",
        title: "does not take the carriage return for a part of the line's end",
        source: None,
        rule: "stream/chunking-invariant",
        wrong: Wrong::StreamItems(|items| {
            wire::pieces(items, |bytes| {
                bytes.into_iter().map(|byte| if byte == b'\r' { b' ' } else { byte }).collect()
            })
        }),
    },
    Fault {
        id: "accumulate/joins-data-without-line-ends",
        title: "joins several lines of data without a line end, and reads a message that was torn",
        source: None,
        rule: "stream/total",
        wrong: Wrong::StreamItems(|items| wire::joined(items, |data| data.concat())),
    },
    Fault {
        id: "accumulate/takes-the-last-data-line",
        title: "takes the last of several lines of data for all of it",
        source: None,
        rule: "stream/accumulates",
        wrong: Wrong::StreamItems(|items| {
            wire::joined(items, |data| data.last().cloned().unwrap_or_default())
        }),
    },
    Fault {
        id: "accumulate/adds-usage-up",
        title: "adds the running totals of usage to what the start said",
        source: None,
        rule: "stream/accumulates",
        wrong: Wrong::StreamItems(add_usage),
    },
    Fault {
        id: "accumulate/parses-each-delta",
        title: "parses each delta of an input by itself, and loses those that are no JSON alone",
        source: None,
        rule: "stream/chunking-invariant",
        wrong: Wrong::StreamItems(|items| {
            wire::events(items, |event| {
                let is_alone = serde_json::from_str::<Value>(text(&event["delta"], "partial_json")).is_ok();
                if kind(&event["delta"]) == "input_json_delta" && !is_alone {
                    event["delta"]["partial_json"] = json!("");
                }
            })
        }),
    },
    Fault {
        id: "accumulate/appends-signatures",
        title: "appends a signature to the one before instead of replacing it",
        source: None,
        rule: "stream/accumulates",
        wrong: Wrong::StreamItems(|items| append(items, "signature_delta", "signature")),
    },
    Fault {
        id: "accumulate/appends-compactions",
        title: "appends the content of a compaction to the one before instead of replacing it",
        source: None,
        rule: "stream/accumulates",
        wrong: Wrong::StreamItems(|items| append(items, "compaction_delta", "content")),
    },
    Fault {
        id: "accumulate/passes-over-citations",
        title: "does not know deltas of citations, and loses them",
        source: None,
        rule: "stream/accumulates",
        wrong: Wrong::StreamItems(|items| {
            wire::events(items, |event| {
                if kind(&event["delta"]) == "citations_delta" {
                    *event = json!({"type": "ping"});
                }
            })
        }),
    },
    Fault {
        id: "accumulate/passes-over-indexes",
        title: "adds each delta to the last block, whatever its index",
        source: None,
        rule: "stream/total",
        wrong: Wrong::StreamItems(pass_over_indexes),
    },
    Fault {
        id: "accumulate/begins-anew-at-a-second-start",
        title: "throws away what it has when a message starts before the one before has stopped",
        source: None,
        rule: "stream/accumulates",
        wrong: Wrong::StreamItems(begin_anew),
    },
];

/// Each total with that of the event before added to it.
fn add_usage(items: Vec<StreamItem>) -> Vec<StreamItem> {
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
}

/// A member of a delta after what the deltas of its block before it had.
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

/// Each delta with the index of the block that started last.
fn pass_over_indexes(items: Vec<StreamItem>) -> Vec<StreamItem> {
    let mut last = Value::Null;
    wire::events(items, |event| match kind(event) {
        "message_start" => last = Value::Null,
        "content_block_start" => last = event["index"].clone(),
        "content_block_delta" if !last.is_null() && event["index"].is_u64() => event["index"] = last.clone(),
        _ => {}
    })
}

/// Without the events of a message that another one of the same try follows before its stop.
fn begin_anew(items: Vec<StreamItem>) -> Vec<StreamItem> {
    let tries = items.split_inclusive(|item| *item == StreamItem::Abandon);
    tries.flat_map(|items| begin_anew_in_try(items.to_vec())).collect()
}

fn begin_anew_in_try(items: Vec<StreamItem>) -> Vec<StreamItem> {
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
