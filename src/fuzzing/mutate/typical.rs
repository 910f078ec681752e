//! *Typical* lines, events and blocks: small ones as they stand in inputs that nothing is wrong with,
//! linked to the ids that the input has.

use crate::message::Kind;

use super::Shape;
use super::dice::Dice;
use super::input::Input;
use super::values::Sort;
use super::words::{BLOCK_TYPES, DELTA_TYPES, EVENT_TYPES, KINDS, STOP_REASONS, SUBTYPES};

/// A line of a transcript, an event of a stream or a whole request, with its end.
pub(super) fn line(input: &Input<'_>, dice: &mut Dice) -> Vec<u8> {
    let line = match input.shape {
        Shape::Transcript => record(input, dice) + "\n",
        Shape::Stream => event(input, dice),
        Shape::Request => format!(r#"{{"messages":[{{"role":"user","content":[{}]}}]}}"#, block(input, dice)) + "\n",
    };
    line.into_bytes()
}

pub(super) fn new_uuid(dice: &mut Dice) -> String {
    let (head, tail) = (dice.throw(), dice.throw());
    let (version, variant) = (head & 0xFFF | 0x4000, tail >> 48 & 0x3FFF | 0x8000);
    format!(
        "{:08x}-{:04x}-{version:04x}-{variant:04x}-{:012x}",
        head >> 32,
        head >> 16 & 0xFFFF,
        tail & 0xFFFF_FFFF_FFFF
    )
}

fn name(names: &[&'static str], dice: &mut Dice) -> &'static str {
    dice.pick(names).copied().unwrap_or_default()
}

/// An id that stands in the input under this key, in its quotes.
fn id_under<'a>(input: &Input<'a>, key: &str, prefix: &str, dice: &mut Dice) -> Option<&'a str> {
    let fits = |text: &[u8]| text.starts_with(prefix.as_bytes());
    let value = input.pick(dice, |value, _| {
        value.sort == Sort::Text && value.has_key(input.bytes, key) && value.text_in(input.bytes).is_some_and(fits)
    })?;
    std::str::from_utf8(&input.bytes[value.range]).ok()
}

/// The id of a call: mostly one of the input.
fn call_id(input: &Input<'_>, dice: &mut Dice) -> String {
    let known = if dice.once_in(4) { None } else { id_under(input, "id", "toolu_", dice) };
    known.map_or_else(|| format!("\"toolu_{}\"", dice.between(1, 3)), str::to_owned)
}

fn record(input: &Input<'_>, dice: &mut Dice) -> String {
    let type_name = name(&KINDS, dice);
    let Some(kind) = Kind::of(type_name) else { return side_record(type_name, input, dice) };
    let parent = id_under(input, "uuid", "", dice).unwrap_or("null");
    let uuid = new_uuid(dice);
    let body = body(kind, input, dice);
    format!(
        r#"{{"type":"{type_name}","uuid":"{uuid}","parentUuid":{parent},"timestamp":"2026-01-01T00:00:00.000Z","sessionId":"s1"{body}}}"#
    )
}

fn side_record(type_name: &str, input: &Input<'_>, dice: &mut Dice) -> String {
    let leaf = id_under(input, "uuid", "", dice).unwrap_or("\"u1\"");
    let body = match type_name {
        "summary" => format!(r#""summary":"a","leafUuid":{leaf}"#),
        "file-history-snapshot" => format!(r#""messageId":{leaf},"snapshot":{{"messageId":{leaf}}}"#),
        "custom-title" => r#""customTitle":"a","sessionId":"s1""#.to_owned(),
        _ => r#""sessionId":"s1""#.to_owned(),
    };
    format!(r#"{{"type":"{type_name}",{body}}}"#)
}

/// The members of a kind behind those that every message has.
fn body(kind: Kind, input: &Input<'_>, dice: &mut Dice) -> String {
    let call = call_id(input, dice);
    match kind {
        Kind::User if dice.once_in(2) => r#","message":{"role":"user","content":"hello"}"#.to_owned(),
        Kind::User => format!(
            r#","message":{{"role":"user","content":[{}]}},"toolUseResult":{{"stdout":"a"}}"#,
            block_of("tool_result", &call)
        ),
        Kind::Assistant => format!(
            r#","requestId":"req_1","message":{{"id":"msg_{}","type":"message","role":"assistant","model":"m","content":[{}],"stop_reason":null,"usage":{{"input_tokens":1,"output_tokens":1}}}}"#,
            dice.between(1, 2),
            block(input, dice)
        ),
        Kind::System => system_body(dice, input),
        Kind::Attachment => r#","attachment":{"type":"file","filename":"a","content":"a"}"#.to_owned(),
        Kind::HookResult => format!(r#","content":"a","toolUseID":{call}"#),
        Kind::Progress => {
            format!(r#","toolUseID":{call},"parentToolUseID":{call},"data":{{"type":"bash_progress"}}"#)
        }
        Kind::ToolUseSummary => format!(r#","summary":"a","precedingToolUseIds":[{call}]"#),
        Kind::Tombstone => {
            let withdrawn = id_under(input, "uuid", "", dice).unwrap_or("\"u1\"");
            format!(r#","message":{{"type":"assistant","uuid":{withdrawn}}}"#)
        }
        Kind::GroupedToolUse => r#","toolName":"Bash","messages":[],"results":[]"#.to_owned(),
        Kind::StreamEvent => format!(r#","event":{}"#, data(name(EVENT_TYPES, dice), input, dice)),
        Kind::StreamRequestStart => String::new(),
    }
}

fn system_body(dice: &mut Dice, input: &Input<'_>) -> String {
    let subtype = name(SUBTYPES, dice);
    let kept = |dice: &mut Dice| id_under(input, "uuid", "", dice).unwrap_or("\"u1\"");
    let more = match subtype {
        "compact_boundary" => format!(
            r#","logicalParentUuid":{},"compactMetadata":{{"trigger":"auto","preTokens":1000,"preservedSegment":{{"headUuid":{},"anchorUuid":{},"tailUuid":{}}}}}"#,
            kept(dice),
            kept(dice),
            kept(dice),
            kept(dice)
        ),
        "microcompact_boundary" => {
            format!(r#","microcompactMetadata":{{"trigger":"auto","compactedToolIds":[{}]}}"#, call_id(input, dice))
        }
        _ => String::new(),
    };
    format!(r#","subtype":"{subtype}","content":"a","level":"info"{more}"#)
}

/// A block as it stands in a message or a turn.
pub(super) fn block(input: &Input<'_>, dice: &mut Dice) -> String {
    let call = call_id(input, dice);
    // Half of the blocks are of the types that conversations are mostly made of.
    let usual = ["text", "tool_use", "tool_result", "thinking"];
    let type_name = if dice.once_in(2) { name(&usual, dice) } else { name(BLOCK_TYPES, dice) };
    block_of(type_name, &call)
}

fn block_of(type_name: &str, call: &str) -> String {
    let members = match type_name {
        "text" => r#","text":"a""#.to_owned(),
        "thinking" => r#","thinking":"a","signature":"c2ln""#.to_owned(),
        "redacted_thinking" => r#","data":"ZGF0YQ==""#.to_owned(),
        "image" | "document" => {
            r#","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}"#.to_owned()
        }
        "tool_reference" => r#","tool_name":"Bash""#.to_owned(),
        call_type if call_type.ends_with("tool_use") => format!(r#","id":{call},"name":"Bash","input":{{}}"#),
        result if result.ends_with("tool_result") => format!(r#","tool_use_id":{call},"content":"a""#),
        _ => r#","content":[]"#.to_owned(),
    };
    format!(r#"{{"type":"{type_name}"{members}}}"#)
}

fn event(input: &Input<'_>, dice: &mut Dice) -> String {
    let type_name = name(EVENT_TYPES, dice);
    format!("event: {type_name}\ndata: {}\n\n", data(type_name, input, dice))
}

fn data(type_name: &str, input: &Input<'_>, dice: &mut Dice) -> String {
    let index = dice.between(0, 2);
    let members = match type_name {
        "message_start" => {
            r#","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}"#.to_owned()
        }
        "content_block_start" => format!(r#","index":{index},"content_block":{}"#, block(input, dice)),
        "content_block_delta" => format!(r#","index":{index},"delta":{}"#, delta(name(DELTA_TYPES, dice))),
        "content_block_stop" => format!(r#","index":{index}"#),
        "message_delta" => {
            let reason = name(STOP_REASONS, dice);
            format!(r#","delta":{{"stop_reason":"{reason}","stop_sequence":null}},"usage":{{"output_tokens":9}}"#)
        }
        "error" => r#","error":{"type":"overloaded_error","message":"Overloaded"}"#.to_owned(),
        _ => String::new(),
    };
    format!(r#"{{"type":"{type_name}"{members}}}"#)
}

fn delta(type_name: &str) -> String {
    let member = match type_name {
        "text_delta" => r#""text":"a""#,
        "input_json_delta" => r#""partial_json":"{\"a\":1}""#,
        "citations_delta" => r#""citation":{"type":"char_location","cited_text":"a"}"#,
        "thinking_delta" => r#""thinking":"a""#,
        "signature_delta" => r#""signature":"c2ln""#,
        _ => r#""content":"a""#,
    };
    format!(r#"{{"type":"{type_name}",{member}}}"#)
}
