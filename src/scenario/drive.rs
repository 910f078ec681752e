//! *Driving* the engine through a course of actions.

use crate::engine::{
    Compaction, Denial, Engine, Failure, Hook, HookEvent, HookOutcome, Input, Keep, Options, Preserve, Step,
};
use crate::json::{Fields, Raw, Text};
use crate::message::{Block, Content, Event, FixedContext, SIDE_KINDS, SUBTYPES, Typed};
use crate::operation::StreamItem;

use super::action::Action;
use super::line::BlockPlan;
use super::pool::{ATTACHMENTS, PLAIN_ATTACHMENTS, text};
use super::standing::{Stage, Standing};
use super::streamed::{block_events, message_end, message_start, ping};

/// An image of one pixel.
macro_rules! pixel {
    () => {
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    };
}

/// A pasted image.
const IMAGE: &str = concat!(
    r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":""#,
    pixel!(),
    r#""}}"#
);

/// An image that a tool gives.
const IMAGE_RESULT: &str = concat!(
    r#"[{"source":{"data":""#,
    pixel!(),
    r#"","media_type":"image/png","type":"base64"},"type":"image"}]"#
);

/// A document of the client.
const DOCUMENT: &str =
    r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQK"}}"#;

/// A conversation that was played.
pub struct Driven {
    /// The engine after the last action.
    pub engine: Engine,
    /// What happened, as the engine was told.
    pub inputs: Vec<Input>,
    /// What came over the wire, one list a request; tries of one request stand in one list.
    pub streams: Vec<Vec<StreamItem>>,
    /// Where the loop stood at each action.
    pub standings: Vec<Standing>,
}

impl Driven {
    /// What the loop yielded, raw stream events and request starts aside.
    pub fn told(&self) -> impl Iterator<Item = &Event> {
        let is_told = |event: &&Event| !matches!(event, Event::StreamEvent(_) | Event::StreamRequestStart(_));
        self.engine.log().events().filter(is_told)
    }

    /// The same, each as JSON text.
    pub fn events(&self) -> Vec<String> {
        self.told().map(json).collect()
    }
}

/// Plays actions on a fresh engine.
pub(super) fn drive(actions: &[Action], options: Options) -> Driven {
    // Nobody looks at the turns here.
    let options = Options { makes_turns: false, ..options };
    let engine = Engine::with_options(FixedContext::new(7), options);
    let mut driver = Driver {
        driven: Driven { engine, inputs: Vec::new(), streams: Vec::new(), standings: Vec::new() },
        calls: 0,
        messages: 0,
        blocks: None,
        model: 0,
        happened: false,
        is_dead: false,
    };
    for action in actions {
        let standing = driver.standing();
        driver.happened = false;
        driver.act(*action);
        let is_torn = driver.driven.engine.transcript().last().is_some_and(|last| *last != b'\n');
        driver.driven.standings.push(Standing { happened: driver.happened, is_torn, ..standing });
    }
    // In the end everything is written that the disk takes.
    driver.step(Input::Wait(1000));
    driver.driven
}

struct Driver {
    driven: Driven,
    /// How many calls the model has made.
    calls: u64,
    /// How many messages the model has begun.
    messages: u64,
    /// How many blocks the message that streams has; none before it has begun.
    blocks: Option<u64>,
    model: u8,
    /// Whether the engine has taken the action under way.
    happened: bool,
    /// Whether the process has died.
    is_dead: bool,
}

impl Driver {
    fn act(&mut self, action: Action) {
        match action {
            Action::Block(block, cuts) => self.block(block, cuts, false),
            Action::HalfBlock(block) => self.block(block, 1, true),
            Action::Ping => self.step(Input::Stream(ping())),
            Action::End(reason) => self.end(reason),
            other => {
                if let Some(input) = self.input(other) {
                    self.step(input);
                }
            }
        }
    }

