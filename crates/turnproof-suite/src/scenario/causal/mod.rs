//! Generates the actions of a conversation in an order in which they can really happen.

mod opening;

use crate::engine::{Failure, Keep, MAX_CONTINUATIONS};
use crate::scenario::action::{OUTCOMES, PRESERVED};
use crate::scenario::pool::{
    AttachmentForm, PLAIN_ATTACHMENTS, PoolText, ServerCallForm, ServerResultForm, SideKind, Subtype, TextForm,
};
use crate::scenario::{Action, BlockPlan, Choice, Denied, Gives, HookTime, Meta, Misfit, Source, Stop, Written};

/// Whom the loop waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    Prompt,
    Model,
    Tools,
}

/// Makes about so many actions.
pub(in crate::scenario) fn actions(source: &mut dyn Source, count: usize) -> Vec<Action> {
    let mut builder = ActionsBuilder {
        source,
        actions: Vec::new(),
        waiting: Waiting::Prompt,
        open: 0,
        blocks: 0,
        results: 0,
        is_stopped: false,
    };
    let mut count = count;
    let is_numbered = builder.source.once_in(6);
    if is_numbered {
        builder.actions.push(Action::NumberCalls);
        // Ids come again only in later replies.
        count += 8;
    }
    if is_numbered && builder.source.once_in(8) {
        builder.answered_and_abandoned();
    } else if builder.source.once_in(2) {
        builder.opening();
        count += builder.actions.len();
    }
    while builder.actions.len() < count {
        match builder.waiting {
            Waiting::Prompt => builder.between_turns(),
            Waiting::Model => builder.while_streaming(),
            Waiting::Tools => builder.while_tools_run(),
        }
    }
    builder.actions
}

/// How some conversations end: the process dies, before or after the queue is written, and the session is resumed.
pub(in crate::scenario) fn ending(source: &mut dyn Source) -> Vec<Action> {
    match source.below(8) {
        0 => vec![Action::Crash(0), Action::Resume],
        1 => vec![Action::Wait(4), Action::Crash(source.byte(255)), Action::Resume],
        _ => Vec::new(),
    }
}

struct ActionsBuilder<'s> {
    source: &'s mut dyn Source,
    actions: Vec<Action>,
    waiting: Waiting,
    /// How many calls are open.
    open: u8,
    /// How many blocks the reply has.
    blocks: u8,
    /// How many calls have a result.
    results: usize,
    /// Whether a rejection has stopped the turn while its reply is streamed.
    is_stopped: bool,
}

