//! Unread faults in making messages of *streams*.

use std::collections::{HashMap, HashSet};

use turnproof::operation::{StreamItem, Value};
use turnproof_rules::json;

use super::super::super::output::{StreamOutput, is_tombstone};
use super::super::super::walk::{blocks, blocks_mut, content, kind, remove, text};
use super::super::super::wire;
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "accumulate/unread-third-wants-a-space",
        "4.2: one space after the colon is dropped, if there is one",
        "reads only data lines with a space after the colon",
        Wrong::Items(|items| {
            wire::lines(items, |line, _| {
                let is_tight = line.starts_with("data:") && !line.starts_with("data: ");
                (!is_tight).then(|| line.to_owned())
            })
        }),
    ),
    unread(
        "accumulate/unread-third-last-data-line",
        "4.2: several data lines are joined with LF",
        "takes only the last data line of an event",
        Wrong::Data(|lines| lines.last().map(|&line| line.to_owned()).unwrap_or_default()),
    ),
    unread(
        "accumulate/unread-third-no-lone-returns",
        "4.2: a line ends with LF, CR or CR LF",
        "takes a CR without LF for a space",
        Wrong::Items(|mut items| {
            let mut is_held = false;
            for item in &mut items {
                let StreamItem::Bytes(bytes) = item else { continue };
                for byte in std::mem::take(bytes) {
                    bytes.extend(is_held.then_some(if byte == b'\n' { b'\r' } else { b' ' }));
                    is_held = byte == b'\r';
                    bytes.extend((!is_held).then_some(byte));
                }
            }
            items
        }),
    ),
    unread(
        "accumulate/unread-third-takes-the-rest",
        "4.2: what is unfinished at the end of the stream is dropped",
        "takes what stands at the end of the stream as an event, without the empty line",
        Wrong::Items(|mut items| {
            if let Some(StreamItem::Bytes(bytes)) = items.last_mut() {
                bytes.extend_from_slice(b"\n\n");
            }
            items
        }),
    ),
    unread(
        "accumulate/unread-third-comments-are-data",
        "4.2: a line that begins with `:` is a comment, also inside an event",
        "takes a comment for a line of data",
        Wrong::Items(|items| {
            wire::lines(items, |line, _| Some(if line.starts_with(':') { format!("data{line}") } else { line.into() }))
        }),
    ),
    unread(
        "accumulate/unread-third-type-of-the-data-alone",
        "4.2: if the data has no type, the name of the event is its type",
        "passes over events whose data has no type",
        Wrong::EachEvent(|event| {
            if event.is_object() && event.get("type").is_none() {
                event["type"] = json!("ping");
            }
        }),
    ),
    unread(
        "accumulate/unread-third-blocks-begin-empty",
        "4.3: deltas go on with what the start of the block holds: its text, its thinking, its citations",
        "begins each text and thinking empty, whatever its start holds",
        Wrong::EachEvent(|event| {
            let Some(block) = event.get_mut("content_block").filter(|block| block.is_object()) else { return };
            let name = kind(block).to_owned();
            if matches!(&*name, "text" | "thinking") && block.get(&*name).is_some() {
                block[&*name] = json!("");
            }
        }),
    ),
    unread(
        "accumulate/unread-third-inputs-of-own-tools",
        "4.3: a block takes input_json_delta if its type is tool_use or ends so",
        "collects the input of tool_use blocks, and of no calls of server tools",
        Wrong::Items(|items| {
            let mut others = HashSet::new();
            wire::events(items, |event| match kind(event) {
                "message_start" => others.clear(),
                "content_block_start" if kind(&event["content_block"]) != "tool_use" => {
                    others.insert(event["index"].to_string());
                }
                "content_block_delta"
                    if others.contains(&event["index"].to_string()) && kind(&event["delta"]) == "input_json_delta" =>
                {
                    event["delta"]["type"] = json!("unread_delta");
                }
                _ => {}
            })
        }),
    ),
    unread(
        "accumulate/unread-third-last-citation",
        "4.3: citations_delta appends to citations",
        "keeps only the last citation of a text",
        Wrong::Output(|output| {
            for block in output.all().filter_map(blocks_mut).flatten() {
                if let Some(citations) = block.get_mut("citations").and_then(Value::as_array_mut) {
                    citations.drain(..citations.len().saturating_sub(1));
                }
            }
        }),
    ),
    unread(
        "accumulate/unread-third-compactions-grow",
        "4.3: compaction_delta replaces content (anthropics/anthropic-sdk-python#1665)",
        "appends each compaction_delta to those before",
        Wrong::Items(|items| {
            let mut so_far: HashMap<String, String> = HashMap::new();
            wire::events(items, |event| {
                if kind(event) == "message_start" {
                    so_far.clear();
                }
                let index = event["index"].to_string();
                if let Some(delta) = event.get_mut("delta").filter(|delta| kind(delta) == "compaction_delta")
                    && let Some(added) = delta.get("content").and_then(Value::as_str)
                {
                    let all = so_far.entry(index).or_default();
                    all.push_str(added);
                    delta["content"] = all.as_str().into();
                }
            })
        }),
    ),
    unread(
        "accumulate/unread-third-members-of-its-time",
        "4.3: unknown members of messages and blocks are kept",
        "keeps of texts and calls the members that it knows",
        Wrong::EachEvent(|event| {
            let Some(block) = event.get_mut("content_block") else { return };
            let known: &[&str] = match kind(block) {
                "text" => &["type", "text", "citations"],
                "tool_use" => &["type", "id", "name", "input", "caller"],
                _ => return,
            };
            block.as_object_mut().into_iter().for_each(|members| {
                members.retain(|name, _| known.iter().any(|known| *name == *known));
            });
        }),
    ),
    unread(
        "accumulate/unread-third-ends-at-the-delta",
        "4.4: unfinished, when the items of a case end before message_stop (anomalyco/opencode#38733)",
        "takes a stream for finished when its stop_reason has come",
        Wrong::Output(|output| {
            let has_stopped = output.messages.last().is_some_and(|message| message["stop_reason"].is_string());
            if output.fault.as_ref().is_some_and(|fault| fault.name == "unfinished") && has_stopped {
                output.fault = None;
            }
        }),
    ),
    unread(
        "accumulate/unread-third-bad-input-is-empty",
        "4.4: bad-input-json: the input is the collected text, as a string",
        "gives a call whose JSON does not parse an empty input",
        Wrong::Output(|output| {
            for block in output.all().filter_map(blocks_mut).flatten() {
                if kind(block).ends_with("tool_use") && block["input"].is_string() {
                    block["input"] = json!({});
                }
            }
        }),
    ),
    unread(
        "accumulate/unread-third-usage-on-the-last-line",
        "4.5: usage is that of message_start on each message of a reply",
        "gives usage to the last message of a reply alone",
        Wrong::Output(|output| {
            for line in output.lists().flatten().filter(|line| is_line(line)) {
                if line["message"]["stop_reason"].is_null() {
                    remove(&mut line["message"], "usage");
                }
            }
        }),
    ),
    unread(
        "accumulate/unread-third-uuid-of-the-reply",
        "4.5: each has its own uuid, which no other message and no reply has as its id",
        "gives the first message of a reply the reply's id as its uuid",
        Wrong::Output(|output| {
            let mut replies = HashSet::new();
            let lines = output.events.iter().filter(|line| is_line(line));
            let first = lines.filter(|line| replies.insert(text(&line["message"], "id").to_owned()));
            let ids = first.map(|line| (text(line, "uuid").to_owned(), line["message"]["id"].clone()));
            let ids: HashMap<String, Value> = ids.filter(|(_, id)| id.is_string()).collect();
            for event in output.lists().flatten() {
                let line = if is_tombstone(event) { &mut event["message"] } else { event };
                if let Some(id) = ids.get(text(line, "uuid")) {
                    line["uuid"] = id.clone();
                }
            }
        }),
    ),
    unread(
        "accumulate/unread-third-no-empty-texts",
        "4.5: each finished block is yielded (anomalyco/opencode#38733)",
        "yields no message for a text block without text",
        Wrong::Output(|output| {
            let is_empty = |block: &Value| kind(block) == "text" && text(block, "text").is_empty();
            for list in output.lists() {
                list.retain(|line| !is_line(line) || !blocks(line).iter().all(is_empty));
            }
            for all in output.messages.iter_mut().filter_map(blocks_mut) {
                all.retain(|block| !is_empty(block));
            }
        }),
    ),
    unread(
        "accumulate/unread-third-one-message-delta",
        "4.6: each message_delta counts, also a second one",
        "takes the late fields of the first message_delta alone",
        Wrong::Items(|items| {
            let mut has_come = false;
            wire::events(items, |event| match kind(event) {
                "message_start" => has_come = false,
                "message_delta" if std::mem::replace(&mut has_come, true) => *event = json!({"type": "ping"}),
                _ => {}
            })
        }),
    ),
    unread(
        "accumulate/unread-third-adds-output-up",
        "4.1: a later number takes the place of an earlier one and is never added to it",
        "adds the output_tokens of message_delta to those of message_start",
        Wrong::Items(|items| {
            let mut first = 0;
            wire::events(items, |event| match kind(event) {
                "message_start" => {
                    let tokens = event.pointer("/message/usage/output_tokens");
                    first = tokens.and_then(Value::as_u64).unwrap_or_default();
                }
                "message_delta" => {
                    let tokens = event.pointer_mut("/usage/output_tokens");
                    if let Some((tokens, last)) = tokens.and_then(|tokens| Some((tokens.as_u64()?, tokens))) {
                        *last = tokens.saturating_add(first).into();
                    }
                }
                _ => {}
            })
        }),
    ),
    unread(
        "accumulate/unread-third-zeros-for-missing",
        "4.6: each member of the event's usage that is neither null nor of a wrong type replaces the one in the message",
        "reads the usage of message_delta into a form whose missing numbers are zero, and replaces all",
        Wrong::EachEvent(|event| {
            if kind(event) == "message_delta"
                && let Some(usage) = event.get_mut("usage").filter(|usage| usage.is_object())
            {
                for name in ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"] {
                    if usage.get(name).is_none_or(Value::is_null) {
                        usage[name] = 0.into();
                    }
                }
            }
        }),
    ),
    unread(
        "accumulate/unread-third-withdraws-again",
        "4.7: for what was withdrawn already there is no tombstone",
        "withdraws with each abandoned try those before it once more",
        Wrong::Output(|output| {
            let mut withdrawn: Vec<Value> = Vec::new();
            let mut was_tombstone = false;
            for event in std::mem::take(&mut output.events) {
                let is_withdrawal = is_tombstone(&event);
                if is_withdrawal && !was_tombstone {
                    output.events.extend(withdrawn.iter().cloned());
                }
                withdrawn.extend(is_withdrawal.then(|| event.clone()));
                was_tombstone = is_withdrawal;
                output.events.push(event);
            }
        }),
    ),
    unread(
        "accumulate/unread-third-withdraws-what-else-it-says",
        "4.7: a user message that holds something else too is not withdrawn: what else it says stays",
        "withdraws a user message with all that it says when it holds a result of a withdrawn call",
        Wrong::Output(|output| {
            let torn: Vec<Value> = output.live.iter().filter(|message| is_torn(output, message)).cloned().collect();
            output.live.retain(|message| !torn.contains(message));
            output.slots.retain(|message| !torn.contains(message));
        }),
    ),
    unread(
        "accumulate/unread-third-tombstones-at-the-end",
        "4.8: in the view with places the nth message that was yielded is the nth for ever",
        "gathers the tombstones at the end of the view with places",
        Wrong::Output(|output| output.slots.sort_by_key(is_tombstone)),
    ),
];

/// Whether an event is a line of a reply.
fn is_line(event: &Value) -> bool {
    kind(event) == "assistant" && event["message"].is_object()
}

/// Whether a user message has lost results since it was yielded.
fn is_torn(output: &StreamOutput, message: &Value) -> bool {
    let is_same = |event: &&Value| text(event, "uuid") == text(message, "uuid");
    let yielded = output.events.iter().find(is_same);
    kind(message) == "user" && yielded.is_some_and(|yielded| content(yielded) != content(message))
}
