//! What the inputs ask for is *reported*: each of it is yielded. Here each thing that the [model](super::model)
//! expects is matched with the moment that reports it.

use std::collections::HashMap;

use crate::json::Value;

use super::details::flaws;
use super::model::{Expected, Model, ReplyLine};
use super::queue::as_blocks;
use crate::operation::{Moment, Played};
use crate::rules::alike::{alike, excerpt};
use crate::rules::value::{blocks, content, is_true, kind, reply_id, result_of, text, text_of, uuid, withdrawn_by};
use crate::rules::{Applies, Place, PlayEvidence, Report, Sentence, applies};
use crate::vocabulary::{
    API_ERROR, COMPACT_BOUNDARY, INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, LOCAL_COMMAND, MISSING_TOOL_RESULT,
    SYNTHETIC_MODEL,
};

/// What is expected, and the moment that reports each of it.
#[derive(Debug, Default)]
pub(super) struct Reported<'a> {
    pub(super) pairs: Vec<(Expected<'a>, Option<usize>)>,
    /// The moments that report what nothing asks for. Notices and the like are free.
    extra: Vec<usize>,
}

/// Things that are alike are looked for where they are alike.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key<'a> {
    Kind(&'a str),
    Subtype(&'a str),
    Line(&'a str),
    Result(&'a str),
    Error,
}

/// The messages that were yielded and stand for nothing yet, by what they are.
type Free<'a> = HashMap<Key<'a>, Vec<(usize, &'a Value)>>;

impl<'a> Reported<'a> {
    /// Compares what the inputs ask for with the log.
    pub(super) fn compare(played: &'a Played) -> Self {
        let Some(inputs) = &played.inputs else { return Self::default() };
        let is_typed = || inputs.elements().iter().any(|input| input.get("type").is_some());
        if played.moments.is_empty() && is_typed() {
            // That the loop did not run is another rule's to say.
            return Self::default();
        }
        let model = Model::play(inputs.elements(), &played.moments);
        let mut free: Free<'a> = HashMap::new();
        for (at, moment) in played.moments.iter().enumerate().rev() {
            if let Moment::Yielded(event) = moment {
                free.entry(key_of(&event.value)).or_default().push((at, &event.value));
            }
        }
        let mut pairs: Vec<_> = model.expected.into_iter().map(|expected| (expected, None)).collect();
        // Where there are as many tries as notices of them, each is its own, whatever it counts.
        let is_try = |expected: &Expected<'_>| matches!(expected, Expected::Retry(_));
        let tries = pairs.iter().filter(|(expected, _)| is_try(expected)).count();
        let are_all_tries = free.get(&Key::Subtype(API_ERROR)).is_some_and(|notices| notices.len() == tries);
        // First what is reported without a flaw, then what is reported with one.
        for is_exact in [true, false] {
            for index in 0..pairs.len() {
                let expected = &pairs[index].0;
                let Some(list) = free.get_mut(&key(expected)).filter(|_| pairs[index].1.is_none()) else { continue };
                let withdrawn = withdrawn(expected, &pairs, &played.moments);
                let is_it = |message: &Value| {
                    reports(expected, message)
                        && withdrawn.is_none_or(|uuid| withdrawn_by(message) == Some(uuid))
                        && (!is_exact || are_all_tries && is_try(expected) || flaws(expected, message).is_empty())
                };
                // The lists are in reverse.
                if let Some(place) = list.iter().rposition(|(_, message)| is_it(message)) {
                    pairs[index].1 = Some(list.remove(place).0);
                }
            }
        }
        let is_extra = |key: &Key<'_>| {
            matches!(key, Key::Kind("stream_event" | "stream_request_start" | "tombstone" | "assistant" | "user"))
                || matches!(key, Key::Line(_) | Key::Result(_) | Key::Error)
        };
        // A prompt with these words is expected, so what is left says that somebody interrupted.
        if let Some(users) = free.get_mut(&Key::Kind("user")) {
            users.retain(|(_, message)| is_notice_of_interruption(message));
        }
        let free = free.into_iter().filter(|(key, _)| model.is_whole && is_extra(key));
        // Which calls a resume has to answer is asked by other rules.
        let is_placeholder = |block: &Value| text(block, "content") == Some(MISSING_TOOL_RESULT);
        let list = free.flat_map(|(_, list)| list);
        let is_free = |message: &Value| is_true(message, "isVirtual") || blocks(message).iter().any(is_placeholder);
        let list = list.filter(|(_, message)| !is_free(message));
        let mut extra: Vec<usize> = list.map(|(at, _)| at).collect();
        extra.sort_unstable();
        Self { pairs, extra }
    }

    /// The message that reports something, and its moment.
    pub(super) fn message<'m>(&self, moments: &'m [Moment], at: usize) -> Option<(usize, &'m Value)> {
        let reported = self.pairs.get(at)?.1?;
        match moments.get(reported) {
            Some(Moment::Yielded(event)) => Some((reported, &event.value)),
            _ => None,
        }
    }
}

/// The uuid of the line that an expected tombstone withdraws, where a message reports that line.
fn withdrawn<'a>(
    expected: &Expected<'_>,
    pairs: &[(Expected<'a>, Option<usize>)],
    moments: &'a [Moment],
) -> Option<&'a str> {
    let Expected::Tombstone(line) = expected else { return None };
    match moments.get(pairs.get(*line)?.1?) {
        Some(Moment::Yielded(event)) => uuid(&event.value),
        _ => None,
    }
}

fn key_of(message: &Value) -> Key<'_> {
    match kind(message) {
        "system" => Key::Subtype(text(message, "subtype").unwrap_or_default()),
        "assistant" if is_true(message, "isApiErrorMessage") => Key::Error,
        "assistant" if !is_true(message, "isVirtual") && !is_synthetic(message) => {
            reply_id(message).map_or(Key::Kind("assistant"), Key::Line)
        }
        "user" => blocks(message).iter().find_map(result_of).map_or(Key::Kind("user"), Key::Result),
        kind => Key::Kind(kind),
    }
}

/// Whether no model made a message, as it says.
fn is_synthetic(message: &Value) -> bool {
    message.get("message").and_then(|body| text(body, "model")) == Some(SYNTHETIC_MODEL)
}

fn key<'a>(expected: &Expected<'a>) -> Key<'a> {
    match expected {
        Expected::Prompt(_) | Expected::Meta(_) | Expected::Interruption(_) | Expected::Summary => Key::Kind("user"),
        Expected::Virtual(_, who) => Key::Kind(who),
        Expected::Attachment(_) => Key::Kind("attachment"),
        Expected::Command(_) => Key::Subtype(LOCAL_COMMAND),
        Expected::Notice(subtype, _) => Key::Subtype(subtype),
        Expected::Event(_) => Key::Kind("stream_event"),
        Expected::Start => Key::Kind("stream_request_start"),
        Expected::Line(line) => Key::Line(line.reply),
        Expected::Tombstone(_) => Key::Kind("tombstone"),
        Expected::Progress(_) => Key::Kind("progress"),
        Expected::Hook("system", _) => Key::Subtype("stop_hook_summary"),
        Expected::Hook(kind, _) => Key::Kind(kind),
        Expected::Result(answer) => Key::Result(answer.call),
        Expected::Retry(_) => Key::Subtype(API_ERROR),
        Expected::Error => Key::Error,
        Expected::Boundary(_) => Key::Subtype(COMPACT_BOUNDARY),
    }
}

