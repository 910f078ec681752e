//! What the conversation *holds* and no request did: results of tools that the model never saw.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::lines::Message;
use crate::json::Text;

/// So many characters of a result are compared. Clients append reminders to it.
const COMPARED: usize = 256;

/// Results that no request has held yet.
#[derive(Default)]
pub(super) struct Held {
    results: HashMap<String, Vec<Pending>>,
    /// Those that a compaction left out of sight.
    done: Vec<Unsent>,
}

/// A result that no request has held yet.
struct Pending {
    unsent: Unsent,
    agent: Option<String>,
    /// The beginning of what it says.
    content: String,
    /// Whether a request was sent since.
    is_missed: bool,
}

/// A result that no request held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsent {
    /// Which line of the conversation has it.
    pub(super) line: u32,
    pub(super) block: u32,
}

impl Held {
    /// Takes a line of the user.
    pub(super) fn given(&mut self, message: &Message<'_>, line: u32, agent: Option<&str>, is_hidden: bool) {
        for (block, result) in results(message.content).into_iter().enumerate().filter(|_| !is_hidden) {
            let Some((call, content)) = result else { continue };
            let unsent = Unsent { line, block: block as u32 };
            let agent = agent.map(str::to_owned);
            self.results.entry(call).or_default().push(Pending { unsent, agent, content, is_missed: false });
        }
    }

    /// Takes a turn that was sent. One that was changed since says no more than which calls it answers.
    pub(super) fn sent_turn(&mut self, json: &str, agent: Option<&str>, is_as_sent: bool) {
        let Ok(message) = serde_json::from_str::<Message<'_>>(json) else { return };
        for (call, sent) in results(message.content).into_iter().flatten() {
            let Some(pending) = self.results.get_mut(&call) else { continue };
            let is_same = |pending: &Pending| !is_as_sent || sent.starts_with(&pending.content);
            pending.retain(|pending| pending.agent.as_deref() != agent || !is_same(pending));
            if pending.is_empty() {
                self.results.remove(&call);
            }
        }
    }

    /// Takes lines that were sent as they are.
    pub(super) fn sent_lines(&mut self, lines: &[u32]) {
        self.results.retain(|_, pending| {
            pending.retain(|pending| !lines.contains(&pending.unsent.line));
            !pending.is_empty()
        });
    }

    /// A request was sent. Of one with a turn that the file does not hold nobody knows what it says.
    pub(super) fn request(&mut self, agent: Option<&str>, is_known: bool) {
        if !is_known {
            self.results.values_mut().for_each(|pending| pending.retain(|pending| pending.agent.as_deref() != agent));
        }
        let pending = self.results.values_mut().flatten().filter(|pending| pending.agent.as_deref() == agent);
        pending.for_each(|pending| pending.is_missed = true);
    }

    /// A compaction ends: what was said before is not sent again.
    pub(super) fn boundary(&mut self) {
        let missed = self.results.drain().flat_map(|(_, pending)| pending).filter(|pending| pending.is_missed);
        self.done.extend(missed.map(|pending| pending.unsent));
    }

    /// What no request held, though one was sent since.
    pub(super) fn unsent(&self) -> Vec<Unsent> {
        let missed = self.results.values().flatten().filter(|pending| pending.is_missed);
        let mut unsent: Vec<Unsent> = self.done.iter().copied().chain(missed.map(|pending| pending.unsent)).collect();
        unsent.sort_by_key(|unsent| (unsent.line, unsent.block));
        unsent
    }
}

/// For each block of a content, the call that it answers and the beginning of what it says; `None` for a block that is
/// no result.
fn results(content: Option<&RawValue>) -> Vec<Option<(String, String)>> {
    #[derive(Deserialize)]
    struct Block<'a> {
        r#type: Option<String>,
        tool_use_id: Option<String>,
        #[serde(borrow)]
        content: Option<&'a RawValue>,
    }
    let blocks: Vec<&RawValue> =
        content.and_then(|content| serde_json::from_str(content.get()).ok()).unwrap_or_default();
    let result = |block: &RawValue| {
        let block: Block<'_> = serde_json::from_str(block.get()).ok()?;
        let call = block.tool_use_id.filter(|_| block.r#type.as_deref() == Some("tool_result"))?;
        Some((call, beginning(block.content)))
    };
    blocks.into_iter().map(result).collect()
}

/// The beginning of what a result says, without blanks: its text, or that of its parts.
fn beginning(content: Option<&RawValue>) -> String {
    #[derive(Deserialize)]
    struct Part {
        text: Option<Text>,
    }
    let content = content.map_or("", RawValue::get);
    let parts: Vec<Text> = match serde_json::from_str::<Text>(content) {
        Ok(text) => vec![text],
        Err(_) => {
            let parts: Vec<Part> = serde_json::from_str(content).unwrap_or_default();
            parts.into_iter().filter_map(|part| part.text).collect()
        }
    };
    let characters = parts.iter().flat_map(|text| text.as_str().chars());
    characters.filter(|character| !character.is_whitespace()).take(COMPARED).collect()
}
