//! Right pairs on turns: the API's own tools inside them, how they end, and the context before them.

use serde_json::json;

use super::build::{Pair, at, call, found, missing, pair, reply, result, search, text, thought, user, ut, with};

pub(super) fn pairs() -> Vec<Pair> {
    [server_tools(), turns(), contexts()].concat()
}

fn server_tools() -> Vec<Pair> {
    let named = |name: &str, id: &str| with(search(id), json!({ "name": name }));
    let of = |kind: &str, id: &str| match kind {
        "web_search_tool_result" | "mcp_tool_result" => with(found(id), json!({ "type": kind })),
        _ => {
            let failed = json!({"type": format!("{kind}_error"), "error_code": "unavailable"});
            with(found(id), json!({"type": kind, "content": failed}))
        }
    };
    vec![
        pair(
            "a server call and its result stay only together, in one turn",
            [
                user("a"),
                reply(vec![search("srvtoolu_1"), text("b"), found("srvtoolu_2"), search("srvtoolu_2")]),
                user("c"),
                reply(vec![found("srvtoolu_1"), text("d")]),
                reply(vec![search("srvtoolu_3")]),
                reply(vec![found("srvtoolu_3")]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![text("b")]),
                ut(vec![text("c")]),
                at(vec![text("d"), search("srvtoolu_3"), found("srvtoolu_3")]),
            ],
        ),
        pair(
            "a result must be of a type that fits the tool",
            [
                user("a"),
                reply(vec![
                    named("web_fetch", "srvtoolu_1"),
                    of("web_search_tool_result", "srvtoolu_1"),
                    of("web_fetch_tool_result", "srvtoolu_1"),
                    named("tool_search_tool_bm25", "srvtoolu_2"),
                    of("tool_search_tool_result", "srvtoolu_2"),
                    named("some_tool", "srvtoolu_3"),
                    of("mcp_tool_result", "srvtoolu_3"),
                    of("advisor_tool_result", "srvtoolu_3"),
                    json!({"type": "mcp_tool_use", "id": "m1", "name": "web_search", "server_name": "s", "input": {}}),
                    of("web_search_tool_result", "m1"),
                    text("b"),
                ]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![
                    named("web_fetch", "srvtoolu_1"),
                    of("web_fetch_tool_result", "srvtoolu_1"),
                    named("tool_search_tool_bm25", "srvtoolu_2"),
                    of("tool_search_tool_result", "srvtoolu_2"),
                    named("some_tool", "srvtoolu_3"),
                    of("advisor_tool_result", "srvtoolu_3"),
                    text("b"),
                ]),
            ],
        ),
        pair(
            "each pair has an id of its own, and client calls have names of their own",
            [
                user("a"),
                reply(vec![
                    search("srvtoolu_1"),
                    with(search("srvtoolu_1"), json!({"input": {"query": "2"}})),
                    found("srvtoolu_1"),
                    with(found("srvtoolu_1"), json!({"content": [{"title": "2"}]})),
                    text("b"),
                ]),
                user("c"),
                reply(vec![
                    search("srvtoolu_1"),
                    with(found("srvtoolu_1"), json!({"content": [3]})),
                    call("srvtoolu_1"),
                ]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![
                    search("srvtoolu_1"),
                    with(search("srvtoolu_x"), json!({"input": {"query": "2"}})),
                    found("srvtoolu_1"),
                    with(found("srvtoolu_x"), json!({"content": [{"title": "2"}]})),
                    text("b"),
                ]),
                ut(vec![text("c")]),
                at(vec![search("srvtoolu_y"), with(found("srvtoolu_y"), json!({"content": [3]})), call("srvtoolu_1")]),
                ut(vec![missing("srvtoolu_1")]),
            ],
        ),
        pair(
            "client calls go behind server tools that stand after them, with what is between",
            [
                user("a"),
                reply(vec![call("t1"), text("b"), search("srvtoolu_1"), found("srvtoolu_1"), call("t2"), thought("x")]),
                user(vec![result("t2", "r2"), result("t1", "r1")]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![text("b"), search("srvtoolu_1"), found("srvtoolu_1"), thought("x"), call("t1"), call("t2")]),
                ut(vec![result("t1", "r1"), result("t2", "r2")]),
            ],
        ),
        pair(
            "thinking behind a call is before it, when a server call behind it is dropped",
            [user("a"), reply(vec![call("t1"), text("b"), search("srvtoolu_1"), thought("x")])],
            [ut(vec![text("a")]), at(vec![text("b"), thought("x"), call("t1")]), ut(vec![missing("t1")])],
        ),
    ]
}

