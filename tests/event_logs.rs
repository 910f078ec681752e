//! Small streams, each with a name that says what is interesting, and a reviewed page of what is
//! yielded of them.
//!
//! A page shows each event of the stream, what was yielded at once (`+`) or changed in place (`~`)
//! and what was wrong (`!`), then the two views of the log. After a change of behaviour,
//! `cargo insta review` shows what became of them.

#[allow(dead_code, reason = "shared with tests/stream")]
#[path = "stream/make.rs"]
mod make;

use make::{block, call_block, delta, end, input, late, start, start_with, stop, text, text_block};
use serde_json::{Value, json};
use turnproof::json::{Number, Raw};
use turnproof::message::{Context, Event, Maybe, Message};
use turnproof::report::outline;
use turnproof::stream::{Delta, EventLog, ModelEvent, ReplyLines, Slot, StreamError};

/// What happens to a stream.
enum Step {
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
struct Page {
    context: Counted,
    lines: ReplyLines,
    log: EventLog,
    rows: Vec<(String, Vec<String>)>,
    messages: Vec<String>,
}

impl Page {
    fn take(&mut self, step: &Step) {
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
                let told = tombstones.iter().map(|event| format!("+ {}", outline::message(event))).collect();
                tombstones.into_iter().for_each(|event| self.log.append(event));
                ("— given up —".to_owned(), told)
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
        let mut told: Vec<String> = new.chain(amended).collect();
        told.extend(yielded.error.as_ref().map(wrong));
        self.log.append_yielded(yielded);
        told
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

    fn render(mut self) -> String {
        self.keep_message();
        let width = self.rows.iter().map(|(event, _)| event.chars().count()).max().unwrap_or(0);
        let mut page = String::from("stream\n");
        for (event, told) in &self.rows {
            let mut told = told.iter();
            let first = told.next().map_or("", String::as_str);
            page += format!("  {event:width$}  {first}").trim_end();
            page.push('\n');
            told.for_each(|more| page += &format!("  {:width$}  {more}\n", ""));
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

/// An event in few words: its type, its block, what it brings.
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

/// What a delta brings, as JSON; the kind of those that are not plain text.
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

fn started(id: &str) -> Step {
    let mut event = start();
    event["message"]["id"] = id.into();
    event.into()
}

fn thinking(index: u64) -> Value {
    block(index, json!({"type": "thinking", "thinking": "", "signature": ""}))
}

fn result(uuid: &str, call: &str) -> Step {
    let content = json!([{"type": "tool_result", "tool_use_id": call, "content": "done"}]);
    Step::User(json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": content}}))
}

fn ping() -> Step {
    json!({"type": "ping"}).into()
}

fn steps(events: impl IntoIterator<Item = Value>) -> Vec<Step> {
    events.into_iter().map(Step::from).collect()
}

/// Compares the page of a stream with the reviewed one.
fn review(name: &str, steps: impl IntoIterator<Item = Step>) {
    let mut page = Page::default();
    steps.into_iter().for_each(|step| page.take(&step));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots/event-logs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name.to_owned(), page.render()));
}

#[test]
fn plain_reply() {
    review(
        "plain-reply",
        steps([start(), text_block(0), text(0, "Hel"), text(0, "lo."), stop(0), late("end_turn", 12), end()]),
    );
}

#[test]
fn parallel_calls() {
    let before = steps([
        start(),
        text_block(0),
        text(0, "Both at once."),
        stop(0),
        call_block(1, "toolu_1"),
        input(1, ""),
        input(1, "{\"command\":"),
        input(1, "\"ls\"}"),
        stop(1),
    ]);
    let after = steps([call_block(2, "toolu_2"), stop(2), late("tool_use", 60), end()]);
    review(
        "parallel-calls",
        before.into_iter().chain([result("r1", "toolu_1")]).chain(after).chain([result("r2", "toolu_2")]),
    );
}

#[test]
fn thinking_first() {
    review(
        "thinking",
        steps([
            start(),
            thinking(0),
            delta(0, json!({"type": "thinking_delta", "thinking": "Let me "})),
            delta(0, json!({"type": "thinking_delta", "thinking": "see."})),
            delta(0, json!({"type": "signature_delta", "signature": "EqQB"})),
            stop(0),
            block(1, json!({"type": "redacted_thinking", "data": "xyz"})),
            stop(1),
            text_block(2),
            text(2, "Yes."),
            stop(2),
            late("end_turn", 33),
            end(),
        ]),
    );
}

#[test]
fn fallback_mid_block() {
    let first =
        steps([start(), text_block(0), text(0, "First try."), stop(0), text_block(1), text(1, "Never sho")]);
    let second = steps([text_block(0), text(0, "Second try."), stop(0), late("end_turn", 9), end()]);
    review("fallback-mid-block", first.into_iter().chain([Step::Abandon, started("msg_2")]).chain(second));
}

#[test]
fn fallback_after_a_result() {
    let first = steps([start(), call_block(0, "toolu_1"), stop(0)]);
    let second = steps([call_block(0, "toolu_2"), stop(0), late("tool_use", 9), end()]);
    review(
        "fallback-after-a-result",
        first
            .into_iter()
            .chain([result("r1", "toolu_1"), Step::Abandon, started("msg_2")])
            .chain(second)
            .chain([result("r2", "toolu_2")]),
    );
}

#[test]
fn fallback_to_the_same_call() {
    let first = steps([start(), call_block(0, "toolu_1"), stop(0)]);
    let second = steps([call_block(0, "toolu_1"), stop(0), late("tool_use", 9), end()]);
    review(
        "fallback-to-the-same-call",
        first.into_iter().chain([result("r1", "toolu_1"), Step::Abandon, started("msg_2")]).chain(second),
    );
}

#[test]
fn fallback_inside_the_reply() {
    let fallback = json!({"type": "fallback", "from": {"model": "m1"}, "to": {"model": "m2"}});
    review(
        "fallback-inside-the-reply",
        steps([
            start(),
            text_block(0),
            text(0, "By the first model."),
            stop(0),
            block(1, fallback),
            stop(1),
            text_block(2),
            text(2, "By the second."),
            stop(2),
            late("end_turn", 40),
            end(),
        ]),
    );
}

#[test]
fn second_and_third_try() {
    let attempt = |said: &str| steps([text_block(0), text(0, said), stop(0)]);
    let all = [
        vec![started("msg_1")],
        attempt("One."),
        vec![Step::Abandon, started("msg_2")],
        attempt("Two."),
        vec![Step::Abandon, Step::Abandon, started("msg_3")],
        attempt("Three."),
        steps([late("end_turn", 5), end()]),
    ];
    review("second-and-third-try", all.into_iter().flatten());
}

#[test]
fn cut_at_max_tokens() {
    review(
        "cut-at-max-tokens",
        steps([start(), text_block(0), text(0, "And then he sa"), late("max_tokens", 100), end()]),
    );
}

#[test]
fn cut_inside_an_input() {
    review(
        "cut-inside-an-input",
        steps([
            start(),
            call_block(0, "toolu_1"),
            input(0, "{\"command\": \"rm -r"),
            late("max_tokens", 100),
            end(),
        ]),
    );
}

#[test]
fn error_mid_stream() {
    let failure = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    review(
        "error-mid-stream",
        steps([
            start(),
            text_block(0),
            text(0, "Shown."),
            stop(0),
            text_block(1),
            text(1, "Not sho"),
            failure,
            text(1, "wn."),
            end(),
        ]),
    );
}

#[test]
fn ping_storm() {
    let events =
        steps([start(), text_block(0), text(0, "a"), text(0, "b"), stop(0), late("end_turn", 3), end()]);
    review("ping-storm", [ping()].into_iter().chain(events.into_iter().flat_map(|event| [event, ping()])));
}

#[test]
fn server_tools() {
    let found = json!([{"type": "web_search_result", "url": "https://example.org"}]);
    review(
        "server-tools",
        steps([
            start(),
            block(
                0,
                json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}),
            ),
            input(0, "{\"query\":\"rust\"}"),
            stop(0),
            block(
                1,
                json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found}),
            ),
            stop(1),
            text_block(2),
            delta(2, json!({"type": "citations_delta", "citation": {"url": "https://example.org"}})),
            text(2, "It is here."),
            stop(2),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
                "usage": {"output_tokens": 70, "server_tool_use": {"web_search_requests": 1}}}),
            end(),
        ]),
    );
}