impl ActionsBuilder<'_> {
    /// A text: mostly plain, sometimes anything.
    fn text(&mut self) -> PoolText {
        let bound = if self.source.once_in(4) { PoolText::count() } else { 3 };
        PoolText::at(self.source.byte(bound))
    }

    /// A text of several lines, half of the time.
    fn words(&mut self) -> PoolText {
        let of_lines = [PoolText::Paragraphs, PoolText::LineEnds];
        if self.source.once_in(2) { of_lines[self.source.below(2) as usize] } else { self.text() }
    }

    fn between_turns(&mut self) {
        let action = match self.source.below(31) {
            0..14 => {
                (self.waiting, self.blocks) = (Waiting::Model, 0);
                if self.source.once_in(8) { Action::Paste(1 + self.source.byte(6)) } else { Action::Type(self.text()) }
            }
            14..16 => Action::Meta(meta(self.source.byte(20))),
            16 => attachment(self.source.below(7 * u32::from(PLAIN_ATTACHMENTS))),
            17 => Action::Command(self.text()),
            18 if self.source.once_in(2) => Action::Tell(self.words()),
            18 => Action::Notice(notice(self.source.byte(14))),
            19 => hook(0, self.source.byte(12)),
            20 => self.compaction(),
            21..24 if self.results > 1 => return self.microcompaction(),
            21 => self.compaction(),
            22 => Action::Microcompact(self.source.byte(4)),
            23 => Action::Wait(self.source.byte(8)),
            24 => return self.crash(),
            25 => Action::Side(SideKind::at(self.source.byte(24))),
            26 => Action::OtherWriter(Written::at(self.source.byte(Written::count()))),
            27 => self.rare(),
            28 if self.source.once_in(2) => return self.speculation(),
            29 if self.source.once_in(3) => Action::Fork(0),
            _ => attachment(self.source.below(7 * u32::from(PLAIN_ATTACHMENTS))),
        };
        self.actions.push(action);
    }

    /// Old results are cleared; then the session is resumed, or somebody types.
    fn microcompaction(&mut self) {
        self.actions.push(Action::Microcompact(1 + self.source.byte(3)));
        match self.source.below(4) {
            0 => self.actions.push(Action::Resume),
            1..3 => {
                (self.waiting, self.blocks) = (Waiting::Model, 0);
                self.actions.push(Action::Type(PoolText::Plain));
            }
            _ => {}
        }
    }

    /// The client guesses what comes next; then mostly somebody types, or the conversation is compacted.
    fn speculation(&mut self) {
        self.actions.push(Action::Speculate);
        if self.source.once_in(3) {
            let compaction = self.compaction();
            self.actions.push(compaction);
        } else if !self.source.once_in(4) {
            (self.waiting, self.blocks) = (Waiting::Model, 0);
            self.actions.push(Action::Type(PoolText::Plain));
        }
    }

    fn rare(&mut self) -> Action {
        match self.source.below(6) {
            5 => self.misfit(),
            0..2 => {
                if self.source.once_in(3) {
                    self.actions.push(Action::Fork(0));
                }
                Action::Fork(if self.source.once_in(2) { 0 } else { self.source.byte(8) })
            }
            2 => Action::Resume,
            3 => Action::Interrupt,
            _ => Action::Disk([Some(0), Some(4), Some(20), None][self.source.below(4) as usize]),
        }
    }

    /// A prompt or an attachment with known fields of a wrong type.
    fn misfit(&mut self) -> Action {
        if self.source.once_in(3) {
            return Action::Misfit(Misfit::Attachment);
        }
        (self.waiting, self.blocks) = (Waiting::Model, 0);
        Action::Misfit(Misfit::Prompt)
    }

    fn compaction(&mut self) -> Action {
        let keep = match self.source.below(4) {
            0 => Keep::Nothing,
            1..3 => Keep::Last(u64::from(1 + self.source.byte(7))),
            _ => Keep::First(u64::from(self.source.byte(7))),
        };
        let form = self.source.byte(6);
        Action::Compact { keep, preserve: PRESERVED[usize::from(form % 3)], is_automatic: form >= 3 }
    }

    fn crash(&mut self) {
        let lost = if self.source.once_in(2) { 0 } else { self.source.byte(255) };
        if self.open > 0 && self.source.once_in(2) {
            // The calls are on disk.
            self.actions.push(Action::Wait(4));
        }
        self.actions.push(Action::Crash(lost));
        if self.source.once_in(3) {
            // A dead process takes nothing.
            let late = LATE[self.source.below(LATE.len() as u32) as usize];
            self.actions.push(late);
        }
        self.actions.push(Action::Resume);
        (self.waiting, self.open) = (Waiting::Prompt, 0);
    }

    fn while_streaming(&mut self) {
        match self.source.below(40) {
            0..20 if self.blocks < 6 => self.block(),
            0..28 => {
                let reason = Stop::at(if self.source.once_in(8) { 1 + self.source.byte(3) } else { 0 });
                let waits = self.blocks > 0 && self.source.once_in(8);
                if waits {
                    // The lines are still queued when the late fields come.
                    self.actions.push(Action::Wait(1));
                }
                self.actions.push(Action::End(reason));
                self.ended(reason);
                if reason == Stop::MaxTokens && self.waiting == Waiting::Model && self.source.once_in(3) {
                    // The model reaches the limit until it is not asked to go on any more.
                    self.actions.extend([Action::End(reason); MAX_CONTINUATIONS as usize]);
                    self.waiting = Waiting::Prompt;
                }
                if waits {
                    self.actions.push(Action::Wait(4));
                }
            }
            28 => (0..1 + self.source.below(2)).for_each(|_| self.type_meanwhile()),
            29..31 => {
                let times = self.source.byte(8);
                // A summary is taken only before the reply begins.
                let is_first = self.blocks == 0 && times.is_multiple_of(2);
                self.actions.push(if is_first { Action::Summary(true) } else { Action::Wait(times) });
            }
            31 => self.actions.push(Action::Ping),
            32 => self.actions.push(Action::Summary(self.source.once_in(2))),
            33 if self.open > 0 && self.source.once_in(2) => self.deny(),
            33 if self.open > 0 => self.answer(),
            34 if self.open > 0 => self.beside_a_tool(),
            33..35 => self.block(),
            35 => self.half_block(),
            36 if self.source.once_in(4) => self.crash(),
            36 => self.interrupt(),
            37 => self.fall_back(),
            38 => {
                let failure = Failure::ALL[self.source.below(Failure::ALL.len() as u32) as usize];
                // Sometimes until the request is given up.
                let is_given_up = failure.may_pass() && self.source.once_in(2);
                let fails = if self.source.once_in(2) { Action::StreamError } else { Action::Fail };
                self.actions.extend(vec![fails(failure); if is_given_up { 4 } else { 1 }]);
                (self.blocks, self.open) = (0, 0);
                if is_given_up || !failure.may_pass() {
                    self.waiting = Waiting::Prompt;
                }
            }
            _ => {
                if self.blocks > 0 {
                    match self.open > 0 {
                        true if self.source.once_in(4) => self.deny(),
                        true if self.source.once_in(2) => self.answer(),
                        _ => {}
                    }
                    // Long enough for the lines to be on disk.
                    self.actions.push(Action::Wait(4));
                }
                self.actions.push(Action::Break);
                (self.blocks, self.open, self.is_stopped) = (0, 0, false);
                if self.source.once_in(2) {
                    self.block();
                }
            }
        }
    }

    /// The use of a tool is denied while the reply is streamed. A rejection stops the turn when the reply ends.
    fn deny(&mut self) {
        let (call, denial) = (self.source.byte(4), Denied::at(self.source.byte(9)));
        self.actions.push(Action::Deny { call, denial });
        self.open = self.open.saturating_sub(1);
        self.is_stopped |= denial.stops_the_turn();
    }

    /// Another model takes over. Half of the time the lines so far are on disk, with the result of a call.
    fn fall_back(&mut self) {
        if self.source.once_in(2) {
            match self.open > 0 {
                true if self.source.once_in(3) => self.deny(),
                true => self.answer(),
                false => {}
            }
            self.actions.push(Action::Wait(4));
        }
        self.actions.push(Action::Fallback);
        (self.blocks, self.open, self.is_stopped) = (0, 0, false);
        if self.source.once_in(2) {
            self.block();
        }
    }

    fn interrupt(&mut self) {
        self.actions.push(Action::Interrupt);
        (self.waiting, self.open) = (Waiting::Prompt, 0);
    }

    fn block(&mut self) {
        if self.blocks == 0 && self.source.once_in(12) {
            self.actions.push(Action::Misfit(Misfit::Usage));
        }
        let text = self.text();
        let block = match self.source.below(12) {
            0..4 if self.source.once_in(12) => BlockPlan::text(PoolText::LineFeedEnd),
            0..4 if self.source.once_in(8) => BlockPlan::Text { form: TextForm::Cited, text },
            0..4 => BlockPlan::text(text),
            4..9 => {
                self.open += 1;
                BlockPlan::call(self.source.byte(8))
            }
            // Some models hide what they think.
            9 if self.source.once_in(6) => BlockPlan::thinking(PoolText::Empty),
            9 => BlockPlan::thinking(text),
            10 => BlockPlan::RedactedThinking,
            _ if self.source.once_in(2) => {
                [BlockPlan::Unknown { text: PoolText::Plain }, BlockPlan::Compaction][self.source.below(2) as usize]
            }
            _ => {
                let call = self.source.byte(4);
                let form = ServerCallForm::Plain;
                self.actions.push(Action::Block(BlockPlan::ServerToolUse { form, call }, 1));
                BlockPlan::ServerToolResult { form: ServerResultForm::OfNumber, call }
            }
        };
        let cuts = self.source.byte(4);
        self.actions.push(Action::Block(block, cuts));
        self.blocks += 1;
        if self.source.once_in(8) {
            // Too short for the recorder's queue to become due.
            self.actions.push(Action::Wait(1));
        }
    }

    fn half_block(&mut self) {
        let block = match self.source.below(3) {
            0 => BlockPlan::text(PoolText::Words),
            1 => BlockPlan::call(0),
            _ => BlockPlan::thinking(PoolText::Words),
        };
        self.actions.push(Action::HalfBlock(block));
        match self.source.below(5) {
            0 => self.actions.push(Action::Break),
            1 => self.actions.push(Action::Fallback),
            2 => return self.interrupt(),
            3 => return self.crash(),
            _ => {
                self.open += u8::from(block == BlockPlan::call(0));
                self.actions.push(Action::End(Stop::MaxTokens));
                return self.ended(Stop::MaxTokens);
            }
        }
        (self.blocks, self.open) = (0, 0);
    }

    fn ended(&mut self, reason: Stop) {
        if reason == Stop::MaxTokens && self.open > 0 {
            // The last call was cut, and has its result.
            self.open -= 1;
        }
        self.waiting = match (self.open, reason) {
            _ if self.is_stopped => Waiting::Prompt,
            (0, Stop::MaxTokens) => Waiting::Model,
            (0, _) => Waiting::Prompt,
            _ => Waiting::Tools,
        };
        if std::mem::take(&mut self.is_stopped) {
            self.open = 0;
        }
        self.blocks = 0;
    }

    fn while_tools_run(&mut self) {
        match self.source.below(20) {
            0..10 => self.answer(),
            10..13 => {
                let call = self.source.byte(4);
                let denial = Denied::at(self.source.byte(9));
                self.actions.push(Action::Deny { call, denial });
                match denial.stops_the_turn() {
                    true => (self.waiting, self.open) = (Waiting::Prompt, 0),
                    false => self.answered(),
                }
            }
            13..15 => self.beside_a_tool(),
            15..17 => self.type_meanwhile(),
            17 => self.interrupt(),
            18 if self.source.once_in(3) => self.crash(),
            18 => {
                let action = self.compaction();
                self.actions.push(action);
            }
            _ => self.actions.push(Action::Wait(self.source.byte(8))),
        }
    }

    /// Somebody types or pastes while the loop is busy.
    fn type_meanwhile(&mut self) {
        let text = match self.source.below(5) {
            0 => PoolText::BlankEnd,
            1 => PoolText::BlankBeginning,
            2 => PoolText::LineFeedEnd,
            _ => self.text(),
        };
        self.actions.push(if text == PoolText::Words { Action::Paste(1) } else { Action::Type(text) });
    }

    fn beside_a_tool(&mut self) {
        let which = self.source.byte(4);
        let action = match self.source.below(6) {
            0..2 => Action::Progress(which),
            2..4 => hook(which, self.source.byte(18)),
            4 => {
                if self.source.once_in(2) {
                    self.actions.push(Action::Subagent(which));
                }
                Action::Subagent(which)
            }
            _ => attachment(self.source.below(7 * u32::from(PLAIN_ATTACHMENTS))),
        };
        self.actions.push(action);
    }

    fn answer(&mut self) {
        let call = self.source.byte(4);
        let gives = match self.source.below(15) {
            0..7 => given(self.source.byte(6)),
            7..11 => given(self.source.byte(250)),
            11 | 12 => match self.source.below(14) {
                0..2 => Gives::Object,
                2..4 => Gives::ErrorBlocks,
                4..6 => Gives::Foreign,
                6..13 => Gives::Text(PoolText::Long),
                _ => Gives::TextBlock(PoolText::Blank),
            },
            13 => Gives::Text(PoolText::LikeAnError),
            _ => Gives::Text(self.text()),
        };
        self.actions.push(Action::Result { call, gives });
        self.results += 1;
        self.answered();
        if self.waiting == Waiting::Tools && self.source.once_in(6) {
            let outcome = OUTCOMES[usize::from(self.source.byte(6))];
            self.actions.push(Action::Hook { call: self.source.byte(4), when: HookTime::Late, outcome });
        }
    }

    fn answered(&mut self) {
        self.open = self.open.saturating_sub(1);
        if self.open == 0 && self.waiting == Waiting::Tools {
            (self.waiting, self.blocks) = (Waiting::Model, 0);
            if self.source.once_in(4) {
                self.actions.push(Action::Summary(!self.source.once_in(4)));
            }
        }
    }
}

