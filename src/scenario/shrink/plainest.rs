//! The *plainest* plans: those that are tried before anything else.

use super::super::pool::PoolText;
use super::measure::{Measure, only_simpler};
use crate::scenario::{Action, BlockPlan, LineKind, LinePlan, Profile, Scenario};

/// The plainest plans that are simpler than this one, the simplest first: nothing, a line, a call, a call and
/// its result; and in a conversation also a prompt with the beginning of a reply.
pub(super) fn plainest(plan: &Scenario) -> Vec<Scenario> {
    let mut plans = vec![Scenario { indexes: vec![1], ..lines_alone(Vec::new(), false) }];
    plans.extend(lines().into_iter().map(|lines| lines_alone(lines, plan.context)));
    if plan.profile == Profile::Causal {
        let courses = courses().into_iter();
        let of = |actions| Scenario { actions, profile: Profile::Causal, ..lines_alone(Vec::new(), plan.context) };
        plans.extend(courses.map(of));
    }
    let mut plans = only_simpler(plans, plan);
    plans.sort_by_cached_key(Measure::of);
    plans
}

/// A plan of lines that are well-formed.
pub(super) fn lines_alone(lines: Vec<LinePlan>, context: bool) -> Scenario {
    Scenario { profile: Profile::Shuffled, lines, actions: Vec::new(), indexes: Vec::new(), context }
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

fn courses() -> Vec<Vec<Action>> {
    let block = |block| Action::Block(block, 0);
    let prompt = Action::Type(PoolText::Plain);
    vec![
        vec![],
        vec![prompt],
        vec![prompt, block(BlockPlan::text(PoolText::Plain))],
        vec![prompt, block(BlockPlan::call(0))],
    ]
}
