//! A case as the *material* that subjects are asked about.

use turnproof_rules::{Material, Session};

use super::{Case, Profile};
use crate::message::{Event, Message};
use crate::operation::StreamItem;

impl Material for Case<'_> {
    fn transcript(&self) -> &[u8] {
        self.transcript()
    }

    fn messages(&self) -> &[String] {
        self.messages()
    }

    fn project_context(&self) -> Option<String> {
        self.scenario().project_context()
    }

    fn ids(&self) -> Vec<&str> {
        self.ids()
    }

    fn indexes(&self) -> &[u64] {
        &self.scenario().indexes
    }

    fn streams(&self) -> &[Vec<StreamItem>] {
        self.streams()
    }

    fn inputs(&self) -> String {
        // Inputs are made of what JSON has.
        serde_json::to_string(self.inputs()).unwrap_or_default()
    }

    fn is_conversation(&self) -> bool {
        self.scenario().profile == Profile::Causal
    }

    fn session(&self) -> Option<Session> {
        self.is_conversation().then(|| Session {
            before: Vec::new(),
            session: self.scenario().engine_options().session,
            steps: self.recording().to_vec(),
        })
    }

    fn whole_conversation(&self) -> Option<(String, Vec<String>)> {
        let list = self.engine().messages();
        Some((serde_json::to_string(list).ok()?, whole_conversation(list)?))
    }
}

/// The uuids of a list that comes back in its own order: it has a speaker and no boundary, and no reply goes on
/// after a result of it. `None` for any other list.
fn whole_conversation(list: &[Event]) -> Option<Vec<String>> {
    let messages: Vec<_> = list
        .iter()
        .filter_map(|event| if let Event::Message(message) = event { Some(message) } else { None })
        .collect();
    if messages.iter().any(|message| message.is_compact_boundary()) {
        return None;
    }
    let mut last_reply = None;
    let mut had_result = false;
    for message in &messages {
        if let Message::Assistant(line) = message {
            if last_reply == line.reply_id() && had_result {
                return None;
            }
            had_result &= last_reply == line.reply_id();
            last_reply = line.reply_id();
        }
        had_result |= message.is_tool_result();
    }
    let written = messages.iter().filter(|message| message.is_chain_participant() && !message.is_virtual());
    let uuids: Vec<String> = written.filter_map(|message| message.uuid()).map(str::to_owned).collect();
    let speaks = messages.iter().any(|message| matches!(message, Message::User(_) | Message::Assistant(_)));
    speaks.then_some(uuids)
}
