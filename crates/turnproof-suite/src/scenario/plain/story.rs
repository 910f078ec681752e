//! A *story* is how a dialogue comes about: prompt, reply, results, reply, and so on, as sound as a client makes it.

use super::block::{HAS_OWN_NUMBER, LEGAL_ODD, SAID, SIGNED, SOUND_RESULTS, WHOLE_CALLS};
use super::mistake::spoil;
use super::{Speaker, TurnBlock, TurnPlan, Words};
use crate::scenario::{Choice, Source};

/// A dialogue: in half of the cases as it went, in the others with one mistake, or with two or three.
pub(in crate::scenario) fn dialogue(source: &mut dyn Source) -> Vec<TurnPlan> {
    let goes_wrong = source.once_in(2);
    let most = if source.once_in(20) { 6 } else { 3 };
    let rounds = 1 + source.below(most);
    let mut story = Story { source, turns: Vec::new(), calls: 0, thoughts: 0 };
    for _ in 0..rounds {
        story.round();
    }
    if story.source.once_in(3) {
        // The last reply is still to come. It is one message.
        story.turns.pop();
    }
    let Story { source, mut turns, calls, .. } = story;
    end(&mut turns);
    if goes_wrong {
        let mistakes = [1, 1, 2, 3][source.below(4) as usize];
        (0..mistakes).for_each(|_| spoil(source, &mut turns, calls));
    }
    turns
}

/// Ends a dialogue as a request may end: no reply at its end ends blank.
fn end(turns: &mut [TurnPlan]) {
    let last = turns.last_mut().filter(|last| last.role == Speaker::Assistant);
    for block in last.into_iter().flat_map(|last| &mut last.blocks) {
        if block.text() == Some(Words::BlankEnd) {
            *block = TurnBlock::Text { text: Words::Letter };
        }
    }
}

struct Story<'s> {
    source: &'s mut dyn Source,
    turns: Vec<TurnPlan>,
    /// How many calls there are.
    calls: u8,
    /// How many thoughts there are.
    thoughts: u8,
}

impl Story<'_> {
    /// A prompt and what comes of it.
    fn round(&mut self) {
        self.prompt();
        for _ in 0..self.source.below(3) {
            let open = self.reply_with_calls();
            self.results(&open);
        }
        let mut blocks = self.said();
        if blocks.last().is_none_or(|last| last.is_thinking()) {
            blocks.push(self.text());
        }
        self.say(Speaker::Assistant, blocks);
    }

    /// What the user says: in one message, or in two.
    fn prompt(&mut self) {
        let messages = if self.source.once_in(8) { 2 } else { 1 };
        for _ in 0..messages {
            let mut blocks = vec![self.text()];
            if self.source.once_in(6) {
                let media = self.media();
                let at = self.source.below(2) as usize;
                blocks.insert(at, media);
            }
            if self.source.once_in(6) {
                blocks.push(self.text());
            }
            self.say(Speaker::User, blocks);
        }
    }

    fn media(&mut self) -> TurnBlock {
        let form = self.source.byte(12);
        if self.source.once_in(2) {
            TurnBlock::Image { form: Choice::at(form) }
        } else {
            TurnBlock::Document { form: Choice::at(form) }
        }
    }

    /// Thinking and texts, as a reply begins.
    fn said(&mut self) -> Vec<TurnBlock> {
        let mut blocks = Vec::new();
        if self.source.once_in(3) {
            blocks.push(self.thought());
        }
        if self.source.once_in(2) {
            blocks.push(self.text());
        }
        if !blocks.is_empty() && self.source.once_in(8) {
            blocks.push(self.thought());
        }
        blocks
    }

    /// A reply with calls, in one message or in one of each part; gives the numbers of the calls.
    fn reply_with_calls(&mut self) -> Vec<u8> {
        let mut blocks = self.said();
        let count = [1, 1, 1, 2, 2, 3][self.source.below(6) as usize];
        let mut calls = Vec::new();
        for _ in 0..count {
            let id = self.fresh_call(&calls);
            calls.push(id);
            let form = Choice::at(if self.source.once_in(2) { 0 } else { self.source.byte(WHOLE_CALLS) });
            blocks.push(TurnBlock::Call { form, id });
        }
        if self.source.once_in(20) {
            blocks.push(self.text());
        }
        let parts = if blocks.len() > 1 && self.source.once_in(8) { 1 } else { blocks.len() };
        for part in blocks.chunks(parts) {
            self.say(Speaker::Assistant, part.to_vec());
        }
        calls
    }

    /// The number of an id that no call has yet, also none of these.
    fn fresh_call(&mut self, others: &[u8]) -> u8 {
        let is_odd = self.source.once_in(8);
        let odd = HAS_OWN_NUMBER + if is_odd { self.source.byte(LEGAL_ODD) } else { 0 };
        let mut known = self.turns.iter().flat_map(|turn| &turn.blocks).filter_map(|block| block.call());
        if is_odd && !others.contains(&odd) && !known.any(|call| call == odd) {
            return odd;
        }
        self.calls += 1;
        self.calls - 1
    }

    /// The results of calls: in one message, with or without a text behind them, or in one each.
    fn results(&mut self, open: &[u8]) {
        let mut blocks: Vec<TurnBlock> = open.iter().map(|id| self.result(*id)).collect();
        if self.source.once_in(12) {
            blocks.reverse();
        }
        if self.source.once_in(6) {
            blocks.push(self.text());
        }
        if blocks.len() > 1 && self.source.once_in(4) {
            for block in blocks {
                self.say(Speaker::User, vec![block]);
            }
        } else {
            self.say(Speaker::User, blocks);
        }
    }

    fn result(&mut self, id: u8) -> TurnBlock {
        let form = if self.source.once_in(3) { 0 } else { self.source.byte(SOUND_RESULTS) };
        TurnBlock::Result { form: Choice::at(form), id }
    }

    fn text(&mut self) -> TurnBlock {
        let text = if self.source.once_in(2) { 0 } else { self.source.byte(SAID) };
        TurnBlock::Text { text: Choice::at(text) }
    }

    fn thought(&mut self) -> TurnBlock {
        let form = if self.source.once_in(2) { 0 } else { self.source.byte(SIGNED) };
        self.thoughts += 1;
        TurnBlock::Thinking { form: Choice::at(form), number: self.thoughts - 1 }
    }

    fn say(&mut self, role: Speaker, blocks: Vec<TurnBlock>) {
        let is_text = matches!(blocks.as_slice(), [TurnBlock::Text { .. }]);
        let as_text = is_text && self.source.once_in(2);
        self.turns.push(TurnPlan { role, blocks, as_text });
    }
}
