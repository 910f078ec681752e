//! A *line* of a reply, as far as usage asks: whose it is, and what it says of the reply's tokens.

use std::borrow::Cow;

use crate::json::{JsonType, Number, PathStep, Raw, Span, locate};
use crate::message::constants::SYNTHETIC_MODEL;
use crate::message::{Content, Kind, Typed};
use crate::normalize::estimate_content_tokens;
use crate::transcript::{Flag, Record};

/// The members of usage that are counted.
const COUNTED: [&str; 4] = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

/// Tokens by their sort: read, written, read into the cache, read from the cache.
pub(super) type Tokens = [Option<u64>; COUNTED.len()];

/// One more than the largest whole number that a double tells from its neighbours.
const TOO_LARGE: f64 = 9_007_199_254_740_992.0;

/// A line of a reply.
pub(super) struct Line<'r> {
    record: &'r Record<'r>,
    pub(super) model: Option<Cow<'r, str>>,
    /// Whether a fork copied it from another session.
    pub(super) is_copy: bool,
    pub(super) is_sidechain: bool,
    /// `None` where it does not say.
    pub(super) tokens: Tokens,
}

impl<'r> Line<'r> {
    /// The line that a record is, if a model wrote it.
    pub(super) fn of(record: &'r Record<'r>) -> Option<Self> {
        if record.head.kind != Some(Kind::Assistant) {
            return None;
        }
        let model = text(record, &["message", "model"]);
        if model.as_deref() == Some(SYNTHETIC_MODEL) {
            return None;
        }
        let has_team = record.head.team.is_some_and(|team| !record.text(team).is_empty());
        let fork = find(record, &["forkedFrom"]).map(|span| json_type(record, span));
        Some(Self {
            record,
            model,
            is_copy: fork == Some(JsonType::Object),
            is_sidechain: record.head.has(Flag::Sidechain) || has_team,
            tokens: tokens(record),
        })
    }

    /// The session that it names.
    pub(super) fn session(&self) -> Option<Cow<'r, str>> {
        self.record.head.session.map(|span| self.record.text(span))
    }

    pub(super) fn uuid(&self) -> Option<Cow<'r, str>> {
        self.record.uuid()
    }

    /// The reply's id and the request's id, if it has the former.
    pub(super) fn reply(&self) -> Option<(Cow<'r, str>, Option<Cow<'r, str>>)> {
        let id = self.record.head.reply_id.map(|span| self.record.text(span)).filter(|id| !id.is_empty())?;
        Some((id, text(self.record, &["requestId"])))
    }

    /// About how many tokens its content has.
    pub(super) fn estimate(&self) -> u64 {
        let content = self.record.head.content.map(|span| String::from_utf8_lossy(span.of(self.record.bytes)));
        let content = content.and_then(|json| Raw::from_json(json.into_owned()).ok());
        let content = content.and_then(|raw| Content::read(&raw).ok());
        content.map_or(0, |content| estimate_content_tokens(&content))
    }
}

/// Where the value at the end of a path of members lies.
fn find(record: &Record<'_>, path: &[&'static str]) -> Option<Span> {
    locate(record.bytes, &path.iter().map(|name| PathStep::Member(name)).collect::<Vec<_>>())
}

fn json_type(record: &Record<'_>, span: Span) -> JsonType {
    span.of(record.bytes).first().map_or(JsonType::Null, |&byte| JsonType::of(byte))
}

fn text<'r>(record: &Record<'r>, path: &[&'static str]) -> Option<Cow<'r, str>> {
    find(record, path).filter(|&span| json_type(record, span) == JsonType::String).map(|span| record.text(span))
}

fn tokens(record: &Record<'_>) -> Tokens {
    let usage = find(record, &["message", "usage"]).filter(|&span| json_type(record, span) == JsonType::Object);
    let Some(usage) = usage.map(|span| span.of(record.bytes)) else { return Tokens::default() };
    COUNTED.map(|member| {
        let span = locate(usage, &[PathStep::Member(member)])?;
        let json = std::str::from_utf8(span.of(usage)).ok()?;
        whole_number(&Raw::from_json(json.to_owned()).ok()?)
    })
}

fn whole_number(raw: &Raw) -> Option<u64> {
    let double = Number::from_raw(raw)?.as_f64();
    let is_whole = double.fract() == 0.0 && (0.0..TOO_LARGE).contains(&double);
    is_whole.then_some(double as u64)
}
