//! Unread faults in *recording* a transcript.

use serde_json::value::RawValue;
use turnproof::operation::{RecordStep, Value};

use super::super::super::recorder::{Members, New, Slip};
use super::super::super::walk::{blocks, kind, list, text};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

/// The members of lines that a schema has.
const KNOWN: [&str; 32] = [
    "type",
    "subtype",
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "timestamp",
    "sessionId",
    "cwd",
    "version",
    "gitBranch",
    "userType",
    "isSidechain",
    "agentId",
    "teamName",
    "agentName",
    "isMeta",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
    "message",
    "requestId",
    "toolUseResult",
    "sourceToolAssistantUUID",
    "isApiErrorMessage",
    "apiError",
    "error",
    "level",
    "content",
    "toolUseID",
    "compactMetadata",
    "microcompactMetadata",
    "attachment",
    "supersedesUuids",
];

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "record/unread-third-no-hook-results",
        "3.2.1: written are user, assistant, system, attachment and hook-result messages",
        "does not write hook results",
        Wrong::Record(Slip::Step(|process, step| {
            process.right(&with(step, |messages| messages.retain(|message| kind(message) != "hook_result")))
        })),
    ),
    unread(
        "record/unread-third-virtual-replies",
        "3.2.1: not written are virtual messages",
        "keeps virtual prompts out of the file, and writes the virtual replies",
        Wrong::Record(Slip::Step(|process, step| {
            let show = |message: &mut Value| {
                if let Some(members) = message.as_object_mut().filter(|members| members["type"] == "assistant") {
                    members.remove("isVirtual");
                }
            };
            process.right(&with(step, |messages| messages.iter_mut().for_each(show)))
        })),
    ),
    unread(
        "record/unread-third-last-line-unknown",
        "3.2.1: a uuid is recorded when it is in the file that was resumed",
        "reads the uuids of a file but for its last line",
        Wrong::Record(Slip::Start(|start| drop(start.held.uuids.pop()))),
    ),
    unread(
        "record/unread-third-source-unseen",
        "3.2.2: the parent of a result is its source if that is recorded or earlier in the list",
        "hangs a result on its source without asking whether that was written (anthropics/claude-code#22526)",
        Wrong::Record(Slip::Parent(|new| {
            let source = text(new.message, "sourceToolAssistantUUID");
            (is_result(new.message) && !source.is_empty()).then(|| source.to_owned())
        })),
    ),
    unread(
        "record/unread-third-result-on-last-call",
        "3.2.2: a result hangs on the record that sourceToolAssistantUUID names",
        "hangs each result on the last line with a call, as if calls came one by one",
        Wrong::Record(Slip::Parent(|new| {
            let has_call = |message: &&Value| blocks(message).iter().any(|block| kind(block) == "tool_use");
            let line = new.before.iter().rev().find(has_call).filter(|_| is_result(new.message))?;
            Some(text(line, "uuid").to_owned())
        })),
    ),
    unread(
        "record/unread-third-microcompaction-begins",
        "3.2.2: of boundaries, a compact boundary has the parent null; else it is the tip",
        "gives the boundary of a microcompaction no parent",
        Wrong::Record(Slip::Line(|members| {
            if said(members, "subtype") == "microcompact_boundary" {
                members.insert("parentUuid".to_owned(), RawValue::NULL.to_owned());
            }
        })),
    ),
    unread(
        "record/unread-third-goes-on-after-subagents",
        "3.2.2: after a restart, what was before a boundary is the last message of the file, subagents aside",
        "takes a subagent's line for the last message when a process starts",
        Wrong::Record(Slip::Start(|start| {
            start.held.last = start.held.uuids.last().map(|uuid| uuid.as_str().into()).or(start.held.last.take());
        })),
    ),
    unread(
        "record/unread-third-believes-parents",
        "3.2.2: what a message says of its own parent is not believed",
        "keeps the parentUuid that a message brings",
        Wrong::Record(Slip::Parent(|new| {
            let own = text(new.message, "parentUuid");
            (!own.is_empty()).then(|| own.to_owned())
        })),
    ),
    unread(
        "record/unread-third-no-session-of-attachments",
        "3.2.2: the recorder adds sessionId where the message has none",
        "writes attachments without the session",
        Wrong::Record(Slip::Line(|members| {
            if said(members, "type") == "attachment" {
                members.remove("sessionId");
            }
        })),
    ),
    unread(
        "record/unread-third-after-progress",
        "3.2.1: the recorder treats progress as if it were not in the list",
        "chains a message to the progress before it (anthropics/claude-code#22526)",
        Wrong::Record(Slip::Parent(|new| {
            let last = new.before.last().filter(|last| kind(last) == "progress" && is_plain(new))?;
            Some(text(last, "uuid").to_owned())
        })),
    ),
    unread(
        "record/unread-third-relinks-on-disk",
        "3.2.3: the first of what a boundary preserves gets the last line that was written or queued before",
        "hangs the first preserved message on the anchor, as a reader does",
        Wrong::Record(Slip::Parent(|new| {
            let uuid = text(new.message, "uuid");
            let mut metadata = new.before.iter().rev().filter_map(|message| message.get("compactMetadata"));
            let first = ["/preservedMessages/uuids/0", "/preservedSegment/headUuid"];
            let names = |metadata: &&Value| {
                first.iter().any(|path| metadata.pointer(path).and_then(Value::as_str) == Some(uuid))
            };
            let metadata = metadata.find(names)?;
            let anchors = ["/preservedMessages/anchorUuid", "/preservedSegment/anchorUuid"];
            let anchor = anchors.iter().find_map(|path| metadata.pointer(path)?.as_str());
            anchor.filter(|_| is_plain(new)).map(str::to_owned)
        })),
    ),
    unread(
        "record/unread-third-does-not-wait",
        "3.2.4: a message waits in the queue, and the version that was given last is the one that is written",
        "writes each list at once, before its late fields have come",
        Wrong::Record(Slip::Step(|process, step| {
            let tip = process.right(step)?;
            if matches!(step, RecordStep::List(_)) {
                process.recorder.flush().map_err(|error| error.to_string())?;
            }
            Ok(tip)
        })),
    ),
    unread(
        "record/unread-third-cuts-the-torn-line",
        "3.2.5: what the file holds is never changed, whoever wrote it",
        "cuts a torn line off the file before it appends",
        Wrong::Record(Slip::Append(|file, lines| {
            let whole = file.bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            file.bytes.truncate(whole);
            file.right(lines)
        })),
    ),
    unread(
        "record/unread-third-swallows-errors",
        "3.2.6: a message is in the file after a flush that gave no error; otherwise the caller got an error",
        "logs what the disk says when a flush fails, and tells the caller nothing",
        Wrong::Record(Slip::Step(|process, step| match (process.right(step), step) {
            (Err(_), RecordStep::Flush) => Ok(None),
            (tip, _) => tip,
        })),
    ),
    unread(
        "record/unread-third-skips-what-has-no-uuid",
        "3.2.6: a list with a message without a uuid is refused, and nothing of it is queued",
        "passes over a message without a uuid and records the others",
        Wrong::Record(Slip::Step(|process, step| {
            process.right(&with(step, |messages| messages.retain(|message| message["uuid"].is_string())))
        })),
    ),
    unread(
        "record/unread-third-tip-is-the-last",
        "3.2: the tip is the uuid to which the next message will chain",
        "answers with the uuid of the last message of the list",
        Wrong::Record(Slip::Step(|process, step| {
            let tip = process.right(step)?;
            let (RecordStep::List(json) | RecordStep::ListBeforeRequest(json)) = step else { return Ok(tip) };
            let last = list(json).and_then(|messages| messages.last()?.get("uuid")?.as_str().map(str::to_owned));
            Ok(last.or(tip))
        })),
    ),
    unread(
        "record/unread-third-waits-for-prompts-alone",
        "3.2.6: a message that starts a request is in the file before the request is sent",
        "writes before a request only if the last message is a prompt",
        Wrong::Record(Slip::Step(|process, step| match step {
            RecordStep::ListBeforeRequest(json) if !ends_with_prompt(json) => {
                process.right(&RecordStep::List(json.clone()))
            }
            _ => process.right(step),
        })),
    ),
    unread(
        "record/unread-third-known-members-alone",
        "3.2.6: a message is in the file with each member as it was given",
        "writes the members that its schema has, and no others",
        Wrong::Record(Slip::Line(|members| members.retain(|name, _| KNOWN.contains(&name.as_str())))),
    ),
    unread(
        "record/unread-third-any-hint",
        "3.2.8: the tip begins at the hint if that is recorded; otherwise the hint is passed over",
        "chains the first message of a list to the hint, whether it is recorded or not",
        Wrong::Record(Slip::Parent(|new| {
            new.hint.filter(|_| new.before.is_empty() && is_plain(new)).map(str::to_owned)
        })),
    ),
    unread(
        "record/unread-third-half-a-team",
        "3.2.8: each new message of the list gets both members, teamName and agentName",
        "writes the name of the team and not that of its agent",
        Wrong::Record(Slip::Line(|members| {
            if members.contains_key("teamName") {
                members.remove("agentName");
            }
        })),
    ),
];

/// A step with other messages in its list.
fn with(step: &RecordStep, change: impl FnOnce(&mut Vec<Value>)) -> RecordStep {
    let (RecordStep::List(json) | RecordStep::ListBeforeRequest(json)) = step else { return step.clone() };
    let given = list(json).unwrap_or_default();
    let mut messages = given.clone();
    change(&mut messages);
    let list = if messages == given { json.clone() } else { Value::Array(messages).to_string().into() };
    match step {
        RecordStep::List(_) => RecordStep::List(list),
        _ => RecordStep::ListBeforeRequest(list),
    }
}

/// A member of a line that is a string; empty if it is none.
fn said(members: &Members, name: &str) -> String {
    members.get(name).and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default()
}

fn is_result(message: &Value) -> bool {
    kind(message) == "user" && blocks(message).iter().any(|block| kind(block) == "tool_result")
}

/// Whether a new message chains to the tip.
fn is_plain(new: &New<'_>) -> bool {
    !is_result(new.message) && text(new.message, "subtype") != "compact_boundary"
}

fn ends_with_prompt(json: &str) -> bool {
    list(json).is_some_and(|messages| messages.last().is_some_and(|last| kind(last) == "user" && !is_result(last)))
}
