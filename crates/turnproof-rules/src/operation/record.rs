//! The operation `record`: lists of messages to lines of a transcript.

use serde::{Deserialize, Serialize};

use crate::rules::RecordWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation, Session};

/// One thing that happens while a session is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordStep {
    /// The list of messages and events as it stands now, as a JSON array. What is new in it is to be recorded; what is
    /// recorded already, but not yet written, is written as it stands here.
    List(String),
    /// As [`List`](Self::List), and a request is about to be sent: when this has been answered without an error, all
    /// that is new has to be in the file (`record/user-before-request`).
    ListBeforeRequest(String),
    /// Everything that waits is to be written now, as when the time of the queue has run out.
    Flush,
    /// From now on the disk takes so many bytes more, and then fails; `None`: it takes everything.
    DiskTakes(Option<u64>),
    /// The process dies and another one goes on with the file: what waited is lost, what the file holds counts as
    /// recorded.
    Restart,
    /// Another process writes these bytes at the end of the file, whole lines or not.
    OtherWriter(Vec<u8>),
}

/// What a subject answered to one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordAnswer {
    /// The uuid that the next message will chain to, after a list; or the error that the caller got.
    pub tip: Result<Option<String>, String>,
    /// The file's bytes after the step.
    pub file: Vec<u8>,
}

/// What a subject did while a session was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The file before the first step.
    pub before: Vec<u8>,
    /// The session's id, which each line carries.
    pub session: String,
    /// The steps.
    pub steps: Vec<RecordStep>,
    /// The answer to each step, or why there are none.
    pub answers: Result<Vec<RecordAnswer>, String>,
    /// The answers to the same steps, asked for again from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Result<Vec<RecordAnswer>, String>>,
}

impl Observation for Recorded {
    type WorkedOut<'a> = RecordWorkedOut<'a>;

    /// Lets the subject record the session of the case, or the messages as lists that grow; then again.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let Session { before, session, steps } = material.session().unwrap_or_else(|| lists(material));
        let ask = || subject.record(&before, &session, &steps).into_answer();
        let (answers, again) = (ask()?, depth.asks(0, 2).then(ask).flatten());
        Some(Ok(vec![Self { before, session, steps, answers, again }]))
    }
}

/// The session of recorded lists.
pub(super) const SESSION: &str = "5e550000-0000-4000-8000-000000000001";

/// What a list may end with: a notice as old clients wrote it, without a subtype; a boundary that does not say what
/// came before it, and its summary.
const COMPACTED: [&str; 3] = [
    r#"{"type":"system","uuid":"99999999-0000-4000-8000-000000000003","timestamp":"2026-01-02T00:00:00.000Z","content":"a","level":"info"}"#,
    r#"{"type":"system","subtype":"compact_boundary","uuid":"99999999-0000-4000-8000-000000000004","timestamp":"2026-01-02T00:00:00.000Z","content":"Conversation compacted","compactMetadata":{"trigger":"manual","preTokens":1000}}"#,
    r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000005","timestamp":"2026-01-02T00:00:00.000Z","isCompactSummary":true,"message":{"role":"user","content":"What happened so far"}}"#,
];

/// The messages as lists that grow, with a disk that fails and a process that dies. A case with project context goes on
/// with its transcript.
fn lists(material: &dyn Material) -> Session {
    let mut messages = material.messages().to_vec();
    let choice = material.indexes().first().copied().unwrap_or_default();
    if choice % 3 == 1 {
        messages.extend(COMPACTED.map(str::to_owned));
    }
    let first = |count: usize| format!("[{}]", messages[..count].join(","));
    let half = messages.len() / 2;
    let mut steps = vec![RecordStep::List(first(half)), RecordStep::Flush];
    if choice % 3 == 0 {
        steps.push(RecordStep::OtherWriter(br#"{"type":"tag","tag":"torn"#.to_vec()));
    }
    steps.push(RecordStep::List(first(messages.len())));
    if choice % 4 == 0 {
        steps.extend([RecordStep::DiskTakes(Some(choice % 400)), RecordStep::Flush]);
        steps.push(RecordStep::DiskTakes(None));
    }
    if choice % 5 == 0 {
        steps.push(RecordStep::Restart);
    }
    steps.extend([RecordStep::ListBeforeRequest(first(messages.len())), RecordStep::Flush]);
    let goes_on = material.project_context().is_some();
    let before = if goes_on { material.transcript().to_vec() } else { Vec::new() };
    Session { before, session: SESSION.to_owned(), steps }
}
