//! The *table* of blocks: each type, who may hold it, which hosts have it, and its members.

use std::borrow::Cow;

use crate::json;
use crate::json::Value;

use super::Form::{
    Anything, Either, Filled, Flag, Format, List, Object, OneOf, OrNull, Text, ToolName, Typed, Untyped, Whole,
};
use super::fit::fitted;
use super::results::*;
use super::{BlockType, Form, Holder, Hosts, Member, Shape, may, must, shape, shape_at_anthropic};

/// The type of block with this name.
pub(in crate::rules) fn block_type(kind: &str) -> Option<&'static BlockType> {
    BLOCKS.iter().find(|block| block.shape.kind == kind)
}

/// Every type of block that a turn may have.
pub(in crate::rules) fn block_types() -> impl Iterator<Item = &'static Shape> {
    BLOCKS.iter().map(|block| block.shape)
}

const fn by(holder: Holder, shape: &'static Shape) -> BlockType {
    BlockType { shape, holder }
}

/// Every type of block that a turn may have: stable ones first, then those of betas.
static BLOCKS: [BlockType; 25] = [
    by(Holder::Anyone, &TEXT),
    by(Holder::User, &IMAGE),
    by(Holder::User, &DOCUMENT),
    by(Holder::Speakers, &SEARCH_RESULT_BLOCK),
    by(Holder::Assistant, &THINKING),
    by(Holder::Assistant, &REDACTED_THINKING),
    by(Holder::Assistant, &TOOL_USE),
    by(Holder::User, &TOOL_RESULT),
    by(Holder::Assistant, &SERVER_TOOL_USE),
    by(Holder::Assistant, &WEB_SEARCH),
    by(Holder::Assistant, &WEB_FETCH),
    by(Holder::Assistant, &CODE_EXECUTION),
    by(Holder::Assistant, &BASH_CODE_EXECUTION),
    by(Holder::Assistant, &TEXT_EDITOR),
    by(Holder::Assistant, &TOOL_SEARCH),
    by(Holder::Speakers, &CONTAINER_UPLOAD),
    by(Holder::Speakers, &MID_CONVERSATION),
    by(Holder::Assistant, &ADVISOR),
    by(Holder::Assistant, &MCP_TOOL_USE),
    by(Holder::Assistant, &MCP_TOOL_RESULT),
    by(Holder::Speakers, &COMPACTION),
    by(Holder::Anyone, &TOOL_ADDITION),
    by(Holder::Anyone, &TOOL_REMOVAL),
    by(Holder::Speakers, &FALLBACK),
    by(Holder::Speakers, &MCP_TOOL_LISTING),
];

/// Where a prompt cache may end.
const KEPT: Member = may("cache_control", OrNull(&CACHE));

static CACHE: Form = Typed(&[&EPHEMERAL]);

static EPHEMERAL: Shape = shape("ephemeral", &[may("ttl", OneOf(&["5m", "1h"]))]);

/// Who made a call: the model, or code that it ran.
const CALLER: Member = may("caller", Typed(&CALLERS));

static CALLERS: [&Shape; 3] = [&DIRECT, &BY_CODE, &BY_NEWER_CODE];

static DIRECT: Shape = shape("direct", &[]);
static BY_CODE: Shape = shape("code_execution_20250825", &[must("tool_id", Text)]);
static BY_NEWER_CODE: Shape = shape("code_execution_20260120", &[must("tool_id", Text)]);

const TEXTS: Form = List(&Typed(&[&TEXT]));

static TEXT: Shape = shape("text", &[must("text", Text), may("citations", OrNull(&List(&CITATION))), KEPT]);

const CITATION: Form = Typed(&[&OF_CHARACTERS, &OF_PAGES, &OF_BLOCKS, &OF_WEB_RESULT, &OF_SEARCH_RESULT]);

static OF_CHARACTERS: Shape = shape(
    "char_location",
    &[
        must("cited_text", Text),
        must("document_index", Whole),
        must("document_title", OrNull(&Text)),
        must("end_char_index", Whole),
        must("start_char_index", Whole),
        FILE_OF_CITATION,
    ],
);

