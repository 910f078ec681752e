//! An *open block* is one that deltas still add to.

use crate::json::{Fields, Raw, Text, TextBuffer, compact};
use crate::message::{Block, Maybe, Typed};

use super::DEEPEST;
use super::delta::{Delta, put};

/// A block that has begun and not stopped. What its deltas bring is collected beside it, so that each is copied once.
#[derive(Clone, Debug)]
pub(super) struct OpenBlock {
    block: Block,
    /// The text or the reasoning, if a delta went on with it.
    text: Option<TextBuffer>,
    /// The JSON text of a call's input.
    input: TextBuffer,
    /// The sources cited, if a delta brought one.
    citations: Option<Vec<Raw>>,
}

impl OpenBlock {
    pub(super) fn new(block: Block) -> Self {
        Self { block, text: None, input: TextBuffer::new(), citations: None }
    }

    /// Takes a delta; gives whether it changes a block of this type.
    pub(super) fn take(&mut self, delta: &Delta) -> bool {
        match (delta, &mut self.block) {
            (Delta::Text(piece), Block::Text(block)) => push(&mut self.text, &block.text, piece),
            (Delta::Thinking(piece), Block::Thinking(block)) => push(&mut self.text, &block.thinking, piece),
            (Delta::Signature(signature), Block::Thinking(block)) => {
                block.signature = signature.clone().into();
            }
            (Delta::Citation(citation), Block::Text(block)) => {
                let before = || block.citations.get().and_then(|list| list.read().ok()).unwrap_or_default();
                self.citations.get_or_insert_with(before).push(citation.clone());
            }
            (Delta::InputJson(piece), block) if takes_input(block) => self.input.push(piece),
            (Delta::Compaction { content, encrypted_content }, Block::Unknown(name, fields))
                if name == "compaction" =>
            {
                put(fields, "content", content);
                put(fields, "encrypted_content", encrypted_content);
            }
            _ => return false,
        }
        true
    }

    /// The block so far: the input of a call stays what its start gave until the call stops.
    pub(super) fn so_far(&self) -> Block {
        let mut block = self.clone();
        block.set_text_and_citations();
        block.block
    }

    /// The whole block, and what is wrong with the input if it is a call whose input is no JSON.
    pub(super) fn stop(mut self) -> (Block, Option<String>) {
        self.set_text_and_citations();
        let mut error = None;
        if takes_input(&self.block) {
            let collected = self.input.into_text();
            let (input, why) = match read_input(&collected) {
                Ok(None) => (given_input(&self.block), None),
                Ok(Some(input)) => (input, None),
                Err(why) => (collected.write(), Some(why)),
            };
            error = why;
            set_input(&mut self.block, input);
        }
        (self.block, error)
    }

    fn set_text_and_citations(&mut self) {
        let text = self.text.take().map(TextBuffer::into_text);
        match (&mut self.block, text) {
            (Block::Text(block), Some(text)) => block.text = text.into(),
            (Block::Thinking(block), Some(text)) => block.thinking = text.into(),
            _ => {}
        }
        if let (Block::Text(block), Some(citations)) = (&mut self.block, self.citations.take()) {
            block.citations = citations.write().into();
        }
    }
}

/// Continues a text that began as `start`.
fn push(text: &mut Option<TextBuffer>, start: &Maybe<Text>, piece: &Text) {
    let start = || start.get().cloned().unwrap_or_default().into();
    text.get_or_insert_with(start).push(piece);
}

/// Whether a block is a call: its type is `tool_use`, or ends so (`server_tool_use`, `mcp_tool_use`).
fn takes_input(block: &Block) -> bool {
    block.type_name().ends_with("tool_use")
}

/// Reads the collected input; `None` when it is blank.
fn read_input(collected: &Text) -> Result<Option<Raw>, String> {
    let json = collected.escaped().ok_or("half of a surrogate pair is escaped")?;
    if json.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
        return Ok(None);
    }
    let compact = compact(&json);
    if compact.depth > DEEPEST {
        return Err(format!("it is nested deeper than {DEEPEST}"));
    }
    Raw::from_json(compact.text.into_owned()).map(Some).map_err(|error| error.to_string())
}

/// The input that the start of a call gave, if that is an object with members, else `{}`.
fn given_input(block: &Block) -> Raw {
    let given = match block {
        Block::ToolUse(call) | Block::ServerToolUse(call) => call.input.get(),
        block => block.extra().get("input"),
    };
    let has_members = |raw: &&Raw| Fields::from_raw(raw).is_ok_and(|fields| !fields.is_empty());
    given.filter(has_members).cloned().unwrap_or_else(|| Fields::new().to_raw())
}

fn set_input(block: &mut Block, input: Raw) {
    match block {
        Block::ToolUse(call) | Block::ServerToolUse(call) => call.input = input.into(),
        block => _ = block.extra_mut().map(|members| members.set("input", input)),
    }
}
