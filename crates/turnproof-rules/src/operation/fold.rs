//! The operation `fold`: messages to the same messages with runs of calls folded into groups, and back; and over a
//! bridge to another UI, which gets no groups.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};

use super::messages::{Given, Readings};
use super::plain::Plain;
use crate::rules::FoldWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation};

/// Which runs are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Folding {
    /// Runs of calls of one tool in one reply.
    Group,
    /// Runs of calls that only read or search.
    Collapse,
}

/// What a subject did with a list of messages: folded, undone, and over a bridge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Folded {
    /// The messages, an array.
    pub messages: Plain,
    /// Which runs are folded.
    pub folding: Folding,
    /// The folded messages: an array.
    pub output: Given,
    /// The same, asked for again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Given>,
    /// What the subject makes of its own output when it takes the folding back; `None` when it does not do that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<Given>,
    /// What the subject makes of its own output when it is folded once more, in the other way, and one folding is taken
    /// back; `None` when that was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone_once: Option<Given>,
    /// What the subject carries of the messages over a bridge; `None` when it does not do that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridged: Option<Given>,
    /// The same for its own output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridged_output: Option<Given>,
}

/// What a subject makes of its own output.
#[derive(Clone, Default)]
struct Own {
    undone: Option<Given>,
    bridged: Option<Given>,
}

impl Observation for Folded {
    type WorkedOut<'a> = FoldWorkedOut<'a>;

    /// Asks for both foldings of the messages; further questions: again, the way back, and over a bridge.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let list = material.list();
        let readings = Readings::of(&list);
        let given = |answer| readings.given(answer);
        let (undoes, bridges) = (depth.asks(1, 3), depth.asks(2, 3));
        // The messages themselves go over the bridge once, whatever they are folded into.
        let bridged = bridges.then(|| subject.bridge(list.text()).into_answer().map(given)).flatten();
        let last = RefCell::<Option<(String, Own)>>::default();
        let fold = |folding| {
            let answer = subject.fold(list.text(), folding).into_answer()?;
            let ask_own = |output: &String| Own {
                undone: undoes.then(|| subject.unfold(output).into_answer().map(given)).flatten(),
                bridged: bridges.then(|| subject.bridge(output).into_answer().map(given)).flatten(),
            };
            // Where nothing is folded, both foldings give the same; a sample asks again.
            let own = answer.as_ref().ok().map(|output| match last.take() {
                Some((asked, own)) if asked == *output && !depth.asks_again(3) => own,
                _ => ask_own(output),
            });
            last.replace(answer.as_ref().ok().cloned().zip(own.clone()));
            let Own { undone, bridged: bridged_output } = own.unwrap_or_default();
            let fold_again = || subject.fold(list.text(), folding).into_answer().map(given);
            Some(Self {
                messages: list.plain().unwrap_or_default(),
                folding,
                again: depth.asks_again(3).then(fold_again).flatten(),
                undone,
                undone_once: undoes
                    .then(|| answer.as_ref().ok())
                    .flatten()
                    .and_then(|output| undone_once(subject, folding, output))
                    .map(given),
                bridged: bridged.clone(),
                bridged_output,
                output: given(answer),
            })
        };
        [Folding::Group, Folding::Collapse].map(fold).into_iter().collect::<Option<Vec<_>>>().map(Ok)
    }
}

/// What is there when a folded list is folded once more, in the other way, and one folding is taken back. It is asked
/// where something is folded.
fn undone_once(subject: &dyn Subject, folding: Folding, folded: &str) -> Option<Result<String, String>> {
    let other = match folding {
        Folding::Group => Folding::Collapse,
        Folding::Collapse => Folding::Group,
    };
    let is_folded = folded.contains("grouped_tool_use");
    let twice = is_folded.then(|| subject.fold(folded, other).into_answer()).flatten()?.ok()?;
    subject.unfold(&twice).into_answer()
}
