//! The *log* of a loop, changed: what was yielded, what requests were made of, what came back.

use std::collections::HashSet;

use turnproof_rules::operation::{Moment, Played, Value};

use super::walk::{blocks, blocks_mut, is, kind, text};

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
    change_lists(moments, |list| list.retain(|message| !is_lost(message)));
}

/// Changes each list of messages in the log.
pub(super) fn change_lists(moments: &mut [Moment], change: impl Fn(&mut Vec<Value>)) {
    for moment in moments {
        let (Moment::Requested { messages: list, .. }
        | Moment::Compacted(list)
        | Moment::Resumed(list)
        | Moment::Forked(list)) = moment
        else {
            continue;
        };
        list.value.as_array_mut().into_iter().for_each(&change);
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
        Moment::Requested { transcript, .. } | Moment::Crashed { transcript } => Some(transcript),
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

/// What a moment yields.
pub(super) fn yielded(moment: &Moment) -> Option<&Value> {
    match moment {
        Moment::Yielded(event) => Some(&event.value),
        _ => None,
    }
}

/// Changes each message wherever it is: yielded, in lists, on disk.
pub(super) fn change_messages(played: &mut Played, change: impl Fn(&mut Value)) {
    for moment in &mut played.moments {
        if let Moment::Yielded(message) | Moment::Amended(message) = moment {
            change(&mut message.value);
        }
    }
    change_lists(&mut played.moments, |list| list.iter_mut().for_each(&change));
    change_written(&mut played.moments, &mut played.transcript, |records| records.iter_mut().for_each(&change));
}

/// Changes the turns of each request.
pub(super) fn change_turns(moments: &mut [Moment], change: impl Fn(&mut Vec<Value>)) {
    for moment in moments {
        if let Moment::Requested { turns, .. } = moment {
            turns.value.as_array_mut().into_iter().for_each(&change);
        }
    }
}

/// Changes each result of a tool wherever it is, also in the turns of requests.
pub(super) fn change_results(played: &mut Played, change: impl Fn(&mut Value)) {
    let change_all = |message: &mut Value| {
        blocks_mut(message).into_iter().flatten().filter(|block| result_id(block).is_some()).for_each(&change);
    };
    change_messages(played, change_all);
    change_turns(&mut played.moments, |turns| turns.iter_mut().for_each(change_all));
}

/// Whether a message is a prompt.
pub(super) fn is_prompt(message: &Value) -> bool {
    let is_other = ["isMeta", "isCompactSummary", "isVirtual"].iter().any(|flag| is(message, flag));
    kind(message) == "user" && !is_other && !blocks(message).iter().any(|block| result_id(block).is_some())
}
