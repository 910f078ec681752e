//! Results *beside* the conversation: a resume takes one result for each id of a call.

use std::collections::{HashMap, HashSet};

use crate::message::Block;
use crate::normalize::api::Turn;
use crate::repair::stored::Stored;
use crate::transcript::{BlockHead, Link, Record, Transcript};

/// Whether a record names another one as its source or its parent.
pub(super) fn names(record: &Record<'_>, uuid: Option<&str>) -> bool {
    let Some(uuid) = uuid else { return false };
    record.head.source_assistant.is_some_and(|source| record.text(source) == uuid)
        || matches!(record.parent(), Link::To(parent) if parent == uuid)
}

/// The results that stand beside the conversation, by the uuid that they name as their parent or their source, and the
/// id of their call: a resume takes one result for each id.
pub(super) fn results_beside(
    transcript: &Transcript,
    conversation: &Stored,
) -> HashMap<(String, String), (usize, BlockHead)> {
    let in_conversation: HashSet<usize> = conversation.rows.iter().copied().collect();
    let mut beside = HashMap::new();
    for (row, record) in transcript.records().enumerate().filter(|(row, _)| !in_conversation.contains(row)) {
        let results = record.blocks.iter().filter(|block| {
            block.type_name.is_some_and(|name| record.text(name) == "tool_result") && record.type_name() == "user"
        });
        for block in results {
            let Some(id) = block.tool_use_id.map(|id| record.text(id).into_owned()) else { continue };
            let source = record.head.source_assistant.map(|source| record.text(source).into_owned());
            let parent = match record.parent() {
                Link::To(parent) => Some(parent.into_owned()),
                _ => None,
            };
            for uuid in source.into_iter().chain(parent) {
                beside.insert((uuid, id.clone()), (row, *block));
            }
        }
    }
    beside
}

/// How many results a turn has for each id.
pub(super) fn answers(turn: Option<&Turn<'_>>) -> HashMap<String, usize> {
    let mut answers = HashMap::new();
    for part in turn.iter().flat_map(|turn| &turn.content) {
        if let Some(Block::ToolResult(result)) = part.block()
            && let Some(id) = result.tool_use_id.as_str()
        {
            *answers.entry(id.to_owned()).or_default() += 1;
        }
    }
    answers
}
