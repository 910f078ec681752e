//! The operation `record`: lists of messages to lines of a transcript.

use serde::{Deserialize, Serialize};

use super::form::Base64;
use super::{Element, List, Plain, bytes};
use crate::json::Value;
use crate::rules::RecordWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation, Session};

/// One thing that happens while a session is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RecordStep {
    /// The list of messages as it stands now.
    List(List),
    /// The same, and a request is about to be sent.
    ListBeforeRequest(List),
    /// Everything that waits is to be written now.
    Flush,
    /// From now on the disk takes so many bytes more; null: it takes everything.
    DiskTakes(Option<u64>),
    /// The process dies, and another one goes on with the file.
    Restart,
    /// Another process writes these bytes at the end of the file.
    #[serde(rename = "other_writer_b64")]
    OtherWriter(#[serde(with = "Base64")] Vec<u8>),
    /// What the caller says about the next list (SPEC 3.2.8).
    Hints(RecordHints),
}

/// What a caller says about a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordHints {
    /// The recorded message after which the list continues.
    #[serde(rename = "startingParentUuidHint", default, skip_serializing_if = "Option::is_none")]
    pub starting_parent: Option<String>,
    /// The team whose agent says what is new in the list.
    #[serde(rename = "teamInfo", default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamInfo>,
}

/// An agent of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TeamInfo {
    /// The team's name.
    pub team_name: String,
    /// The agent's name.
    pub agent_name: String,
}

/// The answer to a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordAnswer {
    /// After a list: the uuid that the next message will chain to.
    #[serde(default)]
    tip: Option<String>,
    /// The error that the caller got, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The file after the step.
    #[serde(rename = "jsonl_b64", with = "Base64")]
    pub file: Vec<u8>,
}

impl RecordAnswer {
    /// The answer with this tip, or with this error.
    pub fn new(tip: Result<Option<String>, String>, file: Vec<u8>) -> Self {
        let (tip, error) = tip.map_or_else(|error| (None, Some(error)), |tip| (tip, None));
        Self { tip, error, file }
    }

    /// The uuid that the next message will chain to, after a list; or the error that the caller got.
    pub fn tip(&self) -> Result<Option<&str>, &str> {
        self.error.as_deref().map_or(Ok(self.tip.as_deref()), Err)
    }
}

/// What a subject did while a session was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The file before the first step; in JSON a string, or a list of numbers when it is not UTF-8.
    #[serde(with = "bytes")]
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
        let (answers, again) = (ask()?, depth.asks_again(2).then(ask).flatten());
        Some(Ok(vec![Self { before, session, steps, answers, again }]))
    }
}

/// With one of these as the first index of a case little disturbs its recording: all messages come as one list, or half
/// of them are written first, or a torn line comes between. No stored case has such an index, and as each is a multiple of
/// 3, it adds no message.
pub const CALM: [u64; 3] = [1_000_002, 1_000_005, 1_000_008];

/// The session of recorded lists.
pub(super) const SESSION: &str = "5e550000-0000-4000-8000-000000000001";

/// What a list may end with: a notice as old clients wrote it, without a subtype; a boundary that does not say what
/// came before it, and its summary.
const COMPACTED: [&str; 3] = [
    r#"{"type":"system","uuid":"99999999-0000-4000-8000-000000000003","timestamp":"2026-01-02T00:00:00.000Z","content":"a","level":"info"}"#,
    r#"{"type":"system","subtype":"compact_boundary","uuid":"99999999-0000-4000-8000-000000000004","timestamp":"2026-01-02T00:00:00.000Z","content":"Conversation compacted","compactMetadata":{"trigger":"manual","preTokens":1000}}"#,
    r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000005","timestamp":"2026-01-02T00:00:00.000Z","isCompactSummary":true,"message":{"role":"user","content":"What happened so far"}}"#,
];

/// The uuids of the summary and of the message behind it.
const SUMMARY: &str = "99999999-0000-4000-8000-000000000011";
const KEPT: &str = "99999999-0000-4000-8000-000000000012";

/// A list after a compaction: a boundary that keeps what is from `$head` to `$tail`, its summary, and one more message.
const KEEPING: [&str; 3] = [
    r#"{"type":"system","subtype":"compact_boundary","uuid":"99999999-0000-4000-8000-000000000010","timestamp":"2026-01-02T00:00:00.000Z","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":1000,"preservedSegment":{"headUuid":$head,"anchorUuid":"99999999-0000-4000-8000-000000000011","tailUuid":$tail}}}"#,
    r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000011","timestamp":"2026-01-02T00:00:00.000Z","isCompactSummary":true,"message":{"role":"user","content":"What happened so far"}}"#,
    r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000012","timestamp":"2026-01-02T00:00:00.000Z","message":{"role":"user","content":"a"}}"#,
];