fn turns() -> Vec<Pair> {
    vec![
        pair(
            "thinking at the end of a turn is dropped, and a turn of thinking alone, whose neighbours meet",
            [
                user("a"),
                reply(vec![thought("1"), text("b"), thought("2"), json!({"type": "redacted_thinking", "data": "d"})]),
                user("c"),
                reply(vec![thought("3")]),
                user("d"),
                reply(vec![thought("4"), search("srvtoolu_1")]),
                user("e"),
            ],
            [ut(vec![text("a")]), at(vec![thought("1"), text("b")]), ut(vec![text("c"), text("d"), text("e")])],
        ),
        pair(
            "results stay first when neighbours meet",
            [
                user("a"),
                reply(vec![call("t1")]),
                user(vec![text("b"), result("t1", "r")]),
                reply(vec![]),
                user(vec![text("c")]),
            ],
            [ut(vec![text("a")]), at(vec![call("t1")]), ut(vec![result("t1", "r"), text("b"), text("c")])],
        ),
        pair(
            "empty user turns that meet have one text, and one that meets words has none",
            [
                user(json!([])),
                reply(vec![thought("1")]),
                user(vec![text(" ")]),
                reply(vec![text("a")]),
                user(json!([])),
                reply(vec![]),
                user("b"),
            ],
            [ut(vec![text("(no content)")]), at(vec![text("a")]), ut(vec![text("b")])],
        ),
        pair(
            "a list that begins with an assistant gets a user turn before it",
            [reply(vec![thought("1")]), reply(vec![text("a \u{a0}")]), user("(no content)"), user("b")],
            [
                ut(vec![text("(no content)")]),
                at(vec![thought("1"), text("a \u{a0}")]),
                ut(vec![text("(no content)"), text("b")]),
            ],
        ),
        pair(
            "the last words of an assistant lose the white space at their end",
            [user("a "), reply(vec![text("b "), text("\n b \u{1f}\u{feff}\n"), thought("1")])],
            [ut(vec![text("a ")]), at(vec![text("b "), text("\n b")])],
        ),
        pair("only thinking is nothing to send", [reply(vec![thought("1")])], []),
        pair("no messages are no turns", [], []),
        pair(
            "equal thinking of two replies, of which the first ends its turn",
            [user("a"), reply(vec![text("b"), thought("1")]), user("c"), reply(vec![thought("1"), text("d")])],
            [ut(vec![text("a")]), at(vec![text("b")]), ut(vec![text("c")]), at(vec![thought("1"), text("d")])],
        ),
    ]
}

fn contexts() -> Vec<Pair> {
    let given = |context, pair: Pair| Pair { context: Some(context), ..pair };
    vec![
        given(
            "ctx",
            pair(
                "the context is in front of the first turn, beside a text that says the same",
                [user("a"), reply(vec![text("b")]), user("ctx"), reply(vec![text("ctx")])],
                [ut(vec![text("ctx"), text("a")]), at(vec![text("b")]), ut(vec![text("ctx")]), at(vec![text("ctx")])],
            ),
        ),
        given(
            "ctx",
            pair(
                "the context is before a first turn that was made",
                [reply(vec![text("b")]), user("c")],
                [ut(vec![text("ctx"), text("(no content)")]), at(vec![text("b")]), ut(vec![text("c")])],
            ),
        ),
        given("ctx", pair("a context makes no turn", [reply(vec![thought("1")])], [])),
        given(" \u{feff}", pair("a blank context is none", [user("a")], [ut(vec![text("a")])])),
    ]
}
