//! The *measure* of a plan: what makes one plan simpler than another.

use super::super::action::OUTCOMES;
use super::super::pool::Flag;
use super::kind::{block_choices, is_unusual, kind_choices};
use crate::engine::Keep;
use crate::scenario::{
    Action, BlockPlan, Choice, Gives, Large, LineEnd, LineKind, LinePlan, Link, Meta, Plan, Profile, Scenario, TurnPlan,
};

/// How simple a plan is. Plans are compared by the first member in which they differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Measure {
    /// Lines alone, then damaged lines, then a conversation, then a plain dialogue.
    profile: usize,
    /// How many lines, actions, turns, calls of factories and streams of their own there are.
    parts: usize,
    /// How many things there are beyond the plainest lines and actions.
    weight: usize,
    /// All choices in order, the plainest of each as 0. The parts and the weight limit its length.
    choices: Vec<u64>,
}

impl Measure {
    pub(super) fn of(plan: &Scenario) -> Self {
        let more_bytes = match plan.plan {
            Plan::Hostile { piece, .. } => u64::from(piece).saturating_sub(1),
            _ => 0,
        };
        let mut choices: Vec<u64> = vec![u64::from(plan.context), more_bytes];
        plan.lines().iter().for_each(|line| add_line(&mut choices, line));
        plan.actions().iter().for_each(|action| choices.extend(action_choices(*action)));
        plan.turns().iter().for_each(|turn| choices.extend(turn.choices()));
        choices.extend(&plan.indexes);
        let makes = || plan.makes.iter().flat_map(|make| make.choices().map(u64::from));
        choices.extend(makes());
        let extra_streams = || plan.flows.iter().flat_map(|stream| stream.choices().map(u64::from));
        choices.extend(extra_streams());
        Self {
            profile: ORDER.iter().position(|profile| *profile == plan.profile()).unwrap_or(ORDER.len()),
            parts: plan.lines().len() + plan.actions().len() + plan.turns().len() + plan.makes.len() + plan.flows.len(),
            weight: usize::from(plan.context)
                + usize::from(more_bytes != 0)
                + makes().chain(extra_streams()).filter(|choice| *choice != 0).count()
                + plan.indexes.iter().map(|index| 1 + usize::from(*index != 0)).sum::<usize>()
                + plan.lines().iter().map(line_weight).sum::<usize>()
                + plan.actions().iter().map(|action| weight(&action_choices(*action))).sum::<usize>()
                + plan.turns().iter().map(TurnPlan::weight).sum::<usize>(),
            choices,
        }
    }
}

pub(super) fn only_simpler(mut plans: Vec<Scenario>, plan: &Scenario) -> Vec<Scenario> {
    let measure = Measure::of(plan);
    plans.retain(|other| Measure::of(other) < measure);
    plans
}

/// The profiles, the simplest first.
const ORDER: [Profile; 4] = [Profile::Shuffled, Profile::Hostile, Profile::Causal, Profile::Plain];

/// How many choices are not the plainest.
pub(super) fn weight(choices: &[u64]) -> usize {
    choices.iter().filter(|choice| **choice != 0).count()
}

/// How much a line has beyond the plainest line.
fn line_weight(line: &LinePlan) -> usize {
    let [.., which, text] = kind_choices(line.kind);
    let is_about = which != 0 || text != 0;
    let blocks: usize = line.blocks.iter().map(|block| block_weight(line.kind, *block)).sum();
    let damages: usize = line.damage.iter().map(|damage| 2 + usize::from(damage.number != 0)).sum();
    let flags = line.flags.len() + line.flags.values().filter(|is_true| **is_true).count();
    let choices = weight(&plain_choices(line)) + usize::from(is_about);
    let stream: usize = line.stream_damage.map_or(0, |damage| 2 + usize::from(damage.at != 0));
    // A content that is a list is plainer than a string.
    choices
        + stream
        + usize::from(line.line_end != LineEnd::Lf)
        + usize::from(line.large.is_some())
        + 2 * usize::from(line.plain)
        + blocks
        + damages
        + flags
        + line.extras.len()
}

/// A block counts 1, its unusual form 1, its number 1, and 2 more if such a line should not hold it.
fn block_weight(kind: LineKind, block: BlockPlan) -> usize {
    let is_server_result = matches!((kind, block), (LineKind::User { .. }, BlockPlan::ServerToolResult { .. }));
    let is_strange = is_server_result || block.is_foreign(kind);
    let [.., number] = block_choices(block);
    1 + usize::from(is_unusual(block)) + usize::from(number != 0) + 2 * usize::from(is_strange)
}

pub(super) fn only_simpler_lines(mut lines: Vec<LinePlan>, line: &LinePlan) -> Vec<LinePlan> {
    let measure = |line: &LinePlan| {
        let mut choices = Vec::with_capacity(32);
        add_line(&mut choices, line);
        (line_weight(line), choices)
    };
    let of_line = measure(line);
    lines.retain(|other| measure(other) < of_line);
    lines
}

/// The choices of a line that count 1 each when they are not the plainest.
fn plain_choices(line: &LinePlan) -> [u64; 7] {
    let [kind, form, ..] = kind_choices(line.kind);
    let (session, reply) = (line.session.into(), line.reply.into());
    [kind, uuid_choice(line.uuid), session, link_choice(line.parent), reply, form, line.usage.place().into()]
}

/// The order of ids: the first of the pool, none at all, the others.
pub(super) fn uuid_choice(uuid: Option<u8>) -> u64 {
    match uuid {
        Some(0) => 0,
        None => 1,
        Some(which) => 1 + u64::from(which),
    }
}

pub(super) fn link_choice(link: Link) -> u64 {
    match link {
        Link::Absent => 0,
        Link::Null => 1,
        Link::Previous => 2,
        Link::To(which) => 3 + u64::from(which),
    }
}

