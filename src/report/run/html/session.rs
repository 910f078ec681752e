//! *Sessions* as drawings: what is recorded, resumed, made of streams, and played.

use crate::operation::Value;
use maud::{Markup, html};

use crate::message::Event;
use crate::operation::{
    Accumulated, Conversation, Moment, Plain, Played, RecordStep, Recorded, ResumeAnswer, Resumed, StreamItem, Streamed,
};
use crate::report::outline;
use crate::report::run::place::List;
use turnproof_suite::table::size;

use super::drawing::nothing;
use super::file::file;
use super::marks::Marks;
use super::message::{aside, list};
use super::text::{glance, rows};

/// A recording: the steps, and the file with the step in which each line was written.
pub(super) fn recorded(case: &Recorded, marks: &Marks<'_>) -> Markup {
    let answers = case.answers.as_deref().unwrap_or_default();
    let (shown, upto) = shown_file(case);
    let written_in = |line: &[u8], start: usize| {
        let end = start + line.len();
        let files = answers.iter().take(upto).map(|answer| answer.file.as_slice());
        let step = files.enumerate().find(|(_, file)| file.get(start..end) == Some(line));
        match (case.before.get(start..end) == Some(line), step) {
            (true, _) => Some("before".to_owned()),
            (false, step) => step.map(|(step, _)| format!("step {step}")),
        }
    };
    let last = case.steps.iter().rev().find_map(|step| match step {
        RecordStep::List(json) | RecordStep::ListBeforeRequest(json) => Plain::read(json).ok(),
        _ => None,
    });
    html! {
        div.scroll { table {
            caption { "The steps" }
            thead { tr {
                th.number scope="col" { "step" } th scope="col" { "what happens" }
                th scope="col" { "the next message chains to" } th.number scope="col" { "bytes" }
            } }
            tbody {
                @for (at, step) in case.steps.iter().enumerate() {
                    tr {
                        th.number scope="row" { (at) }
                        td { (step_in_words(step)) }
                        td { @match answers.get(at).map(|answer| &answer.tip) {
                            Some(Ok(Some(tip))) => code { (glance(tip)) },
                            Some(Ok(None)) => "nothing",
                            Some(Err(why)) => span.empty { "refused: " (glance(why)) },
                            None => "",
                        } }
                        td.number { @if let Some(answer) = answers.get(at) { (answer.file.len()) } }
                    }
                }
            }
        } }
        @if let Err(why) = &case.answers { p.empty { "refused: " (glance(why)) } }
        @let title = if upto < case.steps.len() { format!("The file before step {upto}") } else { "The file".to_owned() };
        (file(&title, shown, marks, &written_in))
        @if let Some(list) = last { (aside("The messages of the last list", list.elements(), marks)) }
    }
}

/// The file at the end, and how many steps it has seen; where a step changed what was there, the file before it.
fn shown_file(case: &Recorded) -> (&[u8], usize) {
    let mut before = case.before.as_slice();
    for (at, answer) in case.answers.iter().flatten().enumerate() {
        if !answer.file.starts_with(before) {
            return (before, at);
        }
        before = &answer.file;
    }
    (before, case.steps.len())
}

fn step_in_words(step: &RecordStep) -> Markup {
    let messages = |json: &str| size(Plain::read(json).unwrap_or_default().elements().len() as u64, "message");
    match step {
        RecordStep::List(json) => html! { "a list of " (messages(json)) },
        RecordStep::ListBeforeRequest(json) => {
            html! { "a list of " (messages(json)) ", a request comes next" }
        }
        RecordStep::Flush => html! { "what waits is written" },
        RecordStep::DiskTakes(Some(bytes)) => html! { "the disk takes " (size(*bytes, "byte")) " more" },
        RecordStep::DiskTakes(None) => html! { "the disk takes everything" },
        RecordStep::Restart => html! { "the process dies, another one goes on" },
        RecordStep::Hints(hints) => {
            let parent = hints.starting_parent.as_ref();
            html! {
                "hints for the next list:"
                @if let Some(uuid) = parent { " it goes on after " code { (glance(uuid)) } }
                @if let Some(team) = &hints.team {
                    " it is said by " code { (glance(&team.agent_name)) } " of " code { (glance(&team.team_name)) }
                }
            }
        }
        RecordStep::OtherWriter(bytes) => {
            html! { "another process writes " code { (super::text::bytes(bytes)) } }
        }
    }
}

