//! An *accumulator* builds one API message of the events of its stream.

use crate::json::{Fields, Number, Raw, Text};
use crate::message::{AssistantBody, Block, Content, Maybe, TextBlock};

use super::error::StreamError;
use super::event::ModelEvent;
use super::lines::{LateFields, apply_late};
use super::open_block::OpenBlock;

/// What an event did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: a `ping`, an unknown event or delta, a delta that does not fit its block.
    Nothing,
    /// A reply began; an older one is forgotten.
    Started,
    /// A block began.
    BlockStarted,
    /// The open block grew.
    BlockGrew,
    /// The open block stopped.
    BlockStopped,
    /// The reply's late members were set.
    Late(Box<LateFields>),
    /// The reply ended.
    Ended,
}

/// Where a stream is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// No reply has begun.
    #[default]
    Waiting,
    /// A reply is open.
    Open,
    /// It ended with `message_stop`.
    Whole,
    /// It ended with an error.
    Failed,
}

/// Builds the message that events describe (SPEC.md section 4.3). At most one block is
/// open, so the blocks that have stopped are always the first ones.
///
/// ```
/// use turnproof_reference::message::{AssistantBody, TextBlock, Usage};
/// use turnproof_reference::stream::{Accumulator, Delta, ModelEvent};
///
/// let mut accumulator = Accumulator::new();
/// for event in [
///     ModelEvent::message_start(AssistantBody { id: "msg_1".into(), ..AssistantBody::default() }),
///     ModelEvent::block_start(0, TextBlock::new("").into()),
///     ModelEvent::block_delta(0, Delta::Text("Hel".into())),
///     ModelEvent::block_delta(0, Delta::Text("lo.".into())),
///     ModelEvent::message_delta("end_turn", Usage::default()),
///     ModelEvent::message_stop(),
/// ] {
///     accumulator.apply(&event)?;
/// }
/// let message = accumulator.finish()?;
/// assert_eq!(message.content.get().map(|content| content.blocks()), Some(&[TextBlock::new("Hello.").into()][..]));
/// # Ok::<(), turnproof_reference::stream::StreamError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Accumulator {
    state: State,
    /// The message, without its blocks.
    message: Option<AssistantBody>,
    /// The blocks that have stopped.
    blocks: Vec<Block>,
    open: Option<OpenBlock>,
}

impl Accumulator {
    /// An accumulator that waits for a reply to begin.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next event. After an error the accumulator has done what SPEC.md section 4.4 says, and can go on.
    pub fn apply(&mut self, event: &ModelEvent) -> Result<Change, StreamError> {
        match self.step(event) {
            (change, None) => Ok(change),
            (_, Some(error)) => Err(error),
        }
    }

    /// Takes the next event; gives what it did beside what is wrong with it.
    pub(super) fn step(&mut self, event: &ModelEvent) -> (Change, Option<StreamError>) {
        self.try_step(event).unwrap_or_else(|error| (Change::Nothing, Some(error)))
    }

    /// An error here says that the event is left out; one beside a change does not.
    fn try_step(&mut self, event: &ModelEvent) -> Result<(Change, Option<StreamError>), StreamError> {
        self.expect(event)?;
        Ok(match event {
            ModelEvent::MessageStart { message, .. } => {
                self.start(message);
                (Change::Started, None)
            }
            ModelEvent::BlockStart { index, block, .. } => {
                let error = self.start_block(index, block)?;
                (Change::BlockStarted, error)
            }
            ModelEvent::BlockDelta { index, delta, .. } => {
                let has_grown = self.open_block(index, event)?.take(delta);
                (if has_grown { Change::BlockGrew } else { Change::Nothing }, None)
            }
            ModelEvent::BlockStop { index, .. } => {
                self.open_block(index, event)?;
                (Change::BlockStopped, self.stop_open_block())
            }
            ModelEvent::MessageDelta { delta, usage, extra } => {
                let error = self.stop_open_block();
                let late = self.message.as_mut().map(|message| apply_late(message, delta, usage, extra));
                (late.map_or(Change::Nothing, |late| Change::Late(Box::new(late))), error)
            }
            ModelEvent::MessageStop { .. } => {
                let error = self.stop_open_block();
                self.state = State::Whole;
                (Change::Ended, error)
            }
            ModelEvent::Error { error, .. } => {
                self.state = State::Failed;
                return Err(api_error(error.get()));
            }
            ModelEvent::Ping { .. } | ModelEvent::Unknown { .. } => (Change::Nothing, None),
        })
    }

