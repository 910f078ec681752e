//! The operation `reorder_ui`: messages in the order in which a UI shows them.

use serde::{Deserialize, Serialize};

use super::messages::{Given, Readings};
use super::plain::Plain;
use crate::rules::OrderWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation};

/// How a subject ordered a list of messages for the UI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UiReordered {
    /// The messages, an array.
    pub messages: Plain,
    /// The same messages in another order: an array.
    pub output: Given,
    /// The same, asked for again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Given>,
    /// What the subject makes of its own output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reordered: Option<Given>,
}

impl Observation for UiReordered {
    type WorkedOut<'a> = OrderWorkedOut<'a>;

    /// Asks for the order of the messages; then again, and of the subject's own output.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let list = material.list();
        let messages = list.plain().unwrap_or_default();
        let readings = Readings::of(&list);
        let ask = |list: &str| subject.reorder_ui(list).into_answer().map(|answer| readings.given(answer));
        let output = ask(list.text())?;
        let again = depth.asks_again(2).then(|| ask(list.text())).flatten();
        let order = output.as_ref().ok().filter(|_| depth.asks(1, 2));
        // A list that was in order has been asked about; a sample asks again.
        let is_known = |order: &Plain| *order == messages && !depth.asks_again(2);
        let reordered = order.and_then(|order| match is_known(order) {
            true => Some(output.clone()),
            false => ask(&order.value.to_string()),
        });
        Some(Ok(vec![Self { messages, output, again, reordered }]))
    }
}
