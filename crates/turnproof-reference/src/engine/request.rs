//! *Requests*: when one is sent, what it holds, and how a turn ends (SPEC 5.6).

use crate::message::Context;
use crate::normalize::api::{Options, normalize_for_api, to_json};
use crate::operation::{Moment, Plain};
use crate::stream::ReplyLines;

use super::error::NOT_DURABLE;
use super::state::{Engine, Phase, plain};

impl<C: Context> Engine<C> {
    /// Sends a request for the conversation, once its prompts are durable.
    pub(super) fn request(&mut self) {
        self.retries = 0;
        if let Some(compaction) = self.turn.compaction.take() {
            self.compact_now(&compaction);
        }
        self.send();
    }

    /// Sends the request, for the first time or again.
    pub(super) fn send(&mut self) {
        self.note_recorded_list(true);
        if self.recorder.before_request(&self.list).is_err() {
            let notice = self.factory().informational("error", NOT_DURABLE, None, false);
            self.say(notice);
            self.phase = Phase::Idle;
            return;
        }
        if self.options.waits_for_disk {
            self.confirmed = self.transcript().len();
        }
        let mut turns = String::new();
        if self.options.makes_turns || self.options.keeps_moments {
            let options = Options { context: self.options.context.clone(), ..Options::default() };
            turns = to_json(&normalize_for_api(&self.list, &options));
        }
        if self.options.keeps_moments {
            let (messages, transcript) = (plain(&self.list), self.transcript().to_vec());
            let turns = Plain::read(&turns).unwrap_or_default();
            self.moments.push(Moment::Requested { messages, turns, transcript });
        }
        self.requests += 1;
        self.turn.answered.clear();
        self.turn.is_stopped = false;
        let start = self.factory().stream_request_start();
        self.pass(start.into());
        self.step.request = Some(turns);
        let id = format!("req_{}", self.requests);
        self.phase = Phase::Streaming(Box::new(ReplyLines::new(Some(id.as_str().into()))));
    }

    /// Ends the turn. A prompt that waits begins the next one.
    pub(super) fn end_turn(&mut self) {
        self.phase = Phase::Idle;
        self.continuations = 0;
        if let Some(compaction) = self.turn.compaction.take() {
            self.compact_now(&compaction);
        }
        self.begin_turn();
    }

    /// Gives the new messages to the recorder, which writes them when its queue is flushed.
    pub(super) fn record(&mut self) {
        self.note_recorded_list(false);
        // A recorder refuses only messages without a uuid, and the engine makes none.
        let _ = self.recorder.record(&self.list);
    }
}