/// What a subagent said.
const OF_A_SUBAGENT: &str = r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000006","timestamp":"2026-01-02T00:00:00.000Z","isSidechain":true,"agentId":"agent1","message":{"role":"user","content":"a"}}"#;

/// What an agent says that names no team.
const OF_AN_AGENT: &str = r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000007","timestamp":"2026-01-02T00:00:00.000Z","agentName":"scribe","message":{"role":"user","content":"a"}}"#;

/// A message without a uuid, for which its list is refused.
const NAMELESS: &str =
    r#"{"type":"user","timestamp":"2026-01-02T00:00:00.000Z","message":{"role":"user","content":"a"}}"#;

/// What somebody says that names `$` as the source of a result, and has none.
const OF_NO_TOOL: &str = r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000008","timestamp":"2026-01-02T00:00:00.000Z","sourceToolAssistantUUID":$,"message":{"role":"user","content":"a"}}"#;

fn of_no_tool(source: &str) -> Element {
    Element::new(OF_NO_TOOL.replace('$', &Value::from(source).to_string()))
}

/// The hints of the second list, by the first index of a case: where it continues, which may be a message that nobody
/// recorded, and who speaks.
pub const fn is_hinted(choice: u64) -> (bool, bool) {
    (matches!(choice % 7, 2..=4), matches!(choice % 7, 3..=5))
}

/// Whether the stop sequence of a reply comes while its line waits, by the first index of a case.
pub const fn stops_late(choice: u64) -> bool {
    choice % 4 == 1
}

/// Whether a boundary that does not say what came before it is the first thing that a process writes, by the first index
/// of a case.
pub const fn compacts_after_a_restart(choice: u64) -> bool {
    choice % 3 == 1 && choice.is_multiple_of(5)
}

/// Whether a subagent's line is the last one before that, by the first index of a case.
pub const fn ends_with_a_subagent(choice: u64) -> bool {
    compacts_after_a_restart(choice) && choice.is_multiple_of(2)
}

/// Whether a boundary names what it keeps the other way round, by the first index of a case.
pub const fn is_turned(choice: u64) -> bool {
    choice % 7 == 1 && choice % 2 == 1
}

/// Whether the process dies between a hint and the list that it is for, by the first index of a case.
pub const fn forgets_hints(choice: u64) -> bool {
    choice.is_multiple_of(5) && choice % 4 == 3
}

