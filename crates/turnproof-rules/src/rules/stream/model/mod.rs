//! The *model* of an accumulator reads the items of a case, over plain values, and says what a right one yields.
//!
//! Where it is unspecified what comes of an item, the model says so once, and the rules that need it do not apply to
//! the case.

mod delta;
mod halves;
mod reply;
mod sse;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::json::{Object, Value};

use crate::operation::{Plain, StreamItem};
use crate::rules::value::{blocks, call_of, kind, result_of, uuid};
use reply::{Event, Reply};

/// The names of faults, as the table of streams has them.
pub(super) const FAULTS: [&str; 11] = [
    "before-message-start",
    "second-message-start",
    "after-message-stop",
    "wrong-block-index",
    "block-still-open",
    "no-such-block",
    "block-stopped",
    "bad-input-json",
    "bad-event",
    "api-error",
    "unfinished",
];

/// The members of a message that come late, and their values.
pub(super) type Late = Object;

/// Something wrong with a stream.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) item: usize,
    /// The names that fit it.
    pub(super) names: Vec<&'static str>,
    /// Whether a subject has to report it.
    pub(super) is_certain: bool,
}

/// An assistant message that is yielded for one block.
#[derive(Clone, Debug)]
pub(super) struct BlockMessage {
    /// Which reply it is of.
    pub(super) reply: usize,
    pub(super) block: Value,
    /// The reply's `id` and `role`.
    pub(super) body: [Value; 2],
    /// The reply's `model`; two of them when the block itself names a new one.
    pub(super) models: Vec<Value>,
    pub(super) usage: Value,
    /// Whether anything came late.
    pub(super) is_amended: bool,
    /// What came late; before that, what each message has.
    pub(super) late: Late,
}

impl BlockMessage {
    /// What each message has before anything came late.
    pub(super) fn early(&self) -> Late {
        let nulls = ["stop_reason", "stop_sequence"].map(|name| (name.to_owned(), Value::Null));
        nulls.into_iter().chain([("usage".to_owned(), self.usage.clone())]).collect()
    }
}

/// What happens in a case, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Happened {
    /// This line is yielded.
    Line(usize),
    /// This user message joins.
    User(usize),
    /// The stream is abandoned.
    Abandoned {
        /// The lines of the reply that was streamed last.
        of_reply: Vec<usize>,
        /// All lines since the stream before was abandoned.
        of_try: Vec<usize>,
    },
}

/// What a right accumulator makes of a case.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) happened: Vec<Happened>,
    pub(super) lines: Vec<BlockMessage>,
    pub(super) users: Vec<Value>,
    pub(super) replies: Vec<Reply>,
    pub(super) faults: Vec<Fault>,
    /// Whether a reader may take an event for complete one item later.
    pub(super) is_cut_at_return: bool,
    /// Why it is unspecified what comes out, if it is.
    unclear: Option<&'static str>,
    item: usize,
    state: State,
    /// The first line since the last time that a stream was abandoned.
    first_of_try: usize,
}

/// How far the present try has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// No reply has begun.
    #[default]
    Before,
    Open,
    Stopped,
    /// The API sent an error.
    Failed,
}

