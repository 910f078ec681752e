//! The *measure* of a plan: what makes one plan simpler than another.

use std::cmp::Ordering;

use super::super::action::Action;
use super::super::damage::SORTS;
use super::super::line::{BlockPlan, LineKind, LinePlan, Link};
use super::super::{Profile, Scenario};

/// How simple a plan is: plans are compared by the first of these in which they differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Measure {
    /// Lines alone, then damaged lines, then a conversation.
    profile: usize,
    /// How many lines and actions there are.
    parts: usize,
    /// How many things there are beyond the plainest lines and actions.
    weight: usize,
    /// All choices in order, the plainest of each being 0; no longer than the weight and the parts allow.
    choices: Vec<u64>,
}

impl Measure {
    /// The measure of a plan.
    pub(super) fn of(plan: &Scenario) -> Self {
        let mut choices: Vec<u64> = vec![u64::from(plan.context)];
        plan.lines.iter().for_each(|line| add_line(&mut choices, line));
        plan.actions.iter().for_each(|action| choices.extend(action_choices(*action)));
        choices.extend(&plan.indexes);
        Self {
            profile: ORDER.iter().position(|profile| *profile == plan.profile).unwrap_or(ORDER.len()),
            parts: plan.lines.len() + plan.actions.len(),
            weight: usize::from(plan.context)
                + plan.indexes.iter().map(|index| 1 + usize::from(*index != 0)).sum::<usize>()
                + plan.lines.iter().map(line_weight).sum::<usize>()
                + plan.actions.iter().map(|action| weight(&action_choices(*action))).sum::<usize>(),
            choices,
        }
    }
}

/// Those of the plans that are simpler than this one.
pub(super) fn only_simpler(mut plans: Vec<Scenario>, plan: &Scenario) -> Vec<Scenario> {
    let measure = Measure::of(plan);
    plans.retain(|other| Measure::of(other) < measure);
    plans
}

/// The profiles, the simplest first.
const ORDER: [Profile; 3] = [Profile::Shuffled, Profile::Hostile, Profile::Causal];

/// How many choices are not the plainest.
pub(super) fn weight(choices: &[u64]) -> usize {
    choices.iter().filter(|choice| **choice != 0).count()
}

/// How much a line has beyond the plainest line.
fn line_weight(line: &LinePlan) -> usize {
    let blocks: usize = line.blocks.iter().map(|block| block_weight(line.kind, *block)).sum();
    let damages: usize = line.damage.iter().map(|damage| 2 + usize::from(damage.number() != 0)).sum();
    let bits = line.flags.count_ones() + line.extras.count_ones();
    // A text as a block is plainer than one as a string.
    weight(&plain_choices(line)) + 2 * usize::from(line.plain) + blocks + damages + bits as usize
}

/// A block counts once, once more if its form is unusual, once for its number, and twice more if it is of a
/// sort that does not belong into such a line.
fn block_weight(kind: LineKind, block: BlockPlan) -> usize {
    let [sort, _, number] = block_choices(block);
    let is_strange = match kind {
        LineKind::User => matches!(sort, 1 | 3..=6 | 11 | 13..=15),
        LineKind::Assistant => matches!(sort, 2 | 7 | 8 | 12 | 16),
        _ => false,
    };
    1 + usize::from(sort >= FIRST_ODD) + usize::from(number != 0) + 2 * usize::from(is_strange)
}

/// Those of the lines that are simpler than this one.
pub(super) fn only_simpler_lines(mut lines: Vec<LinePlan>, line: &LinePlan) -> Vec<LinePlan> {
    let choices = |line: &LinePlan| {
        let mut choices = Vec::with_capacity(32);
        add_line(&mut choices, line);
        choices
    };
    let (weight, of_line) = (line_weight(line), choices(line));
    lines.retain(|other| match line_weight(other).cmp(&weight) {
        Ordering::Equal => choices(other) < of_line,
        order => order.is_lt(),
    });
    lines
}

/// The choices of a line that have one plainest value each.
fn plain_choices(line: &LinePlan) -> [u64; 7] {
    let (reply, form, about) = (line.reply, line.form, line.about);
    [
        kind_choice(line.kind),
        uuid_choice(line.uuid),
        line.session.into(),
        link_choice(line.parent),
        reply.into(),
        form.into(),
        about.into(),
    ]
}

/// The order of ids: the first of the pool, none at all, the others.
pub(super) fn uuid_choice(uuid: Option<u8>) -> u64 {
    match uuid {
        Some(0) => 0,
        None => 1,
        Some(which) => 1 + u64::from(which),
    }
}

/// The order of links.
pub(super) fn link_choice(link: Link) -> u64 {
    match link {
        Link::Absent => 0,
        Link::Null => 1,
        Link::Previous => 2,
        Link::To(which) => 3 + u64::from(which),
    }
}

