//! A *stand-in* is a plan of lines that may replace a conversation, or damaged lines.

use super::super::pool::{
    AttachmentForm, Extra, Flag, NAMED_ID, PoolText, Refusal, ResultForm, SideKind, Subtype, ThinkingForm, all_true,
    own_id,
};
use crate::engine::HookOutcome;
use crate::scenario::{
    Action, AssistantForm, BlockPlan, Choice, Damage, Gives, HookResultForm, HookTime, LineKind, LinePlan, Link, Meta,
    Plan, Profile, ProgressForm, Scenario, Sort, Stop, SystemForm, TombstoneForm, UserForm,
};

/// The largest number of actions for which there are stand-ins.
const LONGEST: usize = 8;

/// The number of the id that a conversation is asked about.
const ITS_ID: u8 = 4;

/// Plans of lines that may replace a short conversation: the messages that the loop yields, the records on disk, and a
/// torn line; for no action, a line with the id of conversations.
pub(super) fn in_lines(plan: &Scenario) -> Vec<Scenario> {
    if plan.profile() != Profile::Causal || plan.actions().len() > LONGEST {
        return Vec::new();
    }
    let of = |lines| plan.with(Plan::Shuffled { lines });
    let line = LinePlan { uuid: Some(ITS_ID), ..LinePlan::default() };
    if plan.actions().is_empty() {
        return vec![of(vec![line])];
    }
    let torn = LinePlan { damage: vec![Damage::new(Sort::Splice, 2)], ..LinePlan::default() };
    let mut stand_in = StandIn::default();
    plan.actions().iter().for_each(|action| stand_in.add(*action));
    vec![
        of(yielded(&stand_in.lines)),
        of(on_disk(&stand_in.lines)),
        plan.with(Plan::Hostile { lines: vec![torn], piece: 1 }),
    ]
}

/// The lines as messages. Neighbouring lines of one reply become one line.
fn yielded(lines: &[LinePlan]) -> Vec<LinePlan> {
    let is_reply = |line: &LinePlan| line.kind == LineKind::REPLY;
    let mut yielded: Vec<LinePlan> = Vec::new();
    for line in lines {
        match yielded.last_mut() {
            Some(last) if is_reply(last) && is_reply(line) && last.reply == line.reply => {
                last.blocks.extend(&line.blocks);
            }
            // A tombstone has the number of a line, which may have become part of another.
            _ if is_tombstone(line) => {
                let replies = yielded.iter_mut().filter(|other| is_reply(other) && other.reply == line.reply);
                replies.for_each(|reply| reply.uuid = Some(NAMED_ID));
                yielded.push(LinePlan { kind: tombstone(NAMED_ID), ..line.clone() });
            }
            _ => yielded.push(line.clone()),
        }
    }
    yielded
}

fn is_tombstone(line: &LinePlan) -> bool {
    matches!(line.kind, LineKind::Tombstone { .. })
}

fn tombstone(id: u8) -> LineKind {
    LineKind::Tombstone { form: TombstoneForm::OfId, id }
}

/// The lines as records. Results are linked to their calls, others to the record before. A notice takes the place of a
/// tombstone.
fn on_disk(lines: &[LinePlan]) -> Vec<LinePlan> {
    let mut records = lines.to_vec();
    let first = lines.iter().find_map(|line| match line.kind {
        LineKind::Tombstone { id, .. } => Some(usize::from(id)),
        _ => None,
    });
    for (number, record) in records.iter_mut().enumerate() {
        (record.uuid, record.parent) = (Some(own_id(number)), Link::Previous);
        let answered = record.blocks.iter().find_map(|block| match block {
            BlockPlan::ToolResult { call, .. } => Some(BlockPlan::call(*call)),
            _ => None,
        });
        let calls = |line: &LinePlan| answered.is_some_and(|call| line.blocks.contains(&call));
        if let Some(line) = lines.iter().position(calls) {
            record.parent = Link::To(own_id(line));
        }
        if first == Some(number) {
            record.uuid = Some(NAMED_ID);
        }
        if is_tombstone(record) {
            record.kind = LineKind::system(Subtype::INFORMATIONAL);
            record.extras = [Extra::Retracted].into();
        }
    }
    records
}

#[derive(Default)]
struct StandIn {
    lines: Vec<LinePlan>,
    /// The calls without a result.
    open: Vec<u8>,
    /// All calls so far.
    calls: Vec<u8>,
    /// The reply under way.
    reply: u8,
    /// The line with which it began.
    first: usize,
}

impl StandIn {
    fn put(&mut self, kind: LineKind, blocks: Vec<BlockPlan>) -> &mut LinePlan {
        let number = self.lines.len();
        self.lines.push(LinePlan { kind, blocks, reply: self.reply, ..LinePlan::default() });
        &mut self.lines[number]
    }

