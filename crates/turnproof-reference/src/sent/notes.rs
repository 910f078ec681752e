//! The *notes* of a file, gathered record by record.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Keep;
use super::canonical::{CachePoints, canonical, turn};
use super::hash::Hash;
use super::held::Held;
use super::lines::{Lines, Message, Source};
use super::note::SentRequest;
use super::refusal::Refused;
use crate::json::decoded;
use crate::transcript::Record;

/// What the records of a file say of requests.
pub(super) struct Notes {
    pub(super) keep: Keep,
    pub(super) requests: Vec<SentRequest>,
    pub(super) shapes: HashMap<Hash, Kept>,
    pub(super) blobs: Vec<Kept>,
    pub(super) turns: HashMap<Hash, Source>,
    pub(super) lines: Lines,
    /// Turns that were known by their place, though another hash was noted: the line of the note, and where it begins.
    pub(super) other_turns: BTreeMap<Hash, (u64, u64)>,
    pub(super) held: Held,
    by_id: HashMap<String, usize>,
    /// The lines of the reply to each request.
    replies: HashMap<String, Vec<u32>>,
}

/// A shape, or a turn, in a line of its own.
pub(super) struct Kept {
    pub(super) line: u64,
    pub(super) start: u64,
    /// Whether the hash that the line has is that of the text.
    pub(super) fits: bool,
    /// The text as it was written; empty where only hashes are kept.
    pub(super) json: String,
    /// How many bytes it has.
    pub(super) bytes: u64,
}

impl Notes {
    pub(super) fn new(keep: Keep) -> Self {
        Self {
            keep,
            requests: Vec::new(),
            shapes: HashMap::new(),
            blobs: Vec::new(),
            turns: HashMap::new(),
            lines: Lines::default(),
            other_turns: BTreeMap::new(),
            held: Held::default(),
            by_id: HashMap::new(),
            replies: HashMap::new(),
        }
    }

    /// Takes the next record of the file.
    pub(super) fn record(&mut self, record: &Record<'_>) {
        let (kind, line) = (record.type_name(), record.line);
        if record.is_compact_boundary() {
            return self.held.boundary();
        }
        if !is_of_requests(&kind) {
            return;
        }
        let json = decoded(record.bytes);
        match &*kind {
            "api-request" => self.request(&json, line, record.start),
            "api-request-shape" => self.shape(&json, line, record.start),
            "api-request-blob" => self.blob(&json, line, record.start),
            kind => self.message(kind, &json, line, record.start),
        }
    }

    fn shape(&mut self, json: &str, line: u64, start: u64) {
        let Ok(Shape { shape_hash, shape }) = serde_json::from_str(json) else { return };
        let hash = Hash::named(&shape_hash);
        let text = canonical(shape.get(), CachePoints::Dropped);
        let kept = self.kept(line, start, hash, text, shape.get());
        self.shapes.insert(hash, kept);
    }

    fn blob(&mut self, json: &str, line: u64, start: u64) {
        let Ok(Blob { hash, message, agent_id }) = serde_json::from_str(json) else { return };
        let hash = Hash::named(&hash);
        let kept = self.kept(line, start, hash, turn(message.get()), message.get());
        self.held.sent_turn(message.get(), agent_id.as_deref(), kept.fits);
        self.turns.insert(hash, Source::Blob(self.blobs.len()));
        self.blobs.push(kept);
    }

    fn kept(&self, line: u64, start: u64, hash: Hash, text: Option<String>, json: &str) -> Kept {
        let fits = text.is_some_and(|text| Hash::of(&text) == hash);
        let bytes = json.len() as u64;
        let json = if self.keep == Keep::Bodies { json.to_owned() } else { String::new() };
        Kept { line, start, fits, json, bytes }
    }

