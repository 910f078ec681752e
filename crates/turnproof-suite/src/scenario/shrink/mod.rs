//! *Shrinking* makes plans simpler: fewer lines, damages and blocks, plainer choices (SPEC 9.4).
//!
//! All plans have one order, so that shrinking ends, and often at the same plan wherever it began. The first of these
//! that differs says which of two plans is simpler:
//!
//! 1. the profile: well-formed lines, then damaged lines, then a conversation, then a plain dialogue, which stays one;
//! 2. how many lines, actions, turns, calls of factories and streams of their own there are;
//! 3. how much there is beyond the plainest. A block, its unusual form, its number, a flag, an extra, an index and any
//!    other choice that is not the plainest count 1 each. A damage, a content that is a string, and a block that its
//!    line should not hold count 2;
//! 4. the first choice that differs. Kinds, blocks, damages, actions and pools have an order, with the plainest first.
//!
//! Each of these is a number from 0 on, or a list of such numbers whose length the second and the third limit. So no
//! plan has an endless row of simpler ones.

mod actions;
mod kind;
mod line;
mod measure;
mod plain;
mod stand_in;
mod together;

use super::pool::PoolText;
use super::{Action, BlockPlan, ExtraStreamPlan, LineKind, LinePlan, MakePlan, Plan, Profile, Scenario};
use actions::{lower_actions, plain_actions, replaced};
use line::{lower_lines, plain_lines};
use measure::{Measure, only_simpler};
use stand_in::{in_lines, undamaged};
use together::{
    all_usual, doubled, in_order, joined, moved_up, renumbered, renumbered_actions, withdrawn_first, without_two,
};

/// The plans one step simpler than `plan`, the boldest steps first. Each is strictly simpler, so taking steps ends.
/// A way to be simpler is only tried when its plans are asked for.
pub fn simpler(plan: &Scenario) -> impl DoubleEndedIterator<Item = Scenario> + use<> {
    let plan = plan.clone();
    let ways: &[Way] = if plan.profile() == Profile::Plain { &plain::WAYS } else { &WAYS };
    ways.iter().flat_map(move |way| way(&plan))
}

/// A way to be simpler: the plans to which it leads.
type Way = fn(&Scenario) -> Vec<Scenario>;

/// The ways to be simpler, the boldest first.
const WAYS: [Way; 28] = [
    plainest,
    |plan| with_makes(plan, shorter(&plan.makes)),
    |plan| with_extra_streams(plan, shorter(&plan.flows)),
    in_lines,
    undamaged,
    |plan| with_lines(plan, shorter(plan.lines())),
    each_line_alone,
    |plan| with_actions(plan, shorter(plan.actions())),
    |plan| plan.context.then(|| Scenario { context: false, ..plan.clone() }).into_iter().collect(),
    |plan| with_indexes(plan, shorter(&plan.indexes)),
    |plan| with_lines(plan, with_one_line(plan.lines(), plain_lines, usize::MAX)),
    |plan| with_actions(plan, plain_actions(plan.actions())),
    |plan| with_lines(plan, joined(plan.lines())),
    |plan| with_lines(plan, moved_up(plan.lines())),
    |plan| with_lines(plan, doubled(plan)),
    |plan| with_lines(plan, without_two(plan.lines())),
    |plan| with_actions(plan, without_two(plan.actions())),
    |plan| with_actions(plan, replaced(plan.actions())),
    |plan| with_lines(plan, all_usual(plan.lines()).into_iter().chain(withdrawn_first(plan.lines()))),
    renumbered,
    |plan| with_actions(plan, renumbered_actions(plan.actions())),
    |plan| with_lines(plan, with_one_line(plan.lines(), lower_lines, AT_ONCE)),
    |plan| with_actions(plan, lower_actions(plan.actions())),
    |plan| with_indexes(plan, lower_indexes(&plan.indexes)),
    smaller_pieces,
    |plan| with_makes(plan, lower_makes(&plan.makes)),
    |plan| with_extra_streams(plan, lower_extra_streams(&plan.flows)),
    in_order,
];

fn with_lines(plan: &Scenario, lists: impl IntoIterator<Item = Vec<LinePlan>>) -> Vec<Scenario> {
    let with = |lines| match plan.plan {
        Plan::Shuffled { .. } => Some(plan.with(Plan::Shuffled { lines })),
        Plan::Hostile { piece, .. } => Some(plan.with(Plan::Hostile { lines, piece })),
        Plan::Causal { .. } | Plan::Plain { .. } => None,
    };
    lists.into_iter().filter_map(with).collect()
}

