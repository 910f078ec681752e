//! Labels of *blocks*: which members are missing, and which are too many.

use serde_json::Value;
use turnproof::message::SERVER_TOOL_RESULTS;

use super::labels::{Labels, is_blank, kind};

impl Labels<'_> {
    pub fn block(&mut self, role: &str, block: &Value) {
        // What is no text counts as missing.
        let lacks = |name: &str| !block[name].is_string();
        let blank = |name: &str| block[name].as_str().is_some_and(is_blank);
        let Some(members) = block.as_object() else { return self.put(true, "element that is no block") };
        let is_own = |name: &String| {
            name.starts_with('_')
                || name.bytes().any(|byte| byte.is_ascii_uppercase())
                || ["uuid", "timestamp", "cwd", "slug", "origin"].contains(&name.as_str())
        };
        self.put(members.keys().any(is_own), "block with the client's members");
        self.put(members.contains_key("cache_control"), "cache_control");
        let texts = ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];
        self.put(block["text"].as_str().is_some_and(|text| texts.contains(&text)), "interruption");
        match kind(block) {
            "" => self.put(true, "block without a type"),
            "text" => {
                self.put(lacks("text"), "text without text");
                self.put(blank("text"), "text blank");
            }
            "tool_use" => {
                self.put(lacks("id"), "call without id");
                self.put(lacks("name") || block["name"] == "", "call without name");
                let input = members.get("input");
                self.put(input.is_none(), "input absent");
                self.put(input.is_some_and(Value::is_null), "input null");
                let other = input.is_some_and(|input| !input.is_null() && !input.is_object());
                self.put(other, "input no object");
            }
            "tool_result" => self.result(block),
            "mcp_tool_use" => self.put(true, "mcp call"),
            "mcp_tool_result" => self.put(true, "mcp result"),
            "thinking" => {
                self.put(lacks("signature") || block["signature"] == "", "thinking without signature");
                self.put(block["thinking"] == "", "thinking empty");
                self.put(lacks("thinking"), "thinking absent");
            }
            "redacted_thinking" => {
                self.put(lacks("data") || block["data"] == "", "redacted without data");
            }
            "image" | "document" => self.put(!block["source"].is_object(), "media without source"),
            "server_tool_use" => {}
            name => self.put(!SERVER_TOOL_RESULTS.contains(&name), "block of an unknown type"),
        }
        let foreign = match role {
            "user" => {
                matches!(kind(block), "tool_use" | "server_tool_use" | "thinking" | "redacted_thinking")
            }
            _ => matches!(kind(block), "tool_result" | "image" | "document"),
        };
        self.put(foreign, "block that its role may not carry");
    }

    fn result(&mut self, block: &Value) {
        let content = block.get("content");
        self.put(!block["tool_use_id"].is_string(), "result without call id");
        self.put(block["is_error"] == true, "result is_error");
        let flag = &block["is_error"];
        self.put(!flag.is_null() && !flag.is_boolean(), "result is_error of another type");
        self.put(content.is_some_and(Value::is_null), "result content null");
        if let Some(elements) = content.and_then(Value::as_array) {
            self.put(elements.is_empty(), "result content empty list");
            let blank = |element: &Value| element["text"].as_str().is_some_and(is_blank);
            self.put(elements.iter().any(blank), "result content blank");
            self.put(elements.iter().any(|element| kind(element) == "image"), "result content image");
        }
    }
}
