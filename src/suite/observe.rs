//! *Observing* a case: all that a subject does with a scenario, gathered for the rules.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::operation::{
    Accumulated, ApiNormalized, Derived, Operation, Parsed, Played, Recorded, RequestOptions, Resumed,
    Shortened, UiNormalized, UiReordered,
};
use crate::scenario::Case;
use crate::subject::Subject;

use super::depth::Depth;
use super::messages::{Messages, normalize_api, normalize_ui, reorder_ui};
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
        if depth.asks(0, 2) {
            observed.parsed_again = guarded(|| parse(subject, &observed.bytes));
        }
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
            observed.reordered = guarded(|| reorder_ui(subject, &messages, depth).map(Ok));
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
        observed.recorded = guarded(|| sessions::record(subject, case, depth).map(Ok));
    }
    if wants(Operation::Resume) {
        observed.resumed = guarded(|| sessions::resume(subject, case, depth).map(Ok));
    }
    if wants(Operation::Accumulate) {
        observed.accumulated = guarded(|| sessions::accumulate(subject, case, depth).map(Ok));
    }
    if wants(Operation::Play) {
        observed.played = guarded(|| sessions::play(subject, case, depth));
    }
    observed
}

fn parse(subject: &dyn Subject, bytes: &[u8]) -> Option<Result<Parsed, String>> {
    let refused = |why| format!("the subject refused to read the file: {why}");
    Some(subject.parse(bytes).into_answer()?.map_err(refused))
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
