//! *Server tools* run at the host: the types of their results, and which call takes which.

/// The type of a call of a tool that the host itself has.
pub const SERVER_CALL: &str = "server_tool_use";

/// The type of a call of a tool that the host runs on an MCP server.
pub const MCP_CALL: &str = "mcp_tool_use";

/// The type of its result.
pub const MCP_RESULT: &str = "mcp_tool_result";

/// The types of block that call a tool of the server.
pub const SERVER_CALLS: [&str; 2] = [SERVER_CALL, MCP_CALL];

/// The types of result, each with the names of the tools that give it. That of [`MCP_CALL`] belongs to all its tools.
pub const SERVER_TOOLS: &[(&str, &[&str])] = &[
    ("web_search_tool_result", &["web_search"]),
    ("web_fetch_tool_result", &["web_fetch"]),
    ("code_execution_tool_result", &["code_execution"]),
    ("bash_code_execution_tool_result", &["bash_code_execution"]),
    ("text_editor_code_execution_tool_result", &["text_editor_code_execution"]),
    ("tool_search_tool_result", &["tool_search_tool_regex", "tool_search_tool_bm25"]),
    ("advisor_tool_result", &["advisor"]),
    (MCP_RESULT, &[]),
];

/// The types of result alone.
pub const SERVER_RESULTS: [&str; SERVER_TOOLS.len()] = {
    let mut results = [""; SERVER_TOOLS.len()];
    let mut at = 0;
    while at < results.len() {
        results[at] = SERVER_TOOLS[at].0;
        at += 1;
    }
    results
};

/// Whether blocks of this type are results of tools of the server.
pub fn is_server_result(block_type: &str) -> bool {
    SERVER_RESULTS.contains(&block_type)
}

/// The type of result that a call takes, by the type of its block and the name of its tool. `None` means any type but
/// [`MCP_RESULT`]: the tool is not known.
pub fn result_of(call: &str, tool: &str) -> Option<&'static str> {
    if call == MCP_CALL {
        return Some(MCP_RESULT);
    }
    SERVER_TOOLS.iter().find(|(_, tools)| tools.contains(&tool)).map(|&(result, _)| result)
}
