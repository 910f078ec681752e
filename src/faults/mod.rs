//! A *fault* is one realistic mistake, built into a subject that is otherwise the reference. The
//! suite must convict each, by the right rule: this is how the suite is tested.

mod accumulate;
mod choice;
mod conserve;
mod context;
mod ids;
mod log;
mod order;
mod pairing;
mod parse;
mod part;
mod play;
mod record;
mod recorder;
mod request;
mod resume;
mod resume_damage;
mod resumed;
mod spoil;
mod stable;
mod thinking;
mod told;
mod ui;
mod view;
mod walk;
mod wire;

use serde_json::Value;

use crate::operation::{
    Conversation, Moment, Parsed, Played, RecordAnswer, RecordStep, RequestOptions, RequestText, StreamItem,
    StreamText,
};
use crate::subject::{Outcome, Reference, Subject};

use part::{Part, parted};
use spoil::{Asked, Right, Spoil, list, spoilt, states};
use told::Told;

/// A subject that is wrong on purpose.
#[derive(Clone, Copy)]
pub struct Fault {
    /// `operation/mistake`.
    pub id: &'static str,
    /// What it does wrong, one sentence without a full stop.
    pub title: &'static str,
    /// The public report of the mistake, where there is one.
    pub source: Option<&'static str>,
    /// The rule that must convict it.
    pub rule: &'static str,
    wrong: Wrong,
}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// The one operation that is done wrong.
#[derive(Clone, Copy)]
enum Wrong {
    Parse(fn(&[u8], Parsed) -> Parsed),
    DeriveUuid(fn(&str, u64) -> Result<String, String>),
    ShortId(fn(&str) -> Result<String, String>),
    /// The messages, or the turns that are made of them. Such a subject has no incremental way.
    Request(Spoil),
    /// The turns as JSON text, given the messages as JSON text; or a refusal.
    RequestText(fn(&str, String) -> Result<String, String>),
    /// What is left of the messages after the call.
    MessagesAfter(fn(&Asked<'_>) -> Vec<Value>),
    /// The requests after each message, given the messages and how a list is rightly made a request.
    Incremental(fn(&[Value], Right<'_>) -> Vec<Vec<Value>>),
    /// The messages, or what is made of them for a UI.
    Ui(Spoil),
    /// Each of the UI's messages, given what it is a part of.
    UiParts(fn(&Part<'_>, &mut Value)),
    /// The messages, or their order.
    Order(Spoil),
    /// What a recorder does.
    Record(recorder::Slip),
    /// The conversation that is found in a file.
    Resume(fn(&[u8]) -> Outcome<Option<Conversation>>),
    /// What comes of a stream.
    StreamItems(fn(Vec<StreamItem>) -> Vec<StreamItem>),
    /// What is told of a stream.
    Told(fn(&mut Told)),
    /// The log of the loop.
    Play(fn(Vec<Moment>) -> Vec<Moment>),
}

/// Every fault, operation by operation.
pub fn all() -> impl Iterator<Item = &'static Fault> {
    let requests = [request::FAULTS, pairing::FAULTS, thinking::FAULTS];
    let relations = [conserve::FAULTS, choice::FAULTS, context::FAULTS, stable::FAULTS];
    let families = [parse::FAULTS].into_iter().chain(requests).chain(relations);
    let families = families.chain([ui::FAULTS, order::FAULTS, ids::FAULTS]);
    let sessions = [record::FAULTS, resume::FAULTS, resume_damage::FAULTS, accumulate::FAULTS];
    families.chain(sessions).chain([told::FAULTS, play::FAULTS, resumed::FAULTS]).flatten()
}

impl Subject for Fault {
    fn name(&self) -> &str {
        self.id
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        match (Reference.parse(bytes), self.wrong) {
            (Outcome::Output(parsed), Wrong::Parse(wrong)) => Outcome::Output(wrong(bytes, parsed)),
            (outcome, _) => outcome,
        }
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        let context = options.context.as_deref();
        if let Wrong::Request(spoil) = self.wrong {
            let turns = spoilt(spoil, messages, context, |messages| turns(messages, options));
            return with_turns(turns, Some(messages.to_owned()));
        }
        match (self.wrong, Reference.normalize_api(messages, options)) {
            (Wrong::RequestText(wrong), Outcome::Output(right)) => {
                with_turns(answered(wrong(messages, right.turns)), right.messages_after)
            }
            (Wrong::MessagesAfter(wrong), Outcome::Output(right)) => {
                let given = list(messages).unwrap_or_default();
                let after = Value::Array(wrong(&Asked { messages: &given, context })).to_string();
                with_turns(Outcome::Output(right.turns), Some(after))
            }
            (_, right) => right,
        }
    }

    fn normalize_api_incremental(&self, messages: &str, options: &RequestOptions) -> Outcome<Vec<String>> {
        match self.wrong {
            Wrong::Request(_) | Wrong::RequestText(_) => Outcome::Unsupported,
            Wrong::Incremental(wrong) => {
                Outcome::Output(states(wrong, messages, |messages| turns(messages, options)))
            }
            _ => Reference.normalize_api_incremental(messages, options),
        }
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        match self.wrong {
            Wrong::Ui(spoil) => spoilt(spoil, messages, None, |messages| Reference.normalize_ui(messages)),
            Wrong::UiParts(change) => with_parts(Reference.normalize_ui(messages), messages, change),
            _ => Reference.normalize_ui(messages),
        }
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        match self.wrong {
            Wrong::Order(spoil) => spoilt(spoil, messages, None, |messages| Reference.reorder_ui(messages)),
            _ => Reference.reorder_ui(messages),
        }
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        match self.wrong {
            Wrong::DeriveUuid(wrong) => answered(wrong(parent, index)),
            _ => Reference.derive_uuid(parent, index),
        }
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        match self.wrong {
            Wrong::ShortId(wrong) => answered(wrong(uuid)),
            _ => Reference.short_id(uuid),
        }
    }

    fn record(&self, file: &[u8], session: &str, steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        match self.wrong {
            Wrong::Record(slip) => Outcome::Output(recorder::record(Some(slip), file, session, steps)),
            _ => Reference.record(file, session, steps),
        }
    }

    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        match self.wrong {
            Wrong::Resume(wrong) => wrong(file),
            _ => Reference.resume(file),
        }
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        match (self.wrong, Reference.accumulate(items)) {
            (Wrong::StreamItems(wrong), _) => Reference.accumulate(&wrong(items.to_vec())),
            (Wrong::Told(wrong), Outcome::Output(right)) => Outcome::Output(told::changed(right, wrong)),
            (_, right) => right,
        }
    }

    fn play(&self, inputs: &str) -> Outcome<Played> {
        match (self.wrong, Reference.play(inputs)) {
            (Wrong::Play(wrong), Outcome::Output(right)) => {
                Outcome::Output(Played { moments: wrong(right.moments), ..right })
            }
            (_, right) => right,
        }
    }
}

fn answered(answer: Result<String, String>) -> Outcome<String> {
    match answer {
        Ok(id) => Outcome::Output(id),
        Err(why) => Outcome::Rejected(why),
    }
}

/// The turns that the reference makes.
fn turns(messages: &str, options: &RequestOptions) -> Outcome<String> {
    match Reference.normalize_api(messages, options) {
        Outcome::Output(request) => Outcome::Output(request.turns),
        Outcome::Rejected(why) => Outcome::Rejected(why),
        Outcome::Unsupported => Outcome::Unsupported,
    }
}

fn with_turns(turns: Outcome<String>, messages_after: Option<String>) -> Outcome<RequestText> {
    match turns {
        Outcome::Output(turns) => Outcome::Output(RequestText { turns, messages_after }),
        Outcome::Rejected(why) => Outcome::Rejected(why),
        Outcome::Unsupported => Outcome::Unsupported,
    }
}

/// What a UI is given, each message changed.
fn with_parts(right: Outcome<String>, messages: &str, change: fn(&Part<'_>, &mut Value)) -> Outcome<String> {
    let Outcome::Output(json) = &right else { return right };
    let (Some(given), Some(shown)) = (list(messages), list(json)) else { return right };
    let changed =
        parted(&Asked { messages: &given, context: None }, shown).into_iter().map(|(part, mut message)| {
            change(&part, &mut message);
            message
        });
    Outcome::Output(changed.collect::<Value>().to_string())
}
