//! Input that has to wait is in a *queue*.

use std::collections::{HashMap, HashSet};

use crate::json;
use crate::json::Value;

use crate::operation::{Moment, Played};
use crate::rules::value::{content, is_true, kind, uuid};
use crate::rules::{Applies, Place, PlayEvidence, Report, Sentence, applies};
use crate::vocabulary::NO_CONTENT;

struct Typed<'a> {
    input: u64,
    content: &'a Value,
    is_queued: bool,
    requests: usize,
}

pub(super) fn queue_order(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let messages = messages(&case.moments);
    let mut waiting: Vec<Typed> = Vec::new();
    let mut joined: HashSet<u64> = HashSet::new();
    let mut is_touched = false;
    let mut last_request: Vec<&str> = Vec::new();
    for (at, moment) in case.moments.iter().enumerate() {
        let mut add = |kind: &'static str, found: Sentence, expected: &'static str| {
            report.add(Place::message(at), kind, found, expected);
        };
        match moment {
            Moment::Typed { input, content, queued: is_queued } => {
                is_touched |= is_queued;
                waiting.push(Typed { input: *input, content: &content.value, is_queued: *is_queued, requests: 0 });
            }
            Moment::Joined { input, uuid } => {
                let Some(place) = waiting.iter().position(|typed| typed.input == *input) else {
                    match joined.contains(input) {
                        true => add("twice", sentence!("input {input} joins again", input = *input), "each input once"),
                        false => {
                            let found = sentence!("input {input} joins and does not wait", input = *input);
                            add("not-waiting", found, "each input once");
                        }
                    }
                    continue;
                };
                let typed = waiting.remove(place);
                let before = waiting.iter().take(place).find(|typed| typed.is_queued);
                if let Some(before) = before.filter(|_| typed.is_queued) {
                    let found =
                        sentence!("input {input} joins before input {before}", input = *input, before = before.input);
                    add("wrong-order", found, "first in, first out");
                }
                joined.insert(*input);
                let message = messages.get(uuid.as_str()).copied();
                if let Some((kind, found, expected)) = wrong_message(case, at, &typed, message) {
                    add(kind, found, expected);
                }
            }
            Moment::Requested { messages, .. } => {
                let speaks = |message: &&Value| matches!(kind(message), "user" | "assistant");
                let request: Vec<&str> = messages.elements().iter().filter(speaks).filter_map(uuid).collect();
                // The same request again, to another model or after an error, does not count.
                let is_retry = request == last_request;
                last_request = request;
                waiting.iter_mut().for_each(|typed| typed.requests += usize::from(!is_retry));
                for typed in waiting.extract_if(.., |typed| typed.requests > 1) {
                    let found = sentence!("input {input} waits for a second request", input = typed.input);
                    add("late", found, "input joins before that");
                }
            }
            Moment::Crashed { .. } => waiting.clear(),
            // A process that ended on a full disk could keep nothing that waited.
            Moment::Resumed(_) if !case.whole => waiting.clear(),
            _ => {}
        }
    }
    applies(is_touched, "nothing typed has to wait")
}

/// The messages that inputs became, by uuid, each as the log first shows it.
fn messages(moments: &[Moment]) -> HashMap<&str, &Value> {
    let joined = moments.iter().filter_map(|moment| match moment {
        Moment::Joined { uuid, .. } => Some(uuid.as_str()),
        _ => None,
    });
    let mut wanted: HashSet<&str> = joined.collect();
    let mut found = HashMap::new();
    for moment in moments {
        if wanted.is_empty() {
            break;
        }
        let list = match moment {
            Moment::Yielded(event) => std::slice::from_ref(&event.value),
            Moment::Requested { messages, .. }
            | Moment::Compacted(messages)
            | Moment::Resumed(messages)
            | Moment::Forked(messages) => messages.elements(),
            _ => &[],
        };
        let is_message = |message: &&Value| kind(message) != "tombstone";
        for message in list.iter().filter(is_message) {
            if let Some(uuid) = uuid(message).filter(|uuid| wanted.remove(uuid)) {
                found.insert(uuid, message);
            }
        }
    }
    found
}

/// What is wrong with the message that an input became: the kind, what is found, and what is expected.
fn wrong_message(
    case: &Played,
    at: usize,
    typed: &Typed,
    message: Option<&Value>,
) -> Option<(&'static str, Sentence, &'static str)> {
    let input = typed.input;
    let Some(message) = message else {
        let later = case.moments.iter().skip(at).take_while(|moment| !matches!(moment, Moment::Crashed { .. }));
        let is_asked = later.into_iter().any(|moment| matches!(moment, Moment::Requested { .. }));
        let found = || sentence!("input {input} joined as a message that is nowhere", input);
        return is_asked.then(|| ("missing", found(), "a user message"));
    };
    if kind(message) != "user" || is_true(message, "isMeta") || is_true(message, "isVirtual") {
        let found = sentence!("input {input} became {message}", input, message = message.to_string());
        return Some(("other-message", found, "an ordinary user message"));
    }
    let content = content(message).unwrap_or(&Value::Null);
    if content == typed.content {
        return None;
    }
    let said = as_blocks(content);
    (said != as_blocks(typed.content)).then(|| {
        let said = Value::from(said).to_string();
        ("changed", sentence!("input {input} became a message that says {said}", input, said), "what was typed")
    })
}

/// Content as blocks. For empty content: a block with the text that replaces it.
pub(super) fn as_blocks(content: &Value) -> Vec<Value> {
    let text = |text: &str| vec![json!({"type": "text", "text": text})];
    match content {
        Value::String(said) if said.is_empty() => text(NO_CONTENT),
        Value::String(said) => text(said),
        Value::Array(blocks) if blocks.is_empty() => text(NO_CONTENT),
        Value::Array(blocks) => blocks.clone(),
        other => vec![other.clone()],
    }
}
