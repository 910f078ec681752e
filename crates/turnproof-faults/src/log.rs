//! The *log* of a loop, changed: what was yielded, what requests were made of, what came back.

use std::collections::HashSet;

use turnproof::operation::Moment;
use turnproof::operation::Value;

use super::walk::{blocks, blocks_mut, kind, text};

/// The uuids of messages that were typed while a turn ran.
pub(super) fn queued(moments: &[Moment]) -> HashSet<String> {
    let mut waiting = HashSet::new();
    let mut joined = HashSet::new();
    for moment in moments {
        match moment {
            Moment::Typed { input, queued: true, .. } => drop(waiting.insert(*input)),
            Moment::Joined { input, uuid } if waiting.contains(input) => drop(joined.insert(uuid.clone())),
            _ => {}
        }
    }
    joined
}

/// Changes each message that was typed while a turn ran, when it is yielded.
pub(super) fn change_queued(moments: &mut [Moment], change: fn(&mut Value)) {
    let queued = queued(moments);
    for moment in moments {
        match moment {
            Moment::Yielded(message) if queued.contains(text(&message.value, "uuid")) => change(&mut message.value),
            _ => {}
        }
    }
}

pub(super) fn change_requests(moments: &mut [Moment], change: fn(&mut Vec<Value>, &mut Vec<Value>)) {
    for moment in moments {
        if let Moment::Requested { messages, turns, .. } = moment
            && let (Value::Array(messages), Value::Array(turns)) = (&mut messages.value, &mut turns.value)
        {
            change(messages, turns);
        }
    }
}

pub(super) fn change_resumed(moments: &mut [Moment], change: fn(&mut Vec<Value>)) {
    for moment in moments {
        if let Moment::Resumed(list) = moment {
            list.value.as_array_mut().into_iter().for_each(change);
        }
    }
}

/// Drops messages from the log: they are not yielded, do not join and are in no list.
pub(super) fn drop_messages(moments: &mut Vec<Moment>, uuids: &HashSet<String>) {
    let is_lost = |message: &Value| uuids.contains(text(message, "uuid"));
    moments.retain(|moment| match moment {
        Moment::Yielded(message) => !is_lost(&message.value),
        Moment::Joined { uuid, .. } => !uuids.contains(uuid),
        _ => true,
    });
    for moment in moments {
        let (Moment::Requested { messages: list, .. }
        | Moment::Compacted(list)
        | Moment::Resumed(list)
        | Moment::Forked(list)) = moment
        else {
            continue;
        };
        list.value.as_array_mut().into_iter().for_each(|list| list.retain(|message| !is_lost(message)));
    }
}

/// Drops results from messages or turns, and messages that held nothing else.
pub(super) fn drop_results(list: &mut Vec<Value>, is_lost: impl Fn(&Value) -> bool) {
    let is_result = |block: &Value| result_id(block).is_some() && is_lost(block);
    list.retain(|message| blocks(message).is_empty() || !blocks(message).iter().all(is_result));
    for blocks in list.iter_mut().filter_map(blocks_mut) {
        blocks.retain(|block| !is_result(block));
    }
}

/// Changes the records of each transcript in a log. A line that is no JSON stays as it is.
pub(super) fn change_written(moments: &mut [Moment], transcript: &mut Vec<u8>, change: impl Fn(&mut [Value])) {
    let within = moments.iter_mut().filter_map(|moment| match moment {
        Moment::Requested { transcript, .. } | Moment::Crashed(transcript) => Some(transcript),
        _ => None,
    });
    for bytes in within.chain([transcript]) {
        let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let (places, mut records): (Vec<usize>, Vec<Value>) =
            (0..).zip(&lines).filter_map(|(at, line)| Some((at, serde_json::from_slice(line).ok()?))).unzip();
        change(&mut records);
        let mut changed: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
        for (at, record) in places.into_iter().zip(&records) {
            changed[at] = format!("{record}\n").into_bytes();
        }
        *bytes = changed.concat();
    }
}

/// The call that a block is the result of.
pub(super) fn result_id(block: &Value) -> Option<&str> {
    (kind(block) == "tool_result").then(|| text(block, "tool_use_id"))
}

/// Whether a transcript, or a line of one, holds the record of this uuid.
pub(super) fn mentions(bytes: &[u8], uuid: &str) -> bool {
    let member = format!("\"uuid\":\"{uuid}\"");
    bytes.windows(member.len()).any(|window| window == member.as_bytes())
}
