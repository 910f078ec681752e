//! *Illegal* requests: each breaks exactly the rules that it should, with the API's own words.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnproof_rules::operation::{Host, Plain, Request};

use super::{assistant, body, call, found, own_rules, reported, request, result, result_of, system, text, turns, user};

pub(super) const ALL: &[Host] = &Host::ALL;
pub(super) const NOT_CONVERSE: &[Host] = &[Host::Portable, Host::Anthropic, Host::BedrockInvoke, Host::Vertex];
pub(super) const NOT_ANTHROPIC: &[Host] = &[Host::Portable, Host::BedrockConverse, Host::BedrockInvoke, Host::Vertex];
/// Those that take no turn of the system.
pub(super) const NO_SYSTEM_TURNS: &[Host] = &[Host::Portable, Host::BedrockConverse, Host::Vertex];
/// Those that take one.
pub(super) const SYSTEM_TURNS: &[Host] = &[Host::Anthropic, Host::BedrockInvoke];
pub(super) const PORTABLE: &[Host] = &[Host::Portable];
pub(super) const ANTHROPIC: &[Host] = &[Host::Anthropic];
pub(super) const INVOKE: &[Host] = &[Host::BedrockInvoke];
pub(super) const NOT_INVOKE: &[Host] = &[Host::Portable, Host::Anthropic, Host::BedrockConverse, Host::Vertex];
pub(super) const CONVERSE: &[Host] = &[Host::BedrockConverse];

