//! The operation `normalize_ui`: messages to what a UI shows.

use serde::{Deserialize, Serialize};

use super::messages::{BEGINNINGS, Given, Readings};
use super::plain::Plain;
use crate::rules::UiWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation};

/// What a subject did with a list of messages for the UI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UiNormalized {
    /// The messages, an array.
    pub messages: Plain,
    /// The messages of the UI: an array.
    pub output: Given,
    /// The same, asked for again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Given>,
    /// The outputs for the first 0, 1, 2, … messages, without the whole list. `None` when that was not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shorter: Vec<Option<Given>>,
}

impl Observation for UiNormalized {
    type WorkedOut<'a> = UiWorkedOut<'a>;

    /// Asks what a UI shows of the messages; then again, and of some beginnings of the list.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let list = material.list();
        let readings = Readings::of(&list);
        let ask = |list: &str| subject.normalize_ui(list).into_answer().map(|answer| readings.given(answer));
        let count = list.elements().len();
        let asked = if depth.asks(1, 2) { depth.asked(count, BEGINNINGS) } else { 0..0 };
        let beginning = |count| asked.contains(&count).then(|| ask(list.first(count).text())).flatten();
        Some(Ok(vec![Self {
            messages: list.plain().unwrap_or_default(),
            output: ask(list.text())?,
            again: depth.asks_again(2).then(|| ask(list.text())).flatten(),
            shorter: (0..count).map(beginning).collect(),
        }]))
    }
}
