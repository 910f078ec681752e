//! What *streams* of a model and its requests are made of: events, deltas, reasons to stop, roles, kinds of errors.

/// The types of events, each with its effect on the message.
pub const EVENTS: &[(&str, &str)] = &[
    ("message_start", "gives the message; blocks that it holds already count as stopped"),
    ("content_block_start", "appends the block; its index must be the number of blocks so far"),
    ("content_block_delta", "changes the open block with its index, by the table below"),
    ("content_block_stop", "ends the block"),
    ("message_delta", "sets the late fields (4.6); stops a block that is still open"),
    ("message_stop", "stops a block that is still open, and ends the message"),
    ("ping", "changes nothing"),
    ("error", "ends the stream (4.4)"),
];

/// The types of deltas, each with its effect on the open block.
pub const DELTAS: &[(&str, &str)] = &[
    ("text_delta", "appends to `text`"),
    ("input_json_delta", "is collected; at the stop the whole is parsed as `input`"),
    ("citations_delta", "appends to `citations`"),
    ("thinking_delta", "appends to `thinking`"),
    ("signature_delta", "replaces `signature`"),
    ("compaction_delta", "replaces `content`, and `encrypted_content` where it has one"),
];

/// The types of [`EVENTS`] alone.
pub const EVENT_TYPES: &[&str] = &names::<{ EVENTS.len() }>(EVENTS);

/// The types of [`DELTAS`] alone.
pub const DELTA_TYPES: &[&str] = &names::<{ DELTAS.len() }>(DELTAS);

/// Why a model stopped.
pub const STOP_REASONS: &[&str] =
    &["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"];

/// Who speaks.
pub const ROLES: &[&str] = &["user", "assistant", "system"];

/// The kind of an error for a reply that has reached the limit of its output too often.
pub const OUTPUT_LIMIT: &str = "max_output_tokens";

/// The kinds of errors (`apiError`), each with the types of the API's errors that it stands for, and what else it means.
pub const ERROR_KINDS: &[(&str, &[&str], &str)] = &[
    ("invalid_request", &["invalid_request_error", "request_too_large"], ""),
    ("model_not_found", &["not_found_error"], ""),
    ("authentication_failed", &["authentication_error", "permission_error"], ""),
    ("billing_error", &["billing_error"], ""),
    ("rate_limit", &["rate_limit_error"], ""),
    ("server_error", &["api_error", "overloaded_error", "timeout_error"], ""),
    (OUTPUT_LIMIT, &[], "the reply has reached the limit of its output too often"),
    ("unknown", &[], "there was no answer"),
];

/// The first column of a table.
const fn names<const COUNT: usize>(rows: &[(&'static str, &'static str)]) -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let mut at = 0;
    while at < COUNT {
        names[at] = rows[at].0;
        at += 1;
    }
    names
}
