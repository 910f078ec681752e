//! Right pairs on blocks: which are sent, in which form, and which calls have which results.

use serde_json::{Value, json};

use super::build::{
    Pair, at, call, document, found, image, missing, pair, reply, result, search, text, thought, user, ut, with,
};

pub(super) fn pairs() -> Vec<Pair> {
    [tidied(), inputs(), paired(), ids()].concat()
}

fn tidied() -> Vec<Pair> {
    let nested = |content: Value| json!({"type": "tool_result", "tool_use_id": "t1", "content": content});
    let unknown = json!({"type": "container_upload", "file_id": "f"});
    vec![
        pair(
            "what its role may not carry is dropped",
            [
                user(vec![text("a"), call("t1"), search("srvtoolu_1"), found("srvtoolu_1"), thought("x"), image()]),
                reply(vec![text("b"), result("t1", "r"), image(), document(), unknown.clone()]),
                user(vec![unknown.clone(), document()]),
            ],
            [ut(vec![text("a"), image()]), at(vec![text("b"), unknown.clone()]), ut(vec![unknown.clone(), document()])],
        ),
        pair(
            "what lacks a part is dropped",
            [
                user(vec![
                    json!({}),
                    json!({"type": ""}),
                    json!({"type": 5, "text": "x"}),
                    json!("bare"),
                    json!({"type": "text"}),
                    json!({"type": "text", "text": " \u{feff}\u{1f}\n"}),
                    json!({"type": "image"}),
                    json!({"type": "document", "source": null}),
                    json!({"type": "tool_result", "content": "x"}),
                    text("a"),
                ]),
                reply(vec![
                    json!({"type": "tool_use", "name": "Bash", "input": {}}),
                    json!({"type": "tool_use", "id": "t1", "name": "", "input": {}}),
                    json!({"type": "server_tool_use", "id": "srvtoolu_1"}),
                    json!({"type": "thinking", "thinking": "x"}),
                    json!({"type": "thinking", "thinking": "x", "signature": ""}),
                    json!({"type": "thinking", "signature": "s"}),
                    json!({"type": "redacted_thinking", "data": ""}),
                    json!({"type": "thinking", "thinking": "", "signature": "s"}),
                    json!({"type": "redacted_thinking", "data": "d"}),
                    text("b"),
                ]),
            ],
            [ut(vec![text("a")]), at(vec![thought(""), json!({"type": "redacted_thinking", "data": "d"}), text("b")])],
        ),
        pair(
            "a member of another type is missing, and costs no block and no message",
            [
                with(user("a"), json!({"permissionMode": 7, "timestamp": 1, "imagePasteIds": "b", "isVirtual": "no"})),
                with(
                    reply(vec![call("t1"), call("t2")]),
                    json!({"requestId": {}, "message": {
                    "id": 7, "role": ["assistant"], "usage": {"input_tokens": "12"}, "content": [call("t1"), call("t2")]}}),
                ),
                user(vec![
                    json!({"type": "tool_result", "tool_use_id": "t1", "content": "r", "is_error": "no"}),
                    json!({"type": "tool_result", "tool_use_id": "t2", "content": "s", "is_error": 0}),
                    with(document(), json!({"title": 7, "context": ["b"]})),
                    json!({"type": "image", "source": "a.png"}),
                    json!(7),
                    text("c"),
                ]),
                user(json!(7)),
                with(user("d"), json!({"message": "d"})),
            ],
            [
                ut(vec![text("a")]),
                at(vec![call("t1"), call("t2")]),
                ut(vec![
                    json!({"type": "tool_result", "tool_use_id": "t1", "content": "r"}),
                    json!({"type": "tool_result", "tool_use_id": "t2", "content": "s"}),
                    document(),
                    text("c"),
                ]),
            ],
        ),
        pair(
            "blank texts go from a result, and content that is then empty",
            [
                reply(vec![call("t1"), call("t2"), call("t3"), call("t4")]),
                user(vec![
                    nested(json!([text(" "), text("r"), {"type": "text"}, image()])),
                    json!({"type": "tool_result", "tool_use_id": "t2", "content": [text("")]}),
                    json!({"type": "tool_result", "tool_use_id": "t3", "content": null, "is_error": true}),
                    json!({"type": "tool_result", "tool_use_id": "t4", "content": ""}),
                ]),
            ],
            [
                ut(vec![text("(no content)")]),
                at(vec![call("t1"), call("t2"), call("t3"), call("t4")]),
                ut(vec![
                    nested(json!([text("r"), image()])),
                    json!({"type": "tool_result", "tool_use_id": "t2"}),
                    json!({"type": "tool_result", "tool_use_id": "t3", "is_error": true}),
                    json!({"type": "tool_result", "tool_use_id": "t4", "content": ""}),
                ]),
            ],
        ),
        pair(
            "the client's own members go, also inside a result, and all others stay",
            [
                user(vec![with(
                    text("a"),
                    json!({"_x": 1, "isMeta": true, "uuid": "u", "cache_control": {"type": "ephemeral", "aB": 1}}),
                )]),
                reply(vec![with(call("t1"), json!({"timestamp": 1, "caller": {"type": "direct"}}))]),
                user(vec![with(
                    nested(json!([with(text("r"), json!({"cwd": "/", "slug": "s", "citations": []}))])),
                    json!({"origin": {}, "toolName": "x"}),
                )]),
            ],
            [
                ut(vec![with(text("a"), json!({"cache_control": {"type": "ephemeral"}}))]),
                at(vec![with(call("t1"), json!({"caller": {"type": "direct"}}))]),
                ut(vec![nested(json!([with(text("r"), json!({"citations": []}))]))]),
            ],
        ),
    ]
}

