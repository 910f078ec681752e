//! A fault as a *subject*: the reference, but for the one operation that it does wrong.

use turnproof_rules::operation::{
    Conversation, FactoryCall, Folding, Host, MadeMessage, Parsed, Played, RecordAnswer, RecordStep, Refusal,
    RepairedFile, RequestOptions, RequestText, ResponseRefusal, StreamItem, StreamText, UsageRow, Value,
};
use turnproof_suite::subject::{Outcome, Subject};

use super::hidden::show_all;
use super::log::{change_requests, change_resumed, change_written};
use super::memoized_reference::MemoizedReference;
use super::parse::reject_lines;
use super::part::parted;
use super::view::{leave_out, seeing};
use super::walk::{each, hide_blocks, kind, list, lists};
use super::wrong::{Asked, Wrong};
use super::{Fault, make, output, usage, wire};

impl Subject for Fault {
    fn name(&self) -> &str {
        self.id
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        let mut outcome = MemoizedReference.parse(bytes);
        match (&mut outcome, self.wrong) {
            (Outcome::Output(parsed), Wrong::Parsed(change)) => change(bytes, parsed),
            (Outcome::Output(parsed), Wrong::Unread(unread)) => reject_lines(bytes, parsed, unread),
            _ => {}
        }
        outcome
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        let right = || MemoizedReference.normalize_api(messages, options);
        let context = options.context.as_deref();
        match self.wrong {
            _ if !self.is_about("normalize_api") => right(),
            Wrong::Incremental(_) => right(),
            Wrong::RequestText(change) => changed(right(), |request| {
                let turns = answered(change(messages, request.turns));
                changed(turns, |turns| Outcome::Output(RequestText { turns, ..request }))
            }),
            Wrong::MessagesAfter(change) => changed(right(), |request| {
                let given = list(messages).unwrap_or_default();
                let mut after = given.clone();
                change(&Asked { messages: &given, context }, &mut after);
                let messages_after = Some(Value::Array(after).to_string());
                Outcome::Output(RequestText { messages_after, ..request })
            }),
            _ => {
                let turns = self.answer("normalize_api", messages, context, |messages| turns(messages, options));
                changed(turns, |turns| {
                    Outcome::Output(RequestText { turns, messages_after: Some(messages.to_owned()) })
                })
            }
        }
    }

    fn normalize_api_incremental(&self, messages: &str, options: &RequestOptions) -> Outcome<Vec<String>> {
        match self.wrong {
            Wrong::Incremental(change) => {
                let given = list(messages).unwrap_or_default();
                let right = |messages: &[Value]| match turns(&Value::from(messages).to_string(), options) {
                    Outcome::Output(json) => list(&json).unwrap_or_default(),
                    _ => Vec::new(),
                };
                let mut turns = Vec::new();
                let mut after = |count| {
                    change(&mut turns, &given[..count], &right);
                    Value::from(&turns[..]).to_string()
                };
                Outcome::Output((1..=given.len()).map(&mut after).collect())
            }
            Wrong::MessagesAfter(_) => MemoizedReference.normalize_api_incremental(messages, options),
            // It makes each request from scratch.
            _ if self.is_about("normalize_api") => Outcome::Unsupported,
            _ => MemoizedReference.normalize_api_incremental(messages, options),
        }
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        self.answer("normalize_ui", messages, None, |messages| MemoizedReference.normalize_ui(messages))
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        self.answer("reorder_ui", messages, None, |messages| MemoizedReference.reorder_ui(messages))
    }

    fn fold(&self, messages: &str, folding: Folding) -> Outcome<String> {
        self.answer("fold", messages, None, |messages| MemoizedReference.fold(messages, folding))
    }

    fn unfold(&self, messages: &str) -> Outcome<String> {
        match self.wrong {
            Wrong::ToUnfold(change) => MemoizedReference.unfold(&with_list(messages, change)),
            Wrong::Unfolded(change) => {
                changed(MemoizedReference.unfold(messages), |json| Outcome::Output(with_list(&json, change)))
            }
            _ => MemoizedReference.unfold(messages),
        }
    }

