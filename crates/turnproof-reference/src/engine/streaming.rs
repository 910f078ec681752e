//! *Streaming*: the model's events become lines of a reply; streams that break, fail or are abandoned.

use std::collections::HashSet;
use std::sync::Arc;

use crate::json::{Fields, Raw, Text};
use crate::message::constants::MISSING_TOOL_RESULT;
use crate::message::{Context, Event, Message, System, Typed};
use crate::operation::Moment;
use crate::stream::{Amended, ModelEvent};

use super::error::{CONTINUE, CUT_CALL, MAX_CONTINUATIONS, MAX_RETRIES, OUTPUT_LIMIT};
use super::input::Failure;
use super::state::{Engine, Phase, Refused, plain};

impl<C: Context> Engine<C> {
    pub(super) fn stream(&mut self, fields: &Fields) -> Result<(), Refused> {
        let Phase::Streaming(_) = self.phase else { return Err(Refused::NotStreaming) };
        let event = ModelEvent::of_fields(fields).map_err(|_| Refused::BadEvent)?;
        let passed = self.factory().stream_event(fields.clone());
        self.pass(passed.into());
        if let ModelEvent::Error { error, .. } = &event {
            return self.fail(Failure::of_event(error.get()));
        }
        let Phase::Streaming(reply) = &mut self.phase else { return Err(Refused::NotStreaming) };
        let yielded = reply.apply(&event, &mut self.context);
        let is_over = reply.accumulator().is_over();
        for line in yielded.messages {
            self.show(line.into());
        }
        if let Some(amended) = yielded.amended {
            self.amend(amended);
        }
        if is_over {
            self.reply_ended();
        }
        // An event out of order is taken as well: the accumulator has its error, and yields what it can.
        Ok(())
    }

    /// Yields a line of the reply. The first line after a fallback names the lines that it supersedes.
    fn show(&mut self, mut line: Message) {
        self.forget_summary();
        if let (false, Message::Assistant(assistant)) = (self.turn.superseded.is_empty(), &mut line) {
            let superseded = std::mem::take(&mut self.turn.superseded);
            Arc::make_mut(assistant).extra.set("supersedesUuids", superseded.write());
        }
        self.say(line.clone());
        self.open(&line);
    }

    /// Sets the late fields of the reply's last line.
    fn amend(&mut self, Amended { uuid, late }: Amended) {
        let found = self.list.iter_mut().rev().find_map(|event| match event {
            Event::Message(Message::Assistant(line)) if line.envelope.uuid.get() == Some(&uuid) => Some(line),
            _ => None,
        });
        let Some(line) = found else { return };
        late.set_on(Arc::make_mut(line));
        if self.options.keeps_moments {
            let line = Event::Message(Message::Assistant(line.clone()));
            self.moments.push(Moment::Amended(plain(&line)));
        }
        self.log.amend(&uuid, late);
    }

    fn reply_ended(&mut self) {
        let Phase::Streaming(reply) = &self.phase else { return };
        let stop_reason = reply.accumulator().head().and_then(|message| message.stop_reason.as_str());
        let stopped_by_limit = stop_reason == Some("max_tokens");
        let has_calls = !self.turn.calls.is_empty() || !self.turn.answered.is_empty();
        self.phase = Phase::Tools;
        if has_calls {
            if stopped_by_limit {
                self.answer_cut_call();
            }
            return self.go_on_after_calls();
        }
        // A prompt that waits comes before the rest of the reply.
        if stopped_by_limit && self.turn.queue.is_empty() {
            if self.continuations == MAX_CONTINUATIONS {
                let (kind, words, details) = OUTPUT_LIMIT;
                self.say_error(kind, words, details);
                return self.end_turn();
            }
            self.continuations += 1;
            let prompt = self.factory().meta(CONTINUE);
            self.say(prompt);
            return self.request();
        }
        self.end_turn();
    }

