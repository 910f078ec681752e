//! *Shrinking* makes plans smaller: fewer lines, fewer damages, fewer blocks, plainer choices.

use super::action::{Action, simplest};
use super::damage::Damage;
use super::line::{BlockPlan, LineKind, LinePlan, Link};
use super::{Profile, Scenario};

/// The plans one step simpler than `plan`, the boldest steps first. Each is strictly simpler, so
/// that taking steps ends.
pub fn simpler(plan: &Scenario) -> Vec<Scenario> {
    let mut plans = Vec::new();
    let with_lines = |lines: Vec<LinePlan>| Scenario { lines, ..plan.clone() };
    let count = plan.lines.len();
    // Runs of lines go first: halves, quarters, …, single lines.
    let mut run = count / 2;
    while run > 0 {
        for start in (0..count).step_by(run) {
            let mut lines = plan.lines.clone();
            lines.drain(start..(start + run).min(count));
            plans.push(with_lines(lines));
        }
        run /= 2;
    }
    if count == 1 {
        plans.push(with_lines(Vec::new()));
    }
    for (index, line) in plan.lines.iter().enumerate() {
        for simpler_line in simpler_lines(line) {
            let mut lines = plan.lines.clone();
            lines[index] = simpler_line;
            plans.push(with_lines(lines));
        }
    }
    if plan.profile == Profile::Hostile && plan.lines.iter().all(|line| line.damage.is_empty()) {
        plans.push(Scenario { profile: Profile::Shuffled, ..plan.clone() });
    }
    if plan.context {
        plans.push(Scenario { context: false, ..plan.clone() });
    }
    plans.extend(simpler_courses(&plan.actions).map(|actions| Scenario { actions, ..plan.clone() }));
    plans.extend(simpler_indexes(&plan.indexes).map(|indexes| Scenario { indexes, ..plan.clone() }));
    plans
}

/// The courses one step simpler: without a run of actions, or with one action simplified.
fn simpler_courses(actions: &[Action]) -> impl Iterator<Item = Vec<Action>> + '_ {
    let count = actions.len();
    let runs = std::iter::successors(Some(count), |run| Some(run / 2)).take_while(|run| *run > 0);
    let shorter = runs.flat_map(move |run| {
        (0..count).step_by(run).map(move |start| {
            let mut shorter = actions.to_vec();
            shorter.drain(start..(start + run).min(count));
            shorter
        })
    });
    let plainer = (0..count).filter(|&at| simplest(actions[at]) != actions[at]).map(|at| {
        let mut plainer = actions.to_vec();
        plainer[at] = simplest(actions[at]);
        plainer
    });
    shorter.chain(plainer)
}

/// The lines one step simpler.
fn simpler_lines(line: &LinePlan) -> Vec<LinePlan> {
    let mut lines = Vec::new();
    let plain = LinePlan { damage: line.damage.clone(), uuid: line.uuid, ..LinePlan::default() };
    if *line != plain {
        lines.push(plain);
    }
    for index in 0..line.damage.len() {
        let mut simpler = line.clone();
        simpler.damage.remove(index);
        lines.push(simpler);
    }
    for index in 0..line.blocks.len() {
        let mut simpler = line.clone();
        simpler.blocks.remove(index);
        lines.push(simpler);
    }
    let mut step = |condition: bool, change: fn(&mut LinePlan)| {
        if condition {
            let mut simpler = line.clone();
            change(&mut simpler);
            lines.push(simpler);
        }
    };
    step(line.kind != LineKind::User && line.blocks.is_empty(), |line| line.kind = LineKind::User);
    step(line.parent != Link::Absent, |line| line.parent = Link::Absent);
    step(line.uuid != Some(0), |line| line.uuid = Some(0));
    step(line.session != 0, |line| line.session = 0);
    step(line.flags != 0, |line| line.flags = 0);
    step(line.extras != 0, |line| line.extras = 0);
    step(line.plain, |line| line.plain = false);
    step(line.reply != 0, |line| line.reply = 0);
    step(line.form != 0, |line| line.form = 0);
    step(line.about != 0, |line| line.about = 0);
    for (index, damage) in line.damage.iter().enumerate() {
        if let Damage::NulBlock(_) = damage {
            let mut simpler = line.clone();
            simpler.damage[index] = Damage::NulAfter(0);
            lines.push(simpler);
        }
        for number in smaller(u64::from(damage.number())) {
            let mut simpler = line.clone();
            simpler.damage[index] = damage.with(number as u8);
            lines.push(simpler);
        }
    }
    for (index, block) in line.blocks.iter().enumerate() {
        for simpler_block in simpler_blocks(*block) {
            let mut simpler = line.clone();
            simpler.blocks[index] = simpler_block;
            lines.push(simpler);
        }
    }
    lines
}

