//! Labels of *blocks*: their types, what they lack, and what they have too much.

use crate::message::SERVER_TOOL_RESULTS;
use crate::scenario::line::BlockPlan;

use super::{Label, Labels, any, at, put, shuffled};

/// Types first; results of server tools in the order of their list.
pub(super) const LABELS: &[Label] = &[
    any("block/text", "text", 0.26),
    any("block/tool-use", "a call", 0.23),
    any("block/tool-result", "a result", 0.13),
    any("block/thinking", "thinking", 0.072),
    any("block/redacted-thinking", "redacted thinking", 0.07),
    any("block/server-tool-use", "a call of a server tool", 0.056),
    shuffled("block/mcp-tool-use", "a call of an MCP server by the API", 0.012),
    any("block/web-search-tool-result", "a server's result: web search", 0.016),
    shuffled("block/web-fetch-tool-result", "a server's result: web fetch", 0.01),
    shuffled("block/code-execution-tool-result", "a server's result: code", 0.0091),
    shuffled("block/bash-code-execution-tool-result", "a server's result: shell", 0.0084),
    shuffled("block/text-editor-code-execution-tool-result", "a server's result: editor", 0.0033),
    shuffled("block/tool-search-tool-result", "a server's result: tool search", 0.007),
    shuffled("block/advisor-tool-result", "a server's result: advisor", 0.004),
    shuffled("block/mcp-tool-result", "a server's result: MCP", 0.0096),
    any("block/image", "an image", 0.088),
    any("block/document", "a document", 0.029),
    any("block/unknown", "a block of a type that nobody knows", 0.025),
    shuffled("block/without-a-type", "a block without a type", 0.0061),
    shuffled("block/with-cache-control", "a block at which a cache may end", 0.017),
    shuffled("block/with-members-of-the-client", "a block with members that are the client's own", 0.014),
    shuffled("block/text-without-text", "a text block without text", 0.0036),
    shuffled("block/thinking-unsigned", "thinking without a signature", 0.0058),
    shuffled("block/thinking-empty", "signed thinking that says nothing", 0.0016),
    shuffled("block/thinking-without-text", "thinking without its text", 0.0039),
    shuffled("block/redacted-without-data", "redacted thinking without data", 0.0064),
    shuffled("block/media-without-source", "an image or a document without a source", 0.0021),
    shuffled("block/media-of-another-type", "an image or a document of a type that the API refuses", 0.0013),
    shuffled("block/input-no-object", "a call whose input is no object", 0.0061),
    shuffled("block/input-missing", "a call without input", 0.001),
    shuffled("block/input-with-half-a-pair", "a call with lone surrogates in its input", 0.0016),
    shuffled("block/call-without-id", "a call without id", 0.0041),
    shuffled("block/call-without-name", "a call without name", 0.0051),
    shuffled("block/result-without-content", "a result without content", 0.0053),
    shuffled("block/result-of-nothing", "a result whose content is empty", 0.002),
    shuffled("block/result-blank", "a result of blank text", 0.0024),
    shuffled("block/result-with-image", "a result with an image", 0.0035),
    shuffled("block/result-with-error", "the result of a tool that failed", 0.0046),
    shuffled("block/result-with-half-a-pair", "a result with a lone surrogate", 0.00081),
    shuffled("block/result-with-nul", "a result with U+0000", 0.0018),
    shuffled("block/result-without-call-id", "a result that names no call", 0.0023),
    shuffled("block/server-call-odd", "a call of a server tool that lacks something", 0.011),
    shuffled("block/server-result-without-call-id", "a server's result that names no call", 0.0016),
];

const SERVER_RESULT: usize = at("block/web-search-tool-result");

