//! The page of a stream.

use serde_json::Value;
use turnproof::report::outline;
use turnproof_reference::json::{Number, Raw};
use turnproof_reference::message::{Context, Event, Maybe, Message};
use turnproof_reference::stream::{Delta, EventLog, ModelEvent, ReplyLines, Slot, StreamError};

/// What happens to a stream.
pub(super) enum Step {
    /// An event of the stream, as JSON text.
    Event(String),
    /// The stream is given up for another model.
    Abandon,
    /// A user message joins the log.
    User(Value),
}

impl From<Value> for Step {
    fn from(event: Value) -> Self {
        Self::Event(event.to_string())
    }
}

/// Ids and times that a reader can follow: `a1`, `a2`, …
#[derive(Default)]
struct Counted {
    ids: u32,
}

impl Context for Counted {
    fn now(&mut self) -> String {
        format!("2025-01-01T00:00:{:02}.000Z", self.ids)
    }

    fn uuid(&mut self) -> String {
        self.ids += 1;
        format!("a{}", self.ids)
    }
}

/// A stream as it is played.
#[derive(Default)]
pub(super) struct Page {
    context: Counted,
    lines: ReplyLines,
    log: EventLog,
    rows: Vec<(String, Vec<String>)>,
    messages: Vec<String>,
}

impl Page {
    pub(super) fn take(&mut self, step: &Step) {
        let row = match step {
            Step::Event(json) => {
                let raw = Raw::from_json(json.clone()).expect("JSON");
                let read = ModelEvent::read(&raw);
                let shown = read.as_ref().map_or_else(|_| short(raw.get()), described);
                (shown, read.map_or_else(|error| vec![wrong(&error)], |event| self.event(&event)))
            }
            Step::Abandon => {
                self.keep_message();
                let tombstones = self.lines.abandon(&mut self.context).into_iter().map(Event::from);
                let tombstones: Vec<Event> = tombstones.collect();
                let shown = tombstones.iter().map(|event| format!("+ {}", outline::message(event))).collect();
                tombstones.into_iter().for_each(|event| self.log.append(event));
                ("— given up —".to_owned(), shown)
            }
            Step::User(json) => {
                let message: Message = serde_json::from_str(&json.to_string()).expect("a message");
                self.log.append(message.clone());
                ("— joins —".to_owned(), vec![format!("+ {}", outline::message(&message.into()))])
            }
        };
        self.rows.push(row);
    }

    fn event(&mut self, event: &ModelEvent) -> Vec<String> {
        if matches!(event, ModelEvent::MessageStart { .. }) && self.lines.accumulator().is_over() {
            self.keep_message();
        }
        let yielded = self.lines.apply(event, &mut self.context);
        let new = yielded.messages.iter().map(|line| format!("+ {}", line_of(&line.clone().into())));
        let amended = yielded.amended.iter().map(|amended| {
            let late = &amended.late;
            let reason = late.stop_reason.as_str().unwrap_or("-");
            let tokens = late.usage.get().map_or("-", |usage| number(&usage.output_tokens));
            format!("~ {}: {reason}, {tokens} tokens", amended.uuid)
        });
        let mut shown: Vec<String> = new.chain(amended).collect();
        shown.extend(yielded.error.as_ref().map(wrong));
        self.log.append_yielded(yielded);
        shown
    }

    fn keep_message(&mut self) {
        let Some(message) = self.lines.accumulator().message() else { return };
        let blocks = message.content.get().map(|content| content.blocks().iter().map(outline::block));
        let blocks: Vec<String> = blocks.into_iter().flatten().collect();
        let reason = message.stop_reason.as_str().unwrap_or("-");
        let tokens = message.usage.get().map_or("-", |usage| number(&usage.output_tokens));
        let model = message.model.as_str().unwrap_or("-");
        let id = message.id.as_str().unwrap_or("-");
        self.messages.push(format!("{id} {model}, {reason}, {tokens} tokens: {}", blocks.join(" + ")));
    }