/// Replies name the file that they cite, and are sent back as they are.
const FILE_OF_CITATION: Member = may("file_id", OrNull(&Text));

static OF_PAGES: Shape = shape(
    "page_location",
    &[
        must("cited_text", Text),
        must("document_index", Whole),
        must("document_title", OrNull(&Text)),
        must("end_page_number", Whole),
        must("start_page_number", Whole),
        FILE_OF_CITATION,
    ],
);

static OF_BLOCKS: Shape = shape(
    "content_block_location",
    &[
        must("cited_text", Text),
        must("document_index", Whole),
        must("document_title", OrNull(&Text)),
        must("end_block_index", Whole),
        must("start_block_index", Whole),
        FILE_OF_CITATION,
    ],
);

static OF_WEB_RESULT: Shape = shape(
    "web_search_result_location",
    &[must("cited_text", Text), must("encrypted_index", Text), must("title", OrNull(&Text)), must("url", Text)],
);

static OF_SEARCH_RESULT: Shape = shape(
    "search_result_location",
    &[
        must("cited_text", Text),
        must("end_block_index", Whole),
        must("search_result_index", Whole),
        must("source", Text),
        must("start_block_index", Whole),
        must("title", OrNull(&Text)),
    ],
);

static IMAGE: Shape = shape(
    "image",
    &[
        must("source", Typed(&[&BASE64_IMAGE, &BY_URL, &BY_FILE])),
        may("transformations", OrNull(&Untyped(&TRANSFORMATIONS))),
        KEPT,
    ],
);

static TRANSFORMATIONS: Shape = shape("", &[may("oversized_image", OneOf(&["downsize", "error"]))]);

static BASE64_IMAGE: Shape = shape(
    "base64",
    &[must("media_type", Format(&["image/jpeg", "image/png", "image/gif", "image/webp"])), must("data", Text)],
);

static BY_URL: Shape = shape_at_anthropic("url", &[must("url", Text)]);

static BY_FILE: Shape = shape_at_anthropic("file", &[must("file_id", Text)]);

pub(super) static DOCUMENT: Shape = shape(
    "document",
    &[
        must("source", Typed(&[&BASE64_PDF, &PLAIN_TEXT, &BLOCKS_OF_DOCUMENT, &BY_URL, &BY_FILE])),
        may("citations", OrNull(&Untyped(&CITATIONS))),
        may("context", OrNull(&Text)),
        may("title", OrNull(&Text)),
        KEPT,
    ],
);

static BASE64_PDF: Shape = shape("base64", &[must("media_type", Format(&["application/pdf"])), must("data", Text)]);

static PLAIN_TEXT: Shape = shape("text", &[must("media_type", Format(&["text/plain"])), must("data", Text)]);

static BLOCKS_OF_DOCUMENT: Shape =
    shape("content", &[must("content", Either(&[Text, List(&Typed(&[&TEXT, &IMAGE]))]))]);

/// Whether a source may be cited.
static CITATIONS: Shape = shape("", &[may("enabled", Flag)]);

static SEARCH_RESULT_BLOCK: Shape = shape(
    "search_result",
    &[must("content", TEXTS), must("source", Text), must("title", Text), may("citations", Untyped(&CITATIONS)), KEPT],
);

static THINKING: Shape = shape("thinking", &[must("thinking", Text), must("signature", Text)]);

static REDACTED_THINKING: Shape = shape("redacted_thinking", &[must("data", Text)]);

const TOOLSET: Member = may("toolset_name", OrNull(&Text));

static TOOL_USE: Shape =
    shape("tool_use", &[must("id", Text), must("name", ToolName), must("input", Object), CALLER, TOOLSET, KEPT]);

static TOOL_RESULT: Shape = shape(
    "tool_result",
    &[must("tool_use_id", Text), may("content", RESULT_CONTENT), may("is_error", Flag), TOOLSET, KEPT],
);

/// What a tool of the client answers.
const RESULT_CONTENT: Form = Either(&[Text, List(&Typed(&PARTS))]);

static PARTS: [&Shape; 6] = [&TEXT, &IMAGE, &SEARCH_RESULT_BLOCK, &DOCUMENT, &TOOL_REFERENCE, &BROWSER_STATE];

