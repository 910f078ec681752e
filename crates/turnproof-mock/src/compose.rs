//! A reply is *composed* of what a script or a seed says, for the request in question: calls of its tools, ids, counts,
//! and nothing that the request does not allow.

use serde_json::{Value, json};
use turnproof_format::{MCP_CALL, result_of};

use crate::asked::Asked;
use crate::ids::Ids;
use crate::reply::{Block, Call, Reply, Stop, Usage, Whose};
use crate::script::{BlockPlan, Step, UsagePlan};
use crate::token::Token;
use crate::tool::{MadeUp, Use, made_up, named};

/// A reply, and what was left out of it, with the reason.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Composed {
    pub(crate) reply: Reply,
    pub(crate) left_out: Vec<String>,
}

/// Composes the reply of a step.
pub(crate) fn of_step(step: &Step, asked: &Asked<'_>, ids: Ids) -> Composed {
    let text = step.text.iter().map(|text| BlockPlan::text(text));
    let plans: Vec<BlockPlan> = text.chain(step.blocks.iter().cloned()).collect();
    let (blocks, left_out) = blocks(&plans, asked, ids);
    let mut reply = of_blocks(blocks, asked);
    if let Some(reason) = &step.stop {
        reply.stop = Stop::because(reason);
    }
    if let Some(sequence) = &step.stop_sequence {
        reply.stop = Stop { sequence: Some(sequence.clone()), ..Stop::because("stop_sequence") };
    }
    if let Some(plan) = &step.usage {
        reply.usage = usage(plan, reply.usage);
    }
    Composed { reply, left_out }
}

/// A reply of blocks, with the end and the counts that fit them.
pub(crate) fn of_blocks(blocks: Vec<Block>, asked: &Asked<'_>) -> Reply {
    let calls = blocks.iter().any(Block::is_client_call);
    let output = blocks.iter().map(|block| tokens(block.json().len() as u64)).sum::<u64>();
    Reply {
        blocks,
        stop: Stop::because(if calls { "tool_use" } else { "end_turn" }),
        usage: Usage { input: tokens(asked.request.bytes), output, ..Usage::default() },
    }
}

/// About how many tokens so many bytes are.
pub(crate) fn tokens(bytes: u64) -> u64 {
    bytes.div_ceil(4).max(1)
}

fn usage(plan: &UsagePlan, estimated: Usage) -> Usage {
    Usage {
        input: plan.input_tokens.unwrap_or(estimated.input),
        output: plan.output_tokens.unwrap_or(estimated.output),
        cache_write: plan.cache_creation_input_tokens,
        cache_read: plan.cache_read_input_tokens,
    }
}

/// The blocks of plans that the request allows, and what was left out.
pub(crate) fn blocks(plans: &[BlockPlan], asked: &Asked<'_>, ids: Ids) -> (Vec<Block>, Vec<String>) {
    let mut composer = Composer { asked, ids, blocks: Vec::new(), left_out: Vec::new(), open: Vec::new() };
    plans.iter().for_each(|plan| composer.add(plan));
    (composer.blocks, composer.left_out)
}

struct Composer<'a> {
    asked: &'a Asked<'a>,
    ids: Ids,
    blocks: Vec<Block>,
    left_out: Vec<String>,
    /// The calls of the host's tools without a result: the id and the type of the result.
    open: Vec<(String, &'static str)>,
}

