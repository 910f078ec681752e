//! *Hostile* JSON: requests that nobody would send; no rule panics, and none takes long.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use turnproof::operation::{Host, Plain, Request};

use super::{assistant, call, found, request, result, search, text, told, user};

/// Names and texts that rules look for.
const WORDS: [&str; 30] = [
    "role",
    "content",
    "type",
    "text",
    "id",
    "tool_use_id",
    "name",
    "input",
    "source",
    "data",
    "media_type",
    "signature",
    "thinking",
    "user",
    "assistant",
    "system",
    "tool_use",
    "tool_result",
    "server_tool_use",
    "web_search_tool_result",
    "mcp_tool_use",
    "mcp_tool_result",
    "redacted_thinking",
    "image",
    "base64",
    "image/png",
    "cache_control",
    "ttl",
    "iVBORw0KGgo",
    "",
];

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

fn word() -> impl Strategy<Value = String> {
    prop_oneof![9 => proptest::sample::select(&WORDS[..]).prop_map(str::to_owned), 1 => ".{0,4}"]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        word().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            proptest::collection::vec((word(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A turn that is nearly one, so that rules look into it.
fn nearly_a_turn() -> impl Strategy<Value = Value> {
    let kinds = &WORDS[13..24];
    let block =
        (proptest::sample::select(kinds), any_json(), proptest::collection::vec((word(), any_json()), 0..5))
            .prop_map(|(kind, content, members)| {
                let mut block: Map<String, Value> = members.into_iter().collect();
                block.insert("type".into(), kind.into());
                block.insert("content".into(), content);
                Value::Object(block)
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
        let request = Request { messages: turns, body, lone_surrogates: paths, bytes };
        for host in Host::ALL {
            for (rule, error) in told(&request, host) {
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
            told(&request, host);
        }
    }
}

#[test]
fn turns_and_contents_of_every_json_type_are_judged() {
    let values =
        [json!(null), json!(1), json!(true), json!("a"), json!([]), json!({}), json!([1]), json!([[]])];
    for value in &values {
        let turns =
            json!([value, {"role": value, "content": value}, user(value.clone()), user(json!([value]))]);
        for host in Host::ALL {
            assert!(!told(&request(turns.clone()), host).is_empty(), "{value}");
        }
    }
}

#[test]
fn every_rule_is_linear_in_the_size_of_the_request() {
    const MANY: usize = 20_000;
    let one_id = assistant(Value::Array(vec![call("toolu_1"); MANY]));
    let answers = user(Value::Array(vec![result("toolu_1"); MANY]));
    let orphans = user((0..MANY).map(|id| result(&id.to_string())).collect());
    let calls = assistant((0..MANY).map(|id| call(&id.to_string())).collect());
    let searches = Value::Array([vec![search("srvtoolu_1"); MANY], vec![found("srvtoolu_1"); MANY]].concat());
    let unfit = json!({"type": "mcp_tool_result", "tool_use_id": "srvtoolu_1"});
    let unfitting = Value::Array([vec![search("srvtoolu_1"); MANY], vec![unfit; MANY]].concat());
    let mixed: Value = (0..MANY).flat_map(|id| [call(&id.to_string()), search("srvtoolu_1")]).collect();
    let blanks = user(Value::Array(vec![text(" "); MANY]));
    let turns = Value::Array((0..MANY).map(|_| user("a".into())).collect());
    for request in [
        json!([one_id, answers]),
        json!([orphans, calls]),
        json!([assistant(searches)]),
        json!([assistant(unfitting)]),
        json!([assistant(mixed), user("b".into())]),
        json!([blanks]),
        turns,
    ] {
        let request = request_of(request);
        let start = Instant::now();
        told(&request, Host::Strict);
        // A quadratic rule would take minutes, even on a fast machine.
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}

fn request_of(value: Value) -> Request {
    Request::from_plain(Plain::from(value), 0).unwrap()
}
