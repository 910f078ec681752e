//! Plans of streams: whole replies with the message that they describe, and any events at all.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::make::{block, delta, end, late, start, start_with, stop};

/// A block as a plan: its start, and what its deltas add.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    Text { start: &'static str, text: String, citations: usize },
    Thinking { text: String, signature: &'static str },
    Redacted,
    Call { kind: &'static str, input: Option<Value> },
    Whole(Value),
}

/// A reply as a plan.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub given: usize,
    pub plans: Vec<Plan>,
    /// The `message_delta`s at its end, each with its delta and its usage.
    pub lates: Vec<(Value, Value)>,
    /// Whether the last block has no stop.
    pub cuts_last: bool,
}

fn words() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec!["a", "Hi. ", "é", "👋🏽", "\"", "\\", "\n", "{", "}", "\u{FFFD}", "1.0"]);
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn inputs() -> impl Strategy<Value = Option<Value>> {
    let member = prop_oneof![
        words().prop_map(Value::from),
        (0..100_i64).prop_map(Value::from),
        Just(json!([1, [null, true], {}])),
        Just(json!({"deep": {"er": "x"}})),
    ];
    let object = prop::collection::btree_map(words(), member, 0..4);
    prop::option::of(object.prop_map(|members| Value::Object(members.into_iter().collect())))
}

/// Blocks that come whole, in their start.
fn wholes() -> Vec<Value> {
    let result = |kind: &str, content: Value| json!({"type": format!("{kind}_tool_result"), "tool_use_id": "srvtoolu_1", "content": content});
    let page = json!({"type": "web_search_result", "url": "u", "title": "t", "encrypted_content": "e"});
    let output = |kind: &str| json!({"type": kind, "stdout": "a", "stderr": "", "return_code": 0, "content": []});
    vec![
        result("web_search", json!([page])),
        result("web_search", json!({"type": "web_search_tool_result_error", "error_code": "unavailable"})),
        result("web_fetch", json!({"type": "web_fetch_tool_result_error", "error_code": "url_not_allowed"})),
        result("code_execution", output("code_execution_result")),
        result("bash_code_execution", output("bash_code_execution_result")),
        result("tool_search", json!({"type": "tool_search_tool_search_result", "tool_references": []})),
        json!({"type": "container_upload", "file_id": "file_1"}),
        json!({"type": "novelty", "a": [1, {"x": null}]}),
    ]
}

/// A `message_delta`: what is set, and the totals. No member is null.
fn lates() -> impl Strategy<Value = (Value, Value)> {
    let reasons = prop::sample::select(vec!["end_turn", "tool_use", "max_tokens", "pause_turn", "stop_sequence"]);
    let totals = prop::collection::btree_map(
        prop::sample::select(vec!["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]),
        0..1000_u64,
        0..4,
    );
    let counts = (0..500_u64, totals, prop::option::of(0..5_u64), prop::option::of(0..5_u64));
    let usage = counts.prop_map(|(output, totals, searches, thinking)| {
        let mut usage = json!({"output_tokens": output});
        totals.iter().for_each(|(name, count)| usage[*name] = (*count).into());
        if let Some(searches) = searches {
            usage["server_tool_use"] = json!({"web_search_requests": searches, "web_fetch_requests": 0});
        }
        if let Some(thinking) = thinking {
            usage["output_tokens_details"] = json!({"thinking_tokens": thinking});
        }
        usage
    });
    let delta = (reasons, any::<bool>(), any::<bool>()).prop_map(|(reason, refuses, contains)| {
        let sequence = (reason == "stop_sequence").then_some("END");
        let mut delta = json!({"stop_reason": reason, "stop_sequence": sequence});
        if refuses {
            delta["stop_reason"] = "refusal".into();
            delta["stop_details"] = json!({"type": "refusal", "category": "cyber", "explanation": "x"});
        }
        if contains {
            delta["container"] = json!({"id": "c1", "expires_at": "2026-01-01T00:00:00Z"});
        }
        delta
    });
    (delta, usage)
}

fn plans() -> impl Strategy<Value = Plan> {
    let kinds = prop::sample::select(vec!["tool_use", "server_tool_use"]);
    prop_oneof![
        3 => (prop::sample::select(vec!["", "S"]), words(), 0..3_usize)
            .prop_map(|(start, text, citations)| Plan::Text { start, text, citations }),
        2 => (words(), prop::sample::select(vec!["", "sig"]))
            .prop_map(|(text, signature)| Plan::Thinking { text, signature }),
        1 => Just(Plan::Redacted),
        3 => (kinds, inputs()).prop_map(|(kind, input)| Plan::Call { kind, input }),
        1 => prop::sample::select(wholes()).prop_map(Plan::Whole),
    ]
}

pub(crate) fn replies() -> impl Strategy<Value = Reply> {
    let blocks = prop::collection::vec(plans(), 0..5);
    (0..2_usize, blocks, prop::collection::vec(lates(), 1..3), any::<bool>())
        .prop_map(|(given, plans, lates, cuts_last)| Reply { given, plans, lates, cuts_last })
}

/// Cuts a text into pieces of UTF-16 units, also inside pairs: JSON tokens.
fn tokens(text: &str, cuts: &mut impl Iterator<Item = usize>) -> Vec<String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut pieces, mut rest) = (Vec::new(), &units[..]);
    while !rest.is_empty() {
        let length = cuts.next().unwrap_or(rest.len()).clamp(0, rest.len());
        let (piece, after) = rest.split_at(length);
        pieces.push(format!("\"{}\"", piece.iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>()));
        rest = after;
    }
    pieces
}