    fn add(&mut self, action: Action) {
        let user = LineKind::USER;
        match action {
            Action::Type(text) => self.put(user, vec![BlockPlan::text(text)]).plain = true,
            Action::Paste(count) => {
                let images = (0..count % 4).map(|_| BlockPlan::Image);
                let blocks = std::iter::once(BlockPlan::text(PoolText::Plain)).chain(images).collect();
                self.put(LineKind::User { form: UserForm::OnePaste }, blocks);
            }
            Action::Meta(form) => self.put(user, meta(form)).flags = all_true([Flag::IsMeta]),
            Action::Speculate => {
                self.put(user, vec![BlockPlan::text(PoolText::Plain)]).flags = all_true([Flag::IsVirtual])
            }
            Action::Block(block, _) => self.block(block),
            Action::HalfBlock(block) => self.block(half(block)),
            Action::End(stop) => self.end(stop),
            Action::Result { call, gives } => self.result(call, gives),
            Action::Deny { call, .. } => self.result(call, Gives::Error),
            Action::Interrupt => self.interrupt(),
            Action::Fail(failure) | Action::StreamError(failure) if !failure.may_pass() => {
                let (form, words) = (AssistantForm::Synthetic, Refusal::ImageInUpperCase);
                self.put(LineKind::Assistant { form, words }, Vec::new()).flags = all_true([Flag::IsApiErrorMessage]);
                self.end(Stop::Done);
            }
            Action::Break | Action::Fail(_) | Action::StreamError(_) | Action::Fallback => self.withdraw(),
            Action::Compact { .. } => {
                self.put(LineKind::system(Subtype::COMPACT_BOUNDARY), Vec::new()).extras =
                    [Extra::LogicalParent, Extra::PreservedSegment].into();
                self.put(user, vec![BlockPlan::text(PoolText::Plain)]).flags =
                    all_true([Flag::IsVisibleInTranscriptOnly, Flag::IsCompactSummary]);
            }
            Action::Attach { form, text } => self.beside(LineKind::attachment(form, text.place())),
            Action::Command(text) => {
                self.beside(LineKind::System { subtype: Subtype::LOCAL_COMMAND, form: SystemForm::Content, text });
            }
            Action::Notice(subtype) => self.beside(LineKind::system(subtype)),
            Action::Progress(_) => self.beside(LineKind::PROGRESS),
            Action::Summary(true) => self.beside(LineKind::ToolUseSummary),
            Action::Microcompact(_) => self.beside(LineKind::system(Subtype::MICROCOMPACT_BOUNDARY)),
            Action::Side(side) => self.beside(LineKind::Side { side }),
            Action::OtherWriter(_) => self.beside(LineKind::Side { side: SideKind::SUMMARY }),
            Action::Hook { call, when, outcome } => {
                let call = self.open.get(usize::from(call) % self.open.len().max(1));
                self.beside(hook(when, outcome, call.copied().unwrap_or(0)));
            }
            _ => {}
        }
    }

    /// Adds a line that is no part of the conversation.
    fn beside(&mut self, kind: LineKind) {
        self.put(kind, Vec::new());
    }

    fn block(&mut self, block: BlockPlan) {
        let mut block = block;
        if let BlockPlan::ToolUse { call, .. } = &mut block {
            let mut numbers = std::iter::once(*call).chain(0..=u8::MAX);
            *call = numbers.find(|number| !self.calls.contains(number)).unwrap_or(*call);
            self.open.push(*call);
            self.calls.push(*call);
        }
        self.put(LineKind::REPLY, vec![block]);
    }

    fn result(&mut self, which: u8, gives: Gives) {
        if self.open.is_empty() {
            return;
        }
        let call = self.open.remove(usize::from(which) % self.open.len());
        let form = match gives {
            Gives::Plain | Gives::Text(_) => ResultForm::Plain,
            Gives::Blocks => ResultForm::OfBlocks,
            Gives::Error => ResultForm::Failed,
            Gives::Nothing => ResultForm::EmptyText,
            Gives::Image => ResultForm::WithImage,
            Gives::TextBlock(text) if text > PoolText::Words => ResultForm::BlankBlocks,
            Gives::TextBlock(_) => ResultForm::OfBlocks,
            Gives::Object => ResultForm::ObjectContent,
            Gives::Foreign => ResultForm::HalfMedia,
            Gives::ErrorBlocks => ResultForm::TwoTexts,
        };
        self.put(LineKind::USER, vec![BlockPlan::ToolResult { form, call }]);
    }