    fn bridge(&self, messages: &str) -> Outcome<String> {
        match self.wrong {
            Wrong::ToBridge(change) => MemoizedReference.bridge(&with_list(messages, change)),
            Wrong::Bridged(change) => {
                let given = list(messages).unwrap_or_default();
                let change = |shown: &mut Vec<Value>| change(&Asked { messages: &given, context: None }, shown);
                changed(MemoizedReference.bridge(messages), |json| Outcome::Output(with_list(&json, change)))
            }
            _ => MemoizedReference.bridge(messages),
        }
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        match self.wrong {
            Wrong::DerivedId(wrong) => answered(wrong(parent, index)),
            _ => MemoizedReference.derive_uuid(parent, index),
        }
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        match self.wrong {
            Wrong::ShortId(wrong) => answered(wrong(uuid)),
            _ => MemoizedReference.short_id(uuid),
        }
    }

    fn record(&self, file: &[u8], session: &str, steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        match self.wrong {
            Wrong::Record(slip) => Outcome::Output(super::recorder::record(slip, file, session, steps)),
            _ => MemoizedReference.record(file, session, steps),
        }
    }

    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        match self.wrong {
            Wrong::Resume(resume) => resume(file),
            Wrong::Records(change) => seeing(file, change),
            Wrong::EachRecord(change) => seeing(file, |view| view.iter_mut().for_each(change)),
            Wrong::Unindexed(is_left_out) => seeing(file, |view| leave_out(view, is_left_out)),
            _ => MemoizedReference.resume(file),
        }
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        let mut items = items.to_vec();
        let taken = match self.wrong {
            Wrong::Items(change) | Wrong::ItemsAndOutput(change, _) => change(items),
            Wrong::EachEvent(change) => wire::events(items, change),
            Wrong::EachPiece(change) => {
                items.iter_mut().for_each(|item| {
                    if let StreamItem::Bytes(bytes) = item {
                        change(bytes)
                    }
                });
                items
            }
            Wrong::Data(join) => wire::joined(items, join),
            _ => items,
        };
        match (self.wrong, MemoizedReference.accumulate(&taken)) {
            (Wrong::Output(change) | Wrong::ItemsAndOutput(_, change), Outcome::Output(right)) => {
                Outcome::Output(output::changed(right, change))
            }
            (Wrong::OutputOf(change), Outcome::Output(right)) => {
                Outcome::Output(output::changed(right, |output| change(&taken, output)))
            }
            (Wrong::StreamText(change), Outcome::Output(mut right)) => {
                change(&mut right);
                Outcome::Output(right)
            }
            (_, right) => right,
        }
    }

    fn check_request(&self, request: &str, host: Host) -> Outcome<Vec<Refusal>> {
        let host = if let Wrong::Host(host) = self.wrong { host } else { host };
        let mut outcome = MemoizedReference.check_request(request, host);
        if let (Outcome::Output(refusals), Wrong::Refusals(change)) = (&mut outcome, self.wrong) {
            change(&list(request).unwrap_or_default(), refusals);
        }
        outcome
    }

    fn check_response(&self, response: &str) -> Outcome<Vec<ResponseRefusal>> {
        let mut outcome = MemoizedReference.check_response(response);
        if let (Outcome::Output(refusals), Wrong::ResponseRefusals(change)) = (&mut outcome, self.wrong) {
            change(response, refusals);
        }
        outcome
    }

    fn make(&self, call: &FactoryCall) -> Outcome<Vec<MadeMessage>> {
        let mut asked = call.clone();
        match self.wrong {
            Wrong::FactoryCall(change) => change(&mut asked),
            Wrong::Refused(is_refused) if is_refused(call) => return Outcome::Rejected("no".to_owned()),
            _ => {}
        }
        let mut outcome = MemoizedReference.make(&asked);
        if let Outcome::Output(made) = &mut outcome {
            match self.wrong {
                Wrong::Made(change) => make::each(call, made, change),
                Wrong::AllMade(change) => change(call, made),
                Wrong::Predicate(name, change) => make::say(made, name, change),
                _ => {}
            }
        }
        outcome
    }

    fn usage(&self, files: &[Vec<u8>]) -> Outcome<Vec<UsageRow>> {
        match self.wrong {
            Wrong::UsageLines(change) => {
                let changed: Vec<Vec<u8>> = files.iter().map(|file| usage::with_lines(file, change)).collect();
                MemoizedReference.usage(&changed)
            }
            Wrong::UsageRows(change) => changed(MemoizedReference.usage(files), |mut rows| {
                change(&mut rows);
                Outcome::Output(rows)
            }),
            _ => MemoizedReference.usage(files),
        }
    }

    fn repair(&self, file: &[u8]) -> Outcome<RepairedFile> {
        match self.wrong {
            Wrong::Repair(repair) => repair(file),
            Wrong::Repaired(change) => changed(MemoizedReference.repair(file), |mut repaired| {
                change(file, &mut repaired);
                Outcome::Output(repaired)
            }),
            _ => MemoizedReference.repair(file),
        }
    }

    fn play(&self, inputs: &str) -> Outcome<Played> {
        let mut outcome = match self.wrong {
            Wrong::Inputs(change) => MemoizedReference.play(&with_list(inputs, change)),
            _ => MemoizedReference.play(inputs),
        };
        match (&mut outcome, self.wrong) {
            (Outcome::Output(played), Wrong::Played(change)) => change(played),
            (Outcome::Output(played), Wrong::LoopSlip(slip)) => slip.change(played),
            _ => {}
        }
        if let Outcome::Output(Played { moments, transcript, .. }) = &mut outcome {
            match self.wrong {
                Wrong::Written(change) => change_written(moments, transcript, change),
                Wrong::WrittenEach(change) => {
                    change_written(moments, transcript, |records| records.iter_mut().for_each(change));
                }
                Wrong::Log(change) => change(moments),
                Wrong::Requests(change) => change_requests(moments, change),
                Wrong::Resumed(change) => change_resumed(moments, change),
                _ => {}
            }
        }
        outcome
    }
}