/// The blocks one step simpler: the usual form, the first form, the first number.
fn simpler_blocks(block: BlockPlan) -> impl Iterator<Item = BlockPlan> {
    let (usual, first_form, first_number) = match block {
        BlockPlan::ToolUse(_) => (None, None, Some(BlockPlan::ToolUse(0))),
        BlockPlan::ToolResult(_) => (None, None, Some(BlockPlan::ToolResult(0))),
        BlockPlan::Text(_) => (None, None, Some(BlockPlan::Text(0))),
        BlockPlan::Thinking(_) => (None, None, Some(BlockPlan::Thinking(0))),
        BlockPlan::ServerToolUse(_) => (None, None, Some(BlockPlan::ServerToolUse(0))),
        BlockPlan::ServerToolResult(_) => (None, None, Some(BlockPlan::ServerToolResult(0))),
        BlockPlan::Unknown(_) => (None, None, Some(BlockPlan::Unknown(0))),
        BlockPlan::RedactedThinking | BlockPlan::Image | BlockPlan::Document => (None, None, None),
        BlockPlan::OddText(form, text) => odd(BlockPlan::Text(text), BlockPlan::OddText, form, text),
        BlockPlan::OddCall(form, call) => odd(BlockPlan::ToolUse(call), BlockPlan::OddCall, form, call),
        BlockPlan::OddResult(form, call) => {
            odd(BlockPlan::ToolResult(call), BlockPlan::OddResult, form, call)
        }
        BlockPlan::OddThinking(form, text) => {
            odd(BlockPlan::Thinking(text), BlockPlan::OddThinking, form, text)
        }
        BlockPlan::OddServerCall(form, call) => {
            odd(BlockPlan::ServerToolUse(call), BlockPlan::OddServerCall, form, call)
        }
        BlockPlan::OddServerResult(form, call) => {
            odd(BlockPlan::ServerToolResult(call), BlockPlan::OddServerResult, form, call)
        }
        BlockPlan::OddMedia(_) => (Some(BlockPlan::Image), Some(BlockPlan::OddMedia(0)), None),
        BlockPlan::Strange(_) => (Some(BlockPlan::Unknown(0)), Some(BlockPlan::Strange(0)), None),
    };
    [usual, first_form, first_number].into_iter().flatten().filter(move |simpler| *simpler != block)
}

/// The steps from a block of a form: the usual block, the first form, the first number.
fn odd(
    usual: BlockPlan,
    block: fn(u8, u8) -> BlockPlan,
    form: u8,
    number: u8,
) -> (Option<BlockPlan>, Option<BlockPlan>, Option<BlockPlan>) {
    (Some(usual), Some(block(0, number)), Some(block(form, 0)))
}

/// The lists of indexes one step simpler.
fn simpler_indexes(indexes: &[u64]) -> impl Iterator<Item = Vec<u64>> + '_ {
    let removed = (0..indexes.len()).map(|at| {
        let mut simpler = indexes.to_vec();
        simpler.remove(at);
        simpler
    });
    let lowered = (0..indexes.len()).flat_map(move |at| {
        smaller(indexes[at]).map(move |number| {
            let mut simpler = indexes.to_vec();
            simpler[at] = number;
            simpler
        })
    });
    removed.chain(lowered)
}

/// Smaller numbers: 0, then ever nearer to the number itself.
fn smaller(number: u64) -> impl Iterator<Item = u64> {
    let mut distance = number;
    std::iter::from_fn(move || {
        (distance > 0).then(|| {
            let smaller = number - distance;
            distance /= 2;
            smaller
        })
    })
}
