//! A *plan* is a conversation drawn from a seed: how many prompts, what the model says to each request, and what fails.

use turnproof_mock::{BlockPlan, ErrorPlan, Fault, Script, Step, Use};
use turnproof_suite::scenario::pool::PoolText;
use turnproof_suite::scenario::{Choice, Seeded, Source};

use crate::play::Case;

/// The most answers that are planned.
const ANSWERS: u32 = 4;

/// The conversation of this number.
pub fn plan(seed: u64, number: u64) -> Case {
    let mut source = Seeded::new(seed, number);
    let prompts = if source.once_in(4) { 3 } else { 2 };
    let count = 1 + source.below(ANSWERS);
    let mut steps: Vec<Step> = Vec::new();
    for _ in 0..count {
        let place = steps.len();
        steps.push(step(&mut source, place));
    }
    Case { prompts, script: Script { steps, ..Script::default() } }
}

fn step(source: &mut dyn Source, place: usize) -> Step {
    if source.once_in(12) {
        return Step { error: Some(error(source)), ..Step::default() };
    }
    let mut blocks = Vec::new();
    thoughts(source, place, &mut blocks);
    if source.below(4) > 0 {
        blocks.push(text(source, place));
    }
    let calls = if source.once_in(2) { 1 + source.below(3) } else { 0 };
    blocks.extend((0..calls).map(|call_number| call(source, place, call_number)));
    // Rare, and real: a text behind calls, a type of tomorrow, nothing but thinking, nothing at all.
    match source.below(24) {
        0 => blocks.push(text(source, place)),
        1 => blocks.push(BlockPlan::Block { json: serde_json::json!({"type": "block_of_tomorrow", "novelty": 1}) }),
        2 => blocks.retain(|block| matches!(block, BlockPlan::Thinking { .. })),
        _ => {}
    }
    let has_calls = blocks.iter().any(|block| matches!(block, BlockPlan::ToolUse { .. }));
    let stop = match source.below(16) {
        0 => Some("max_tokens"),
        1 if !has_calls => Some("refusal"),
        2 if !has_calls => Some("model_context_window_exceeded"),
        _ => None,
    };
    let faults = if source.once_in(4) { vec![fault(source)] } else { Vec::new() };
    Step { blocks, stop: stop.map(str::to_owned), faults, ..Step::default() }
}

fn error(source: &mut dyn Source) -> ErrorPlan {
    let (status, retry_after) = match source.below(4) {
        0 => (429, Some(1)),
        1 => (500, None),
        2 => (503, None),
        _ => (529, None),
    };
    ErrorPlan { status, kind: None, message: None, retry_after }
}

/// A quarter of all texts are odd ones.
fn odd_or(source: &mut dyn Source, plain: String) -> String {
    if !source.once_in(4) {
        return plain;
    }
    let token = PoolText::at(source.byte(PoolText::count())).token();
    // Half of a surrogate pair comes from no host.
    serde_json::from_str(&token).unwrap_or(plain)
}

fn thoughts(source: &mut dyn Source, place: usize, into: &mut Vec<BlockPlan>) {
    if !source.once_in(3) {
        return;
    }
    for thought in 0..=source.below(2) {
        into.push(match source.below(6) {
            0 => BlockPlan::RedactedThinking { data: None },
            1 => BlockPlan::Thinking { thinking: String::new(), signature: None },
            2 => {
                BlockPlan::Thinking { thinking: format!("Thought {place}.{thought}, with an end.\n "), signature: None }
            }
            _ => BlockPlan::Thinking { thinking: format!("Thought {place}.{thought} about it."), signature: None },
        });
    }
}

fn text(source: &mut dyn Source, place: usize) -> BlockPlan {
    let text = odd_or(source, format!("This is what I say in answer {}.", place + 1));
    BlockPlan::Text { text, citations: Vec::new(), half_a_pair: false }
}

/// A call whose command harms nobody, wherever it runs.
fn call(source: &mut dyn Source, place: usize, number: u32) -> BlockPlan {
    let (wanted, text) = match source.below(8) {
        0 => (Use::Undeclared, None),
        1 => (Use::Read, Some("not-there.txt".to_owned())),
        2 => (Use::Shell, Some("exit 3".to_owned())),
        _ => (Use::Shell, Some(format!("echo alpha-{place}-{number}"))),
    };
    BlockPlan::ToolUse { wanted: Some(wanted), text, name: None, input: None, written: None, id: None }
}

fn fault(source: &mut dyn Source) -> Fault {
    let at = 2 + source.below(8) as usize;
    match source.below(13) {
        0 | 1 => Fault::CutEvent(at),
        2 | 3 => Fault::EndEvent(at),
        4 => Fault::CutByte(150 + 40 * at),
        5 => Fault::EndByte(150 + 40 * at),
        6 | 7 => Fault::ErrorEvent(at),
        8 => Fault::LateUsage,
        9 => Fault::UnknownEvent,
        10 => Fault::UnknownDelta,
        11 => Fault::Split,
        _ => Fault::Crlf,
    }
}
