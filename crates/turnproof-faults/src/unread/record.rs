//! Unread faults in *recording*: the lines that are written, and what the caller is told.

use serde_json::value::{RawValue, to_raw_value};
use turnproof::operation::RecordStep;
use turnproof::operation::Value;

use super::super::recorder::{Members, New, Slip};
use super::super::walk::{blocks, kind, list, text};
use super::super::wrong::Wrong;
use super::{Unread, unread};

/// Members that a writer knows that has a list of them.
const KNOWN: &[&str] = &[
    "type",
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
    "isMeta",
    "message",
    "toolUseResult",
    "sourceToolAssistantUUID",
    "subtype",
    "level",
    "content",
    "attachment",
    "requestId",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
    "compactMetadata",
    "teamName",
    "agentName",
    "toolUseID",
    "isApiErrorMessage",
];

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "record/unread-known-members",
        "3.2.6: a message is in the file with each member as it was given; 2.4: unknown fields are carried",
        "writes only the members that it knows",
        Wrong::Record(Slip::Line(|line| line.retain(|name, _| KNOWN.contains(&name.as_str())))),
    ),
    unread(
        "record/unread-flags-that-are-set",
        "3.2.6: each member as it was given",
        "does not write flags that are false",
        Wrong::Record(Slip::Line(|line| {
            line.retain(|name, value| !name.starts_with("is") || name == "isSidechain" || value.get() != "false");
        })),
    ),
    unread(
        "record/unread-no-nulls-but-the-parent",
        "3.2.6: each member as it was given; 3.5.5: nulls stay",
        "does not write members that are null, but for parentUuid",
        Wrong::Record(Slip::Line(|line| line.retain(|name, value| name == "parentUuid" || value.get() != "null"))),
    ),
    unread(
        "record/unread-time-in-another-zone",
        "3.2.6: each member as it was given",
        "writes +00:00 for Z in times",
        Wrong::Record(Slip::Line(|line| {
            change(line, "timestamp", |time| Some(time.as_str()?.replace('Z', "+00:00").into()));
        })),
    ),
    unread(
        "record/unread-strings-become-blocks",
        "3.2.6: each member as it was given",
        "writes a string content as a list of one text",
        Wrong::Record(Slip::Line(|line| {
            change(line, "message", |message| {
                let mut message = message.clone();
                let said = message.get("content")?.as_str()?.to_owned();
                message["content"] = Value::Array(vec![super::super::walk::text_block(&said)]);
                Some(message)
            });
        })),
    ),
    unread(
        "record/unread-long-outputs-are-cut",
        "3.2.6: each member as it was given; 3.6.2: the raw output of a tool is kept",
        "cuts the raw output of a tool after 64 characters",
        Wrong::Record(Slip::Line(|line| {
            change(line, "toolUseResult", |output| {
                let long = output.as_str().filter(|output| output.chars().count() > 64)?;
                Some(long.chars().take(64).collect::<String>().into())
            });
        })),
    ),
    unread(
        "record/unread-numbers-become-doubles",
        "3.5.5: numbers stay as their decimal text; 3.2.6",
        "reads and writes the numbers of a line as doubles",
        Wrong::Record(Slip::Line(|line| {
            for value in line.values_mut() {
                let read = serde_json::from_str::<Value>(value.get()).ok();
                if let Some(again) = read.and_then(|read| to_raw_value(&read).ok()) {
                    *value = again;
                }
            }
        })),
    ),
    unread(
        "record/unread-first-line-without-a-parent",
        "3.2.2: the first line's null is written out",
        "leaves out a parentUuid that is null",
        Wrong::Record(Slip::Line(|line| line.retain(|name, value| name != "parentUuid" || value.get() != "null"))),
    ),
    unread(
        "record/unread-boundary-forgets-what-came-before",
        "3.2.2: the logicalParentUuid of a boundary is kept, or becomes the last line before",
        "does not write logicalParentUuid",
        Wrong::Record(Slip::Line(|line| drop(line.remove("logicalParentUuid")))),
    ),
    unread(
        "record/unread-team-without-its-agent",
        "3.2.8: each new message of the list gets both members",
        "writes the teamName without the agentName",
        Wrong::Record(Slip::Line(|line| drop(line.remove("agentName")))),
    ),
    unread(
        "record/unread-results-of-unwritten-calls",
        "3.2.2: the record that the source names, if that is recorded or earlier in the list (claude-code#58554)",
        "chains a result to the source that it names, also if nobody has seen that",
        Wrong::Record(Slip::Parent(|new| {
            let source = text(new.message, "sourceToolAssistantUUID");
            (is_result(new) && !source.is_empty()).then(|| source.to_owned())
        })),
    ),
    unread(
        "record/unread-own-parent-is-believed",
        "3.2.2: what a message says of its own parent is not believed (anthropics/claude-code#22107)",
        "takes the parent that a message names",
        Wrong::Record(Slip::Parent(|new| {
            let own = text(new.message, "parentUuid");
            (!own.is_empty()).then(|| own.to_owned())
        })),
    ),
    unread(
        "record/unread-notices-hang-on-prompts",
        "3.2.2: else the tip",
        "chains a notice to the last prompt of the list",
        Wrong::Record(Slip::Parent(|new| {
            let prompt = new.before.iter().rfind(|message| kind(message) == "user")?;
            let is_notice = kind(new.message) == "system" && text(new.message, "subtype") != "compact_boundary";
            is_notice.then(|| text(prompt, "uuid").to_owned()).filter(|uuid| !uuid.is_empty())
        })),
    ),
    unread(
        "record/unread-attachments-have-one-parent",
        "3.2.2: else the tip",
        "chains each of several attachments to the message before the first of them",
        Wrong::Record(Slip::Parent(|new| {
            let before = new.before.iter().rfind(|message| kind(message) != "attachment")?;
            let is_second = new.previous().is_some_and(|previous| kind(previous) == "attachment");
            let uuid = text(before, "uuid").to_owned();
            (kind(new.message) == "attachment" && is_second && !uuid.is_empty()).then_some(uuid)
        })),
    ),
    unread(
        "record/unread-torn-line-is-mended",
        "3.2.5: what the file holds is never changed, whoever wrote it",
        "cuts a torn line off before it appends",
        Wrong::Record(Slip::Append(|file, lines| {
            let end = file.bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            file.bytes.truncate(end);
            file.right(lines)
        })),
    ),
    unread(
        "record/unread-full-disk-is-no-error",
        "3.2.6: otherwise the caller got an error",
        "tells nobody that the disk is full",
        Wrong::Record(Slip::Append(|file, lines| file.right(lines).or(Ok(())))),
    ),
    unread(
        "record/unread-writes-all-again",
        "3.2.6: when a disk takes only a part, the lines that are wholly there count as written",
        "writes all lines of a flush again when the disk took only some",
        Wrong::Record(Slip::Append(|file, lines| file.right(lines).map_err(|_| 0))),
    ),
    unread(
        "record/unread-newest-line-first",
        "3.2.2 and 3.1.1: the parent stands in the file before its child",
        "writes the lines of one flush with the newest first",
        Wrong::Record(Slip::Append(|file, lines| {
            let mut all: Vec<&[u8]> = lines.split_inclusive(|&byte| byte == b'\n').collect();
            all.reverse();
            file.right(&all.concat())
        })),
    ),
    unread(
        "record/unread-tolerates-no-uuid",
        "3.2.6: a list with a message without a uuid is refused, and nothing of it is queued",
        "passes over messages without a uuid and takes the rest of the list",
        Wrong::Record(Slip::Step(|process, step| match step {
            RecordStep::List(json) => process.right(&RecordStep::List(named(json).into())),
            RecordStep::ListBeforeRequest(json) => process.right(&RecordStep::ListBeforeRequest(named(json).into())),
            other => process.right(other),
        })),
    ),
    unread(
        "record/unread-empty-list-is-an-error",
        "3.2.6: every other list is accepted unless the disk fails",
        "refuses an empty list",
        Wrong::Record(Slip::Step(|process, step| match step {
            RecordStep::List(json) | RecordStep::ListBeforeRequest(json) if json.trim() == "[]" => {
                Err("nothing to record".to_owned())
            }
            other => process.right(other),
        })),
    ),
    unread(
        "record/unread-events-are-errors",
        "3.2.1: the recorder treats these as if they were not in the list",
        "refuses a list that holds progress or a group",
        Wrong::Record(Slip::Step(|process, step| match step {
            RecordStep::List(json) | RecordStep::ListBeforeRequest(json)
                if list(json).is_some_and(|list| {
                    list.iter().any(|message| matches!(kind(message), "progress" | "grouped_tool_use"))
                }) =>
            {
                Err("no message".to_owned())
            }
            other => process.right(other),
        })),
    ),
    unread(
        "record/unread-waits-for-the-assistant",
        "3.2.6: a message that starts a request is in the file before the request is sent",
        "does not flush before a request whose list ends with anything but a prompt",
        Wrong::Record(Slip::Step(|process, step| match step {
            RecordStep::ListBeforeRequest(json)
                if list(json).and_then(|list| Some(kind(list.last()?) != "user")).unwrap_or_default() =>
            {
                process.right(&RecordStep::List(json.clone()))
            }
            other => process.right(other),
        })),
    ),
    unread(
        "record/unread-starts-with-nothing",
        "3.2.2: logicalParentUuid becomes the last line that was written before; 3.2.3",
        "forgets after a restart which line was the last",
        Wrong::Record(Slip::Start(|start| {
            if start.is_second {
                start.held.last = None;
            }
        })),
    ),
    unread(
        "record/unread-knows-its-own-lines",
        "3.2.1: a uuid is recorded when it is queued, written, or in the file that was resumed",
        "knows after a restart only the last hundredth of what is recorded, but at least one line",
        Wrong::Record(Slip::Start(|start| {
            let kept = (start.held.uuids.len() / 100).max(1);
            let first = start.held.uuids.len().saturating_sub(kept);
            start.held.uuids.drain(..first);
        })),
    ),
];

fn change(line: &mut Members, name: &str, change: impl Fn(&Value) -> Option<Value>) {
    let changed = |raw: &RawValue| to_raw_value(&change(&serde_json::from_str(raw.get()).ok()?)?).ok();
    if let Some(raw) = line.get_mut(name)
        && let Some(changed) = changed(raw)
    {
        *raw = changed;
    }
}

fn is_result(new: &New<'_>) -> bool {
    blocks(new.message).iter().any(|block| kind(block) == "tool_result")
}

/// A list without what has no uuid.
fn named(json: &str) -> String {
    let Ok(messages) = serde_json::from_str::<Vec<Value>>(json) else { return json.to_owned() };
    let named: Vec<Value> = messages.into_iter().filter(|message| message["uuid"].is_string()).collect();
    Value::Array(named).to_string()
}
