//! Steps that change several parts *together*, since a change of one alone may lose the failure.

use super::super::pool::{Extra, NAMED_ID, own_id};
use super::kind::{about, call_of, is_of_a_call, text_of, usual, with_about, with_number};
use super::lower;
use super::measure::only_simpler;
use crate::scenario::{
    Action, BlockPlan, Choice, Damage, LineKind, LinePlan, Link, Profile, Scenario, Sort, TombstoneForm,
};

/// Pairs of parts are left out, joined or swapped in lists of at most so many parts.
const FEW: usize = 7;

/// The lists without two parts, such as a call and its result.
pub(super) fn without_two<T: Clone>(parts: &[T]) -> impl Iterator<Item = Vec<T>> + '_ {
    let count = if parts.len() <= FEW { parts.len() } else { 0 };
    let pairs = (0..count).flat_map(move |second| (0..second).map(move |first| (first, second)));
    pairs.map(|(first, second)| {
        let kept = parts.iter().enumerate().filter(move |(at, _)| *at != first && *at != second);
        kept.map(|(_, part)| part.clone()).collect()
    })
}

/// The lists without one line, in which a line that was linked to the removed one names its id.
pub(super) fn moved_up(lines: &[LinePlan]) -> Vec<Vec<LinePlan>> {
    let next_names = |at: usize| lines.get(at + 1).is_some_and(|next| next.parent == Link::Previous);
    let ids = lines.iter().enumerate().filter(|(at, _)| next_names(*at));
    let without = |(at, line): (usize, &LinePlan)| {
        let mut shorter = lines.to_vec();
        shorter.remove(at);
        shorter[at].parent = Link::To(line.uuid?);
        Some(shorter)
    };
    ids.filter_map(without).collect()
}

/// The lists without one line, in which the line before it is written twice: one line less, where the next one only has
/// to be there. Only damaged lines are written twice.
pub(super) fn doubled(plan: &Scenario) -> Vec<Vec<LinePlan>> {
    let count = if plan.profile() == Profile::Hostile { plan.lines().len() } else { 0 };
    let without = |at: usize| {
        let mut lines = plan.lines().to_vec();
        lines.remove(at);
        lines[at - 1].damage.push(Damage::new(Sort::Twice, 0));
        lines
    };
    (1..count).map(without).collect()
}

/// The lists of lines with one line in another of its kind: its content, its flags, and its extras.
pub(super) fn joined(lines: &[LinePlan]) -> Vec<Vec<LinePlan>> {
    let far = if lines.len() <= FEW { lines.len() } else { 1 };
    let pairs =
        (0..lines.len()).flat_map(|second| (second.saturating_sub(far)..second).map(move |first| (first, second)));
    pairs.flat_map(|(first, second)| joined_two(lines, first, second)).collect()
}

/// The lists of lines with one of two lines in the other.
fn joined_two(lines: &[LinePlan], first: usize, second: usize) -> Vec<Vec<LinePlan>> {
    let (kept, added) = (&lines[first], &lines[second]);
    let has_content = kept.kind.is_user() || kept.kind.is_reply();
    let is_same = std::mem::discriminant(&kept.kind) == std::mem::discriminant(&added.kind);
    let adds = !added.blocks.is_empty() || !added.flags.is_empty() || !added.extras.is_empty();
    if !has_content || !is_same || !adds {
        return Vec::new();
    }
    let blocks: Vec<BlockPlan> = kept.blocks.iter().chain(&added.blocks).copied().collect();
    let mut flags = kept.flags.clone();
    added.flags.iter().for_each(|(flag, is_true)| *flags.entry(*flag).or_default() |= is_true);
    let extras = &kept.extras | &added.extras;
    // For neighbours both places give the same lines.
    let places = if second == first + 1 { vec![(first, second)] } else { vec![(first, second), (second, first)] };
    let at = |(place, other): (usize, usize)| {
        let mut joined = lines.to_vec();
        joined[place] =
            LinePlan { blocks: blocks.clone(), flags: flags.clone(), extras: extras.clone(), ..lines[place].clone() };
        joined.remove(other);
        joined
    };
    places.into_iter().map(at).collect()
}

/// The lines with one extra that withdraws a line replaced by the plainest such extra, and the id that it names.
pub(super) fn withdrawn_first(lines: &[LinePlan]) -> Option<Vec<LinePlan>> {
    let (from, old) = (Extra::Superseded, own_id(1));
    let (to, new) = (Extra::NumericKeys, NAMED_ID);
    let mut changed = lines.to_vec();
    let mut count = 0;
    for line in &mut changed {
        if line.extras.contains(&from) && line.extras.insert(to) {
            line.extras.remove(&from);
            count += 1;
        }
        change_ids(line, &|id| if id == old { new } else { id });
    }
    (count > 0).then_some(changed)
}

/// The lines with all blocks of unusual forms made usual, if there are several.
pub(super) fn all_usual(lines: &[LinePlan]) -> Option<Vec<LinePlan>> {
    let mut plain = lines.to_vec();
    let odd = plain.iter_mut().flat_map(|line| &mut line.blocks).filter(|block| usual(**block).is_some());
    let changed = odd.map(|block| *block = usual(*block).unwrap_or(*block)).count();
    (changed > 1).then_some(plain)
}

