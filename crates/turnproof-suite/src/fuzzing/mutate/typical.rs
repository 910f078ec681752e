//! *Typical* lines, events and blocks are small and right, and linked to the ids that the input has.

use crate::message::Kind;

use super::Shape;
use super::input::{Dice, Input};
use super::values::Sort;
use super::words::{BLOCK_TYPES, DELTA_TYPES, EVENT_TYPES, KINDS, STOP_REASONS, SUBTYPES};

/// The members that a kind, a subtype, a block, an event or a delta has of its own. [`members`] puts something in the
/// place of each word after a `$`.
const MEMBERS: &[(&str, &str)] = &[
    ("user", r#","message":{"role":"user","content":"hello"}"#),
    (
        "user",
        r#","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":$call,"content":"a"}]},"toolUseResult":{"stdout":"a"}"#,
    ),
    (
        "assistant",
        r#","requestId":"req_1","message":{"id":"msg_$number","type":"message","role":"assistant","model":"m","content":[$block],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}"#,
    ),
    ("system", "$notice"),
    (
        "compact_boundary",
        r#","logicalParentUuid":$id,"compactMetadata":{"trigger":"auto","preTokens":1000,"preservedSegment":{"headUuid":$id,"anchorUuid":$id,"tailUuid":$id}}"#,
    ),
    ("microcompact_boundary", r#","microcompactMetadata":{"trigger":"auto","compactedToolIds":[$call]}"#),
    ("attachment", r#","attachment":{"type":"file","filename":"a","content":"a"}"#),
    ("hook_result", r#","content":"a","toolUseID":$call"#),
    ("progress", r#","toolUseID":$call,"parentToolUseID":$call,"data":{"type":"bash_progress"}"#),
    ("tool_use_summary", r#","summary":"a","precedingToolUseIds":[$call]"#),
    ("tombstone", r#","message":{"type":"assistant","uuid":$id}"#),
    ("grouped_tool_use", r#","toolName":"Bash","messages":[],"results":[]"#),
    ("stream_event", r#","event":$event"#),
    ("summary", r#","summary":"a","leafUuid":$id"#),
    ("file-history-snapshot", r#","messageId":$id,"snapshot":{"messageId":$id}"#),
    ("custom-title", r#","customTitle":"a","sessionId":"s1""#),
    ("text", r#","text":"a""#),
    ("thinking", r#","thinking":"a","signature":"c2ln""#),
    ("redacted_thinking", r#","data":"ZGF0YQ==""#),
    ("image", r#","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}"#),
    ("document", r#","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}"#),
    ("tool_reference", r#","tool_name":"Bash""#),
    ("tool_use", r#","id":$call,"name":"Bash","input":{}"#),
    ("tool_result", r#","tool_use_id":$call,"content":"a""#),
    (
        "message_start",
        r#","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}"#,
    ),
    ("content_block_start", r#","index":$index,"content_block":$block"#),
    ("content_block_delta", r#","index":$index,"delta":$delta"#),
    ("content_block_stop", r#","index":$index"#),
    ("message_delta", r#","delta":{"stop_reason":"$reason","stop_sequence":null},"usage":{"output_tokens":9}"#),
    ("error", r#","error":{"type":"overloaded_error","message":"Overloaded"}"#),
    ("text_delta", r#","text":"a""#),
    ("input_json_delta", r#","partial_json":"{\"a\":1}""#),
    ("citations_delta", r#","citation":{"type":"char_location","cited_text":"a"}"#),
    ("thinking_delta", r#","thinking":"a""#),
    ("signature_delta", r#","signature":"c2ln""#),
    ("compaction_delta", r#","content":"a""#),
];

/// A line of a transcript, an event of a stream or a whole request, with its end.
pub(super) fn line(input: &Input<'_>, dice: &mut Dice) -> Vec<u8> {
    let line = match input.shape {
        Shape::Transcript => record(input, dice) + "\n",
        Shape::Stream => {
            let name = name(EVENT_TYPES, dice);
            format!("event: {name}\ndata: {{\"type\":\"{name}\"{}}}\n\n", members(name, "", input, dice))
        }
        Shape::Request => format!(r#"{{"messages":[{{"role":"user","content":[{}]}}]}}"#, block(input, dice)) + "\n",
    };
    line.into_bytes()
}

pub(super) fn new_uuid(dice: &mut Dice) -> String {
    let (head, tail) = (dice.throw(), dice.throw());
    uuid::Builder::from_random_bytes((u128::from(head) << 64 | u128::from(tail)).to_be_bytes()).into_uuid().to_string()
}

/// A block of a message or a turn. Half of them have the types that are usual in conversations.
pub(super) fn block(input: &Input<'_>, dice: &mut Dice) -> String {
    let usual = ["text", "tool_use", "tool_result", "thinking"];
    let name = if dice.once_in(2) { name(&usual, dice) } else { name(&BLOCK_TYPES, dice) };
    let form = ["tool_use", "tool_result"].into_iter().find(|form| name.ends_with(form)).unwrap_or(name);
    format!(r#"{{"type":"{name}"{}}}"#, members(form, r#","content":[]"#, input, dice))
}

fn record(input: &Input<'_>, dice: &mut Dice) -> String {
    let name = name(&KINDS, dice);
    if Kind::of(name).is_none() {
        return format!(r#"{{"type":"{name}"{}}}"#, members(name, r#","sessionId":"s1""#, input, dice));
    }
    let (uuid, parent) = (new_uuid(dice), id_under(input, "uuid", "", dice).unwrap_or("null"));
    format!(
        r#"{{"type":"{name}","uuid":"{uuid}","parentUuid":{parent},"timestamp":"2026-01-01T00:00:00.000Z","sessionId":"s1"{}}}"#,
        members(name, "", input, dice)
    )
}

/// One of the forms of this name in [`MEMBERS`], or else `usual`, with its words replaced.
fn members(of: &str, usual: &str, input: &Input<'_>, dice: &mut Dice) -> String {
    let at = dice.index(MEMBERS.len(), |at| MEMBERS[at].0 == of);
    let mut parts = at.map_or(usual, |at| MEMBERS[at].1).split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(part.len());
        text += &match &part[..end] {
            "call" => call_id(input, dice),
            "id" => id_under(input, "uuid", "", dice).unwrap_or("\"u1\"").to_owned(),
            "number" => dice.between(1, 2).to_string(),
            "index" => dice.between(0, 2).to_string(),
            "reason" => name(STOP_REASONS, dice).to_owned(),
            "block" => block(input, dice),
            "delta" => typed(DELTA_TYPES, input, dice),
            "event" => typed(EVENT_TYPES, input, dice),
            _ => {
                let subtype = name(SUBTYPES, dice);
                let more = members(if subtype.ends_with("_boundary") { subtype } else { "" }, "", input, dice);
                format!(r#","subtype":"{subtype}","content":"a","level":"info"{more}"#)
            }
        };
        text += &part[end..];
    }
    text
}

fn typed(names: &[&'static str], input: &Input<'_>, dice: &mut Dice) -> String {
    let name = name(names, dice);
    format!(r#"{{"type":"{name}"{}}}"#, members(name, "", input, dice))
}

fn name(names: &[&'static str], dice: &mut Dice) -> &'static str {
    dice.pick(names).copied().unwrap_or_default()
}

/// An id that the input has under this key, in its quotes.
fn id_under<'a>(input: &Input<'a>, key: &str, prefix: &str, dice: &mut Dice) -> Option<&'a str> {
    let fits = |text: &[u8]| text.starts_with(prefix.as_bytes());
    let value = input.pick(dice, |value, _| {
        value.sort == Sort::Text && value.has_key(input.bytes, key) && value.text_in(input.bytes).is_some_and(fits)
    })?;
    std::str::from_utf8(&input.bytes[value.range.clone()]).ok()
}

/// The id of a call: mostly one of the input.
fn call_id(input: &Input<'_>, dice: &mut Dice) -> String {
    let known = if dice.once_in(4) { None } else { id_under(input, "id", "toolu_", dice) };
    known.map_or_else(|| format!("\"toolu_{}\"", dice.between(1, 3)), str::to_owned)
}
