//! The *course* of a conversation: actions in an order in which they can really happen.

use super::action::Action;
use super::line::BlockPlan;
use super::pool::MEGABYTE;
use super::source::Source;

/// The form of a result that is a block of blank text.
const BLANK_RESULT: u8 = 5 + 6 * (2 * 4 + 1);

/// Whom the loop waits for, as far as the generator needs to know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    Prompt,
    Model,
    Tools,
}

/// Makes a course of about so many actions.
pub(super) fn course(source: &mut impl Source, count: usize) -> Vec<Action> {
    let mut course = Course { source, actions: Vec::new(), waiting: Waiting::Prompt, open: 0, blocks: 0 };
    while course.actions.len() < count {
        match course.waiting {
            Waiting::Prompt => course.between_turns(),
            Waiting::Model => course.while_streaming(),
            Waiting::Tools => course.while_tools_run(),
        }
    }
    course.actions
}

/// How some conversations end: the process dies, with or without what waited for the disk, and the session is
/// taken up again.
pub(super) fn ending(source: &mut impl Source) -> Vec<Action> {
    match source.below(8) {
        0 => vec![Action::Crash(0), Action::Resume],
        1 => vec![Action::Wait(4), Action::Crash(source.byte(255)), Action::Resume],
        _ => Vec::new(),
    }
}

struct Course<'s, S> {
    source: &'s mut S,
    actions: Vec<Action>,
    waiting: Waiting,
    /// How many calls are open.
    open: u8,
    /// How many blocks the reply has.
    blocks: u8,
}