    /// Where the loop stands.
    fn standing(&self) -> Standing {
        let engine = &self.driven.engine;
        let stage = match (engine.is_streaming(), engine.is_idle(), self.is_dead) {
            (true, ..) => Stage::Streaming,
            (_, true, _) => Stage::Idle,
            (_, _, true) => Stage::Dead,
            _ => Stage::Tools,
        };
        let calls = u8::try_from(engine.open_calls().count()).unwrap_or(u8::MAX);
        let blocks = match stage {
            Stage::Streaming => self.blocks.unwrap_or(0).min(255) as u8,
            _ => 0,
        };
        Standing { stage, calls, blocks, happened: false, is_torn: false }
    }

    fn step(&mut self, input: Input) {
        let was_streaming = self.driven.engine.is_streaming();
        let step = self.driven.engine.step(&input);
        if step.refused.is_none() {
            self.happened = true;
            self.is_dead =
                matches!(input, Input::Crash(_)) || self.is_dead && !matches!(input, Input::Resume);
            self.note(&input, &step, was_streaming);
        }
        self.driven.inputs.push(input);
    }

    /// Writes down what the step means for the stream.
    fn note(&mut self, input: &Input, step: &Step, was_streaming: bool) {
        if let (Input::Stream(event), Some(stream)) = (input, self.driven.streams.last_mut()) {
            stream.push(StreamItem::Event(event.to_json()));
        }
        if let (Input::Result { .. }, true, Some(stream)) =
            (input, was_streaming, self.driven.streams.last_mut())
        {
            stream.extend(step.events.iter().map(|event| StreamItem::Message(json(event))));
        }
        if step.request.is_some() {
            self.blocks = None;
            let is_retry = matches!(input, Input::Break | Input::Fail(_) | Input::Fallback(_));
            match self.driven.streams.last_mut() {
                Some(stream) if is_retry && was_streaming => stream.push(StreamItem::Abandon),
                _ => self.driven.streams.push(Vec::new()),
            }
        }
    }

    /// The message begins, if it has not.
    fn begin(&mut self) -> u64 {
        match self.blocks {
            Some(blocks) => blocks,
            None => {
                self.messages += 1;
                self.blocks = Some(0);
                let model = ["claude-opus-4-5", "claude-sonnet-4-5"][usize::from(self.model % 2)];
                self.step(Input::Stream(message_start(self.messages, model)));
                0
            }
        }
    }

    fn block(&mut self, block: BlockPlan, cuts: u8, half: bool) {
        if !self.driven.engine.is_streaming() {
            return;
        }
        let index = self.begin();
        if matches!(block, BlockPlan::ToolUse(_)) {
            self.calls += 1;
        }
        let call = format!("toolu_{}", self.calls);
        for event in block_events(block, &call, index, cuts, half) {
            self.step(Input::Stream(event));
        }
        // A half block is the last one of its message.
        self.blocks = Some(index + 1);
    }

    fn end(&mut self, reason: u8) {
        if !self.driven.engine.is_streaming() {
            return;
        }
        let blocks = self.begin();
        let has_calls = self.driven.engine.open_calls().next().is_some();
        let reason = match reason % 4 {
            0 if has_calls => "tool_use",
            0 => "end_turn",
            1 => "max_tokens",
            2 => "stop_sequence",
            _ => "refusal",
        };
        for event in message_end(reason, 10 + blocks) {
            self.step(Input::Stream(event));
        }
    }

    /// The open call at a place.
    fn call(&self, which: u8) -> Option<String> {
        let open: Vec<&str> = self.driven.engine.open_calls().collect();
        (!open.is_empty()).then(|| open[usize::from(which) % open.len()].to_owned())
    }

