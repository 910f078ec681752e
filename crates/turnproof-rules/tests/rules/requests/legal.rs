//! *Legal* requests: they break no rule.

use serde_json::{Value, json};
use turnproof_rules::operation::Host;

use super::{
    assistant, body, call, found, image, reported, request, result, result_of, search, system, text, thinking, tool,
    turns, user,
};

const ALL: &[Host] = &Host::ALL;
const JOINING: &[Host] = &[Host::Anthropic, Host::Vertex];
const ANTHROPIC: &[Host] = &[Host::Anthropic];

/// What a request is about, the profiles that take it, and the request.
fn cases() -> Vec<(&'static str, &'static [Host], Value)> {
    let mut cases = calls();
    cases.extend(server_tools());
    cases.extend(thinking_loops());
    cases.extend(media_and_caches());
    cases.extend(endings_and_systems());
    let of_first_party = ["media of a user", "calls of servers", "the rest", "a system turn", "bare system turns"];
    cases.extend(super::blocks::requests().into_iter().map(|(name, request)| {
        let hosts = if of_first_party.contains(&name) { ANTHROPIC } else { ALL };
        (name, hosts, request)
    }));
    cases
}

fn calls() -> Vec<(&'static str, &'static [Host], Value)> {
    vec![
        ("content that is a string", ALL, turns(json!(["a", "b", "c"]))),
        ("blocks", ALL, turns(json!([[text("a"), text("b")]]))),
        ("one call", ALL, turns(json!(["a", [text("b"), call("toolu_1")], [result("toolu_1")]]))),
        (
            "parallel calls, answered in another order, and words behind",
            ALL,
            turns(json!([
                "a",
                [call("toolu_1"), call("toolu_2"), call("toolu_3")],
                [result("toolu_3"), result("toolu_1"), result("toolu_2"), text("b"), image(1, 1)]
            ])),
        ),
        (
            "a loop of calls",
            ALL,
            turns(json!(["a", [call("t1")], [result("t1")], [call("t2")], [result("t2")], "b", "c"])),
        ),
        (
            "results of every form",
            ALL,
            turns(json!(["a", [call("a"), call("b"), call("c"), call("d")], [
                {"type": "tool_result", "tool_use_id": "a"}, result_of("b", "".into()), result_of("c", json!([])),
                result_of("d", json!([text("x"), image(10, 10)]))]])),
        ),
        (
            "names in camel case inside of an input",
            ALL,
            turns(json!(["a", [
                {"type": "tool_use", "id": "a", "name": "Bash", "input": {"filePath": 1, "_x": "", "uuid": 0}}],
                [result("a")]])),
        ),
        (
            "runs of one role, where they are joined",
            JOINING,
            json!([
                user("a".into()),
                assistant(json!([call("toolu_1")])),
                assistant(json!([call("toolu_2")])),
                user(json!([result("toolu_1")])),
                user(json!([result("toolu_2"), text("b")])),
            ]),
        ),
    ]
}

fn server_tools() -> Vec<(&'static str, &'static [Host], Value)> {
    let used = |name: &str, kind: &str| {
        let id = "srvtoolu_1";
        let failed = json!({"type": format!("{kind}_error"), "error_code": "unavailable"});
        turns(json!(["a", [{"type": "server_tool_use", "id": id, "name": name, "input": {}},
                {"type": kind, "tool_use_id": id, "content": failed}, text("b")], "c"]))
    };
    vec![
        ("a search", ALL, used("web_search", "web_search_tool_result")),
        ("a fetch", ALL, used("web_fetch", "web_fetch_tool_result")),
        ("a search of tools by pattern", ALL, used("tool_search_tool_regex", "tool_search_tool_result")),
        ("a search of tools by words", ALL, used("tool_search_tool_bm25", "tool_search_tool_result")),
        ("an advisor", ALL, used("advisor", "advisor_tool_result")),
        (
            "two searches at once, a server of tools, then a call of the client",
            ANTHROPIC,
            turns(json!(["a", [search("srvtoolu_1"), search("srvtoolu_2"), found("srvtoolu_2"), text("b"),
                    found("srvtoolu_1"),
                    {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "x", "server_name": "y", "input": {}},
                    {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "content": []}, call("toolu_1")],
                    [result("toolu_1")]])),
        ),
        ("a paused turn", ANTHROPIC, turns(json!(["a", [text("b"), search("srvtoolu_1")]]))),
        (
            "an open search beside a call that is answered",
            ANTHROPIC,
            turns(json!(["a", [call("toolu_1"), search("srvtoolu_1")], [result("toolu_1")]])),
        ),
    ]
}

