//! What a *request* is made of, and what is safe when it is sent.

use std::collections::HashSet;

use crate::json::Value;

use super::NOT_WHOLE;
use super::live::Live;
use crate::operation::Moment;
use crate::rules::value::{call_of, content, is_blank, is_true, kind, text, text_of, uuid};
use crate::rules::{Applies, Place, PlayEvidence, Report, Sentence, applies};
use crate::vocabulary::{MISSING_TOOL_RESULT, NO_CONTENT};

pub(super) fn durable_before_request(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.whole, NOT_WHOLE)?;
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        let Moment::Requested { messages, .. } = moment else { continue };
        let Some(disk) = case.disk(index) else { continue };
        let is_spoken = |message: &&Value| kind(message) == "user" && !is_true(message, "isVirtual");
        for uuid in messages.elements().iter().filter(is_spoken).filter_map(uuid) {
            judged += 1;
            if !disk.holds(uuid) {
                let found = sentence!("a request is sent with {uuid:?}, which is not in the transcript", uuid);
                report.add(Place::message(index), "not-written", found, "its line first");
            }
        }
    }
    applies(judged > 0, "no request has a user message")
}

pub(super) fn request_of_live(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut live = Live::default();
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        live.take(moment);
        let Moment::Requested { turns, .. } = moment else { continue };
        let by_user = by_user(turns.elements());
        let messages = live.messages();
        for message in messages.iter().filter(|message| is_sent(message)) {
            for said in texts(message).filter(|said| !is_blank(said)) {
                judged += 1;
                // Mostly the text is there as it is.
                if !by_user.contains(&said) && !by_user.iter().any(|text| text.contains(said)) {
                    let uuid = uuid(message).unwrap_or_default();
                    let found = sentence!("{said:?} of {uuid:?} is not sent", said, uuid);
                    report.add(Place::message(index), "missing", found, "all that live user messages say");
                }
            }
        }
        judged += live.withdrawn.len();
        for (kind, found) in survivors(&live, &messages, turns.elements()) {
            report.add(Place::message(index), kind, found, "nothing that was withdrawn");
        }
    }
    applies(judged > 0, "no request is sent with anything to look for")
}

fn by_user(turns: &[Value]) -> Vec<&str> {
    let own = turns.iter().filter(|turn| text(turn, "role") == Some("user"));
    own.filter_map(|turn| turn.get("content")).flat_map(texts_in).collect()
}

#[derive(Default)]
struct Sent<'a> {
    /// All texts, those inside results included.
    all: Vec<&'a str>,
    calls: HashSet<&'a str>,
}

impl<'a> Sent<'a> {
    fn read(turns: &'a [Value]) -> Self {
        let mut sent = Self::default();
        for content in turns.iter().filter_map(|turn| turn.get("content")) {
            sent.all.extend(texts_in(content));
            let blocks = || content.as_array().into_iter().flatten();
            sent.calls.extend(blocks().filter_map(call_of));
            let nested = blocks().filter_map(|block| block.get("content"));
            sent.all.extend(nested.flat_map(texts_in));
        }
        sent
    }
}

/// The texts and calls of withdrawn messages that are sent although no live message says the same: the kind, and what
/// is found.
fn survivors(live: &Live, messages: &[&Value], turns: &[Value]) -> Vec<(&'static str, Sentence)> {
    if live.withdrawn.is_empty() {
        return Vec::new();
    }
    let sent = Sent::read(turns);
    let mut standing = HashSet::new();
    messages.iter().for_each(|message| strings(message, &mut standing));
    // Normalization says these itself.
    let is_made = |said: &str| [NO_CONTENT, MISSING_TOOL_RESULT].contains(&said);
    let texts = live.withdrawn.iter().flat_map(|message| texts(message)).map(str::trim_end);
    let distinctive = texts.filter(|said| !is_blank(said) && !is_made(said) && !standing.contains(said));
    let said = distinctive.filter(|said| sent.all.iter().any(|text| text.trim_end() == *said));
    let of_text = |said: &str| ("withdrawn-text", sentence!("{said:?}, which was withdrawn, is sent", said));
    let mut found: Vec<_> = said.map(of_text).collect();
    let mut calls: Vec<&str> = live.withdrawn_calls().into_iter().filter(|id| sent.calls.contains(id)).collect();
    calls.sort_unstable();
    let of_call = |id: &str| ("withdrawn-call", sentence!("the call {id:?}, which was withdrawn, is sent", id));
    found.extend(calls.into_iter().map(of_call));
    found
}

/// Whether a user message's text is sent to the model. The summary of a compaction is, though people see it nowhere but
/// in the transcript.
fn is_sent(message: &Value) -> bool {
    let is_for_people = is_true(message, "isVisibleInTranscriptOnly") && !is_true(message, "isCompactSummary");
    kind(message) == "user" && !is_true(message, "isVirtual") && !is_for_people
}

/// The texts of a message: its content if that is a string, else its text blocks.
fn texts(message: &Value) -> impl Iterator<Item = &str> {
    content(message).into_iter().flat_map(texts_in)
}

pub(super) fn texts_in(content: &Value) -> impl Iterator<Item = &str> {
    content.as_str().into_iter().chain(content.as_array().into_iter().flatten().filter_map(text_of))
}

/// All strings in a value, without white space at their ends.
fn strings<'a>(value: &'a Value, found: &mut HashSet<&'a str>) {
    match value {
        Value::String(text) => {
            found.insert(text.trim_end());
        }
        Value::Array(elements) => elements.iter().for_each(|element| strings(element, found)),
        Value::Object(members) => members.values().for_each(|member| strings(member, found)),
        _ => {}
    }
}