impl Composer<'_> {
    fn add(&mut self, plan: &BlockPlan) {
        match plan {
            BlockPlan::Text { text, citations, half_a_pair } => {
                let token = Token::of(text);
                let text = if *half_a_pair { token.with_half_a_pair() } else { token };
                self.blocks.push(Block::Text { text, citations: citations.clone() });
            }
            BlockPlan::Thinking { .. } | BlockPlan::RedactedThinking { .. } if !self.asked.thinks() => {
                self.leave_out("thinking that the request does not ask for");
            }
            BlockPlan::Thinking { thinking, signature } => {
                let made = || self.ids.signature(self.asked.number, self.blocks.len() as u64);
                let signature = signature.clone().unwrap_or_else(made);
                self.blocks.push(Block::Thinking { thinking: Token::of(thinking), signature });
            }
            BlockPlan::RedactedThinking { data } => {
                let made = || self.ids.signature(self.asked.number, self.blocks.len() as u64);
                self.blocks.push(Block::Redacted { data: data.clone().unwrap_or_else(made) });
            }
            BlockPlan::ToolUse { .. } => self.call(plan),
            BlockPlan::ServerToolUse { name, input } => self.server_call(name, input),
            BlockPlan::ServerToolResult { content } => self.server_result(content),
            BlockPlan::Block { json } => self.blocks.push(Block::Whole(json.clone())),
        }
    }

    fn leave_out(&mut self, what: &str) {
        self.left_out.push(what.to_owned());
    }

    fn call(&mut self, plan: &BlockPlan) {
        let BlockPlan::ToolUse { wanted, text, name, input, written, id } = plan else { return };
        let text = text.as_deref().unwrap_or("echo alpha");
        let has_tools = self.asked.client_tools().next().is_some();
        let made = match name {
            Some(name) => has_tools.then(|| named(self.asked, name)),
            None => made_up(self.asked, wanted.unwrap_or(Use::Any), text),
        };
        let Some(MadeUp { name, input: fitting }) = made else {
            return self.leave_out("a call, and the request declares no tool");
        };
        let input = input.clone().unwrap_or(fitting).to_string();
        let made = || self.ids.call(self.asked.number, self.blocks.len() as u64);
        let id = id.clone().unwrap_or_else(made);
        let input = written.clone().unwrap_or(input);
        self.blocks.push(Block::Call(Call { whose: Whose::Client, id, name, input, server: None }));
    }

    fn server_call(&mut self, name: &str, input: &Value) {
        let (asked, at) = (self.asked, self.blocks.len() as u64);
        let (whose, is_declared) = match name.split_once('/') {
            Some(_) => (Whose::McpServer, asked.has_mcp_servers()),
            None => (Whose::Host, asked.has_host_tool(declaration(name))),
        };
        if !is_declared {
            return self.leave_out(&format!("a call of {name}, which the request does not declare"));
        }
        let (server, name) =
            name.split_once('/').map_or((None, name), |(server, name)| (Some(server.to_owned()), name));
        let id = match whose {
            Whose::McpServer => self.ids.mcp_call(asked.number, at),
            Whose::Host | Whose::Client => self.ids.server_call(asked.number, at),
        };
        let kind = if whose == Whose::McpServer { MCP_CALL } else { "" };
        self.open.push((id.clone(), result_of(kind, name).unwrap_or("web_search_tool_result")));
        let input = if input.is_object() { input.to_string() } else { "{}".to_owned() };
        self.blocks.push(Block::Call(Call { whose, id, name: name.to_owned(), input, server }));
    }

    fn server_result(&mut self, content: &Value) {
        let Some((id, kind)) = self.open.pop() else {
            return self.leave_out("a result of the host, and no call is before it");
        };
        let content = match (content, kind) {
            (Value::Null, "mcp_tool_result") => json!([{"type": "text", "text": "a"}]),
            (Value::Null, _) => json!({"type": format!("{kind}_error"), "error_code": "unavailable"}),
            (content, _) => content.clone(),
        };
        let mut block = json!({"type": kind, "tool_use_id": id, "content": content});
        if kind == "mcp_tool_result" {
            block["is_error"] = false.into();
        }
        self.blocks.push(Block::Whole(block));
    }
}

/// The type under which a request declares a tool of the host, without its date.
fn declaration(name: &str) -> &str {
    match name {
        "bash_code_execution" | "text_editor_code_execution" => "code_execution",
        name => name,
    }
}

impl BlockPlan {
    /// A plain text.
    pub(crate) fn text(text: &str) -> Self {
        Self::Text { text: text.to_owned(), citations: Vec::new(), half_a_pair: false }
    }

    /// A call of a tool for a use.
    pub(crate) fn call(wanted: Use, text: &str) -> Self {
        Self::ToolUse {
            wanted: Some(wanted),
            text: Some(text.to_owned()),
            name: None,
            input: None,
            written: None,
            id: None,
        }
    }
}
