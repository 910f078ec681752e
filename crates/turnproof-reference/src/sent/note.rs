//! The *note* of a request: a record `api-request`.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::hash::Hash;
use super::refusal::Refused;

/// A request, as the file notes it.
#[derive(Clone, Debug)]
pub struct SentRequest {
    /// The line of its note.
    pub line: u64,
    /// Where the note begins in the file.
    pub start: u64,
    /// Its id, which the lines of the reply name.
    pub id: String,
    /// The model that was asked; empty where the note does not say.
    pub model: String,
    /// What asked: `sdk`, `agent:…`.
    pub source: String,
    /// When it was sent, as it was written.
    pub timestamp: String,
    /// The subagent that asked.
    pub agent: Option<String>,
    /// What the API answered instead of a reply.
    pub refused: Option<Refused>,
    /// How many tokens it had, as the reply to it says.
    pub prompt_tokens: Option<PromptTokens>,
    /// The request whose first turns it keeps.
    pub(super) base: Option<Base>,
    /// Its new turns.
    pub(super) tail: Vec<Hash>,
    pub(super) shape: Hash,
    pub(super) digest: Hash,
    /// The members of the body but system, tools and messages.
    pub(super) params: String,
    pub(super) cache_points: Vec<CachePoint>,
}

/// How many tokens a request had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct PromptTokens {
    /// Those that were read from no cache, and put into none.
    #[serde(rename = "input_tokens", default)]
    pub fresh: u64,
    /// Those that were put into a cache.
    #[serde(rename = "cache_creation_input_tokens", default)]
    pub cached: u64,
    /// Those that were read from a cache.
    #[serde(rename = "cache_read_input_tokens", default)]
    pub read: u64,
}

impl PromptTokens {
    /// All of them.
    pub fn all(&self) -> u64 {
        self.fresh.saturating_add(self.cached).saturating_add(self.read)
    }
}

/// The request whose first turns another one keeps.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) id: String,
    pub(super) keep: u64,
    /// Its number; `None` where the file has no note of it before.
    pub(super) index: Option<usize>,
    /// How many turns it has.
    pub(super) turns: u64,
}

impl Base {
    /// Whether the turns that are kept are there.
    pub(super) fn is_whole(&self) -> bool {
        self.index.is_some() && self.keep <= self.turns
    }
}

/// Where a prompt is cached.
#[derive(Clone, Debug)]
pub(super) struct CachePoint {
    pub(super) path: Vec<Step>,
    /// As JSON.
    pub(super) value: String,
}

/// A step of a path into a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Member(String),
    Element(usize),
}

impl SentRequest {
    /// The number, from 0, of the request whose first turns it keeps, where the file has it.
    pub fn base_index(&self) -> Option<usize> {
        self.base.as_ref().and_then(|base| base.index)
    }

    /// How many turns it has; `None` where those that it keeps are not there.
    pub fn turns(&self) -> Option<u64> {
        let kept = match &self.base {
            Some(base) if base.keep > 0 => base.is_whole().then_some(base.keep)?,
            _ => 0,
        };
        Some(kept + self.tail.len() as u64)
    }

    /// Reads a note; `None` for a record that is none. The request before it, by its id, is `base_of`'s.
    pub(super) fn read(
        json: &str,
        line: u64,
        start: u64,
        base_of: impl Fn(&str) -> (Option<usize>, u64),
    ) -> Option<Self> {
        let note: Note<'_> = serde_json::from_str(json).ok()?;
        let base = note.base.map(|id| {
            let (index, turns) = base_of(&id);
            Base { id, keep: note.keep, index, turns }
        });
        let model = serde_json::from_str::<Params>(note.params.get()).ok().and_then(|params| params.model);
        let point = |point: &NotedPoint<'_>| CachePoint {
            path: point.path.iter().filter_map(step).collect(),
            value: point.value.get().to_owned(),
        };
        Some(Self {
            line,
            start,
            id: note.id,
            model: model.unwrap_or_default(),
            source: note.query_source.unwrap_or_default(),
            timestamp: note.timestamp.unwrap_or_default(),
            agent: note.agent_id,
            refused: None,
            prompt_tokens: None,
            base,
            tail: note.tail.iter().map(|name| Hash::named(name)).collect(),
            shape: Hash::named(&note.shape_hash),
            digest: Hash::named(&note.request_digest),
            params: note.params.get().to_owned(),
            cache_points: note.cache_control.iter().map(point).collect(),
        })
    }
}

fn step(step: &Value) -> Option<Step> {
    match step {
        Value::String(name) => Some(Step::Member(name.clone())),
        Value::Number(index) => Some(Step::Element(usize::try_from(index.as_u64()?).ok()?)),
        _ => None,
    }
}

/// What a note holds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Note<'a> {
    id: String,
    base: Option<String>,
    #[serde(default)]
    keep: u64,
    tail: Vec<String>,
    shape_hash: String,
    request_digest: String,
    #[serde(borrow)]
    params: &'a RawValue,
    #[serde(borrow, default)]
    cache_control: Vec<NotedPoint<'a>>,
    query_source: Option<String>,
    timestamp: Option<String>,
    agent_id: Option<String>,
}

#[derive(Deserialize)]
struct NotedPoint<'a> {
    path: Vec<Value>,
    #[serde(borrow)]
    value: &'a RawValue,
}

#[derive(Deserialize)]
struct Params {
    model: Option<String>,
}