fn with_actions(plan: &Scenario, lists: impl IntoIterator<Item = Vec<Action>>) -> Vec<Scenario> {
    let is_causal = plan.profile() == Profile::Causal;
    lists.into_iter().filter(|_| is_causal).map(|actions| plan.with(Plan::Causal { actions })).collect()
}

fn with_indexes(plan: &Scenario, lists: impl IntoIterator<Item = Vec<u64>>) -> Vec<Scenario> {
    lists.into_iter().map(|indexes| Scenario { indexes, ..plan.clone() }).collect()
}

fn with_makes(plan: &Scenario, lists: impl IntoIterator<Item = Vec<MakePlan>>) -> Vec<Scenario> {
    lists.into_iter().map(|makes| Scenario { makes, ..plan.clone() }).collect()
}

fn with_extra_streams(plan: &Scenario, lists: impl IntoIterator<Item = Vec<ExtraStreamPlan>>) -> Vec<Scenario> {
    lists.into_iter().map(|flows| Scenario { flows, ..plan.clone() }).collect()
}

/// The plans whose stream comes in smaller pieces.
fn smaller_pieces(plan: &Scenario) -> Vec<Scenario> {
    let Plan::Hostile { lines, piece } = &plan.plan else { return Vec::new() };
    (1..*piece).map(|piece| plan.with(Plan::Hostile { lines: lines.clone(), piece })).collect()
}

/// The lists with one choice of one stream lower.
fn lower_extra_streams(flows: &[ExtraStreamPlan]) -> impl Iterator<Item = Vec<ExtraStreamPlan>> + '_ {
    let choices = (0..flows.len()).flat_map(|at| (0..flows[at].choices().len()).map(move |choice| (at, choice)));
    choices.flat_map(move |(at, choice)| {
        lower(flows[at].choices()[choice]).map(move |number| {
            let (mut simpler, mut choices) = (flows.to_vec(), flows[at].choices());
            choices[choice] = number;
            simpler[at] = ExtraStreamPlan::of_choices(choices);
            simpler
        })
    })
}

/// The lists with one choice of one call lower.
fn lower_makes(makes: &[MakePlan]) -> impl Iterator<Item = Vec<MakePlan>> + '_ {
    let choices = (0..makes.len()).flat_map(|at| (0..makes[at].choices().len()).map(move |choice| (at, choice)));
    choices.flat_map(move |(at, choice)| {
        lower(makes[at].choices()[choice]).map(move |number| {
            let (mut simpler, mut choices) = (makes.to_vec(), makes[at].choices());
            choices[choice] = number;
            simpler[at] = MakePlan::of_choices(choices);
            simpler
        })
    })
}

/// Whether a plan is simpler than another in the order that all plans have.
pub fn is_simpler(plan: &Scenario, than: &Scenario) -> bool {
    Measure::of(plan) < Measure::of(than)
}

/// The place of a plan in the order that all plans have, the simplest first.
pub(crate) fn simplicity(plan: &Scenario) -> impl Ord + use<> {
    Measure::of(plan)
}

/// The lists without a run of parts: all of them, halves, quarters, …, single ones.
fn shorter<T: Clone>(parts: &[T]) -> impl Iterator<Item = Vec<T>> + '_ {
    let count = parts.len();
    let runs = std::iter::successors(Some(count), |run| Some(run / 2)).take_while(|run| *run > 0);
    runs.flat_map(move |run| {
        (0..count).step_by(run).map(move |start| {
            let mut shorter = parts.to_vec();
            shorter.drain(start..(start + run).min(count));
            shorter
        })
    })
}

/// The lists of lines with one simpler line, for the first `most` lines that can be simpler.
fn with_one_line(lines: &[LinePlan], simpler: fn(&LinePlan) -> Vec<LinePlan>, most: usize) -> Vec<Vec<LinePlan>> {
    let steps = lines.iter().map(simpler).enumerate().filter(|(_, steps)| !steps.is_empty()).take(most);
    let with = |at: usize, line: LinePlan| {
        let mut lines = lines.to_vec();
        lines[at] = line;
        lines
    };
    steps.flat_map(|(at, steps)| steps.into_iter().map(move |line| with(at, line))).collect()
}

/// Small steps are tried at so many lines. Later lines are tried when the earlier ones are the plainest.
const AT_ONCE: usize = 8;

