//! A block as the model *streams* it: a start, deltas, a stop, each as the members of an event.

use std::borrow::Cow;

use crate::engine::Failure;
use crate::json::{Fields, Raw};

use super::pool::{PoolText, TextForm, server_call_id};
use super::{BlockPlan, Choice};

const CITATION: Raw = Raw::fixed(concat!(
    r#"{"cited_text":"a","document_index":0,"document_title":null,"end_char_index":1,"file_id":null,"#,
    r#""start_char_index":0,"type":"char_location"}"#
));

/// The events of one block, in order. With `half`, there is at most one delta and no stop.
pub(super) fn block_events(block: BlockPlan, call: &str, index: u64, cuts: u8, half: bool) -> Vec<Fields> {
    let (start, deltas) = parts(block, call, cuts);
    let index = || Raw::written(index.to_string());
    let start = Fields::from([
        ("type", Raw::fixed("\"content_block_start\"")),
        ("index", index()),
        ("content_block", start.to_raw()),
    ]);
    let shown = if half { 1 } else { deltas.len() };
    let deltas = deltas.into_iter().take(shown).map(|delta| {
        Fields::from([("type", Raw::fixed("\"content_block_delta\"")), ("index", index()), ("delta", delta.to_raw())])
    });
    let stop = Fields::from([("index", index()), ("type", Raw::fixed("\"content_block_stop\""))]);
    std::iter::once(start).chain(deltas).chain((!half).then_some(stop)).collect()
}

/// The block as it starts, and its deltas.
fn parts(block: BlockPlan, call: &str, cuts: u8) -> (Fields, Vec<Fields>) {
    match block {
        BlockPlan::ToolUse { call: which, .. } => {
            let name = ["Bash", "Read", "Edit", "Task"][usize::from(which) % 4];
            (call_start("tool_use", call, name), input_deltas(&input(which), cuts))
        }
        BlockPlan::Thinking { text, .. } => {
            let mut deltas = text_deltas("thinking_delta", "thinking", &text.token(), cuts);
            let signature = |signature: &str| texts([("signature", signature), ("type", "signature_delta")]);
            if cuts > 1 {
                // The last signature counts.
                deltas.push(signature("Zmlyc3Q="));
            }
            deltas.push(signature("c2lnbmVk"));
            (texts([("signature", ""), ("thinking", ""), ("type", "thinking")]), deltas)
        }
        BlockPlan::RedactedThinking => (texts([("data", "ZGF0YQ=="), ("type", "redacted_thinking")]), Vec::new()),
        BlockPlan::ServerToolUse { call, .. } => {
            let start = call_start("server_tool_use", server_call_id(call % 4), "web_search");
            (start, input_deltas(r#"{"query":"a"}"#, cuts))
        }
        BlockPlan::ServerToolResult { call, .. } => {
            let start = Fields::from([
                ("content", Raw::fixed("[]")),
                ("tool_use_id", server_call_id(call % 4).into()),
                ("type", "web_search_tool_result".into()),
            ]);
            (start, Vec::new())
        }
        BlockPlan::Text { form, text } => {
            let mut deltas = text_deltas("text_delta", "text", &text.token(), cuts);
            if form == TextForm::Cited {
                deltas.push(Fields::from([("citation", CITATION), ("type", "citations_delta".into())]));
            }
            (texts([("text", ""), ("type", "text")]), deltas)
        }
        BlockPlan::Compaction => {
            let delta = |content: &str| texts([("content", content), ("type", "compaction_delta")]);
            let deltas = vec![delta("What happened"), delta("What happened so far")];
            (Fields::from([("content", Raw::null()), ("type", "compaction".into())]), deltas)
        }
        _ => {
            let payload = Raw::fixed("[1,2.5]");
            (Fields::from([("payload", payload), ("type", "a_block_of_tomorrow".into())]), Vec::new())
        }
    }
}

/// Members that are all texts.
fn texts<const COUNT: usize>(members: [(&str, &str); COUNT]) -> Fields {
    Fields::from(members.map(|(name, text)| (name, Raw::from(text))))
}

/// A call before its input has come.
fn call_start(kind: &str, id: &str, name: &str) -> Fields {
    Fields::from([("id", id.into()), ("input", Raw::fixed("{}")), ("name", name.into()), ("type", kind.into())])
}

/// A call's input, as the model writes it.
fn input(which: u8) -> Cow<'static, str> {
    match which % 8 {
        0..5 => format!(r#"{{"command":{}}}"#, PoolText::at(which).token()).into(),
        5 => r#"{"file_path":"/a.rs","limit":1.50,"deep":{"a":[1,2,{"b":null}]}}"#.into(),
        6 => "{\n  \"n\": 12345678901234567890,\n  \"e\": -0.0\n} ".into(),
        _ => "".into(),
    }
}

fn input_deltas(input: &str, cuts: u8) -> Vec<Fields> {
    let delta = |piece: &str| texts([("partial_json", piece), ("type", "input_json_delta")]);
    let units = input.char_indices().map(|(at, _)| at);
    std::iter::once("").chain(pieces(input, units, cuts)).map(delta).collect()
}

/// A JSON string in deltas. It is cut between characters or escapes, so a surrogate pair may be parted.
fn text_deltas(delta: &str, member: &str, token: &str, cuts: u8) -> Vec<Fields> {
    let inside = &token[1..token.len() - 1];
    let delta_of = |piece: &str| Fields::from([("type", delta.into()), (member, Raw::written(format!("\"{piece}\"")))]);
    pieces(inside, units(inside), cuts).into_iter().map(delta_of).collect()
}

/// Where the characters and escapes of a JSON string begin.
fn units(inside: &str) -> impl Iterator<Item = usize> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let (at, rest) = (next, inside.get(next..)?);
        next += match rest.as_bytes() {
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            _ => rest.chars().next()?.len_utf8(),
        };
        Some(at)
    })
}