/// Whether a message of the same key reports what is expected, well or not.
fn reports(expected: &Expected<'_>, message: &Value) -> bool {
    let says = |given: &Value| content(message).is_some_and(|content| as_blocks(content) == as_blocks(given));
    match expected {
        Expected::Prompt(given) | Expected::Meta(Some(given)) => says(given),
        Expected::Meta(None) => is_true(message, "isMeta"),
        Expected::Virtual(words, _) => first_text(message) == Some(words),
        // A type of a wrong type is none.
        Expected::Attachment(given) => {
            text(given, "type").is_none_or(|name| message.get("attachment").is_some_and(|it| kind(it) == name))
        }
        Expected::Event(event) => message.get("event").is_some_and(|reported| alike(reported, event)),
        Expected::Line(line) => {
            let is_its = |block: &Value| match line.call {
                Some((id, _)) => text(block, "id") == Some(id),
                None => kind(block) == line.block,
            };
            blocks(message).iter().any(is_its)
        }
        Expected::Tombstone(_) => withdrawn_by(message).is_some(),
        Expected::Progress(call) => text(message, "parentToolUseID").unwrap_or_default() == *call,
        Expected::Interruption(notice) => first_text(message) == Some(*notice),
        Expected::Summary => is_true(message, "isCompactSummary"),
        _ => true,
    }
}

/// The first text of a message.
pub(super) fn first_text(message: &Value) -> Option<&str> {
    let content = content(message)?;
    content.as_str().or_else(|| blocks(message).first().and_then(text_of))
}

/// Whether a message says that the user interrupted.
pub(super) fn is_notice_of_interruption(message: &Value) -> bool {
    matches!(first_text(message), Some(INTERRUPTION | INTERRUPTION_FOR_TOOL_USE))
}

pub(super) fn reports_all(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    let reported = case.reported();
    for (expected, _) in reported.pairs.iter().filter(|(_, reported)| reported.is_none()) {
        let found = sentence!("{named} is never yielded", named = named(expected));
        report.whole(missing(expected), found, "each thing that happens, yielded once");
    }
    for &at in &reported.extra {
        let Some(Moment::Yielded(event)) = case.moments.get(at) else { continue };
        let found = sentence!("nothing that happens asks for {event}", event = excerpt(event.value.to_string(), 120));
        report.add(Place::message(at), "extra", found, "each thing that happens, yielded once");
    }
    for (at, kind, found) in halved_tombstones(&case.moments) {
        report.add(Place::message(at), kind, found, "the message that it withdraws, whole");
    }
    applies(!reported.pairs.is_empty(), "nothing happens that is yielded")
}

