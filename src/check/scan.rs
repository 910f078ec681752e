//! A *scan* turns one chunk into counts, defects and facts, apart from all other chunks.

use std::borrow::Cow;

use turnproof_reference::json::{PathStep, Span, locate};
use turnproof_reference::message::constants::MISSING_TOOL_RESULT;
use turnproof_reference::transcript::{BlockHead, Chunk, Defect, Flag, Found, Link, Record, Scanner, begins_visibly};
use turnproof_rules::rules::{Content, Facts, Link as FactLink, MessageFacts, Preserved, RecordFacts, ResultFacts};

use super::Tally;
use super::seen::Seen;

pub(super) struct Scanned {
    pub(super) tally: Tally,
    /// In the order of their bytes; lines counted within the chunk.
    pub(super) defects: Vec<Defect>,
    pub(super) seen: Seen,
}

/// Scans a chunk, for a verdict too where one is asked for; `note` is shown each record.
pub(super) fn scan(chunk: &Chunk, verdict: bool, mut note: impl FnMut(&Record<'_>)) -> Scanned {
    let mut scanned = Scanned { tally: Tally::default(), defects: Vec::new(), seen: Seen::new(verdict) };
    let Scanned { tally, defects, seen } = &mut scanned;
    let Seen { facts, uuids, session, parts, .. } = seen;
    tally.lines = Scanner::default().chunk(chunk, |found| {
        if let Some(session) = session {
            session.note(chunk, &found);
        }
        match found {
            Found::Record(record) => {
                tally.records += 1;
                *parts += 1 + record.blocks.len() as u64;
                tally.record_bytes += record.bytes.len() as u64;
                push_facts(facts, &record);
                uuids.note(&record);
                note(&record);
            }
            Found::Blank { start, end } => tally.blank_bytes += end - start,
            Found::Rejected { start, end, .. } => {
                tally.rejected += 1;
                tally.rejected_bytes += end - start;
            }
            Found::Defect(defect) => defects.push(defect),
        }
    });
    // What is wrong inside one record comes by rule.
    defects.sort_by_key(|defect| defect.start);
    tally.bytes = chunk.bytes.len() as u64 + chunk.skipped;
    seen.lines = tally.lines;
    scanned
}

/// Adds what rules need to know of a record.
pub(super) fn push_facts(facts: &mut Facts, record: &Record<'_>) {
    let head = &record.head;
    let text = |span: Option<Span>| span.map(|span| record.text(span));
    let (uuid, session, agent) = (text(head.uuid), text(head.session), text(head.agent));
    let (logical_parent, source) = (text(head.logical_parent), text(head.source_assistant));
    let (subtype, reply, parent) = (text(head.subtype), text(head.reply_id), record.parent());
    let calls = named_blocks(record, "assistant", "tool_use", |block| block.id);
    let calls: Vec<_> = calls.iter().map(|(block, id)| (block.index, &**id)).collect();
    let results = named_blocks(record, "user", "tool_result", |block| block.tool_use_id);
    let results: Vec<_> = results
        .iter()
        .map(|(block, call)| ResultFacts {
            block: block.index,
            call,
            is_placeholder: block.content.is_some_and(|span| is_placeholder(record, span)),
        })
        .collect();
    let [time, request, role, model] = [head.time, head.request, head.role, head.model].map(text);
    let content = head.content.filter(|span| span.of(record.bytes).starts_with(b"\""));
    let content = content.and_then(|span| perhaps_blank(record, span));
    let texts = texts_perhaps_blank(record);
    let texts: Vec<(u32, &str)> = texts.iter().map(|(block, text)| (*block, &**text)).collect();
    facts.push(&RecordFacts {
        line: record.line,
        start: record.start,
        kind: &record.type_name(),
        subtype: subtype.as_deref().unwrap_or_default(),
        uuid: uuid.as_deref(),
        parent: match &parent {
            Link::Absent => FactLink::Absent,
            Link::Null => FactLink::Null,
            Link::To(id) => FactLink::To(id),
        },
        logical_parent: logical_parent.as_deref(),
        session: session.as_deref(),
        agent: agent.as_deref(),
        is_sidechain: head.has(Flag::Sidechain),
        reply: reply.as_deref(),
        calls: &calls,
        results: &results,
        has_tool_use_result: head.tool_use_result.is_some(),
        source_assistant: source.as_deref(),
        preserved: head.compact_metadata.map(|span| preserved(record, span)),
        message: MessageFacts {
            time: time.as_deref(),
            role: role.as_deref(),
            content: match head.content.map(|span| span.of(record.bytes)) {
                Some([b'[', inside @ .., _]) => Content::List { is_empty: inside.trim_ascii().is_empty() },
                Some([b'"', ..]) => Content::Text(content.as_deref().unwrap_or(VISIBLE)),
                _ => Content::Missing,
            },
            texts: &texts,
            is_virtual: head.has(Flag::Virtual),
            is_compact_summary: head.has(Flag::CompactSummary),
            request: request.as_deref(),
            model: model.as_deref(),
            usage: head.usage.map(|span| span.of(record.bytes)),
        },
    });
}

/// Stands for a text that begins with a visible character.
const VISIBLE: &str = "a";

/// A text, unless its first character is plainly visible: most texts need not be read.
fn perhaps_blank<'a>(record: &Record<'a>, text: Span) -> Option<Cow<'a, str>> {
    (!begins_visibly(record.bytes, text)).then(|| record.text(text))
}

