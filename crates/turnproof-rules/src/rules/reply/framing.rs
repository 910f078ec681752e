//! *Framing*: a reply is one of the Messages API, and its events have the names and the data that SDKs read.

use crate::operation::reply::{Foreign, Reply, ReplyEvent, ReplyForm};
use crate::rules::value::kind;
use crate::rules::{Place, Report};

pub(super) fn framing(reply: &Reply, report: &mut Report<'_>) {
    match reply.form {
        ReplyForm::Foreign(foreign) => is_foreign(reply, foreign, report),
        ReplyForm::Stream => events(reply, report),
        ReplyForm::Events | ReplyForm::Message | ReplyForm::Error => {}
    }
}

fn is_foreign(reply: &Reply, foreign: Foreign, report: &mut Report<'_>) {
    let kind = match foreign {
        Foreign::OpenAiChunks => "openai-chunks",
        Foreign::OpenAiCompletion => "openai-completion",
        Foreign::OpenAiError => "openai-error",
        Foreign::Converse => "converse",
        Foreign::Other => "no-message",
    };
    let place = reply.events.first().map_or(Place::Reply { block: None, member: "" }, ReplyEvent::place);
    let found = sentence!("this is {what}", what = foreign.describe());
    report.add(place, kind, found, "a message, a stream or an error of the Messages API");
}

fn events(reply: &Reply, report: &mut Report<'_>) {
    let has_names = reply.events.iter().any(|event| event.name.is_some());
    if let Some(first) = reply.events.first().filter(|_| !has_names) {
        let found = "no event has an `event:` line; the SDKs of Anthropic read none of these events";
        report.add(first.place(), "no-event-lines", found, "`event:` with the type of each event");
    }
    for event in &reply.events {
        wrong_data(event, report);
        if has_names {
            wrong_name(event, report);
        }
    }
    for (line, text) in &reply.strange_lines {
        // The line says more than its event.
        let number = reply.events.partition_point(|event| event.line <= *line) as u32;
        let found = sentence!("line {line} is no field of an event: {text:?}", line, text = shortened(text));
        report.add(Place::Event { number, line: *line }, "no-field", found, "`event:`, `data:` or a comment");
    }
    if let Some(line) = reply.cut {
        let place = Place::Event { number: reply.events.len() as u32 + 1, line };
        report.add(place, "no-empty-line", "no empty line ends the last event, so that it is none", "an empty line");
    }
}

fn wrong_data(event: &ReplyEvent, report: &mut Report<'_>) {
    let place = event.place();
    let named = event.name.as_deref().unwrap_or_default();
    if event.data.trim() == "[DONE]" {
        report.add(
            place,
            "done",
            "the data is [DONE], with which OpenAI's streams end",
            "`message_stop` as the last event",
        );
    } else if !event.value.is_object() {
        let found = sentence!("the data is no JSON object: {data:?}", data = shortened(&event.data));
        report.add(place, "no-json", found, "an event as a JSON object");
    } else if kind(&event.value) == "message" {
        report.add(place, "whole-message", "the data is a whole message, no event", "events, or the message as JSON");
    } else if kind(&event.value).is_empty() {
        let found = sentence!("the data of the event {named:?} has no type", named);
        report.add(place, "no-type", found, "the event's name as the `type` of its data");
    }
}

fn wrong_name(event: &ReplyEvent, report: &mut Report<'_>) {
    match (event.name.as_deref(), kind(&event.value)) {
        (_, "" | "message") => {}
        (None, kind) => {
            let found = sentence!("the event of the type {kind:?} has no `event:` line", kind);
            report.add(event.place(), "no-name", found, "`event:` with the type of the event");
        }
        (Some(name), kind) if name != kind => {
            let found = sentence!("the event is named {name:?}, and its data is of the type {kind:?}", name, kind);
            report.add(event.place(), "other-name", found, "one type in both");
        }
        (Some(_), _) => {}
    }
}

/// The beginning of a text.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