    /// The last call of a reply that reached the output limit is incomplete.
    fn answer_cut_call(&mut self) {
        let last = self.list.iter().rev().find_map(|event| match event {
            Event::Message(message @ Message::Assistant(_)) => Some(message),
            _ => None,
        });
        let last = last.and_then(|line| line.tool_uses().last()).and_then(|call| call.id.get()).cloned();
        if let Some(at) = self.turn.calls.iter().position(|call| Some(&call.id) == last.as_ref()) {
            self.answer_with_error(at, CUT_CALL);
        }
    }

    pub(super) fn fail(&mut self, failure: Failure) -> Result<(), Refused> {
        let Phase::Streaming(_) = self.phase else { return Err(Refused::NotStreaming) };
        if failure.may_pass() && self.retries < MAX_RETRIES {
            self.withdraw_reply();
            self.retries += 1;
            let attempt = self.retries;
            let mut notice = self.factory().api_error(failure.data(), 500 << attempt, attempt, MAX_RETRIES);
            self.retract(&mut notice);
            self.say(notice);
            self.send();
            return Ok(());
        }
        self.give_up_calls(MISSING_TOOL_RESULT);
        self.say_error(failure.kind(), &failure.words(), &failure.details());
        self.end_turn();
        Ok(())
    }

    /// Says that the API has failed, in place of a reply.
    fn say_error(&mut self, kind: &str, words: &str, details: &str) {
        let mut error = self.factory().assistant_api_error(words, Some(kind), Some(details));
        error.error = Raw::from(kind).into();
        self.say(error);
    }

    pub(super) fn fall_back(&mut self, model: &str) -> Result<(), Refused> {
        let Phase::Streaming(_) = self.phase else { return Err(Refused::NotStreaming) };
        self.withdraw_reply();
        self.options.model = model.to_owned();
        let mut notice = self.factory().informational("warning", format!("Switched to {model}"), None, false);
        self.retract(&mut notice);
        self.say(notice);
        self.retries = 0;
        self.send();
        Ok(())
    }

    /// Names the lines on disk that are withdrawn, so that a resume drops them even if no other reply comes.
    fn retract(&self, notice: &mut System) {
        if !self.turn.superseded.is_empty() {
            notice.retracted_message_uuids = self.turn.superseded.clone().into();
        }
    }

    /// Withdraws the lines of the reply so far, and the results of its calls.
    fn withdraw_reply(&mut self) {
        let Phase::Streaming(reply) = &mut self.phase else { return };
        let tombstones = reply.abandon(&mut self.context);
        if tombstones.is_empty() {
            return;
        }
        let withdrawn: HashSet<Text> = tombstones.iter().filter_map(|stone| stone.withdrawn()).collect();
        for tombstone in tombstones {
            self.pass(tombstone.into());
        }
        let is_withdrawn = |event: &Event| event.envelope().uuid.get().is_some_and(|uuid| withdrawn.contains(uuid));
        let lines = self.list.iter().filter(|event| is_withdrawn(event)).filter_map(Event::message);
        let calls: HashSet<Text> =
            lines.flat_map(Message::tool_uses).filter_map(|call| call.id.get().cloned()).collect();
        let (gone, kept): (Vec<Event>, _) = std::mem::take(&mut self.list)
            .into_iter()
            .partition(|event| is_withdrawn(event) || answers_line(event, &withdrawn));
        self.list = kept;
        let uuids: Vec<Text> = gone.iter().filter_map(|event| event.envelope().uuid.get().cloned()).collect();
        let on_disk = self.recorder.withdraw(uuids.iter().map(Text::as_str));
        self.turn.superseded.extend(on_disk.into_iter().map(Text::from));
        self.turn.calls.retain(|call| !calls.contains(&call.id));
        self.turn.answered.retain(|call| !calls.contains(call));
    }
}

/// Whether an event is the result of a call of one of these lines. The id of the call may be another reply's too.
fn answers_line(event: &Event, lines: &HashSet<Text>) -> bool {
    let Event::Message(Message::User(user)) = event else { return false };
    user.source_tool_assistant_uuid.get().is_some_and(|line| lines.contains(line))
}