/// What fits of a part of a tool's result; `None` when nothing does.
pub(in crate::rules) fn fitted_part(part: &Value) -> Option<Cow<'_, Value>> {
    fitted(part, &Typed(&PARTS))
}

/// Whether parts of a tool's result may be of this type.
pub(in crate::rules) fn is_part_of_result(kind: &str) -> bool {
    PARTS.iter().any(|part| part.kind == kind)
}

pub(super) static TOOL_REFERENCE: Shape = shape("tool_reference", &[must("tool_name", Text), KEPT]);

static BROWSER_STATE: Shape = shape(
    "browser_state",
    &[
        must("tabs", List(&Untyped(&TAB))),
        may(
            "state_changes",
            OrNull(&List(&Typed(&[&TAB_OPENED, &DOWNLOAD_STARTED, &DOWNLOAD_COMPLETED, &DOWNLOAD_FAILED]))),
        ),
        KEPT,
    ],
);

static TAB: Shape = shape("", &[must("tab_id", Text), must("title", Text), must("url", Text), may("active", Flag)]);

static TAB_OPENED: Shape = shape("tab_opened", &[must("tab_id", Text)]);

static DOWNLOAD_STARTED: Shape = shape("download_started", &[must("download_id", Text), must("url", Text)]);

static DOWNLOAD_COMPLETED: Shape = shape(
    "download_completed",
    &[must("download_id", Text), must("url", Text), may("path", OrNull(&Text)), may("size_bytes", OrNull(&Whole))],
);

static DOWNLOAD_FAILED: Shape =
    shape("download_failed", &[must("download_id", Text), must("url", Text), may("error", OrNull(&Text))]);

static SERVER_TOOL_USE: Shape = shape(
    "server_tool_use",
    &[
        must("id", Text),
        must(
            "name",
            OneOf(&[
                "web_search",
                "web_fetch",
                "code_execution",
                "bash_code_execution",
                "text_editor_code_execution",
                "tool_search_tool_regex",
                "tool_search_tool_bm25",
                "advisor",
            ]),
        ),
        must("input", Object),
        CALLER,
        KEPT,
    ],
);

const ANSWERED: Member = must("tool_use_id", Text);

static WEB_SEARCH: Shape = shape(
    "web_search_tool_result",
    &[ANSWERED, must("content", Either(&[List(&Typed(&[&SEARCH_RESULT])), Typed(&[&SEARCH_ERROR])])), CALLER, KEPT],
);

static WEB_FETCH: Shape =
    shape("web_fetch_tool_result", &[ANSWERED, must("content", Typed(&[&FETCHED, &FETCH_ERROR])), CALLER, KEPT]);

static CODE_EXECUTION: Shape = shape(
    "code_execution_tool_result",
    &[ANSWERED, must("content", Typed(&[&CODE_RESULT, &ENCRYPTED_CODE_RESULT, &CODE_ERROR])), KEPT],
);

static BASH_CODE_EXECUTION: Shape =
    shape("bash_code_execution_tool_result", &[ANSWERED, must("content", Typed(&[&BASH_RESULT, &BASH_ERROR])), KEPT]);

static TEXT_EDITOR: Shape = shape(
    "text_editor_code_execution_tool_result",
    &[ANSWERED, must("content", Typed(&[&EDITOR_VIEW, &EDITOR_CREATION, &EDITOR_REPLACEMENT, &EDITOR_ERROR])), KEPT],
);

static TOOL_SEARCH: Shape =
    shape("tool_search_tool_result", &[ANSWERED, must("content", Typed(&[&TOOLS_FOUND, &TOOL_SEARCH_ERROR])), KEPT]);

static ADVISOR: Shape = shape(
    "advisor_tool_result",
    &[ANSWERED, must("content", Typed(&[&ADVICE, &REDACTED_ADVICE, &ADVISOR_ERROR])), KEPT],
);

static CONTAINER_UPLOAD: Shape = shape_at_anthropic("container_upload", &[must("file_id", Text), KEPT]);

static MID_CONVERSATION: Shape = shape("mid_conv_system", &[must("content", TEXTS), KEPT]);