    /// Gives errors to the open calls, and adds the text of an interruption.
    fn interrupt(&mut self) {
        let said = BlockPlan::text(PoolText::interruption(!self.open.is_empty()));
        while !self.open.is_empty() {
            self.result(0, Gives::Error);
        }
        self.put(LineKind::USER, vec![said]);
        self.end(Stop::Done);
    }

    /// Ends the reply. One that reached the output limit is asked to continue.
    fn end(&mut self, stop: Stop) {
        self.reply += 1;
        self.first = self.lines.len();
        if stop == Stop::MaxTokens {
            self.put(LineKind::USER, vec![BlockPlan::text(PoolText::Words)]).flags = all_true([Flag::IsMeta]);
        }
    }

    /// Withdraws the lines of the reply. Until later, the id of a tombstone is the number of the line.
    fn withdraw(&mut self) {
        for number in self.first..self.lines.len() {
            if self.lines[number].kind.is_reply() {
                self.put(tombstone(number as u8), Vec::new());
            }
        }
        self.open.clear();
        self.end(Stop::Done);
    }
}

/// The block as it is when only its first half came.
fn half(block: BlockPlan) -> BlockPlan {
    match block {
        // No input has come.
        BlockPlan::ToolUse { .. } => BlockPlan::call(7),
        BlockPlan::Thinking { text, .. } => BlockPlan::Thinking { form: ThinkingForm::Unsigned, text },
        other => other,
    }
}

fn meta(form: Meta) -> Vec<BlockPlan> {
    match form {
        Meta::Text(text) => vec![BlockPlan::text(text)],
        Meta::Image => vec![BlockPlan::Image],
        Meta::Document => vec![BlockPlan::Document],
        Meta::DocumentAndImage => vec![BlockPlan::Document, BlockPlan::Image],
        Meta::TextAndImage => vec![BlockPlan::text(PoolText::Plain), BlockPlan::Image],
    }
}

fn hook(when: HookTime, outcome: HookOutcome, call: u8) -> LineKind {
    let is_before = when == HookTime::Before;
    let form = match outcome {
        HookOutcome::Progress if is_before => return LineKind::progress(ProgressForm::PreToolUse, call),
        HookOutcome::Progress => return LineKind::progress(ProgressForm::PostToolUse, call),
        HookOutcome::Result if is_before => return LineKind::hook_result(HookResultForm::PreToolUse, call),
        HookOutcome::Result => return LineKind::hook_result(HookResultForm::PostToolUse, call),
        HookOutcome::StopSummary => return LineKind::system(Subtype::STOP_HOOK_SUMMARY),
        HookOutcome::Success if is_before => AttachmentForm::HOOK_SUCCESS_BEFORE_USE,
        HookOutcome::Success => AttachmentForm::HOOK_SUCCESS_AFTER_USE,
        HookOutcome::Context if is_before => AttachmentForm::HOOK_ADDITIONAL_CONTEXT,
        HookOutcome::Context => AttachmentForm::HOOK_CONTEXT_AFTER_USE,
        HookOutcome::Error => AttachmentForm::HOOK_BLOCKING_ERROR,
    };
    LineKind::attachment(form, call)
}

/// Plans of well-formed lines that may replace a plan of damaged ones: without the damage and, if there is one damage
/// alone, with lines that have its effect.
pub(super) fn undamaged(plan: &Scenario) -> Vec<Scenario> {
    if plan.profile() != Profile::Hostile {
        return Vec::new();
    }
    let mut lines = plan.lines().to_vec();
    lines.iter_mut().for_each(|line| line.damage.clear());
    let mut damages =
        plan.lines().iter().enumerate().flat_map(|(at, line)| line.damage.iter().map(move |it| (at, *it)));
    let said = match (damages.next(), damages.next()) {
        (Some((at, damage)), None) => said(&lines, at, damage),
        _ => None,
    };
    let of = |lines| plan.with(Plan::Shuffled { lines });
    std::iter::once(lines).chain(said).map(of).collect()
}

/// Well-formed lines with the effect of the damage of one line.
fn said(lines: &[LinePlan], at: usize, damage: Damage) -> Option<Vec<LinePlan>> {
    let mut said = lines.to_vec();
    match (damage.sort, damage.number) {
        (Sort::Twice, _) => said.insert(at, lines[at].clone()),
        (Sort::Overwrite, _) => said[at] = lines.get(at + 1)?.clone(),
        (Sort::RepeatedKey, 1) => said[at].kind = LineKind::REPLY,
        (Sort::LoneSurrogate, which) => {
            let halves = [PoolText::HalfAPair, PoolText::SwappedPair];
            said[at].blocks = vec![BlockPlan::text(halves[usize::from(which % 2)])];
        }
        _ => return None,
    }
    Some(said)
}
