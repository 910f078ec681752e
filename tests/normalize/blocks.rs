//! What becomes of single blocks on their way into a request.

use serde_json::{Value, json};
use turnproof_reference::message::Event;
use turnproof_reference::normalize::api::{Options, normalize_for_api};

/// The request for messages given as JSON text, as JSON text.
fn request(messages: &str) -> String {
    let events: Vec<Event> = serde_json::from_str(messages).unwrap_or_else(|error| panic!("{error}: {messages}"));
    serde_json::to_string(&normalize_for_api(&events, &Options::default())).unwrap()
}

/// The blocks of the reply in a request whose only reply has these blocks.
fn reply_of(blocks: Value) -> Value {
    let messages = json!([{"type": "assistant", "message": {"content": blocks}}]);
    let turns: Value = serde_json::from_str(&request(&messages.to_string())).unwrap();
    turns[1]["content"].clone()
}

/// A user's text, a call, its result, and a reply with everything else: with `@` where a lone
/// surrogate is to stand.
const WITH_PLACES: &[&str] = &[
    r#"{"type":"text","text":"@"}"#,
    r#"{"type":"text","text":"a","citations":["@"]}"#,
    r#"{"type":"text","text":"a","cache_control":{"ttl":"@"}}"#,
    r#"{"type":"text","text":"a","novelty":"@"}"#,
    r#"{"type":"text","text":"a","@":1}"#,
    r#"{"type":"tool_use","id":"t","name":"a","input":{"a":["@"]}}"#,
    r#"{"type":"tool_use","id":"t","name":"a","input":{"@":1}}"#,
    r#"{"type":"tool_use","id":"t","name":"a","input":{},"caller":"@"}"#,
    r#"{"type":"tool_use","id":"t","name":"a","input":{},"cache_control":"@"}"#,
    r#"{"type":"tool_use","id":"t","name":"a","input":{},"novelty":"@"}"#,
    r#"{"type":"tool_use","id":"@","name":"a","input":{}}"#,
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"@","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#,
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":"@"},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#,
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"@","title":"a","encrypted_content":"a"}]}"#,
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[],"caller":"@"}"#,
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[],"cache_control":"@"}"#,
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[],"novelty":"@"}"#,
    r#"{"type":"server_tool_use","id":"@","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"@","content":[]}"#,
    r#"{"type":"thinking","thinking":"@","signature":"s"},{"type":"text","text":"a"}"#,
    r#"{"type":"thinking","thinking":"a","signature":"@"},{"type":"text","text":"a"}"#,
    r#"{"type":"thinking","thinking":"a","signature":"s","novelty":"@"},{"type":"text","text":"a"}"#,
    r#"{"type":"redacted_thinking","data":"@"},{"type":"text","text":"a"}"#,
    r#"{"type":"redacted_thinking","data":"a","novelty":"@"},{"type":"text","text":"a"}"#,
    r#"{"type":"block_of_tomorrow","novelty":"@"}"#,
    r#"{"type":"block_of_@"}"#,
];

/// The same for what users say.
const OF_USERS: &[&str] = &[
    r#"{"type":"text","text":"@"}"#,
    r#"{"type":"image","source":{"type":"url","url":"@"}}"#,
    r#"{"type":"image","source":{"type":"url","url":"a"},"title":"@"}"#,
    r#"{"type":"image","source":{"type":"url","url":"a"},"context":"@"}"#,
    r#"{"type":"image","source":{"type":"url","url":"a"},"citations":{"a":"@"}}"#,
    r#"{"type":"image","source":{"type":"url","url":"a"},"cache_control":"@"}"#,
    r#"{"type":"document","source":{"type":"url","url":"a"},"novelty":"@"}"#,
    r#"{"type":"tool_result","tool_use_id":"c","content":"@"}"#,
    r#"{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"@"}]}"#,
    r#"{"type":"tool_result","tool_use_id":"c","cache_control":"@"}"#,
    r#"{"type":"tool_result","tool_use_id":"c","novelty":"@"}"#,
    r#"{"type":"search_result","title":"@"}"#,
];