/// A resume: the file, and what came back of it.
pub(super) fn resumed(case: &Resumed, marks: &Marks<'_>) -> Markup {
    let records = conversation(&case.answer).map_or(&[][..], |found| &found.records);
    let comes_back = |line: &[u8], _: usize| {
        let has = |bytes: &[u8]| !bytes.is_empty() && memchr::memmem::find(line, bytes).is_some();
        let places = records.iter().enumerate().filter(|(_, record)| has(&record.bytes));
        let places: Vec<String> = places.map(|(at, _)| at.to_string()).collect();
        (!places.is_empty()).then(|| format!("comes back as {}", places.join(", ")))
    };
    html! {
        (file("The file", &case.file, marks, &comes_back))
        (answer("What the subject brings back", &case.answer, marks))
        @if let Some(uuids) = &case.recorded {
            p.same { "Recorded in one piece; must come back: " @for uuid in uuids { code { (glance(uuid)) } " " } }
        }
        @if let Some(again) = &case.again {
            @if *again == case.answer { p.same { "Asked again: the same" } } @else { (answer("Asked again", again, marks)) }
        }
        @if !case.cuts.is_empty() {
            details.aside {
                summary { "The file cut short" }
                div.scroll { table {
                    thead { tr { th.number scope="col" { "cut after" } th scope="col" { "what comes back" } } }
                    tbody { @for (cut, answer) in &case.cuts { tr { th.number scope="row" { (cut) } td { (in_words(answer)) } } } }
                } }
            }
        }
        @for continued in &case.continued {
            details.aside {
                summary { "Cut after " (continued.cut) " bytes, and gone on with" }
                p { "Before: " (in_words(&continued.before)) }
                p { "Added: " @for uuid in &continued.added { code { (glance(uuid)) } " " } }
                p { "After: " (in_words(&continued.after)) }
                @match &continued.file {
                    Ok(bytes) => (file("The file then", bytes, &Marks::new("", Vec::new()), &|_, _| None)),
                    Err(why) => p.empty { "refused: " (glance(why)) },
                }
            }
        }
    }
}

fn conversation(answer: &ResumeAnswer) -> Option<&Conversation> {
    answer.as_ref().ok().and_then(Option::as_ref)
}

fn in_words(answer: &ResumeAnswer) -> Markup {
    match answer {
        Ok(Some(found)) => {
            html! { @for record in &found.records { code { (glance(&record.uuid)) } " " } @if found.records.is_empty() { "no record" } }
        }
        Ok(None) => html! { "no conversation" },
        Err(why) => html! { span.empty { "refused: " (glance(why)) } },
    }
}

fn answer(title: &str, answer: &ResumeAnswer, marks: &Marks<'_>) -> Markup {
    let Some(found) = conversation(answer) else {
        return html! { div.list { h4 { (title) } p { (in_words(answer)) } } };
    };
    let read = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        Plain::read(&text).map_or_else(|_| Value::from(text.as_ref()), |plain| plain.into_value())
    };
    let values: Vec<Value> = found.records.iter().map(|record| read(&record.bytes)).collect();
    html! {
        (list(title, List::Output, &values, marks, &nothing))
        @for note in found.notes.iter().take(20) { p.same { "note: " (glance(note)) } }
    }
}

/// A stream: what came over the wire, and the messages made of it.
pub(super) fn accumulated(case: &Accumulated, marks: &Marks<'_>) -> Markup {
    let output = match &case.output {
        Ok(output) => output,
        Err(why) => return html! { (items(&case.items)) p.empty { "refused: " (glance(why)) } },
    };
    html! {
        div.columns {
            (items(&case.items))
            div {
                (list("What the subject yields", List::Yielded, output.events.elements(), marks, &nothing))
                (list("What remains", List::Live, output.live.elements(), marks, &nothing))
                @if let Some(slots) = &output.slots { (list("What remains, places kept", List::Slots, slots.elements(), marks, &nothing)) }
                @if let Some(wholes) = &output.messages { (list("The whole messages", List::Wholes, wholes.elements(), marks, &nothing)) }
                @if let Some(fault) = &output.fault {
                    p.same {
                        "Wrong with the stream, at item " (fault.item) ": " code { (glance(&fault.name)) } " "
                        (glance(&fault.message))
                    }
                }
            }
        }
        @for (title, other) in [("Asked again", &case.again), ("Cut otherwise", &case.cut_otherwise)] {
            @match other {
                None => {},
                Some(Ok(other)) if is_same(other, output) => p.same { (title) ": the same, ids and times aside" },
                Some(Ok(other)) => (aside(title, other.events.elements(), marks)),
                Some(Err(why)) => p.same { (title) ": refused: " (glance(why)) },
            }
        }
    }
}

