//! Plays the actions of a plan on the engine, and records the state of the loop around each.

use crate::engine::{Compaction, Denial, Engine, Hook, HookEvent, HookOutcome, Input, Options, Step};
use crate::json::{Fields, Raw, Text};
use crate::message::{Block, Content, Event, FixedContext, Message, TextBlock, Typed};
use crate::operation::StreamItem;

use super::pool::{AttachmentForm, PoolText, SideKind, Subtype};
use super::streamed::{block_events, error_event, message_end, message_start, message_start_of_misfits};
use super::{Action, BlockPlan, Denied, Gives, HookTime, Meta, Misfit, Stop, Written};

macro_rules! pixel {
    () => {
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    };
}

const IMAGE: &str =
    concat!(r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":""#, pixel!(), r#""}}"#);

const IMAGE_RESULT: &str =
    concat!(r#"[{"source":{"data":""#, pixel!(), r#"","media_type":"image/png","type":"base64"},"type":"image"}]"#);

const FOREIGN_RESULT: &str = r#"[{"annotations":[],"text":"done","type":"text"},{"source":{"media_type":"image/png","type":"base64"},"type":"image"}]"#;

const DOCUMENT: &str =
    r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQK"}}"#;

/// What the loop waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// For somebody to type.
    #[default]
    Idle,
    /// For the model.
    Streaming,
    /// For tools.
    Tools,
    /// For a resume.
    Dead,
}

/// The state of the loop between two actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopState {
    /// What the loop waited for.
    pub stage: Phase,
    /// How many calls were open.
    pub calls: usize,
    /// How many calls of the reply had a result. 0 when no reply streamed.
    pub results: usize,
    /// How many blocks of the reply had begun. 0 when no reply streamed.
    pub blocks: u64,
    /// Whether the last block had not ended.
    pub is_mid_block: bool,
    /// Whether blocks of the reply were withdrawn, and no others had come since.
    pub is_withdrawn: bool,
    /// How often the request was sent again.
    pub retries: u64,
    /// How many prompts waited.
    pub prompts: usize,
    /// Whether the last line of a reply waited for the disk.
    pub is_reply_queued: bool,
    /// Whether media for the model alone came with the request.
    pub has_meta_media: bool,
}

/// An action that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The state before.
    pub before: LoopState,
    /// The state after.
    pub after: LoopState,
    /// Whether the engine took the action.
    pub happened: bool,
    /// Whether the transcript ended in the middle of a line after it.
    pub is_torn: bool,
}

/// A conversation that was played.
pub(super) struct PlayedActions {
    /// The engine after the last action.
    pub engine: Engine,
    /// The inputs of the engine.
    pub inputs: Vec<Input>,
    /// The streams of the model, one list a request. All tries of a request are in one list.
    pub streams: Vec<Vec<StreamItem>>,
    /// The actions as the engine took them.
    pub taken: Vec<Taken>,
}

impl PlayedActions {
    /// What the loop yielded, without raw stream events and starts of requests.
    pub(super) fn events(&self) -> impl Iterator<Item = &Event> {
        let is_raw = |event: &Event| matches!(event, Event::StreamEvent(_) | Event::StreamRequestStart(_));
        self.engine.log().events().filter(move |event| !is_raw(event))
    }
}

/// Plays actions on a fresh engine.
pub(super) fn play(actions: &[Action], options: Options) -> PlayedActions {
    // The turns of requests are not needed here.
    let options = Options { makes_turns: false, keeps_recording: true, ..options };
    let engine = Engine::with_options(FixedContext::new(7), options);
    let played = PlayedActions { engine, inputs: Vec::new(), streams: Vec::new(), taken: Vec::new() };
    let noted = LoopState::default();
    let mut player = Player {
        played,
        noted,
        numbering: None,
        repeats: None,
        calls: 0,
        messages: 0,
        has_begun: false,
        model: 0,
        happened: false,
    };
    for action in actions {
        let before = player.loop_state();
        player.happened = false;
        player.act(*action);
        let is_torn = player.played.engine.transcript().last().is_some_and(|last| *last != b'\n');
        let (after, happened) = (player.loop_state(), player.happened);
        player.played.taken.push(Taken { before, after, happened, is_torn });
    }
    // At the end the queue is written, as far as the disk takes it.
    player.step(Input::Wait(1000));
    player.played
}

