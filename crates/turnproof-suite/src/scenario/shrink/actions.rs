//! Simpler *actions* of a conversation.

use super::super::action::{OUTCOMES, PRESERVED};
use super::super::pool::{AttachmentForm, PoolText, SideKind, Subtype};
use super::kind::lower_blocks;
use super::lower;
use super::measure::{action_choices, gives_choices, keep_choice, weight};
use crate::engine::{Failure, Keep};
use crate::scenario::{Action, BlockPlan, Choice, Gives, Meta, Stop};

/// The actions one bold step simpler, with one of them made the simplest of its sort.
pub(super) fn plain_actions(actions: &[Action]) -> impl Iterator<Item = Vec<Action>> + '_ {
    with_one(actions, |action| vec![simplest(action)])
}

/// The actions one small step simpler, with one of a simpler sort or with lower numbers.
pub(super) fn lower_actions(actions: &[Action]) -> impl Iterator<Item = Vec<Action>> + '_ {
    with_one(actions, lower_action)
}

/// The actions with one in place of two neighbours, or in place of all after a point.
pub(super) fn replaced(actions: &[Action]) -> impl Iterator<Item = Vec<Action>> + '_ {
    let count = if actions.len() <= FEW { actions.len() } else { 0 };
    let pairs = (2..=count).map(|end| (end - 2, end));
    let ends = (1..count.saturating_sub(2)).map(move |start| (start, count));
    pairs.chain(ends).flat_map(move |(start, end)| {
        [Action::Command(PoolText::Plain), Action::End(Stop::Done), Action::Break, Action::Interrupt].map(|action| {
            let mut simpler = actions.to_vec();
            simpler.splice(start..end, [action]);
            simpler
        })
    })
}

/// The largest number of actions in which several are replaced by one.
const FEW: usize = 8;

/// The actions with a simpler one in one place.
fn with_one(actions: &[Action], others: fn(Action) -> Vec<Action>) -> impl Iterator<Item = Vec<Action>> + '_ {
    let measure = |action: Action| (weight(&action_choices(action)), action_choices(action));
    actions.iter().enumerate().flat_map(move |(at, action)| {
        let simpler = others(*action).into_iter().filter(move |other| measure(*other) < measure(*action));
        simpler.map(move |other| {
            let mut simpler = actions.to_vec();
            simpler[at] = other;
            simpler
        })
    })
}

/// The action with the plainest choices.
fn simplest(action: Action) -> Action {
    let text = PoolText::Plain;
    match action {
        Action::Type(_) | Action::Paste(_) => Action::Type(text),
        Action::Meta(_) => Action::Meta(Meta::Text(text)),
        Action::Attach { .. } => Action::Attach { form: AttachmentForm::EMPTY_LIST, text },
        Action::Command(_) => Action::Command(text),
        Action::Notice(_) => Action::Notice(Subtype::INFORMATIONAL),
        Action::Tell(_) => Action::Tell(text),
        Action::Block(BlockPlan::Text { .. }, _) => Action::Block(BlockPlan::text(text), 0),
        Action::Block(BlockPlan::ToolUse { .. }, _) => Action::Block(BlockPlan::call(0), 0),
        Action::Block(BlockPlan::Thinking { .. }, _) => Action::Block(BlockPlan::thinking(text), 0),
        Action::Block(block, _) => Action::Block(block, 0),
        Action::HalfBlock(_) => Action::HalfBlock(BlockPlan::text(text)),
        Action::End(_) => Action::End(Stop::Done),
        Action::Fail(_) => Action::Fail(Failure::Overloaded),
        Action::StreamError(_) => Action::StreamError(Failure::Overloaded),
        Action::Progress(_) => Action::Progress(0),
        Action::Hook { when, outcome, .. } => Action::Hook { call: 0, when, outcome },
        Action::Result { .. } => Action::RESULT,
        Action::Deny { denial, .. } => Action::Deny { call: 0, denial },
        Action::Compact { preserve, is_automatic, .. } => {
            Action::Compact { keep: Keep::Nothing, preserve, is_automatic }
        }
        Action::Microcompact(_) => Action::Microcompact(1),
        Action::Subagent(_) => Action::Subagent(0),
        Action::Side(_) => Action::Side(SideKind::SUMMARY),
        Action::Wait(_) => Action::Wait(4),
        Action::Disk(_) => Action::Disk(Some(0)),
        Action::OtherWriter(_) => Action::OtherWriter(Choice::at(0)),
        Action::Crash(_) => Action::Crash(0),
        Action::Fork(_) => Action::Fork(0),
        Action::Misfit(_) => Action::Misfit(Choice::at(0)),
        other => other,
    }
}

fn plainer<C: Choice>(choice: C) -> impl Iterator<Item = C> {
    lower(choice.place()).map(C::at)
}