/// The messages, the last reply with a stop sequence that the model came to; `None` when no reply can have one.
fn stopped(messages: &[Element]) -> Option<List> {
    const OPEN: &str = r#""stop_sequence":null"#;
    let is_reply =
        |message: &Element| message.json().contains(OPEN) && kind_of(message.json()).as_deref() == Some("assistant");
    let at = messages.iter().rposition(is_reply)?;
    let mut messages = messages.to_vec();
    messages[at] = Element::new(messages[at].json().replacen(OPEN, r#""stop_sequence":"END""#, 1));
    Some(messages.into_iter().collect())
}

fn team() -> TeamInfo {
    TeamInfo { team_name: "crew".to_owned(), agent_name: "scout".to_owned() }
}

fn hints(choice: u64, recorded: &[Element]) -> Option<RecordHints> {
    let (has_parent, has_team) = is_hinted(choice);
    let last = || recorded.iter().rev().find_map(uuid_of);
    let starting_parent = match choice % 7 {
        3 => Some("99999999-0000-4000-8000-000000000099".to_owned()),
        _ => last(),
    };
    let hints = RecordHints { starting_parent: starting_parent.filter(|_| has_parent), team: has_team.then(team) };
    (has_parent || has_team).then_some(hints)
}

fn kind_of(message: &str) -> Option<String> {
    Plain::read(message).ok()?.value.get("type")?.as_str().map(str::to_owned)
}

fn is_said(message: &Element) -> bool {
    kind_of(message.json()).is_some_and(|kind| kind == "user" || kind == "assistant")
}

fn uuid_of(message: &Element) -> Option<String> {
    let message = Plain::read(message.json()).ok().filter(|message| message.lone_surrogates.is_empty())?;
    message.value.get("uuid")?.as_str().map(str::to_owned)
}

/// The messages as lists that grow, with a disk that fails and a process that dies. A case with project context
/// continues its transcript.
fn lists(material: &dyn Material) -> Session {
    let mut messages = material.list().elements().to_vec();
    let choice = material.indexes().first().copied().unwrap_or_default();
    if choice % 3 == 1 {
        let [notice, boundary, summary] = COMPACTED;
        let of_a_subagent = ends_with_a_subagent(choice).then_some(OF_A_SUBAGENT);
        let all = [Some(notice), of_a_subagent, Some(boundary), Some(summary)];
        messages.extend(all.into_iter().flatten().map(Element::new));
    }
    if choice % 3 == 2
        && let Some(first) = messages.first().and_then(uuid_of)
    {
        messages.push(of_no_tool(&first));
    }
    let goes_on = material.project_context().is_some();
    let before = if goes_on { material.transcript().to_vec() } else { Vec::new() };
    let session = |steps| Session { before, session: SESSION.to_owned(), steps };
    // Of some cases the boundary and its summary are left to the next process.
    let compacts_later = compacts_after_a_restart(choice);
    let of_this_process = messages.len() - if compacts_later { 2 } else { 0 };
    let list = |messages: &[Element]| messages.iter().cloned().collect::<List>();
    let first = |count: usize| list(&messages[..count]);
    let half = messages.len() / 2;
    let last = [RecordStep::ListBeforeRequest(first(messages.len())), RecordStep::Flush];
    if let Some(disturbs) = CALM.iter().position(|calm| *calm == choice) {
        let before = [RecordStep::List(first(half)), RecordStep::Flush, torn_line()];
        return session(before.into_iter().take([0, 2, 3][disturbs]).chain(last).collect());
    }
    let mut steps = vec![RecordStep::List(first(half))];
    steps.extend(stopped(&messages[..half]).filter(|_| stops_late(choice)).map(RecordStep::List));
    steps.push(RecordStep::Flush);
    if choice % 3 == 0 {
        steps.push(torn_line());
    }
    if let Some(hints) = hints(choice, &messages[..half]) {
        let part = (half + (messages.len() - half).div_ceil(2)).min(of_this_process);
        // Who gives a hint of where the list continues, leaves out what is recorded.
        let from = if hints.starting_parent.is_some() { half } else { 0 };
        let mut hinted = messages[from..part].to_vec();
        hinted.extend((hints.team.is_some() && choice % 3 == 2).then(|| Element::new(OF_AN_AGENT)));
        // A hint is about the next list alone, also where that is refused.
        let refused = (choice % 11 == 9).then(|| RecordStep::List(list(&[Element::new(NAMELESS)])));
        steps.push(RecordStep::Hints(hints));
        steps.extend(refused);
        steps.push(RecordStep::List(list(&hinted)));
    }
    // What is recorded begins the next list, so a hint says nothing.
    let past = || {
        let starting_parent = messages.first().and_then(uuid_of);
        RecordStep::Hints(RecordHints { starting_parent, team: None })
    };
    steps.extend((choice % 7 == 6).then(past));
    steps.push(RecordStep::List(first(of_this_process)));
    if choice % 4 == 0 {
        steps.extend([RecordStep::DiskTakes(Some(choice % 400)), RecordStep::Flush]);
        steps.push(RecordStep::DiskTakes(None));
    }
    steps.extend(compacts_later.then_some(RecordStep::Flush));
    if forgets_hints(choice) {
        steps.push(RecordStep::Hints(RecordHints { starting_parent: None, team: Some(team()) }));
    }
    if choice % 5 == 0 {
        steps.push(RecordStep::Restart);
    }
    if choice % 7 == 1
        && let Some(head) = messages[..of_this_process].iter().find(|message| is_said(message)).and_then(uuid_of)
    {
        // The other way round all that it names is new, and the head comes behind the tail.
        let [head, tail] = if is_turned(choice) { [KEPT, SUMMARY] } else { [&head, KEPT] };
        let quoted = |uuid: &str| Value::from(uuid).to_string();
        let kept = KEEPING.map(|message| message.replace("$head", &quoted(head)).replace("$tail", &quoted(tail)));
        steps.push(RecordStep::List(kept.map(Element::new).into_iter().collect()));
    }
    if choice % 7 == 2 {
        steps.extend([past(), RecordStep::List(first(messages.len()))]);
    }
    steps.extend(last);
    session(steps)
}

/// What another process writes that dies at it.
fn torn_line() -> RecordStep {
    RecordStep::OtherWriter(br#"{"type":"tag","tag":"torn"#.to_vec())
}
