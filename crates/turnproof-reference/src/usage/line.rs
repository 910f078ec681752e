//! A *line* of a reply, as far as usage asks: whose it is, and what it says of the reply's tokens.

use std::borrow::Cow;

use memchr::memmem;

use crate::json::{JsonType, Number, Raw, Span, locate_members};
use crate::message::constants::SYNTHETIC_MODEL;
use crate::message::{Content, Kind, Typed};
use crate::normalize::estimate_content_tokens;
use crate::transcript::{Flag, Record};

/// The members of usage that are counted.
const COUNTED: [&str; 4] = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

/// Tokens by their sort: read, written, read into the cache, read from the cache.
pub(super) type Tokens = [Option<u64>; COUNTED.len()];

/// One more than the largest whole number up to which a double holds each one exactly.
const TOO_LARGE: f64 = 9_007_199_254_740_992.0;

/// A line of a reply.
pub(super) struct UsageLine<'r> {
    record: &'r Record<'r>,
    pub(super) model: Option<Cow<'r, str>>,
    /// Whether a fork copied it from another session.
    pub(super) is_copy: bool,
    pub(super) is_sidechain: bool,
    /// `None` where it does not say.
    pub(super) tokens: Tokens,
}

impl<'r> UsageLine<'r> {
    /// The line that a record is, if a model wrote it.
    pub(super) fn of(record: &'r Record<'r>) -> Option<Self> {
        if record.head.kind != Some(Kind::Assistant) {
            return None;
        }
        let bytes = record.bytes;
        let model = record.head.model.map(|model| record.text(model));
        if model.as_deref() == Some(SYNTHETIC_MODEL) {
            return None;
        }
        Some(Self {
            record,
            model,
            is_copy: is_copy(bytes),
            is_sidechain: record.head.has(Flag::Sidechain),
            tokens: tokens(bytes, record.head.usage.or_else(|| beside(bytes))),
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
        Some((id, self.record.head.request.map(|request| self.record.text(request))))
    }

    /// About how many tokens its content has.
    pub(super) fn estimate(&self) -> u64 {
        let content = self.record.head.content.and_then(|span| Raw::from_bytes(span.of(self.record.bytes)).ok());
        let content = content.and_then(|raw| Content::read(&raw).ok());
        content.map_or(0, |content| estimate_content_tokens(&content))
    }
}

/// Whether a record says that it was forked from another one. Few do, so it is only walked where the name may stand.
fn is_copy(bytes: &[u8]) -> bool {
    const NAME: &str = "forkedFrom";
    let may_stand = memchr::memchr(b'\\', bytes).is_some() || memmem::find(bytes, NAME.as_bytes()).is_some();
    let [fork] = if may_stand { locate_members(bytes, [NAME]) } else { [None] };
    fork.is_some_and(|fork| JsonType::of(bytes[fork.start as usize]) == JsonType::Object)
}

/// The record's own usage, which the client 2.0.77 wrote beside the message. Few have one, so a record is only walked
/// where the name may stand.
fn beside(bytes: &[u8]) -> Option<Span> {
    const NAME: &str = "usage";
    let may_stand = memchr::memchr(b'\\', bytes).is_some() || memmem::find(bytes, NAME.as_bytes()).is_some();
    let [usage] = if may_stand { locate_members(bytes, [NAME]) } else { [None] };
    usage
}

/// Where members of an object lie that lies in `bytes`.
fn inside<const N: usize>(bytes: &[u8], object: Option<Span>, names: [&str; N]) -> [Option<Span>; N] {
    let Some(object) = object else { return [None; N] };
    let whole = |span: Span| Span { start: object.start + span.start, end: object.start + span.end };
    locate_members(object.of(bytes), names).map(|span| span.map(whole))
}

/// What usage says, if there is any.
fn tokens(bytes: &[u8], usage: Option<Span>) -> Tokens {
    inside(bytes, usage, COUNTED).map(|span| {
        let json = std::str::from_utf8(span?.of(bytes)).ok()?;
        short_number(json).or_else(|| whole_number(&Raw::from_json(json.to_owned()).ok()?))
    })
}

/// A number of a few digits alone.
fn short_number(json: &str) -> Option<u64> {
    const MOST_DIGITS: usize = 15;
    let is_short = json.len() <= MOST_DIGITS && json.bytes().all(|byte| byte.is_ascii_digit());
    json.parse().ok().filter(|_| is_short)
}

fn whole_number(raw: &Raw) -> Option<u64> {
    let double = Number::from_raw(raw)?.as_f64();
    let is_whole = double.fract() == 0.0 && (0.0..TOO_LARGE).contains(&double);
    is_whole.then_some(double as u64)
}