#[test]
fn half_a_surrogate_pair_becomes_u_fffd_wherever_it_is() {
    let call = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"c","name":"a","input":{}}]}}"#;
    let replies =
        WITH_PLACES.iter().map(|blocks| format!(r#"[{{"type":"assistant","message":{{"content":[{blocks}]}}}}]"#));
    let prompts =
        OF_USERS.iter().map(|blocks| format!(r#"[{call},{{"type":"user","message":{{"content":[{blocks}]}}}}]"#));
    for messages in replies.chain(prompts) {
        let whole = request(&messages.replace('@', "half"));
        let repaired = request(&messages.replace('@', r"\ud83d"));
        assert!(!repaired.contains(r"\ud83d"), "{repaired}");
        // An id is replaced as a whole, everything else character by character.
        if !messages.contains(r#"id":"@""#) {
            assert_eq!(repaired, whole.replace("half", "\u{FFFD}"), "{messages}");
        }
    }
}

#[test]
fn an_unknown_block_beside_a_server_tool_stays_whatever_its_members() {
    let pair = [
        json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}),
        json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}),
    ];
    let unknown = json!({"type": "block_of_tomorrow", "id": "srvtoolu_9", "name": "a"});
    let blocks = json!([pair[0], unknown, pair[1]]);
    assert_eq!(reply_of(blocks.clone()), blocks);
}

#[test]
fn ids_of_tools_on_mcp_servers_are_replaced_in_call_and_result_alike() {
    let blocks = json!([
        {"type": "mcp_tool_use", "id": "mcp 1", "name": "ask", "server_name": "s", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "mcp 1", "content": []},
    ]);
    let reply = reply_of(blocks);
    let id = reply[0]["id"].as_str().unwrap();
    assert!(id.starts_with("mcptoolu_") && !id.contains(' '), "{id}");
    assert_eq!(reply[1]["tool_use_id"], id);
}

#[test]
fn calls_of_servers_without_an_input_get_an_empty_one_and_any_other_is_an_object() {
    for (call, result) in [("server_tool_use", "web_search_tool_result"), ("mcp_tool_use", "mcp_tool_result")] {
        let sent = |input: Option<Value>| {
            let mut call = json!({"type": call, "id": "srvtoolu_1", "name": "web_search"});
            if call["type"] == "mcp_tool_use" {
                call["server_name"] = "s".into();
            }
            if let Some(input) = input {
                call["input"] = input;
            }
            reply_of(json!([call, {"type": result, "tool_use_id": "srvtoolu_1", "content": []}]))[0]["input"].clone()
        };
        assert_eq!((sent(None), sent(Some(Value::Null))), (json!({}), json!({})), "{call}");
        assert_eq!(sent(Some(json!({"a": 1}))), json!({"a": 1}), "{call}");
        for input in [json!("a"), json!([])] {
            assert_eq!(sent(Some(input.clone())), json!({ "input": input }), "{call}");
        }
    }
}

