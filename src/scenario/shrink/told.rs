//! What happens in a conversation, *told* as lines.

use super::super::action::Action;
use super::super::body::SYNTHETIC;
use super::super::damage::Damage;
use super::super::line::{BlockPlan, LineKind, LinePlan, Link};
use super::super::pool::extra::{KEEPS_SEGMENT, LOGICAL_PARENT, NAMED_ID, RETRACTS};
use super::super::pool::{PLAIN_ATTACHMENTS, interruption, own_id, true_flags};
use super::super::{Profile, Scenario};

/// The longest course that is told as lines.
const LONGEST: usize = 8;

/// The number of the id that a conversation is asked about.
const ITS_ID: u8 = 4;

/// The flag of what nobody said.
const META: [&str; 1] = ["isMeta"];

/// The flags of a summary.
const SUMMARY: [&str; 2] = ["isVisibleInTranscriptOnly", "isCompactSummary"];

/// The flag of an error of the API.
const ERROR: [&str; 1] = ["isApiErrorMessage"];

/// The extras of a boundary: what came before, and what it keeps.
const BOUNDARY: u16 = LOGICAL_PARENT | KEEPS_SEGMENT;

/// Plans of lines that may do for a short conversation: a line with the id of conversations, a torn line, and
/// what happened as the messages that the loop yields, and as the records that are on disk.
pub(super) fn told(plan: &Scenario) -> Vec<Scenario> {
    if plan.profile != Profile::Causal || plan.actions.len() > LONGEST {
        return Vec::new();
    }
    let of = |profile, lines| Scenario { profile, lines, actions: Vec::new(), ..plan.clone() };
    let line = LinePlan { uuid: Some(ITS_ID), ..LinePlan::default() };
    if plan.actions.is_empty() {
        return vec![of(Profile::Shuffled, vec![line])];
    }
    let torn = LinePlan { damage: vec![Damage::Splice(2)], ..LinePlan::default() };
    let mut teller = Teller::default();
    plan.actions.iter().for_each(|action| teller.tell(*action));
    vec![
        of(Profile::Shuffled, yielded(&teller.lines)),
        of(Profile::Shuffled, on_disk(&teller.lines)),
        of(Profile::Hostile, vec![torn]),
    ]
}

/// The lines as messages: those of one reply that follow one another are one line.
fn yielded(lines: &[LinePlan]) -> Vec<LinePlan> {
    let mut yielded: Vec<LinePlan> = Vec::new();
    for line in lines {
        match yielded.last_mut() {
            Some(last) if is_reply(last) && is_reply(line) && last.reply == line.reply => {
                last.blocks.extend(&line.blocks);
            }
            // A tombstone has the number of a line; that line is perhaps joined with another.
            _ if line.kind == LineKind::Tombstone => {
                let replies = yielded.iter_mut().filter(|other| is_reply(other) && other.reply == line.reply);
                replies.for_each(|reply| reply.uuid = Some(NAMED_ID));
                yielded.push(LinePlan { about: NAMED_ID, ..line.clone() });
            }
            _ => yielded.push(line.clone()),
        }
    }
    yielded
}

fn is_reply(line: &LinePlan) -> bool {
    line.kind == LineKind::Assistant && line.form == 0
}

/// The lines as records: results hang on their calls, others on the record before; what is withdrawn is so by a
/// notice.
fn on_disk(lines: &[LinePlan]) -> Vec<LinePlan> {
    let mut records = lines.to_vec();
    let withdrawn: Vec<usize> = lines
        .iter()
        .filter(|line| line.kind == LineKind::Tombstone)
        .map(|line| usize::from(line.about))
        .collect();
    for (number, record) in records.iter_mut().enumerate() {
        (record.uuid, record.parent) = (Some(own_id(number)), Link::Previous);
        if let Some(call) = answered(record).and_then(|call| lines.iter().position(|line| makes(line, call)))
        {
            record.parent = Link::To(own_id(call));
        }
        if withdrawn.first() == Some(&number) {
            record.uuid = Some(NAMED_ID);
        }
        if record.kind == LineKind::Tombstone {
            (record.kind, record.form, record.about, record.extras) = (LineKind::System(0), 0, 0, RETRACTS);
        }
    }
    records
}

/// The call that a line answers.
fn answered(line: &LinePlan) -> Option<u8> {
    line.blocks.iter().find_map(|block| match block {
        BlockPlan::ToolResult(call) | BlockPlan::OddResult(_, call) => Some(*call),
        _ => None,
    })
}

fn makes(line: &LinePlan, call: u8) -> bool {
    line.blocks.contains(&BlockPlan::ToolUse(call))
}

#[derive(Default)]
struct Teller {
    lines: Vec<LinePlan>,
    /// The calls without a result.
    open: Vec<u8>,
    /// The calls there were.
    calls: Vec<u8>,
    /// The reply under way.
    reply: u8,
    /// The line with which it began.
    first: usize,
}

impl Teller {
    fn put(&mut self, kind: LineKind, blocks: Vec<BlockPlan>) -> &mut LinePlan {
        let number = self.lines.len();
        self.lines.push(LinePlan { kind, blocks, reply: self.reply, ..LinePlan::default() });
        &mut self.lines[number]
    }