static MCP_TOOL_USE: Shape = shape_at_anthropic(
    "mcp_tool_use",
    &[must("id", Text), must("name", Filled), must("server_name", Text), must("input", Object), KEPT],
);

static MCP_TOOL_RESULT: Shape =
    shape_at_anthropic("mcp_tool_result", &[ANSWERED, may("content", MCP_RESULT_CONTENT), may("is_error", Flag), KEPT]);

/// What a tool of an MCP server answers.
const MCP_RESULT_CONTENT: Form = Either(&[Text, TEXTS]);

static COMPACTION: Shape = shape(
    "compaction",
    &[
        may("content", OrNull(&Text)),
        may("encrypted_content", OrNull(&Text)),
        may("signature", OrNull(&Text)),
        may("tool_changes", OrNull(&List(&Typed(&[&TOOL_ADDITION, &TOOL_REMOVAL])))),
        KEPT,
    ],
);

static TOOL_ADDITION: Shape = shape(
    "tool_addition",
    &[must("tool", Typed(&[&NAMED_TOOL, &NAMED_MCP_TOOL, &NAMED_MCP_TOOLSET, &DEFINED_TOOL])), KEPT],
);

static TOOL_REMOVAL: Shape =
    shape("tool_removal", &[must("tool", Typed(&[&NAMED_TOOL, &NAMED_MCP_TOOL, &NAMED_MCP_TOOLSET])), KEPT]);

static NAMED_TOOL: Shape = shape("tool_reference", &[must("name", Text)]);

static NAMED_MCP_TOOL: Shape = shape("mcp_tool_reference", &[must("name", Text), must("server_name", Text)]);

static NAMED_MCP_TOOLSET: Shape = shape("mcp_toolset_reference", &[must("server_name", Text)]);

/// What a definition holds is judged by nobody here, as are the tools of the body.
static DEFINED_TOOL: Shape = shape("tool_definition", &[must("definition", Object)]);

static FALLBACK: Shape =
    shape("fallback", &[must("from", Untyped(&MODEL)), must("to", Untyped(&MODEL)), may("trigger", Anything)]);

static MODEL: Shape = shape("", &[must("model", Text)]);

static MCP_TOOL_LISTING: Shape = shape_at_anthropic(
    "mcp_tool_listing",
    &[must("mcp_server_name", Text), must("tools", List(&Untyped(&LISTED_TOOL)))],
);

static LISTED_TOOL: Shape =
    shape("", &[must("input_schema", Object), must("name", Text), may("description", OrNull(&Text))]);

/// The table as JSON: for each type of block who may hold it, whether every host has it, and its members. Other tables
/// of the same are compared with it.
pub fn shapes() -> Value {
    let block = |block: &BlockType| {
        let holder = format!("{:?}", block.holder).to_lowercase();
        (block.shape.kind.to_owned(), json!({"holder": holder, "shape": described(block.shape)}))
    };
    Value::Object(BLOCKS.iter().map(block).collect())
}

fn described(shape: &Shape) -> Value {
    let member = |member: &Member| {
        let sign = if member.is_required { "" } else { "?" };
        (format!("{}{sign}", member.name), form(&member.form))
    };
    let members: Value = shape.members.iter().map(member).collect();
    match shape.kind {
        "" => members,
        kind => json!({"type": kind, "everywhere": shape.hosts == Hosts::Every, "members": members}),
    }
}

fn form(given: &Form) -> Value {
    match given {
        Text => "string".into(),
        Filled => "filled".into(),
        ToolName => "name".into(),
        Whole => "integer".into(),
        Flag => "boolean".into(),
        Object => "object".into(),
        Anything => "any".into(),
        OneOf(names) => json!({"one of": names}),
        Format(names) => json!({"only": names}),
        List(of) => json!([form(of)]),
        Typed(shapes) => shapes.iter().map(|shape| described(shape)).collect(),
        Untyped(shape) => described(shape),
        Either(forms) => json!({"either": forms.iter().map(form).collect::<Vec<_>>()}),
        OrNull(of) => json!({"or null": form(of)}),
    }
}
