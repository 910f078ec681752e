//! Simpler *courses*.

use super::super::action::{Action, simplest};
use super::super::line::BlockPlan;
use super::super::pool::PLAIN_ATTACHMENTS;
use super::block::lower_blocks;
use super::measure::{action_choices, weight};
use super::number::lower;

/// The courses one bold step simpler: with one action made the simplest of its sort.
pub(super) fn plain_courses(actions: &[Action]) -> impl Iterator<Item = Vec<Action>> + '_ {
    with_one(actions, |action| vec![simplest(action)])
}

/// The courses one small step simpler: with one action of a simpler sort, or with lower numbers.
pub(super) fn lower_courses(actions: &[Action]) -> impl Iterator<Item = Vec<Action>> + '_ {
    with_one(actions, lower_actions)
}

/// The courses with one action in the place of two that follow one another, or of all from a place on.
pub(super) fn replaced(actions: &[Action]) -> impl Iterator<Item = Vec<Action>> + '_ {
    let count = if actions.len() <= FEW { actions.len() } else { 0 };
    let pairs = (2..=count).map(|end| (end - 2, end));
    let ends = (1..count.saturating_sub(2)).map(move |start| (start, count));
    pairs.chain(ends).flat_map(move |(start, end)| {
        [Action::Command(0), Action::End(0), Action::Break, Action::Interrupt].map(|action| {
            let mut course = actions.to_vec();
            course.splice(start..end, [action]);
            course
        })
    })
}

/// Up to so many actions, some are replaced by one.
const FEW: usize = 8;

/// The courses with another action in one place.
fn with_one(actions: &[Action], others: fn(Action) -> Vec<Action>) -> impl Iterator<Item = Vec<Action>> + '_ {
    let steps = actions.iter().enumerate().flat_map(move |(at, action)| {
        let simpler = others(*action);
        let measure = |action: Action| (weight(&action_choices(action)), action_choices(action));
        let is_simpler = |other: &Action| measure(*other) < measure(*action);
        simpler.into_iter().filter(is_simpler).map(move |other| (at, other)).collect::<Vec<_>>()
    });
    steps.map(|(at, other)| {
        let mut course = actions.to_vec();
        course[at] = other;
        course
    })
}

/// The actions one small step simpler.
fn lower_actions(action: Action) -> Vec<Action> {
    let mut simpler = stand_ins(action);
    match action {
        Action::Type(text) => simpler.extend(lower(text).map(Action::Type)),
        Action::Meta(which) => simpler.extend(lower(which).map(Action::Meta)),
        Action::Command(text) => simpler.extend(lower(text).map(Action::Command)),
        Action::Notice(which) => simpler.extend(lower(which).map(Action::Notice)),
        Action::Paste(count) => simpler.extend(lower(count).map(Action::Paste)),
        Action::Attach(which) => {
            simpler.push(Action::Attach(which % PLAIN_ATTACHMENTS));
            simpler.extend(lower(which.min(PLAIN_ATTACHMENTS)).map(Action::Attach));
        }
        Action::Block(block, cuts) => {
            simpler.push(Action::Block(block, 0));
            simpler.extend(lower_blocks(block).map(|block| Action::Block(block, 0)));
            simpler.extend(lower_blocks(block).map(|block| Action::Block(block, cuts)));
            simpler.extend(lower(cuts).map(|cuts| Action::Block(block, cuts)));
        }
        Action::HalfBlock(block) => simpler.extend(lower_blocks(block).map(Action::HalfBlock)),
        Action::End(reason) => simpler.extend(lower(reason).map(Action::End)),
        Action::Fail(which) => simpler.extend(lower(which).map(Action::Fail)),
        Action::Result(call, form) => {
            simpler.extend(lower(call).map(|call| Action::Result(call, form)));
            simpler.extend(lower(form).map(|form| Action::Result(call, form)));
        }
        Action::Deny(call, denial) => {
            simpler.extend(lower(call).map(|call| Action::Deny(call, denial)));
            simpler.extend(lower(denial).map(|denial| Action::Deny(call, denial)));
        }
        Action::Hook(call, form) => simpler.extend(lower(form).map(|form| Action::Hook(call, form))),
        Action::Compact(keep, form) => {
            simpler.extend(lower(keep).map(|keep| Action::Compact(keep, form)));
            simpler.extend(lower(form).map(|form| Action::Compact(keep, form)));
        }
        Action::Side(which) => simpler.extend(lower(which).map(Action::Side)),
        Action::Crash(lost) => simpler.extend(lower(lost).map(Action::Crash)),
        Action::OtherWriter(which) => simpler.extend(lower(which).map(Action::OtherWriter)),
        Action::Disk(times) => simpler.extend(lower(times).map(Action::Disk)),
        Action::Fork(count) => simpler.extend(lower(count).map(Action::Fork)),
        Action::Summary(false) => simpler.push(Action::Summary(true)),
        _ => {}
    }
    simpler
}

/// Actions of a simpler sort that may do for an action.
fn stand_ins(action: Action) -> Vec<Action> {
    match action {
        Action::End(_) | Action::Interrupt | Action::Fail(_) | Action::Fallback => {
            vec![Action::End(0), Action::Result(0, 0), Action::Break, Action::Interrupt, Action::Fallback]
        }
        Action::Deny(..) => vec![Action::Result(0, 0)],
        Action::Crash(_) => vec![Action::Block(BlockPlan::Text(0), 0)],
        Action::Paste(_)
        | Action::Meta(_)
        | Action::Command(_)
        | Action::Attach(_)
        | Action::Notice(_)
        | Action::Hook(..) => {
            vec![Action::Type(0), Action::Paste(1), Action::Meta(0), Action::Command(0), Action::Attach(0)]
        }
        Action::HalfBlock(_) => vec![Action::Block(BlockPlan::Text(0), 0)],
        _ => Vec::new(),
    }
}