/// Whether two outputs hold the same, each message's own id and time aside.
fn is_same(one: &Streamed, other: &Streamed) -> bool {
    let without = |plain: &Plain| -> Vec<Value> {
        let mut values = plain.elements().to_vec();
        for value in values.iter_mut().filter_map(Value::as_object_mut) {
            value.retain(|name, _| name != "uuid" && name != "timestamp");
        }
        values
    };
    without(&one.events) == without(&other.events) && without(&one.live) == without(&other.live)
}

pub(super) fn items(items: &[StreamItem]) -> Markup {
    html! {
        div.list {
            h4 { "The stream" }
            ol.rows { (rows(items, |_| false, item)) }
        }
    }
}

fn item(at: usize, item: &StreamItem) -> Markup {
    let (kind, words) = match item {
        StreamItem::Event(json) => ("event", glance(json)),
        StreamItem::Bytes(bytes) => ("bytes", super::text::bytes(bytes)),
        StreamItem::Message(json) => ("message", glance(json)),
        StreamItem::Abandon => ("abandoned", html! {}),
    };
    html! { li.row.other { span.index { (at) } div.who { b.kind { (kind) } } div.says { code { (words) } } } }
}

/// A loop: the moments of its log in short, those that are marked at length.
pub(super) fn played(case: &Played, marks: &Marks<'_>) -> Markup {
    html! {
        div.list {
            h4 { "The log of the loop" }
            ol.rows {
                (rows(&case.moments, |at| marks.has_element(List::Moments, at), |at, moment| row(at, moment, marks)))
            }
        }
        details.aside {
            summary { "The transcript at the end" }
            (file("", &case.transcript, &Marks::new("", Vec::new()), &|_, _| None))
        }
    }
}

fn row(at: usize, moment: &Moment, marks: &Marks<'_>) -> Markup {
    let own = marks.of_element(List::Moments, at, 0);
    let is_marked = !own.is_empty();
    let (kind, words, lists) = in_short(moment);
    html! {
        li class={ "row other" @if is_marked { " marked" } } {
            span.index { (at) }
            div.who { b.kind { (kind) } }
            div.says {
                p { (words) }
                (marks.notes(&own))
                @if is_marked { @for (title, values) in lists { (aside(title, values, marks)) } }
            }
        }
    }
}

type Lists<'a> = Vec<(&'static str, &'a [Value])>;

/// A moment: its kind, what it says, and the lists in it.
fn in_short(moment: &Moment) -> (&'static str, Markup, Lists<'_>) {
    let messages = |list: &Plain| html! { (size(list.elements().len() as u64, "message")) };
    let bytes = |file: &[u8]| size(file.len() as u64, "byte");
    match moment {
        Moment::Typed { input, content, queued } => {
            let waits = if *queued { ", which has to wait" } else { "" };
            ("typed", html! { "input " (input) (waits) ": " (glance(&content.value.to_string())) }, Vec::new())
        }
        Moment::Joined { input, uuid } => {
            ("joined", html! { "input " (input) " became " code { (glance(uuid)) } }, Vec::new())
        }
        Moment::Yielded(event) => ("yielded", outlined(event), Vec::new()),
        Moment::Amended(event) => ("amended", outlined(event), Vec::new()),
        Moment::Requested { messages: list, turns, transcript } => {
            let turn_count = size(turns.elements().len() as u64, "turn");
            let words = html! { (messages(list)) ", " (turn_count) "; " (bytes(transcript)) " of transcript" };
            ("requested", words, vec![("The messages", list.elements()), ("The turns", turns.elements())])
        }
        Moment::SummaryOrdered(calls) => ("summary ordered", html! { (glance(&calls.join(", "))) }, Vec::new()),
        Moment::SummaryFailed(calls) => ("summary failed", html! { (glance(&calls.join(", "))) }, Vec::new()),
        Moment::Compacted(list) => ("compacted", messages(list), vec![("The messages", list.elements())]),
        Moment::Crashed(file) => ("crashed", html! { (bytes(file)) " on disk" }, Vec::new()),
        Moment::Resumed(list) => ("resumed", messages(list), vec![("The messages", list.elements())]),
        Moment::Forked(list) => ("forked", messages(list), vec![("The messages", list.elements())]),
    }
}

fn outlined(event: &Plain) -> Markup {
    let json = event.value.to_string();
    match Event::read(&json) {
        Ok(event) => glance(&outline::message(&event)),
        Err(_) => glance(&json),
    }
}
