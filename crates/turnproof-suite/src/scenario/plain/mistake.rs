//! *Mistakes* of the field: what clients, networks and files break in a dialogue.

use super::block::{HAS_OWN_NUMBER, LEGAL_ODD, ODD_IDS, SAID, SIGNED};
use super::{ResultShape, Speaker, Thought, TurnBlock, TurnPlan, Words};
use crate::scenario::{Choice, Source};

/// Where a block is: its message, and its place in it.
type At = (usize, usize);

/// Changes a dialogue of so many calls; one that has no place for the mistake stays.
type Mistake = fn(&mut dyn Source, &mut Vec<TurnPlan>, u8);

/// Makes one mistake in a dialogue.
pub(super) fn spoil(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, calls: u8) {
    // Those with calls first: most mistakes of the field are about them.
    let with_calls: [Mistake; 13] = [
        interrupt,
        interrupt,
        lose_one,
        come_late,
        double,
        orphan,
        text_first,
        |source, turns, _| repeat_in_reply(source, turns),
        repeat_across,
        |source, turns, _| illegal_id(source, turns),
        |source, turns, _| illegal_id(source, turns),
        cut_call,
        |source, turns, _| blank_result(source, turns),
    ];
    let any: [Mistake; 7] = [
        |source, turns, _| blank_beside(source, turns),
        blank_alone,
        empty_message,
        lose_message,
        think_last,
        unsigned,
        end_blank,
    ];
    let has_calls = turns.iter().flat_map(|turn| &turn.blocks).any(|block| block.call().is_some());
    let mistake = match has_calls && !source.once_in(3) {
        true => with_calls[source.below(with_calls.len() as u32) as usize],
        false => any[source.below(any.len() as u32) as usize],
    };
    mistake(source, turns, calls);
}

/// The places of the blocks for which something holds.
fn places(turns: &[TurnPlan], is_meant: impl Fn(TurnBlock) -> bool) -> Vec<At> {
    let blocks = |(at, turn): (usize, &TurnPlan)| -> Vec<At> {
        let meant = turn.blocks.iter().enumerate().filter(|(_, block)| is_meant(**block));
        meant.map(|(block, _)| (at, block)).collect()
    };
    turns.iter().enumerate().flat_map(blocks).collect()
}

fn one_of<T: Copy>(source: &mut dyn Source, all: &[T]) -> Option<T> {
    if all.is_empty() { None } else { Some(all[source.below(all.len() as u32) as usize]) }
}

fn is_call(block: TurnBlock) -> bool {
    block.call().is_some()
}

fn is_result(block: TurnBlock) -> bool {
    block.result().is_some()
}

/// One of the results, or of the calls.
fn any_of(source: &mut dyn Source, turns: &[TurnPlan], is_meant: fn(TurnBlock) -> bool) -> Option<At> {
    one_of(source, &places(turns, is_meant))
}

/// Takes a block away, and its message if that was all.
fn take(turns: &mut Vec<TurnPlan>, (turn, block): At) -> TurnBlock {
    let taken = turns[turn].blocks.remove(block);
    turns[turn].as_text = false;
    if turns[turn].blocks.is_empty() {
        turns.remove(turn);
    }
    taken
}

fn said(source: &mut dyn Source) -> TurnBlock {
    TurnBlock::Text { text: Choice::at(source.byte(SAID)) }
}

/// No call of a reply has its result, and the user continues.
fn interrupt(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let Some((at, _)) = any_of(source, turns, is_call) else { return };
    let run_end = (at..turns.len()).find(|next| turns[*next].role == Speaker::User).unwrap_or(turns.len());
    while turns.get(run_end).is_some_and(|turn| turn.role == Speaker::User) {
        turns.remove(run_end);
    }
    if source.once_in(2) {
        turns.truncate(run_end);
    }
    if !source.once_in(6) {
        let blocks = vec![said(source)];
        turns.insert(run_end, TurnPlan::new(Speaker::User, blocks));
    }
}

/// One result never came.
fn lose_one(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    if let Some(at) = any_of(source, turns, is_result) {
        take(turns, at);
    }
}

