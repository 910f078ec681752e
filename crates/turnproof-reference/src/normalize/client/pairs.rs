//! Each call has one result in the turn after it. The client drops what has no partner.

use std::collections::HashSet;

use super::turn::{ClientRole, ClientTurn};
use crate::message::{Block, Content, TextBlock, ToolResult, constants};

/// The turns, with their calls and results paired.
pub(super) fn paired(turns: Vec<ClientTurn>) -> Vec<ClientTurn> {
    let answered: HashSet<String> = turns.iter().flat_map(|turn| results(&turn.content)).collect();
    let (mut seen, mut open, mut paired): (HashSet<String>, Vec<String>, Vec<ClientTurn>) = Default::default();
    for turn in turns {
        match turn.role {
            ClientRole::System => paired.push(turn),
            ClientRole::Assistant => {
                let reply = reply(turn, &mut seen, &answered);
                open = calls(&reply.content);
                paired.push(reply);
            }
            ClientRole::User => {
                let user = user(turn, &mut open);
                paired.push(user);
            }
        }
    }
    paired
}

/// The ids of the calls that a turn has results of.
fn results(content: &Content) -> HashSet<String> {
    let id = |block: &Block| match block {
        Block::ToolResult(result) => result.tool_use_id.as_str().map(str::to_owned),
        _ => None,
    };
    content.blocks().iter().filter_map(id).collect()
}

/// The ids of the calls of a reply.
fn calls(content: &Content) -> Vec<String> {
    let id = |block: &Block| match block {
        Block::ToolUse(call) => call.id.as_str().map(str::to_owned),
        _ => None,
    };
    content.blocks().iter().filter_map(id).collect()
}

/// A reply without calls whose id was used, and without those that nothing answers.
fn reply(turn: ClientTurn, seen: &mut HashSet<String>, answered: &HashSet<String>) -> ClientTurn {
    let mut blocks = turn.content.into_blocks();
    blocks.retain(|block| match block {
        Block::ToolUse(call) => call.id.as_str().is_none_or(|id| answered.contains(id) && seen.insert(id.to_owned())),
        _ => true,
    });
    if blocks.is_empty() {
        let mut text = TextBlock::new(constants::TOOL_USE_INTERRUPTED);
        text.citations = Some(crate::json::Raw::fixed("[]")).into();
        blocks.push(text.into());
    }
    ClientTurn::new(ClientRole::Assistant, blocks)
}

/// A turn of the user, with the results of the calls before it and no others.
fn user(turn: ClientTurn, open: &mut Vec<String>) -> ClientTurn {
    if open.is_empty() && results(&turn.content).is_empty() {
        return match &turn.content {
            Content::Blocks(blocks) if blocks.is_empty() => no_content(),
            _ => turn,
        };
    }
    let open = std::mem::take(open);
    let (calls, mut given): (HashSet<&String>, HashSet<String>) = (open.iter().collect(), HashSet::new());
    let mut blocks = turn.content.into_blocks();
    blocks.retain(|block| match block {
        Block::ToolResult(result) => {
            let id = result.tool_use_id.as_str().unwrap_or_default().to_owned();
            calls.contains(&id) && given.insert(id)
        }
        _ => true,
    });
    let missing = open.iter().filter(|id| !given.contains(*id));
    let missing = missing.map(|id| ToolResult::new(id.as_str(), constants::MISSING_TOOL_RESULT, true).into());
    let missing: Vec<Block> = missing.collect();
    blocks.splice(0..0, missing);
    match blocks.is_empty() {
        true => no_content(),
        false => ClientTurn::new(ClientRole::User, blocks),
    }
}

fn no_content() -> ClientTurn {
    ClientTurn::new(ClientRole::User, vec![TextBlock::new(constants::NO_CONTENT).into()])
}
