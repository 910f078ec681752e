//! Faults in the *output* of a stream: messages, late fields, tombstones, views, and what was wrong.

use std::collections::{HashMap, HashSet};

use turnproof_rules::json;
use turnproof_rules::operation::{StreamFault, StreamText, Value};

use super::conserve::reply;
use super::walk::{blocks, blocks_mut, kind, list, remove, text};
use super::{Fault, Wrong, fault};

/// What comes out of a stream, as values.
#[derive(Default)]
pub(super) struct StreamOutput {
    pub events: Vec<Value>,
    pub live: Vec<Value>,
    pub slots: Vec<Value>,
    pub messages: Vec<Value>,
    pub fault: Option<StreamFault>,
}

/// The reference's output, changed.
pub(super) fn changed(right: StreamText, change: impl FnOnce(&mut StreamOutput)) -> StreamText {
    let read = |json: Option<&str>| json.and_then(list).unwrap_or_default();
    let mut output = StreamOutput {
        events: read(Some(&right.events)),
        live: read(Some(&right.live)),
        slots: read(right.slots.as_deref()),
        messages: read(right.messages.as_deref()),
        fault: right.fault,
    };
    change(&mut output);
    let write = |values: Vec<Value>| Value::Array(values).to_string();
    StreamText {
        events: write(output.events),
        live: write(output.live),
        slots: Some(write(output.slots)),
        messages: Some(write(output.messages)),
        fault: output.fault,
    }
}