/// A result comes after another message.
fn come_late(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let Some(at) = any_of(source, turns, is_result) else { return };
    let result = take(turns, at);
    let from = (at.0 + 1).min(turns.len());
    let place = (from + source.below(3) as usize).min(turns.len());
    turns.insert(place, TurnPlan::new(Speaker::User, vec![result]));
    if source.once_in(2) {
        let blocks = vec![said(source)];
        turns.insert(at.0.min(turns.len()), TurnPlan::new(Speaker::User, blocks));
    }
}

/// A result comes twice: at once, or later.
fn double(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let Some((turn, block)) = any_of(source, turns, is_result) else { return };
    let result = turns[turn].blocks[block];
    let form = if source.once_in(2) { ResultShape::Failed.place() } else { result.parts()[1] };
    let again = result.with(form, result.parts()[2]);
    match source.below(3) {
        0 => turns.insert(turn + 1, TurnPlan::new(Speaker::User, vec![again])),
        1 => turns.push(TurnPlan::new(Speaker::User, vec![again])),
        _ => turns[turn].blocks.insert(block + 1, again),
    }
}

/// There is a result without a call, or the call of one was lost.
fn orphan(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, calls: u8) {
    if source.once_in(2) {
        if let Some(at) = any_of(source, turns, is_call) {
            take(turns, at);
        }
        return;
    }
    let result = TurnBlock::Result { form: Choice::at(source.byte(4)), id: calls };
    let users: Vec<usize> = (0..turns.len()).filter(|at| turns[*at].role == Speaker::User).collect();
    if let Some(at) = one_of(source, &users) {
        turns[at].as_text = false;
        turns[at].blocks.insert(0, result);
    }
}

/// A text is before results.
fn text_first(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let Some((turn, block)) = any_of(source, turns, is_result) else { return };
    let text = said(source);
    if source.once_in(2) {
        turns.insert(turn, TurnPlan::new(Speaker::User, vec![text]));
    } else {
        turns[turn].blocks.insert(block, text);
    }
}

/// A reply has an id twice: the same call again, or another one.
fn repeat_in_reply(source: &mut dyn Source, turns: &mut [TurnPlan]) {
    let Some((turn, block)) = any_of(source, turns, is_call) else { return };
    let call = turns[turn].blocks[block];
    let form = if source.once_in(2) { source.byte(3) } else { call.parts()[1] };
    turns[turn].blocks.insert(block + 1, call.with(form, call.parts()[2]));
    let id = call.parts()[2];
    let result = places(turns, |block| block.result() == Some(id)).first().copied();
    if let Some((turn, block)) = result.filter(|_| source.once_in(2)) {
        let result = turns[turn].blocks[block];
        turns[turn].blocks.insert(block + 1, result.with(source.byte(4), id));
    }
}

/// A reply counts its calls from the beginning again.
fn repeat_across(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let calls = places(turns, is_call);
    let (Some(&first), Some(&last)) = (calls.first(), calls.last()) else { return };
    let id_at = |(turn, block): At| turns[turn].blocks[block].parts()[2];
    let (to, from) = (id_at(first), id_at(last));
    if first.0 != last.0 {
        renamed(turns, from, to);
    } else {
        // There is one reply with calls: it is there twice, with its results.
        let end = (first.0 + 2).min(turns.len());
        let again = turns[first.0..end].to_vec();
        turns.extend(again);
    }
    if source.once_in(4) {
        let blocks = vec![said(source)];
        turns.push(TurnPlan::new(Speaker::Assistant, blocks));
    }
}

/// Another vendor's id, in call and result.
fn illegal_id(source: &mut dyn Source, turns: &mut [TurnPlan]) {
    let count = 1 + source.below(2) as u8;
    for _ in 0..count {
        let Some((turn, block)) = any_of(source, turns, is_call) else { return };
        let from = turns[turn].blocks[block].parts()[2];
        let odd = LEGAL_ODD + source.byte(ODD_IDS.len() as u8 - LEGAL_ODD);
        renamed(turns, from, HAS_OWN_NUMBER + odd);
    }
}

fn renamed(turns: &mut [TurnPlan], from: u8, to: u8) {
    for block in turns.iter_mut().flat_map(|turn| &mut turn.blocks) {
        let [_, form, number] = block.parts();
        if (is_call(*block) || is_result(*block)) && number == from {
            *block = block.with(form, to);
        }
    }
}

