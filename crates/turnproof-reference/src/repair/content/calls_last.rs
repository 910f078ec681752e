//! In a turn with blocks of server tools, the client's *calls come last*, so that their results follow at once.

use std::collections::HashMap;

use super::{BlockEdit, apply};
use crate::message::Typed;
use crate::normalize::api::{Role, Turn, as_stored, is_server_part, without_halves_of_server_tools};
use crate::repair::file::File;
use crate::repair::stored::Stored;

pub(super) fn fix(file: &mut File) {
    let conversation = file.rows.stored();
    let turns = as_stored(&conversation.messages);
    let mut seen: HashMap<(u32, String), usize> = HashMap::new();
    let mut edits = Vec::new();
    for turn in turns.iter().filter(|turn| turn.role == Role::Assistant) {
        edits.extend(moved(&conversation, turn, &mut seen));
    }
    apply(file, edits);
}

/// Moves the calls of a turn behind its last block, if they stand before a block of a server tool that stays.
fn moved(conversation: &Stored, turn: &Turn<'_>, seen: &mut HashMap<(u32, String), usize>) -> Vec<BlockEdit> {
    let mut places = Vec::with_capacity(turn.content.len());
    for part in &turn.content {
        let nth = part.source.map(|source| seen.entry((source, part.type_name().to_owned())).or_default());
        let place = part.source.zip(nth).and_then(|(source, nth)| {
            *nth += 1;
            conversation.element(source, part.type_name(), *nth - 1)
        });
        places.push(place);
    }
    let stays = without_halves_of_server_tools(turn);
    let is_server = |at: &usize| is_server_part(&turn.content[*at]) && stays[*at];
    let Some(last_server) = (0..turn.content.len()).rfind(is_server) else { return Vec::new() };
    let is_call = |at: &usize| turn.content[*at].type_name() == "tool_use";
    let calls: Vec<usize> = (0..last_server).filter(is_call).collect();
    let Some(last) = (0..turn.content.len()).rev().find(|at| places[*at].is_some()).filter(|_| !calls.is_empty())
    else {
        return Vec::new();
    };
    const RULE: &str = "pairing/server-tools";
    let json = |at: usize| turn.content[at].to_block().to_json();
    let gone = calls.iter().filter_map(|&at| {
        let (row, element) = places[at]?;
        let what = "the call is behind the blocks of server tools, and here no more".to_owned();
        Some(BlockEdit { row, element, new: None, rule: RULE, what })
    });
    let behind = places[last].map(|(row, element)| {
        let new = [last].iter().chain(&calls).map(|&at| json(at)).collect::<Vec<_>>().join(",");
        let what = format!("{} calls stand behind the blocks of server tools now", calls.len());
        BlockEdit { row, element, new: Some(new), rule: RULE, what }
    });
    gone.chain(behind).collect()
}
