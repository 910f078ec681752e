//! *Attachments*: an empty one, the examples of the format's table, and malformed ones. `$` stands for a text of the
//! pool, `@` for the id of a call.

use turnproof_format::attachments::EXAMPLES;

use super::row::{Row, joined, rows};

/// The plainest one comes first.
const PLAINEST: Row = ("empty-list", r#"{"type":"todo_reminder","content":[]}"#);

/// Of a kind that nobody knows; clients may write it.
const OF_TOMORROW: Row = ("of-tomorrow", r#"{"type":"attachment_of_tomorrow","text":$,"content":$,"note":null}"#);

/// How many attachments have a form that clients write. They are the first ones.
pub(in crate::scenario) const PLAIN_ATTACHMENTS: u8 = EXAMPLES.len() as u8 + 2;

const MALFORMED: &[Row] = &[
    ("no-members", r#"{}"#),
    ("null-type", r#"{"type":null}"#),
    ("queued-command-without-prompt", r#"{"type":"queued_command"}"#),
    ("queued-command-null", r#"{"type":"queued_command","prompt":null}"#),
    ("queued-command-of-no-blocks", r#"{"type":"queued_command","prompt":["a",7]}"#),
    (
        "queued-command-with-document",
        r#"{"type":"queued_command","prompt":[{"type":"text","text":$},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}]}"#,
    ),
    (
        "queued-notification-of-blanks",
        r#"{"type":"queued_command","commandMode":"task-notification","prompt":[{"type":"text","text":" \n"},{"type":"text","text":$}]}"#,
    ),
    (
        "async-hook-response-of-a-call",
        r#"{"type":"async_hook_response","toolUseID":"@","hookEvent":"PostToolUse","response":{"systemMessage":"s"}}"#,
    ),
    (
        "file-of-a-text-as-medium",
        r#"{"type":"file","content":{"type":"image","file":{"base64":"aGk=","type":"text/plain"}}}"#,
    ),
    (
        "file-of-an-image-of-blank-data",
        r#"{"type":"file","content":{"type":"image","file":{"base64":" ","type":"image/png"}}}"#,
    ),
    ("queued-command-empty", r#"{"type":"queued_command","prompt":[]}"#),
    (
        "queued-command-of-odd-blocks",
        r#"{"type":"queued_command","prompt":[{"type":"text","text":" \n"},"text",7,{"type":"text","text":$,"isMeta":true}]}"#,
    ),
    (
        "queued-command-of-tool-blocks",
        r#"{"type":"queued_command","prompt":[{"type":"image"},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}},{"type":"tool_result","tool_use_id":"toolu_1"}]}"#,
    ),
    ("file-without-content", r#"{"type":"file","filename":$}"#),
    ("file-without-a-name", r#"{"type":"file","content":{"file":{"content":$}}}"#),
    ("file-of-text", r#"{"type":"file","filename":"/a.rs","content":"a"}"#),
    ("edited-text-file-without-a-snippet", r#"{"type":"edited_text_file","filename":" ","snippet":null}"#),
    ("nested-memory-of-a-list", r#"{"type":"nested_memory","content":{"content":[$,"b",3]}}"#),
    ("hook-context-of-text", r#"{"type":"hook_additional_context","content":$}"#),
    (
        "hook-context-of-a-number",
        r#"{"type":"hook_additional_context","content":[],"toolUseID":7,"hookEvent":"PreToolUse"}"#,
    ),
    ("hook-blocking-error-of-text", r#"{"type":"hook_blocking_error","blockingError":$}"#),
    ("hook-success-without-call", r#"{"type":"hook_success","hookEvent":"PreToolUse"}"#),
    ("hook-success-without-event", r#"{"type":"hook_success","toolUseID":"@"}"#),
    ("hook-success-null", r#"{"type":"hook_success","toolUseID":null,"hookEvent":null}"#),
    (
        "todo-reminder-of-odd-tasks",
        r#"{"type":"todo_reminder","content":[{"status":"pending"},{"content":7},"a",null]}"#,
    ),
    ("task-reminder-of-text", r#"{"type":"task_reminder","content":$}"#),
    ("skill-listing-of-a-list", r#"{"type":"skill_listing","content":["a",$]}"#),
    ("invoked-skills-not-in-a-list", r#"{"type":"invoked_skills","skills":{"content":"a"}}"#),
    ("date-change-to-a-number", r#"{"type":"date_change","newDate":20260102}"#),
    ("task-status-of-a-list", r#"{"type":"task_status","status":[$],"description":{"a":1}}"#),
    (
        "file-of-an-odd-image",
        r#"{"type":"file","filename":"/a.bmp","content":{"type":"image","file":{"base64":"Qk0=","type":"image/bmp"}}}"#,
    ),
    ("file-of-an-image-without-data", r#"{"type":"file","content":{"type":"image","file":{"type":"image/png"}}}"#),
    (
        "file-of-an-image-without-a-name",
        r#"{"type":"file","content":{"type":"image","file":{"base64":"iVBORw0KGgo=","type":"image/png"}}}"#,
    ),
    (
        "notebook-of-odd-cells",
        r#"{"type":"file","filename":"/a.ipynb","content":{"type":"notebook","file":{"cells":[null,"a",{"source":7},{"outputs":[{"image":{"image_data":3}},{"text":[$,1.5]}]}]}}}"#,
    ),
    (
        "diagnostics-of-odd-files",
        r#"{"type":"diagnostics","files":[{"uri":"u","diagnostics":{"message":"m"}},{"diagnostics":[{"severity":$}]}]}"#,
    ),
    (
        "file-said-twice",
        r#"{"type":"file","filename":"/a","filename":"/b","content":{"type":"text","file":{"filePath":"/a","filePath":"/b","content":"one","content":$}}}"#,
    ),
    ("plan-mode-bare", r#"{"type":"plan_mode"}"#),
    ("plan-mode-exit-bare", r#"{"type":"plan_mode_exit"}"#),
    ("queued-command-of-a-number", r#"{"type":"queued_command","prompt":7}"#),
    ("null", "null"),
    ("absent", ""),
    ("number-type", r#"{"type":7,"text":$}"#),
    ("text", r#""a""#),
    // Numbers that some languages take for none.
    (
        "selected-lines-from-zero",
        r#"{"type":"selected_lines_in_ide","filename":"/a.rs","lineStart":0,"lineEnd":0,"content":$}"#,
    ),
];

/// With members of the record behind the attachment: what was sent for it.
const RENDERED: &[Row] = &[
    ("rendered", r#"{"type":"date","date":"2026-01-02"},"rendered":[{"content":$}],"renderedRole":"system""#),
    (
        "rendered-as-other-words",
        r#"{"type":"date_change","newDate":"2026-01-02"},"rendered":[{"content":"<system-reminder>\nIt is Friday.\n</system-reminder>"}],"renderedRole":"system""#,
    ),
    (
        "rendered-of-two-parts",
        r#"{"type":"file","filename":"/a.rs","content":{"type":"text","file":{"content":"one"}}},"rendered":[{"content":"<system-reminder>\nA file was read.\n</system-reminder>"},{"content":[{"type":"text","text":$}]}],"renderedRole":"user""#,
    ),
    ("rendered-of-tomorrow", r#"{"type":"attachment_of_tomorrow"},"rendered":[{"content":$}],"renderedRole":"user""#),
    ("rendered-as-nothing", r#"{"type":"date_change","newDate":"2026-01-02"},"rendered":[]"#),
    (
        "rendered-of-an-image",
        r#"{"type":"file","filename":"/a.png"},"rendered":[{"content":[{"type":"text","text":$},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}],"renderedRole":"user""#,
    ),
    (
        "rendered-of-a-document",
        r#"{"type":"file","filename":"/a.pdf"},"rendered":[{"content":[{"type":"text","text":$},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}]}],"renderedRole":"user""#,
    ),
    (
        "rendered-of-a-prompt-with-an-image",
        r#"{"type":"queued_command","prompt":"look"},"rendered":[{"content":[{"type":"text","text":$},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}],"renderedRole":"user""#,
    ),
    ("rendered-of-no-blocks", r#"{"type":"date_change","newDate":"2026-01-02"},"rendered":[{"content":["a",7]}]"#),
    (
        "rendered-odd",
        r#"{"type":"plan_mode"},"rendered":[7,{"content":null},{},{"content":["a",{"type":"text","text":$}]}]"#,
    ),
    ("rendered-is-no-list", r#"{"type":"date_change","newDate":"2026-01-02"},"rendered":{"content":$}"#),
];

/// Of the types that are rarer than PNG.
const PICTURES: &[Row] = &[
    (
        "file-of-a-webp-image",
        r#"{"type":"file","filename":"/a.webp","content":{"type":"image","file":{"base64":"UklGRg==","type":"image/webp","originalSize":4}}}"#,
    ),
    (
        "file-of-a-gif-image",
        r#"{"type":"file","filename":"/a.gif","content":{"type":"image","file":{"base64":"R0lGODlh","type":"image/gif","originalSize":6}}}"#,
    ),
    (
        "mcp-resource-of-a-bitmap",
        r#"{"type":"mcp_resource","server":"docs","uri":"docs://a","content":{"contents":[{"uri":"docs://a","mimeType":"image/bmp","blob":"Qk0="}]}}"#,
    ),
    (
        "mcp-resource-of-a-jpeg-image",
        r#"{"type":"mcp_resource","server":"docs","uri":"docs://a","content":{"contents":[{"uri":"docs://a","mimeType":"image/jpeg","blob":"/9j/4AAQSkY="}]}}"#,
    ),
];

static FORMS: [Row; PLAIN_ATTACHMENTS as usize + MALFORMED.len() + RENDERED.len() + PICTURES.len()] =
    joined(&[&[PLAINEST], &EXAMPLES, &[OF_TOMORROW], MALFORMED, RENDERED, PICTURES]);

rows! {
    /// The value of the member `attachment`.
    AttachmentForm of FORMS {
        EMPTY_LIST "empty-list"
        QUEUED_COMMAND "queued-command"
        NESTED_MEMORY "nested-memory"
        HOOK_ADDITIONAL_CONTEXT "hook-additional-context"
        HOOK_BLOCKING_ERROR "hook-blocking-error"
        TODO_REMINDER "todo-reminder"
        TASK_REMINDER "task-reminder"
        DATE_CHANGE "date-change"
        QUEUED_COMMAND_WITH_IMAGE "queued-command-with-image"
        HOOK_SUCCESS_BEFORE_USE "hook-success-before-use"
        HOOK_SUCCESS_AFTER_USE "hook-success-after-use"
        HOOK_NON_BLOCKING_ERROR "hook-non-blocking-error"
        HOOK_CANCELLED "hook-cancelled"
        HOOK_CONTEXT_AFTER_USE "hook-context-after-use"
        PLAN_MODE "plan-mode"
        PLAN_MODE_EXIT_BARE "plan-mode-exit-bare"
        QUEUED_COMMAND_WITH_DOCUMENT "queued-command-with-document"
        QUEUED_COMMAND_OF_NO_BLOCKS "queued-command-of-no-blocks"
        QUEUED_COMMAND_EMPTY "queued-command-empty"
        QUEUED_NOTIFICATION_OF_BLANKS "queued-notification-of-blanks"
        ASYNC_HOOK_RESPONSE_OF_A_CALL "async-hook-response-of-a-call"
        FILE_OF_A_TEXT_AS_MEDIUM "file-of-a-text-as-medium"
        FILE_OF_AN_IMAGE_OF_BLANK_DATA "file-of-an-image-of-blank-data"
        RENDERED_OF_AN_IMAGE "rendered-of-an-image"
        RENDERED_OF_A_DOCUMENT "rendered-of-a-document"
        RENDERED_PROMPT_WITH_IMAGE "rendered-of-a-prompt-with-an-image"
        RENDERED_OF_NO_BLOCKS "rendered-of-no-blocks"
        RENDERED_AS_NOTHING "rendered-as-nothing"
        RENDERED_OF_TOMORROW "rendered-of-tomorrow"
        TASK_STATUS_OF_A_LIST "task-status-of-a-list"
        FILE_SAID_TWICE "file-said-twice"
        IMAGE_FILE "image-file"
        PDF_FILE "pdf-file"
        NOTEBOOK_FILE "notebook-file"
        EDITED_IMAGE_FILE "edited-image-file"
        SELECTED_LINES_IN_IDE "selected-lines-in-ide"
        MCP_RESOURCE_WITH_IMAGE "mcp-resource-with-image"
        ASYNC_HOOK_RESPONSE "async-hook-response"
        HOOK_SUCCESS_AT_PROMPT "hook-success-at-prompt"
        FILE_THAT_ENDS_ITS_WRAPPER "file-that-ends-its-wrapper"
        DIAGNOSTICS_OF_A_HINT "diagnostics-of-a-hint"
        DIAGNOSTICS_OF_TWO_FILES "diagnostics-of-two-files"
        QUEUED_META "queued-meta"
        QUEUED_BY_A_PROGRAM "queued-by-a-program"
        ASYNC_HOOK_WITHOUT_MESSAGE "async-hook-without-message"
        SELECTED_LINES_FROM_ZERO "selected-lines-from-zero"
        RENDERED "rendered"
        RENDERED_AS_OTHER_WORDS "rendered-as-other-words"
        RENDERED_OF_TWO_PARTS "rendered-of-two-parts"
        SKILL_LISTING_OF_A_LIST "skill-listing-of-a-list"
        WEBP_FILE "file-of-a-webp-image"
        BITMAP_RESOURCE "mcp-resource-of-a-bitmap"
        FILE_OF_AN_IMAGE_WITHOUT_DATA "file-of-an-image-without-data"
        GIF_FILE "file-of-a-gif-image"
        FILE_OF_TEXT "file-of-text"
        ABSENT "absent"
    }
}

impl AttachmentForm {
    /// Those that bring an image or a document, which the API may refuse.
    pub(in crate::scenario) const WITH_MEDIA: &[Self] = &[
        Self::IMAGE_FILE,
        Self::PDF_FILE,
        Self::NOTEBOOK_FILE,
        Self::EDITED_IMAGE_FILE,
        Self::MCP_RESOURCE_WITH_IMAGE,
    ];

    pub(in crate::scenario) fn has_text(self) -> bool {
        self.what().contains('$')
    }

    pub(in crate::scenario) fn has_call(self) -> bool {
        self.what().contains('@')
    }
}
