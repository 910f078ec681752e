//! Unread faults in *recording*: parents, hints, what waits, and how lines are appended.

use serde_json::value::to_raw_value;
use turnproof::operation::RecordStep;
use turnproof::operation::Value;

use super::{Unread, unread};
use crate::log::{mentions, result_id};
use crate::recorder::{Process, Slip, Tip};
use crate::walk::{blocks, is, kind, list, text};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "record/unread-second-process-is-a-subagent",
        "3.2.2: no line is of a subagent whose message is not (anthropics/claude-code#80654)",
        "takes a process that goes on with a file for a subagent's",
        Wrong::Record(Slip::Start(|start| {
            if start.is_second {
                start.options.is_sidechain = Some(true);
            }
        })),
    ),
    unread(
        "record/unread-folder-of-the-process",
        "3.2.2: what the message says of cwd stays",
        "writes the folder of the process, also where the message names its own",
        Wrong::Record(Slip::Line(|line| {
            if line.contains_key("cwd") {
                line.extend(to_raw_value("/home/user").ok().map(|folder| ("cwd".to_owned(), folder)));
            }
        })),
    ),
    unread(
        "record/unread-hint-before-what-is-recorded",
        "3.2.8: recorded messages that begin the list move the tip on as always",
        "hangs the first new message on the hint, although recorded messages begin the list",
        Wrong::Record(Slip::Parent(|new| {
            let is_old = |message: &Value| mentions(new.file, text(message, "uuid"));
            let hint = new.hint.filter(|hint| mentions(new.file, hint))?;
            let is_first = !new.before.is_empty() && new.before.iter().all(is_old);
            (is_first && takes_the_tip(new.message)).then(|| hint.to_owned())
        })),
    ),
    unread(
        "record/unread-hint-is-believed",
        "3.2.8: the tip begins at this uuid, if it is recorded; otherwise the hint is passed over",
        "begins at the hint, whether it is recorded or not",
        Wrong::Record(Slip::Parent(|new| {
            let is_first = new.before.is_empty() && takes_the_tip(new.message);
            new.hint.filter(|_| is_first).map(str::to_owned)
        })),
    ),
    unread(
        "record/unread-hints-outlive-a-process",
        "3.2.8: a process that dies forgets its hints",
        "keeps the hints for the next list when the process dies",
        Wrong::Record(Slip::Step(|process, step| {
            match step {
                RecordStep::Hints(_) => process.last_hints = Some(step.clone()),
                RecordStep::List(_) | RecordStep::ListBeforeRequest(_) => process.last_hints = None,
                _ => {}
            }
            let hints = process.last_hints.clone().filter(|_| *step == RecordStep::Restart);
            let tip = process.right(step);
            if let Some(hints) = hints {
                drop(process.right(&hints));
            }
            tip
        })),
    ),
    unread(
        "record/unread-summary-hangs-on-what-was",
        "3.2.2: a new message that is no boundary and holds no result gets the tip",
        "hangs the summary of a compaction on the message before the boundary",
        Wrong::Record(Slip::Parent(|new| {
            let boundary = new.before.last().filter(|last| is_boundary(last))?;
            let before = new.before.iter().rev().find(|message| !is_boundary(message));
            let parent = boundary.get("logicalParentUuid").and_then(Value::as_str);
            let parent = parent.or_else(|| before.map(|message| text(message, "uuid")));
            parent.filter(|_| is(new.message, "isCompactSummary")).map(str::to_owned)
        })),
    ),
    unread(
        "record/unread-several-results-hang-on-the-tip",
        "3.2.2: a message that holds a tool result gets the record that sourceToolAssistantUUID names",
        "hangs a message with several results on the message before it",
        Wrong::Record(Slip::Parent(|new| {
            let count = blocks(new.message).iter().filter(|block| result_id(block).is_some()).count();
            new.previous().filter(|_| count > 1).map(|previous| text(previous, "uuid").to_owned())
        })),
    ),
    unread(
        "record/unread-words-beside-a-result",
        "3.2.2: if it holds a tool result: the record that sourceToolAssistantUUID names",
        "hangs a result on its call only if the message holds nothing else",
        Wrong::Record(Slip::Parent(|new| {
            let all = blocks(new.message);
            let is_mixed = all.iter().any(|block| result_id(block).is_some())
                && all.iter().any(|block| result_id(block).is_none());
            new.previous().filter(|_| is_mixed).map(|previous| text(previous, "uuid").to_owned())
        })),
    ),
    unread(
        "record/unread-kept-hang-on-the-summary",
        "3.2.3: the first gets the last line that was written or queued before as its parent",
        "hangs what a boundary preserves on what stands before it in the list",
        Wrong::Record(Slip::Parent(|new| {
            let uuid = text(new.message, "uuid");
            let keeps = |boundary: &Value| {
                let kept = boundary.pointer("/compactMetadata/preservedMessages/uuids").and_then(Value::as_array);
                kept.is_some_and(|kept| kept.iter().any(|one| one.as_str() == Some(uuid)))
            };
            let is_kept =
                takes_the_tip(new.message) && new.before.iter().any(|before| is_boundary(before) && keeps(before));
            new.previous().filter(|_| is_kept).map(|previous| text(previous, "uuid").to_owned())
        })),
    ),
    unread(
        "record/unread-virtual-is-a-parent",
        "3.2.1: the recorder treats virtual messages as if they were not in the list",
        "hangs a message on the virtual one before it",
        Wrong::Record(Slip::Parent(|new| {
            let last = new.before.last().filter(|last| is(last, "isVirtual"))?;
            takes_the_tip(new.message).then(|| text(last, "uuid").to_owned())
        })),
    ),
    unread(
        "record/unread-meta-is-no-parent",
        "3.2.2: the new message becomes the tip",
        "hangs what follows a meta message on the message before that",
        Wrong::Record(Slip::Parent(|new| {
            new.previous().filter(|previous| is(previous, "isMeta") && takes_the_tip(new.message))?;
            let before = new.before.iter().rev().find(|message| {
                matches!(kind(message), "user" | "assistant") && !is(message, "isMeta") && !is(message, "isVirtual")
            });
            before.map(|message| text(message, "uuid").to_owned())
        })),
    ),
    unread(
        "record/unread-blank-line-before-each-append",
        "3.2.5: if the file does not end with LF, the append begins with one; each line is one record",
        "begins each append with LF, whatever the file ends with",
        Wrong::Record(Slip::Append(|file, lines| {
            if !file.bytes.is_empty() {
                file.write(b"\n").map_err(|_| 0_usize)?;
            }
            file.write(lines)
        })),
    ),
    unread(
        "record/unread-line-feeds-between-lines",
        "3.2.5: each line is one record and ends with LF",
        "joins the lines of an append with LF, and writes none after the last",
        Wrong::Record(Slip::Append(|file, lines| {
            let text = lines.strip_suffix(b"\n").unwrap_or(lines);
            match file.right(text) {
                Ok(()) => Ok(()),
                Err(taken) => Err(taken),
            }
        })),
    ),
    unread(
        "record/unread-failed-flush-empties-the-queue",
        "3.2.6: what could not be written stays queued, and the next flush tries again",
        "empties the queue when a flush fails",
        Wrong::Record(Slip::Step(|process, step| {
            let tip = process.right(step);
            if matches!(step, RecordStep::Flush) && tip.is_err() {
                drop(process.right(&RecordStep::Restart));
            }
            tip
        })),
    ),
    unread(
        "record/unread-half-a-line-is-a-line",
        "3.2.6: when a disk takes only a part, the lines that are wholly there count as written",
        "counts the line in which the disk was full as written",
        Wrong::Record(Slip::Append(|file, lines| {
            file.right(lines).map_err(|taken| {
                let rest = lines.get(taken..).unwrap_or_default();
                let is_torn = taken > 0 && lines.get(taken - 1) != Some(&b'\n');
                let end = rest.iter().position(|&byte| byte == b'\n').map_or(lines.len(), |at| taken + at + 1);
                if is_torn { end } else { taken }
            })
        })),
    ),
    unread(
        "record/unread-attachments-start-no-request",
        "3.2.6: a message that starts a request is in the file before the request is sent",
        "writes before a request only if the list ends with a user message",
        Wrong::Record(Slip::Step(|process, step| match step {
            RecordStep::ListBeforeRequest(json) if last_kind(json) != "user" => {
                process.right(&RecordStep::List(json.clone()))
            }
            _ => process.right(step),
        })),
    ),
    unread(
        "record/unread-queues-up-to-the-mistake",
        "3.2.6: a list with a message without a uuid is refused, and nothing of it is queued",
        "refuses a list at its first message without a uuid, when those before it are queued",
        Wrong::Record(Slip::Step(queue_up_to_the_mistake)),
    ),
    unread(
        "record/unread-hook-results-are-live-only",
        "3.2.1: written are user, assistant, system, attachment and hook-result messages",
        "does not write the results of hooks",
        Wrong::Record(Slip::Step(|process, step| {
            let without = |json: &str| match list(json) {
                Some(messages) if messages.iter().any(|message| kind(message) == "hook_result") => {
                    Value::Array(messages.into_iter().filter(|message| kind(message) != "hook_result").collect())
                        .to_string()
                }
                _ => json.to_owned(),
            };
            match step {
                RecordStep::List(json) => process.right(&RecordStep::List(without(json).into())),
                RecordStep::ListBeforeRequest(json) => {
                    process.right(&RecordStep::ListBeforeRequest(without(json).into()))
                }
                _ => process.right(step),
            }
        })),
    ),
    unread(
        "record/unread-last-line-of-anybody",
        "3.2.2: after a restart that is the last message of the file, subagents aside",
        "takes the last record of the file for what came before a boundary, also a subagent's",
        Wrong::Record(Slip::Start(|start| {
            if let Some(last) = start.held.uuids.last() {
                start.held.last = Some(last.as_str().into());
            }
        })),
    ),
];

fn queue_up_to_the_mistake(process: &mut Process, step: &RecordStep) -> Tip {
    let tip = process.right(step);
    if let (RecordStep::List(json), Err(_)) = (step, &tip) {
        let messages = list(json).unwrap_or_default();
        let good = messages.iter().take_while(|message| !text(message, "uuid").is_empty()).cloned().collect();
        drop(process.right(&RecordStep::List(Value::Array(good).to_string().into())));
    }
    tip
}

fn is_boundary(message: &Value) -> bool {
    kind(message) == "system" && text(message, "subtype") == "compact_boundary"
}

/// Whether the parent of a message is the tip: it is neither a boundary nor a result.
fn takes_the_tip(message: &Value) -> bool {
    let has_result = blocks(message).iter().any(|block| result_id(block).is_some());
    message.is_object() && !is_boundary(message) && !has_result
}

fn last_kind(json: &str) -> String {
    list(json).unwrap_or_default().last().map(|last| kind(last).to_owned()).unwrap_or_default()
}