impl Plan {
    fn start(&self) -> Value {
        match self {
            Self::Text { start, .. } => json!({"type": "text", "text": start}),
            Self::Thinking { .. } => json!({"type": "thinking", "thinking": "", "signature": ""}),
            Self::Redacted => json!({"type": "redacted_thinking", "data": "xyz"}),
            Self::Call { kind, .. } => json!({"type": kind, "id": "t1", "name": "n", "input": {}}),
            Self::Whole(block) => block.clone(),
        }
    }

    /// The deltas as JSON text, cut as `cuts` says.
    fn deltas(&self, cuts: &mut impl Iterator<Item = usize>) -> Vec<String> {
        let of = |kind: &str, member: &str, tokens: Vec<String>| {
            let delta = |token: String| format!(r#"{{"type":"{kind}","{member}":{token}}}"#);
            tokens.into_iter().map(delta).collect::<Vec<_>>()
        };
        match self {
            Self::Text { text, citations, .. } => {
                let mut deltas = of("text_delta", "text", tokens(text, cuts));
                deltas.extend(
                    (0..*citations).map(|at| json!({"type": "citations_delta", "citation": {"at": at}}).to_string()),
                );
                deltas
            }
            Self::Thinking { text, signature } => {
                let mut deltas = of("thinking_delta", "thinking", tokens(text, cuts));
                deltas.push(json!({"type": "signature_delta", "signature": signature}).to_string());
                deltas
            }
            Self::Call { input, .. } => {
                let json = input.as_ref().map(Value::to_string).unwrap_or_default();
                of("input_json_delta", "partial_json", tokens(&json, cuts))
            }
            Self::Redacted | Self::Whole(_) => Vec::new(),
        }
    }

    /// The block that the plan describes.
    pub(crate) fn block(&self) -> Value {
        let mut block = self.start();
        match self {
            Self::Text { start, text, citations } => {
                block["text"] = format!("{start}{text}").into();
                if *citations > 0 {
                    block["citations"] = (0..*citations).map(|at| json!({"at": at})).collect();
                }
            }
            Self::Thinking { text, signature } => {
                block["thinking"] = text.as_str().into();
                block["signature"] = (*signature).into();
            }
            Self::Call { input: Some(input), .. } => block["input"] = input.clone(),
            _ => {}
        }
        block
    }
}

impl Reply {
    fn given(&self) -> Value {
        (0..self.given).map(|at| json!({"type": "text", "text": format!("given {at}")})).collect()
    }

