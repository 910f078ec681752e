//! What a subject has *written*, judged by the rules on messages: a second, plain reader of facts.

use serde_json::Value;

use super::RULES;
use crate::operation::Plain;
use crate::rules::facts::{Content, Facts, Link, MessageFacts, RecordFacts};
use crate::rules::value::{blocks, content, is_true, kind, reply_id, text, text_of, uuid};
use crate::rules::wire::model::records;
use crate::rules::{Judge, Severity, Violation};

/// How many records a transcript has, and what the rules on messages find in it above `info`, rule by rule. What is
/// only an info is up to who said it: models write blank texts.
pub(in crate::rules) fn judged(transcript: &[u8]) -> (usize, Vec<Violation>) {
    let mut facts = Facts::new();
    for (line, start, end, _) in records(transcript) {
        let json = String::from_utf8_lossy(&transcript[start..end]);
        if let Ok(record) = Plain::read(&json) {
            push(&mut facts, line, start as u64, &record.value);
        }
    }
    let mut violations = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.severity > Severity::Info) {
        if let Judge::Transcript(judge) = rule.judge {
            judge(&facts, &mut |violation| violations.push(violation));
        }
    }
    (facts.nodes.len(), violations)
}

/// Adds what the rules on messages ask of a record.
fn push(facts: &mut Facts, line: u64, start: u64, record: &Value) {
    let body = record.get("message").unwrap_or(&Value::Null);
    let usage = body.get("usage").filter(|usage| usage.is_object()).map(Value::to_string);
    let texts = (0..).zip(blocks(record)).filter_map(|(index, block)| Some((index, text_of(block)?)));
    let texts: Vec<(u32, &str)> = texts.collect();
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
        reply: reply_id(record),
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
        ..RecordFacts::default()
    });
}
