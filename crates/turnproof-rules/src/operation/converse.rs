//! Bodies of Bedrock's *Converse* API, put into the form of the Messages API, so that the same rules judge them.
//!
//! Each turn and each block keeps its place. A block that the Messages API does not have, such as `cachePoint`, keeps
//! its name as its type.

use crate::json::{Object, Value};

/// The members of a content block of Converse, which say what it is.
const BLOCKS: [&str; 11] = [
    "text",
    "toolUse",
    "toolResult",
    "image",
    "document",
    "video",
    "cachePoint",
    "reasoningContent",
    "guardContent",
    "citationsContent",
    "searchResult",
];

/// The members of a body that only Converse has.
const MEMBERS: [&str; 5] =
    ["inferenceConfig", "toolConfig", "guardrailConfig", "additionalModelRequestFields", "performanceConfig"];

/// Whether a body is in the form of Converse: it has a member of its own, or all blocks of its turns are Converse's.
pub(super) fn is_body(body: &Object) -> bool {
    let Some(turns) = body.get("messages").and_then(Value::as_array) else { return false };
    let mut blocks = turns.iter().filter_map(|turn| turn.get("content")?.as_array()).flatten().peekable();
    let has_blocks = blocks.peek().is_some();
    let are_typed = !blocks.all(is_block);
    !are_typed && (has_blocks || MEMBERS.iter().any(|name| body.contains_key(name)))
}

/// Whether a block has no type, and one member that Converse knows.
fn is_block(block: &Value) -> bool {
    block.as_object().is_some_and(|block| block.len() == 1 && BLOCKS.iter().any(|name| block.contains_key(name)))
}

/// The turns of a body, and the rest of it.
pub(super) fn to_messages(mut body: Object) -> (Vec<Value>, Value) {
    let turns = match body.remove("messages") {
        Some(Value::Array(turns)) => turns.into_iter().map(turn).collect(),
        _ => Vec::new(),
    };
    (turns, rest(&body))
}

fn turn(turn: Value) -> Value {
    let Value::Object(mut members) = turn else { return turn };
    if let Some(Value::Array(blocks)) = members.remove("content") {
        members.insert("content".to_owned(), Value::Array(blocks.iter().map(block).collect()));
    }
    Value::Object(members)
}

fn block(block: &Value) -> Value {
    let Some((kind, inner)) = block.as_object().and_then(|block| block.iter().next()) else { return block.clone() };
    let of = |name: &str| inner.get(name).cloned().unwrap_or_default();
    match &**kind {
        "text" => object([("type", "text".into()), ("text", inner.clone())]),
        "toolUse" => {
            object([("type", "tool_use".into()), ("id", of("toolUseId")), ("name", of("name")), ("input", of("input"))])
        }
        "toolResult" => object([
            ("type", "tool_result".into()),
            ("tool_use_id", of("toolUseId")),
            ("content", Value::Array(elements(inner, "content").iter().map(self::block).collect())),
            ("is_error", (of("status").as_str() == Some("error")).into()),
        ]),
        "image" | "document" => media(kind, inner),
        "reasoningContent" => reasoning(inner),
        _ => object([("type", (**kind).into()), (kind, inner.clone())]),
    }
}

fn media(kind: &str, inner: &Value) -> Value {
    let format = inner.get("format").and_then(Value::as_str).unwrap_or_default();
    let media_type = if format == "pdf" { "application/pdf".to_owned() } else { format!("{kind}/{format}") };
    let bytes = inner.get("source").and_then(|source| source.get("bytes"));
    let source = match bytes {
        Some(data) => {
            object([("type", "base64".into()), ("media_type", media_type.as_str().into()), ("data", data.clone())])
        }
        None => inner.get("source").cloned().unwrap_or_default(),
    };
    object([("type", kind.into()), ("source", source)])
}

fn reasoning(inner: &Value) -> Value {
    match inner.get("reasoningText") {
        Some(text) => {
            let of = |name: &str| text.get(name).cloned().unwrap_or_default();
            object([("type", "thinking".into()), ("thinking", of("text")), ("signature", of("signature"))])
        }
        None => {
            let data = inner.get("redactedContent").cloned().unwrap_or_default();
            object([("type", "redacted_thinking".into()), ("data", data)])
        }
    }
}

/// What the rest of a body has that rules look at.
fn rest(body: &Object) -> Value {
    let at = |name: &str| body.get(name).cloned();
    let inside = |one: &str, other: &str| body.get(one).and_then(|value| value.get(other)).cloned();
    let tools = body.get("toolConfig").map(|config| elements(config, "tools").iter().map(tool).collect::<Vec<_>>());
    let system = at("system").map(|system| match system {
        Value::Array(blocks) => Value::Array(blocks.iter().map(block).collect()),
        other => other,
    });
    let members = [
        ("model", at("modelId")),
        ("system", system),
        ("tools", tools.map(Value::Array)),
        ("max_tokens", inside("inferenceConfig", "maxTokens")),
        ("temperature", inside("inferenceConfig", "temperature")),
        ("top_p", inside("inferenceConfig", "topP")),
        ("stop_sequences", inside("inferenceConfig", "stopSequences")),
        ("thinking", inside("additionalModelRequestFields", "thinking")),
    ];
    object(members.into_iter().filter_map(|(name, value)| Some((name, value?))))
}

fn tool(tool: &Value) -> Value {
    let Some(spec) = tool.get("toolSpec") else { return tool.clone() };
    let of = |name: &str| spec.get(name).cloned();
    let schema = spec.get("inputSchema").and_then(|schema| schema.get("json")).cloned();
    let members = [("name", of("name")), ("description", of("description")), ("input_schema", schema)];
    object(members.into_iter().filter_map(|(name, value)| Some((name, value?))))
}

fn elements<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
