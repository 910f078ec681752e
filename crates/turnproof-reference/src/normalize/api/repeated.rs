//! A *repeated* call is one that a line says again: it has the id, the tool and the input of a call of the same turn.
//!
//! A client that writes a line twice makes such calls (issues 20508 and 21083 of anthropics/claude-code). Another call
//! may have the same id too, since some vendors number the calls of each reply from 0. That one is no repetition.

use std::collections::{HashMap, HashSet};

use turnproof_format::MCP_CALL;

use crate::json::{Raw, Text};
use crate::message::Block;
use crate::operation::Plain;

use super::draft::Part;

/// What a call asks for.
#[derive(PartialEq, Eq, Hash)]
struct Call<'p> {
    id: Text,
    /// The type of its block.
    block: &'p str,
    /// The server that has the tool, if it is named.
    server: Option<Text>,
    tool: Option<Text>,
    /// The input. It is only read where an id comes twice.
    input: Option<String>,
}

/// For each part of a turn, whether it is a call that repeats an earlier one of the turn.
pub(super) fn repeated(parts: &[Part<'_>]) -> Vec<bool> {
    let mut repeated = vec![false; parts.len()];
    let mut places: HashMap<Text, Vec<usize>> = HashMap::new();
    for (place, part) in parts.iter().enumerate() {
        if let Some(id) = part.block().and_then(call_id) {
            places.entry(id).or_default().push(place);
        }
    }
    for places in places.into_values().filter(|places| places.len() > 1) {
        let mut said = HashSet::new();
        for place in places {
            let call = parts[place].block().and_then(call);
            repeated[place] = call.is_some_and(|call| !said.insert(call));
        }
    }
    repeated
}

/// The id of a call, whoever runs the tool.
fn call_id(block: &Block) -> Option<Text> {
    match block {
        Block::ToolUse(call) | Block::ServerToolUse(call) => call.id.get().cloned(),
        Block::Unknown(name, fields) if name.as_str() == MCP_CALL => fields.text("id"),
        _ => None,
    }
}

fn call(block: &Block) -> Option<Call<'_>> {
    let (server, tool, input) = match block {
        Block::ToolUse(call) | Block::ServerToolUse(call) => (None, call.name.get().cloned(), call.input.get()),
        Block::Unknown(_, fields) => (fields.text("server_name"), fields.text("name"), fields.get("input")),
        _ => return None,
    };
    Some(Call { id: call_id(block)?, block: block.type_name(), server, tool, input: input.map(canonical) })
}

/// The text of a value as it is shown, whatever the order of members; its own text, if it cannot be read.
fn canonical(value: &Raw) -> String {
    Plain::read(value.get()).map_or_else(|_| value.get().to_owned(), |plain| plain.value.to_string())
}
