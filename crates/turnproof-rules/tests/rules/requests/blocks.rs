//! *Every block*: requests that have each type of block, source and result once with all its members, and once with
//! those alone that it must have. Hosts that have everything take them.

use serde_json::{Value, json};

use super::{assistant, base64, image, result_of, system, turns, user};

/// What each request is about, and the request.
pub(super) fn requests() -> Vec<(&'static str, Value)> {
    let mut requests = vec![
        ("texts and their citations", turns(json!([[cited()], [cited()], "a"]))),
        ("media of a user", turns(json!([media()]))),
        (
            "thinking",
            turns(json!(["a", [{"type": "thinking", "thinking": "a", "signature": "b"},
            {"type": "redacted_thinking", "data": "a"}, text("b")], "c"])),
        ),
        ("calls and results", turns(json!(["a", calls(), results()]))),
        ("calls of servers", turns(json!(["a", servers(), "b"]))),
        ("the rest", turns(json!([others(), others(), "a"]))),
        ("a system turn", json!([user("a".into()), directions(), assistant("b".into()), user("c".into())])),
        ("bare system turns", json!([user("a".into()), system("b".into()), {"role": "system", "output_config": null}])),
    ];
    requests.extend(server_results().into_iter().map(|(name, kind, content)| {
        let id = "srvtoolu_1";
        let called = json!({"type": "server_tool_use", "id": id, "name": name, "input": {}});
        let result = json!({"type": kind, "tool_use_id": id, "content": content});
        (kind, turns(json!(["a", [called, result, text("b")], "c"])))
    }));
    requests
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn kept() -> Value {
    json!({"type": "ephemeral", "ttl": "5m"})
}

fn cited() -> Value {
    let place = |kind: &str, from: &str, to: &str| json!({"type": kind, "cited_text": "a", "document_index": 0, "document_title": "b", from: 1, to: 2});
    json!({"type": "text", "text": "a", "cache_control": kept(), "citations": [
        place("char_location", "start_char_index", "end_char_index"),
        place("page_location", "start_page_number", "end_page_number"),
        place("content_block_location", "start_block_index", "end_block_index"),
        {"type": "web_search_result_location", "cited_text": "a", "encrypted_index": "b", "title": null, "url": "c"},
        {"type": "search_result_location", "cited_text": "a", "start_block_index": 0, "end_block_index": 1,
            "search_result_index": 0, "source": "b", "title": "c"},
    ]})
}

fn document(source: Value) -> Value {
    json!({"type": "document", "source": source, "title": "a", "context": null, "citations": {"enabled": true}})
}

fn search_result() -> Value {
    json!({"type": "search_result", "source": "a", "title": "b", "content": [text("c")],
        "citations": {"enabled": false}})
}

fn media() -> Value {
    json!([
        image(1, 1),
        {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}, "cache_control": null,
            "transformations": {"oversized_image": "downsize"}},
        {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
        document(json!({"type": "base64", "media_type": "application/pdf", "data": base64(b"%PDF-1.4 %%EOF")})),
        document(json!({"type": "text", "media_type": "text/plain", "data": "a"})),
        document(json!({"type": "content", "content": "a"})),
        document(json!({"type": "content", "content": [text("a"), image(1, 1)]})),
        document(json!({"type": "url", "url": "https://example.org/a.pdf"})),
        {"type": "document", "source": {"type": "file", "file_id": "file_1"}, "cache_control": kept()},
        search_result(),
    ])
}

fn calls() -> Value {
    let call = |id: &str, caller: Value| {
        json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"a": [1, {"b": null}]}, "caller": caller,
            "toolset_name": "a"})
    };
    json!([
        call("a", json!({"type": "direct"})),
        call("b", json!({"type": "code_execution_20250825", "tool_id": "srvtoolu_1"})),
        call("c", json!({"type": "code_execution_20260120", "tool_id": "srvtoolu_1"})),
        {"type": "tool_use", "id": "d", "name": "Bash", "input": {}, "cache_control": kept()},
    ])
}

fn results() -> Value {
    let changes = json!([
        {"type": "tab_opened", "tab_id": "a"},
        {"type": "download_started", "download_id": "a", "url": "b"},
        {"type": "download_completed", "download_id": "a", "url": "b", "path": "c", "size_bytes": 7},
        {"type": "download_failed", "download_id": "a", "url": "b", "error": "c"},
    ]);
    let tabs = json!([{"tab_id": "a", "title": "b", "url": "c", "active": true}]);
    json!([
        {"type": "tool_result", "tool_use_id": "a", "content": "b", "is_error": true, "toolset_name": null},
        result_of("b", json!([text("a"), image(1, 1), search_result(),
            document(json!({"type": "text", "media_type": "text/plain", "data": "a"})),
            {"type": "tool_reference", "tool_name": "T"},
            {"type": "browser_state", "tabs": tabs, "state_changes": changes}])),
        {"type": "tool_result", "tool_use_id": "c", "cache_control": kept()},
        result_of("d", json!([])),
    ])
}

