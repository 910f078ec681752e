//! Requests that are illegal by *sizes*, by the caller or by the model.

use serde_json::{Value, json};
use turnproof_rules::operation::Host;
use turnproof_rules::rules::find;

use super::illegal::{ALL, ANTHROPIC, Case, NOT_ANTHROPIC, case, problems};
use super::{
    assistant, base64, body, call, image, image_of, judge, reported, request, result, result_of, text, tool, turns,
    user,
};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = media();
    cases.extend(caches());
    cases.extend(endings());
    cases.extend(unknown());
    cases.extend(documents());
    cases
}

fn documents() -> Vec<Case> {
    const READABLE: &str = "api/readable-documents";
    let pdf = |data: &str| {
        let source = json!({"type": "base64", "media_type": "application/pdf", "data": data});
        turns(json!([[text("a"), {"type": "document", "source": source}]]))
    };
    let invalid = "messages.0.content.1.document.source.base64.data: The PDF specified was not valid.";
    let locked = "messages.0.content.1.document.source.base64.data: The PDF specified is password protected.";
    vec![
        case("a PDF that is no base64", pdf("*"), &[(ALL, READABLE, invalid)]),
        case("a PDF without a byte", pdf(""), &[(ALL, READABLE, invalid)]),
        case("a PDF that is a text", pdf(&base64(b"hello")), &[(ALL, READABLE, invalid)]),
        case("a PDF without its end", pdf(&base64(b"%PDF-1.4 ")), &[(ALL, READABLE, invalid)]),
        case(
            "a PDF with a password",
            pdf(&base64(b"%PDF-1.4 trailer << /Encrypt 5 0 R >> %%EOF")),
            &[(ALL, READABLE, locked)],
        ),
        case(
            "a document alone",
            turns(json!([[{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a"}}]])),
            &[(
                &[Host::Portable, Host::BedrockConverse],
                "api/document-with-text",
                "A text block must be included when using documents. Add a text block and retry your request.",
            )],
        ),
        case(
            "a reference to a tool that is not there",
            body(json!({
                "messages": [
                    user("a".into()),
                    assistant(json!([call("a")])),
                    user(json!([result_of("a", json!([{"type": "tool_reference", "tool_name": "Gone"}]))])),
                ],
            })),
            &[(
                ALL,
                "api/tool-references",
                "messages.2.content.0.tool_result.content.0: Tool reference 'Gone' not found in available tools",
            )],
        ),
    ]
}

fn media() -> Vec<Case> {
    const MEDIA: &str = "api/media-limits";
    let one = |image: Value| turns(json!([[text("a"), image]]));
    let wide = "messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: \
                8000 pixels";
    let in_result = "messages.2.content.0.tool_result.content.0.image.source.base64.data: At least one of the image \
                     dimensions exceed max allowed size for many-image requests: 2000 pixels";
    let many = || {
        let images = Value::Array(vec![image(10, 10); 20]);
        turns(json!([images, [call("a")], [result_of("a", json!([image(1, 2001)]))]]))
    };
    vec![
        case("an image that is too wide", one(image(8001, 1)), &[(ALL, MEDIA, wide)]),
        case("the 21st image, in a result", many(), &[(ALL, MEDIA, in_result)]),
        case(
            "an image that is not what it says",
            one({
                let mut block = image(1, 1);
                block["source"]["media_type"] = "image/jpeg".into();
                block
            }),
            &[(
                ALL,
                MEDIA,
                "messages.0.content.1.image.source.base64.data: The image was specified using the image/jpeg media type, \
                 but the image appears to be a image/png image",
            )],
        ),
        case("data that is no image", one(image_of("image/png", "AAAA")), &[(ALL, MEDIA, "Could not process image")]),
        case("data that is no base64", one(image_of("image/png", "*")), &[(ALL, MEDIA, "Could not process image")]),
    ]
}

fn caches() -> Vec<Case> {
    const CACHE: &str = "api/cache-breakpoints";
    let kept = |ttl: &str| json!({"type": "text", "text": "a", "cache_control": {"type": "ephemeral", "ttl": ttl}});
    let short = || kept("5m");
    let many = "A maximum of 4 blocks with cache_control may be provided. Found 5.";
    vec![
        case(
            "five, over tools, system, messages and a result",
            body(json!({
                "tools": [{"name": "Bash", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}],
                "system": [short()],
                "messages": [
                    user(json!([short()])),
                    assistant(json!([call("a")])),
                    user(json!([result_of("a", json!([short()])), short()])),
                ],
            })),
            &[(ALL, CACHE, many)],
        ),
        case(
            "four, and one of the whole body",
            body(
                json!({"cache_control": {"type": "ephemeral"}, "messages": [user(json!([short(), short(), short(), short()]))]}),
            ),
            &[(NOT_ANTHROPIC, CACHE, "cache_control: Extra inputs are not permitted"), (ALL, CACHE, many)],
        ),
        case(
            "an hour behind five minutes of the system",
            body(json!({"system": [short()], "messages": [user(json!([text("a"), kept("1h")]))]})),
            &[(
                ALL,
                CACHE,
                "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' \
                 cache_control block.",
            )],
        ),
        case(
            "on an empty text of the system",
            body(
                json!({"system": [{"type": "text", "text": "", "cache_control": {"type": "ephemeral"}}], "messages": [user("a".into())]}),
            ),
            &[
                (ALL, CACHE, "system.0: cache_control cannot be set for empty text blocks"),
                (ALL, "body/system", "system: text content blocks must be non-empty"),
            ],
        ),
    ]
}

fn endings() -> Vec<Case> {
    let looping = |head: Value| {
        body(json!({
            "thinking": {"type": "enabled", "budget_tokens": 1024},
            "messages": [user("a".into()), assistant(json!([head, call("a")])), user(json!([result("a"), text("b")]))],
        }))
    };
    vec![
        case(
            "a prefill beside tools",
            body(json!({"tools": [tool("Bash")], "messages": [user("a".into()), assistant("{".into())]})),
            &[(
                &[Host::Portable, Host::BedrockConverse],
                "api/ends-with-user",
                "The model returned the following errors: Your API request included an `assistant` message in the final \
                 position, which would pre-fill the `assistant` response. When using tools, pre-filling the `assistant` \
                 response is not supported.",
            )],
        ),
        case(
            "a prefill of a new model",
            body(
                json!({"model": "us.anthropic.claude-opus-4-6-v1:0", "messages": [user("a".into()), assistant("{".into())]}),
            ),
            &[(
                ALL,
                "api/ends-with-user",
                "This model does not support assistant message prefill. The conversation must end with a user message.",
            )],
        ),
        case(
            "thinking was turned on in the middle of a loop",
            looping(text("b")),
            &[(
                ALL,
                "thinking/leads-tool-use",
                "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` \
                 is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of \
                 `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To \
                 avoid this requirement, disable `thinking`.",
            )],
        ),
    ]
}

fn unknown() -> Vec<Case> {
    const KNOWN: &str = "api/known-blocks";
    let one = |image: Value| turns(json!([[text("a"), image]]));
    vec![
        case(
            "an image by link",
            one(json!({"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}})),
            &[(
                NOT_ANTHROPIC,
                KNOWN,
                "messages.0.content.1.image.source: Input tag 'url' found using 'type' does not match any of the expected \
                 tags: 'base64'",
            )],
        ),
        case(
            "a part of a type that results do not have",
            turns(json!(["a", [call("a")], [result_of("a", json!([{"type": "image_url"}]))]])),
            &[(
                ALL,
                KNOWN,
                "messages.2.content.0.tool_result.content.0: Input tag 'image_url' found using 'type' does not match any of \
                 the expected tags: 'text', 'image', 'search_result', 'document', 'tool_reference', 'browser_state'",
            )],
        ),
        case(
            "a server tool that nobody knows",
            turns(json!(["a", [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "dance", "input": {}},
                    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}], "b"])),
            &[(
                ALL,
                KNOWN,
                "messages.1.content.0.server_tool_use.name: Input should be 'web_search', 'web_fetch', 'code_execution', \
                 'bash_code_execution', 'text_editor_code_execution', 'tool_search_tool_regex', 'tool_search_tool_bm25' \
                 or 'advisor'",
            )],
        ),
    ]
}

#[test]
fn requests_illegal_by_size_break_exactly_their_rules_with_the_words_of_the_api() {
    let problems = problems(&cases());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn an_image_may_take_as_many_bytes_as_the_host_says() {
    let long = |bytes: usize| {
        let image = image(1, 1);
        let data = image["source"]["data"].as_str().unwrap().trim_end_matches('=');
        let data = format!("{data}{}", "A".repeat(bytes - data.len()));
        request(turns(json!([[image_of("image/png", &data)]])))
    };
    let reported_for = |bytes, host| {
        let reported = reported(&long(bytes), host);
        assert!(reported.len() <= 1, "{reported:?}");
        reported.into_iter().next().map(|(_, error)| error.unwrap())
    };
    for host in [Host::Portable, Host::BedrockConverse, Host::Vertex] {
        assert_eq!(reported_for(5_242_880, host), None);
        let error =
            "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6096280 bytes > 5242880 bytes";
        assert_eq!(reported_for(6_096_280, host).as_deref(), Some(error));
    }
    assert_eq!(reported_for(10_485_760, Host::Anthropic), None);
    let error =
        "messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485764 bytes > 10485760 bytes";
    assert_eq!(reported_for(10_485_764, ANTHROPIC[0]).as_deref(), Some(error));
}

#[test]
fn the_size_of_an_image_is_found_behind_a_long_head() {
    let segment = |kind: u8, body: &[u8]| [&[0xFF, kind], &(body.len() as u16 + 2).to_be_bytes()[..], body].concat();
    let mut jpeg = vec![0xFF, 0xD8];
    for _ in 0..4 {
        jpeg.extend(segment(0xE1, &[0; 60_000]));
    }
    jpeg.extend(segment(0xC0, &[8, 0, 1, 0x23, 0x28, 1, 1, 0x11, 0]));
    jpeg.extend(vec![0; 2_000_000]);
    let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, jpeg);
    let reported = reported(&request(turns(json!([[image_of("image/jpeg", &data)]]))), Host::Portable);
    let error = "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: \
                 8000 pixels";
    assert_eq!(reported, [("api/media-limits", Some(error.to_owned()))]);
}

#[test]
fn a_reference_to_a_missing_tool_is_reported_where_tools_are_listed() {
    let reference = json!({"type": "tool_reference", "tool_name": "Read"});
    let messages = turns(json!(["a", [call("a")], [result_of("a", json!([reference]))]]));
    let listed = request(body(json!({"tools": [tool("Write")], "messages": messages.clone()})));
    let error = "messages.2.content.0.tool_result.content.0: Tool reference 'Read' not found in available tools";
    assert_eq!(reported(&listed, Host::Portable), [("api/tool-references", Some(error.to_owned()))]);
    assert_eq!(reported(&request(messages), Host::Portable), []);
}

#[test]
fn a_models_version_is_read_from_its_name() {
    let rule = find("api/ends-with-user").unwrap();
    // A prefill is refused from version 4.6 on.
    for (model, is_refused) in [
        ("claude-3-5-sonnet-20241022", false),
        ("claude-3-7-sonnet-20250219", false),
        ("claude-opus-4-20250514", false),
        ("claude-4-opus-20250514", false),
        ("claude-opus-4-5", false),
        ("claude-sonnet-4-5@20250929", false),
        ("claude-4-opus-7", false),
        ("us.anthropic.claude-opus-4-6-v1:0", true),
        ("claude-opus-4.6", true),
        ("claude-sonnet-4-6@20260101", true),
        ("claude-4-6-opus", true),
        ("claude-opus-4-10", true),
        ("claude-opus-5", true),
        ("claude-opus-5-20270101", true),
        ("claude-10-1", true),
        ("claude-2.1", false),
        ("claude-2.7", false),
        ("claude-instant-v1", false),
        ("claude-instant-v9", false),
        ("gpt-4", false),
        ("gpt-5", false),
        ("", false),
    ] {
        let prefill = json!({"model": model, "messages": [user("a".into()), assistant("{".into())]});
        assert_eq!(!judge(rule, &request(prefill), Host::Anthropic).is_empty(), is_refused, "{model}");
    }
}