impl Model {
    /// Reads the items; or says why it is unspecified what comes out.
    pub(super) fn play(items: &[StreamItem]) -> Result<Self, &'static str> {
        let mut model = Self::default();
        let mut reader = sse::Reader::default();
        for (index, item) in items.iter().enumerate() {
            model.item = index;
            match item {
                StreamItem::Event(json) => model.read(None, json),
                StreamItem::Bytes(bytes) => {
                    for sent in reader.take(bytes) {
                        model.read(sent.name.as_deref(), &sent.data);
                    }
                    model.is_cut_at_return |= reader.is_after_return();
                }
                StreamItem::Abandon => {
                    model.abandon();
                    reader = sse::Reader::default();
                }
                StreamItem::Message(json) => model.join(json),
            }
        }
        if model.state == State::Open {
            model.item = items.len();
            model.fault(&["unfinished"]);
        }
        model.unclear.map_or(Ok(model), Err)
    }

    fn doubt(&mut self, why: &'static str) {
        self.unclear = self.unclear.or(Some(why));
    }

    fn fault(&mut self, names: &[&'static str]) {
        self.faults.push(Fault { item: self.item, names: names.to_vec(), is_certain: true });
    }

    /// A fault that a subject may report or not.
    fn maybe_bad(&mut self) {
        self.faults.push(Fault { item: self.item, names: vec!["bad-event"], is_certain: false });
    }

    fn join(&mut self, json: &str) {
        let user = Plain::read(json).unwrap_or_default().into_value();
        let own = uuid(&user);
        if kind(&user) != "user" || own.is_none_or(str::is_empty) {
            return self.doubt("what joins is no user message with a uuid");
        }
        if self.users.iter().any(|other| uuid(other) == own) {
            return self.doubt("a user message joins twice");
        }
        self.happened.push(Happened::User(self.users.len()));
        self.users.push(user);
    }

    fn abandon(&mut self) {
        let of_try: Vec<usize> = (self.first_of_try..self.lines.len()).collect();
        let is_last = |index: &usize| {
            self.state != State::Before
                && self.lines.get(*index).is_some_and(|line| line.reply + 1 == self.replies.len())
        };
        let of_reply = of_try.iter().copied().filter(is_last).collect();
        self.happened.push(Happened::Abandoned { of_reply, of_try });
        self.first_of_try = self.lines.len();
        self.state = State::Before;
    }

    fn read(&mut self, name: Option<&str>, data: &str) {
        // The stream has ended.
        if self.state == State::Failed {
            return;
        }
        let plain = match halves::read(data) {
            Ok(plain) => plain,
            Err(error) if error.to_string().contains(Plain::TOO_DEEP) => {
                return self.doubt("an event nests too deep for some readers");
            }
            // A reader may ignore an event with empty data.
            Err(_) if data.is_empty() => return self.maybe_bad(),
            Err(_) => return self.fault(&["bad-event"]),
        };
        if depth(data) > DEEPEST {
            return self.doubt("an event nests too deep for some readers");
        }
        let Value::Object(mut members) = plain.into_value() else { return self.fault(&["bad-event"]) };
        let kind = match (members.remove("type"), name) {
            (Some(Value::String(kind)), _) => Cow::from(String::from(kind)),
            (None, Some(name)) => Cow::from(name),
            (None, None) => return self.maybe_bad(),
            (Some(_), _) => return self.doubt("the type of an event is no text"),
        };
        if halves::has_stand_ins(data) {
            return self.doubt("a text has characters that stand for halves of surrogate pairs here");
        }
        match (Event::read(&kind, members), self.state) {
            (Event::Other, _) => {}
            (Event::Error { is_whole }, _) => {
                self.fault(if is_whole { &["api-error"] } else { &["api-error", "bad-event"] });
                self.state = State::Failed;
            }
            (event, State::Before) => self.read_closed(event, "before-message-start"),
            (event, State::Open) => self.read_open(event),
            (event, State::Stopped | State::Failed) => self.read_closed(event, "after-message-stop"),
        }
    }

    /// Reads an event when no reply is streamed; any but a start is the fault `name`.
    fn read_closed(&mut self, event: Event, name: &'static str) {
        match event {
            Event::Start(Some(message)) => self.begin(message),
            Event::Start(None) => self.fault(&["bad-event"]),
            event if event.is_bad() => self.fault(&[name, "bad-event"]),
            _ => self.fault(&[name]),
        }
    }

    fn begin(&mut self, message: Value) {
        match Reply::begin(message) {
            Err(why) => self.doubt(why),
            Ok(reply) => {
                self.state = State::Open;
                let given = reply.blocks.len();
                self.replies.push(reply);
                for index in 0..given {
                    self.show(index);
                }
            }
        }
    }

    fn read_open(&mut self, event: Event) {
        match event {
            event @ Event::Start(_) if event.is_bad() => self.fault(&["second-message-start", "bad-event"]),
            Event::Start(_) => self.fault(&["second-message-start"]),
            Event::BlockStart { index, block } => self.start_block(index, block),
            Event::Delta { index, delta } => self.delta(index, delta),
            Event::BlockStop { index } => {
                if let Some(index) = self.open_block(index, true, true) {
                    self.stop(index);
                }
            }
            Event::MessageDelta { delta, others } => self.late(delta, &others),
            Event::Stop => {
                self.stop_open();
                self.state = State::Stopped;
                if let Some(reply) = self.replies.last_mut() {
                    reply.is_finished = true;
                }
            }
            Event::Other | Event::Error { .. } => {}
        }
    }

    /// Yields the message of a block that has stopped.
    fn show(&mut self, block: usize) {
        let reply = self.replies.len().saturating_sub(1);
        let Some(line) = self.replies.last().and_then(|last| last.line(reply, block)) else { return };
        self.happened.push(Happened::Line(self.lines.len()));
        self.lines.push(line);
    }
}

/// User messages by their uuids, each with what it holds beside results of withdrawn calls.
pub(super) type Mixed<'a> = HashMap<&'a str, Vec<&'a Value>>;

/// The uuids of user messages that hold nothing but results of these calls, and those that hold such a result and
/// something else.
pub(super) fn answers_of<'a>(users: &[&'a Value], calls: &HashSet<&str>) -> (HashSet<&'a str>, Mixed<'a>) {
    let is_answer = |block: &Value| result_of(block).is_some_and(|id| calls.contains(id));
    let (mut alone, mut mixed) = (HashSet::new(), HashMap::new());
    for user in users.iter().filter(|user| blocks(user).iter().any(is_answer)) {
        let Some(uuid) = uuid(user) else { continue };
        let others: Vec<&Value> = blocks(user).iter().filter(|block| !is_answer(block)).collect();
        match others.is_empty() {
            true => _ = alone.insert(uuid),
            false => _ = mixed.insert(uuid, others),
        }
    }
    mixed.retain(|uuid, _| !alone.contains(uuid));
    (alone, mixed)
}

/// Events that nest deeper are too deep for some readers, since what is made of them nests some objects deeper.
const DEEPEST: usize = 100;

/// How deep a JSON text is nested, or a greater number that is not too deep. Members that a later one of the same name replaces count: a reader meets them too.
fn depth(json: &str) -> usize {
    // Nearly all texts have fewer brackets.
    let brackets = json.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    if brackets <= DEEPEST {
        return brackets;
    }
    let (mut depth, mut deepest, mut in_string, mut is_escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The ids of the calls in a message.
pub(super) fn calls(message: &Value) -> impl Iterator<Item = &str> {
    blocks(message).iter().filter_map(call_of)
}