impl Fault {
    fn is_about(&self, operation: &str) -> bool {
        self.id.split_once('/').is_some_and(|(own, _)| own == operation)
    }

    /// Its answer in an operation, where it changes what `right` is given or what `right` gives.
    fn answer(
        &self,
        operation: &str,
        messages: &str,
        context: Option<&str>,
        right: impl Fn(&str) -> Outcome<String>,
    ) -> Outcome<String> {
        let Some(given) = list(messages).filter(|_| self.is_about(operation)) else { return right(messages) };
        let mut changed_messages = given.clone();
        self.change_messages(&mut changed_messages);
        changed(right(&Value::Array(changed_messages).to_string()), |json| {
            let Some(mut output) = list(&json) else { return Outcome::Output(json) };
            self.change_output(&Asked { messages: &given, context }, &mut output);
            Outcome::Output(Value::Array(output).to_string())
        })
    }

    fn change_messages(&self, messages: &mut Vec<Value>) {
        match self.wrong {
            Wrong::Messages(change) | Wrong::Hidden(change) | Wrong::MessagesAndTurns(change, _) => change(messages),
            Wrong::EachMessage(name, change) => {
                messages.iter_mut().filter(|message| kind(message) == name).for_each(change);
            }
            Wrong::EachAttachment(change) => {
                messages.iter_mut().filter_map(|message| message.get_mut("attachment")).for_each(change);
            }
            Wrong::HiddenBlocks(role, hide) => each(messages, role, hide),
            Wrong::HiddenWhere(role, is_meant) => hide_blocks(messages, role, is_meant),
            _ => {}
        }
    }

    fn change_output(&self, asked: &Asked<'_>, output: &mut Vec<Value>) {
        match self.wrong {
            Wrong::List(change) | Wrong::MessagesAndTurns(_, change) => change(asked, output),
            Wrong::Blocks(role, change) => lists(output, role, change),
            Wrong::EachBlock(role, change) => each(output, role, change),
            Wrong::Hidden(_) | Wrong::HiddenBlocks(..) | Wrong::HiddenWhere(..) => output.iter_mut().for_each(show_all),
            Wrong::UiPart(change) => {
                parted(asked).iter().zip(output).for_each(|(part, message)| change(part, message));
            }
            _ => {}
        }
    }
}

/// A JSON array with its elements changed; anything else is unchanged.
fn with_list(json: &str, change: impl FnOnce(&mut Vec<Value>)) -> String {
    let Some(mut elements) = list(json) else { return json.to_owned() };
    change(&mut elements);
    Value::Array(elements).to_string()
}

/// The outcome with its output changed.
fn changed<A, B>(outcome: Outcome<A>, change: impl FnOnce(A) -> Outcome<B>) -> Outcome<B> {
    match outcome {
        Outcome::Output(output) => change(output),
        Outcome::Rejected(why) => Outcome::Rejected(why),
        Outcome::Unsupported => Outcome::Unsupported,
    }
}

fn answered(answer: Result<String, String>) -> Outcome<String> {
    match answer {
        Ok(text) => Outcome::Output(text),
        Err(why) => Outcome::Rejected(why),
    }
}

fn turns(messages: &str, options: &RequestOptions) -> Outcome<String> {
    changed(MemoizedReference.normalize_api(messages, options), |request| Outcome::Output(request.turns))
}