#[test]
fn media_that_the_api_does_not_take_go_from_messages_and_from_results() {
    let base64 = |kind: &str, media_type: &str| json!({"type": kind, "source": {"type": "base64", "media_type": media_type, "data": ""}});
    let taken = [
        base64("image", "image/jpeg"),
        base64("image", "image/png"),
        base64("image", "image/gif"),
        base64("image", "image/webp"),
        base64("document", "application/pdf"),
        json!({"type": "image", "source": {"type": "url", "url": "https://a/b.svg"}}),
        json!({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a"}}),
    ];
    let refused = [
        base64("image", "image/svg+xml"),
        base64("image", "application/pdf"),
        base64("document", "image/png"),
        base64("document", "text/html"),
        json!({"type": "image", "source": {"type": "base64", "data": ""}}),
        json!({"type": "image"}),
        json!({"type": "document", "source": null}),
    ];
    let sent = |media: &Value| {
        let call = json!({"type": "assistant", "message": {"content": [
            {"type": "tool_use", "id": "c", "name": "a", "input": {}}]}});
        let answer = json!({"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "c", "content": [media, {"type": "text", "text": "a"}]}, media]}});
        let turns: Value = serde_json::from_str(&request(&json!([call, answer]).to_string())).unwrap();
        let content = &turns[2]["content"];
        (content[0]["content"].as_array().unwrap().len() - 1, content.as_array().unwrap().len() - 1)
    };
    for media in taken {
        assert_eq!(sent(&media), (1, 1), "{media}");
    }
    for media in refused {
        assert_eq!(sent(&media), (0, 0), "{media}");
    }
}

#[test]
fn media_that_were_refused_twice_go_too() {
    let media = |kind: &str, media_type: &str| json!({"type": kind, "source": {"type": "base64", "media_type": media_type, "data": ""}});
    let error = |words: &str| {
        json!({"type": "assistant", "isApiErrorMessage": true,
            "message": {"model": "<synthetic>", "content": [{"type": "text", "text": words}]}})
    };
    let carrier = json!({"type": "user", "isMeta": true, "message": {"content": [
        {"type": "text", "text": "see"}, media("image", "image/png"), media("document", "application/pdf")]}});
    let kept = |errors: &[&str]| {
        let messages = [carrier.clone()].into_iter().chain(errors.iter().map(|words| error(words)));
        let request = request(&Value::from_iter(messages).to_string());
        (request.contains("image/png"), request.contains("application/pdf"))
    };
    assert_eq!(kept(&[]), (true, true));
    assert_eq!(kept(&["image too large"]), (false, true));
    assert_eq!(kept(&["image too large", "image too large"]), (false, true));
    assert_eq!(kept(&["image too large", "image too large", "pdf too large"]), (false, false));
    assert_eq!(kept(&["pdf too large", "request too large", "pdf too large"]), (false, false));
}

#[test]
fn each_lone_surrogate_is_replaced_and_pairs_stay() {
    let fffd = char::REPLACEMENT_CHARACTER;
    // Each has a lone surrogate beside it, so that the block is repaired: what makes it no JSON would leave it as is.
    for (json, repaired) in [
        (r#""plain""#, r#""plain""#),
        (r#""\ud83d""#, "\"\u{FFFD}\""),
        (r#""a\udc00b\uD83Dc""#, "\"a\u{FFFD}b\u{FFFD}c\""),
        (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
        (r#""\ud83d\ud83d\ude00\ude00""#, "\"\u{FFFD}\\ud83d\\ude00\u{FFFD}\""),
        (r#""\\ud83d""#, r#""\\ud83d""#),
        (r#""\\\ud83d""#, "\"\\\\\u{FFFD}\""),
        (r#""\\\\ud83d \u0041\ud7ff\ue000""#, r#""\\\\ud83d \u0041\ud7ff\ue000""#),
        (r#"{"\udfff":["\udbff\u0041"]}"#, "{\"\u{FFFD}\":[\"\u{FFFD}\\u0041\"]}"),
        (r#""after another \u0041 escape \ud83d""#, "\"after another \\u0041 escape \u{FFFD}\""),
        (r#""\u0041\\\udc00\\""#, "\"\\u0041\\\\\u{FFFD}\\\\\""),
    ] {
        let call = format!(r#"{{"type":"tool_use","id":"c","name":"a","input":{{"a":{json},"b":"\ud83d"}}}}"#);
        let sent = request(&format!(r#"[{{"type":"assistant","message":{{"content":[{call}]}}}}]"#));
        assert!(sent.contains(&format!(r#""input":{{"a":{repaired},"b":"{fffd}"}}"#)), "{json}: {sent}");
    }
}

#[test]
fn white_space_of_three_languages_is_blank() {
    let sent = |text: &str| {
        let blocks = json!([{"type": "text", "text": text}, {"type": "text", "text": "more"}]);
        reply_of(blocks).as_array().unwrap().len() == 2
    };
    for text in ["", " \n\t\u{FEFF}\u{1C}\u{1F}\u{85}\u{A0}\u{2028}"] {
        assert!(!sent(text), "{text:?}");
    }
    for text in ["a", " a ", "\u{200B}", "\u{1B}", "\u{20}\u{21}"] {
        assert!(sent(text), "{text:?}");
    }
    let last = json!([{"type": "text", "text": " a \u{FEFF}\n"}]);
    assert_eq!(reply_of(last), json!([{"type": "text", "text": " a"}]));
}

/// The ids that are sent for calls with these ids, in one reply; each call has its result.
fn sent_ids(ids: &[&str]) -> Vec<String> {
    let call = |id: &&str| json!({"type": "tool_use", "id": id, "name": "a", "input": {}});
    let result = |id: &&str| json!({"type": "tool_result", "tool_use_id": id, "content": id});
    let messages = json!([
        {"type": "assistant", "message": {"content": ids.iter().map(call).collect::<Vec<_>>()}},
        {"type": "user", "message": {"content": ids.iter().map(result).collect::<Vec<_>>()}},
    ]);
    let turns: Value = serde_json::from_str(&request(&messages.to_string())).unwrap();
    let named = |turn: usize, name: &str| -> Vec<String> {
        let blocks = turns[turn]["content"].as_array().unwrap();
        blocks.iter().map(|block| block[name].as_str().unwrap().to_owned()).collect()
    };
    let sent = named(1, "id");
    assert_eq!(named(2, "tool_use_id"), sent);
    assert_eq!(named(2, "content"), ids);
    sent
}

fn is_legal(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

#[test]
fn the_forms_of_ids_are_those_of_the_api() {
    for id in ["toolu_1", "a-B_9", "-"] {
        assert_eq!(sent_ids(&[id]), [id]);
    }
    for id in ["", "a b", "Bash:12", "ü", "a.b"] {
        let sent = &sent_ids(&[id])[0];
        assert!(sent != id && sent.starts_with("toolu_") && is_legal(sent), "{id}: {sent}");
    }
    let on_server = |id: &str| {
        let blocks = json!([
            {"type": "server_tool_use", "id": id, "name": "web_search", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": id, "content": []},
        ]);
        let reply = reply_of(blocks);
        assert_eq!(reply[0]["id"], reply[1]["tool_use_id"]);
        reply[0]["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(on_server("srvtoolu_aZ_09"), "srvtoolu_aZ_09");
    for id in ["", "srvtoolu_", "srvtoolu_a-b", "toolu_1", "xsrvtoolu_1"] {
        let sent = on_server(id);
        let rest = sent.strip_prefix("srvtoolu_").unwrap_or_default();
        assert!(sent != id && is_legal(rest) && !rest.contains('-'), "{id}: {sent}");
    }
}

#[test]
fn a_made_id_is_never_one_in_use() {
    let made = sent_ids(&["a b"]).remove(0);
    assert!(made.starts_with("toolu_") && is_legal(&made));
    // The made id comes as a call's own: it is taken.
    let sent = sent_ids(&["a b", &made]);
    assert!(sent[0] == made && sent[1] != made && is_legal(&sent[1]), "{sent:?}");
    assert_eq!(sent_ids(&[&made, "a b", "a-c"]), [made.as_str(), &format!("{made}_2"), "a-c"]);
}

/// What a user sends of these blocks, after a call with the id `c`.
fn said(blocks: Value) -> Value {
    let call = json!({"type": "tool_use", "id": "c", "name": "a", "input": {}});
    let messages = json!([{"type": "assistant", "message": {"content": [call]}},
        {"type": "user", "message": {"content": blocks}}]);
    let turns: Value = serde_json::from_str(&request(&messages.to_string())).unwrap();
    turns[2]["content"].clone()
}

#[test]
fn members_that_a_type_does_not_have_go_at_any_depth() {
    let image = json!({"type": "base64", "media_type": "image/png", "data": "a"});
    let sent = said(json!([
        {"type": "tool_result", "tool_use_id": "c", "text": "a", "caller": {"type": "direct"}, "is_error": null,
            "content": [{"type": "text", "text": "a", "id": 1}, {"type": "image", "source": image, "alt": "b"}]},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "a", "width": 1}},
        {"type": "search_result", "source": "a", "title": "b", "content": [{"type": "text", "text": "c", "x": 0}, {}]},
        {"type": "block_of_tomorrow", "novelty": {"x": 0}},
    ]));
    assert_eq!(
        sent,
        json!([
            {"type": "tool_result", "tool_use_id": "c",
                "content": [{"type": "text", "text": "a"}, {"type": "image", "source": image}]},
            {"type": "image", "source": image},
            {"type": "search_result", "source": "a", "title": "b", "content": [{"type": "text", "text": "c"}]},
            {"type": "block_of_tomorrow", "novelty": {"x": 0}},
        ])
    );
    let call = json!({"type": "tool_use", "id": "t", "name": "a", "input": {"x": 0}, "text": ""});
    assert_eq!(reply_of(json!([call])), json!([{"type": "tool_use", "id": "t", "name": "a", "input": {"x": 0}}]));
}

#[test]
fn half_written_blocks_go_and_sources_that_nobody_knows_stay() {
    let unknown = json!({"type": "image", "source": {"type": "bucket", "uri": "s3://a"}});
    let sent = said(json!([
        {"type": "image", "source": {}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png"}},
        {"type": "document", "source": {"type": "url", "url": 7}},
        {"type": "container_upload"},
        unknown,
    ]));
    assert_eq!(sent.as_array().unwrap()[1..], [unknown]);
}

#[test]
fn content_of_results_that_is_neither_text_nor_a_list_becomes_its_json_text() {
    for (content, text) in
        [(r#"{"b":1, "a":"\u00e9"}"#, r#"{"b":1, "a":"\u00e9"}"#), ("7.50", "7.50"), ("true", "true")]
    {
        let call = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"c","name":"a","input":{}}]}}"#;
        let result = format!(r#"{{"type":"tool_result","tool_use_id":"c","content":{content}}}"#);
        let messages = format!(r#"[{call},{{"type":"user","message":{{"content":[{result}]}}}}]"#);
        let turns: Value = serde_json::from_str(&request(&messages)).unwrap();
        assert_eq!(turns[2]["content"][0]["content"], text);
    }
}

#[test]
fn names_that_the_api_refuses_are_put_right() {
    for (name, sent) in [("a b.c", "a_b_c"), ("tøøl", "t__l"), (&*"a".repeat(200), &*"a".repeat(128))] {
        let call = json!({"type": "tool_use", "id": "t", "name": name, "input": {}});
        assert_eq!(reply_of(json!([call]))[0]["name"], sent);
    }
}