/// The tombstones that do not hold what they withdraw: the moment, the kind, and what is found. What comes late to a
/// reply, and what the file adds, is free.
fn halved_tombstones(moments: &[Moment]) -> Vec<(usize, &'static str, Sentence)> {
    let mut shown: HashMap<&str, &Value> = HashMap::new();
    let mut halved = Vec::new();
    for (at, moment) in moments.iter().enumerate() {
        let Moment::Yielded(event) = moment else { continue };
        match withdrawn_by(&event.value).filter(|_| kind(&event.value) == "tombstone") {
            None if kind(&event.value) == "assistant" => shown.extend(uuid(&event.value).map(|id| (id, &event.value))),
            None => {}
            Some(gone) => {
                let (Some(whole), Some(held)) = (shown.get(gone), event.value.get("message")) else { continue };
                let is_lost = |pointer: &str| !is_same(whole.pointer(pointer), held.pointer(pointer));
                if let Some((kind, pointer)) = WHOLE.into_iter().find(|(_, pointer)| is_lost(pointer)) {
                    let name = &pointer[1..];
                    let found = sentence!("the tombstone of {gone:?} holds a message without its {name}", gone, name);
                    halved.push((at, kind, found));
                }
            }
        }
    }
    halved
}

/// What does not come late to a line of a reply, each with the kind of a tombstone without it.
const WHOLE: [(&str, &str); 5] = [
    ("tombstone-without-type", "/type"),
    ("tombstone-without-id", "/message/id"),
    ("tombstone-without-role", "/message/role"),
    ("tombstone-without-model", "/message/model"),
    ("tombstone-without-content", "/message/content"),
];

fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => alike(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Why rules that need the inputs do not apply.
pub(super) const UNKNOWN: &str = "the inputs are not known, so this may be a piece of a log";

/// The kind of the violation when it is never yielded.
fn missing(expected: &Expected<'_>) -> &'static str {
    match expected {
        Expected::Prompt(_) => "no-prompt",
        Expected::Meta(_) => "no-meta",
        Expected::Virtual(..) => "no-virtual",
        Expected::Attachment(_) => "no-attachment",
        Expected::Command(_) => "no-command",
        Expected::Notice(..) => "no-notice",
        Expected::Event(_) => "no-event",
        Expected::Start => "no-start",
        Expected::Line(ReplyLine { call: Some(_), .. }) => "no-call",
        Expected::Line(_) => "no-line",
        Expected::Tombstone(_) => "no-tombstone",
        Expected::Progress(_) => "no-progress",
        Expected::Hook(..) => "no-hook",
        Expected::Result(_) => "no-result",
        Expected::Interruption(_) => "no-interruption",
        Expected::Retry(_) => "no-retry",
        Expected::Error => "no-error",
        Expected::Boundary(_) => "no-boundary",
        Expected::Summary => "no-summary",
    }
}

/// What is expected, in words.
pub(super) fn named(expected: &Expected<'_>) -> Sentence {
    let shown = |value: &Value| excerpt(value.to_string(), 60);
    match expected {
        Expected::Prompt(content) => sentence!("the prompt {content}", content = shown(content)),
        Expected::Meta(Some(content)) => sentence!("the meta message {content}", content = shown(content)),
        Expected::Meta(None) => "the meta prompt to go on after the limit of the output".into(),
        Expected::Virtual(words, who) => {
            sentence!("the virtual message {words:?} of the {who}", words = *words, who = *who)
        }
        Expected::Attachment(members) => sentence!("the attachment {members}", members = shown(members)),
        Expected::Command(output) => {
            sentence!("the output of a command, {output:?},", output = excerpt((*output).to_owned(), 60))
        }
        Expected::Notice(subtype, _) => sentence!("a notice {subtype:?}", subtype = *subtype),
        Expected::Event(event) => sentence!("the event of the stream {event}", event = shown(event)),
        Expected::Start => "the start of a request".into(),
        Expected::Line(ReplyLine { reply, call: Some((id, _)), .. }) => {
            sentence!("the line of the reply {reply:?} with the call {id:?}", reply = *reply, id = *id)
        }
        Expected::Line(ReplyLine { reply, block, .. }) => {
            sentence!("a line of the reply {reply:?} with its block {block:?}", reply = *reply, block = *block)
        }
        Expected::Tombstone(_) => "the tombstone of a line of an abandoned reply".into(),
        Expected::Progress(call) => sentence!("live output for the call {call:?}", call = *call),
        Expected::Hook(kind, _) => sentence!("what came of a hook, of the kind {kind:?},", kind = *kind),
        Expected::Result(answer) => sentence!("the result of the call {call:?}", call = answer.call),
        Expected::Interruption(notice) => {
            sentence!("the notice {notice:?} that the user interrupted", notice = *notice)
        }
        Expected::Retry(_) => "the notice that a request is sent again after an error".into(),
        Expected::Error => "the error that ends a turn".into(),
        Expected::Boundary(_) => "the boundary of a compaction".into(),
        Expected::Summary => "the summary of a compaction".into(),
    }
}