    /// Whether an event may come where the stream is.
    fn expect(&self, event: &ModelEvent) -> Result<(), StreamError> {
        let Some(name) = event.known_name() else { return Ok(()) };
        match (event, self.state) {
            (ModelEvent::Ping { .. } | ModelEvent::Error { .. }, _) => Ok(()),
            (ModelEvent::MessageStart { .. }, State::Open) => Err(StreamError::SecondMessageStart),
            (ModelEvent::MessageStart { .. }, State::Waiting | State::Whole) | (_, State::Open) => Ok(()),
            (_, State::Waiting) => Err(StreamError::BeforeMessageStart { event: name }),
            (_, State::Whole | State::Failed) => Err(StreamError::AfterMessageStop { event: name }),
        }
    }

    fn start(&mut self, message: &AssistantBody) {
        let mut message = message.clone();
        self.blocks = match std::mem::take(&mut message.content) {
            Maybe::Is(Content::Blocks(blocks)) => blocks,
            Maybe::Is(Content::Text(text)) if !text.as_str().is_empty() => vec![TextBlock::new(text).into()],
            _ => Vec::new(),
        };
        self.message = Some(message);
        self.state = State::Open;
    }

    fn start_block(&mut self, index: &Number, block: &Block) -> Result<Option<StreamError>, StreamError> {
        let started = self.blocks.len() + usize::from(self.open.is_some());
        if place(index) != Some(started) {
            return Err(StreamError::WrongBlockIndex { index: index.clone(), expected: started });
        }
        let still_open = self.open.is_some().then_some(StreamError::BlockStillOpen { open: self.blocks.len() });
        let error = self.stop_open_block();
        if let (Some(model), Some(message)) = (fallback_model(block), &mut self.message) {
            message.model = model.into();
        }
        self.open = Some(OpenBlock::new(block.clone()));
        Ok(still_open.or(error))
    }

    /// The open block, if it is the one that an event is about.
    fn open_block(&mut self, index: &Number, event: &ModelEvent) -> Result<&mut OpenBlock, StreamError> {
        let (stopped, at) = (self.blocks.len(), place(index));
        let event = event.known_name().unwrap_or_default();
        if let Some(index) = at.filter(|&at| at < stopped) {
            return Err(StreamError::BlockStopped { event, index });
        }
        let blocks = stopped + usize::from(self.open.is_some());
        let open = self.open.as_mut().filter(|_| at == Some(stopped));
        open.ok_or_else(|| StreamError::NoSuchBlock { event, index: index.clone(), blocks })
    }

    /// Stops the block that is open, if one is; gives what is wrong with it.
    fn stop_open_block(&mut self) -> Option<StreamError> {
        let (block, why) = self.open.take()?.stop();
        let index = self.blocks.len();
        self.blocks.push(block);
        why.map(|why| StreamError::BadInputJson { index, why })
    }

    /// Whether a reply has begun.
    pub fn has_begun(&self) -> bool {
        self.message.is_some()
    }

    /// Whether the reply has ended with `message_stop`.
    pub fn is_whole(&self) -> bool {
        self.state == State::Whole
    }

    /// Whether the reply has ended, with `message_stop` or an error.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Whole | State::Failed)
    }

    /// The message so far, without its blocks; `None` before a reply has begun.
    pub fn head(&self) -> Option<&AssistantBody> {
        self.message.as_ref()
    }

    /// The blocks that have stopped.
    pub fn stopped_blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The message so far, an open block included; `None` before a reply has begun. The input of a call that has not
    /// stopped is what its start gave.
    pub fn message(&self) -> Option<AssistantBody> {
        let open = self.open.as_ref().map(OpenBlock::so_far);
        let blocks: Vec<Block> = self.blocks.iter().cloned().chain(open).collect();
        Some(AssistantBody { content: Content::Blocks(blocks).into(), ..self.message.clone()? })
    }

    /// The whole message; [`StreamError::Unfinished`] when `message_stop` has not come.
    pub fn finish(self) -> Result<AssistantBody, StreamError> {
        match (self.state, self.message) {
            (State::Whole, Some(message)) => {
                Ok(AssistantBody { content: Content::Blocks(self.blocks).into(), ..message })
            }
            _ => Err(StreamError::Unfinished),
        }
    }
}

/// The place that an index names: a whole number, however it is written.
fn place(index: &Number) -> Option<usize> {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    let number = index.as_f64();
    // Below 2^53 the cast loses nothing.
    (number.fract() == 0.0 && (0.0..LARGEST).contains(&number)).then_some(number as usize)
}

/// The model that a `fallback` block names.
fn fallback_model(block: &Block) -> Option<Text> {
    let Block::Unknown(name, fields) = block else { return None };
    fields.object("to").filter(|_| name == "fallback")?.text("model")
}

/// What the API says went wrong.
fn api_error(error: Option<&Raw>) -> StreamError {
    let fields = error.and_then(|error| Fields::from_raw(error).ok()).unwrap_or_default();
    let text = |name, default: &str| fields.text(name).as_deref().unwrap_or(default).to_owned();
    StreamError::ApiError { kind: text("type", "error"), message: text("message", "no reason given") }
}