    /// The events of the reply, its deltas cut as `cuts` says, with pings as it says.
    pub(crate) fn events(&self, cuts: &[usize]) -> Vec<String> {
        let mut cuts = cuts.iter().copied();
        let mut events = vec![start_with(self.given()).to_string()];
        for (at, plan) in self.plans.iter().enumerate() {
            let index = self.given + at;
            events.push(block(index as u64, plan.start()).to_string());
            for delta in plan.deltas(&mut cuts) {
                events.push(format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#));
                if cuts.next() == Some(0) {
                    events.push(r#"{"type":"ping"}"#.to_owned());
                }
            }
            if !self.cuts_last || at + 1 < self.plans.len() {
                events.push(stop(index as u64).to_string());
            }
        }
        for (delta, usage) in &self.lates {
            events.push(json!({"type": "message_delta", "delta": delta, "usage": usage}).to_string());
        }
        events.push(end().to_string());
        events
    }

    /// The message that the reply describes.
    pub(crate) fn message(&self) -> Value {
        let mut message = start_with(self.given())["message"].clone();
        let blocks = message["content"].as_array_mut().expect("a list");
        blocks.extend(self.plans.iter().map(Plan::block));
        for (delta, usage) in &self.lates {
            let members = delta.as_object().expect("an object").iter();
            members.for_each(|(name, value)| message[name] = value.clone());
            let totals = usage.as_object().expect("an object").iter();
            totals.for_each(|(name, count)| message["usage"][name] = count.clone());
        }
        message
    }
}

/// One event of any sort, for any index: known ones, damaged ones, unknown ones.
pub(crate) fn any_event() -> impl Strategy<Value = Value> {
    let indexes =
        prop::sample::select(vec![json!(0), json!(1), json!(2), json!(-1), json!(1.5), json!(u64::MAX), json!("0")]);
    let starts = prop::sample::select(vec![
        json!({"type": "text", "text": ""}),
        json!({"type": "text"}),
        json!({"type": "thinking", "thinking": "", "signature": ""}),
        json!({"type": "tool_use", "id": "t1", "name": "n", "input": {}}),
        json!({"type": "tool_use", "id": "t2", "name": "n", "input": {"a": 1}}),
        json!({"type": "mcp_tool_use", "id": "t3", "name": "n"}),
        json!({"type": "fallback", "to": {"model": "m2"}}),
        json!({"type": "compaction", "content": null}),
        json!({"type": "text", "text": 7}),
        json!({}),
    ]);
    let deltas = prop::sample::select(vec![
        json!({"type": "text_delta", "text": "a"}),
        json!({"type": "input_json_delta", "partial_json": ""}),
        json!({"type": "input_json_delta", "partial_json": "{\"a\":"}),
        json!({"type": "input_json_delta", "partial_json": "1}"}),
        json!({"type": "input_json_delta", "partial_json": "2"}),
        json!({"type": "citations_delta", "citation": null}),
        json!({"type": "thinking_delta", "thinking": "h"}),
        json!({"type": "signature_delta", "signature": "s"}),
        json!({"type": "compaction_delta", "content": "c", "encrypted_content": null}),
        json!({"type": "text_delta"}),
        json!({"type": "novel_delta"}),
        json!({}),
    ]);
    let lates = prop::sample::select(vec![
        late("end_turn", 5),
        late("max_tokens", 9),
        json!({"type": "message_delta", "delta": {"stop_reason": null, "container": {"id": "c"}, "stop_details": null}}),
        json!({"type": "message_delta", "delta": {"novelty": 1}, "usage": {"output_tokens": null, "input_tokens": 3}}),
        json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens": "x"}}),
        json!({"type": "message_delta"}),
    ]);
    let others = prop::sample::select(vec![
        start(),
        start_with(json!([{"type": "text", "text": "given"}])),
        json!({"type": "message_start", "message": {}}),
        json!({"type": "message_start"}),
        json!({"type": "ping"}),
        json!({"type": "novelty"}),
        json!([7]),
    ]);
    prop_oneof![
        3 => (indexes.clone(), starts).prop_map(|(index, start)| block(index, start)),
        4 => (indexes.clone(), deltas).prop_map(|(index, added)| delta(index, added)),
        3 => indexes.prop_map(stop),
        1 => lates,
        2 => others,
        1 => prop::sample::select(vec![end(), json!({"type": "error", "error": {"type": "x", "message": "y"}})]),
    ]
}
