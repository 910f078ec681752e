//! A case becomes *simpler*: fewer answers, fewer prompts, nothing that fails, fewer blocks, plain ones.

use serde_json::{Map, Value};
use turnproof_mock::{BlockPlan, Script, Step, Use};

use crate::play::Case;

/// What is simpler than a case by one thing, the largest things first.
pub(crate) fn simpler(case: &Case) -> Vec<Case> {
    let steps = &case.script.steps;
    let with = |steps: Vec<Step>| Case { prompts: case.prompts, script: Script { steps, ..case.script.clone() } };
    let replaced = |at: usize, step: Step| {
        let mut steps = steps.clone();
        steps[at] = step;
        with(steps)
    };
    let mut found = Vec::new();
    let mut without = |range: std::ops::Range<usize>| {
        let mut steps = steps.clone();
        steps.drain(range);
        found.push(with(steps));
    };
    if steps.len() > 2 {
        without(steps.len() / 2..steps.len());
        without(0..steps.len() / 2);
    }
    (0..steps.len()).for_each(|at| without(at..at + 1));
    found.extend((1..case.prompts).rev().map(|prompts| Case { prompts, ..case.clone() }));
    for (at, step) in steps.iter().enumerate() {
        found.extend(lesser(step).into_iter().map(|step| replaced(at, step)));
    }
    for (at, step) in steps.iter().enumerate() {
        found.extend(plainer(step).into_iter().map(|step| replaced(at, step)));
    }
    found
}

/// The step with less of anything.
fn lesser(step: &Step) -> Vec<Step> {
    let mut found = Vec::new();
    if !step.faults.is_empty() {
        found.push(Step { faults: Vec::new(), ..step.clone() });
    }
    for at in 0..step.blocks.len() {
        let mut blocks = step.blocks.clone();
        blocks.remove(at);
        found.push(Step { blocks, ..step.clone() });
    }
    if step.stop.is_some() {
        found.push(Step { stop: None, ..step.clone() });
    }
    found
}

/// The step with a block in its plainest form.
fn plainer(step: &Step) -> Vec<Step> {
    let plain = |block: &BlockPlan| match block {
        BlockPlan::Text { .. } => {
            BlockPlan::Text { text: "A plain text.".to_owned(), citations: Vec::new(), half_a_pair: false }
        }
        BlockPlan::Thinking { .. } | BlockPlan::RedactedThinking { .. } => {
            BlockPlan::Thinking { thinking: "A plain thought.".to_owned(), signature: None }
        }
        BlockPlan::ToolUse { .. } => BlockPlan::ToolUse {
            wanted: Some(Use::Shell),
            text: Some("echo alpha".to_owned()),
            name: None,
            input: None,
            written: None,
            id: None,
        },
        other => other.clone(),
    };
    let mut found = Vec::new();
    for (at, block) in step.blocks.iter().enumerate() {
        let plain = plain(block);
        if plain != *block {
            let mut blocks = step.blocks.clone();
            blocks[at] = plain;
            found.push(Step { blocks, ..step.clone() });
        }
    }
    found
}

/// A step as JSON, without what is not said.
pub(crate) fn bare(step: &Step) -> Value {
    let mut value = serde_json::to_value(step).unwrap_or_default();
    if let Some(members) = value.as_object_mut() {
        said_alone(members);
        for part in ["error", "usage", "when"] {
            members.get_mut(part).and_then(Value::as_object_mut).into_iter().for_each(said_alone);
        }
        let blocks = members.get_mut("blocks").and_then(Value::as_array_mut);
        blocks.into_iter().flatten().filter_map(Value::as_object_mut).for_each(said_alone);
    }
    value
}

/// Takes out what says nothing.
fn said_alone(members: &mut Map<String, Value>) {
    let is_said = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(elements) => !elements.is_empty(),
        Value::Number(number) => number.as_u64() != Some(0),
        _ => true,
    };
    members.retain(|_, value| is_said(value));
}