fn thinking_loops() -> Vec<(&'static str, &'static [Host], Value)> {
    let thinking_body =
        |messages: Value| body(json!({"thinking": {"type": "enabled", "budget_tokens": 1024}, "messages": messages}));
    vec![
        (
            "a loop with thinking in front",
            ALL,
            thinking_body(turns(json!(["a", [thinking(), call("t1")], [result("t1")], [call("t2")], [result("t2")]]))),
        ),
        (
            "a loop that has ended need not have any",
            ALL,
            thinking_body(turns(json!(["a", [call("toolu_1")], [result("toolu_1")], "b", "c"]))),
        ),
        (
            "redacted thinking, and thinking whose text is hidden",
            ALL,
            turns(json!(["a", [{"type": "redacted_thinking", "data": "x"},
                    {"type": "thinking", "thinking": "", "signature": "s"}, text("b")], "c"])),
        ),
    ]
}

fn media_and_caches() -> Vec<(&'static str, &'static [Host], Value)> {
    let kept = json!({"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}});
    let link = json!({"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}});
    vec![
        ("an image of the greatest size", ALL, turns(json!([[image(8000, 8000)]]))),
        ("many small images", ALL, turns(json!([Value::Array(vec![image(2000, 1); 21])]))),
        ("an image by link", ANTHROPIC, turns(json!([[link]]))),
        (
            "a document",
            ALL,
            turns(
                json!([[text("a"), {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a"}}]]),
            ),
        ),
        ("four breakpoints", ALL, turns(json!([[kept, kept, kept, kept, text("b")]]))),
        (
            "long breakpoints before short ones, and a null one",
            ALL,
            body(json!({
                "tools": [{"name": "Bash", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
                "system": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
                "messages": [user(json!([kept, {"type": "text", "text": "b", "cache_control": null}]))],
            })),
        ),
        (
            "a breakpoint of the whole body",
            ANTHROPIC,
            body(json!({"cache_control": {"type": "ephemeral"}, "messages": [user(json!([kept, kept, kept]))]})),
        ),
        (
            "a reference to a tool that is there",
            ALL,
            body(json!({
                "tools": [tool("Bash"), tool("Read")],
                "messages": [
                    user("a".into()),
                    assistant(json!([call("a")])),
                    user(json!([result_of("a", json!([{"type": "tool_reference", "tool_name": "Read"}]))])),
                ],
            })),
        ),
    ]
}

fn endings_and_systems() -> Vec<(&'static str, &'static [Host], Value)> {
    let directive = json!({"role": "system", "content": [], "output_config": {"effort": "low"}});
    vec![
        ("a prefill, where nobody knows the model", ALL, turns(json!(["a", "{"]))),
        (
            "a prefill of a model that takes it",
            ALL,
            body(json!({"model": "claude-sonnet-4-5", "messages": [user("a".into()), assistant("{".into())]})),
        ),
        ("a final turn without content", JOINING, turns(json!(["a", []]))),
        ("a final turn with empty content", JOINING, turns(json!(["a", ""]))),
        (
            "system before a reply",
            ANTHROPIC,
            json!([user("a".into()), system("b".into()), assistant("c".into()), user("d".into())]),
        ),
        ("system at the end", ANTHROPIC, json!([user("a".into()), system("b".into()), system("c".into())])),
        (
            "system behind the result of a server tool",
            ANTHROPIC,
            json!([
                user("a".into()),
                assistant(json!([search("srvtoolu_1"), found("srvtoolu_1")])),
                system("b".into()),
                assistant("c".into()),
                user("d".into()),
            ]),
        ),
        (
            "directions anywhere",
            ANTHROPIC,
            json!([directive, user("a".into()), assistant("b".into()), directive, user("c".into()), directive]),
        ),
    ]
}

#[test]
fn legal_requests_break_nothing_under_the_profiles_that_take_them() {
    for (name, hosts, value) in cases() {
        let request = request(value);
        for &host in hosts {
            assert_eq!(reported(&request, host), [], "{name}, {}", host.name());
        }
    }
}

#[test]
fn what_only_some_hosts_take_is_refused_by_the_strict_profile() {
    for (name, _, value) in cases().into_iter().filter(|(_, hosts, _)| hosts.len() < Host::ALL.len()) {
        assert_ne!(reported(&request(value), Host::Portable), [], "{name}");
    }
}

#[test]
fn what_any_host_refuses_is_refused_by_the_strict_profile() {
    let illegal = super::illegal::cases().into_iter().map(|case| (case.name, case.request));
    let by_size = super::illegal_by_size::cases().into_iter().map(|case| (case.name, case.request));
    for (name, value) in illegal.chain(by_size).chain(cases().into_iter().map(|(name, _, value)| (name, value))) {
        let request = request(value);
        let is_refused = |host: Host| !reported(&request, host).is_empty();
        if Host::ALL.into_iter().any(is_refused) {
            assert!(is_refused(Host::Portable), "{name}");
        }
    }
}