/// A text in equal pieces, cut so many times where its units begin. A short text is cut less often.
fn pieces(text: &str, units: impl Iterator<Item = usize>, cuts: u8) -> Vec<&str> {
    let starts: Vec<usize> = units.collect();
    if starts.is_empty() {
        return Vec::new();
    }
    let length = starts.len().div_ceil(usize::from(cuts) + 1);
    let mut cuts = starts.into_iter().step_by(length).chain([text.len()]);
    let mut start = cuts.next().unwrap_or_default();
    cuts.map(|end| &text[std::mem::replace(&mut start, end)..end]).collect()
}

pub(super) fn message_start(number: u64, model: &str) -> Fields {
    let message = format!(
        "{{\"content\":[],\"id\":\"msg_{number}\",\"model\":\"{model}\",\"role\":\"assistant\",\
         \"stop_reason\":null,\"stop_sequence\":null,\"type\":\"message\",\
         \"usage\":{{\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":5,\"input_tokens\":{},\
         \"output_tokens\":1,\"service_tier\":\"standard\"}}}}",
        10 + number
    );
    Fields::from([("message", Raw::written(message)), ("type", "message_start".into())])
}

/// The same with known fields of wrong types.
pub(super) fn message_start_of_misfits(number: u64, model: &str) -> Fields {
    let message = format!(
        "{{\"content\":[],\"id\":\"msg_{number}\",\"model\":\"{model}\",\"role\":\"assistant\",\
         \"stop_sequence\":7,\"type\":\"message\",\
         \"usage\":{{\"cache_creation\":\"none\",\"input_tokens\":\"{}\",\"output_tokens\":1}}}}",
        10 + number
    );
    Fields::from([("message", Raw::written(message)), ("type", "message_start".into())])
}

/// The API fails after it has begun to answer: in its usual words, in others, or as nobody knows it.
pub(super) fn error_event(failure: Failure, number: u64) -> Fields {
    const ODD: [&str; 3] = [r#"{"type":"error_of_tomorrow"}"#, "null", r#""it failed""#];
    let (_, kind, message) = failure.parts();
    let error = match number % 6 {
        0..3 => texts([("message", message), ("type", kind)]).to_raw(),
        3..5 => texts([("message", "Try again later."), ("type", kind)]).to_raw(),
        _ => Raw::fixed(ODD[(number / 6 % 3) as usize]),
    };
    Fields::from([("error", error), ("type", "error".into())])
}

/// The end of a message. Some reasons come with other late members, in the delta or beside it.
pub(super) fn message_end(stop_reason: &str, output_tokens: u64) -> [Fields; 2] {
    let (inside, beside) = match stop_reason {
        "refusal" => (r#","stop_details":{"category":null,"explanation":"a","type":"refusal"}"#, None),
        "stop_sequence" => (r#","container":{"expires_at":"2030-01-01T00:00:00Z","id":"container_1"}"#, None),
        "max_tokens" => ("", Some(Raw::fixed(r#"{"applied_edits":[]}"#))),
        _ => ("", None),
    };
    let delta = Raw::written(format!("{{\"stop_reason\":\"{stop_reason}\",\"stop_sequence\":null{inside}}}"));
    let usage = Raw::written(format!("{{\"output_tokens\":{output_tokens}}}"));
    let beside = beside.map(|edits| ("context_management".into(), edits));
    let members = [("delta".into(), delta), ("type".into(), "message_delta".into()), ("usage".into(), usage)];
    [beside.into_iter().chain(members).collect(), texts([("type", "message_stop")])]
}
