//! The *body* of a request: its parameters, its system prompt and tools, and its turns, with their cache points.

use super::Keep;
use super::canonical::{CachePoints, canonical, text_block, with_list};
use super::error::SentError;
use super::hash::Hash;
use super::lines::Source;
use super::note::{CachePoint, Step};
use super::notes::Notes;
use crate::json::{PathStep, Span, locate};

/// A request that was rebuilt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The body as JSON, as it was sent but for what the client does not note: `metadata`, `stream`, and the block of the
    /// system prompt that says who pays.
    pub json: String,
    /// The betas that were asked for. They are sent in a header.
    pub betas: Vec<String>,
    /// Whether the digest of the note is that of the body.
    pub digest_fits: bool,
    /// The turns whose text has another hash, from 0.
    pub changed_turns: Vec<usize>,
    /// Whether system prompt and tools have another hash.
    pub is_shape_changed: bool,
}

pub(super) fn body(notes: &Notes, index: usize) -> Result<Body, SentError> {
    if notes.keep == Keep::Hashes {
        return Err(SentError::OnlyHashes);
    }
    let request = &notes.requests[index];
    let hashes = turns(notes, index)?;
    let shape = notes.shapes.get(&request.shape).ok_or(SentError::MissingShape(request.shape))?;
    let (mut messages, mut changed_turns) = (Vec::with_capacity(hashes.len()), Vec::new());
    for (turn, hash) in hashes.iter().enumerate() {
        let source = notes.turns.get(hash).ok_or(SentError::MissingTurn { turn, hash: *hash })?;
        messages.push(text_of(notes, source));
        if !fits(notes, hash, source) {
            changed_turns.push(turn);
        }
    }
    let (mut head, betas) = without_betas(&request.params);
    push_members(&mut head, &shape.json);
    let with_messages = |messages: &[String]| {
        let mut body = head.clone();
        push_member(&mut body, "messages", &format!("[{}]", messages.join(",")));
        request.cache_points.iter().fold(body, with_cache_point)
    };
    let digest = |mut body: String| {
        betas.iter().for_each(|betas| push_member(&mut body, "betas", betas));
        canonical(&body, CachePoints::Kept).map(|text| Hash::of(&text))
    };
    let json = with_messages(&messages);
    // Some are noted with a list where a text alone was written.
    let lists = || messages.iter().map(|message| with_list(message)).collect::<Vec<_>>();
    let fits = |body: String| digest(body) == Some(request.digest);
    let digest_fits = fits(json.clone()) || fits(with_messages(&lists()));
    let betas = betas.and_then(|betas| serde_json::from_str(&betas).ok()).unwrap_or_default();
    Ok(Body { json, betas, digest_fits, changed_turns, is_shape_changed: !shape.fits })
}

/// A body with other turns, which are given as a JSON array; without the cache points of its own turns.
pub(super) fn with_messages(body: &str, messages: &str) -> Option<String> {
    let span = locate(body.as_bytes(), &[PathStep::Member("messages")])?;
    Some(replaced(body, span, messages))
}

/// The hashes of all turns of a request.
pub(super) fn turns(notes: &Notes, index: usize) -> Result<Vec<Hash>, SentError> {
    first_turns(notes, index, usize::MAX)
}

/// The hashes of at most so many first turns of a request.
pub(super) fn first_turns(notes: &Notes, index: usize, most: usize) -> Result<Vec<Hash>, SentError> {
    let (mut parts, mut at, mut wanted) = (Vec::new(), index, most);
    while wanted > 0 {
        let request = &notes.requests[at];
        let Some(base) = request.base.as_ref().filter(|base| base.keep > 0) else {
            parts.push(&request.tail[..wanted.min(request.tail.len())]);
            break;
        };
        let (id, keep) = (base.id.clone(), base.keep);
        let Some(before) = base.index else { return Err(SentError::MissingBase { base: id, keep }) };
        if keep > base.turns {
            return Err(SentError::ShortBase { base: id, keep, turns: base.turns });
        }
        let kept = keep as usize;
        parts.push(&request.tail[..wanted.saturating_sub(kept).min(request.tail.len())]);
        (at, wanted) = (before, wanted.min(kept));
    }
    Ok(parts.into_iter().rev().flatten().copied().collect())
}