struct Player {
    played: PlayedActions,
    /// The parts of the state that the engine does not report. The stage is only ever idle or dead.
    noted: LoopState,
    /// How many calls the model has made in the reply, if it restarts their numbers in each.
    numbering: Option<u64>,
    /// The id that the next call has, if it is that of the last one.
    repeats: Option<String>,
    /// How many calls the model has made.
    calls: u64,
    /// How many messages the model has begun.
    messages: u64,
    /// Whether the message that streams has begun.
    has_begun: bool,
    model: u8,
    /// Whether the engine has taken the action under way.
    happened: bool,
}

impl Player {
    fn act(&mut self, action: Action) {
        match action {
            Action::Block(block, cuts) => self.block(block, cuts, false),
            Action::HalfBlock(block) => self.block(block, 1, true),
            Action::Ping => self.step(Input::Stream(Fields::from([("type", "ping".into())]))),
            Action::End(reason) => self.end(reason),
            Action::NumberCalls => (self.numbering, self.happened) = (Some(0), true),
            Action::SameCall => {
                self.repeats = self.played.engine.open_calls().last().map(str::to_owned);
                self.happened = self.repeats.is_some();
            }
            Action::Misfit(Misfit::Usage) => {
                if self.played.engine.is_streaming() && !self.has_begun {
                    self.begin_with(message_start_of_misfits);
                }
            }
            other => {
                if let Some(input) = self.input(other) {
                    self.step(input);
                }
            }
        }
    }

    fn loop_state(&self) -> LoopState {
        let (engine, noted) = (&self.played.engine, self.noted);
        let (is_streaming, is_idle) = (engine.is_streaming(), engine.is_idle());
        let stage = match noted.stage {
            _ if is_streaming => Phase::Streaming,
            _ if is_idle => Phase::Idle,
            Phase::Dead => Phase::Dead,
            _ => Phase::Tools,
        };
        LoopState {
            stage,
            calls: engine.open_calls().count(),
            results: if is_streaming { engine.answered_calls() } else { 0 },
            blocks: if is_streaming { noted.blocks } else { 0 },
            is_mid_block: is_streaming && noted.is_mid_block,
            retries: engine.retries(),
            prompts: engine.waiting_prompts(),
            is_reply_queued: engine.is_reply_queued(),
            ..noted
        }
    }

    fn step(&mut self, input: Input) {
        let was_streaming = self.played.engine.is_streaming();
        let step = self.played.engine.step(&input);
        if step.refused.is_none() {
            self.happened = true;
            match input {
                Input::Crash(_) => self.noted.stage = Phase::Dead,
                Input::Resume => self.noted.stage = Phase::Idle,
                _ => {}
            }
            self.note(&input, &step, was_streaming);
        }
        self.played.inputs.push(input);
    }

