//! Faults in what is rarely *streamed*: blocks that begin with something, odd ends, bytes that other servers send, and
//! what joins or is given up meanwhile.

use std::collections::{HashMap, HashSet};

use turnproof_rules::json;
use turnproof_rules::operation::{StreamItem, Value};

use super::conserve::reply;
use super::output::{StreamOutput, is_of_one_reply, is_tombstone};
use super::walk::{blocks, blocks_mut, kind, remove, text};
use super::{Fault, Wrong, fault, wire};

pub(super) const FAULTS: &[Fault] = &[
    // How a reply ends.
    fault("accumulate/takes-the-first-end-alone", "stream/late-fields")
        .that("takes the first `message_delta`, and passes over a later one")
        .by(Wrong::Items(|items| {
            let mut has_ended = false;
            wire::events(items, |event| match kind(event) {
                "message_start" => has_ended = false,
                "message_delta" if std::mem::replace(&mut has_ended, true) => *event = json!({"type": "ping"}),
                _ => {}
            })
        })),
    fault("accumulate/counts-the-output-alone", "stream/late-fields")
        .that("takes the output tokens of the end, and none of the other counts")
        .by(Wrong::EachEvent(|event| {
            if let Some(usage) = event.get_mut("usage").filter(|usage| usage.is_object()) {
                *usage = json!({"output_tokens": usage["output_tokens"]});
            }
        })),
    fault("accumulate/keeps-the-larger-count", "stream/late-fields")
        .that("keeps the larger of two counts of output tokens, instead of the later one")
        .by(Wrong::Items(|items| {
            let mut most = 0;
            wire::events(items, |event| match kind(event) {
                "message_start" => most = 0,
                "message_delta" => {
                    if let Some(tokens) = event["usage"]["output_tokens"].as_u64() {
                        most = most.max(tokens);
                        event["usage"]["output_tokens"] = most.into();
                    }
                }
                _ => {}
            })
        })),
    fault("accumulate/clears-the-reason-with-null", "stream/late-fields")
        .that("takes null in a later `message_delta` for no reason, and forgets the reason that it had")
        .by(Wrong::Items(|items| {
            by_last_end(items, "message_delta", |end, last| {
                for name in ["stop_reason", "stop_sequence"] {
                    if last["delta"].get(name).is_some_and(Value::is_null) {
                        end["delta"][name] = Value::Null;
                    }
                }
            })
        })),
    fault("accumulate/clears-members-with-null", "stream/late-fields")
        .that("takes null in a later `message_delta` for a value, and forgets the container")
        .by(Wrong::Items(|items| {
            by_last_end(items, "message_delta", |end, last| {
                if last["delta"].get("container").is_some_and(Value::is_null) {
                    remove(&mut end["delta"], "container");
                }
            })
        })),
    fault("accumulate/loses-the-stop-sequence", "stream/late-fields")
        .that("sets the reason of the end, and loses the sequence at which the reply stopped")
        .by(Wrong::EachEvent(|event| {
            if kind(event) == "message_delta" {
                event["delta"]["stop_sequence"] = Value::Null;
            }
        })),
    fault("accumulate/loses-new-late-members", "stream/late-fields")
        .that("sets the members of the end that it knows, and loses new ones")
        .by(Wrong::EachEvent(|event| {
            if kind(event) == "message_delta" {
                event.get_mut("delta").into_iter().for_each(|delta| remove(delta, "novelty"));
            }
        })),
    fault("accumulate/loses-input-transformations", "stream/late-fields")
        .that("takes `context_management` from beside the delta, and nothing else that is there")
        .by(Wrong::EachEvent(|event| remove(event, "input_transformations"))),
    fault("accumulate/late-members-on-each-line", "stream/late-fields")
        .that("sets the container and other members of the end on each line of the reply")
        .by(Wrong::Output(|output| {
            for list in [&mut output.live, &mut output.slots] {
                for lines in list.chunk_by_mut(is_of_one_reply) {
                    let Some((last, others)) = lines.split_last_mut() else { continue };
                    for name in ["container", "stop_details", "context_management", "novelty"] {
                        let Some(value) = last["message"].get(name).filter(|value| !value.is_null()) else { continue };
                        others.iter_mut().for_each(|line| line["message"][name] = value.clone());
                    }
                }
            }
        })),
    fault("accumulate/takes-the-id-of-the-end", "stream/accumulates")
        .that("takes id and model of the message from the delta at its end")
        .by(Wrong::Items(|items| {
            by_last_end(items, "message_start", |start, last| {
                for name in ["id", "model"] {
                    if last["delta"][name].is_string() {
                        start["message"][name] = last["delta"][name].clone();
                    }
                }
            })
        })),
    // What the start holds already.
    fault("accumulate/forgets-the-text-of-the-start", "stream/accumulates")
        .that("restarts a text with its first delta, and loses what the start of the block held")
        .by(Wrong::EachEvent(|event| empty(event, "text", &json!("")))),
    fault("accumulate/forgets-the-thinking-of-the-start", "stream/accumulates")
        .that("restarts thinking with its first delta, and loses what the start of the block held")
        .by(Wrong::EachEvent(|event| empty(event, "thinking", &json!("")))),
    fault("accumulate/forgets-the-signature-of-the-start", "stream/accumulates")
        .that("takes a signature from a delta alone, and loses one that the start of the block held")
        .by(Wrong::EachEvent(|event| empty(event, "signature", &json!("")))),
    fault("accumulate/forgets-the-input-of-the-start", "stream/accumulates")
        .that("takes the input of a call from deltas alone, and loses one that the start of the block held")
        .by(Wrong::EachEvent(|event| empty(event, "input", &json!({})))),
    fault("accumulate/forgets-the-citations-of-the-start", "stream/accumulates")
        .that("restarts the citations with the first delta of one")
        .by(Wrong::EachEvent(|event| empty(event, "citations", &Value::Null))),
    fault("accumulate/forgets-the-content-of-the-start", "stream/one-message-per-block")
        .that("yields the blocks that deltas make, and none that `message_start` holds")
        .by(Wrong::Items(without_content)),
    // What deltas add.
    fault("accumulate/keeps-the-last-citation", "stream/accumulates")
        .that("replaces the citations of a text with each new one")
        .by(Wrong::Output(|output| {
            for block in output.all().filter_map(blocks_mut).flatten() {
                if let Some(citations) = block.get_mut("citations").and_then(Value::as_array_mut) {
                    citations.drain(..citations.len().saturating_sub(1));
                }
            }
        })),
    fault("accumulate/loses-encrypted-content", "stream/accumulates")
        .that("takes the content of a compaction, and not what only the API reads")
        .by(Wrong::EachEvent(|event| {
            event.get_mut("delta").into_iter().for_each(|delta| remove(delta, "encrypted_content"));
        })),
    fault("accumulate/collects-inputs-of-own-tools-alone", "stream/accumulates")
        .that("collects the input of `tool_use`, and not those of calls that servers make")
        .by(Wrong::Items(|items| inputs_lost(items, |block| block != "tool_use"))),
    fault("accumulate/collects-no-inputs-of-mcp-tools", "stream/accumulates")
        .that("collects the inputs of `tool_use` and `server_tool_use`, and not that of `mcp_tool_use`")
        .by(Wrong::Items(|items| inputs_lost(items, |block| block == "mcp_tool_use"))),
    fault("accumulate/loses-new-members-of-blocks", "stream/accumulates")
        .that("keeps the members of a block that it knows, and loses new ones")
        .by(Wrong::EachEvent(|event| {
            event.get_mut("content_block").into_iter().for_each(|block| remove(block, "novelty"));
        })),
    fault("accumulate/loses-new-members-of-messages", "stream/accumulates")
        .that("keeps the members of a message that it knows, and loses new ones")
        .by(Wrong::EachEvent(|event| {
            event.get_mut("message").into_iter().for_each(|message| remove(message, "novelty"));
        })),
    fault("accumulate/decodes-each-delta-alone", "stream/accumulates")
        .that("decodes each delta alone, so that two halves of a character become U+FFFD twice")
        .by(Wrong::Data(|data| {
            let json = data.join("\n");
            if is_torn(&json) { json.replace("\\ud83d", "\\ufffd").replace("\\ude00", "\\ufffd") } else { json }
        })),
    fault("accumulate/refuses-halves", "stream/accumulates")
        .that("takes an event with half of a surrogate pair for no JSON, and passes over it")
        .by(Wrong::Data(|data| {
            let json = data.join("\n");
            if is_torn(&json) { r#"{"type":"ping"}"#.to_owned() } else { json }
        })),
    fault("accumulate/reads-numbers-as-doubles", "stream/accumulates")
        .that("reads the numbers of an input as doubles, so that long ids lose their last digits")
        .by(Wrong::Output(|output| output.all().filter_map(blocks_mut).flatten().for_each(round))),
    fault("accumulate/takes-equal-blocks-for-one", "stream/one-message-per-block")
        .that("yields a block that is equal to the one before only once")
        .by(Wrong::Output(|output| {
            let is_same = |two: &mut Value, one: &mut Value| is_of_one_reply(one, two) && blocks(one) == blocks(two);
            output.lists().for_each(|list| list.dedup_by(is_same));
        })),
    fault("accumulate/ends-with-the-first-reply", "stream/one-message-per-block")
        .that("takes what follows a `message_stop` for nothing, although another reply begins")
        .by(Wrong::Items(|items| {
            let tries = items.split_inclusive(|item| *item == StreamItem::Abandon);
            tries.flat_map(|items| first_reply(items.to_vec())).collect()
        })),
    // How bytes are read.
    fault("accumulate/wants-a-space-after-the-colon", "stream/accumulates")
        .that("knows `data: ` with a space, and passes over `data:` without one")
        .by(Wrong::Items(|items| {
            wire::lines(items, |line, _| {
                let is_known = !line.starts_with("data:") || line.starts_with("data: ");
                is_known.then(|| line.to_owned())
            })
        })),
    fault("accumulate/cuts-the-space-blindly", "stream/accumulates")
        .that("drops the character after the colon, although it is no space")
        .by(Wrong::Items(|items| {
            wire::lines(items, |line, _| {
                let value = line.strip_prefix("data:").filter(|value| !value.starts_with(' '));
                Some(
                    value.map_or_else(
                        || line.to_owned(),
                        |value| format!("data:{}", value.get(1..).unwrap_or_default()),
                    ),
                )
            })
        })),
    fault("accumulate/reads-the-byte-order-mark", "stream/accumulates")
        .that("takes a byte order mark for a part of the first field's name")
        .by(Wrong::Items(|items| wire::lines(items, |line, _| Some(line.replace('\u{FEFF}', "\u{FEFF}\u{FEFF}"))))),
    fault("accumulate/reads-comments", "stream/accumulates")
        .that("searches a line for `data:`, and so reads comments too")
        .by(Wrong::Items(|items| wire::lines(items, |line, _| Some(line.trim_start_matches(':').to_owned())))),
    fault("accumulate/ends-events-at-comments", "stream/accumulates")
        .that("takes a comment for the end of an event")
        .by(Wrong::Items(|items| {
            wire::lines(items, |line, _| Some(if line.starts_with(':') { String::new() } else { line.to_owned() }))
        })),
    fault("accumulate/passes-over-names", "stream/accumulates")
        .that("looks for the type in the data alone, and never at the name of the event")
        .by(Wrong::Items(|items| wire::lines(items, |line, _| (!line.starts_with("event:")).then(|| line.to_owned())))),
    fault("accumulate/wants-names", "stream/accumulates").that("passes over events that have no name").by(
        Wrong::Items(|items| {
            wire::lines(items, |line, has_name| (has_name || !line.starts_with("data:")).then(|| line.to_owned()))
        }),
    ),
    fault("accumulate/reads-names-of-fields-loosely", "stream/accumulates")
        .that("takes each field whose name ends or begins like `data` for data, in any case")
        .by(Wrong::Items(|items| {
            wire::lines(items, |line, _| {
                Some(match line.split_once(':') {
                    Some((name, value)) if name.to_lowercase().ends_with("data") => format!("data:{value}"),
                    _ => line.to_owned(),
                })
            })
        })),
    fault("accumulate/takes-what-is-unfinished", "stream/total")
        .that("takes an event at the end of the bytes that no empty line has ended")
        .by(Wrong::Items(|mut items| {
            if let Some(StreamItem::Bytes(bytes)) = items.last_mut() {
                bytes.extend(b"\n\n");
            }
            items
        })),
    // How a stream ends.
    fault("accumulate/takes-a-cut-reply-for-whole", "stream/total")
        .that("does not report that `message_stop` never came")
        .by(Wrong::Output(|output| output.fault = output.fault.take().filter(|fault| fault.name != "unfinished"))),
    fault("accumulate/drops-blocks-at-an-error", "stream/accumulates")
        .that("drops the finished blocks of a reply when the API sends an error")
        .by(Wrong::Output(|output| {
            if output.fault.as_ref().is_some_and(|fault| fault.name == "api-error") {
                let last = output.live.last().map(|line| reply(line).to_owned()).unwrap_or_default();
                output.live.retain(|message| last.is_empty() || reply(message) != last);
            }
        })),
    // What a line is.
    fault("accumulate/takes-the-reply-id-for-a-uuid", "stream/one-message-per-block")
        .that("gives the message of a block the id of the reply as uuid")
        .by(Wrong::Output(|output| {
            let first = output.events.iter().find(|event| kind(event) == "assistant").cloned().unwrap_or_default();
            rename(output, text(&first, "uuid"), reply(&first));
        })),
    fault("accumulate/numbers-its-lines", "stream/one-message-per-block")
        .that("makes uuids of the place of a block in its reply, so that two replies share them")
        .by(Wrong::Output(number_lines)),
    fault("accumulate/names-the-request-once", "stream/one-message-per-block")
        .that("sets the id of the request on the first message of a reply alone")
        .by(Wrong::Output(|output| {
            for list in output.lists() {
                let lines = list.chunk_by_mut(is_of_one_reply).filter_map(|lines| lines.first_mut());
                lines.filter(|line| kind(line) == "assistant").for_each(|line| line["requestId"] = json!("req_1"));
            }
        })),
    fault("accumulate/yields-lines-without-a-time", "stream/one-message-per-block")
        .that("yields messages without a time")
        .by(Wrong::Output(|output| {
            let lines = output.lists().flatten().filter(|message| kind(message) == "assistant");
            lines.for_each(|line| remove(line, "timestamp"));
        })),
    fault("accumulate/reports-the-input-first", "stream/total")
        .that("reports the input of a call that the start of another block cuts, and not that start")
        .by(Wrong::Output(|output| {
            let is_cut = |block: &Value| text(block, "id") == "toolu_cut";
            let has_cut = output.live.iter().flat_map(blocks).any(is_cut);
            for fault in output.fault.iter_mut().filter(|fault| has_cut && fault.name == "block-still-open") {
                fault.name = "bad-input-json".to_owned();
            }
        })),
    // What is withdrawn, and what joins.
    fault("accumulate/knows-calls-by-their-ids-alone", "stream/no-withdrawn-survivor")
        .that("keeps the result of a call that is given up, because another call has its id")
        .by(Wrong::OutputOf(|items, output| {
            let joined = items.iter().filter_map(|item| match item {
                StreamItem::Message(json) => serde_json::from_str::<Value>(json).ok(),
                _ => None,
            });
            let calls: HashSet<String> =
                output.live.iter().flat_map(blocks).map(|block| text(block, "id").to_owned()).collect();
            for user in joined {
                let is_live = output.live.iter().any(|message| text(message, "uuid") == text(&user, "uuid"));
                if !is_live && blocks(&user).iter().any(|block| calls.contains(text(block, "tool_use_id"))) {
                    output.live.push(user);
                }
            }
        })),
    fault("accumulate/tombstones-name-the-uuid-alone", "stream/tombstones-exact")
        .that("yields tombstones with the uuid of a message instead of the message")
        .by(Wrong::Output(|output| {
            for tombstone in output.events.iter_mut().filter(|event| is_tombstone(event)) {
                tombstone["message"] = json!({"uuid": tombstone["message"]["uuid"]});
            }
        })),
    fault("accumulate/tombstones-hold-no-blocks", "stream/tombstones-exact")
        .that("empties the message that a tombstone holds")
        .by(Wrong::Output(|output| {
            for tombstone in output.events.iter_mut().filter(|event| is_tombstone(event)) {
                tombstone["message"]["message"]["content"] = json!([]);
            }
        })),
    fault("accumulate/withdraws-prompts", "stream/accumulates")
        .that("withdraws what a person said while the reply that is given up was streamed")
        .by(Wrong::Output(|output| {
            let last = output.events.iter().rposition(is_tombstone).unwrap_or_default();
            let before: HashSet<&str> = output.events[..last].iter().map(|event| text(event, "uuid")).collect();
            output.live.retain(|message| kind(message) != "user" || !before.contains(text(message, "uuid")));
        })),
    fault("accumulate/keeps-a-reply-in-one-piece", "stream/accumulates")
        .that("puts results behind the reply whose calls they answer, in the list of what is live")
        .by(Wrong::Output(|output| output.live.sort_by_key(|message| kind(message) == "user"))),
    fault("accumulate/keeps-the-content-of-what-joins-alone", "stream/accumulates")
        .that("makes a new message of the content of one that joins, and loses its other members")
        .by(Wrong::Output(|output| {
            let users = output.live.iter_mut().chain(&mut output.slots).filter(|message| kind(message) == "user");
            users.for_each(|user| remove(user, "toolUseResult"));
        })),
    fault("accumulate/loses-images-that-join", "stream/accumulates")
        .that("keeps the texts of a result that joins, and loses its images")
        .by(Wrong::Output(|output| {
            let users = output.live.iter_mut().chain(&mut output.slots).filter(|message| kind(message) == "user");
            for block in users.filter_map(blocks_mut).flatten() {
                if let Some(parts) = block.get_mut("content").and_then(Value::as_array_mut) {
                    parts.retain(|part| kind(part) != "image");
                }
            }
        })),
    fault("accumulate/keeps-the-name-of-an-event", "stream/total")
        .that("takes the name of an event for that of the next one, where that has none")
        .by(Wrong::Items(wire::with_last_names)),
    fault("accumulate/shows-the-reason-of-the-start", "stream/late-fields")
        .that("yields each block with the reason to stop that the start of the reply gives")
        .by(Wrong::OutputOf(|items, output| {
            let mut reasons: HashMap<String, Value> = HashMap::new();
            wire::events(items.to_vec(), |event| {
                if kind(event) == "message_start" {
                    reasons.insert(text(&event["message"], "id").to_owned(), event["message"]["stop_reason"].clone());
                }
            });
            for message in output.events.iter_mut().filter(|event| kind(event) == "assistant") {
                if let Some(reason) = reasons.get(reply(message)).filter(|reason| reason.is_string()) {
                    message["message"]["stop_reason"] = reason.clone();
                }
            }
        })),
];

/// Whether a JSON text has half of a surrogate pair.
fn is_torn(json: &str) -> bool {
    json.contains("\\ud") && serde_json::from_str::<Value>(json).is_err()
}

/// Empties a member that the start of a block holds.
fn empty(event: &mut Value, name: &str, nothing: &Value) {
    if let Some(member) = event.get_mut("content_block").and_then(|block| block.get_mut(name)) {
        *member = nothing.clone();
    }
}

/// Changes the events of a type by the last `message_delta` of their reply.
fn by_last_end(items: Vec<StreamItem>, name: &str, change: fn(&mut Value, &Value)) -> Vec<StreamItem> {
    let mut lasts: Vec<Value> = Vec::new();
    wire::events(items.clone(), |event| match kind(event) {
        "message_start" => lasts.push(Value::Null),
        "message_delta" => lasts.last_mut().into_iter().for_each(|last| *last = event.clone()),
        _ => {}
    });
    let mut replies = lasts.iter();
    let mut last = None;
    wire::events(items, |event| {
        if kind(event) == "message_start" {
            last = replies.next();
        }
        if kind(event) == name {
            last.into_iter().for_each(|last| change(event, last));
        }
    })
}

/// Loses the blocks that the start of a message holds.
fn without_content(items: Vec<StreamItem>) -> Vec<StreamItem> {
    let mut lost = 0;
    wire::events(items, |event| {
        if let Some(content) = event["message"].get_mut("content").and_then(Value::as_array_mut) {
            lost = content.drain(..).count() as u64;
        }
        if let Some(index) = event["index"].as_u64() {
            event["index"] = index.saturating_sub(lost).into();
        }
    })
}

/// Loses the deltas of inputs in blocks of these types.
fn inputs_lost(items: Vec<StreamItem>, is_lost: fn(&str) -> bool) -> Vec<StreamItem> {
    let mut types: HashMap<String, bool> = HashMap::new();
    wire::events(items, |event| {
        let index = event["index"].to_string();
        match kind(event) {
            "content_block_start" => _ = types.insert(index, is_lost(kind(&event["content_block"]))),
            "content_block_delta"
                if kind(&event["delta"]) == "input_json_delta" && types.get(&index) == Some(&true) =>
            {
                event["delta"]["partial_json"] = json!("");
            }
            _ => {}
        }
    })
}

/// Loses what follows the first reply of a try.
fn first_reply(items: Vec<StreamItem>) -> Vec<StreamItem> {
    let mut is_over = false;
    wire::events(items, |event| {
        if is_over {
            *event = json!({"type": "ping"});
        }
        is_over |= kind(event) == "message_stop";
    })
}

/// Rounds whole numbers to doubles.
fn round(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let double = number.as_f64().filter(|double| number.is_u64() || number.is_i64() && *double < 0.0);
            if let Some(double) = double {
                *value = if double < 0.0 { (double as i64).into() } else { (double as u64).into() };
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(round),
        Value::Object(members) => members.values_mut().for_each(round),
        _ => {}
    }
}

/// Gives a message another uuid wherever it is.
fn rename(output: &mut StreamOutput, old: &str, new: &str) {
    for message in output.lists().flatten() {
        let message = if is_tombstone(message) { &mut message["message"] } else { message };
        if text(message, "uuid") == old {
            message["uuid"] = json!(new);
        }
    }
}

fn number_lines(output: &mut StreamOutput) {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut names: Vec<(String, String)> = Vec::new();
    for line in output.events.iter().filter(|event| kind(event) == "assistant") {
        let place = places.entry(reply(line).to_owned()).or_default();
        names.push((text(line, "uuid").to_owned(), format!("{place:08}-0000-4000-8000-000000000000")));
        *place += 1;
    }
    names.iter().for_each(|(old, new)| rename(output, old, new));
}