fn lower_action(action: Action) -> Vec<Action> {
    let mut simpler = stand_ins(action);
    match action {
        Action::Type(text) => simpler.extend(plainer(text).map(Action::Type)),
        Action::Meta(form) => simpler.extend(plainer_meta(form).into_iter().map(Action::Meta)),
        Action::Command(text) => simpler.extend(plainer(text).map(Action::Command)),
        Action::Tell(text) => {
            simpler.push(Action::Notice(Subtype::INFORMATIONAL));
            simpler.extend(plainer(text).map(Action::Tell));
        }
        Action::Notice(subtype) => {
            simpler.extend(plainer(subtype).filter(|subtype| subtype.is_notice()).map(Action::Notice));
        }
        Action::Paste(count) => simpler.extend(lower(count).map(Action::Paste)),
        Action::Attach { form, text } => {
            let plain = PoolText::Plain;
            simpler.push(Action::Attach { form, text: plain });
            simpler.extend(plainer(form).map(|form| Action::Attach { form, text: plain }));
            simpler.extend(plainer(text).map(|text| Action::Attach { form, text }));
        }
        Action::Block(block, cuts) => {
            simpler.push(Action::Block(block, 0));
            simpler.extend(lower_blocks(block).map(|block| Action::Block(block, 0)));
            simpler.extend(lower_blocks(block).map(|block| Action::Block(block, cuts)));
            simpler.extend(lower(cuts).map(|cuts| Action::Block(block, cuts)));
        }
        Action::HalfBlock(block) => simpler.extend(lower_blocks(block).map(Action::HalfBlock)),
        Action::End(stop) => simpler.extend(plainer(stop).map(Action::End)),
        Action::Fail(failure) => simpler.extend(Failure::ALL.into_iter().take(failure as usize).map(Action::Fail)),
        Action::StreamError(failure) => {
            simpler.push(Action::Fail(failure));
            simpler.extend(Failure::ALL.into_iter().take(failure as usize).map(Action::StreamError));
        }
        Action::Result { call, gives } => {
            simpler.extend(lower(call).map(|call| Action::Result { call, gives }));
            simpler.extend(plainer_gives(gives).map(|gives| Action::Result { call, gives }));
        }
        Action::Deny { call, denial } => {
            simpler.extend(lower(call).map(|call| Action::Deny { call, denial }));
            simpler.extend(plainer(denial).map(|denial| Action::Deny { call, denial }));
        }
        Action::Hook { call, when, .. } => {
            let times = plainer(when).chain([when]);
            simpler.extend(times.flat_map(|when| OUTCOMES.map(|outcome| Action::Hook { call, when, outcome })));
        }
        Action::Compact { keep, preserve, is_automatic } => {
            let of = |keep| Action::Compact { keep, preserve, is_automatic };
            simpler.extend(lower(keep_choice(keep)).map(kept).map(of));
            for is_automatic in [false, is_automatic] {
                simpler.extend(PRESERVED.map(|preserve| Action::Compact { keep, preserve, is_automatic }));
            }
        }
        Action::Side(kind) => simpler.extend(plainer(kind).map(Action::Side)),
        Action::Crash(lost) => simpler.extend(lower(lost).map(Action::Crash)),
        Action::OtherWriter(what) => simpler.extend(plainer(what).map(Action::OtherWriter)),
        Action::Disk(times) => simpler.extend(lower(times.unwrap_or(u8::MAX)).map(|times| Action::Disk(Some(times)))),
        Action::Fork(count) => simpler.extend(lower(count).map(Action::Fork)),
        Action::Misfit(what) => {
            simpler.push(Action::Type(PoolText::Plain));
            simpler.extend(plainer(what).map(Action::Misfit));
        }
        Action::Summary(false) => simpler.push(Action::Summary(true)),
        _ => {}
    }
    simpler
}

/// Simpler messages for the model alone: each plainer sort, each lower text.
fn plainer_meta(form: Meta) -> Vec<Meta> {
    match form {
        Meta::Text(text) => plainer(text).map(Meta::Text).collect(),
        _ => vec![Meta::Text(PoolText::Plain), Meta::Image, Meta::Document],
    }
}

/// Simpler results: each plainer sort, each lower text.
fn plainer_gives(gives: Gives) -> impl Iterator<Item = Gives> {
    let text = PoolText::Plain;
    let sorts = [Gives::Plain, Gives::Blocks, Gives::Error, Gives::Nothing, Gives::Image, Gives::Text(text)];
    let [sort, number] = gives_choices(gives);
    let texts = lower(number).map(PoolText::at).flat_map(move |text| match gives {
        Gives::TextBlock(_) => vec![Gives::TextBlock(text), Gives::Text(text)],
        _ => vec![Gives::Text(text)],
    });
    sorts.into_iter().take(sort.into()).chain(texts)
}

/// What a compaction keeps, by its place in the order.
fn kept(place: u8) -> Keep {
    match place {
        0 => Keep::Nothing,
        1..128 => Keep::Last(u64::from(place % 8)),
        _ => Keep::First(u64::from(place % 8)),
    }
}

/// Actions of a simpler sort that may replace an action.
fn stand_ins(action: Action) -> Vec<Action> {
    let text = PoolText::Plain;
    let end = Action::End(Stop::Done);
    match action {
        Action::End(_) | Action::Interrupt | Action::Fail(_) | Action::StreamError(_) | Action::Fallback => {
            vec![end, Action::RESULT, Action::Break, Action::Interrupt, Action::Fallback]
        }
        Action::Deny { .. } => vec![Action::RESULT],
        Action::Crash(_) | Action::HalfBlock(_) => vec![Action::Block(BlockPlan::text(text), 0), end],
        Action::Paste(_)
        | Action::Meta(_)
        | Action::Command(_)
        | Action::Attach { .. }
        | Action::Notice(_)
        | Action::Tell(_)
        | Action::Hook { .. } => vec![
            Action::Type(text),
            Action::Paste(1),
            Action::Meta(Meta::Text(text)),
            Action::Command(text),
            Action::Attach { form: AttachmentForm::EMPTY_LIST, text },
        ],
        _ => Vec::new(),
    }
}
