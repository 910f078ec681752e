//! *Observing* a case: all that a subject does with a scenario, gathered for the rules.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use crate::operation::{
    Accumulated, ApiNormalized, Derived, Given, Operation, Parsed, Plain, Played, Recorded, RequestOptions,
    Resumed, Shortened, UiNormalized, UiReordered,
};
use crate::scenario::Case;
use crate::subject::{Outcome, Subject};

use super::depth::Depth;
use super::sessions;

/// What a subject did with a scenario; an operation that it does not do gives none.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The transcript.
    pub bytes: Vec<u8>,
    /// What `parse` gave for it: the output, or why there is none.
    pub parsed: Option<Result<Parsed, String>>,
    /// The same, asked for again.
    pub parsed_again: Option<Result<Parsed, String>>,
    /// What `normalize_api` gave for the messages.
    pub api: Option<Result<ApiNormalized, String>>,
    /// What `normalize_ui` gave for the messages.
    pub ui: Option<Result<UiNormalized, String>>,
    /// What `reorder_ui` gave for the messages.
    pub reordered: Option<Result<UiReordered, String>>,
    /// What `derive_uuid` gave for the id of each line.
    pub derived: Option<Result<Vec<Derived>, String>>,
    /// What `short_id` gave for the id of each line.
    pub shortened: Option<Result<Vec<Shortened>, String>>,
    /// What `record` made of the sessions.
    pub recorded: Option<Result<Vec<Recorded>, String>>,
    /// What `resume` found in the transcripts.
    pub resumed: Option<Result<Vec<Resumed>, String>>,
    /// What `accumulate` made of the streams.
    pub accumulated: Option<Result<Vec<Accumulated>, String>>,
    /// The log that `play` gave.
    pub played: Option<Result<Played, String>>,
}

/// Asks a subject about a case, for the operations that are wanted.
pub fn observe(subject: &dyn Subject, case: &Case<'_>, operations: &[Operation], depth: Depth) -> Observed {
    let scenario = case.scenario();
    let wants = |operation| operations.contains(&operation);
    let mut observed = Observed::default();
    if wants(Operation::Parse) {
        observed.bytes = case.transcript().to_vec();
        observed.parsed = guarded(|| parse(subject, &observed.bytes));
        observed.parsed_again = guarded(|| parse(subject, &observed.bytes));
    }
    if wants(Operation::NormalizeApi) || wants(Operation::NormalizeUi) || wants(Operation::ReorderUi) {
        let messages = Messages(case.messages());
        let options = RequestOptions { context: scenario.project_context() };
        if wants(Operation::NormalizeApi) {
            observed.api = guarded(|| normalize_api(subject, &messages, options, depth).map(Ok));
        }
        if wants(Operation::NormalizeUi) {
            observed.ui = guarded(|| normalize_ui(subject, &messages, depth).map(Ok));
        }
        if wants(Operation::ReorderUi) {
            observed.reordered = guarded(|| reorder_ui(subject, &messages).map(Ok));
        }
    }
    let ids = case.ids();
    if wants(Operation::DeriveUuid) {
        let derive = |id: &&str| derive(subject, id, &scenario.indexes);
        observed.derived = guarded(|| ids.iter().map(derive).collect::<Option<Vec<_>>>().map(Ok));
    }
    if wants(Operation::ShortId) {
        let shorten = |id: &&str| shorten(subject, id);
        observed.shortened = guarded(|| ids.iter().map(shorten).collect::<Option<Vec<_>>>().map(Ok));
    }
    if wants(Operation::Record) {
        observed.recorded = guarded(|| sessions::record(subject, case).map(Ok));
    }
    if wants(Operation::Resume) {
        observed.resumed = guarded(|| sessions::resume(subject, case, depth).map(Ok));
    }
    if wants(Operation::Accumulate) {
        observed.accumulated = guarded(|| sessions::accumulate(subject, case, depth).map(Ok));
    }
    if wants(Operation::Play) {
        observed.played = guarded(|| sessions::play(subject, case));
    }
    observed
}

fn parse(subject: &dyn Subject, bytes: &[u8]) -> Option<Result<Parsed, String>> {
    let refused = |why| format!("the subject refused to read the file: {why}");
    Some(subject.parse(bytes).into_answer()?.map_err(refused))
}

/// How many beginnings of a list are asked about in a sample; each two that follow one another make a step.
const BEGINNINGS: usize = 5;

/// The messages of a case, each as JSON text.
struct Messages<'a>(&'a [String]);

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