/// What may come when the process has died.
const LATE: [Action; 8] = [
    Action::Type(PoolText::Another),
    Action::Type(PoolText::Another),
    Action::Command(PoolText::Plain),
    Action::RESULT,
    Action::Ping,
    Action::Interrupt,
    Action::Fork(0),
    Action::Wait(4),
];

fn meta(number: u8) -> Meta {
    match number % 5 {
        0 => Meta::Text(PoolText::at(number / 5)),
        1 => Meta::Image,
        2 => Meta::Document,
        3 => Meta::DocumentAndImage,
        _ => Meta::TextAndImage,
    }
}

fn attachment(number: u32) -> Action {
    let count = u32::from(PLAIN_ATTACHMENTS);
    let form = AttachmentForm::at((number % count) as u8);
    let text = if form.has_text() { PoolText::at((number / count) as u8) } else { PoolText::Plain };
    Action::Attach { form, text }
}

fn notice(number: u8) -> Subtype {
    let notices: Vec<Subtype> = Subtype::ALL.iter().copied().filter(|subtype| subtype.is_notice()).collect();
    notices[usize::from(number) % notices.len()]
}

fn hook(call: u8, number: u8) -> Action {
    Action::Hook { call, when: HookTime::at(number / 6), outcome: OUTCOMES[usize::from(number % 6)] }
}

fn given(number: u8) -> Gives {
    let (text, is_block) = (PoolText::at(number / 12), number / 6 % 2 == 1);
    match number % 6 {
        0 => Gives::Plain,
        1 => Gives::Blocks,
        2 => Gives::Error,
        3 => Gives::Nothing,
        4 => Gives::Image,
        _ if is_block => Gives::TextBlock(text),
        _ => Gives::Text(text),
    }
}
