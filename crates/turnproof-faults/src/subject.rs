//! A fault as a *subject*: the reference, but for the one operation that it does wrong.

use serde_json::Value;
use turnproof::operation::{
    Conversation, Parsed, Played, RecordAnswer, RecordStep, RequestOptions, RequestText, StreamItem,
    StreamText,
};
use turnproof::subject::{Outcome, Reference, Subject};

use super::Fault;
use super::log::{change_requests, change_resumed};
use super::part::parted;
use super::spoil::{Asked, list, spoilt, states};
use super::view::{leave_out, seeing};
use super::walk::hidden::show_all;
use super::walk::{each, lists};
use super::wrong::Wrong;
use super::{told, wire};

impl Subject for Fault {
    fn name(&self) -> &str {
        self.id
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        let mut outcome = Reference.parse(bytes);
        if let (Outcome::Output(parsed), Wrong::Parsed(change)) = (&mut outcome, self.wrong) {
            change(bytes, parsed);
        }
        outcome
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        let context = options.context.as_deref();
        if self.is_in_request() {
            let turns = spoilt(
                messages,
                context,
                |given| self.spoil_messages(given),
                |asked, turns| self.spoil_turns(asked, turns),
                |messages| turns(messages, options),
            );
            return with_turns(turns, Some(messages.to_owned()));
        }
        match (self.wrong, Reference.normalize_api(messages, options)) {
            (Wrong::RequestText(change), Outcome::Output(right)) => {
                with_turns(answered(change(messages, right.turns)), right.messages_after)
            }
            (Wrong::MessagesAfter(change), Outcome::Output(right)) => {
                let given = list(messages).unwrap_or_default();
                let mut after = given.clone();
                change(&Asked { messages: &given, context }, &mut after);
                with_turns(Outcome::Output(right.turns), Some(Value::Array(after).to_string()))
            }
            (_, right) => right,
        }
    }

    fn normalize_api_incremental(&self, messages: &str, options: &RequestOptions) -> Outcome<Vec<String>> {
        match self.wrong {
            // What is wrong with the whole is so with its parts; they need not be asked for.
            Wrong::RequestText(_) => Outcome::Unsupported,
            _ if self.is_in_request() => Outcome::Unsupported,
            Wrong::Incremental(wrong) => {
                Outcome::Output(states(wrong, messages, |messages| turns(messages, options)))
            }
            _ => Reference.normalize_api_incremental(messages, options),
        }
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        let right = |messages: &str| Reference.normalize_ui(messages);
        match self.wrong {
            Wrong::Ui(change) => spoilt(messages, None, |_| {}, change, right),
            Wrong::UiPart(change) => {
                let change_parts = |asked: &Asked<'_>, shown: &mut Vec<Value>| {
                    parted(asked).iter().zip(shown).for_each(|(part, message)| change(part, message));
                };
                spoilt(messages, None, |_| {}, change_parts, right)
            }
            _ => right(messages),
        }
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        let right = |messages: &str| Reference.reorder_ui(messages);
        match self.wrong {
            Wrong::Order(change) => spoilt(messages, None, |_| {}, change, right),
            _ => right(messages),
        }
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        match self.wrong {
            Wrong::DerivedId(wrong) => answered(wrong(parent, index)),
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
            Wrong::Record(slip) => Outcome::Output(super::recorder::record(slip, file, session, steps)),
            _ => Reference.record(file, session, steps),
        }
    }

    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        match self.wrong {
            Wrong::Resume(resume) => resume(file),
            Wrong::Records(change) => seeing(file, change),
            Wrong::EachRecord(change) => seeing(file, |view| view.iter_mut().for_each(change)),
            Wrong::Unindexed(is_left_out) => seeing(file, |view| leave_out(view, is_left_out)),
            _ => Reference.resume(file),
        }
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        let items = items.to_vec();
        let taken = match self.wrong {
            Wrong::Items(change) => change(items),
            Wrong::EachEvent(change) => wire::events(items, change),
            Wrong::EachPiece(change) => wire::pieces(items, change),
            Wrong::Data(join) => wire::joined(items, join),
            _ => items,
        };
        match (self.wrong, Reference.accumulate(&taken)) {
            (Wrong::Told(change), Outcome::Output(right)) => Outcome::Output(told::changed(right, change)),
            (_, right) => right,
        }
    }

    fn play(&self, inputs: &str) -> Outcome<Played> {
        let mut outcome = Reference.play(inputs);
        if let Outcome::Output(Played { moments, .. }) = &mut outcome {
            match self.wrong {
                Wrong::Log(change) => change(moments),
                Wrong::Requests(change) => change_requests(moments, change),
                Wrong::Resumed(change) => change_resumed(moments, change),
                _ => {}
            }
        }
        outcome
    }
}

/// What is wrong in requests.
impl Fault {
    fn is_in_request(&self) -> bool {
        use Wrong::{Blocks, EachBlock, Hidden, HiddenBlocks, Messages, MessagesAndTurns, Turns};
        matches!(
            self.wrong,
            Messages(_)
                | Turns(_)
                | Blocks(..)
                | EachBlock(..)
                | Hidden(_)
                | HiddenBlocks(..)
                | MessagesAndTurns(..)
        )
    }

    fn spoil_messages(&self, messages: &mut Vec<Value>) {
        match self.wrong {
            Wrong::Messages(change) | Wrong::Hidden(change) | Wrong::MessagesAndTurns(change, _) => {
                change(messages)
            }
            Wrong::HiddenBlocks(role, hide) => each(messages, role, hide),
            _ => {}
        }
    }

    fn spoil_turns(&self, asked: &Asked<'_>, turns: &mut Vec<Value>) {
        match self.wrong {
            Wrong::Turns(change) | Wrong::MessagesAndTurns(_, change) => change(asked, turns),
            Wrong::Blocks(role, change) => lists(turns, role, change),
            Wrong::EachBlock(role, change) => each(turns, role, change),
            Wrong::Hidden(_) | Wrong::HiddenBlocks(..) => turns.iter_mut().for_each(show_all),
            _ => {}
        }
    }
}

fn answered(answer: Result<String, String>) -> Outcome<String> {
    match answer {
        Ok(text) => Outcome::Output(text),
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
