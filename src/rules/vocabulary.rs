//! The *vocabulary* of the API that several families of rules share: what counts as blank, and which
//! blocks are results of server tools.

/// Whether a character is white space to any of the languages that hosts are written in: Rust's
/// notion, what JavaScript adds (U+FEFF) and what Python adds (U+001C to U+001F).
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{FEFF}' | '\u{1C}'..='\u{1F}')
}

/// The result blocks of tools that run on the server.
pub(super) const SERVER_RESULTS: [&str; 8] = [
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "advisor_tool_result",
    "mcp_tool_result",
];