fn add_line(choices: &mut Vec<u64>, line: &LinePlan) {
    let [.., which, text] = kind_choices(line.kind);
    let bits = |places: &mut dyn Iterator<Item = u8>| places.fold(0_u64, |bits, place| bits | 1 << place);
    let is_true = |(flag, is_true): (&Flag, &bool)| is_true.then_some(flag.place());
    choices.extend(plain_choices(line));
    choices.extend([which, text, u64::from(line.plain)]);
    choices.push(bits(&mut line.flags.iter().filter_map(is_true)));
    choices.push(bits(&mut line.flags.keys().map(|flag| flag.place())));
    choices.push(bits(&mut line.extras.iter().map(|extra| extra.place())));
    choices.extend(Large::choices(line.large));
    choices.push(line.damage.len() as u64);
    for damage in &line.damage {
        choices.extend([damage.sort.place(), damage.number].map(u64::from));
    }
    let stream = line.stream_damage.map_or([0; 2], |damage| [1 + damage.sort.place(), damage.at]);
    choices.extend(stream.map(u64::from));
    choices.push(line.line_end.place().into());
    choices.push(line.blocks.len() as u64);
    line.blocks.iter().for_each(|block| choices.extend(block_choices(*block)));
}

/// The sort of an action, and its numbers. The plainest number counts as 0, even if it is another.
pub(super) fn action_choices(action: Action) -> [u64; 5] {
    let from = |plainest: u8, number: u8| if number == plainest { 0 } else { 1 + number };
    let (sort, numbers) = match action {
        Action::Type(text) => (0, [text.place(), 0, 0]),
        Action::Block(block, cuts) => return streamed(1, block, cuts),
        Action::End(stop) => (2, [stop.place(), 0, 0]),
        Action::Result { call, gives } => {
            let [gives, text] = gives_choices(gives);
            (3, [gives, text, call])
        }
        Action::Break => (4, [0; 3]),
        Action::Interrupt => (5, [0; 3]),
        Action::Fallback => (6, [0; 3]),
        Action::Fail(failure) => (7, [failure as u8, 0, 0]),
        Action::Deny { call, denial } => (8, [denial.place(), call, 0]),
        Action::Paste(count) => (9, [from(1, count), 0, 0]),
        Action::Meta(Meta::Text(text)) => (10, [0, text.place(), 0]),
        Action::Meta(Meta::Image) => (10, [1, 0, 0]),
        Action::Meta(Meta::Document) => (10, [2, 0, 0]),
        Action::Meta(Meta::DocumentAndImage) => (10, [3, 0, 0]),
        Action::Meta(Meta::TextAndImage) => (10, [4, 0, 0]),
        Action::Command(text) => (11, [text.place(), 0, 0]),
        Action::Attach { form, text } => (12, [form.place(), text.place(), 0]),
        Action::Notice(subtype) => (13, [subtype.place(), 0, 0]),
        Action::HalfBlock(block) => return streamed(14, block, 0),
        Action::Ping => (15, [0; 3]),
        Action::Progress(call) => (16, [call, 0, 0]),
        Action::Hook { call, when, outcome } => {
            let outcome = OUTCOMES.iter().position(|one| *one == outcome).unwrap_or_default();
            (17, [when.place(), outcome as u8, call])
        }
        Action::Summary(came) => (18, [u8::from(!came), 0, 0]),
        Action::Compact { keep, preserve, is_automatic } => {
            (19, [u8::from(is_automatic), preserve as u8, keep_choice(keep)])
        }
        Action::Microcompact(count) => (20, [from(1, count), 0, 0]),
        Action::Subagent(call) => (21, [call, 0, 0]),
        Action::Side(kind) => (22, [kind.place(), 0, 0]),
        Action::Wait(times) => (23, [from(4, times), 0, 0]),
        Action::Crash(lost) => (24, [lost, 0, 0]),
        Action::Resume => (25, [0; 3]),
        Action::OtherWriter(what) => (26, [what.place(), 0, 0]),
        Action::Disk(times) => (27, [times.unwrap_or(u8::MAX), 0, 0]),
        Action::Fork(before_last) => (28, [before_last, 0, 0]),
        Action::NumberCalls => (29, [0, 0, 0]),
        Action::Misfit(what) => (30, [what.place(), 0, 0]),
        Action::Speculate => (31, [0; 3]),
        Action::Tell(text) => (32, [text.place(), 0, 0]),
        Action::StreamError(failure) => (33, [failure as u8, 0, 0]),
        Action::SameCall => (34, [0; 3]),
    };
    let [first, second, third] = numbers.map(u64::from);
    [sort, first, second, third, 0]
}

/// The order of what tools give, and its text.
pub(super) fn gives_choices(gives: Gives) -> [u8; 2] {
    match gives {
        Gives::Plain => [0, 0],
        Gives::Blocks => [1, 0],
        Gives::Error => [2, 0],
        Gives::Nothing => [3, 0],
        Gives::Image => [4, 0],
        Gives::Text(text) => [5, text.place()],
        Gives::TextBlock(text) => [6, text.place()],
        Gives::Object => [7, 0],
        Gives::Foreign => [8, 0],
        Gives::ErrorBlocks => [9, 0],
    }
}

pub(super) fn keep_choice(keep: Keep) -> u8 {
    match keep {
        Keep::Nothing => 0,
        Keep::Last(count) => count.min(127) as u8,
        Keep::First(count) => 128 + count.min(127) as u8,
    }
}

fn streamed(sort: u64, block: BlockPlan, cuts: u8) -> [u64; 5] {
    let [block, form, number] = block_choices(block);
    [sort, block, form, number, cuts.into()]
}
