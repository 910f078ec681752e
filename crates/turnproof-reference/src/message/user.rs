//! A *user message*: human input, tool results, meta text, interruption notices, compact summaries.

use crate::json::{Fields, Raw, Text};

use super::block::Content;
use super::document::document;

document! {
    /// The part of a user message that is sent to the API.
    pub struct UserBody {
        /// Always `user`.
        role: Text = "role",
        /// What is said.
        content: Content = "content",
    }
}

document! {
    /// A user message.
    pub struct User in Envelope {
        /// The part that is sent to the API.
        message: UserBody = "message",
        /// A tool's raw output, stored beside its serialised form (`tool/dual`): an object, an
        /// array (MCP), or a plain string (errors and rejections).
        tool_use_result: Raw = "toolUseResult",
        /// The assistant line that holds the call which this message answers (`tool/source`).
        source_tool_assistant_uuid: Text = "sourceToolAssistantUUID",
        /// The call that made this message, such as a skill's.
        source_tool_use_id: Text = "sourceToolUseID",
        /// What an MCP server sent beside its result.
        mcp_meta: McpMeta = "mcpMeta",
        /// The permission mode under which the prompt was given.
        permission_mode: Text = "permissionMode",
        /// The ids of pasted images, one for each image block.
        image_paste_ids: Vec<Raw> = "imagePasteIds",
        /// How a summary came to be.
        summarize_metadata: Raw = "summarizeMetadata",
    }
}

document! {
    /// What an MCP server sent beside its result.
    pub struct McpMeta {
        /// The protocol's own metadata.
        meta: Fields = "_meta",
        /// The result as data.
        structured_content: Raw = "structuredContent",
    }
}

impl User {
    /// What the message says, if it says anything.
    pub fn content(&self) -> Option<&Content> {
        self.message.get()?.content.get()
    }
}