    fn input(&mut self, action: Action) -> Option<Input> {
        Some(match action {
            Action::Type(which) => Input::Type(Content::Text(pooled(which))),
            Action::Paste(count) => Input::Type(pasted(count)),
            Action::Meta(which) => Input::Meta(meta(which)),
            Action::Attach(which) => Input::Attach(attachment(which, self.call(0).as_deref())),
            Action::Command(which) => Input::Command(pooled(which).as_str().to_owned()),
            Action::Notice(which) => notice(which),
            Action::Break => Input::Break,
            Action::Fail(which) => Input::Fail(failure(which)),
            Action::Fallback => {
                self.model += 1;
                Input::Fallback("claude-sonnet-4-5".into())
            }
            Action::Progress(which) => {
                let data = Raw::fixed(r#"{"elapsedTimeSeconds":1,"output":"a","type":"bash_progress"}"#);
                Input::Progress { call: self.call(which)?, data }
            }
            Action::Hook(which, form) => Input::Hook(hook(self.call(which), form)),
            Action::Result(which, form) => result(self.call(which)?, form),
            Action::Deny(which, denial) => Input::Deny { call: self.call(which)?, denial: denied(denial) },
            Action::Interrupt => Input::Interrupt,
            Action::Summary(came) => Input::Summary(came.then(|| "Did what was asked".into())),
            Action::Compact(keep, form) => Input::Compact(compaction(keep, form)),
            Action::Microcompact(count) => Input::Microcompact(u64::from(count % 4)),
            Action::Subagent(which) => Input::Subagent {
                call: self.call(which)?,
                agent: format!("agent{}", which % 3),
                prompt: "look".into(),
                answer: "found".into(),
            },
            Action::Side(which) => Input::Side(side(which)),
            Action::Wait(times) => Input::Wait(u64::from(times) * 25),
            Action::Disk(255) => Input::Disk(None),
            Action::Disk(times) => Input::Disk(Some(u64::from(times) * 16)),
            Action::OtherWriter(which) => Input::OtherWriter(other_writer(which)),
            Action::Crash(lost) => Input::Crash(u64::from(lost)),
            Action::Resume => Input::Resume,
            Action::Fork(before_last) => Input::Fork(u64::from(before_last % 8)),
            Action::Block(..) | Action::HalfBlock(_) | Action::Ping | Action::End(_) => return None,
        })
    }
}

fn json(event: &Event) -> String {
    let mut json = String::new();
    event.write_to(&mut json);
    json
}

/// A text of the pool, as a JSON string says it.
fn pooled(which: u8) -> Text {
    let token = text(which);
    Text::from_token(&token[1..token.len() - 1])
}

fn block(json: &str) -> Option<Block> {
    serde_json::from_str(json).ok()
}

fn pasted(count: u8) -> Content {
    let mut blocks = vec![Block::from(crate::message::TextBlock::new("look at this"))];
    blocks.extend((0..count % 4).filter_map(|_| block(IMAGE)));
    Content::Blocks(blocks)
}

fn meta(which: u8) -> Content {
    match which % 4 {
        0 => Content::Text(pooled(which / 4)),
        1 => Content::Blocks(block(IMAGE).into_iter().collect()),
        2 => Content::Blocks(block(DOCUMENT).into_iter().collect()),
        _ => Content::Blocks([DOCUMENT, IMAGE].into_iter().filter_map(block).collect()),
    }
}

fn attachment(which: u8, call: Option<&str>) -> Fields {
    let form = ATTACHMENTS[usize::from(which % PLAIN_ATTACHMENTS)];
    let json = form.replace('$', &text(which / PLAIN_ATTACHMENTS)).replace('@', call.unwrap_or("toolu_0"));
    serde_json::from_str(&json).unwrap_or_default()
}

fn notice(which: u8) -> Input {
    // Boundaries come from compactions alone.
    let others: Vec<&&str> = SUBTYPES.iter().filter(|name| !name.ends_with("boundary")).collect();
    Input::Notice { subtype: (*others[usize::from(which) % others.len()]).into(), text: "a".into() }
}

fn failure(which: u8) -> Failure {
    Failure::ALL[usize::from(which) % Failure::ALL.len()]
}

fn denied(which: u8) -> Denial {
    match which % 9 {
        0 => Denial::User,
        1 => Denial::UserWithReason("use another tool".into()),
        2 => Denial::Subagent,
        3 => Denial::SubagentWithReason("not there".into()),
        4 => Denial::Plan("1. look\n2. change".into()),
        5 => Denial::Rule,
        6 => Denial::DontAsk,
        7 => Denial::Classifier("it deletes files".into()),
        _ => Denial::Cancel,
    }
}

fn hook(call: Option<String>, form: u8) -> Hook {
    let outcomes = [
        HookOutcome::Success,
        HookOutcome::Progress,
        HookOutcome::Context,
        HookOutcome::Error,
        HookOutcome::Result,
        HookOutcome::StopSummary,
    ];
    let outcome = outcomes[usize::from(form) % outcomes.len()];
    let event = match (&call, outcome, form / 6 % 2) {
        (_, HookOutcome::StopSummary, _) => HookEvent::Stop,
        (Some(_), _, 0) => HookEvent::PreToolUse,
        (Some(_), _, _) => HookEvent::PostToolUse,
        (None, _, 0) => HookEvent::SessionStart,
        (None, _, _) => HookEvent::UserPromptSubmit,
    };
    Hook { event, call, outcome }
}

fn result(call: String, form: u8) -> Input {
    let (content, output) = match form % 6 {
        0 => (r#""done""#, r#"{"interrupted":false,"isImage":false,"stderr":"","stdout":"done"}"#),
        1 => (r#"[{"text":"done","type":"text"}]"#, r#"[{"text":"done","type":"text"}]"#),
        2 => (r#""it failed""#, r#""Error: it failed""#),
        3 => (r#""""#, r#"{"interrupted":false,"isImage":false,"stderr":"","stdout":""}"#),
        4 => (IMAGE_RESULT, r#"{"file":{"originalSize":70,"type":"image/png"},"type":"image"}"#),
        _ => return text_result(call, form / 6),
    };
    let (content, output) = (Raw::fixed(content), Raw::fixed(output));
    Input::Result { call, content, output, is_error: form % 6 == 2 }
}

/// A result of a text of the pool, which may hold what no parsed value can.
fn text_result(call: String, which: u8) -> Input {
    let text = pooled(which / 2);
    let mut output = Fields::new();
    output.set("stdout", text.write());
    let content = match which % 2 {
        0 => text.write(),
        _ => Content::Blocks(vec![crate::message::TextBlock::new(text).into()]).write(),
    };
    Input::Result { call, content, output: output.to_raw(), is_error: false }
}

fn compaction(keep: u8, form: u8) -> Compaction {
    let preserve = [Preserve::Segment, Preserve::Messages, Preserve::Both][usize::from(form) % 3];
    Compaction {
        is_automatic: form / 3 % 2 == 1,
        summary: "What happened so far".into(),
        keep: match keep {
            0 => Keep::Nothing,
            1..128 => Keep::Last(u64::from(keep % 8)),
            _ => Keep::First(u64::from(keep % 8)),
        },
        preserve,
    }
}

fn side(which: u8) -> Fields {
    let kind = SIDE_KINDS[usize::from(which) % SIDE_KINDS.len()];
    let members = [
        ("type", Raw::from(kind)),
        ("sessionId", Raw::from("5e551011-0000-4000-8000-000000000001")),
        ("note", Raw::from("a")),
    ];
    members.into_iter().map(|(name, value)| (Text::from(name), value)).collect()
}

/// What a second process writes: side records, whole or torn.
fn other_writer(which: u8) -> String {
    let record = r#"{"type":"tag","tag":"a","sessionId":"5e551011-0000-4000-8000-000000000001"}"#;
    match which % 3 {
        0 => format!("{record}\n"),
        1 => record[..record.len() / 2].to_owned(),
        _ => record.to_owned(),
    }
}
