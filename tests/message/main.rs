//! *Messages* through the public interface: what they keep, what they refuse, how they are made.

mod contexts;
mod factories;
mod json;
mod misfits;
mod naive;
mod predicates;
mod reading;
mod round_trips;
mod texts;
mod wrong_types;

use std::collections::HashSet;

use naive::document;
use proptest::prelude::*;
use turnproof_reference::json::{FieldError, Fields, JsonType, Raw, Text};
use turnproof_reference::message::constants::{
    self, MISSING_TOOL_RESULT, NO_CONTENT, SYNTHETIC_MODEL, SYNTHETIC_TEXTS,
};
use turnproof_reference::message::id::{DeriveError, ShortIdError, derive_uuid, short_id};
use turnproof_reference::message::{
    Assistant, AssistantBody, AttachmentBody, Block, CompactMetadata, Content, Context, Entry, Envelope, Event,
    Factory, FixedContext, Kind, Maybe, Member, Message, MicrocompactMetadata, NormalizedMessage, NotNormalized,
    Progress, SERVER_RESULTS, SIDE_KINDS, SUBTYPES, Shape, SystemContext, TextBlock, ToolResult, ToolUse,
    ToolUseSummary, TurnBudget, Typed, Usage, User, contains_placeholder, members_of_kind,
};

/// The types of block that are known.
fn block_types() -> impl Iterator<Item = &'static str> {
    let plain =
        ["text", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "image", "document"];
    plain.into_iter().chain(SERVER_RESULTS.iter().copied())
}

/// Unusual values of a shape; null comes last.
fn samples(shape: Shape) -> Vec<String> {
    let mut samples: Vec<String> = match shape {
        Shape::Any => vec![r#"{"z":[1.10,null, 1e400],"a":"\ud83d"}"#.into(), "-0.0".into(), "\"\"".into()],
        Shape::Text => vec![r#""half \ud83d of \u00e9\u0000""#.into(), "\"\"".into(), "\"😀\"".into()],
        Shape::Flag => vec!["true".into(), "false".into()],
        Shape::Number => ["1.10", "1e400", "12345678901234567890", "-0", "3E+2"].map(String::from).into(),
        Shape::List(element) => {
            let elements = samples(*element);
            vec![format!("[{}]", elements[..elements.len() - 1].join(" , ")), "[]".into()]
        }
        Shape::Object(members) => {
            vec![object(members.iter().map(|member| (member.name, samples(member.shape).swap_remove(0))))]
        }
        Shape::Content => vec![blocks(), "\"\"".into(), "[]".into(), r#""text \ude00""#.into()],
    };
    samples.push("null".into());
    samples
}

/// An object with these members, and two that nobody knows.
fn object<'n>(members: impl Iterator<Item = (&'n str, String)>) -> String {
    let mut parts = vec![r#""\ud83d unknown":"\ud83d""#.to_owned()];
    parts.extend(members.map(|(name, value)| format!("\"{name}\":{value}")));
    parts.push(r#""novelty": 1.10"#.to_owned());
    format!("{{{}}}", parts.join(","))
}

/// A tagged object with these members.
fn tagged<'n>(tag: &str, members: impl Iterator<Item = (&'n str, String)>) -> String {
    object(std::iter::once(("type", format!("\"{tag}\""))).chain(members))
}

/// One block of each known type, and some that are not known.
fn blocks() -> String {
    let full = |tag| {
        let members = Block::members_of(tag).iter();
        tagged(tag, members.map(|member| (member.name, samples(member.shape).swap_remove(0))))
    };
    let mut blocks: Vec<String> = block_types().map(full).collect();
    blocks.push(tagged("hologram", [("text", "1".to_owned())].into_iter()));
    blocks.push(r#"{"text":"no type"}"#.to_owned());
    blocks.push(r#"{"type":null,"text":3}"#.to_owned());
    format!("[{}]", blocks.join(","))
}

/// The known members of a kind, the envelope's first.
fn members_of(kind: Kind) -> impl Iterator<Item = &'static Member> {
    Envelope::MEMBERS.iter().chain(members_of_kind(kind))
}

#[track_caller]
fn round_trip(line: &str) -> Entry {
    let entry: Entry = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
    let written = serde_json::to_string(&entry).unwrap();
    assert_eq!(document(&written), document(line), "{line}\nbecame\n{written}");
    assert_eq!(serde_json::from_str::<Entry>(&written).unwrap(), entry);
    assert_eq!(entry.write().get(), written);
    entry
}
