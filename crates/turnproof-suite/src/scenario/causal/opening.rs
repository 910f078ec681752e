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
        match self.source.below(19) {
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
            // Somebody types while the model answers, and stops it.
            _ => {
                self.actions.extend([Action::Type(PoolText::Plain), Action::Type(PoolText::Another), Action::Interrupt])
            }
        }
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
