//! The operation `normalize_api`: messages to a request.
//!
//! Messages go in as JSON text, because a session's strings may hold what a parsed value cannot (lone surrogates). What
//! a subject made of them is gathered here with all that the rules compare it to.

use std::ops::Range;

use crate::json;
use crate::json::Value;
use serde::{Deserialize, Serialize};

use super::form::{ListText, OptionalListText};
use super::list::List;
use super::messages::{BEGINNINGS, Given, Readings};
use super::plain::Plain;
use crate::rules::ApiWorkedOut;
use crate::subject::{Outcome, Subject};
use crate::{Answers, Depth, Material, Observation};

/// How many sorts of further questions there are.
const SORTS: u64 = 4;

/// What a request is made for, beside the messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RequestOptions {
    /// Project context, which goes in front of the first user message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// The output of `normalize_api`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Turns"))]
pub struct RequestText {
    /// The turns of the request, each with `role` and `content`.
    #[serde(rename = "messages", with = "ListText")]
    pub turns: String,
    /// The input messages as they are after the call, where the program can tell.
    #[serde(default, with = "OptionalListText", skip_serializing_if = "Option::is_none")]
    pub messages_after: Option<String>,
}

/// What a subject did with a list of messages for the API.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ApiNormalized {
    /// The messages, an array.
    pub messages: Plain,
    /// The options.
    #[serde(default)]
    pub options: RequestOptions,
    /// The request: an array of turns.
    pub request: Given,
    /// The request, asked for again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Given>,
    /// The input messages as they are after the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages_after: Option<Plain>,
    /// What the subject makes of its own output: each turn as a user or assistant message, no context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renormalized: Option<Given>,
    /// The requests for the first 0, 1, 2, … messages, without the whole list, each with the options. `None` when that
    /// was not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shorter: Vec<Option<Given>>,
    /// The requests of a normalizer that gets one message at a time, after each message. `None` when that was not asked
    /// for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incremental: Option<Vec<Option<Given>>>,
}

impl ApiNormalized {
    /// The messages one by one.
    pub fn events(&self) -> &[Value] {
        self.messages.elements()
    }
}

impl Observation for ApiNormalized {
    type WorkedOut<'a> = ApiWorkedOut<'a>;

    /// Asks for the request of the messages. Further questions: again, of its own output, of some beginnings of the
    /// list, and message by message.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let list = material.list();
        let options = RequestOptions { context: material.project_context() };
        let readings = Readings::of(&list);
        let asking = Asking { subject, list: &list, options: &options, readings: &readings };
        let (request, messages_after) = asking.request(list.text(), &options)?;
        let beginnings = if depth.asks(2, SORTS) { depth.asked(list.elements().len(), BEGINNINGS) } else { 0..0 };
        let asks_again = depth.asks_again(SORTS);
        let turns = request.as_ref().ok().filter(|_| depth.asks(1, SORTS));
        Some(Ok(vec![Self {
            again: asks_again.then(|| asking.turns(list.text(), &options)).flatten(),
            messages_after: messages_after.filter(|_| asks_again).and_then(|after| readings.given(Ok(after)).ok()),
            renormalized: turns.and_then(|turns| asking.turns(&as_messages(&turns.value), &RequestOptions::default())),
            shorter: asking.shorter(&beginnings),
            incremental: depth.asks(3, SORTS).then(|| asking.incremental(&beginnings)).flatten(),
            messages: list.plain().unwrap_or_default(),
            request,
            options,
        }]))
    }
}

/// The questions about the request of one list.
struct Asking<'a> {
    subject: &'a dyn Subject,
    list: &'a List,
    options: &'a RequestOptions,
    readings: &'a Readings,
}

impl Asking<'_> {
    /// A request of a list, and the list as it is after the call.
    fn request(&self, list: &str, options: &RequestOptions) -> Option<(Given, Option<String>)> {
        Some(match self.subject.normalize_api(list, options).into_answer()? {
            Ok(RequestText { turns, messages_after }) => (self.readings.given(Ok(turns)), messages_after),
            Err(why) => (Err(why), None),
        })
    }

    fn turns(&self, list: &str, options: &RequestOptions) -> Option<Given> {
        self.request(list, options).map(|(turns, _)| turns)
    }

    /// The requests of the beginnings that are asked about.
    fn shorter(&self, beginnings: &Range<usize>) -> Vec<Option<Given>> {
        let request = |count| self.turns(self.list.first(count).text(), self.options);
        let asked = |count| beginnings.contains(&count).then(|| request(count)).flatten();
        (0..self.list.elements().len()).map(asked).collect()
    }

    /// The requests after each message; the state after a message is compared with the request for as many messages.
    fn incremental(&self, beginnings: &Range<usize>) -> Option<Vec<Option<Given>>> {
        let states = match self.subject.normalize_api_incremental(self.list.text(), self.options) {
            Outcome::Output(states) => states,
            Outcome::Rejected(why) => return Some(vec![Some(Err(why))]),
            Outcome::Unsupported => return None,
        };
        let is_looked_at = |count: usize| beginnings.contains(&count) || count == self.list.elements().len();
        let state = |(index, turns)| is_looked_at(index + 1).then(|| self.readings.given(Ok(turns)));
        Some(states.into_iter().enumerate().map(state).collect())
    }
}

/// The turns of a request as a JSON array of messages, which have nothing but role and content.
fn as_messages(turns: &Value) -> String {
    let turns = turns.as_array().map_or(&[][..], Vec::as_slice);
    let message =
        |turn: &Value| json!({"type": turn["role"], "message": {"role": turn["role"], "content": turn["content"]}});
    Value::from_iter(turns.iter().map(message)).to_string()
}
