//! Labels of the *kind* of a line or an event, of its flags, and of its blocks.

use crate::message::{Kind, SERVER_TOOL_RESULTS};
use crate::scenario::pool::{PoolText, ServerResultForm, SideKind};
use crate::scenario::{BlockPlan, Choice, Form, LineKind};

use super::{ANY, Labels, OFTEN, SELDOM, SHUFFLED, at, labels, put};

// The first group is in the order of `Kind::ALL`.
labels! { KINDS {
    ANY OFTEN
    "kind/user" "a user message",
    "kind/assistant" "an assistant message",
    "kind/system" "a system message",
    "kind/attachment" "an attachment",
    "kind/hook-result" "a hook's outcome",
    "kind/progress" "progress of a tool",
    "kind/tool-use-summary" "a summary of tool uses",
    "kind/tombstone" "a tombstone",
    "kind/grouped-tool-use" "a group of tool uses",
    "kind/stream-event" "an event of a stream",
    "kind/stream-request-start" "the start of a request",
    "kind/side-record" "a side record",
    SHUFFLED SELDOM
    "kind/of-tomorrow" "a type that nobody knows",
    "kind/none" "a line without a type",
    "kind/type-no-text" "a line whose type is no text",
} }

labels! { BLOCKS {
    ANY OFTEN
    "block/text" "text",
    "block/tool-use" "a call",
    "block/tool-result" "a result",
    "block/thinking" "thinking",
    "block/redacted-thinking" "redacted thinking",
    "block/server-tool-use" "a call of a server tool",
    "block/web-search-tool-result" "a server's result: web search",
    "block/image" "an image",
    "block/document" "a document",
    "block/unknown" "a block of a type that nobody knows",
    SHUFFLED OFTEN
    "block/mcp-tool-use" "a call of an MCP server by the API",
    "block/with-cache-control" "a block at which a cache may end",
    "block/with-members-of-the-client" "a block with members that are the client's own",
    "block/server-call-odd" "a call of a server tool that lacks something",
    SHUFFLED SELDOM
    "block/web-fetch-tool-result" "a server's result: web fetch",
    "block/code-execution-tool-result" "a server's result: code",
    "block/bash-code-execution-tool-result" "a server's result: shell",
    "block/text-editor-code-execution-tool-result" "a server's result: editor",
    "block/tool-search-tool-result" "a server's result: tool search",
    "block/advisor-tool-result" "a server's result: advisor",
    "block/mcp-tool-result" "a server's result: MCP",
    "block/without-a-type" "a block without a type",
    "block/misfit" "a block with a known field of a wrong type",
    "block/no-object" "an element of the content that is no block",
    "block/text-without-text" "a text block without text",
    "block/thinking-unsigned" "thinking without a signature",
    "block/thinking-empty" "signed thinking that says nothing",
    "block/thinking-without-text" "thinking without its text",
    "block/redacted-without-data" "redacted thinking without data",
    "block/media-without-source" "an image or a document without a source",
    "block/media-of-another-type" "an image or a document of a type that the API refuses",
    "block/input-no-object" "a call whose input is no object",
    "block/input-missing" "a call without input",
    "block/input-with-half-a-pair" "a call with lone surrogates in its input",
    "block/call-without-id" "a call without id",
    "block/call-without-name" "a call without name",
    "block/result-without-content" "a result without content",
    "block/result-of-nothing" "a result whose content is empty",
    "block/result-blank" "a result of blank text",
    "block/result-with-image" "a result with an image",
    "block/result-with-error" "the result of a tool that failed",
    "block/result-with-half-a-pair" "a result with a lone surrogate",
    "block/result-with-nul" "a result with U+0000",
    "block/result-without-call-id" "a result that names no call",
    "block/server-result-without-call-id" "a server's result that names no call",
    "block/with-members-of-another-type" "a block with members that its type does not have",
    "block/with-a-member-of-a-wrong-type" "a block with an optional member of a wrong type",
    "block/call-with-an-illegal-name" "a call whose name the API does not take",
    "block/result-of-an-object" "a result whose content is neither text nor a list",
    "block/result-with-half-of-an-image" "a result with images that lack something",
    "block/server-result-of-a-failure" "a server's result of a tool that failed",
    "block/server-result-half-written" "a server's result whose content lacks something",
    "block/media-half-written" "an image or a document whose source lacks something",
    "block/source-of-tomorrow" "an image by a source that nobody knows",
    "block/block-half-written" "a block that lacks something, of a type that few clients know",
    "block/call-with-a-long-name" "a call whose name is long and legal",
    "block/input-of-json-text" "a call whose input is JSON as text",
    "block/result-that-sounds-failed" "a result that sounds like a failure, and is none",
    "block/media-of-jpeg" "an image of the type image/jpeg",
    "block/cached-for-an-hour" "a text with a mark for the cache that says how long it holds",
    "block/input-empty" "a call whose input is an empty text or list",
    "block/result-falsy" "a result whose content is `false` or 0",
} }

impl Labels {
    pub(super) fn kind(&mut self, kind: Kind) {
        self.put(const { at("kind/user") } + kind as usize);
    }

    pub(super) fn side(&mut self, side: SideKind) {
        put!(self, "kind/side-record");
        self.put(side.label());
    }

    pub(super) fn line_kind(&mut self, kind: LineKind) {
        match kind {
            LineKind::System { subtype, .. } => self.put(subtype.label()),
            LineKind::Side { side } => self.side(side),
            LineKind::Unknown => put!(self, "kind/of-tomorrow"),
            LineKind::Untyped { .. } => put!(self, "kind/none"),
            _ => {}
        }
        if let Some(known) = Kind::ALL.into_iter().find(|known| known.name() == kind.name()) {
            self.kind(known);
        }
    }

    pub(super) fn block(&mut self, block: BlockPlan) {
        match block {
            BlockPlan::Text { form, text } => self.saying(form, text),
            BlockPlan::ToolUse { form, .. } => self.form(form),
            BlockPlan::ToolResult { form, .. } => self.form(form),
            BlockPlan::Thinking { form, text } => self.saying(form, text),
            BlockPlan::RedactedThinking => put!(self, "block/redacted-thinking"),
            BlockPlan::ServerToolUse { form, .. } => self.form(form),
            BlockPlan::ServerToolResult { form: ServerResultForm::OfNumber, call } => {
                self.form(ServerResultForm::at(1 + call % SERVER_TOOL_RESULTS.len() as u8));
            }
            BlockPlan::ServerToolResult { form, .. } => self.form(form),
            BlockPlan::Image => put!(self, "block/image"),
            BlockPlan::Document => put!(self, "block/document"),
            BlockPlan::Unknown { text } => {
                put!(self, "block/unknown");
                self.put(text.label());
            }
            BlockPlan::Media { form } => self.form(form),
            BlockPlan::Strange { form } => self.form(form),
        }
    }

    pub(super) fn form(&mut self, form: impl Form) {
        form.labels().iter().for_each(|place| self.put(*place));
    }

    /// The labels of a form that may say a text.
    pub(super) fn saying(&mut self, form: impl Form, text: PoolText) {
        self.form(form);
        self.put_if(form.is_filled(), text.label());
    }
}
