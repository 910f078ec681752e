//! `turnproof accumulate`: make messages of a model's stream.

mod notes;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use turnproof_reference::json::{Fields, Raw, Text};
use turnproof_reference::message::{AssistantBody, Context, FixedContext, SystemContext, Typed};
use turnproof_reference::stream::{EventLog, ModelEvent, ReplyLines, SseDecoder, StreamError};

use turnproof_rules::operation::Reply;

use super::streams::read;
use super::{Exit, Failure, stdout};

/// Make messages of a model's stream
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof accumulate response.sse                     the assistant messages, one for each block
  turnproof accumulate --whole response.sse | jq .usage what the whole reply cost
  turnproof accumulate --seed 1 events.jsonl            the same ids and times at each run
  curl -sN … | turnproof accumulate -                   of a response, as the API sends it

FILE is the text of a response (server-sent events), or JSON Lines of stream events, each the event \
itself or {\"type\":\"stream_event\",\"event\":{…}}, or a JSON array of events; it is told by how it \
begins. Messages go to standard output, a JSON object a line, with what came late set on the last \
one of each reply. What is wrong with the stream goes to standard error, and what \
`turnproof check --response` finds in it besides, with its rule.

Exit codes: 0 the stream was whole; 1 something was wrong with it; 2 FILE cannot be read")]
pub(super) struct Arguments {
    /// A response, JSON Lines or a JSON array of stream events; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print the whole message of each reply, as the API gives it when it does not stream
    #[arg(long)]
    whole: bool,
    /// The request's id, for the messages
    #[arg(long, value_name = "ID", conflicts_with = "whole")]
    request_id: Option<String>,
    /// Make ids and times from this number, the same at each run
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let name = arguments.file.display();
    let bytes = read(&arguments.file)?;
    let reply = Reply::read(&bytes).ok();
    if let Some(what) = reply.as_ref().and_then(notes::no_stream) {
        eprintln!("turnproof: {name}: this is {what}, no stream; `turnproof check --response` judges it");
        return Ok(Exit::Broken);
    }
    let events = events(&bytes)?;
    if events.is_empty() {
        return Err(Failure::Usage(format!(
            "{name} holds no stream event; give the text of a response, or its events as JSON"
        )));
    }
    let places: Vec<String> = events.iter().map(|event| event.place.clone()).collect();
    let request_id = arguments.request_id.as_deref().map(Text::from);
    let played = match arguments.seed {
        Some(seed) => play(events, request_id, &mut FixedContext::new(seed)),
        None => play(events, request_id, &mut SystemContext),
    };
    let is_lost = reply.is_some_and(|reply| notes::report(reply, &places, &played.wrong));
    let mut out = stdout();
    let messages: Vec<Raw> = match arguments.whole {
        true => played.messages.iter().map(Typed::write).collect(),
        false => played.log.live().iter().map(|message| message.write()).collect(),
    };
    for message in messages {
        writeln!(out, "{}", message.get())?;
    }
    out.flush()?;
    Ok(if played.is_whole && !is_lost { Exit::Held } else { Exit::Broken })
}

/// An event, or why it is none, and where it stands.
struct Placed {
    place: String,
    event: Result<ModelEvent, StreamError>,
}

#[derive(Default)]
struct Played {
    log: EventLog,
    messages: Vec<AssistantBody>,
    is_whole: bool,
    /// The events that were wrong.
    wrong: BTreeSet<usize>,
}

/// Plays the events of a response, which may have several replies; reports what is wrong on standard error.
fn play(events: Vec<Placed>, request_id: Option<Text>, context: &mut dyn Context) -> Played {
    let mut played = Played { is_whole: true, ..Played::default() };
    let mut lines = ReplyLines::new(request_id);
    for (index, Placed { place, event }) in events.into_iter().enumerate() {
        let error = event.map(|event| {
            if matches!(event, ModelEvent::MessageStart { .. }) && lines.accumulator().is_over() {
                played.messages.extend(lines.accumulator().message());
            }
            played.log.append_yielded(lines.apply(&event, context))
        });
        if let Some(error) = error.unwrap_or_else(Some) {
            eprintln!("turnproof: {place}: {}: {error}", error.name());
            played.is_whole = false;
            played.wrong.insert(index);
        }
    }
    if !lines.accumulator().is_over() {
        let error = StreamError::Unfinished;
        eprintln!("turnproof: at the end: {}: {error}", error.name());
        played.is_whole = false;
    }
    played.messages.extend(lines.accumulator().message());
    played
}

/// The events of an input. Its first character shows which form it has.
fn events(bytes: &[u8]) -> Result<Vec<Placed>, Failure> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match text.trim_ascii_start().first() {
        Some(b'[') => {
            let elements: Vec<Raw> = serde_json::from_slice(text)
                .map_err(|error| Failure::Usage(format!("this begins like a JSON array of events, but {error}")))?;
            let placed =
                |(at, raw): (usize, &Raw)| Placed { place: format!("element {at}"), event: unwrapped(raw.get()) };
            Ok(elements.iter().enumerate().map(placed).collect())
        }
        Some(b'{') => Ok(of_lines(text)),
        _ => Ok(of_response(bytes)),
    }
}

fn of_lines(bytes: &[u8]) -> Vec<Placed> {
    let lines = bytes.split(|&byte| byte == b'\n').enumerate();
    let filled = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let placed = filled.map(|(at, line)| Placed {
        place: format!("line {}", at + 1),
        event: unwrapped(&String::from_utf8_lossy(line)),
    });
    placed.collect()
}

fn of_response(bytes: &[u8]) -> Vec<Placed> {
    let mut decoder = SseDecoder::new();
    let events = decoder.push(bytes);
    let placed = events
        .iter()
        .enumerate()
        .map(|(at, event)| Placed { place: format!("event {}", at + 1), event: ModelEvent::of_server_event(event) });
    let placed = placed.collect();
    if decoder.finish() {
        eprintln!("turnproof: the text ends inside an event, which is left out; an empty line ends an event");
    }
    placed
}

/// An event, taken out of the message that a client wraps it in.
fn unwrapped(json: &str) -> Result<ModelEvent, StreamError> {
    let bad = |error: serde_json::Error| StreamError::BadEvent { why: error.to_string() };
    let raw = Raw::from_json(json.to_owned()).map_err(bad)?;
    let wrapper = Fields::from_raw(&raw).ok();
    let is_wrapper = |fields: &Fields| fields.get("type").is_some_and(|name| name.get() == "\"stream_event\"");
    match wrapper.filter(is_wrapper).and_then(|mut fields| fields.take("event")) {
        Some(event) => ModelEvent::read(&event),
        None => ModelEvent::read(&raw),
    }
}