fn inputs() -> Vec<Pair> {
    let bare = |id: &str| json!({"type": "tool_use", "id": id, "name": "Bash"});
    let of = |id: &str, input: Value| with(bare(id), json!({ "input": input }));
    let server = json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search"});
    vec![pair(
        "an input that is no object is wrapped, and one that is absent is empty",
        [
            user("a"),
            reply(vec![
                server.clone(),
                found("srvtoolu_1"),
                bare("t1"),
                of("t2", json!(null)),
                of("t3", json!("x")),
                of("t4", json!([1])),
                of("t5", json!({"input": 5})),
            ]),
        ],
        [
            ut(vec![text("a")]),
            at(vec![
                with(server, json!({"input": {}})),
                found("srvtoolu_1"),
                of("t1", json!({})),
                of("t2", json!({"input": null})),
                of("t3", json!({"input": "x"})),
                of("t4", json!({"input": [1]})),
                of("t5", json!({"input": 5})),
            ]),
            ut(["t1", "t2", "t3", "t4", "t5"].map(missing).to_vec()),
        ],
    )]
}

fn paired() -> Vec<Pair> {
    vec![
        pair(
            "results stand first, in the order of the calls",
            [
                user("a"),
                reply(vec![call("t1"), text("b"), call("t2")]),
                user(vec![text("c"), result("t2", "r2")]),
                user(vec![result("t1", "r1")]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![call("t1"), text("b"), call("t2")]),
                ut(vec![result("t1", "r1"), result("t2", "r2"), text("c")]),
            ],
        ),
        pair(
            "a late result is brought back, and its message is left empty",
            [
                user("a"),
                reply(vec![call("t1")]),
                user("b"),
                reply(vec![text("c")]),
                user(vec![result("t1", "r")]),
                reply(vec![text("d")]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![call("t1")]),
                ut(vec![result("t1", "r"), text("b")]),
                at(vec![text("c")]),
                ut(vec![text("(no content)")]),
                at(vec![text("d")]),
            ],
        ),
        pair(
            "a used id is replaced, in a turn and later, and a call that is said again is dropped",
            [
                user("a"),
                reply(vec![call("t1"), with(call("t1"), json!({"name": "Read"})), call("t1")]),
                user(vec![result("t1", "r1")]),
                reply(vec![text("b"), with(call("t1"), json!({"input": {}}))]),
                user(vec![result("t1", "r2"), text("c")]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![call("t1"), with(call("x1"), json!({"name": "Read"}))]),
                ut(vec![result("t1", "r1"), missing("x1")]),
                at(vec![text("b"), with(call("x2"), json!({"input": {}}))]),
                ut(vec![result("x2", "r2"), text("c")]),
            ],
        ),
        pair(
            "a result before its call, a second one and one without a call go",
            [
                user(vec![result("t1", "early"), text("a")]),
                reply(vec![call("t1")]),
                user(vec![result("t9", "orphan"), result("t1", "r"), result("t1", "second")]),
            ],
            [ut(vec![text("a")]), at(vec![call("t1")]), ut(vec![result("t1", "r")])],
        ),
        pair(
            "a call without a result gets a placeholder, also at the end",
            [
                user("a"),
                reply(vec![call("t1"), call("t2")]),
                user(vec![result("t2", "r"), text("b")]),
                reply(vec![call("t3")]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![call("t1"), call("t2")]),
                ut(vec![missing("t1"), result("t2", "r"), text("b")]),
                at(vec![call("t3")]),
                ut(vec![missing("t3")]),
            ],
        ),
    ]
}

fn ids() -> Vec<Pair> {
    vec![
        pair(
            "an id that the API refuses is replaced in call and result",
            [
                user("a"),
                reply(vec![call("Bash:1"), call(""), call("Bash_1"), call("functions.b:0")]),
                user(vec![result("Bash:1", "r1"), result("", "r2"), result("Bash_1", "r3")]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![call("Bash_1x"), call("x"), call("Bash_1"), call("y")]),
                ut(vec![result("Bash_1x", "r1"), result("x", "r2"), result("Bash_1", "r3"), missing("y")]),
            ],
        ),
        pair(
            "equal calls under refused ids are reported by their order",
            [
                user("a"),
                reply(vec![call("a:1"), call("a:2")]),
                user(vec![result("a:2", "r2"), result("a:1", "r1")]),
                reply(vec![call("a:1")]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![call("x1"), call("x2")]),
                ut(vec![result("x1", "r1"), result("x2", "r2")]),
                at(vec![call("x3")]),
                ut(vec![missing("x3")]),
            ],
        ),
        pair(
            "ids of server tools have a form of their own",
            [
                user("a"),
                reply(vec![
                    search("toolu_1"),
                    found("toolu_1"),
                    json!({"type": "mcp_tool_use", "id": "m.1", "name": "n", "server_name": "s", "input": {}}),
                    json!({"type": "mcp_tool_result", "tool_use_id": "m.1", "content": []}),
                    text("b"),
                ]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![
                    search("srvtoolu_x"),
                    found("srvtoolu_x"),
                    json!({"type": "mcp_tool_use", "id": "m_1", "name": "n", "server_name": "s", "input": {}}),
                    json!({"type": "mcp_tool_result", "tool_use_id": "m_1", "content": []}),
                    text("b"),
                ]),
            ],
        ),
    ]
}
