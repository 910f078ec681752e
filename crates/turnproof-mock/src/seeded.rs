//! Replies *from a source* of choices, a seed or bytes: every kind of block that the request allows, in every order that
//! a model may give, and every reason to stop.

use serde_json::{Value, json};
use turnproof_suite::scenario::pool::PoolText;
use turnproof_suite::scenario::{Choice, Source};

use crate::asked::Asked;
use crate::compose::{blocks, of_blocks};
use crate::ids::Ids;
use crate::reply::{Block, Reply, Stop};
use crate::script::BlockPlan;
use crate::token::Token;
use crate::tool::Use;

/// The reply to a request that a source chooses. It depends on the request's number, too, and on what it allows.
pub(crate) fn reply(source: &mut dyn Source, asked: &Asked<'_>, ids: Ids) -> Reply {
    let mut blocks = Vec::new();
    // A loop of calls must end sometime.
    let may_call = !asked.number.is_multiple_of(8) && asked.client_tools().next().is_some();
    thoughts(source, asked, ids, &mut blocks);
    host_tools(source, asked, ids, &mut blocks);
    if source.below(4) > 0 {
        blocks.push(text(source));
    }
    let calls = if may_call { source.below(4) } else { 0 };
    for _ in 0..calls {
        blocks.extend(call(source, asked, ids, blocks.len()));
    }
    // Text behind calls was seen of models, and is rare.
    if source.once_in(16) {
        blocks.push(text(source));
    }
    if source.once_in(12) {
        blocks.push(Block::Whole(json!({"type": "block_of_tomorrow", "novelty": {"a": [1, 2.5]}})));
    }
    // Replies without blocks, or of thinking alone, are rare but real.
    if source.once_in(16) {
        blocks.retain(|block| matches!(block, Block::Thinking { .. }));
    }
    let mut reply = of_blocks(blocks, asked);
    reply.stop = stop(source, &reply);
    reply
}

fn thoughts(source: &mut dyn Source, asked: &Asked<'_>, ids: Ids, into: &mut Vec<Block>) {
    let least = u32::from(asked.always_thinks());
    let count = if asked.thinks() { source.below(3).max(least) } else { 0 };
    for _ in 0..count {
        let signature = ids.signature(asked.number, into.len() as u64);
        into.push(match source.below(6) {
            0 => Block::Redacted { data: signature },
            1 => Block::Thinking { thinking: Token::of(""), signature },
            _ => Block::Thinking { thinking: odd_text(source), signature },
        });
    }
}

/// Calls of the host's tools that the request declares, each with its result.
fn host_tools(source: &mut dyn Source, asked: &Asked<'_>, ids: Ids, into: &mut Vec<Block>) {
    let names = ["web_search", "web_fetch", "code_execution"].into_iter().filter(|name| asked.has_host_tool(name));
    let names: Vec<&str> = names.filter(|_| source.once_in(2)).collect();
    let plans = names.into_iter().flat_map(|name| {
        let call = BlockPlan::ServerToolUse { name: name.to_owned(), input: json!({"query": "a"}) };
        [call, BlockPlan::ServerToolResult { content: Value::Null }]
    });
    let numbered = Ids { seed: ids.seed ^ 1 };
    into.extend(blocks(&plans.collect::<Vec<_>>(), asked, numbered).0);
}

fn call(source: &mut dyn Source, asked: &Asked<'_>, ids: Ids, at: usize) -> Option<Block> {
    let tools: Vec<&str> = asked.client_tools().map(|(name, _)| name).collect();
    let mut plan = BlockPlan::call(Use::Any, "echo alpha");
    if let BlockPlan::ToolUse { wanted, name, written, id, .. } = &mut plan {
        match source.below(8) {
            0 => *wanted = Some(Use::Undeclared),
            1 => *wanted = Some(Use::Shell),
            2 => *wanted = Some(Use::Read),
            _ => *name = tools.get(source.below(tools.len() as u32) as usize).map(|name| (*name).to_owned()),
        }
        // A tool that needs nothing is called without a delta; inputs may have spaces around them.
        *written = match source.below(12) {
            0 => Some(String::new()),
            1 => Some(r#" {"wrong_member": {"deep": [1, 2.50, null]}} "#.to_owned()),
            _ => None,
        };
        *id = Some(ids.call(asked.number, at as u64));
    }
    blocks(&[plan], asked, ids).0.pop()
}

fn text(source: &mut dyn Source) -> Block {
    let citation = json!({
        "type": "char_location", "cited_text": "a", "document_index": 0, "document_title": null,
        "start_char_index": 0, "end_char_index": 1, "file_id": null,
    });
    let citations = if source.once_in(8) { vec![citation] } else { Vec::new() };
    Block::Text { text: odd_text(source), citations }
}

/// A text of the suite's pool. Half of a surrogate pair comes from no host but a few gateways, and no client may keep it.
fn odd_text(source: &mut dyn Source) -> Token {
    let pooled = PoolText::at(source.byte(PoolText::count())).token();
    Token::written(&pooled)
        .filter(|token| serde_json::from_str::<String>(token.as_json()).is_ok())
        .unwrap_or_else(|| Token::of("a"))
}

/// A reason to stop that fits.
fn stop(source: &mut dyn Source, reply: &Reply) -> Stop {
    if reply.stop.reason == "tool_use" {
        return reply.stop.clone();
    }
    match source.below(12) {
        0 => Stop::because("max_tokens"),
        1 => Stop::because("refusal"),
        2 => Stop { sequence: Some("END".to_owned()), ..Stop::because("stop_sequence") },
        3 => Stop::because("model_context_window_exceeded"),
        _ => reply.stop.clone(),
    }
}