/// Each index below this one is tried.
const EACH_INDEX: u64 = 32;

fn lower_indexes(indexes: &[u64]) -> impl Iterator<Item = Vec<u64>> + '_ {
    (0..indexes.len()).flat_map(move |at| {
        let each = 0..indexes[at].min(EACH_INDEX);
        each.chain(nearer(indexes[at])).map(move |number| {
            let mut simpler = indexes.to_vec();
            simpler[at] = number;
            simpler
        })
    })
}

/// Smaller numbers: 0, then ever nearer to the number itself.
fn nearer(number: u64) -> impl Iterator<Item = u64> {
    let mut distance = number;
    std::iter::from_fn(move || {
        (distance > 0).then(|| {
            let smaller = number - distance;
            distance /= 2;
            smaller
        })
    })
}

/// Up to this number each smaller one is tried.
const EACH: u8 = 64;

/// Smaller numbers of a pool: each from 0 on, and above a limit those that come ever nearer.
fn lower(number: u8) -> impl Iterator<Item = u8> {
    let each = 0..number.min(EACH);
    let beyond = (number > EACH).then(|| nearer(number.into())).into_iter().flatten();
    each.chain(beyond.map(|number| number as u8).filter(|number| *number >= EACH))
}

/// The plainest plans that are simpler than this one, the simplest first: nothing, a line, a call with its result. For
/// a conversation also a prompt with the first block of a reply.
fn plainest(plan: &Scenario) -> Vec<Scenario> {
    let mut plans = vec![Scenario { indexes: vec![1], ..lines_alone(Vec::new(), false) }];
    plans.push(Scenario { makes: plan.makes.clone(), ..lines_alone(Vec::new(), false) });
    plans.push(Scenario { flows: plan.flows.clone(), ..lines_alone(Vec::new(), false) });
    plans.extend(lines().into_iter().map(|lines| lines_alone(lines, plan.context)));
    if plan.profile() == Profile::Causal {
        let conversations = conversations().into_iter();
        let of = |actions| lines_alone(Vec::new(), plan.context).with(Plan::Causal { actions });
        plans.extend(conversations.map(of));
    }
    let mut plans = only_simpler(plans, plan);
    plans.sort_by_cached_key(Measure::of);
    plans
}

/// So many lines are looked at alone.
const FEW_LINES: usize = 7;

/// Of a few lines each one alone, without the indexes: which question is asked depends on how many lines there are.
fn each_line_alone(plan: &Scenario) -> Vec<Scenario> {
    let lines = if plan.lines().len() <= FEW_LINES { plan.lines() } else { &[] };
    let alone = lines.iter().filter(|_| lines.len() > 1).map(|line| vec![line.clone()]);
    with_lines(&Scenario { indexes: Vec::new(), ..plan.clone() }, alone)
}

fn lines_alone(lines: Vec<LinePlan>, context: bool) -> Scenario {
    Scenario { plan: Plan::Shuffled { lines }, context, ..Scenario::empty(Profile::Shuffled) }
}

fn lines() -> Vec<Vec<LinePlan>> {
    let line = |kind, blocks: &[BlockPlan]| LinePlan { kind, blocks: blocks.to_vec(), ..LinePlan::default() };
    let user = |blocks: &[BlockPlan]| line(LineKind::USER, blocks);
    let assistant = |blocks: &[BlockPlan]| line(LineKind::REPLY, blocks);
    let text = BlockPlan::text(PoolText::Plain);
    let (call, result) = (BlockPlan::call(0), BlockPlan::result(0));
    vec![
        vec![],
        vec![user(&[])],
        vec![user(&[text])],
        vec![assistant(&[])],
        vec![LinePlan { plain: true, ..LinePlan::default() }],
        vec![assistant(&[text])],
        vec![assistant(&[call])],
        vec![assistant(&[BlockPlan::thinking(PoolText::Plain)])],
        vec![user(&[]), user(&[])],
        vec![user(&[]), LinePlan { uuid: Some(1), ..LinePlan::default() }],
        vec![assistant(&[call]), user(&[result])],
    ]
}

fn conversations() -> Vec<Vec<Action>> {
    let block = |block| Action::Block(block, 0);
    let prompt = Action::Type(PoolText::Plain);
    vec![
        vec![],
        vec![prompt],
        vec![prompt, block(BlockPlan::text(PoolText::Plain))],
        vec![prompt, block(BlockPlan::call(0))],
    ]
}