fn normalize_api(
    subject: &dyn Subject,
    messages: &Messages<'_>,
    options: RequestOptions,
    depth: Depth,
) -> Option<ApiNormalized> {
    let ask = |messages: &str, options: &RequestOptions| {
        let (turns, after) = match subject.normalize_api(messages, options) {
            Outcome::Output(request) => (Outcome::Output(request.turns), request.messages_after),
            Outcome::Rejected(why) => (Outcome::Rejected(why), None),
            Outcome::Unsupported => (Outcome::Unsupported, None),
        };
        given(turns).map(|turns| (turns, after))
    };
    let all = messages.all();
    let (request, messages_after) = ask(&all, &options)?;
    let renormalized = match &request {
        Ok(turns) => ask(&as_messages(&turns.value), &RequestOptions::default()).map(|(turns, _)| turns),
        Err(_) => None,
    };
    let asked = depth.asked(messages.len(), BEGINNINGS);
    let shorter = (0..messages.len()).map(|count| {
        let answer = asked.contains(&count).then(|| ask(&messages.first(count), &options));
        answer.flatten().map(|(turns, _)| turns)
    });
    let incremental = match subject.normalize_api_incremental(&all, &options) {
        Outcome::Output(states) => {
            // The state after a message is held against the request for as many messages.
            let looked_at = |count: usize| asked.contains(&count) || count == messages.len();
            let states = states.into_iter().enumerate();
            Some(
                states
                    .map(|(index, json)| looked_at(index + 1).then(|| given(Outcome::Output(json))).flatten())
                    .collect(),
            )
        }
        Outcome::Rejected(why) => Some(vec![Some(Err(why))]),
        Outcome::Unsupported => None,
    };
    Some(ApiNormalized {
        messages: messages.plain(),
        again: ask(&all, &options).map(|(turns, _)| turns),
        messages_after: messages_after.and_then(|json| Plain::read(&json).ok()),
        renormalized,
        shorter: shorter.collect(),
        incremental,
        request,
        options,
    })
}

/// The turns of a request as a list of messages.
fn as_messages(turns: &Value) -> String {
    let turns = turns.as_array().map_or(&[][..], Vec::as_slice);
    Value::from_iter(turns.iter().map(|turn| json!({"type": turn["role"], "message": turn}))).to_string()
}

fn normalize_ui(subject: &dyn Subject, messages: &Messages<'_>, depth: Depth) -> Option<UiNormalized> {
    let ask = |count| given(subject.normalize_ui(&messages.first(count)));
    let asked = depth.asked(messages.len(), BEGINNINGS);
    Some(UiNormalized {
        messages: messages.plain(),
        output: ask(messages.len())?,
        again: ask(messages.len()),
        shorter: (0..messages.len())
            .map(|count| asked.contains(&count).then(|| ask(count)).flatten())
            .collect(),
    })
}

fn reorder_ui(subject: &dyn Subject, messages: &Messages<'_>) -> Option<UiReordered> {
    let all = messages.all();
    let output = given(subject.reorder_ui(&all))?;
    let again = given(subject.reorder_ui(&all));
    let reordered = match &output {
        Ok(order) => given(subject.reorder_ui(&order.value.to_string())),
        Err(_) => None,
    };
    Some(UiReordered { messages: messages.plain(), output, again, reordered })
}

fn derive(subject: &dyn Subject, parent: &str, indexes: &[u64]) -> Option<Derived> {
    let ask = |index: &u64| subject.derive_uuid(parent, *index).into_answer();
    let answers = indexes.iter().map(ask).collect::<Option<Vec<_>>>()?;
    let again = indexes.iter().map(ask).collect::<Option<Vec<_>>>()?;
    Some(Derived { parent: parent.to_owned(), indexes: indexes.to_vec(), answers, again })
}

fn shorten(subject: &dyn Subject, uuid: &str) -> Option<Shortened> {
    let answer = subject.short_id(uuid).into_answer()?;
    let again = subject.short_id(uuid).into_answer()?;
    Some(Shortened { uuid: uuid.to_owned(), answer, again })
}

/// Calls a subject; a panic is a finding of its own.
fn guarded<T>(call: impl FnOnce() -> Option<Result<T, String>>) -> Option<Result<T, String>> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<&str>().map(|message| (*message).to_owned());
        let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
        Some(Err(format!("the subject panicked: {}", message.unwrap_or_else(|| "without a message".into()))))
    })
}
