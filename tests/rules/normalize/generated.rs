//! Generated lists: no rule reports the reference's requests for them, and each reports a block that is lost or doubled.

use crate::random::word;
use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof_rules::operation::{Plain, RequestOptions};
use turnproof_rules::rules::Verdict;
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::build::{case, rules, verdict};

/// The reference's request for a list of messages.
fn normalize(messages: &[Value], context: Option<&str>) -> Value {
    let options = RequestOptions { context: context.map(str::to_owned) };
    match Reference.normalize_api(&Value::from(messages).to_string(), &options) {
        Outcome::Output(request) => serde_json::from_str(&request.turns).expect("JSON"),
        Outcome::Rejected(why) => panic!("{why}"),
        Outcome::Unsupported => panic!("the reference does not normalize"),
    }
}

fn one(words: &'static str) -> impl Strategy<Value = Value> {
    word(words).prop_map(Value::from)
}

fn block() -> impl Strategy<Value = Value> {
    let kinds = "text|text|tool_use|tool_use|tool_result|tool_result|image|thinking|server_tool_use|web_search_tool_result|mcp_tool_use|mcp_tool_result|other|";
    let id = || one("t1|t1|t2|t:1|srvtoolu_1|");
    let words = || one("a|b| |a \n|(no content)|ctx");
    let other = prop_oneof![
        Just(json!(null)),
        Just(json!({})),
        Just(json!([{"type": "text", "text": " ", "uuid": 1}])),
        Just(json!([{"type": "text", "text": "a", "aB": 1}])),
        Just(json!("x")),
    ];
    (one(kinds), id(), words(), other).prop_map(|(kind, id, words, other)| match kind.as_str() {
        Some("text") => json!({"type": kind, "text": words, "isMeta": true}),
        Some("thinking") => {
            json!({"type": kind, "thinking": words, "signature": if other.is_null() { "" } else { "s" }})
        }
        Some("tool_use") => json!({"type": kind, "id": id, "name": "n", "input": other}),
        Some("server_tool_use") => json!({"type": kind, "id": id, "name": "web_search", "input": other}),
        Some("mcp_tool_use") => json!({"type": kind, "id": id, "name": "n", "server_name": "s", "input": other}),
        Some("image") if other == "x" => json!({"type": kind, "source": {"type": "url", "url": "u", "width": 1}}),
        Some("image") => json!({"type": kind, "source": other}),
        Some("other") => json!({"type": kind, "_x": words, "data": other}),
        _ => json!({"type": kind, "tool_use_id": id, "content": other}),
    })
}

fn message() -> impl Strategy<Value = Value> {
    let kinds = "user|user|user|assistant|assistant|assistant|attachment|system|tombstone|progress";
    let content = prop_oneof![
        8 => prop::collection::vec(block(), 0..4).prop_map(Value::from),
        1 => one("a| "),
        1 => Just(Value::Null),
    ];
    let id = || one("m1|m2|m3||");
    (one(kinds), content, id(), id(), prop::bool::weighted(0.1), one("a|b| ")).prop_map(
        |(kind, content, reply, uuid, hidden, words)| {
            let base = json!({"type": kind, "isVirtual": hidden});
            let more = match kind.as_str() {
                Some("attachment") => json!({"attachment": {"type": "date_change", "newDate": words}}),
                Some("system") => json!({"subtype": "local_command", "content": words}),
                Some("tombstone") => json!({"message": {"uuid": uuid}}),
                _ => json!({"uuid": uuid, "message": {"id": reply, "content": content}}),
            };
            super::build::with(base, more)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn no_rule_reports_the_requests_of_the_reference(
        messages in prop::collection::vec(message(), 0..10),
        context in prop::option::of(prop::sample::select(&["ctx", " "][..])),
    ) {
        let request = |count: usize| Ok(Plain::from(normalize(&messages[..count], context)));
        let whole = normalize(&messages, context);
        let mut case = case(&Value::from(messages.clone()), context, &whole);
        let as_messages: Vec<Value> =
            whole.as_array().expect("turns").iter().map(|turn| json!({"type": turn["role"], "message": turn})).collect();
        case.renormalized = Some(Ok(normalize(&as_messages, None).into()));
        case.shorter = (0..messages.len()).map(|count| Some(request(count))).collect();
        case.incremental = Some((1..=messages.len()).map(|count| Some(request(count))).collect());
        for rule in rules() {
            let verdict = verdict(rule.id, &case);
            prop_assert!(!verdict.is_broken(), "{rule:?}: {verdict:#?}\n{messages:?}\n{whole}");
        }
    }

    #[test]
    fn a_block_that_is_lost_or_doubled_is_reported_in_any_list(
        messages in prop::collection::vec(message(), 1..10),
        (at, doubled) in (any::<prop::sample::Index>(), any::<bool>()),
    ) {
        let mut request = normalize(&messages, None);
        let places: Vec<(usize, usize)> = request.as_array().expect("turns").iter().enumerate()
            .flat_map(|(turn, value)| (0..value["content"].as_array().expect("blocks").len()).map(move |block| (turn, block)))
            .collect();
        // Nothing to lose, or nothing that must be there.
        if places.is_empty() {
            return Ok(());
        }
        let (turn, block) = *at.get(&places);
        let blocks = request[turn]["content"].as_array_mut().expect("blocks");
        let value = blocks[block].clone();
        let is_made = value["text"] == "(no content)" || value["is_error"] == true;
        let is_thinking = value["type"] == "thinking";
        // How often words of the client say what an attachment says is left free.
        let is_attached = value["text"].as_str().is_some_and(|text| text.starts_with("<system-reminder>"));
        if is_made || (is_thinking && !doubled) || (is_attached && doubled) {
            return Ok(());
        }
        match doubled {
            true => blocks.insert(block, value),
            false => drop(blocks.remove(block)),
        }
        let case = case(&Value::from(messages.clone()), None, &request);
        let rule = if is_thinking { "thinking/unmodified" } else { "normalize/conserves" };
        prop_assert_ne!(verdict(rule, &case), Verdict::Holds, "{:?}\n{}", messages, request);
    }
}