    pub(super) fn render(mut self) -> String {
        self.keep_message();
        let width = self.rows.iter().map(|(event, _)| event.chars().count()).max().unwrap_or(0);
        let mut page = String::from("stream\n");
        for (event, shown) in &self.rows {
            let mut shown = shown.iter();
            let first = shown.next().map_or("", String::as_str);
            page += format!("  {event:width$}  {first}").trim_end();
            page.push('\n');
            shown.for_each(|more| page += &format!("  {:width$}  {more}\n", ""));
        }
        let slots = self.log.slots();
        let slots = slots.iter().enumerate().map(|(at, slot)| match slot {
            Slot::Message(message) => format!("{at}  {}", line_of(message)),
            Slot::Tombstone(tombstone) => {
                format!("{at}  {}", outline::message(&Event::Tombstone(tombstone.clone())))
            }
        });
        let live = self.log.live();
        let live = live.iter().enumerate().map(|(at, message)| format!("{at}  {}", line_of(message)));
        let (live, slots): (Vec<String>, Vec<String>) = (live.collect(), slots.collect());
        page += &section("live", &live);
        page += &if live == slots { "\nslots: the same\n".to_owned() } else { section("slots", &slots) };
        page += &section("messages", &self.messages);
        page
    }
}

fn section(title: &str, lines: &[String]) -> String {
    let shown: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    if lines.is_empty() { format!("\n{title}: none\n") } else { format!("\n{title}\n{shown}") }
}

/// A message in one line, with what comes late if it is the model's.
fn line_of(message: &Message) -> String {
    let mut line = outline::message(&message.clone().into());
    if let Message::Assistant(assistant) = message
        && let Some(body) = assistant.message.get()
    {
        let tokens = body.usage.get().map_or("-", |usage| number(&usage.output_tokens));
        let model = body.model.as_str().unwrap_or("-");
        line += &format!("  [{model}, {}, {tokens} tokens]", body.stop_reason.as_str().unwrap_or("-"));
    }
    line
}

fn number(count: &Maybe<Number>) -> &str {
    count.get().map_or("-", Number::get)
}

fn wrong(error: &StreamError) -> String {
    format!("! {}: {error}", error.name())
}

/// An event in few words: its type, its block, what it adds.
fn described(event: &ModelEvent) -> String {
    let json: Value = serde_json::from_str(event.write().get()).unwrap_or_default();
    match event {
        ModelEvent::MessageStart { message, .. } => {
            let blocks = message.content.get().map_or(0, |content| content.blocks().len());
            let given = if blocks > 0 { format!(" with {blocks} blocks") } else { String::new() };
            format!("message_start {}{given}", message.id.as_str().unwrap_or("-"))
        }
        ModelEvent::BlockStart { index, block, .. } => {
            short(&format!("{} start {}", index.get(), outline::block(block).trim_end()))
        }
        ModelEvent::BlockDelta { index, delta, .. } => format!("{} + {}", index.get(), brought(delta)),
        ModelEvent::BlockStop { index, .. } => format!("{} stop", index.get()),
        ModelEvent::MessageDelta { .. } => {
            let reason = json["delta"]["stop_reason"].as_str().unwrap_or("-");
            format!("message_delta {reason} {}", short(&json["usage"].to_string()))
        }
        _ => event.type_name().to_owned(),
    }
}

/// What a delta adds, as JSON, with its kind if it is not plain text.
fn brought(delta: &Delta) -> String {
    match delta {
        Delta::Text(text) | Delta::InputJson(text) | Delta::Thinking(text) => short(&text.to_token()),
        Delta::Signature(signature) => format!("signature {}", short(&signature.to_token())),
        Delta::Citation(citation) => format!("citation {}", short(citation.get())),
        other => other.type_name().to_owned(),
    }
}

fn short(text: &str) -> String {
    const LONGEST: usize = 44;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
