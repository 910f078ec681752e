//! Requests that break the table of *shapes*: members too many, missing, of a wrong type, of an unknown sort, at any
//! depth.

use serde_json::{Value, json};
use turnproof_rules::operation::Host;
use turnproof_rules::rules::find;

use super::illegal::{ALL, Case, case};
use super::{blocks, body, broken, call, judge, reported, request, result, result_of, search, text, tool, turns, user};

const REQUIRED: &str = "api/required-fields";
const MEMBERS: &str = "api/known-members";
const PORTABLE_AND_ANTHROPIC: &[Host] = &[Host::Portable, Host::Anthropic];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = lacking();
    cases.extend(extra());
    cases.extend(bodies());
    cases
}

fn answered(result: Value) -> Value {
    turns(json!(["a", [call("a")], [result]]))
}

fn one(block: Value) -> Value {
    turns(json!([[text("a"), block]]))
}

fn lacking() -> Vec<Case> {
    let shape = |name, request, error| case(name, request, &[(ALL, REQUIRED, error)]);
    let image = |source: Value| one(json!({"type": "image", "source": source}));
    let server = |result: Value| turns(json!(["a", [search("srvtoolu_1"), result], "b"]));
    vec![
        shape(
            "a result whose content is an object",
            answered(result_of("a", json!({"text": "b"}))),
            "messages.2.content.0.tool_result.content: Input should be a valid list",
        ),
        shape(
            "a part that is a string",
            answered(result_of("a", json!(["b"]))),
            "messages.2.content.0.tool_result.content.0: Input should be an object",
        ),
        shape(
            "a part without type",
            answered(result_of("a", json!([{"text": "b"}]))),
            "messages.2.content.0.tool_result.content.0.type: Field required",
        ),
        shape(
            "an image in a result, without source",
            answered(result_of("a", json!([{"type": "image"}]))),
            "messages.2.content.0.tool_result.content.0.image.source: Field required",
        ),
        shape(
            "a source that is a string",
            turns(json!([[text("a"), {"type": "document", "source": "a"}]])),
            "messages.0.content.1.document.source: Input should be an object",
        ),
        shape(
            "a server's result without content",
            turns(json!(["a", [search("srvtoolu_1"), {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1"}],
                    "b"])),
            "messages.1.content.1.web_search_tool_result.content: Field required",
        ),
        shape(
            "an error that is a text",
            answered(json!({"type": "tool_result", "tool_use_id": "a", "is_error": "no"})),
            "messages.2.content.0.tool_result.is_error: Input should be a valid boolean",
        ),
        shape("a source that has nothing", image(json!({})), "messages.0.content.1.image.source.type: Field required"),
        shape(
            "a source without data",
            image(json!({"type": "base64", "media_type": "image/png"})),
            "messages.0.content.1.image.source.base64.data: Field required",
        ),
        shape(
            "a source without media_type",
            image(json!({"type": "base64", "data": "AAAA"})),
            "messages.0.content.1.image.source.base64.media_type: Field required",
        ),
        shape(
            "a format that nobody takes",
            image(json!({"type": "base64", "media_type": "image/bmp", "data": "Qk0="})),
            "messages.0.content.1.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', \
             'image/gif' or 'image/webp'",
        ),
        shape(
            "a document by an address that is no text",
            one(json!({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": 1}})),
            "messages.0.content.1.document.source.text.data: Input should be a valid string",
        ),
        shape(
            "an input of a server's call that is no object",
            turns(json!(["a", [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": "q"},
                {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}], "b"])),
            "messages.1.content.0.server_tool_use.input: Input should be an object",
        ),
        shape(
            "half of a search's result",
            server(json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1",
                "content": [{"type": "web_search_result", "url": "a", "title": "b"}]})),
            "messages.1.content.1.web_search_tool_result.content.0.web_search_result.encrypted_content: Field required",
        ),
        shape(
            "a number that is no whole one",
            one(json!({"type": "text", "text": "a", "citations": [{"type": "page_location", "cited_text": "a",
                "document_index": 0.5, "document_title": null, "start_page_number": 1, "end_page_number": 2}]})),
            "messages.0.content.1.text.citations.0.page_location.document_index: Input should be a valid integer",
        ),
        shape(
            "a name that no tool may have",
            turns(json!(["a", [{"type": "tool_use", "id": "a", "name": "a.b", "input": {}}], [result("a")]])),
            "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
        ),
        shape(
            "a name that is too long",
            turns(json!(["a", [{"type": "tool_use", "id": "a", "name": "a".repeat(129), "input": {}}], [result("a")]])),
            "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
        ),
    ]
}

fn extra() -> Vec<Case> {
    let shape = |name, request, error| case(name, request, &[(ALL, MEMBERS, error)]);
    vec![
        case(
            "the response object as a turn",
            json!([user("a".into()), {"role": "assistant", "content": [text("b")], "id": "msg_1", "model": "m",
                "stop_reason": null, "usage": {}}, user("c".into())]),
            &[
                (ALL, MEMBERS, "messages.1.id: Extra inputs are not permitted"),
                (ALL, MEMBERS, "messages.1.model: Extra inputs are not permitted"),
                (ALL, MEMBERS, "messages.1.stop_reason: Extra inputs are not permitted"),
                (ALL, MEMBERS, "messages.1.usage: Extra inputs are not permitted"),
            ],
        ),
        shape(
            "a text on a call",
            turns(
                json!(["a", [{"type": "tool_use", "id": "a", "name": "Bash", "input": {}, "text": ""}], [result("a")]]),
            ),
            "messages.1.content.0.tool_use.text: Extra inputs are not permitted",
        ),
        shape(
            "a caller on a result",
            answered(json!({"type": "tool_result", "tool_use_id": "a", "caller": {"type": "direct"}})),
            "messages.2.content.0.tool_result.caller: Extra inputs are not permitted",
        ),
        shape(
            "a member of a part",
            answered(result_of(
                "a",
                json!([{"type": "search_result", "source": "a", "title": "b", "content": [], "name": "c"}]),
            )),
            "messages.2.content.0.tool_result.content.0.search_result.name: Extra inputs are not permitted",
        ),
        shape(
            "cache_control on thinking",
            turns(json!(["a", [
                {"type": "thinking", "thinking": "b", "signature": "c", "cache_control": {"type": "ephemeral"}},
                text("d")], "e"])),
            "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
        ),
        case(
            "a member of the client's own in a source",
            one(json!({"type": "document", "source": {"type": "content", "content": "a", "filePath": "b"}})),
            &[(
                ALL,
                "api/no-internal-fields",
                "messages.0.content.1.document.source.content.filePath: Extra inputs are not permitted",
            )],
        ),
    ]
}

fn bodies() -> Vec<Case> {
    let messages = json!([user("a".into())]);
    vec![
        case(
            "a body without a model",
            json!({"max_tokens": 1, "messages": messages}),
            &[(PORTABLE_AND_ANTHROPIC, REQUIRED, "model: Field required")],
        ),
        case(
            "a body without max_tokens",
            json!({"model": "claude-sonnet-4-5", "messages": messages}),
            &[(ALL, REQUIRED, "max_tokens: Field required")],
        ),
        case(
            "a body with no tokens",
            body(json!({"max_tokens": 0, "messages": messages})),
            &[(ALL, REQUIRED, "max_tokens: Input should be greater than or equal to 1")],
        ),
        case(
            "a tool with a space in its name",
            body(json!({"tools": [tool("Bash"), tool("a b")], "messages": messages})),
            &[(ALL, REQUIRED, "tools.1.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'")],
        ),
    ]
}

/// Each object inside of a value that has a shape, by the path to it: inputs and definitions are anybody's.
pub(super) fn objects(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.push(path.to_owned());
            for (name, member) in members.iter().filter(|(name, _)| !is_open(name)) {
                objects(member, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                objects(element, &format!("{path}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// Whether a member of this name may hold anything.
pub(super) fn is_open(name: &str) -> bool {
    matches!(name, "input" | "definition" | "input_schema" | "trigger")
}

#[test]
fn a_member_too_many_is_found_wherever_it_is() {
    let mut count = 0;
    for (name, whole) in blocks::requests() {
        let mut places = Vec::new();
        objects(&whole, "", &mut places);
        for place in places {
            let mut changed = whole.clone();
            changed.pointer_mut(&place).unwrap()["novelty"] = json!(null);
            assert_eq!(broken(&request(changed), Host::Anthropic), [MEMBERS].into(), "{name}: {place}");
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn hosts_without_files_and_connectors_do_not_know_their_blocks() {
    let upload = request(turns(json!([[{"type": "container_upload", "file_id": "f"}]])));
    for host in [Host::Portable, Host::BedrockConverse, Host::Vertex] {
        assert_eq!(broken(&upload, host), ["api/known-blocks"].into(), "{}", host.name());
    }
    assert_eq!(reported(&upload, Host::Anthropic), []);
}

#[test]
fn what_the_table_does_not_know_is_not_looked_into() {
    let strange = request(turns(json!([[{"type": "block_of_tomorrow", "novelty": {"a": 1}}]])));
    assert_eq!(broken(&strange, Host::Anthropic), ["api/known-blocks"].into());
    assert_eq!(judge(find(MEMBERS).unwrap(), &strange, Host::Anthropic), []);
}
