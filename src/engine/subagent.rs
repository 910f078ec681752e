//! A *subagent* holds a conversation of its own, beside the main one: its records stand in the same file,
//! marked as a sidechain, and the main conversation hears of it by progress alone.

use serde_json::json;

use crate::json::{Raw, Text};
use crate::message::{Context, Event, Message};
use crate::transcript::write::{MemoryDisk, Recorder, RecorderOptions};

use super::state::{Engine, Refused, recorder_options};

impl<C: Context> Engine<C> {
    pub(super) fn subagent(&mut self, call: &str, agent: &str, prompt: &str, answer: &str) -> Result<(), Refused> {
        if !self.open_calls().any(|open| open == call) {
            return Err(Refused::NoSuchCall);
        }
        let prompt = Message::from(self.factory().user(prompt));
        let mut reply = self.factory().assistant(answer);
        if let Some(body) = reply.message.get_mut() {
            body.model = Text::from(self.options.model.as_str()).into();
        }
        let conversation = [Event::Message(prompt), Event::Message(reply.into())];
        for message in &conversation {
            let data = json!({"type": "agent_progress", "agentId": agent, "prompt": "",
                "message": serde_json::to_value(message).unwrap_or_default()});
            let progress = self.factory().progress(format!("{call}-{agent}"), call, Raw::from(&data));
            self.say(progress);
        }
        self.write_sidechain(agent, &conversation);
        Ok(())
    }

    /// Writes a subagent's conversation as another writer of the same file does.
    fn write_sidechain(&mut self, agent: &str, conversation: &[Event]) {
        let options = RecorderOptions {
            is_sidechain: Some(true),
            agent_id: Some(agent.into()),
            ..recorder_options(&self.options)
        };
        let mut recorder = Recorder::new(MemoryDisk::default(), options);
        if recorder.record(conversation).is_ok() && recorder.flush().is_ok() {
            self.record();
            self.flush();
            self.write_beside(recorder.disk().bytes());
        }
    }
}