/// Whether a turn's text has the hash that it is named by.
fn fits(notes: &Notes, hash: &Hash, source: &Source) -> bool {
    match source {
        Source::Blob(blob) => notes.blobs[*blob].fits,
        _ => !notes.other_turns.contains_key(hash),
    }
}

/// A turn as JSON.
fn text_of(notes: &Notes, source: &Source) -> String {
    let list = |role: &str, lines: &[u32], calls_last: bool| {
        let lines = lines.iter().map(|line| &notes.lines.all[*line as usize]);
        let mut blocks: Vec<_> = lines.flat_map(|line| &line.blocks).collect();
        if calls_last {
            blocks.sort_by_key(|block| block.is_call);
        }
        let blocks: Vec<&str> = blocks.into_iter().map(|block| &*block.json).collect();
        format!(r#"{{"role":"{role}","content":[{}]}}"#, blocks.join(","))
    };
    match source {
        Source::Blob(blob) => notes.blobs[*blob].json.clone(),
        Source::Reply(lines) => list("assistant", lines, true),
        Source::User { first, last } => list("user", &notes.lines.of_user[*first as usize..=*last as usize], false),
    }
}

/// An object without `betas`, and what they are.
fn without_betas(params: &str) -> (String, Option<String>) {
    let Some(span) = locate(params.as_bytes(), &[PathStep::Member("betas")]) else { return (params.to_owned(), None) };
    let betas = params[span.start as usize..span.end as usize].to_owned();
    let mut rest = String::from("{}");
    let members: Result<Members<'_>, _> = serde_json::from_str(params);
    for (name, value) in members.into_iter().flat_map(|members| members.0).filter(|(name, _)| name != "betas") {
        push_member(&mut rest, &name, value);
    }
    (rest, Some(betas))
}

/// Appends the members of an object to another one.
fn push_members(object: &mut String, more: &str) {
    let members: Result<Members<'_>, _> = serde_json::from_str(more);
    members.into_iter().flat_map(|members| members.0).for_each(|(name, value)| push_member(object, &name, value));
}

/// Appends a member to an object.
fn push_member(object: &mut String, name: &str, value: &str) {
    let is_empty = object.trim_start_matches('{').trim_start().starts_with('}');
    object.truncate(object.trim_end().len().saturating_sub(1));
    object.push_str(if is_empty { "" } else { "," });
    object.push_str(&crate::json::Text::from(name).to_token());
    object.push(':');
    object.push_str(value);
    object.push('}');
}

/// The members of an object, in their order.
struct Members<'a>(Vec<(String, &'a str)>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &'de serde_json::value::RawValue>()? {
                    members.push((name, value.get()));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// A body with a cache point more. One whose place is not there changes nothing.
fn with_cache_point(body: String, point: &CachePoint) -> String {
    let path: Vec<PathStep<'_>> = point.path.iter().map(step).collect();
    if let Some(object) = locate(body.as_bytes(), &path).filter(|span| span.of(body.as_bytes()).starts_with(b"{")) {
        let mut block = text(&body, object).to_owned();
        push_member(&mut block, "cache_control", &point.value);
        return replaced(&body, object, &block);
    }
    // A content that is a text becomes a list of one block.
    let Some((PathStep::Element(0), content)) = path.split_last() else { return body };
    let token = locate(body.as_bytes(), content).filter(|span| span.of(body.as_bytes()).starts_with(b"\""));
    let Some(token) = token else { return body };
    let mut block = text_block(text(&body, token));
    push_member(&mut block, "cache_control", &point.value);
    replaced(&body, token, &format!("[{block}]"))
}

fn step(step: &Step) -> PathStep<'_> {
    match step {
        Step::Member(name) => PathStep::Member(name),
        Step::Element(index) => PathStep::Element(*index),
    }
}

fn text(body: &str, span: Span) -> &str {
    &body[span.start as usize..span.end as usize]
}

fn replaced(body: &str, span: Span, other: &str) -> String {
    [&body[..span.start as usize], other, &body[span.end as usize..]].concat()
}
