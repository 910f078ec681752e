//! The facts of what a subject has *written*: a second, plain reader of them.

use crate::json::Value;

use crate::operation::Plain;
use crate::rules::facts::{Content, Facts, Link, MessageFacts, Preserved, RecordFacts, ResultFacts};
use crate::rules::value::{blocks, call_of, content, is_true, kind, list, reply_id, result_of, text, text_of, uuid};
use crate::rules::wire::model::{Piece, pieces};
use crate::vocabulary::MISSING_TOOL_RESULT;

/// The facts of a transcript.
pub(in crate::rules) fn facts_of(transcript: &[u8]) -> Facts {
    facts_of_pieces(transcript, &pieces(transcript))
}

/// The facts of a transcript whose pieces are known.
pub(in crate::rules) fn facts_of_pieces(transcript: &[u8], pieces: &[Piece]) -> Facts {
    let mut facts = Facts::new();
    for &Piece { line, start, end, .. } in pieces.iter().filter(|piece| piece.is_record()) {
        if let Ok(record) = Plain::read_bytes(&transcript[start as usize..end as usize]) {
            push(&mut facts, line, start, &record.value);
        }
    }
    facts
}

/// Adds what rules on transcripts ask of a record.
fn push(facts: &mut Facts, line: u64, start: u64, record: &Value) {
    let body = record.get("message").unwrap_or(&Value::Null);
    let usage = body.get("usage").filter(|usage| usage.is_object()).map(Value::to_string);
    let texts = (0..).zip(blocks(record)).filter_map(|(index, block)| Some((index, text_of(block)?)));
    let texts: Vec<(u32, &str)> = texts.collect();
    let said = |role| (0..).zip(if kind(record) == role { blocks(record) } else { &[] });
    let calls: Vec<(u32, &str)> = said("assistant").filter_map(|(at, block)| Some((at, call_of(block)?))).collect();
    let results: Vec<ResultFacts<'_>> = said("user").filter_map(|(at, block)| result(at, block)).collect();
    facts.push(&RecordFacts {
        line,
        start,
        kind: kind(record),
        subtype: text(record, "subtype").unwrap_or_default(),
        uuid: uuid(record),
        parent: match record.get("parentUuid") {
            Some(Value::Null) => Link::Null,
            Some(Value::String(parent)) => Link::To(parent),
            _ => Link::Absent,
        },
        logical_parent: text(record, "logicalParentUuid"),
        session: text(record, "sessionId"),
        agent: text(record, "agentId"),
        is_sidechain: is_true(record, "isSidechain"),
        reply: reply_id(record),
        calls: &calls,
        results: &results,
        has_tool_use_result: record.get("toolUseResult").is_some(),
        source_assistant: text(record, "sourceToolAssistantUUID"),
        preserved: preserved(record),
        message: MessageFacts {
            time: text(record, "timestamp").or_else(|| text(record, "createdAt")),
            role: text(body, "role"),
            content: match content(record) {
                Some(Value::String(text)) => Content::Text(text),
                Some(Value::Array(blocks)) => Content::List { is_empty: blocks.is_empty() },
                _ => Content::Missing,
            },
            texts: &texts,
            is_virtual: is_true(record, "isVirtual"),
            is_compact_summary: is_true(record, "isCompactSummary"),
            request: text(record, "requestId"),
            model: text(body, "model"),
            usage: usage.as_deref().map(str::as_bytes),
        },
    });
}

fn result(block: u32, result: &Value) -> Option<ResultFacts<'_>> {
    let is_placeholder = text(result, "content") == Some(MISSING_TOOL_RESULT);
    Some(ResultFacts { block, call: result_of(result)?, is_placeholder })
}

/// What a boundary preserves.
fn preserved(record: &Value) -> Option<Preserved> {
    let metadata = record.get("compactMetadata")?;
    let name = |object: &Value, member: &str| text(object, member).map(str::to_owned);
    let ends = ["headUuid", "anchorUuid", "tailUuid"];
    let segment = metadata.get("preservedSegment").filter(|segment| segment.is_object());
    let messages = metadata.get("preservedMessages").filter(|messages| messages.is_object());
    let uuids =
        |messages: &Value| list(messages, "uuids").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    Some(Preserved {
        segment: segment.map(|segment| ends.map(|end| name(segment, end))),
        messages: messages.map(|messages| (name(messages, "anchorUuid"), uuids(messages))),
    })
}