fn servers() -> Value {
    json!([
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "a"},
            "caller": {"type": "direct"}, "cache_control": kept()},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "caller": {"type": "direct"}, "content": []},
        {"type": "mcp_tool_use", "id": "m", "name": "a.b", "server_name": "c", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "m", "is_error": false, "content": [text("a")]},
        {"type": "mcp_tool_use", "id": "n", "name": "a", "server_name": "c", "input": {"a": 1}},
        {"type": "mcp_tool_result", "tool_use_id": "n", "content": "a"},
        text("b"),
    ])
}

/// The name of a server's tool, the type of its result, and the content.
fn server_results() -> Vec<(&'static str, &'static str, Value)> {
    let code = |kind: &str, output: &str| {
        json!({"type": kind, "stdout": "a", "stderr": "", "return_code": 0,
            "content": [{"type": output, "file_id": "file_1"}]})
    };
    let failed = |kind: &str| json!({"type": format!("{kind}_error"), "error_code": "unavailable"});
    let found = json!([{"type": "web_search_result", "url": "a", "title": "b", "encrypted_content": "c",
        "page_age": "d"}]);
    let fetched = json!({"type": "web_fetch_result", "url": "a", "retrieved_at": null,
        "content": document(json!({"type": "text", "media_type": "text/plain", "data": "a"}))});
    let encrypted = json!({"type": "encrypted_code_execution_result", "encrypted_stdout": "a", "stderr": "",
        "return_code": 1, "content": []});
    let view = json!({"type": "text_editor_code_execution_view_result", "content": "a", "file_type": "text",
        "num_lines": 1, "start_line": 1, "total_lines": null});
    let replaced = json!({"type": "text_editor_code_execution_str_replace_result", "lines": ["a"], "new_lines": 1,
        "new_start": 1, "old_lines": 1, "old_start": null});
    let created = json!({"type": "text_editor_code_execution_create_result", "is_file_update": true});
    let tools = json!({"type": "tool_search_tool_search_result",
        "tool_references": [{"type": "tool_reference", "tool_name": "T"}]});
    let lost = json!({"type": "text_editor_code_execution_tool_result_error", "error_code": "file_not_found",
        "error_message": "a"});
    let contents = [
        ("web_search", "web_search_tool_result", vec![found]),
        ("web_fetch", "web_fetch_tool_result", vec![fetched]),
        (
            "code_execution",
            "code_execution_tool_result",
            vec![code("code_execution_result", "code_execution_output"), encrypted],
        ),
        (
            "bash_code_execution",
            "bash_code_execution_tool_result",
            vec![code("bash_code_execution_result", "bash_code_execution_output")],
        ),
        ("text_editor_code_execution", "text_editor_code_execution_tool_result", vec![view, replaced, created, lost]),
        ("tool_search_tool_regex", "tool_search_tool_result", vec![tools]),
        (
            "advisor",
            "advisor_tool_result",
            vec![
                json!({"type": "advisor_result", "text": "a", "stop_reason": null}),
                json!({"type": "advisor_redacted_result", "encrypted_content": "a", "stop_reason": "b"}),
            ],
        ),
    ];
    let all = |(name, kind, contents): (&'static str, &'static str, Vec<Value>)| {
        contents.into_iter().chain([failed(kind)]).map(move |content| (name, kind, content)).collect::<Vec<_>>()
    };
    contents.into_iter().flat_map(all).collect()
}

fn others() -> Value {
    let reference = json!({"type": "tool_reference", "name": "T"});
    let of_server = json!({"type": "mcp_tool_reference", "name": "T", "server_name": "s"});
    let toolset = json!({"type": "mcp_toolset_reference", "server_name": "s"});
    let defined = json!({"type": "tool_definition", "definition": {"name": "T", "input_schema": {"type": "object"}}});
    let addition = |tool: &Value| json!({"type": "tool_addition", "tool": tool});
    let removal = |tool: &Value| json!({"type": "tool_removal", "tool": tool, "cache_control": null});
    json!([
        {"type": "container_upload", "file_id": "file_1", "cache_control": null},
        {"type": "compaction"},
        {"type": "compaction", "content": "a", "encrypted_content": "b", "signature": null, "cache_control": null,
            "tool_changes": [addition(&reference), removal(&of_server)]},
        addition(&reference), addition(&of_server), addition(&toolset), addition(&defined),
        removal(&reference), removal(&toolset),
        {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}, "trigger": {"type": "c"}},
        {"type": "mcp_tool_listing", "mcp_server_name": "s",
            "tools": [{"name": "T", "input_schema": {"type": "object"}, "description": null}]},
        text("a"),
    ])
}

fn directions() -> Value {
    json!({"role": "system", "clear_at": "never", "output_config": {"effort": "low"}, "content": [
        text("a"),
        {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "T"}},
        {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "T"}},
    ]})
}