pub(super) const FAULTS: &[Fault] = &[
    fault("accumulate/leaves-an-empty-input-a-text", "stream/accumulates")
        .that("leaves an input of which nothing came as text, instead of `{}`")
        .by(Wrong::Output(|output| {
            for block in output.all().filter_map(blocks_mut).flatten() {
                if block.get("input") == Some(&json!({})) {
                    block["input"] = json!("");
                }
            }
        })),
    fault("accumulate/one-message-for-a-reply", "stream/one-message-per-block")
        .that("yields the blocks of a reply in one message")
        .by(Wrong::Output(|output| output.lists().for_each(join_replies))),
    fault("accumulate/loses-text-after-thinking", "stream/one-message-per-block")
        .that("yields the thinking of a reply, and loses the text after it")
        .seen_in("anthropics/claude-code#21751")
        .by(Wrong::Output(|output| {
            output.lists().for_each(|list| {
                let mut was_thinking = false;
                list.retain(|message| {
                    let is_text = blocks(message).first().is_some_and(|block| kind(block) == "text");
                    let is_lost = was_thinking && is_text;
                    was_thinking = blocks(message).first().is_some_and(|block| kind(block) == "thinking");
                    !is_lost
                });
            });
        })),
    fault("accumulate/an-id-for-each-block", "stream/one-message-per-block")
        .that("gives each message of a reply its own API id, so that nobody can join them again")
        .by(Wrong::Output(|output| {
            for line in output.lists().flatten().filter(|message| kind(message) == "assistant") {
                line["message"]["id"] = json!(format!("msg_of_{}", text(line, "uuid")));
            }
        })),
    fault("accumulate/late-fields-on-the-first-line", "stream/late-fields")
        .that("sets usage and stop reason on the first message of a reply")
        .by(Wrong::Output(|output| {
            late(output, |lines| {
                if let [first, .., last] = lines {
                    std::mem::swap(first, last);
                }
            })
        })),
    fault("accumulate/late-fields-on-each-line", "stream/late-fields")
        .that("sets usage and stop reason on all messages of a reply, so that sums count it several times")
        .seen_in("ccusage/ccusage#797")
        .by(Wrong::Output(|output| {
            late(output, |lines| {
                if let Some(last) = lines.last().cloned() {
                    lines.fill(last);
                }
            })
        })),
    fault("accumulate/keeps-early-usage", "stream/late-fields")
        .that("keeps the usage of the start, and sets no stop reason")
        .seen_in("anthropics/claude-code changelog 2.1.97")
        .by(Wrong::Output(|output| {
            let lines = output.events.iter().filter(|event| kind(event) == "assistant");
            let early: HashMap<&str, &Value> = lines.map(|line| (text(line, "uuid"), line)).collect();
            for message in output.live.iter_mut().chain(&mut output.slots) {
                if let Some(line) = early.get(text(message, "uuid")) {
                    message["message"] = line["message"].clone();
                }
            }
        })),
    fault("accumulate/loses-late-members", "stream/late-fields")
        .that("sets usage and stop reason, and loses what else the end of a reply says")
        .by(Wrong::Output(|output| {
            for message in output.live.iter_mut().chain(&mut output.slots) {
                for name in ["container", "stop_details", "context_management"] {
                    message.get_mut("message").into_iter().for_each(|body| remove(body, name));
                }
            }
        })),
    fault("accumulate/looks-into-the-delta-alone", "stream/late-fields")
        .that("loses what is beside the delta at the end of a reply")
        .by(Wrong::Output(|output| {
            for message in output.live.iter_mut().chain(&mut output.slots) {
                message.get_mut("message").into_iter().for_each(|body| remove(body, "context_management"));
            }
        })),
    fault("accumulate/withdraws-in-reverse", "stream/tombstones-exact").that("withdraws first what was shown last").by(
        Wrong::Output(|output| {
            for run in output.events.chunk_by_mut(|one, two| is_tombstone(one) && is_tombstone(two)) {
                run.reverse();
            }
        }),
    ),
    fault("accumulate/withdraws-the-last-alone", "stream/tombstones-exact")
        .that("withdraws the last message of an abandoned reply and leaves the others")
        .seen_in("anthropics/claude-code#20508")
        .by(Wrong::Output(|output| {
            let mut rest = std::mem::take(&mut output.events).into_iter().peekable();
            while let Some(event) = rest.next() {
                if !(is_tombstone(&event) && rest.peek().is_some_and(is_tombstone)) {
                    output.events.push(event);
                }
            }
        })),
    fault("accumulate/withdraws-again", "stream/tombstones-exact")
        .that("withdraws what an earlier try has shown once more")
        .by(Wrong::Output(|output| {
            let mut before: Vec<Value> = Vec::new();
            for event in std::mem::take(&mut output.events) {
                if is_tombstone(&event) && !output.events.last().is_some_and(is_tombstone) {
                    output.events.extend(before.clone());
                }
                before.extend(Some(&event).filter(|event| is_tombstone(event)).cloned());
                output.events.push(event);
            }
        })),
    fault("accumulate/keeps-what-was-withdrawn", "stream/no-withdrawn-survivor")
        .that("leaves messages that a tombstone withdrew in the list of what is live")
        .seen_in("anthropics/claude-code#20573")
        .by(Wrong::Output(|output| output.live = spoken(&output.events))),
    fault("accumulate/keeps-results-of-withdrawn-calls", "stream/no-withdrawn-survivor")
        .that("withdraws a reply, and leaves the result that a tool gave meanwhile")
        .seen_in("anthropics/claude-code#8484")
        .by(Wrong::Output(|output| {
            let live: HashSet<String> = output.live.iter().map(|message| text(message, "uuid").into()).collect();
            let stays = |message: &Value| kind(message) == "user" || live.contains(text(message, "uuid"));
            let late = std::mem::take(&mut output.live);
            let late: HashMap<&str, &Value> = late.iter().map(|message| (text(message, "uuid"), message)).collect();
            let kept = spoken(&output.events).into_iter().filter(stays);
            output.live =
                kept.map(|message| late.get(text(&message, "uuid")).copied().cloned().unwrap_or(message)).collect();
        })),
    fault("accumulate/keeps-withdrawn-results-beside-words", "stream/no-withdrawn-survivor")
        .that("leaves the result of a withdrawn call in a message that says something else too")
        .by(Wrong::Output(|output| each_user_in_part(output, |message, whole| *message = whole.clone()))),
    fault("accumulate/drops-words-beside-withdrawn-results", "stream/no-withdrawn-survivor")
        .that("drops all that a message says if it held the result of a withdrawn call")
        .by(Wrong::Output(|output| {
            each_user_in_part(output, |message, _| blocks_mut(message).into_iter().for_each(|blocks| blocks.clear()));
        })),
    fault("accumulate/closes-places", "stream/slots-stable")
        .that("leaves withdrawn messages out of the list that keeps places")
        .by(Wrong::Output(|output| output.slots.retain(|slot| !is_tombstone(slot)))),
    fault("accumulate/swallows-errors", "stream/total")
        .that("ignores the API's error, and treats what came before it as complete")
        .by(Wrong::Output(|output| output.fault = output.fault.take().filter(|fault| fault.name != "api-error"))),
    fault("accumulate/panics-on-an-unknown-block", "stream/total")
        .that("panics on a delta of a block that never began")
        .by(Wrong::Output(|output| {
            let is_unknown = output.fault.as_ref().is_some_and(|fault| fault.name == "no-such-block");
            assert!(!is_unknown, "index out of bounds");
        })),
    fault("accumulate/one-uuid-a-reply", "stream/tombstones-exact")
        .that("gives all messages of a reply the uuid of the first")
        .by(Wrong::Output(|output| {
            for list in [&mut output.events, &mut output.live, &mut output.slots] {
                let mut first: HashMap<String, Value> = HashMap::new();
                for message in list.iter_mut().filter(|message| kind(message) == "assistant") {
                    let id = text(&message["message"], "id").to_owned();
                    let own = message["uuid"].clone();
                    message["uuid"] = first.entry(id).or_insert(own).clone();
                }
            }
        })),
    fault("accumulate/usage-on-the-last-line", "stream/late-fields")
        .that("gives usage to the last message of a reply alone")
        .by(Wrong::Output(|output| {
            for line in output.lists().flatten().filter(|line| is_line(line)) {
                if line["message"]["stop_reason"].is_null() {
                    remove(&mut line["message"], "usage");
                }
            }
        })),
];

