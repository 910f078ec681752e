//! What is *asked*: a request as whoever answers it looks at it.

use turnproof_rules::operation::{Request, Value};

/// A request that is going to be answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// Which request for a message it is, from 1.
    pub(crate) number: u64,
    /// The request.
    pub(crate) request: &'a Request,
    /// The model that is asked.
    pub(crate) model: &'a str,
}

impl<'a> Asked<'a> {
    pub(crate) fn member(&self, name: &str) -> Option<&'a Value> {
        self.request.body.get(name).filter(|value| !value.is_null())
    }

    /// The tools that it declares.
    pub(crate) fn tools(&self) -> &'a [Value] {
        self.member("tools").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The tools of the client, each with its name and its schema. Those of known types have none.
    pub(crate) fn client_tools(&self) -> impl Iterator<Item = (&'a str, Option<&'a Value>)> {
        let of = |tool: &'a Value| {
            let name = tool.get("name")?.as_str()?;
            let schema = tool.get("input_schema");
            let kind = tool.get("type").and_then(Value::as_str).unwrap_or("custom");
            (schema.is_some() || runs_at_client(kind)).then_some((name, schema))
        };
        self.tools().iter().filter_map(of)
    }

    /// Whether it declares a tool of the host whose type begins so, such as `web_search`.
    pub(crate) fn has_host_tool(&self, name: &str) -> bool {
        let kind = |tool: &'a Value| tool.get("type").and_then(Value::as_str).unwrap_or_default();
        self.tools().iter().any(|tool| kind(tool).starts_with(name))
    }

    /// Whether it names servers of MCP.
    pub(crate) fn has_mcp_servers(&self) -> bool {
        self.member("mcp_servers").and_then(Value::as_array).is_some_and(|servers| !servers.is_empty())
    }

    /// Whether it asks for thinking.
    pub(crate) fn thinks(&self) -> bool {
        matches!(self.thinking(), "enabled" | "adaptive" | "between_tools")
    }

    /// Whether each reply thinks first.
    pub(crate) fn always_thinks(&self) -> bool {
        self.thinking() == "enabled"
    }

    fn thinking(&self) -> &'a str {
        self.member("thinking").and_then(|thinking| thinking.get("type")?.as_str()).unwrap_or_default()
    }

    /// What the user has said last, and what was said of it before: texts of the newest turn of the user.
    pub(crate) fn prompt(&self) -> String {
        let is_user = |turn: &&Value| turn.get("role").and_then(Value::as_str) == Some("user");
        let texts = self.request.messages.iter().rev().filter(is_user).map(texts);
        texts.into_iter().find(|texts| !texts.is_empty()).unwrap_or_default()
    }

    /// The text of the system prompt.
    pub(crate) fn system(&self) -> String {
        self.member("system").map(texts_of).unwrap_or_default()
    }

    /// Whether the last turn is the user's and has results of tools alone.
    pub(crate) fn brings_results(&self) -> bool {
        let last = self.request.messages.last().and_then(|turn| turn.get("content")?.as_array());
        let is_result = |block: &Value| block.get("type").and_then(Value::as_str) == Some("tool_result");
        last.is_some_and(|blocks| blocks.iter().any(is_result))
    }

    /// The most tokens of the reply.
    pub(crate) fn most(&self) -> u64 {
        self.member("max_tokens").and_then(Value::as_u64).unwrap_or(u64::MAX)
    }

    /// The tool that it forces: one by its name, or any.
    pub(crate) fn forced(&self) -> Option<Forced<'a>> {
        let choice = self.member("tool_choice")?;
        match choice.get("type")?.as_str()? {
            "tool" => choice.get("name")?.as_str().map(Forced::Named),
            "any" => Some(Forced::Any),
            _ => None,
        }
    }

    /// The schema that the text of the reply must fit.
    pub(crate) fn format(&self) -> Option<&'a Value> {
        let nested = self.member("output_config").and_then(|output| output.get("format"));
        nested.or_else(|| self.member("output_format")).and_then(|format| format.get("schema"))
    }
}

/// A tool that must be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forced<'a> {
    /// This one.
    Named(&'a str),
    /// Any.
    Any,
}

/// Types of tools that the API describes and the client runs.
const AT_CLIENT: [&str; 5] = ["custom", "bash", "text_editor", "computer", "memory"];

fn runs_at_client(kind: &str) -> bool {
    AT_CLIENT.iter().any(|known| kind.starts_with(known))
}

/// The texts of a turn, a line each.
fn texts(turn: &Value) -> String {
    turn.get("content").map(texts_of).unwrap_or_default()
}

/// The texts of content: a string, or the text blocks of a list.
fn texts_of(content: &Value) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
    texts.join("\n")
}
