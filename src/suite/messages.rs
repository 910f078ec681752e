//! What a subject makes of a case's *messages*: a request, and what a UI shows.

use std::ops::Range;

use serde_json::{Value, json};

use crate::operation::{ApiNormalized, Given, Plain, RequestOptions, UiNormalized, UiReordered};
use crate::subject::{Outcome, Subject};

use super::depth::Depth;

/// How many beginnings of a list are asked about in a sample; each two that follow one another make a step.
const BEGINNINGS: usize = 5;

/// How many sorts of further questions there are about a request.
const SORTS: u64 = 4;

/// The messages of a case, each as JSON text.
pub(super) struct Messages<'a>(pub(super) &'a [String]);

impl Messages<'_> {
    /// The first `count` messages as a JSON array.
    fn first(&self, count: usize) -> String {
        format!("[{}]", self.0[..count].join(","))
    }

    fn all(&self) -> String {
        self.first(self.0.len())
    }

    /// How many there are.
    fn len(&self) -> usize {
        self.0.len()
    }

    fn plain(&self) -> Plain {
        Plain::read(&self.all()).unwrap_or_default()
    }
}

/// JSON text that a subject gave, read; nothing when it does not do the operation.
fn given(outcome: Outcome<String>) -> Option<Given> {
    let answer = outcome.into_answer()?;
    Some(
        answer
            .and_then(|json| Plain::read(&json).map_err(|error| format!("the output is not JSON: {error}"))),
    )
}

/// The questions about the request of one list.
struct Asking<'a> {
    subject: &'a dyn Subject,
    messages: &'a Messages<'a>,
    options: &'a RequestOptions,
}

pub(super) fn normalize_api(
    subject: &dyn Subject,
    messages: &Messages<'_>,
    options: RequestOptions,
    depth: Depth,
) -> Option<ApiNormalized> {
    let asking = Asking { subject, messages, options: &options };
    let all = messages.all();
    let (request, messages_after) = asking.request(&all, &options)?;
    let beginnings = if depth.asks(2, SORTS) { depth.asked(messages.len(), BEGINNINGS) } else { 0..0 };
    let asks_again = depth.asks(0, SORTS);
    let turns = request.as_ref().ok().filter(|_| depth.asks(1, SORTS));
    Some(ApiNormalized {
        messages: messages.plain(),
        again: asks_again.then(|| asking.turns(&all, &options)).flatten(),
        messages_after: messages_after.filter(|_| asks_again).and_then(|json| Plain::read(&json).ok()),
        renormalized: turns
            .and_then(|turns| asking.turns(&as_messages(&turns.value), &RequestOptions::default())),
        shorter: asking.shorter(&beginnings),
        incremental: depth.asks(3, SORTS).then(|| asking.incremental(&all, &beginnings)).flatten(),
        request,
        options,
    })
}

impl Asking<'_> {
    /// A request of a list, and the list as it is after the call.
    fn request(&self, messages: &str, options: &RequestOptions) -> Option<(Given, Option<String>)> {
        let (turns, after) = match self.subject.normalize_api(messages, options) {
            Outcome::Output(request) => (Outcome::Output(request.turns), request.messages_after),
            Outcome::Rejected(why) => (Outcome::Rejected(why), None),
            Outcome::Unsupported => (Outcome::Unsupported, None),
        };
        given(turns).map(|turns| (turns, after))
    }

    fn turns(&self, messages: &str, options: &RequestOptions) -> Option<Given> {
        self.request(messages, options).map(|(turns, _)| turns)
    }

    /// The requests of the beginnings that are asked about.
    fn shorter(&self, beginnings: &Range<usize>) -> Vec<Option<Given>> {
        let request = |count| self.turns(&self.messages.first(count), self.options);
        (0..self.messages.len())
            .map(|count| beginnings.contains(&count).then(|| request(count)).flatten())
            .collect()
    }

    /// The requests after each message; the state after a message is held against the request for as many.
    fn incremental(&self, all: &str, beginnings: &Range<usize>) -> Option<Vec<Option<Given>>> {
        let states = match self.subject.normalize_api_incremental(all, self.options) {
            Outcome::Output(states) => states,
            Outcome::Rejected(why) => return Some(vec![Some(Err(why))]),
            Outcome::Unsupported => return None,
        };
        let is_looked_at = |count: usize| beginnings.contains(&count) || count == self.messages.len();
        let state = |(index, json)| is_looked_at(index + 1).then(|| given(Outcome::Output(json))).flatten();
        Some(states.into_iter().enumerate().map(state).collect())
    }
}

/// The turns of a request as a list of messages.
fn as_messages(turns: &Value) -> String {
    let turns = turns.as_array().map_or(&[][..], Vec::as_slice);
    Value::from_iter(turns.iter().map(|turn| json!({"type": turn["role"], "message": turn}))).to_string()
}

pub(super) fn normalize_ui(
    subject: &dyn Subject,
    messages: &Messages<'_>,
    depth: Depth,
) -> Option<UiNormalized> {
    let ask = |count| given(subject.normalize_ui(&messages.first(count)));
    let asked = if depth.asks(1, 2) { depth.asked(messages.len(), BEGINNINGS) } else { 0..0 };
    Some(UiNormalized {
        messages: messages.plain(),
        output: ask(messages.len())?,
        again: depth.asks(0, 2).then(|| ask(messages.len())).flatten(),
        shorter: (0..messages.len())
            .map(|count| asked.contains(&count).then(|| ask(count)).flatten())
            .collect(),
    })
}

pub(super) fn reorder_ui(
    subject: &dyn Subject,
    messages: &Messages<'_>,
    depth: Depth,
) -> Option<UiReordered> {
    let all = messages.all();
    let output = given(subject.reorder_ui(&all))?;
    let again = depth.asks(0, 2).then(|| given(subject.reorder_ui(&all))).flatten();
    let order = output.as_ref().ok().filter(|_| depth.asks(1, 2));
    let reordered = order.and_then(|order| given(subject.reorder_ui(&order.value.to_string())));
    Some(UiReordered { messages: messages.plain(), output, again, reordered })
}