    fn request(&mut self, json: &str, line: u64, start: u64) {
        let base_of = |id: &str| {
            let index = self.by_id.get(id).copied();
            (index, index.and_then(|index| self.requests[index].turns()).unwrap_or(0))
        };
        let Some(request) = SentRequest::read(json, line, start, base_of) else { return };
        self.find_reply(&request);
        for hash in &request.tail {
            match self.turns.get(hash) {
                Some(Source::Reply(lines)) => self.held.sent_lines(lines),
                Some(Source::User { first, last }) => {
                    self.held.sent_lines(&self.lines.of_user[*first as usize..=*last as usize]);
                }
                Some(Source::Blob(_)) | None => {}
            }
        }
        let is_known = request.tail.iter().all(|hash| self.turns.contains_key(hash));
        self.held.request(request.agent.as_deref(), is_known);
        self.by_id.insert(request.id.clone(), self.requests.len());
        self.requests.push(request);
    }

    /// The turn behind all of another request is the reply to it, whatever hash it has.
    fn find_reply(&mut self, request: &SentRequest) {
        let (Some(base), Some(hash)) = (&request.base, request.tail.first()) else { return };
        let Some(lines) = self.replies.get(&base.id) else { return };
        if base.is_whole() && base.keep == base.turns && !self.turns.contains_key(hash) {
            self.turns.insert(*hash, Source::Reply(lines.clone().into()));
            self.other_turns.insert(*hash, (request.line, request.start));
        }
    }

    fn message(&mut self, kind: &str, json: &str, line: u64, start: u64) {
        if kind == "assistant" && json.contains("isApiErrorMessage") {
            self.refusal(json, line);
        }
        let Ok(Line { message, request_ref, agent_id, is_meta, is_visible_in_transcript_only }) =
            serde_json::from_str(json)
        else {
            return;
        };
        let number = self.lines.all.len() as u32;
        if kind == "user" {
            if is_meta != Some(true) {
                self.held.given(&message, number, agent_id.as_deref(), is_visible_in_transcript_only == Some(true));
            }
            let turns = self.lines.user(&message, (line, start), self.keep);
            self.turns.extend(turns);
            return;
        }
        if let Some(id) = request_ref {
            self.usage(&id, &message);
            self.replies.entry(id).or_default().push(number);
        }
        // A turn that has a line of its own is taken from there.
        if let Some((hash, source)) = self.lines.reply(&message, (line, start), self.keep) {
            self.turns.entry(hash).or_insert(source);
        }
    }

    /// Notes what the first line of the reply to a request says of its tokens.
    fn usage(&mut self, id: &str, message: &Message<'_>) {
        let request = self.by_id.get(id).and_then(|index| self.requests.get_mut(*index));
        if let Some(request) = request.filter(|request| request.prompt_tokens.is_none()) {
            request.prompt_tokens = message.usage.and_then(|usage| serde_json::from_str(usage.get()).ok());
        }
    }

    /// Notes what the API answered to the newest request of the same agent.
    fn refusal(&mut self, json: &str, line: u64) {
        let Ok(record) = serde_json::from_str::<serde_json::Value>(json) else { return };
        let Some(refused) = Refused::read(&record, line) else { return };
        let agent = record["agentId"].as_str();
        let newest = self.requests.iter_mut().rev().find(|request| request.agent.as_deref() == agent);
        if let Some(request) = newest.filter(|request| request.refused.is_none()) {
            request.refused = Some(refused);
        }
    }
}

/// Whether records of a type are notes of requests, or say what is sent.
pub(super) fn is_of_requests(kind: &str) -> bool {
    matches!(kind, "api-request" | "api-request-shape" | "api-request-blob" | "user" | "assistant")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shape<'a> {
    pub(super) shape_hash: String,
    #[serde(borrow)]
    pub(super) shape: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Blob<'a> {
    pub(super) hash: String,
    #[serde(borrow)]
    pub(super) message: &'a RawValue,
    agent_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    pub(super) message: Message<'a>,
    request_ref: Option<String>,
    agent_id: Option<String>,
    is_meta: Option<bool>,
    is_visible_in_transcript_only: Option<bool>,
}