/// The texts of text blocks that may be blank, with their block index.
fn texts_perhaps_blank<'a>(record: &Record<'a>) -> Vec<(u32, Cow<'a, str>)> {
    let text = |block: &BlockHead| {
        let text = perhaps_blank(record, block.text?)?;
        (record.text(block.type_name?) == "text").then_some((block.index, text))
    };
    record.blocks.iter().filter_map(text).collect()
}

/// The blocks of a type, with the id that `id_of` finds, in records of a kind.
pub(super) fn named_blocks<'a>(
    record: &Record<'a>,
    kind: &str,
    type_name: &str,
    id_of: impl Fn(&BlockHead) -> Option<Span>,
) -> Vec<(BlockHead, Cow<'a, str>)> {
    if record.head.kind.is_none_or(|found| found.name() != kind) {
        return Vec::new();
    }
    let blocks = record.blocks.iter().filter_map(|block| {
        let is_of_type = block.type_name.is_some_and(|span| record.text(span) == type_name);
        let id = id_of(block).filter(|_| is_of_type)?;
        Some((*block, record.text(id)))
    });
    blocks.collect()
}

/// Whether a result's content is the placeholder, as a string or as one text block.
fn is_placeholder(record: &Record<'_>, content: Span) -> bool {
    let token = content.of(record.bytes);
    match token.first() {
        Some(b'"') => token.len() == MISSING_TOOL_RESULT.len() + 2 && record.text(content) == MISSING_TOOL_RESULT,
        Some(b'[') if token.len() < MISSING_TOOL_RESULT.len() + 100 => {
            let text = locate(token, &[PathStep::Element(0), PathStep::Member("text")]);
            let inside = text.and_then(|span| serde_json::from_slice::<String>(span.of(token)).ok());
            let is_alone = locate(token, &[PathStep::Element(1)]).is_none();
            is_alone && inside.is_some_and(|text| text == MISSING_TOOL_RESULT)
        }
        _ => false,
    }
}

/// What a boundary's metadata preserves.
fn preserved(record: &Record<'_>, metadata: Span) -> Preserved {
    let bytes = metadata.of(record.bytes);
    let part = |path: &[PathStep<'_>]| locate(bytes, path).map(|span| span.of(bytes));
    let text = |path: &[PathStep<'_>]| part(path).and_then(|token| serde_json::from_slice::<String>(token).ok());
    let has = |name| part(&[PathStep::Member(name)]).is_some_and(|value| value.starts_with(b"{"));
    let segment = has("preservedSegment").then(|| {
        ["headUuid", "anchorUuid", "tailUuid"]
            .map(|name| text(&[PathStep::Member("preservedSegment"), PathStep::Member(name)]))
    });
    let messages = has("preservedMessages").then(|| {
        let anchor = text(&[PathStep::Member("preservedMessages"), PathStep::Member("anchorUuid")]);
        let uuids = part(&[PathStep::Member("preservedMessages"), PathStep::Member("uuids")]);
        let uuids = uuids.and_then(|token| serde_json::from_slice::<Vec<String>>(token).ok());
        (anchor, uuids.unwrap_or_default())
    });
    Preserved { segment, messages }
}
