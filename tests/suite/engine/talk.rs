//! A *talk* steps the engine with few words.

use serde_json::{Value, json};
use turnproof_reference::engine::{Compaction, Engine, Input, Keep, Options, Preserve, Step};
use turnproof_reference::json::Raw;
use turnproof_reference::message::{Event, FixedContext, Message, Typed};

/// A conversation under test.
pub(super) struct Talk {
    pub engine: Engine,
    blocks: u64,
    replies: u64,
}

impl Talk {
    pub(super) fn new() -> Self {
        Self::with(Options::default())
    }

    pub(super) fn with(options: Options) -> Self {
        Self { engine: Engine::with_options(FixedContext::new(3), options), blocks: 0, replies: 0 }
    }

    /// A conversation after these prompts and their answers.
    pub(super) fn after(exchanges: &[(&str, &str)]) -> Self {
        let mut talk = Self::new();
        exchanges.iter().for_each(|(prompt, answer)| talk.exchange(prompt, answer));
        talk
    }

    /// A conversation that begins with the prompt `go`.
    pub(super) fn asked() -> Self {
        let mut talk = Self::new();
        talk.says("go");
        talk
    }

    /// A conversation that begins with the prompt `go`, and whose reply makes these calls.
    pub(super) fn working(calls: &[&str]) -> Self {
        let mut talk = Self::new();
        talk.works(calls);
        talk
    }

    /// Another process: other ids, a later time.
    pub(super) fn later() -> Self {
        Self { engine: Engine::new(FixedContext::new(4)), blocks: 0, replies: 100 }
    }

    /// One input, which must not be refused.
    pub(super) fn step(&mut self, input: Input) -> Step {
        let step = self.engine.step(&input);
        assert_eq!(step.refused, None, "{input:?}");
        if step.request.is_some() {
            self.blocks = 0;
        }
        step
    }

    pub(super) fn says(&mut self, text: &str) -> Step {
        self.step(Input::Type(text.into()))
    }

    /// The model's stream continues.
    pub(super) fn stream(&mut self, event: Value) -> Step {
        let event = serde_json::from_value(event).expect("an object");
        self.step(Input::Stream(event))
    }

    fn begin(&mut self) {
        if self.blocks == 0 {
            self.replies += 1;
            let id = format!("msg_{}", self.replies);
            self.stream(json!({"type": "message_start", "message": {"id": id, "type": "message",
                "role": "assistant", "model": "m", "content": [], "stop_reason": null,
                "usage": {"input_tokens": 1, "output_tokens": 1}}}));
        }
    }

    fn block(&mut self, start: Value, delta: Option<Value>) -> Step {
        self.begin();
        let index = self.blocks;
        self.stream(json!({"type": "content_block_start", "index": index, "content_block": start}));
        if let Some(delta) = delta {
            self.stream(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        self.blocks += 1;
        self.stream(json!({"type": "content_block_stop", "index": index}))
    }

    /// The model says something.
    pub(super) fn replies(&mut self, text: &str) -> Step {
        self.block(json!({"type": "text", "text": ""}), Some(json!({"type": "text_delta", "text": text})))
    }

    /// The model calls a tool.
    pub(super) fn calls(&mut self, id: &str) -> Step {
        self.block(json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}}), None)
    }

    /// The reply ends.
    pub(super) fn ends(&mut self, reason: &str) -> Step {
        self.begin();
        self.stream(json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": {"output_tokens": 9}}));
        self.stream(json!({"type": "message_stop"}))
    }

    /// The model says something, and its reply ends.
    pub(super) fn answers(&mut self, text: &str) -> Step {
        self.replies(text);
        self.ends("end_turn")
    }

    /// The prompt `go`, and a reply that makes these calls.
    pub(super) fn works(&mut self, calls: &[&str]) {
        self.says("go");
        calls.iter().for_each(|call| drop(self.calls(call)));
        self.ends("tool_use");
    }

    /// The process dies, and another one resumes the session.
    pub(super) fn comes_back(&mut self) {
        self.step(Input::Crash(0));
        self.step(Input::Resume);
    }

    /// A tool has a result.
    pub(super) fn result(&mut self, call: &str, text: &str) -> Step {
        let (content, output) = (Raw::from(text), Raw::from(text));
        self.step(Input::Result { call: call.into(), content, output, is_error: false })
    }

    /// A prompt and its answer.
    pub(super) fn exchange(&mut self, prompt: &str, answer: &str) {
        self.says(prompt);
        self.answers(answer);
    }

    pub(super) fn compacts(&mut self, keep: Keep, preserve: Preserve) -> Step {
        let summary = "the summary".into();
        self.step(Input::Compact(Compaction { is_automatic: false, summary, keep, preserve }))
    }

    /// The conversation, each message in a few words.
    pub(super) fn list(&self) -> Vec<String> {
        self.engine.messages().iter().map(word).collect()
    }

    /// The lines of the transcript.
    pub(super) fn lines(&self) -> Vec<Value> {
        let lines = self.engine.transcript().split(|&byte| byte == b'\n');
        lines.filter(|line| !line.is_empty()).map(|line| serde_json::from_slice(line).expect("JSON")).collect()
    }
}

/// Events as JSON.
pub(super) fn values<'e>(events: impl IntoIterator<Item = &'e Event>) -> Vec<Value> {
    let read = |event: &Event| serde_json::from_str(event.write().get()).expect("JSON");
    events.into_iter().map(read).collect()
}

/// A message in a few words: `user hello`, `call toolu_1`, `result toolu_1`, `system compact_boundary`.
pub(super) fn word(event: &Event) -> String {
    let value: Value = serde_json::from_str(event.write().get()).expect("JSON");
    let content = &value["message"]["content"];
    let of_block = |block: &Value| match block["type"].as_str().unwrap_or_default() {
        "text" => block["text"].as_str().unwrap_or_default().to_owned(),
        "tool_use" => format!("call {}", block["id"].as_str().unwrap_or_default()),
        "tool_result" => format!("result {}", block["tool_use_id"].as_str().unwrap_or_default()),
        other => other.to_owned(),
    };
    let text = match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().map(of_block).collect::<Vec<_>>().join(" + "),
        _ => value["subtype"].as_str().or(value["attachment"]["type"].as_str()).unwrap_or_default().to_owned(),
    };
    format!("{} {text}", value["type"].as_str().unwrap_or_default()).trim().to_owned()
}

/// What a step yielded, raw stream events and request starts aside.
pub(super) fn yielded(step: &Step) -> Vec<String> {
    let shown = |event: &&Event| !matches!(event, Event::StreamEvent(_) | Event::StreamRequestStart(_));
    step.events.iter().filter(shown).map(word).collect()
}

/// The messages of a conversation.
pub(super) fn messages(engine: &Engine) -> impl Iterator<Item = &Message> {
    engine.messages().iter().filter_map(|event| match event {
        Event::Message(message) => Some(message),
        _ => None,
    })
}
