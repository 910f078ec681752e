//! Unread faults in what a *loop* keeps: what it sends, writes, compacts and brings back.

use turnproof::operation::Moment;
use turnproof::operation::Value;

use super::super::moments::{cleared, everywhere, for_turns};
use super::play::{is_prompt, is_result};
use super::{Unread, unread};
use crate::log::{change_written, result_id};
use crate::walk::{blocks, blocks_mut, is, is_thinking, kind, remove, text};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "play/unread-no-boundary-in-memory",
        "5.7: a compaction puts a boundary and a summary in the place of what came before",
        "begins the live messages after a compaction with the summary",
        Wrong::Log(|moments| {
            for moment in moments {
                if let Moment::Compacted(list) = moment {
                    let list = list.value.as_array_mut().into_iter();
                    list.for_each(|list| list.retain(|message| text(message, "subtype") != "compact_boundary"));
                }
            }
        }),
    ),
    unread(
        "play/unread-attachments-do-not-come-back",
        "5.8: after a crash all comes back that was live and has a whole line on disk",
        "brings back no attachments",
        Wrong::Resumed(|list| list.retain(|message| kind(message) != "attachment")),
    ),
    unread(
        "play/unread-notices-do-not-come-back",
        "5.8: after a crash all comes back that was live and has a whole line on disk",
        "brings back no notices but boundaries",
        Wrong::Resumed(|list| {
            list.retain(|message| kind(message) != "system" || text(message, "subtype").ends_with("boundary"));
        }),
    ),
    unread(
        "play/unread-open-calls-do-not-come-back",
        "5.8: after a crash all comes back that was live and has a whole line on disk",
        "brings back no call at the end that has no result",
        Wrong::Resumed(|list| {
            let is_call = |message: &Value| blocks(message).iter().any(|block| kind(block) == "tool_use");
            while list.last().is_some_and(is_call) {
                list.pop();
            }
        }),
    ),
    unread(
        "play/unread-unanswered-prompt-does-not-come-back",
        "5.8: after a crash all comes back that was live and has a whole line on disk",
        "does not bring back a last prompt that nobody has answered",
        Wrong::Resumed(|list| {
            if list.last().is_some_and(is_prompt) {
                list.pop();
            }
        }),
    ),
    unread(
        "play/unread-images-first",
        "5.6: all that the live messages hold is in the request, in order and as it was",
        "puts the images of a prompt before its words",
        Wrong::Played(|played| {
            let sort = |message: &mut Value| {
                if (kind(message) == "user" || text(message, "role") == "user")
                    && let Some(blocks) = blocks_mut(message)
                {
                    blocks.sort_by_key(|block| (!is_result(block), kind(block) != "image"));
                }
            };
            everywhere(played, sort);
            for_turns(played, |turns| turns.iter_mut().for_each(sort));
        }),
    ),
    unread(
        "play/unread-old-thinking-is-not-sent",
        "5.6: a request is what normalization makes of the live messages, without a context",
        "sends the thinking of the last reply alone",
        Wrong::Requests(|_, turns| {
            let last = turns.iter().rposition(|turn| text(turn, "role") == "assistant");
            for (_, turn) in turns.iter_mut().enumerate().filter(|(at, _)| Some(*at) != last) {
                if blocks(turn).iter().any(|block| !is_thinking(block)) {
                    blocks_mut(turn).into_iter().for_each(|blocks| blocks.retain(|block| !is_thinking(block)));
                }
            }
        }),
    )
    .withdrawn("6.14.4 wants all thinking of the last reply alone: that of earlier replies may be left out"),
    unread(
        "play/unread-requests-of-people-and-models",
        "5.6: the messages that a request is made of are each user message, assistant message and attachment",
        "says of a request that it was made of prompts and replies, and names no attachment",
        Wrong::Requests(|messages, _| messages.retain(|message| kind(message) != "attachment")),
    ),
    unread(
        "play/unread-cleared-on-disk",
        "5.10: the lines on disk keep what the tools gave",
        "takes what was cleared out of the lines on disk too",
        Wrong::Played(|played| {
            let ids = cleared(played);
            let clear = |record: &mut Value| {
                for block in blocks_mut(record).into_iter().flatten() {
                    if result_id(block).is_some_and(|id| ids.contains(id)) {
                        block["content"] = "(cleared)".into();
                    }
                }
            };
            change_written(&mut [], &mut played.transcript, |records| records.iter_mut().for_each(clear));
        }),
    ),
    unread(
        "play/unread-unsigned-on-disk",
        "5.11: each line of a message is one that was yielded, with each member as it was",
        "writes thinking without its signature",
        Wrong::WrittenEach(|record| {
            for block in blocks_mut(record).into_iter().flatten().filter(|block| is_thinking(block)) {
                remove(block, "signature");
            }
        }),
    ),
    unread(
        "play/unread-no-outputs-on-disk",
        "3.6.2: a record with a tool result also keeps the tool's raw output in toolUseResult",
        "does not write the raw outputs of tools",
        Wrong::WrittenEach(|record| remove(record, "toolUseResult")),
    ),
    unread(
        "play/unread-subagents-hang-on-their-call",
        "3.1.4: a subagent's conversation begins with a null parent",
        "hangs the first line of a subagent on the line before it",
        Wrong::Written(|records| {
            let mut last = Value::Null;
            for record in records {
                if !is(record, "isSidechain") {
                    last = record.get("uuid").cloned().unwrap_or(last);
                } else if record.get("parentUuid") == Some(&Value::Null) {
                    record["parentUuid"] = last.clone();
                }
            }
        }),
    ),
];
