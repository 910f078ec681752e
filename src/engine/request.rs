//! *Requests*: when one is sent, of what, and how a turn ends.

use crate::message::Context;
use crate::normalize::api::{Options, normalize_for_api};
use crate::operation::{Moment, Plain, RecordStep};
use crate::stream::ReplyLines;

use super::error::NOT_DURABLE;
use super::state::{Engine, Phase, plain};

impl<C: Context> Engine<C> {
    /// Sends a request for the conversation as it stands, once its prompts are durable.
    pub(super) fn request(&mut self) {
        self.retries = 0;
        if let Some(compaction) = self.compaction.take() {
            self.compact_now(&compaction);
        }
        self.send();
    }

    /// Sends the request, for the first time or again.
    pub(super) fn send(&mut self) {
        self.note_recording(|engine| RecordStep::ListBeforeRequest(engine.list_json()));
        if self.recorder.before_request(&self.list).is_err() {
            let notice = self.factory().informational("error", NOT_DURABLE);
            self.say(notice);
            self.phase = Phase::Idle;
            return;
        }
        if self.options.waits_for_disk {
            self.confirmed = self.transcript().len();
        }
        let is_told = self.options.makes_turns || self.options.keeps_moments;
        let turns = if is_told { self.turns() } else { String::new() };
        if self.options.keeps_moments {
            let moment = Moment::Requested {
                messages: plain(&self.list),
                turns: Plain::read(&turns).unwrap_or_default(),
                transcript: self.transcript().to_vec(),
            };
            self.moments.push(moment);
        }
        self.requests += 1;
        self.answered.clear();
        self.is_stopped = false;
        self.announce_request();
        self.step.request = Some(turns);
        let id = format!("req_{}", self.requests);
        self.phase = Phase::Streaming(Box::new(ReplyLines::new(Some(id.as_str().into()))));
    }

    /// What a request for the conversation as it stands says, as JSON.
    fn turns(&self) -> String {
        let options = Options { context: self.options.context.clone(), ..Options::default() };
        serde_json::to_string(&normalize_for_api(&self.list, &options)).unwrap_or_default()
    }

    /// The turn is over; what was typed meanwhile begins the next one.
    pub(super) fn end_turn(&mut self) {
        self.phase = Phase::Idle;
        self.calls.clear();
        self.continuations = 0;
        self.is_stopped = false;
        if let Some(compaction) = self.compaction.take() {
            self.compact_now(&compaction);
        }
        self.begin_turn();
    }

    /// Gives what is new to the recorder; it is written when the queue is flushed.
    pub(super) fn record(&mut self) {
        self.note_recording(|engine| RecordStep::List(engine.list_json()));
        // Every message of ours has a uuid, the one thing that a recorder asks for before the disk.
        let _ = self.recorder.record(&self.list);
    }
}