/// The reply was cut off in the arguments of a call: there is no result, or an error.
fn cut_call(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let Some((turn, block)) = any_of(source, turns, is_call) else { return };
    let call = turns[turn].blocks[block];
    let id = call.parts()[2];
    turns[turn].blocks[block] = TurnBlock::Call { form: super::CallShape::Cut, id };
    turns[turn].blocks.truncate(block + 1);
    if source.once_in(2) {
        turns.truncate(turn + 1);
        let blocks = vec![said(source)];
        turns.push(TurnPlan::new(Speaker::User, blocks));
    }
}

/// A result has a blank text.
fn blank_result(source: &mut dyn Source, turns: &mut [TurnPlan]) {
    let Some((turn, block)) = any_of(source, turns, is_result) else { return };
    let id = turns[turn].blocks[block].parts()[2];
    let form = if source.once_in(2) { ResultShape::BlankPart } else { ResultShape::EmptyPart };
    turns[turn].blocks[block] = TurnBlock::Result { form, id };
}

fn blank(source: &mut dyn Source) -> TurnBlock {
    TurnBlock::Text { text: if source.once_in(2) { Words::Blank } else { Words::Empty } }
}

/// A blank text is beside other blocks.
fn blank_beside(source: &mut dyn Source, turns: &mut [TurnPlan]) {
    let all = places(turns, |_| true);
    // Mostly beside calls: models begin such replies with a line feed.
    let calls = places(turns, is_call);
    let at = if source.once_in(3) { one_of(source, &all) } else { one_of(source, &calls).or(one_of(source, &all)) };
    let Some((turn, block)) = at else { return };
    let place = block + source.below(2) as usize;
    turns[turn].as_text = false;
    turns[turn].blocks.insert(place, blank(source));
}

/// A message says nothing but white space.
fn blank_alone(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let at = source.below(turns.len() as u32 + 1) as usize;
    let role = if source.once_in(2) { Speaker::User } else { Speaker::Assistant };
    let (blocks, as_text) = (vec![blank(source)], source.once_in(2));
    turns.insert(at, TurnPlan { role, blocks, as_text });
}

/// A message has no content.
fn empty_message(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let at = source.below(turns.len() as u32 + 1) as usize;
    let role = if source.once_in(3) { Speaker::User } else { Speaker::Assistant };
    turns.insert(at, TurnPlan::new(role, Vec::new()));
}

/// A message was lost; the first, or any other.
fn lose_message(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    if turns.len() > 1 {
        let at = if source.once_in(2) { 0 } else { source.below(turns.len() as u32) as usize };
        turns.remove(at);
    }
}

/// A reply was cut off while the model thought, or thought only.
fn think_last(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let form = Choice::at(source.byte(SIGNED));
    let thought = TurnBlock::Thinking { form, number: 90 };
    let replies: Vec<usize> = (0..turns.len()).filter(|at| turns[*at].role == Speaker::Assistant).collect();
    match one_of(source, &replies).filter(|_| source.once_in(2)) {
        Some(at) => {
            turns[at].as_text = false;
            turns[at].blocks.push(thought);
        }
        None => {
            let at = 1 + source.below(turns.len().max(1) as u32) as usize;
            turns.insert(at.min(turns.len()), TurnPlan::new(Speaker::Assistant, vec![thought]));
        }
    }
}

/// Another vendor's model thought, without a signature.
fn unsigned(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    let form = if source.once_in(2) { Thought::Unsigned } else { Thought::EmptySignature };
    let replies: Vec<usize> = (0..turns.len()).filter(|at| turns[*at].role == Speaker::Assistant).collect();
    let thought = TurnBlock::Thinking { form, number: 91 };
    match one_of(source, &replies) {
        Some(at) => {
            turns[at].as_text = false;
            turns[at].blocks.insert(0, thought);
        }
        None => turns.push(TurnPlan::new(Speaker::Assistant, vec![thought])),
    }
}

/// The reply that ends the dialogue was cut off: it ends blank, or has nothing yet.
fn end_blank(source: &mut dyn Source, turns: &mut Vec<TurnPlan>, _: u8) {
    if turns.last().is_some_and(|last| last.role == Speaker::Assistant) {
        turns.pop();
    }
    let text = if source.once_in(4) { Words::Empty } else { Words::BlankEnd };
    let as_text = source.once_in(2);
    turns.push(TurnPlan { role: Speaker::Assistant, blocks: vec![TurnBlock::Text { text }], as_text });
}