impl<S: Source> Course<'_, S> {
    fn put(&mut self, action: Action) {
        self.actions.push(action);
    }

    /// A text: mostly plain, sometimes anything.
    fn text(&mut self) -> u8 {
        if self.source.once_in(4) { self.source.byte(MEGABYTE) } else { self.source.byte(3) }
    }

    fn request(&mut self) {
        self.waiting = Waiting::Model;
        self.blocks = 0;
    }

    fn between_turns(&mut self) {
        let action = match self.source.below(28) {
            0..14 => {
                let action = match self.source.once_in(8) {
                    true => Action::Paste(1 + self.source.byte(3)),
                    false => Action::Type(self.text()),
                };
                self.put(action);
                return self.request();
            }
            14..16 => Action::Meta(self.source.byte(16)),
            16 => Action::Attach(self.source.byte(252)),
            17 => Action::Command(self.text()),
            18 => Action::Notice(self.source.byte(20)),
            19 => Action::Hook(0, self.source.byte(12)),
            20..22 => self.compaction(),
            22 => Action::Microcompact(1 + self.source.byte(3)),
            23 => Action::Wait(self.source.byte(8)),
            24 => return self.crash(),
            25 => Action::Side(self.source.byte(24)),
            26 => Action::OtherWriter(self.source.byte(3)),
            _ => self.rare(),
        };
        self.put(action);
    }

    fn rare(&mut self) -> Action {
        match self.source.below(5) {
            0..2 => {
                if self.source.once_in(3) {
                    self.put(Action::Fork(0));
                }
                Action::Fork(if self.source.once_in(2) { 0 } else { self.source.byte(8) })
            }
            2 => Action::Resume,
            3 => Action::Interrupt,
            _ => Action::Disk([0, 4, 20, 255][self.source.below(4) as usize]),
        }
    }

    fn compaction(&mut self) -> Action {
        let keep = match self.source.below(4) {
            0 => 0,
            1..3 => 1 + self.source.byte(7),
            _ => 128 + self.source.byte(7),
        };
        Action::Compact(keep, self.source.byte(6))
    }

    fn crash(&mut self) {
        let lost = if self.source.once_in(2) { 0 } else { self.source.byte(255) };
        self.put(Action::Crash(lost));
        self.put(Action::Resume);
        (self.waiting, self.open) = (Waiting::Prompt, 0);
    }

    fn while_streaming(&mut self) {
        match self.source.below(40) {
            0..20 if self.blocks < 6 => self.block(),
            0..28 => {
                let reason = if self.source.once_in(8) { 1 + self.source.byte(3) } else { 0 };
                let waits = self.blocks > 0 && self.source.once_in(8);
                if waits {
                    // The lines wait for the disk when the reply's last fields come.
                    self.put(Action::Wait(1));
                }
                self.put(Action::End(reason));
                self.ended(reason);
                if waits {
                    self.put(Action::Wait(4));
                }
            }
            28 => self.type_meanwhile(),
            29..31 => {
                let times = self.source.byte(8);
                // Only what comes before the reply begins is waited for.
                let is_first = self.blocks == 0 && times.is_multiple_of(2);
                self.put(if is_first { Action::Summary(true) } else { Action::Wait(times) });
            }
            31 => self.put(Action::Ping),
            32 => {
                let came = self.source.once_in(2);
                self.put(Action::Summary(came));
            }
            33 if self.open > 0 => self.answer(),
            34 if self.open > 0 => self.beside_a_tool(),
            33..35 => self.block(),
            35 => self.half_block(),
            36 => self.stop_streaming(),
            37 => self.fall_back(),
            38 => {
                let which = self.source.byte(11);
                // Now and then until nobody tries again.
                let times = if which < 4 && self.source.once_in(4) { 4 } else { 1 };
                (0..times).for_each(|_| self.put(Action::Fail(which)));
                self.failed(if times > 1 { 4 } else { which });
            }
            _ => {
                if self.blocks > 0 {
                    if self.open > 0 && self.source.once_in(2) {
                        self.answer();
                    }
                    // Long enough for what was shown to be on disk.
                    self.put(Action::Wait(4));
                }
                self.put(Action::Break);
                (self.blocks, self.open) = (0, 0);
                if self.source.once_in(2) {
                    self.block();
                }
            }
        }
    }

    /// What the loop waits for after a failure: some pass, others end the turn.
    fn failed(&mut self, which: u8) {
        (self.blocks, self.open) = (0, 0);
        if which >= 4 {
            self.waiting = Waiting::Prompt;
        }
    }

    /// Another model takes over, half of the time when what was shown is on disk, with the result of a call.
    fn fall_back(&mut self) {
        if self.source.once_in(2) {
            if self.open > 0 {
                self.answer();
            }
            self.put(Action::Wait(4));
        }
        self.put(Action::Fallback);
        (self.blocks, self.open) = (0, 0);
        if self.source.once_in(2) {
            self.block();
        }
    }

    fn stop_streaming(&mut self) {
        match self.source.once_in(4) {
            true => self.crash(),
            false => self.interrupt(),
        }
    }

    fn interrupt(&mut self) {
        self.put(Action::Interrupt);
        (self.waiting, self.open) = (Waiting::Prompt, 0);
    }

    fn block(&mut self) {
        let text = self.text();
        let block = match self.source.below(12) {
            0..4 => BlockPlan::Text(text),
            4..9 => {
                self.open += 1;
                BlockPlan::ToolUse(self.source.byte(8))
            }
            9 => BlockPlan::Thinking(text),
            10 => BlockPlan::RedactedThinking,
            _ if self.source.once_in(2) => BlockPlan::Unknown(text % 2),
            _ => {
                let which = self.source.byte(4);
                self.put(Action::Block(BlockPlan::ServerToolUse(which), 1));
                BlockPlan::ServerToolResult(which)
            }
        };
        let cuts = self.source.byte(4);
        self.put(Action::Block(block, cuts));
        self.blocks += 1;
        if self.source.once_in(8) {
            // Too short for the queue of the transcript to become due.
            self.put(Action::Wait(1));
        }
    }

    /// A block that does not get to its end.
    fn half_block(&mut self) {
        let block = match self.source.below(3) {
            0 => BlockPlan::Text(2),
            1 => BlockPlan::ToolUse(0),
            _ => BlockPlan::Thinking(2),
        };
        self.put(Action::HalfBlock(block));
        match self.source.below(5) {
            0 => self.put(Action::Break),
            1 => self.put(Action::Fallback),
            2 => return self.interrupt(),
            3 => return self.crash(),
            _ => {
                self.open += u8::from(block == BlockPlan::ToolUse(0));
                self.put(Action::End(1));
                return self.ended(1);
            }
        }
        (self.blocks, self.open) = (0, 0);
    }

    /// The reply has ended.
    fn ended(&mut self, reason: u8) {
        if reason == 1 && self.open > 0 {
            // The last call was cut, and has its answer.
            self.open -= 1;
        }
        self.waiting = match (self.open, reason) {
            (0, 1) => Waiting::Model,
            (0, _) => Waiting::Prompt,
            _ => Waiting::Tools,
        };
        self.blocks = 0;
    }

    fn while_tools_run(&mut self) {
        match self.source.below(20) {
            0..10 => self.answer(),
            10..12 => {
                let (which, denial) = (self.source.byte(4), self.source.byte(9));
                self.put(Action::Deny(which, denial));
                match denial {
                    0 | 8 => (self.waiting, self.open) = (Waiting::Prompt, 0),
                    _ => self.answered(),
                }
            }
            12..15 => self.beside_a_tool(),
            15..17 => self.type_meanwhile(),
            17 => self.interrupt(),
            18 if self.source.once_in(3) => self.crash(),
            18 => {
                let action = self.compaction();
                self.put(action);
            }
            _ => {
                let times = self.source.byte(8);
                self.put(Action::Wait(times));
            }
        }
    }

    /// Somebody types, or pastes, what has to wait.
    fn type_meanwhile(&mut self) {
        let text = self.text();
        self.put(if text == 2 { Action::Paste(1) } else { Action::Type(text) });
    }

    fn beside_a_tool(&mut self) {
        let which = self.source.byte(4);
        let action = match self.source.below(6) {
            0..2 => Action::Progress(which),
            2..4 => Action::Hook(which, self.source.byte(12)),
            4 => {
                if self.source.once_in(2) {
                    self.put(Action::Subagent(which));
                }
                Action::Subagent(which)
            }
            _ => Action::Attach(self.source.byte(252)),
        };
        self.put(action);
    }

    fn answer(&mut self) {
        let which = self.source.byte(4);
        let form = match self.source.below(12) {
            0..7 => self.source.byte(6),
            7..11 => self.source.byte(250),
            _ => BLANK_RESULT,
        };
        self.put(Action::Result(which, form));
        self.answered();
    }

    fn answered(&mut self) {
        self.open = self.open.saturating_sub(1);
        if self.open == 0 && self.waiting == Waiting::Tools {
            self.request();
            if self.source.once_in(4) {
                // In time; some fail.
                let came = !self.source.once_in(4);
                self.put(Action::Summary(came));
            }
        }
    }
}
