//! Simpler *blocks*.

use super::super::line::BlockPlan;
use super::measure::block_choices;
use super::number::lower;

/// Blocks of each usual sort, the plainest first.
const USUAL: [BlockPlan; 10] = [
    BlockPlan::Text(0),
    BlockPlan::ToolUse(0),
    BlockPlan::ToolResult(0),
    BlockPlan::Thinking(0),
    BlockPlan::RedactedThinking,
    BlockPlan::ServerToolUse(0),
    BlockPlan::ServerToolResult(0),
    BlockPlan::Image,
    BlockPlan::Document,
    BlockPlan::Unknown(0),
];

/// The blocks one bold step simpler: the usual form, the first number.
pub(super) fn plain_blocks(block: BlockPlan) -> impl Iterator<Item = BlockPlan> {
    let first = with_number(block, 0);
    usual(block).into_iter().chain((first != block).then_some(first))
}

/// The usual block in place of one of an unusual form.
pub(super) fn usual(block: BlockPlan) -> Option<BlockPlan> {
    match block {
        BlockPlan::OddText(_, text) => Some(BlockPlan::Text(text)),
        BlockPlan::OddCall(_, call) => Some(BlockPlan::ToolUse(call)),
        BlockPlan::OddResult(_, call) => Some(BlockPlan::ToolResult(call)),
        BlockPlan::OddThinking(_, text) => Some(BlockPlan::Thinking(text)),
        BlockPlan::OddServerCall(_, call) => Some(BlockPlan::ServerToolUse(call)),
        BlockPlan::OddServerResult(_, call) => Some(BlockPlan::ServerToolResult(call)),
        BlockPlan::OddMedia(_) => Some(BlockPlan::Image),
        BlockPlan::Strange(_) => Some(BlockPlan::Unknown(0)),
        _ => None,
    }
}

/// The blocks one small step simpler: each plainer sort, each lower form, each lower number.
pub(super) fn lower_blocks(block: BlockPlan) -> impl Iterator<Item = BlockPlan> {
    let [sort, form, number] = block_choices(block);
    let plainer = USUAL.into_iter().filter(move |usual| block_choices(*usual)[0] < sort);
    let same_text = text_of(block).filter(|_| sort > 0).map(BlockPlan::Text);
    let forms = lower(form as u8).map(move |form| with_form(block, form));
    let numbers = lower(number as u8).map(move |number| with_number(block, number));
    // Thinking of another text may as well have none.
    let redacted =
        (matches!(block, BlockPlan::Thinking(_)) && number != 0).then_some(BlockPlan::RedactedThinking);
    same_text.into_iter().chain(redacted).chain(plainer).chain(forms).chain(numbers)
}

/// The number of the text that a block says.
pub(super) fn text_of(block: BlockPlan) -> Option<u8> {
    match block {
        BlockPlan::Text(text)
        | BlockPlan::Thinking(text)
        | BlockPlan::Unknown(text)
        | BlockPlan::OddText(_, text)
        | BlockPlan::OddThinking(_, text) => Some(text),
        _ => None,
    }
}

/// The number of the call that a block makes or answers, by a client or by a server.
pub(super) fn call_of(block: BlockPlan) -> Option<u8> {
    match block {
        BlockPlan::ToolUse(call)
        | BlockPlan::ToolResult(call)
        | BlockPlan::ServerToolUse(call)
        | BlockPlan::ServerToolResult(call)
        | BlockPlan::OddCall(_, call)
        | BlockPlan::OddResult(_, call)
        | BlockPlan::OddServerCall(_, call)
        | BlockPlan::OddServerResult(_, call) => Some(call),
        _ => None,
    }
}

/// The same block with another number, if it has one.
pub(super) fn with_number(block: BlockPlan, number: u8) -> BlockPlan {
    match block {
        BlockPlan::Text(_) => BlockPlan::Text(number),
        BlockPlan::ToolUse(_) => BlockPlan::ToolUse(number),
        BlockPlan::ToolResult(_) => BlockPlan::ToolResult(number),
        BlockPlan::Thinking(_) => BlockPlan::Thinking(number),
        BlockPlan::ServerToolUse(_) => BlockPlan::ServerToolUse(number),
        BlockPlan::ServerToolResult(_) => BlockPlan::ServerToolResult(number),
        BlockPlan::Unknown(_) => BlockPlan::Unknown(number),
        BlockPlan::OddText(form, _) => BlockPlan::OddText(form, number),
        BlockPlan::OddCall(form, _) => BlockPlan::OddCall(form, number),
        BlockPlan::OddResult(form, _) => BlockPlan::OddResult(form, number),
        BlockPlan::OddThinking(form, _) => BlockPlan::OddThinking(form, number),
        BlockPlan::OddServerCall(form, _) => BlockPlan::OddServerCall(form, number),
        BlockPlan::OddServerResult(form, _) => BlockPlan::OddServerResult(form, number),
        other => other,
    }
}

/// The same block in another form, if it has forms.
fn with_form(block: BlockPlan, form: u8) -> BlockPlan {
    match block {
        BlockPlan::OddText(_, number) => BlockPlan::OddText(form, number),
        BlockPlan::OddCall(_, number) => BlockPlan::OddCall(form, number),
        BlockPlan::OddResult(_, number) => BlockPlan::OddResult(form, number),
        BlockPlan::OddThinking(_, number) => BlockPlan::OddThinking(form, number),
        BlockPlan::OddServerCall(_, number) => BlockPlan::OddServerCall(form, number),
        BlockPlan::OddServerResult(_, number) => BlockPlan::OddServerResult(form, number),
        BlockPlan::OddMedia(_) => BlockPlan::OddMedia(form),
        BlockPlan::Strange(_) => BlockPlan::Strange(form),
        other => other,
    }
}