    /// Notes what the step means for the stream.
    fn note(&mut self, input: &Input, step: &Step, was_streaming: bool) {
        if let (Input::Stream(event), Some(stream)) = (input, self.played.streams.last_mut()) {
            stream.push(StreamItem::Event(event.to_json()));
        }
        if let (Input::Result { .. }, true, Some(stream)) = (input, was_streaming, self.played.streams.last_mut()) {
            stream.extend(step.events.iter().map(|event| StreamItem::Message(json(event))));
        }
        if step.request.is_some() {
            let is_retry = match input {
                Input::Break | Input::Fail(_) | Input::Fallback(_) => true,
                Input::Stream(event) => event.get("type").is_some_and(|name| name.get() == r#""error""#),
                _ => false,
            };
            let is_again = self.played.engine.retries() > 0 || matches!(input, Input::Fallback(_));
            self.has_begun = false;
            self.noted = LoopState {
                is_withdrawn: is_again && (self.noted.blocks > 0 || self.noted.is_withdrawn),
                has_meta_media: ends_with_meta_media(self.played.engine.messages()),
                ..LoopState::default()
            };
            match self.played.streams.last_mut() {
                Some(stream) if is_retry && was_streaming => stream.push(StreamItem::Abandon),
                _ => self.played.streams.push(Vec::new()),
            }
        }
    }

    /// Begins the message, if it has not begun.
    fn begin(&mut self) {
        if !self.has_begun {
            self.begin_with(message_start);
        }
    }

    fn begin_with(&mut self, start: fn(u64, &str) -> Fields) {
        self.has_begun = true;
        self.messages += 1;
        self.numbering = self.numbering.map(|_| 0);
        let model = ["claude-opus-4-5", "claude-sonnet-4-5"][usize::from(self.model % 2)];
        self.step(Input::Stream(start(self.messages, model)));
    }

    fn block(&mut self, block: BlockPlan, cuts: u8, half: bool) {
        if !self.played.engine.is_streaming() {
            return;
        }
        self.begin();
        let (index, mut call) = (self.noted.blocks, self.call_id());
        let is_call = matches!(block, BlockPlan::ToolUse { .. });
        if let Some(id) = self.repeats.take().filter(|_| is_call && index > 0) {
            call = id;
        } else if is_call {
            self.calls += 1;
            self.numbering = self.numbering.map(|count| count + 1);
        }
        for event in block_events(block, &call, index, cuts, half) {
            self.step(Input::Stream(event));
        }
        self.noted.blocks = index + 1;
        (self.noted.is_mid_block, self.noted.is_withdrawn) = (half, self.noted.is_withdrawn && half);
    }

    /// The id of the next call.
    fn call_id(&self) -> String {
        match self.numbering {
            Some(count) => format!("call_{count}"),
            None => format!("toolu_{}", self.calls + 1),
        }
    }

    fn end(&mut self, stop: Stop) {
        if !self.played.engine.is_streaming() {
            return;
        }
        self.begin();
        let has_calls = self.played.engine.open_calls().next().is_some();
        let reason = match stop {
            Stop::Done if has_calls => "tool_use",
            Stop::Done => "end_turn",
            Stop::MaxTokens => "max_tokens",
            Stop::StopSequence => "stop_sequence",
            Stop::Refusal => "refusal",
        };
        for event in message_end(reason, 10 + self.noted.blocks) {
            self.step(Input::Stream(event));
        }
    }

    /// The open call at a place.
    fn call(&self, which: u8) -> Option<String> {
        let open: Vec<&str> = self.played.engine.open_calls().collect();
        (!open.is_empty()).then(|| open[usize::from(which) % open.len()].to_owned())
    }

    /// The call at a place among those that have their results.
    fn call_with_result(&self, which: u8) -> Option<String> {
        let calls: Vec<&str> = self.played.engine.calls_with_results().collect();
        (!calls.is_empty()).then(|| calls[usize::from(which) % calls.len()].to_owned())
    }

    fn input(&mut self, action: Action) -> Option<Input> {
        Some(match action {
            Action::Type(text) => Input::Type(Content::Text(pooled(text))),
            Action::Paste(count) => Input::Type(pasted(count)),
            Action::Meta(form) => Input::Meta(meta(form)),
            Action::Speculate => Input::Speculate {
                prompt: "What if the lexer is to blame?".into(),
                answer: "Then its tests would fail.".into(),
            },
            Action::Attach { form, text } => Input::Attach(attachment(form, text, self.call(0))),
            Action::Command(text) => Input::Command(pooled(text).as_str().to_owned()),
            Action::Notice(subtype) => Input::Notice { subtype: (*subtype.what()).into(), text: "a".into() },
            Action::Tell(text) => {
                Input::Notice { subtype: (*Subtype::INFORMATIONAL.what()).into(), text: pooled(text).as_str().into() }
            }
            Action::Break => Input::Break,
            Action::Fail(failure) => Input::Fail(failure),
            Action::StreamError(failure) => Input::Stream(error_event(failure, self.messages)),
            Action::Fallback => {
                self.model += 1;
                Input::Fallback("claude-sonnet-4-5".into())
            }
            Action::Progress(which) => {
                let data = Raw::fixed(r#"{"elapsedTimeSeconds":1,"output":"a","type":"bash_progress"}"#);
                Input::Progress { call: self.call(which)?, data }
            }
            Action::Hook { call, when, outcome } => {
                let late = self.call_with_result(call).filter(|_| when == HookTime::Late);
                Input::Hook(hook(late.or_else(|| self.call(call)), when, outcome))
            }
            Action::Result { call, gives } => result(self.call(call)?, gives),
            Action::Deny { call, denial } => Input::Deny { call: self.call(call)?, denial: denied(denial) },
            Action::Interrupt => Input::Interrupt,
            Action::Summary(came) => Input::Summary(came.then(|| "Did what was asked".into())),
            Action::Compact { keep, preserve, is_automatic } => {
                let summary = "What happened so far".into();
                Input::Compact(Compaction { is_automatic, summary, keep, preserve })
            }
            Action::Microcompact(count) => Input::Microcompact(u64::from(count % 4)),
            Action::Subagent(which) => Input::Subagent {
                call: self.call(which)?,
                agent: format!("agent{}", which % 3),
                prompt: "look".into(),
                answer: "found".into(),
            },
            Action::Side(kind) => Input::Side(side(kind)),
            Action::Wait(times) => Input::Wait(u64::from(times) * 25),
            Action::Disk(times) => Input::Disk(times.map(|times| u64::from(times) * 16)),
            Action::OtherWriter(what) => Input::OtherWriter(other_writer(what)),
            Action::Crash(lost) => Input::Crash(u64::from(lost)),
            Action::Resume => Input::Resume,
            Action::Fork(before_last) => Input::Fork(u64::from(before_last % 8)),
            Action::Misfit(Misfit::Prompt) => Input::Type(prompt_of_misfits()),
            Action::Misfit(Misfit::Attachment) => Input::Attach(Fields::from([
                ("type", Raw::fixed("7")),
                ("text", "a".into()),
                ("note", Raw::fixed("null")),
            ])),
            Action::Block(..)
            | Action::HalfBlock(_)
            | Action::Ping
            | Action::End(_)
            | Action::NumberCalls
            | Action::SameCall
            | Action::Misfit(Misfit::Usage) => return None,
        })
    }
}

/// Whether the conversation ends with messages for the model alone that hold images or documents.
fn ends_with_meta_media(messages: &[Event]) -> bool {
    let is_media = |block: &Block| matches!(block, Block::Image(_) | Block::Document(_));
    let is_meta = |user: &&Message| matches!(user, Message::User(user) if user.envelope.is_meta.get() == Some(&true));
    let spoken = messages.iter().rev().filter_map(Event::message);
    let spoken = spoken.filter(|message| matches!(message, Message::User(_) | Message::Assistant(_)));
    spoken.take_while(is_meta).filter_map(Message::content).flat_map(Content::blocks).any(is_media)
}

pub(super) fn json(event: &Event) -> String {
    event.to_json()
}

fn pooled(text: PoolText) -> Text {
    let token = text.token();
    Text::from_token(&token[1..token.len() - 1])
}

fn block(json: &str) -> Option<Block> {
    serde_json::from_str(json).ok()
}

fn pasted(count: u8) -> Content {
    let mut blocks = vec![Block::from(TextBlock::new("look at this"))];
    blocks.extend((0..count % 4).filter_map(|_| block(IMAGE)));
    if count >= 4 {
        blocks.push(TextBlock::new("and then at the rest").into());
    }
    Content::Blocks(blocks)
}

fn prompt_of_misfits() -> Content {
    let document = DOCUMENT.replacen('{', r#"{"title":7,"#, 1);
    Content::Blocks(
        [r#"{"type":"text","text":"look at that"}"#, &document, "7"].into_iter().filter_map(block).collect(),
    )
}

fn meta(form: Meta) -> Content {
    let blocks: &[&str] = match form {
        Meta::Text(text) => return Content::Text(pooled(text)),
        Meta::Image => &[IMAGE],
        Meta::Document => &[DOCUMENT],
        Meta::DocumentAndImage => &[DOCUMENT, IMAGE],
        Meta::TextAndImage => &[r#"{"type":"text","text":"look"}"#, IMAGE],
    };
    Content::Blocks(blocks.iter().filter_map(|json| block(json)).collect())
}

fn attachment(form: AttachmentForm, text: PoolText, call: Option<String>) -> Fields {
    let json = form.what().replace('$', &text.token()).replace('@', call.as_deref().unwrap_or("toolu_0"));
    serde_json::from_str(&json).unwrap_or_default()
}

fn denied(denial: Denied) -> Denial {
    match denial {
        Denied::User => Denial::User,
        Denied::UserWithReason => Denial::UserWithReason("use another tool".into()),
        Denied::Subagent => Denial::Subagent,
        Denied::SubagentWithReason => Denial::SubagentWithReason("not there".into()),
        Denied::Plan => Denial::Plan("1. look\n2. change".into()),
        Denied::Rule => Denial::Rule,
        Denied::DontAsk => Denial::DontAsk,
        Denied::Classifier => Denial::Classifier("it deletes files".into()),
        Denied::Cancel => Denial::Cancel,
    }
}

fn hook(call: Option<String>, when: HookTime, outcome: HookOutcome) -> Hook {
    let event = match (&call, outcome, when) {
        (_, HookOutcome::StopSummary, _) => HookEvent::Stop,
        (Some(_), _, HookTime::Before) => HookEvent::PreToolUse,
        (Some(_), _, HookTime::After | HookTime::Late) => HookEvent::PostToolUse,
        (None, _, HookTime::Before) => HookEvent::SessionStart,
        (None, _, HookTime::After | HookTime::Late) => HookEvent::UserPromptSubmit,
    };
    Hook { event, call, outcome }
}

fn result(call: String, gives: Gives) -> Input {
    let (content, output) = match gives {
        Gives::Plain => (r#""done""#, r#"{"interrupted":false,"isImage":false,"stderr":"","stdout":"done"}"#),
        Gives::Blocks => (r#"[{"text":"done","type":"text"}]"#, r#"[{"text":"done","type":"text"}]"#),
        Gives::Error => (r#""it failed""#, r#"{"code":1,"stderr":"it failed","stdout":""}"#),
        Gives::Nothing => (r#""""#, r#"{"interrupted":false,"isImage":false,"stderr":"","stdout":""}"#),
        Gives::Image => (IMAGE_RESULT, r#"{"file":{"originalSize":70,"type":"image/png"},"type":"image"}"#),
        Gives::Object => (r#"{"stdout":"done","code":0}"#, r#"{"stdout":"done","code":0}"#),
        Gives::Foreign => (FOREIGN_RESULT, r#"{"stdout":"done"}"#),
        Gives::ErrorBlocks => (r#"[{"text":"it failed","type":"text"}]"#, r#""Error: it failed""#),
        Gives::Text(text) | Gives::TextBlock(text) => {
            let text = pooled(text);
            let output = Fields::from([("stdout", text.write())]).to_raw();
            let content = match gives {
                Gives::TextBlock(_) => Content::Blocks(vec![TextBlock::new(text).into()]),
                _ => Content::Text(text),
            };
            return Input::Result { call, content: content.write(), output, is_error: false };
        }
    };
    let (content, output) = (Raw::fixed(content), Raw::fixed(output));
    Input::Result { call, content, output, is_error: matches!(gives, Gives::Error | Gives::ErrorBlocks) }
}

fn side(kind: SideKind) -> Fields {
    let session = "5e551011-0000-4000-8000-000000000001";
    Fields::from([("type", Raw::from(*kind.what())), ("sessionId", session.into()), ("note", "a".into())])
}

fn other_writer(what: Written) -> String {
    let record = r#"{"type":"tag","tag":"a","sessionId":"5e551011-0000-4000-8000-000000000001"}"#;
    match what {
        Written::Line => format!("{record}\n"),
        Written::TornLine => record[..record.len() / 2].to_owned(),
        Written::LineWithoutEnd => record.to_owned(),
        Written::EmptyLine => "\n".to_owned(),
    }
}
