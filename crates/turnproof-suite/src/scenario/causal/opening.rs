//! Beginnings of conversations that hold together what chance alone seldom does.

use super::{ActionsBuilder, Waiting};
use crate::engine::{Failure, Keep};
use crate::scenario::action::PRESERVED;
use crate::scenario::pool::PoolText;
use crate::scenario::{Action, BlockPlan, Choice, Denied, Gives, Misfit, Stop};

impl ActionsBuilder<'_> {
    /// How some conversations begin: what a client has to carry on from there, and what chance alone seldom brings
    /// together.
    pub(super) fn opening(&mut self) {
        match self.source.below(25) {
            0..8 => self.opening_call(),
            // A prompt with a field of a wrong type.
            8 | 9 => {
                self.actions.push(Action::Misfit(Misfit::Prompt));
                self.waiting = Waiting::Model;
            }
            // What was said is compacted away, and the session is resumed.
            10 => {
                let preserve = PRESERVED[usize::from(self.source.byte(3))];
                let compact = Action::Compact { keep: Keep::Nothing, preserve, is_automatic: false };
                self.actions.extend([Action::Type(PoolText::Plain), Action::End(Stop::Done), compact, Action::Resume]);
            }
            // The API fails in one way until the request is given up.
            11 | 16 | 17 => {
                self.actions.push(Action::Type(PoolText::Plain));
                let passing: Vec<Failure> = Failure::ALL.into_iter().filter(|failure| failure.may_pass()).collect();
                let failure = passing[self.source.below(passing.len() as u32) as usize];
                self.actions.extend([Action::Fail(failure); 4]);
            }
            // The API refuses the request, or cannot take it now.
            12 | 13 => {
                let failure = Failure::ALL[self.source.below(Failure::ALL.len() as u32) as usize];
                self.actions.extend([Action::Type(PoolText::Plain), Action::Fail(failure)]);
                self.waiting = if failure.may_pass() { Waiting::Model } else { Waiting::Prompt };
            }
            14 => {
                let words = self.words();
                self.actions.push(Action::Tell(words));
            }
            // The client guesses what comes next, and the conversation is compacted behind that.
            15 => {
                self.actions.extend([Action::Type(PoolText::Plain), Action::End(Stop::Done), Action::Speculate]);
                let compaction = self.compaction();
                self.actions.push(compaction);
            }
            // One of two calls is rejected, so the other is cancelled.
            19 => {
                let calls = [(); 2].map(|()| Action::Block(BlockPlan::call(self.source.byte(8)), 0));
                let denial = [Denied::User, Denied::Cancel][self.source.below(2) as usize];
                self.actions.extend([Action::Type(PoolText::Plain), calls[0], calls[1], Action::End(Stop::Done)]);
                self.actions.push(Action::Deny { call: self.source.byte(2), denial });
            }
            20 | 21 => self.compactions_of_one_thing(),
            // Somebody types while a reply streams that ends at the limit of its output, with a call or without one.
            22 | 23 => {
                let reply = Action::Block(BlockPlan::text(PoolText::Plain), 0);
                self.actions.extend([Action::Type(PoolText::Plain), reply, Action::Type(PoolText::Another)]);
                if self.source.once_in(2) {
                    self.actions.push(Action::Block(BlockPlan::call(self.source.byte(8)), 0));
                }
                self.actions.push(Action::End(Stop::MaxTokens));
                self.waiting = Waiting::Model;
            }
            // A reply says a call twice under one id, and the tool runs once.
            24 => {
                let calls = [(); 2].map(|()| Action::Block(BlockPlan::call(self.source.byte(8)), 0));
                let reply = [calls[0], Action::SameCall, calls[1], Action::End(Stop::Done), Action::RESULT];
                self.actions.push(Action::Type(PoolText::Plain));
                self.actions.extend(reply);
                self.waiting = Waiting::Model;
            }
            // Somebody types while the model answers, and stops it.
            _ => {
                self.actions.extend([Action::Type(PoolText::Plain), Action::Type(PoolText::Another), Action::Interrupt])
            }
        }
    }

    /// A compaction keeps what an earlier one has kept, alone or with what came between them; then a resume.
    fn compactions_of_one_thing(&mut self) {
        let reply = Action::Block(BlockPlan::text(PoolText::Plain), 0);
        let turn = [Action::Type(PoolText::Plain), reply, Action::End(Stop::Done)];
        let counts = [2, 3 + u64::from(self.source.byte(2))];
        for (count, turn) in counts.into_iter().zip([turn, turn]) {
            let preserve = PRESERVED[usize::from(self.source.byte(3))];
            self.actions.extend(turn);
            self.actions.push(Action::Compact { keep: Keep::Last(count), preserve, is_automatic: false });
        }
        if self.source.once_in(2) {
            let preserve = PRESERVED[usize::from(self.source.byte(3))];
            self.actions.push(Action::Compact { keep: Keep::Last(2), preserve, is_automatic: true });
        }
        if self.source.once_in(2) {
            self.actions.push(Action::Crash(0));
        }
        self.actions.push(Action::Resume);
    }

    /// A call has its result when its reply is abandoned, and the next reply has a call of the same number.
    pub(super) fn answered_and_abandoned(&mut self) {
        let call = Action::Block(BlockPlan::call(self.source.byte(8)), 0);
        let begins = [Action::Type(PoolText::Plain), call, Action::RESULT];
        self.actions.extend(begins.into_iter().chain([Action::Fallback, call, Action::End(Stop::Done)]));
        (self.waiting, self.open) = (Waiting::Tools, 1);
    }

    /// A call that fails, is denied, or has a long result. Or a conversation with a result that continues as a fork, or
    /// one in which an old result is cleared.
    fn opening_call(&mut self) {
        let start = self.actions.len();
        let call = BlockPlan::call(self.source.byte(8));
        let opening = [Action::Type(PoolText::Plain), Action::Block(call, 0), Action::End(Stop::Done)];
        self.actions.extend(opening);
        match self.source.below(10) {
            0 => {
                self.actions.push(Action::Result { call: 0, gives: Gives::Error });
                self.waiting = Waiting::Model;
            }
            // An old result is cleared, and the session is resumed. Another result may have the same id.
            1 | 2 => {
                if self.source.once_in(2) {
                    self.actions.insert(start, Action::NumberCalls);
                }
                let call = BlockPlan::call(self.source.byte(8));
                self.actions.extend([Action::RESULT, Action::Block(call, 0), Action::End(Stop::Done), Action::RESULT]);
                self.actions.extend([Action::End(Stop::Done), Action::Microcompact(1), Action::Resume]);
                self.results = 2;
            }
            3..8 => {
                let denial = Denied::at(self.source.byte(9));
                self.actions.push(Action::Deny { call: 0, denial });
                self.waiting = if denial.stops_the_turn() { Waiting::Prompt } else { Waiting::Model };
            }
            8 => {
                self.actions.push(Action::Result { call: 0, gives: Gives::Text(PoolText::Long) });
                self.waiting = Waiting::Model;
            }
            _ => self.actions.extend([Action::RESULT, Action::End(Stop::Done), Action::Fork(0)]),
        }
    }
}