/// The order of kinds.
pub(super) fn kind_choice(kind: LineKind) -> u64 {
    let (sort, number) = match kind {
        LineKind::User => (0, 0),
        LineKind::Assistant => (1, 0),
        LineKind::System(which) => (2, which),
        LineKind::HookResult => (3, 0),
        LineKind::Attachment => (4, 0),
        LineKind::Progress => (5, 0),
        LineKind::Tombstone => (6, 0),
        LineKind::ToolUseSummary => (7, 0),
        LineKind::GroupedToolUse => (8, 0),
        LineKind::StreamEvent => (9, 0),
        LineKind::StreamRequestStart => (10, 0),
        LineKind::Side(which) => (11, which),
        LineKind::Unknown => (12, 0),
        LineKind::Untyped => (13, 0),
    };
    sort << 8 | u64::from(number)
}

fn add_line(choices: &mut Vec<u64>, line: &LinePlan) {
    choices.extend(plain_choices(line));
    choices.extend([u64::from(line.plain), line.flags.into(), line.extras.into()]);
    choices.push(line.damage.len() as u64);
    for damage in &line.damage {
        let sort = SORTS.iter().position(|sort| *sort == damage.with(0)).unwrap_or(SORTS.len());
        choices.extend([sort as u64, damage.number().into()]);
    }
    choices.push(line.blocks.len() as u64);
    line.blocks.iter().for_each(|block| choices.extend(block_choices(*block)));
}

/// The first sort of blocks of unusual forms.
const FIRST_ODD: u64 = 10;

/// The sort of a block, its form and its number.
pub(super) fn block_choices(block: BlockPlan) -> [u64; 3] {
    let (sort, form, number) = match block {
        BlockPlan::Text(number) => (0, 0, number),
        BlockPlan::ToolUse(number) => (1, 0, number),
        BlockPlan::ToolResult(number) => (2, 0, number),
        BlockPlan::Thinking(number) => (3, 0, number),
        BlockPlan::RedactedThinking => (4, 0, 0),
        BlockPlan::ServerToolUse(number) => (5, 0, number),
        BlockPlan::ServerToolResult(number) => (6, 0, number),
        BlockPlan::Image => (7, 0, 0),
        BlockPlan::Document => (8, 0, 0),
        BlockPlan::Unknown(number) => (9, 0, number),
        BlockPlan::OddText(form, number) => (FIRST_ODD, form, number),
        BlockPlan::OddCall(form, number) => (11, form, number),
        BlockPlan::OddResult(form, number) => (12, form, number),
        BlockPlan::OddThinking(form, number) => (13, form, number),
        BlockPlan::OddServerCall(form, number) => (14, form, number),
        BlockPlan::OddServerResult(form, number) => (15, form, number),
        BlockPlan::OddMedia(form) => (16, form, 0),
        BlockPlan::Strange(form) => (17, form, 0),
    };
    [sort, form.into(), number.into()]
}

/// The sort of an action, and its numbers; a number whose plainest value is another than 0 is counted from that.
pub(super) fn action_choices(action: Action) -> [u64; 5] {
    let from = |plainest: u8, number: u8| if number == plainest { 0 } else { 1 + number };
    let (sort, numbers) = match action {
        Action::Type(text) => (0, [text, 0]),
        Action::Block(block, cuts) => return streamed(1, block, cuts),
        Action::End(reason) => (2, [reason, 0]),
        Action::Result(call, form) => (3, [form, call]),
        Action::Break => (4, [0, 0]),
        Action::Interrupt => (5, [0, 0]),
        Action::Fallback => (6, [0, 0]),
        Action::Fail(which) => (7, [which, 0]),
        Action::Deny(call, denial) => (8, [denial, call]),
        Action::Paste(count) => (9, [from(1, count), 0]),
        Action::Meta(which) => (10, [which, 0]),
        Action::Command(which) => (11, [which, 0]),
        Action::Attach(which) => (12, [which, 0]),
        Action::Notice(which) => (13, [which, 0]),
        Action::HalfBlock(block) => return streamed(14, block, 0),
        Action::Ping => (15, [0, 0]),
        Action::Progress(call) => (16, [call, 0]),
        Action::Hook(call, form) => (17, [form, call]),
        Action::Summary(came) => (18, [u8::from(!came), 0]),
        Action::Compact(keep, form) => (19, [form, keep]),
        Action::Microcompact(count) => (20, [from(1, count), 0]),
        Action::Subagent(which) => (21, [which, 0]),
        Action::Side(which) => (22, [which, 0]),
        Action::Wait(times) => (23, [from(4, times), 0]),
        Action::Crash(lost) => (24, [lost, 0]),
        Action::Resume => (25, [0, 0]),
        Action::OtherWriter(which) => (26, [which, 0]),
        Action::Disk(times) => (27, [times, 0]),
        Action::Fork(before_last) => (28, [before_last, 0]),
    };
    let [first, second] = numbers;
    [sort, first.into(), second.into(), 0, 0]
}

/// The choices of a block that the model streams.
fn streamed(sort: u64, block: BlockPlan, cuts: u8) -> [u64; 5] {
    let [block, form, number] = block_choices(block);
    [sort, block, form, number, cuts.into()]
}