impl Labels {
    /// A block of a list of content.
    pub(super) fn block(&mut self, block: BlockPlan) {
        match block {
            BlockPlan::Text(text) => {
                put!(self, "block/text");
                self.text(text);
            }
            BlockPlan::ToolUse(_) => put!(self, "block/tool-use"),
            BlockPlan::ToolResult(_) => put!(self, "block/tool-result"),
            BlockPlan::Thinking(text) => {
                put!(self, "block/thinking");
                self.text(text);
            }
            BlockPlan::RedactedThinking => put!(self, "block/redacted-thinking"),
            BlockPlan::ServerToolUse(_) => put!(self, "block/server-tool-use"),
            BlockPlan::ServerToolResult(which) => self.server_result(usize::from(which)),
            BlockPlan::Image => put!(self, "block/image"),
            BlockPlan::Document => put!(self, "block/document"),
            BlockPlan::Unknown(text) => {
                put!(self, "block/unknown");
                self.text(text);
            }
            BlockPlan::OddText(form, text) => self.odd_text(form, text),
            BlockPlan::OddCall(form, _) => self.odd_call(form),
            BlockPlan::OddResult(form, _) => self.odd_result(form),
            BlockPlan::OddThinking(form, text) => self.odd_thinking(form, text),
            BlockPlan::OddServerCall(form, _) => self.odd_server_call(form),
            BlockPlan::OddServerResult(form, _) => self.odd_server_result(form),
            BlockPlan::OddMedia(form) => self.odd_media(form),
            BlockPlan::Strange(form) => {
                let lacks_type = matches!(form, 1..=3);
                put!(self, "block/without-a-type", lacks_type);
                put!(self, "block/unknown", !lacks_type);
                put!(self, "block/with-members-of-the-client", form == 6);
            }
        }
    }

    fn server_result(&mut self, which: usize) {
        self.put(SERVER_RESULT + which % SERVER_TOOL_RESULTS.len());
    }

    fn odd_text(&mut self, form: u8, text: u8) {
        put!(self, "block/text", form < 6);
        put!(self, "block/without-a-type", form == 6);
        put!(self, "block/with-cache-control", form == 1);
        put!(self, "block/with-members-of-the-client", matches!(form, 2 | 3));
        put!(self, "block/text-without-text", matches!(form, 4 | 5));
        if !matches!(form, 4 | 5) {
            self.text(text);
        }
    }

    fn odd_call(&mut self, form: u8) {
        put!(self, "block/tool-use");
        put!(self, "block/with-cache-control", form == 4);
        put!(self, "block/input-no-object", matches!(form, 6..=9));
        put!(self, "block/input-missing", form == 10);
        put!(self, "block/input-with-half-a-pair", form == 11);
        put!(self, "block/with-members-of-the-client", form == 12);
        put!(self, "block/call-without-id", matches!(form, 13 | 14));
        put!(self, "block/call-without-name", matches!(form, 15..=17));
    }

    fn odd_result(&mut self, form: u8) {
        put!(self, "block/tool-result");
        put!(self, "block/result-with-error", form == 1);
        put!(self, "block/result-without-content", matches!(form, 3 | 7));
        put!(self, "block/result-with-image", form == 4);
        put!(self, "block/with-cache-control", form == 4);
        put!(self, "block/result-of-nothing", matches!(form, 5 | 6));
        put!(self, "block/result-blank", matches!(form, 8 | 9));
        put!(self, "block/result-with-half-a-pair", form == 11);
        put!(self, "block/with-members-of-the-client", form == 12);
        put!(self, "block/result-without-call-id", matches!(form, 13 | 14));
        put!(self, "block/result-with-nul", form == 15);
    }

    fn odd_thinking(&mut self, form: u8, text: u8) {
        put!(self, "block/thinking", form < 6);
        put!(self, "block/redacted-thinking", form >= 6);
        put!(self, "block/thinking-unsigned", form < 3);
        put!(self, "block/thinking-empty", form == 3);
        put!(self, "block/thinking-without-text", matches!(form, 4 | 5));
        put!(self, "block/redacted-without-data", form >= 6);
        if form < 3 {
            self.text(text);
        }
    }

    fn odd_server_call(&mut self, form: u8) {
        let is_mcp = matches!(form, 7 | 10 | 15 | 16);
        put!(self, "block/mcp-tool-use", is_mcp);
        put!(self, "block/server-tool-use", !is_mcp);
        put!(self, "block/server-call-odd", form >= 10);
        put!(self, "block/with-members-of-the-client", form == 10);
    }

    fn odd_server_result(&mut self, form: u8) {
        // The last three are of types that have been there.
        self.server_result(match form {
            8 => 0,
            9 => 1,
            10 => 7,
            form => usize::from(form),
        });
        put!(self, "block/server-result-without-call-id", matches!(form, 8 | 9));
        put!(self, "block/with-members-of-the-client", form == 10);
    }

    fn odd_media(&mut self, form: u8) {
        put!(self, "block/image", form < 5);
        put!(self, "block/document", form >= 5);
        put!(self, "block/with-cache-control", form == 0);
        put!(self, "block/media-without-source", matches!(form, 1 | 2 | 6));
        put!(self, "block/media-of-another-type", matches!(form, 3..=5));
        put!(self, "block/with-members-of-the-client", form == 7);
    }
}