/// Replaces the numbers of one sort in a line.
type Change = fn(&mut LinePlan, &dyn Fn(u8) -> u8);

/// The plans with a lower number for what occurs more than once, or with two numbers exchanged. Those are numbers of
/// calls, texts, ids, replies and sessions.
pub(super) fn renumbered(plan: &Scenario) -> Vec<Scenario> {
    let mut plans = Vec::new();
    let change_texts: Change = |line, map| change_blocks(line, |block| text_of(block).map(Choice::place), map);
    let change_replies: Change = |line, map| line.reply = map(line.reply);
    let change_sessions: Change = |line, map| line.session = map(line.session);
    for change in [change_calls, change_texts, change_ids, change_replies, change_sessions] {
        let few = if plan.lines().len() <= FEW { plan.lines() } else { &[] };
        let numbers = numbers(few, change);
        let mut put = |map: &dyn Fn(u8) -> u8| {
            let mut other = plan.clone();
            other.lines_mut().iter_mut().for_each(|line| change(line, map));
            plans.push(other);
        };
        for (number, _) in numbers.iter().filter(|(_, count)| *count > 1) {
            lower(*number).for_each(|other| put(&|from| if from == *number { other } else { from }));
        }
        for (second, (high, _)) in numbers.iter().enumerate() {
            for (low, _) in &numbers[..second] {
                put(&|from| match from {
                    from if from == *high => *low,
                    from if from == *low => *high,
                    from => from,
                });
            }
        }
    }
    only_simpler(plans, plan)
}

/// The numbers that a change meets, in order, each with its count.
fn numbers(lines: &[LinePlan], change: Change) -> Vec<(u8, usize)> {
    let found = std::cell::RefCell::new(std::collections::BTreeMap::new());
    for line in lines {
        change(&mut line.clone(), &|number| {
            *found.borrow_mut().entry(number).or_insert(0) += 1;
            number
        });
    }
    found.into_inner().into_iter().collect()
}

fn change_calls(line: &mut LinePlan, map: &dyn Fn(u8) -> u8) {
    change_blocks(line, call_of, map);
    if is_of_a_call(line.kind) {
        line.kind = with_about(line.kind, map(about(line.kind)));
    }
}

fn change_blocks(line: &mut LinePlan, number: fn(BlockPlan) -> Option<u8>, map: &dyn Fn(u8) -> u8) {
    for block in &mut line.blocks {
        if let Some(number) = number(*block) {
            *block = with_number(*block, map(number));
        }
    }
}

fn change_ids(line: &mut LinePlan, map: &dyn Fn(u8) -> u8) {
    line.uuid = line.uuid.map(map);
    line.parent = link_of(line).map_or(line.parent, |which| Link::To(map(which)));
    if let LineKind::Tombstone { form: TombstoneForm::OfId, id } = &mut line.kind {
        *id = map(*id);
    }
}

fn link_of(line: &LinePlan) -> Option<u8> {
    match line.parent {
        Link::To(which) => Some(which),
        _ => None,
    }
}

/// The actions in which a server's call and its result have a lower number.
pub(super) fn renumbered_actions(actions: &[Action]) -> Vec<Vec<Action>> {
    let call = |action: &Action| match action {
        Action::Block(block, _) => call_of(*block),
        _ => None,
    };
    let Some(most) = actions.iter().filter_map(call).max() else { return Vec::new() };
    let change = |action: &Action, to| match action {
        Action::Block(block, cuts) if call_of(*block) == Some(most) => Action::Block(with_number(*block, to), *cuts),
        other => *other,
    };
    lower(most).map(|to| actions.iter().map(|action| change(action, to)).collect()).collect()
}

/// The simpler plans with two neighbouring lines, blocks, actions or indexes swapped. Lines are also swapped without
/// their ids, and without all but their blocks.
pub(super) fn in_order(plan: &Scenario) -> Vec<Scenario> {
    let mut plans = Vec::new();
    if plan.lines().len() + plan.actions().len() > FEW {
        return plans;
    }
    let mut put = |change: &dyn Fn(&mut Scenario)| {
        let mut turned = plan.clone();
        change(&mut turned);
        plans.push(turned);
    };
    for (at, line) in plan.lines().iter().enumerate() {
        if at > 0 {
            put(&|plan| plan.lines_mut().swap(at - 1, at));
            put(&|plan| {
                let ids = [plan.lines()[at - 1].uuid, plan.lines()[at].uuid];
                plan.lines_mut().swap(at - 1, at);
                [plan.lines_mut()[at - 1].uuid, plan.lines_mut()[at].uuid] = ids;
            });
            put(&|plan| {
                let (before, after) = plan.lines_mut().split_at_mut(at);
                std::mem::swap(&mut before[at - 1].blocks, &mut after[0].blocks);
            });
        }
        for block in 1..line.blocks.len() {
            put(&|plan| plan.lines_mut()[at].blocks.swap(block - 1, block));
        }
    }
    for at in 1..plan.actions().len() {
        put(&|plan| plan.actions_mut().swap(at - 1, at));
    }
    for at in 1..plan.indexes.len() {
        put(&|plan| plan.indexes.swap(at - 1, at));
    }
    only_simpler(plans, plan)
}
