//! A log shows its *inputs*: it holds what was typed, and it does not call the disk broken when it was not.

use crate::json::Value;

use super::super::queue::as_blocks;
use super::applies_to_whole;
use crate::operation::Moment;
use crate::rules::alike::in_short;
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

pub(in crate::rules::engine) fn log_of_inputs(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies_to_whole(case)?;
    let inputs = case.inputs.as_ref().map_or(&[][..], |inputs| inputs.elements());
    let typed = typed(inputs);
    let logged: Vec<(usize, &Value)> = case
        .moments
        .iter()
        .enumerate()
        .filter_map(|(index, moment)| match moment {
            Moment::Typed { content, .. } => Some((index, &content.value)),
            _ => None,
        })
        .collect();
    let is_same = |(input, (_, logged)): &(&&Value, &(usize, &Value))| as_blocks(input) == as_blocks(logged);
    let same = typed.iter().zip(&logged).take_while(is_same).count();
    match (typed.get(same), logged.get(same)) {
        (Some(input), Some((index, logged))) => {
            let found = sentence!("the log says that {told} was typed", told = in_short(logged));
            report.add(Place::message(*index), "changed", found, sentence!("{input}", input = in_short(input)));
        }
        (Some(input), None) => {
            let input = in_short(input);
            let (kind, found) = match case.moments.is_empty() {
                true => ("says-nothing", sentence!("{input} is typed, and the log is empty", input)),
                false => ("missing", sentence!("{input} is typed, and the log does not say so", input)),
            };
            report.whole(kind, found, "each input that was typed, in order");
        }
        (None, Some((index, logged))) => {
            let found = sentence!("the log says that {told} was typed", told = in_short(logged));
            report.add(Place::message(*index), "extra", found, "only what was typed");
        }
        (None, None) => {}
    }
    if !case.whole && !inputs.iter().any(spoils_the_file) {
        let expected = "`whole`: the disk took everything, and nobody else wrote to the file";
        report.whole("not-whole", "the log says that its transcript cannot be compared", expected);
    }
    applies(!typed.is_empty(), "nothing is typed")
}

/// What was typed while the process lived.
fn typed(inputs: &[Value]) -> Vec<&Value> {
    let mut is_dead = false;
    let mut typed = Vec::new();
    for input in inputs {
        if input.get("crash").is_some() {
            is_dead = true;
        } else if input == "resume" {
            is_dead = false;
        }
        typed.extend(input.get("type").filter(|_| !is_dead));
    }
    typed
}

/// Whether an input breaks the disk, or lets another process write to the file.
fn spoils_the_file(input: &Value) -> bool {
    input.get("other_writer").is_some() || input.get("disk").is_some_and(|bytes| !bytes.is_null())
}
