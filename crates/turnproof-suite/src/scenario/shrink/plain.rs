//! *Plain* dialogues made simpler: fewer messages and blocks, plainer forms, lower numbers of calls.

use super::measure::only_simpler;
use super::together::without_two;
use super::{Way, lower, shorter};
use crate::scenario::plain::Speaker;
use crate::scenario::plain::TurnBlock;
use crate::scenario::{Plan, Profile, Scenario, TurnPlan};

/// The ways in which a plain dialogue is made simpler, the boldest first. It stays one.
pub(super) const WAYS: [Way; 9] = [
    |plan| with(plan, [Vec::new()]),
    |plan| with(plan, shorter(plan.turns())),
    |plan| with(plan, each_turn(plan.turns(), fewer_blocks)),
    |plan| with(plan, joined(plan.turns())),
    |plan| with(plan, without_two(plan.turns())),
    |plan| with(plan, pairs_of_blocks(plan.turns())),
    |plan| with(plan, renumbered(plan.turns())),
    |plan| with(plan, each_turn(plan.turns(), plainer)),
    |plan| with(plan, in_order(plan.turns())),
];

/// The plans of these messages that are simpler.
fn with(plan: &Scenario, lists: impl IntoIterator<Item = Vec<TurnPlan>>) -> Vec<Scenario> {
    let of = |turns| Scenario::empty(Profile::Plain).with(Plan::Plain { turns });
    only_simpler(lists.into_iter().map(of).collect(), plan)
}

/// The lists with one message made simpler.
fn each_turn(turns: &[TurnPlan], simpler: fn(&TurnPlan) -> Vec<TurnPlan>) -> Vec<Vec<TurnPlan>> {
    let at = |at: usize| {
        simpler(&turns[at]).into_iter().map(move |turn| {
            let mut list = turns.to_vec();
            list[at] = turn;
            list
        })
    };
    (0..turns.len()).flat_map(at).collect()
}

fn fewer_blocks(turn: &TurnPlan) -> Vec<TurnPlan> {
    shorter(&turn.blocks).map(|blocks| TurnPlan { blocks, ..turn.clone() }).collect()
}

/// The messages with content as a list, with the user speaking, with one block plainer.
fn plainer(turn: &TurnPlan) -> Vec<TurnPlan> {
    let mut plainer = vec![TurnPlan { as_text: false, ..turn.clone() }];
    if turn.blocks.iter().all(|block| block.text().is_some()) {
        plainer.push(TurnPlan { role: Speaker::User, ..turn.clone() });
    }
    for (at, block) in turn.blocks.iter().enumerate() {
        let [sort, form, number] = block.parts();
        let text = TurnBlock::Text { text: Default::default() };
        let others = (sort != 0).then_some(text).into_iter();
        let forms = lower(form).map(|form| block.with(form, number));
        let numbers = lower(number).map(|number| block.with(form, number));
        for other in others.chain(forms).chain(numbers) {
            let mut turn = turn.clone();
            turn.blocks[at] = other;
            plainer.push(turn);
        }
    }
    plainer
}

/// The lists with two neighbours of one role in one message.
fn joined(turns: &[TurnPlan]) -> Vec<Vec<TurnPlan>> {
    let is_pair = |at: &usize| turns[at - 1].role == turns[*at].role;
    let join = |at: usize| {
        let mut list = turns.to_vec();
        let next = list.remove(at);
        list[at - 1].blocks.extend(next.blocks);
        list[at - 1].as_text = false;
        list
    };
    (1..turns.len()).filter(is_pair).map(join).collect()
}

/// The lists without a call and one of its results.
fn pairs_of_blocks(turns: &[TurnPlan]) -> Vec<Vec<TurnPlan>> {
    let ids = numbers(turns);
    let without = |id: u8| {
        let mut list = turns.to_vec();
        list.iter_mut().for_each(|turn| turn.blocks.retain(|block| number_of(*block) != Some(id)));
        let emptied = |(turn, before): &(TurnPlan, &TurnPlan)| turn.blocks.is_empty() && !before.blocks.is_empty();
        list.into_iter().zip(turns).filter(|pair| !emptied(pair)).map(|(turn, _)| turn).collect()
    };
    ids.into_iter().map(without).collect()
}

/// The number of the call that a block makes or answers.
fn number_of(block: TurnBlock) -> Option<u8> {
    block.call().or(block.result())
}

/// The numbers of calls, in order.
fn numbers(turns: &[TurnPlan]) -> Vec<u8> {
    let all = turns.iter().flat_map(|turn| &turn.blocks).filter_map(|block| number_of(*block));
    let mut numbers: Vec<u8> = all.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The lists in which a call and its results have another number: one that is free, or each other's.
fn renumbered(turns: &[TurnPlan]) -> Vec<Vec<TurnPlan>> {
    let numbers = numbers(turns);
    let mut lists = Vec::new();
    for &from in &numbers {
        for to in lower(from) {
            let map = |number| match number {
                number if number == from => to,
                number if number == to => from,
                number => number,
            };
            let mut list = turns.to_vec();
            for block in list.iter_mut().flat_map(|turn| &mut turn.blocks) {
                if let Some(number) = number_of(*block) {
                    *block = block.with(block.parts()[1], map(number));
                }
            }
            lists.push(list);
        }
    }
    lists
}

/// The lists with two neighbouring blocks of a message in the other order.
fn in_order(turns: &[TurnPlan]) -> Vec<Vec<TurnPlan>> {
    each_turn(turns, |turn| {
        let swapped = |at: usize| {
            let mut turn = turn.clone();
            turn.blocks.swap(at - 1, at);
            turn
        };
        (1..turn.blocks.len()).map(swapped).collect()
    })
}