    fn tell(&mut self, action: Action) {
        let user = LineKind::User;
        match action {
            Action::Type(text) => self.put(user, vec![BlockPlan::Text(text)]).plain = true,
            Action::Paste(count) => {
                let images = (0..count % 4).map(|_| BlockPlan::Image);
                self.put(user, std::iter::once(BlockPlan::Text(0)).chain(images).collect()).form = 5;
            }
            Action::Meta(which) => self.put(user, meta(which)).flags = true_flags(&META),
            Action::Block(block, _) => self.block(block),
            Action::HalfBlock(block) => self.block(half(block)),
            Action::End(reason) => self.end(reason),
            Action::Result(which, form) => self.result(which, form),
            Action::Deny(which, _) => self.result(which, 2),
            Action::Interrupt => self.interrupt(),
            Action::Fail(which) if which >= 4 => {
                let line = self.put(LineKind::Assistant, Vec::new());
                (line.form, line.about, line.flags) = (SYNTHETIC, 3, true_flags(&ERROR));
                self.end(0);
            }
            Action::Break | Action::Fail(_) | Action::Fallback => self.withdraw(),
            Action::Compact(..) => {
                self.put(LineKind::System(3), Vec::new()).extras = BOUNDARY;
                self.put(user, vec![BlockPlan::Text(0)]).flags = true_flags(&SUMMARY);
            }
            other => self.beside(other),
        }
    }

    /// What stands beside the conversation.
    fn beside(&mut self, action: Action) {
        let (kind, form, about) = match action {
            Action::Attach(which) => {
                (LineKind::Attachment, which % PLAIN_ATTACHMENTS, which / PLAIN_ATTACHMENTS)
            }
            Action::Command(text) => (LineKind::System(1), 1, text),
            // Boundaries are no notices.
            Action::Notice(which) => (LineKind::System([0, 1, 2][usize::from(which) % 3]), 0, 0),
            Action::Progress(_) => (LineKind::Progress, 0, 0),
            Action::Summary(true) => (LineKind::ToolUseSummary, 0, 0),
            Action::Microcompact(_) => (LineKind::System(4), 0, 0),
            Action::Side(which) => (LineKind::Side(which), 0, 0),
            Action::OtherWriter(_) => (LineKind::Side(0), 0, 0),
            Action::Hook(which, form) => {
                let (kind, first) = hook(form);
                let call = self.open.get(usize::from(which) % self.open.len().max(1));
                (kind, first, call.copied().unwrap_or(0))
            }
            _ => return,
        };
        let line = self.put(kind, Vec::new());
        (line.form, line.about) = (form, about);
    }

    fn block(&mut self, block: BlockPlan) {
        let block = match block {
            BlockPlan::ToolUse(which) => {
                let free = (0..=u8::MAX).find(|call| !self.calls.contains(call)).unwrap_or(which);
                let call = if self.calls.contains(&which) { free } else { which };
                self.open.push(call);
                self.calls.push(call);
                BlockPlan::ToolUse(call)
            }
            other => other,
        };
        self.put(LineKind::Assistant, vec![block]);
    }

    fn result(&mut self, which: u8, form: u8) {
        if self.open.is_empty() {
            return;
        }
        let call = self.open.remove(usize::from(which) % self.open.len());
        let (text, is_block) = (form / 6 / 2, form / 6 % 2 == 1);
        let result = match form % 6 {
            1 => BlockPlan::OddResult(2, call),
            2 => BlockPlan::OddResult(1, call),
            3 => BlockPlan::OddResult(5, call),
            4 => BlockPlan::OddResult(4, call),
            5 if is_block && text > 2 => BlockPlan::OddResult(8, call),
            5 if is_block => BlockPlan::OddResult(2, call),
            _ => BlockPlan::ToolResult(call),
        };
        self.put(LineKind::User, vec![result]);
    }

    /// The open calls have results, and somebody has interrupted.
    fn interrupt(&mut self) {
        let said = BlockPlan::Text(interruption(self.open.is_empty()));
        while !self.open.is_empty() {
            self.result(0, 2);
        }
        self.put(LineKind::User, vec![said]);
        self.end(0);
    }

    /// The reply is over; another one may begin. One that was too long is asked to go on.
    fn end(&mut self, reason: u8) {
        self.reply += 1;
        self.first = self.lines.len();
        if reason % 4 == 1 {
            self.put(LineKind::User, vec![BlockPlan::Text(2)]).flags = true_flags(&META);
        }
    }

    /// The lines of the reply are withdrawn. A tombstone's `about` is the number of the line for now.
    fn withdraw(&mut self) {
        for number in self.first..self.lines.len() {
            if self.lines[number].kind == LineKind::Assistant {
                let line = self.put(LineKind::Tombstone, Vec::new());
                (line.form, line.about) = (1, number as u8);
            }
        }
        self.open.clear();
        self.end(0);
    }
}

/// What is left of a block that came by half.
fn half(block: BlockPlan) -> BlockPlan {
    match block {
        // No input has come.
        BlockPlan::ToolUse(_) => BlockPlan::ToolUse(7),
        BlockPlan::Thinking(text) => BlockPlan::OddThinking(0, text),
        other => other,
    }
}

fn meta(which: u8) -> Vec<BlockPlan> {
    match which % 4 {
        0 => vec![BlockPlan::Text(which / 4)],
        1 => vec![BlockPlan::Image],
        2 => vec![BlockPlan::Document],
        _ => vec![BlockPlan::Document, BlockPlan::Image],
    }
}

/// The kind of line that a hook writes, and its form.
fn hook(form: u8) -> (LineKind, u8) {
    let event = form / 6 % 2;
    match form % 6 {
        0 => (LineKind::Attachment, 22 + event),
        1 => (LineKind::Progress, 1 + event),
        2 => (LineKind::Attachment, if event == 0 { 6 } else { 28 }),
        3 => (LineKind::Attachment, 7),
        4 => (LineKind::HookResult, 1 + event),
        _ => (LineKind::System(6), 0),
    }
}