/// A request, and what each profile says of it, in the order of the catalogue.
pub(super) struct Case {
    pub name: &'static str,
    pub request: Value,
    expected: Vec<(&'static [Host], &'static str, &'static str)>,
}

pub(super) fn case(
    name: &'static str,
    request: Value,
    expected: &[(&'static [Host], &'static str, &'static str)],
) -> Case {
    Case { name, request, expected: expected.to_vec() }
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = structure();
    cases.extend(texts());
    cases.extend(fields());
    cases.extend(super::illegal_tools::cases());
    cases.extend(systems());
    cases.extend(super::shapes::cases());
    cases.extend(body::cases());
    cases
}

const EMPTY: &str = "messages: text content blocks must be non-empty";
const BLANK: &str = "messages: text content blocks must contain non-whitespace text";
const TRAILING: &str = "messages: final assistant content cannot end with trailing whitespace";
const NO_SYSTEM: &str = "role 'system' is not supported on this model";

fn structure() -> Vec<Case> {
    const FIRST: &str = "api/first-user";
    const TURNS: &str = "api/alternation";
    const CONTENT: &str = "api/non-empty-content";
    const NON_EMPTY_1: &str =
        "messages.1: all messages must have non-empty content except for the optional final assistant message";
    const CONVERSE_1: &str = "The content field in the Message object at messages.1 is empty.";
    vec![
        case(
            "a body without turns",
            body(json!({"messages": []})),
            &[(ALL, FIRST, "messages: at least one message is required")],
        ),
        case("no turns", json!([]), &[(ALL, FIRST, "messages: at least one message is required")]),
        case(
            "the assistant first",
            json!([assistant("a".into()), user("b".into())]),
            &[(PORTABLE, FIRST, "messages: first message must use the \"user\" role")],
        ),
        case(
            "a run of the assistant",
            json!([user("a".into()), assistant("b".into()), assistant("c".into())]),
            &[(
                PORTABLE,
                TURNS,
                "messages: roles must alternate between \"user\" and \"assistant\", but found multiple \"assistant\" roles \
                 in a row",
            )],
        ),
        case(
            "a user's turn without content",
            turns(json!([[]])),
            &[
                (NOT_CONVERSE, CONTENT, "messages.0: user messages must have non-empty content"),
                (CONVERSE, CONTENT, "The content field in the Message object at messages.0 is empty."),
            ],
        ),
        case(
            "a reply without content in the middle",
            turns(json!(["a", [], "b"])),
            &[(NOT_CONVERSE, CONTENT, NON_EMPTY_1), (CONVERSE, CONTENT, CONVERSE_1)],
        ),
        case(
            "a reply without content at the end",
            turns(json!(["a", []])),
            &[(&[Host::Portable, Host::BedrockConverse], CONTENT, CONVERSE_1)],
        ),
    ]
}

fn texts() -> Vec<Case> {
    const NO_EMPTY: &str = "api/no-empty-text";
    const NO_BLANK: &str = "api/no-blank-text";
    let nested = |part: Value| {
        turns(json!(["a", [call("a"), call("b")], [result("a"), result_of("b", json!([text("x"), part]))]]))
    };
    let converse_0 = "The text field in the ContentBlock object at messages.0.content.0 is blank. Add text to the text \
                      field, and try again.";
    vec![
        case(
            "an empty text beside a call",
            turns(json!(["a", [text(""), call("a")], [result("a")]])),
            &[
                (NOT_CONVERSE, NO_EMPTY, EMPTY),
                (
                    CONVERSE,
                    NO_EMPTY,
                    "The text field in the ContentBlock object at messages.1.content.0 is blank. Add text to the text \
                     field, and try again.",
                ),
            ],
        ),
        case("an empty text in a result", nested(text("")), &[(NOT_CONVERSE, NO_EMPTY, EMPTY)]),
        case(
            "content that is an empty string",
            turns(json!([""])),
            &[
                (
                    NOT_CONVERSE,
                    NO_EMPTY,
                    "messages.0: all messages must have non-empty content except for the optional final assistant message",
                ),
                (CONVERSE, NO_EMPTY, converse_0),
            ],
        ),
        case(
            "line ends beside a call",
            turns(json!(["a", [text("\n\n"), call("a")], [result("a")]])),
            &[(PORTABLE, NO_BLANK, BLANK)],
        ),
        case(
            "what only JavaScript takes for white space",
            turns(json!(["\u{FEFF}"])),
            &[(NOT_CONVERSE, NO_BLANK, BLANK), (CONVERSE, NO_BLANK, converse_0)],
        ),
        case(
            "what only Python takes for white space, in a result",
            nested(text("\u{1C}\u{1F}")),
            &[(PORTABLE, NO_BLANK, BLANK)],
        ),
        case(
            "a reply that ends in a space",
            turns(json!(["a", [text("b "), text("c\u{A0}")]])),
            &[(ALL, "api/no-trailing-space", TRAILING)],
        ),
        case("the same as a string", turns(json!(["a", "b\n"])), &[(ALL, "api/no-trailing-space", TRAILING)]),
    ]
}

fn fields() -> Vec<Case> {
    const REQUIRED: &str = "api/required-fields";
    const INTERNAL: &str = "api/no-internal-fields";
    const ROLES: &str = "api/blocks-by-role";
    let with = |block: Value| turns(json!([[text("a"), block]]));
    let replied = |block: Value| turns(json!(["a", [block, text("b")], "c"]));
    let required = |name, request, error| case(name, request, &[(ALL, REQUIRED, error)]);
    vec![
        required(
            "a turn that is a number",
            json!([user("a".into()), 7]),
            "messages.1: Input does not match the expected shape.",
        ),
        required("no role", json!([user("a".into()), {"content": "b"}]), "messages.1.role: Field required"),
        required(
            "another role",
            json!([{"role": "tool", "content": "b"}]),
            "messages.0.role: Input should be 'user' or 'assistant'",
        ),
        required("no content", json!([{"role": "user"}]), "messages.0.content: Field required"),
        required("content that is null", turns(json!([null])), "messages.0.content: Input should be a valid list"),
        case(
            "content that is an object",
            turns(json!([{}])),
            &[
                (NOT_INVOKE, "api/required-fields", "messages.0.content: Input should be a valid list"),
                (
                    INVOKE,
                    "api/required-fields",
                    "Malformed input request: #: subject must not be valid against schema {\"required\":[\"messages\"]}\
                     #/messages/0/content: expected type: String, found: JSONObject#/messages/0/content: expected type: \
                     JSONArray, found: JSONObject, please reformat your input and try again.",
                ),
            ],
        ),
        required("a block that is a string", with(json!("b")), "messages.0.content.1: Input should be an object"),
        required("a block without type", with(json!({"text": "b"})), "messages.0.content.1.type: Field required"),
        required(
            "a type that is a number",
            with(json!({"type": 1})),
            "messages.0.content.1.type: Input should be a valid string",
        ),
        required("text without text", with(json!({"type": "text"})), "messages.0.content.1.text.text: Field required"),
        required(
            "text that is null",
            with(json!({"type": "text", "text": null})),
            "messages.0.content.1.text.text: Input should be a valid string",
        ),
        required(
            "an image without source",
            with(json!({"type": "image"})),
            "messages.0.content.1.image.source: Field required",
        ),
        required(
            "a result without id",
            with(json!({"type": "tool_result"})),
            "messages.0.content.1.tool_result.tool_use_id: Field required",
        ),
        required(
            "thinking without its text",
            replied(json!({"type": "thinking", "signature": "s"})),
            "messages.1.content.0.thinking.thinking: Field required",
        ),
        required(
            "a call without id",
            replied(json!({"type": "tool_use", "name": "Bash", "input": {}})),
            "messages.1.content.0.tool_use.id: Field required",
        ),
        required(
            "a call without input",
            turns(json!(["a", [{"type": "tool_use", "id": "a", "name": "Bash"}], [result("a")]])),
            "messages.1.content.0.tool_use.input: Field required",
        ),
        required(
            "a call with an empty name",
            turns(json!(["a", [{"type": "tool_use", "id": "a", "name": "", "input": {}}], [result("a")]])),
            "messages.1.content.0.tool_use.name: String should have at least 1 character",
        ),
        required(
            "a text without text in a result",
            turns(json!(["a", [call("a")], [result_of("a", json!([{"type": "text"}]))]])),
            "messages.2.content.0.tool_result.content.0.text.text: Field required",
        ),
        case(
            "members of a transcript",
            json!([{"role": "user", "content": [{"type": "text", "text": "a", "_cache": 1}], "uuid": "u1", "parentUuid": null}]),
            &[
                (ALL, INTERNAL, "messages.0.parentUuid: Extra inputs are not permitted"),
                (ALL, INTERNAL, "messages.0.uuid: Extra inputs are not permitted"),
                (ALL, INTERNAL, "messages.0.content.0.text._cache: Extra inputs are not permitted"),
            ],
        ),
        case(
            "a member of the client's in a part of a result",
            turns(json!(["a", [call("a")], [result_of("a", json!([{"type": "text", "text": "b", "isMeta": true}]))]])),
            &[(
                ALL,
                INTERNAL,
                "messages.2.content.0.tool_result.content.0.text.isMeta: Extra inputs are not permitted",
            )],
        ),
        case(
            "a result in a reply",
            replied(result("a")),
            &[(ALL, ROLES, "messages.1: `tool_result` blocks can only be in `user` messages")],
        ),
        case(
            "a call in a user's turn",
            with(call("a")),
            &[(ALL, ROLES, "messages.0: `tool_use` blocks can only be in `assistant` messages")],
        ),
        case(
            "a server's result in a user's turn",
            with(found("srvtoolu_1")),
            &[(ALL, ROLES, "messages.0: `web_search_tool_result` blocks can only be in `assistant` messages")],
        ),
    ]
}

fn systems() -> Vec<Case> {
    const SYSTEM: &str = "api/system-turns";
    let first = "messages.0: use the top-level 'system' parameter for the initial system prompt";
    let follow = "messages.2: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool \
                  result";
    let precede = "messages.2: role 'system' must precede an 'assistant' message or end the array; the directive-only form \
                   (content: [] with output_config) is accepted at any position";
    let refused = (NO_SYSTEM_TURNS, SYSTEM, NO_SYSTEM);
    vec![
        case(
            "a section in front",
            json!([system("a".into()), system("b".into()), user("c".into())]),
            &[refused, refused, (SYSTEM_TURNS, SYSTEM, first)],
        ),
        case(
            "a section behind a reply",
            json!([user("a".into()), assistant("b".into()), system("c".into()), user("d".into())]),
            &[refused, (SYSTEM_TURNS, SYSTEM, follow)],
        ),
        case(
            "a section before the user's turn",
            json!([user("a".into()), system("b".into()), system("c".into()), user("d".into())]),
            &[refused, refused, (SYSTEM_TURNS, SYSTEM, precede)],
        ),
        case(
            "two sections, each in a wrong place",
            json!([
                user("a".into()),
                assistant("b".into()),
                system("c".into()),
                assistant("d".into()),
                user("e".into()),
                system("f".into()),
                user("g".into()),
            ]),
            &[
                refused,
                refused,
                (SYSTEM_TURNS, SYSTEM, follow),
                (
                    SYSTEM_TURNS,
                    SYSTEM,
                    "messages.5: role 'system' must precede an 'assistant' message or end the array; the directive-only \
                     form (content: [] with output_config) is accepted at any position",
                ),
            ],
        ),
        case(
            "a section between a call and its result",
            json!([user("a".into()), assistant(json!([call("a")])), system("c".into()), user(json!([result("a")]))]),
            &[refused, (SYSTEM_TURNS, SYSTEM, follow)],
        ),
        case(
            "a section where nothing is said",
            json!([user("a".into()), system(json!([]))]),
            &[
                refused,
                (
                    SYSTEM_TURNS,
                    "api/non-empty-content",
                    "messages.1: all messages must have non-empty content except for the optional final assistant message",
                ),
            ],
        ),
    ]
}

/// What is not as expected.
pub(super) fn problems(cases: &[Case]) -> Vec<String> {
    let mut problems = Vec::new();
    for case in cases {
        let request = request(case.request.clone());
        for host in Host::ALL {
            let reported: Vec<_> =
                reported(&request, host).into_iter().map(|(rule, error)| (rule, error.unwrap())).collect();
            let reported: Vec<_> = reported.iter().map(|(rule, error)| (*rule, error.as_str())).collect();
            let expected = case.expected.iter().filter(|(hosts, ..)| hosts.contains(&host));
            let expected: Vec<_> = expected.map(|&(_, rule, error)| (rule, error)).collect();
            if reported != expected {
                problems.push(format!("{}, {}:\n  {reported:#?}\n  expected {expected:#?}", case.name, host.name()));
            }
        }
    }
    problems
}

#[test]
fn illegal_requests_break_exactly_their_rules_with_the_words_of_the_api() {
    let problems = problems(&cases());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn halves_of_surrogate_pairs_are_reported_by_place() {
    let body = r#"{"model":"a","max_tokens":1,"system":"\udc00","messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"\ud83d"}]}]}"#;
    let request = Request::read(body).unwrap();
    let error = Some("The request body is not valid JSON: no low surrogate in string".to_owned());
    for host in Host::ALL {
        assert_eq!(reported(&request, host), vec![("api/valid-unicode", error.clone()); 2]);
    }
    let (rule, _) = own_rules().find(|(rule, _)| rule.id == "api/valid-unicode").unwrap();
    let places: BTreeSet<String> =
        super::judge(rule, &request, Host::Portable).iter().map(|violation| violation.place.to_string()).collect();
    assert_eq!(places, ["messages".to_owned(), "messages.0.content.1".to_owned()].into());
}

#[test]
fn the_same_turns_are_judged_alike_as_a_list_and_in_a_body() {
    for case in cases().into_iter().filter(|case| case.request.is_array()) {
        let body = body(json!({"messages": case.request, "max_tokens": 1}));
        for host in Host::ALL {
            let bare = Request::from_plain(Plain::from(case.request.clone()), 0).unwrap();
            // A body has tools, which allow no prefill.
            let reported = |request: &Request| {
                reported(request, host)
                    .into_iter()
                    .filter(|(rule, _)| *rule != "api/ends-with-user")
                    .collect::<Vec<_>>()
            };
            assert_eq!(reported(&request(body.clone())), reported(&bare), "{}", case.name);
        }
    }
}

#[test]
fn every_rule_of_these_families_is_hit() {
    let all = cases().into_iter().chain(super::illegal_by_size::cases());
    let mut hit: BTreeSet<&str> = all.flat_map(|case| case.expected).map(|(_, rule, _)| rule).collect();
    // They have tests of their own: such JSON fits in no value, such a size in no short one, and such tools in no list.
    hit.extend(["api/valid-unicode", "api/request-size", "body/strict-tools", "body/tools-defined"]);
    let missing: Vec<&str> = own_rules().map(|(rule, _)| rule.id).filter(|id| !hit.contains(id)).collect();
    // Judged with the messages that the request was made of.
    assert!(missing.iter().all(|id| *id == "thinking/unmodified"), "{missing:?}");
}
