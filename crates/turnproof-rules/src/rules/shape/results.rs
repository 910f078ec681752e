//! The shapes of what tools on the *server* give: the content of their results.

use super::Form::{Flag, List, OneOf, OrNull, Text, Typed, Whole};
use super::table::{DOCUMENT, TOOL_REFERENCE};
use super::{Shape, may, must, shape};

/// Errors that every tool on the server may have.
const USUAL: [&str; 4] = ["invalid_tool_input", "unavailable", "too_many_requests", "execution_time_exceeded"];

pub(super) static SEARCH_RESULT: Shape = shape(
    "web_search_result",
    &[must("encrypted_content", Text), must("title", Text), must("url", Text), may("page_age", OrNull(&Text))],
);

pub(super) static SEARCH_ERROR: Shape = shape(
    "web_search_tool_result_error",
    &[must(
        "error_code",
        OneOf(&[
            "invalid_tool_input",
            "unavailable",
            "max_uses_exceeded",
            "too_many_requests",
            "query_too_long",
            "request_too_large",
        ]),
    )],
);

pub(super) static FETCHED: Shape = shape(
    "web_fetch_result",
    &[must("content", Typed(&[&DOCUMENT])), must("url", Text), may("retrieved_at", OrNull(&Text))],
);

pub(super) static FETCH_ERROR: Shape = shape(
    "web_fetch_tool_result_error",
    &[must(
        "error_code",
        OneOf(&[
            "invalid_tool_input",
            "url_too_long",
            "url_not_allowed",
            "url_not_in_prior_context",
            "url_not_accessible",
            "unsupported_content_type",
            "too_many_requests",
            "max_uses_exceeded",
            "unavailable",
            "content_too_large",
        ]),
    )],
);

pub(super) static ADVICE: Shape = shape("advisor_result", &[must("text", Text), may("stop_reason", OrNull(&Text))]);

pub(super) static REDACTED_ADVICE: Shape =
    shape("advisor_redacted_result", &[must("encrypted_content", Text), may("stop_reason", OrNull(&Text))]);

pub(super) static ADVISOR_ERROR: Shape = shape(
    "advisor_tool_result_error",
    &[must(
        "error_code",
        OneOf(&[
            "max_uses_exceeded",
            "prompt_too_long",
            "too_many_requests",
            "overloaded",
            "unavailable",
            "execution_time_exceeded",
            "model_not_found",
        ]),
    )],
);

static CODE_OUTPUT: Shape = shape("code_execution_output", &[must("file_id", Text)]);

pub(super) static CODE_RESULT: Shape = shape(
    "code_execution_result",
    &[
        must("content", List(&Typed(&[&CODE_OUTPUT]))),
        must("return_code", Whole),
        must("stderr", Text),
        must("stdout", Text),
    ],
);

pub(super) static ENCRYPTED_CODE_RESULT: Shape = shape(
    "encrypted_code_execution_result",
    &[
        must("content", List(&Typed(&[&CODE_OUTPUT]))),
        must("encrypted_stdout", Text),
        must("return_code", Whole),
        must("stderr", Text),
    ],
);

pub(super) static CODE_ERROR: Shape = shape("code_execution_tool_result_error", &[must("error_code", OneOf(&USUAL))]);

static BASH_OUTPUT: Shape = shape("bash_code_execution_output", &[must("file_id", Text)]);

pub(super) static BASH_RESULT: Shape = shape(
    "bash_code_execution_result",
    &[
        must("content", List(&Typed(&[&BASH_OUTPUT]))),
        must("return_code", Whole),
        must("stderr", Text),
        must("stdout", Text),
    ],
);

pub(super) static BASH_ERROR: Shape = shape(
    "bash_code_execution_tool_result_error",
    &[must(
        "error_code",
        OneOf(&[
            "invalid_tool_input",
            "unavailable",
            "too_many_requests",
            "execution_time_exceeded",
            "output_file_too_large",
        ]),
    )],
);

pub(super) static EDITOR_VIEW: Shape = shape(
    "text_editor_code_execution_view_result",
    &[
        must("content", Text),
        must("file_type", OneOf(&["text", "image", "pdf"])),
        may("num_lines", OrNull(&Whole)),
        may("start_line", OrNull(&Whole)),
        may("total_lines", OrNull(&Whole)),
    ],
);

pub(super) static EDITOR_CREATION: Shape =
    shape("text_editor_code_execution_create_result", &[must("is_file_update", Flag)]);

pub(super) static EDITOR_REPLACEMENT: Shape = shape(
    "text_editor_code_execution_str_replace_result",
    &[
        may("lines", OrNull(&List(&Text))),
        may("new_lines", OrNull(&Whole)),
        may("new_start", OrNull(&Whole)),
        may("old_lines", OrNull(&Whole)),
        may("old_start", OrNull(&Whole)),
    ],
);

pub(super) static EDITOR_ERROR: Shape = shape(
    "text_editor_code_execution_tool_result_error",
    &[
        must(
            "error_code",
            OneOf(&[
                "invalid_tool_input",
                "unavailable",
                "too_many_requests",
                "execution_time_exceeded",
                "file_not_found",
            ]),
        ),
        may("error_message", OrNull(&Text)),
    ],
);

pub(super) static TOOLS_FOUND: Shape =
    shape("tool_search_tool_search_result", &[must("tool_references", List(&Typed(&[&TOOL_REFERENCE])))]);

pub(super) static TOOL_SEARCH_ERROR: Shape =
    shape("tool_search_tool_result_error", &[must("error_code", OneOf(&USUAL)), may("error_message", OrNull(&Text))]);
