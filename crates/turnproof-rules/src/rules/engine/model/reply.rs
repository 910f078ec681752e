//! A *reply* as the model of the loop follows it: which lines come of its events, and what comes late.

use crate::json::Value;

use super::{Late, ReplyLine};
use crate::rules::value::{kind, list, text};

/// The reply to a request.
#[derive(Debug, Default)]
pub(super) struct Reply<'a> {
    id: Option<&'a str>,
    blocks: Vec<Block<'a>>,
    /// The lines that were yielded, among what is expected.
    pub(super) lines: Vec<usize>,
    pub(super) late: Option<Late<'a>>,
    /// Whether nothing but events of the stream came since the last line.
    pub(super) is_alone: bool,
}

#[derive(Debug)]
struct Block<'a> {
    value: &'a Value,
    is_stopped: bool,
}

impl<'a> Reply<'a> {
    /// Takes an event. Gives the lines that come of it, or nothing when the stream need not be understood.
    pub(super) fn take(&mut self, event: &'a Value) -> Option<Vec<ReplyLine<'a>>> {
        let mut lines = Vec::new();
        match (kind(event), self.id) {
            ("ping", _) => {}
            ("message_start", None) => {
                let message = event.get("message")?;
                let is_empty = message.get("content").is_some_and(|content| content.is_array())
                    && list(message, "content").is_empty();
                self.id = text(message, "id").filter(|_| is_empty && text(message, "model").is_some());
                self.id?;
            }
            ("content_block_start", Some(_)) => {
                let value = event.get("content_block")?;
                let is_next = event.get("index").and_then(Value::as_u64) == Some(self.blocks.len() as u64);
                let is_known = is_next && text(value, "type").is_some_and(|kind| kind != "fallback");
                self.blocks.push(Block { value: is_known.then_some(value)?, is_stopped: false });
            }
            ("content_block_delta", Some(_)) => {}
            ("content_block_stop", Some(reply)) => {
                let index = usize::try_from(event.get("index")?.as_u64()?).ok()?;
                let block = self.blocks.get_mut(index).filter(|block| !block.is_stopped)?;
                lines.push(block.stop(reply));
            }
            ("message_delta", Some(_)) => self.late(event)?,
            ("message_stop", Some(reply)) => {
                lines.extend(self.blocks.iter_mut().filter(|block| !block.is_stopped).map(|block| block.stop(reply)));
            }
            _ => return None,
        }
        self.is_alone |= !lines.is_empty();
        Some(lines)
    }

    fn late(&mut self, event: &'a Value) -> Option<()> {
        let late = self.late.get_or_insert_default();
        late.stop_reason = text(event.get("delta")?, "stop_reason").or(late.stop_reason);
        let tokens = event.get("usage").and_then(|usage| usage.get("output_tokens"));
        late.output_tokens = tokens.filter(|tokens| tokens.is_number()).or(late.output_tokens);
        Some(())
    }
}

impl<'a> Block<'a> {
    fn stop(&mut self, reply: &'a str) -> ReplyLine<'a> {
        self.is_stopped = true;
        let call = (kind(self.value) == "tool_use").then(|| Some((text(self.value, "id")?, text(self.value, "name")?)));
        ReplyLine { reply, block: kind(self.value), call: call.flatten(), late: None }
    }
}