impl StreamOutput {
    pub(super) fn lists(&mut self) -> impl Iterator<Item = &mut Vec<Value>> {
        [&mut self.events, &mut self.live, &mut self.slots].into_iter()
    }

    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut Value> {
        [&mut self.events, &mut self.live, &mut self.slots, &mut self.messages].into_iter().flatten()
    }
}

pub(super) fn is_tombstone(event: &Value) -> bool {
    kind(event) == "tombstone"
}

/// The messages of a list of events.
fn spoken(events: &[Value]) -> Vec<Value> {
    events.iter().filter(|event| !is_tombstone(event)).cloned().collect()
}

pub(super) fn is_of_one_reply(one: &Value, two: &Value) -> bool {
    !reply(one).is_empty() && reply(one) == reply(two)
}

fn join_replies(list: &mut Vec<Value>) {
    let mut joined: Vec<Value> = Vec::new();
    for mut message in std::mem::take(list) {
        match joined.last_mut().filter(|last| is_of_one_reply(last, &message)) {
            Some(last) => {
                let more = blocks_mut(&mut message).map(std::mem::take).unwrap_or_default();
                last["message"]["content"] = blocks(last).iter().cloned().chain(more).collect();
            }
            None => joined.push(message),
        }
    }
    *list = joined;
}

/// Changes the late fields of each reply that is live: one element for each of its messages.
fn late(output: &mut StreamOutput, change: fn(&mut [Vec<Value>])) {
    const NAMES: [&str; 3] = ["stop_reason", "stop_sequence", "usage"];
    for list in [&mut output.live, &mut output.slots] {
        for lines in list.chunk_by_mut(is_of_one_reply) {
            if lines.iter().any(|line| reply(line).is_empty()) {
                continue;
            }
            let fields = |line: &Value| NAMES.iter().map(|name| line["message"][*name].clone()).collect();
            let mut late: Vec<Vec<Value>> = lines.iter().map(fields).collect();
            change(&mut late);
            for (line, fields) in lines.iter_mut().zip(late) {
                NAMES.iter().zip(fields).for_each(|(name, field)| line["message"][*name] = field);
            }
        }
    }
}

/// Whether an event is a line of a reply.
fn is_line(event: &Value) -> bool {
    kind(event) == "assistant" && event["message"].is_object()
}

/// Changes each live message of a user of which a part was withdrawn; the second is the message as it was yielded.
fn each_user_in_part(output: &mut StreamOutput, change: fn(&mut Value, &Value)) {
    let users = output.events.iter().filter(|event| kind(event) == "user");
    let whole: HashMap<&str, &Value> = users.map(|user| (text(user, "uuid"), user)).collect();
    for message in output.live.iter_mut().filter(|message| kind(message) == "user") {
        if let Some(user) = whole.get(text(message, "uuid")).filter(|user| blocks(user).len() > blocks(message).len()) {
            change(message, user);
        }
    }
}
