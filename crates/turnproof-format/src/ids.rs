//! The forms of *ids* of calls and of names: what the API takes, and how made ones begin.

/// How the id of a call begins, by the type of the call's block.
pub const ID_PREFIXES: [(&str, &str); 3] =
    [("tool_use", "toolu_"), (crate::SERVER_CALL, "srvtoolu_"), (crate::MCP_CALL, "mcptoolu_")];

/// What the ids of calls match, those of [`SERVER_CALL`](crate::SERVER_CALL) apart.
pub const CALL_ID: &str = "^[a-zA-Z0-9_-]+$";

/// What the id of a [`SERVER_CALL`](crate::SERVER_CALL) matches.
pub const SERVER_CALL_ID: &str = "^srvtoolu_[a-zA-Z0-9_]+$";

/// What the name of a tool matches.
pub const TOOL_NAME: &str = "^[a-zA-Z0-9_-]{1,128}$";

/// The longest name of a tool.
pub const LONGEST_TOOL_NAME: usize = 128;

/// Whether an id matches [`CALL_ID`].
pub fn is_call_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Whether an id matches [`SERVER_CALL_ID`].
pub fn is_server_call_id(id: &str) -> bool {
    id.strip_prefix("srvtoolu_").is_some_and(|rest| is_call_id(rest) && !rest.contains('-'))
}

/// Whether a name matches [`TOOL_NAME`].
pub fn is_tool_name(name: &str) -> bool {
    is_call_id(name) && name.len() <= LONGEST_TOOL_NAME
}

/// Whether a member of a block or a turn is a client's own: the API's names are in lower-case snake case.
pub fn is_own_member(name: &str) -> bool {
    name.starts_with('_')
        || name.bytes().any(|byte| byte.is_ascii_uppercase())
        || matches!(name, "uuid" | "timestamp" | "cwd" | "slug" | "origin")
}