#[test]
fn late_usage() {
    let totals = |output: u64| json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens": output, "input_tokens": null}});
    review(
        "late-usage",
        steps([
            start(),
            text_block(0),
            stop(0),
            text_block(1),
            stop(1),
            totals(20),
            totals(30),
            late("end_turn", 31),
            end(),
        ]),
    );
}

#[test]
fn start_with_content_already() {
    let content = json!([{"type": "text", "text": "Given."}, {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}]);
    review(
        "start-with-content",
        steps([
            start_with(content),
            text(0, "?"),
            text_block(2),
            text(2, "More."),
            stop(2),
            late("end_turn", 8),
            end(),
        ]),
    );
}

#[test]
fn two_replies() {
    let one = steps([start(), call_block(0, "toolu_1"), stop(0), late("tool_use", 7), end()]);
    let two = steps([text_block(0), text(0, "Done."), stop(0), late("end_turn", 4), end()]);
    review("two-replies", one.into_iter().chain([result("r1", "toolu_1"), started("msg_2")]).chain(two));
}

#[test]
fn blocks_left_open() {
    review(
        "blocks-left-open",
        steps([
            start(),
            text_block(0),
            text(0, "One"),
            text_block(1),
            text(1, "Two"),
            text(0, "?"),
            stop(0),
            call_block(2, "toolu_1"),
            end(),
        ]),
    );
}

#[test]
fn halves_of_a_pair() {
    let half = |token: &str| {
        let delta = format!(r#"{{"type":"text_delta","text":"{token}"}}"#);
        Step::Event(format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#))
    };
    let before = steps([start(), text_block(0)]);
    let after = steps([stop(0), late("end_turn", 3), end()]);
    review(
        "halves-of-a-pair",
        before.into_iter().chain([half(r"Hi \ud83d"), half(r"\ude00 and \ud83d")]).chain(after),
    );
}

#[test]
fn everything_wrong() {
    review(
        "everything-wrong",
        steps([
            text(0, "too early"),
            start(),
            start(),
            block(3, json!({"type": "text", "text": ""})),
            text_block(0),
            text(7, "?"),
            delta(-1, json!({"type": "text_delta", "text": "?"})),
            stop(0),
            stop(0),
            json!([1]),
            json!({"type": "content_block_stop"}),
            call_block(1, "toolu_1"),
            input(1, "{'a'}"),
            stop(1),
            end(),
            text(1, "too late"),
            end(),
        ]),
    );
}
