//! *Hostile* JSON: requests that nobody would send. No rule panics, and no rule takes long.

use crate::random;
use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof_rules::operation::{Host, Plain, Request};

use super::{assistant, call, found, reported, request, result, search, text, user};

/// Names and texts that rules look for.
const WORDS: &str = "role|content|type|text|id|tool_use_id|name|input|source|data|media_type|signature|thinking|\
                     user|assistant|system|tool_use|tool_result|server_tool_use|web_search_tool_result|mcp_tool_use|\
                     mcp_tool_result|redacted_thinking|image|base64|image/png|cache_control|ttl|iVBORw0KGgo|";
const BLOCKS: &str = "user|assistant|system|tool_use|tool_result|server_tool_use|web_search_tool_result|mcp_tool_use|\
                      mcp_tool_result|redacted_thinking|image";

/// How images begin.
const HEADS: [&[u8]; 7] = [
    b"\x89PNG\r\n\x1a\n",
    b"GIF89a",
    b"\xFF\xD8\xFF\xE0",
    b"RIFF\0\0\0\0WEBPVP8 ",
    b"RIFF\0\0\0\0WEBPVP8X",
    b"RIFF\0\0\0\0WEBPVP8L",
    b"",
];

fn any_json() -> impl Strategy<Value = Value> {
    random::any_json(WORDS, WORDS)
}

/// A turn that is nearly one, so that rules look into it.
fn nearly_a_turn() -> impl Strategy<Value = Value> {
    let members = proptest::collection::vec((random::word(WORDS), any_json()), 0..5);
    let block = (random::word(BLOCKS), any_json(), members).prop_map(|(kind, content, members)| {
        let mut block = json!({"type": kind, "content": content});
        members.into_iter().for_each(|(name, value)| block[name] = value);
        block
    });
    let content = prop_oneof![any_json(), proptest::collection::vec(block, 0..6).prop_map(Value::Array)];
    (proptest::sample::select(&["user", "assistant", "system"][..]), content)
        .prop_map(|(role, content)| json!({"role": role, "content": content}))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_json_makes_a_rule_panic(
        turns in proptest::collection::vec(prop_oneof![any_json(), nearly_a_turn()], 0..8),
        body in any_json(),
        paths in proptest::collection::vec("[a-z0-9.]{0,20}", 0..3),
        bytes in any::<u64>(),
    ) {
        let messages = turns.into_iter().map(Into::into).collect();
        let request = Request { messages, body: body.into(), lone_surrogates: paths, bytes, ..Request::default() };
        for host in Host::ALL {
            for (rule, error) in reported(&request, host) {
                prop_assert!(error.is_none_or(|error| !error.is_empty()), "{}", rule);
            }
        }
    }

    #[test]
    fn no_image_makes_a_rule_panic(
        head in proptest::sample::select(&HEADS[..]),
        rest in proptest::collection::vec(any::<u8>(), 0..64),
    ) {
        let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, [head, &rest].concat());
        let request = request(json!([user(json!([super::image_of("image/png", &data)]))]));
        for host in Host::ALL {
            reported(&request, host);
        }
    }
}

#[test]
fn turns_and_contents_of_every_json_type_are_judged() {
    let values = [json!(null), json!(1), json!(true), json!("a"), json!([]), json!({}), json!([1]), json!([[]])];
    for value in &values {
        let turns = json!([value, {"role": value, "content": value}, user(value.clone()), user(json!([value]))]);
        for host in Host::ALL {
            assert!(!reported(&request(turns.clone()), host).is_empty(), "{value}");
        }
    }
}

/// This test measures no time. All rules together take some seconds. A rule that reads the request once for each block
/// takes a minute, and that is noticed.
#[test]
fn every_rule_is_linear_in_the_size_of_the_request() {
    const MANY: usize = 50_000;
    let ids = || (0..MANY).map(|id| id.to_string());
    let results = || user(ids().map(|id| result(&id)).collect());
    let many = |block: Value| vec![block; MANY];
    let searches_and = |answer: Value| assistant([many(search("srvtoolu_1")), many(answer)].concat().into());
    let unfit = json!({"type": "mcp_tool_result", "tool_use_id": "srvtoolu_1"});
    let mixed = || ids().flat_map(|id| [call(&id), search("srvtoolu_1")]).collect();
    // One at a time: all of them at once would fill the memory of a small machine.
    let requests: [&dyn Fn() -> Value; 7] = [
        &|| json!([assistant(many(call("toolu_1")).into()), user(many(result("toolu_1")).into())]),
        &|| json!([results(), assistant(ids().map(|id| call(&id)).collect()), results()]),
        &|| json!([searches_and(found("srvtoolu_1"))]),
        &|| json!([searches_and(unfit.clone())]),
        &|| json!([assistant(mixed()), user("b".into())]),
        &|| json!([user(many(text(" ")).into())]),
        &|| many(user("a".into())).into(),
    ];
    for (index, request) in requests.into_iter().enumerate() {
        assert!(!reported(&request_of(request()), Host::Portable).is_empty(), "request {index}");
    }
}

fn request_of(value: Value) -> Request {
    Request::from_plain(Plain::from(value), 0).unwrap()
}
