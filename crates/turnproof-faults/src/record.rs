//! Faults in *recording*: the library's recorder with one slip each.

use std::collections::HashSet;

use serde_json::value::{RawValue, to_raw_value};
use turnproof_reference::message::{Envelope, Event, Kind, Message, members_of_kind};
use turnproof_reference::transcript::write::{Held, RecordError};
use turnproof_rules::operation::{RecordHints, RecordStep, Value};

use super::conserve::reply;
use super::log::mentions;
use super::part::passes;
use super::recorder::{File, Members, New, Process, Slip, Tip, is_written};
use super::walk::{blocks, is, kind, list, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("record/forgets-the-file", "record/incremental")
        .that("writes the old messages again when a session is resumed")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.199")
        .by(Wrong::Record(Slip::Start(|start| start.held = Held::default()))),
    fault("record/writes-lists-anew", "record/incremental")
        .that("writes every message of every list")
        .seen_in("anthropics/claude-code#66947")
        .by(Wrong::Record(Slip::Step(|process, step| {
            if listed(step).is_some() {
                let _ = process.recorder.flush();
                process.recorder.start_over();
            }
            process.right(step)
        }))),
    fault("record/queues-before-it-refuses", "record/incremental")
        .that("queues the first messages of a list before it refuses the list")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let list = events(step);
            if let Err(RecordError::NoUuid { index, .. }) = process.recorder.record(&list) {
                let _ = process.recorder.record(&list[..index]);
            }
            process.right(step)
        }))),
    fault("record/follows-kept-messages", "record/prefix-parent")
        .that("chains new messages to a kept message behind the boundary of a compaction")
        .seen_in("anthropics/claude-code#14462")
        .by(Wrong::Record(Slip::Parent(|new| {
            let follows = text(new.message, "subtype") != "compact_boundary" && source(new).is_none();
            Some(text(new.previous().filter(|_| follows)?, "uuid").to_owned())
        }))),
    fault("record/chains-to-the-last-line", "record/prefix-parent")
        .that("chains new messages to the last line of the file, which may be on another branch")
        .seen_in("anthropics/claude-code#83460")
        .by(Wrong::Record(Slip::Parent(|new| {
            let is_in_file = |message: &Value| mentions(new.file, text(message, "uuid"));
            new.previous().filter(|message| is_in_file(message))?;
            Some(Held::read(new.file).ok()?.last?.as_str().to_owned())
        }))),
    fault("record/forgets-the-tip", "record/prefix-parent")
        .that("answers that the next message has no parent when the list holds nothing new")
        .seen_in("anthropics/claude-code#22107")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let is_new =
                |event: &Event| event.envelope().uuid.as_str().is_some_and(|uuid| !process.recorder.is_recorded(uuid));
            let has_new = events(step).iter().any(is_new);
            Ok(process.right(step)?.filter(|_| has_new))
        }))),
    fault("record/chains-results-in-order", "record/chain-links")
        .that("chains the results of parallel calls to one another")
        .seen_in("anthropics/claude-code#31330")
        .by(Wrong::Record(Slip::Parent(|new| {
            source(new).and(new.previous()).map(|message| text(message, "uuid").to_owned())
        }))),
    fault("record/trusts-the-source", "record/chain-links")
        .that("chains a result to a call that was never written")
        .seen_in("anthropics/claude-code#58554")
        .by(Wrong::Record(Slip::Parent(source))),
    fault("record/trusts-parents", "record/chain-links")
        .that("keeps the parents that messages come with")
        .seen_in("anthropics/claude-code#21617")
        .by(Wrong::Record(Slip::Parent(|new| Some(new.message.get("parentUuid")?.as_str()?.to_owned())))),
    fault("record/chains-to-progress", "record/chain-links")
        .that("chains messages to progress, which it does not write")
        .seen_in("anthropics/claude-code#22526")
        .by(Wrong::Record(Slip::Parent(|new| neighbour(new, |message| kind(message) == "progress")))),
    fault("record/chains-to-virtual-messages", "record/chain-links")
        .that("chains messages to virtual ones, which it does not write")
        .seen_in("anthropics/claude-code#24304")
        .by(Wrong::Record(Slip::Parent(|new| neighbour(new, |message| is(message, "isVirtual"))))),
    fault("record/chains-boundaries", "record/chain-links")
        .that("gives a boundary the message before it as parent")
        .seen_in("anthropics/claude-code#14462")
        .by(Wrong::Record(Slip::Parent(|new| {
            let is_boundary = text(new.message, "subtype") == "compact_boundary";
            Some(text(new.previous().filter(|_| is_boundary)?, "uuid").to_owned())
        }))),
    fault("record/forgets-the-logical-parent", "record/chain-links")
        .that("does not say what came before a boundary")
        .by(Wrong::Record(Slip::Line(|members| drop(members.remove("logicalParentUuid"))))),
    fault("record/goes-on-from-a-subagent", "record/chain-links")
        .that("takes the last line of the file for what came before a boundary, also one of a subagent")
        .by(Wrong::Record(Slip::Start(|start| {
            start.held.last = start.held.uuids.last().map(|last| last.as_str().into());
        }))),
    fault("record/renames-the-session", "record/chain-links")
        .that("uses a new session name after each start of the process")
        .seen_in("anthropics/claude-code#58760")
        .by(Wrong::Record(Slip::Start(|start| {
            if start.is_second {
                start.options.session_id = start.options.session_id.as_str().replace('0', "1").into();
            }
        }))),
    fault("record/writes-progress", "record/no-ephemeral")
        .that("writes the output of running tools into the chain")
        .seen_in("anthropics/claude-code#18905")
        .by(Wrong::Record(Slip::Step(|process, step| write_too(process, step, |message| kind(message) == "progress")))),
    fault("record/writes-virtual-messages", "record/no-ephemeral")
        .that("writes messages that exist in memory alone")
        .by(Wrong::Record(Slip::Step(|process, step| write_too(process, step, |message| is(message, "isVirtual"))))),
    fault("record/writes-what-passes-by", "record/no-ephemeral")
        .that("writes tombstones, summaries and events of the stream")
        .by(Wrong::Record(Slip::Step(|process, step| write_too(process, step, passes)))),
    fault("record/answers-before-the-disk", "record/user-before-request")
        .that("lets the request go out while the prompt waits in the queue")
        .seen_in("anthropics/claude-code#15813")
        .by(Wrong::Record(Slip::Start(|start| start.options.waits = false))),
    fault("record/waits-for-prompts-alone", "record/user-before-request")
        .that("sends a request before notices and results are written, when no user message waits")
        .seen_in("anthropics/claude-code#40655")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let file = &process.recorder.disk().bytes;
            let waits = |event: &Event| match event {
                Event::Message(Message::User(user)) => {
                    user.envelope.uuid.as_str().is_some_and(|uuid| !mentions(file, uuid))
                }
                _ => false,
            };
            match step {
                RecordStep::ListBeforeRequest(json) if !events(step).iter().any(waits) => {
                    process.right(&RecordStep::List(json.clone()))
                }
                _ => process.right(step),
            }
        }))),
    fault("record/freezes-lines", "record/late-fields")
        .that("makes the line of a reply before its usage and stop reason have come")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.97")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let tip = process.right(step);
            if listed(step).is_some() {
                let _ = process.recorder.flush();
            }
            tip
        }))),
    fault("record/queues-boundaries-first", "record/boundary-tail-first")
        .that("writes a boundary before the messages that it preserves")
        .seen_in("tamaratran/fast-jev-compaction#89")
        .by(Wrong::Record(Slip::Step(|process, step| boundaries_first(process, step, |_| true)))),
    fault("record/knows-segments-alone", "record/boundary-tail-first")
        .that("does not look for messages that a boundary names one by one")
        .seen_in("tamaratran/fast-jev-compaction#89")
        .by(Wrong::Record(Slip::Step(|process, step| {
            boundaries_first(process, step, |boundary| {
                let metadata = boundary.as_system().and_then(|system| system.compact_metadata.get());
                metadata.is_some_and(|metadata| metadata.preserved_messages.get().is_some())
            })
        }))),
    fault("record/writes-what-comes-back-first", "record/boundary-tail-first")
        .that("writes behind a boundary what the boundary names among all messages alone")
        .seen_in("tamaratran/fast-jev-compaction#89")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let mut names_all = false;
            let seen = changed(step, |message| {
                if let Some(preserved) = message.pointer_mut("/compactMetadata/preservedMessages") {
                    names_all |= preserved.get("allUuids").is_some();
                    remove(preserved, "allUuids");
                }
            });
            if names_all {
                let _ = process.recorder.record(&events(&seen));
            }
            process.right(step)
        }))),
    fault("record/cuts-torn-ends", "record/append-only")
        .that("removes a torn last line before it continues")
        .seen_in("anthropics/claude-code#20992")
        .by(Wrong::Record(Slip::Append(|file, lines| {
            let whole = file.bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            file.bytes.truncate(whole);
            file.right(lines)
        }))),
    fault("record/keeps-an-offset", "record/append-only")
        .that("writes where its own last line ended, over the lines of others")
        .seen_in("anthropics/claude-code#81843")
        .by(Wrong::Record(Slip::Append(|file, lines| {
            let others = file.bytes.split_off(file.own_end);
            let start = file.own_end;
            let taken = file.right(lines);
            file.bytes.extend_from_slice(others.get(file.own_end - start..).unwrap_or_default());
            taken
        }))),
    fault("record/takes-lines-out", "record/append-only")
        .that("rewrites the file to remove what was withdrawn")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.69")
        .by(Wrong::Record(Slip::Step(|process, step| {
            for event in events(step) {
                if let Event::Tombstone(tombstone) = event
                    && let Some(uuid) = tombstone.withdrawn()
                {
                    let file = process.recorder.disk_mut();
                    let lines = file.bytes.split_inclusive(|&byte| byte == b'\n');
                    file.bytes = lines.filter(|line| !mentions(line, &uuid)).collect::<Vec<_>>().concat();
                }
            }
            process.right(step)
        }))),
    fault("record/glues-lines", "record/whole-lines")
        .that("appends to a torn line")
        .seen_in("anthropics/claude-code#53821")
        .by(Wrong::Record(Slip::Append(File::write))),
    fault("record/begins-with-line-ends", "record/whole-lines")
        .that("writes the end of a line only with the next line")
        .seen_in("anthropics/claude-code#81843")
        .by(Wrong::Record(Slip::Append(|file, lines| {
            let lines = lines.strip_suffix(b"\n").unwrap_or(lines);
            file.write(&[b"\n", lines].concat())
        }))),
    fault("record/leaves-blank-lines", "record/whole-lines").that("writes a blank line after each append").by(
        Wrong::Record(Slip::Append(|file, lines| {
            file.right(lines)?;
            file.write(b"\n").map_err(|_| lines.len())
        })),
    ),
    fault("record/begins-with-a-byte-order-mark", "record/whole-lines")
        .that("begins a new file with a byte order mark")
        .by(Wrong::Record(Slip::Append(|file, lines| {
            if file.bytes.is_empty() {
                file.write("\u{FEFF}".as_bytes()).map_err(|_| 0_usize)?;
            }
            file.right(lines)
        }))),
    fault("record/ends-lines-with-cr-lf", "record/whole-lines")
        .that("opens the file as text, so that lines end with CR LF")
        .by(Wrong::Record(Slip::Append(|file, lines| {
            let ends = lines.strip_suffix(b"\n").unwrap_or(lines);
            file.right(&[ends, b"\r\n"].concat()).map_err(|taken: usize| taken.min(lines.len()))
        }))),
    fault("record/writes-known-members", "record/nothing-lost")
        .that("writes the members that its types know, and drops the others")
        .by(Wrong::Record(Slip::Line(|members| {
            let name = members.get("type").map_or("", |name| name.get()).trim_matches('"').to_owned();
            let of_kind = Kind::of(&name).map_or(&[][..], members_of_kind);
            let known: HashSet<&str> =
                Envelope::MEMBERS.iter().chain(of_kind).map(|member| member.name).chain(["type"]).collect();
            members.retain(|name, _| known.contains(name.as_str()));
        }))),
    fault("record/writes-outputs-that-say-something", "record/nothing-lost")
        .that("does not write the output of a tool that is empty, false or 0")
        .by(Wrong::Record(Slip::Line(|members| {
            let says_nothing = |output: &RawValue| matches!(output.get(), "\"\"" | "false" | "0");
            members.retain(|name, value| name != "toolUseResult" || !says_nothing(value));
        }))),
    fault("record/drops-nulls", "record/nothing-lost").that("does not write the members that are null").by(
        Wrong::Record(Slip::Line(|members| {
            members.retain(|name, value| value.get() != "null" || name == "parentUuid");
        })),
    ),
    fault("record/drops-what-does-not-fit", "record/nothing-lost")
        .that("forgets what a full disk did not take")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.108")
        .by(Wrong::Record(Slip::Append(|file, lines| file.right(lines).map_err(|_| lines.len())))),
    fault("record/swallows-faults", "record/nothing-lost")
        .that("does not report that the disk is full")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.91")
        .by(Wrong::Record(Slip::Step(|process, step| match (step, process.right(step)) {
            (RecordStep::Flush, Err(_)) => Ok(None),
            (_, tip) => tip,
        }))),
    fault("record/writes-replies-once", "record/nothing-lost")
        .that("writes one line of each reply and loses its other blocks")
        .seen_in("anthropics/claude-code#21751")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let mut replies = HashSet::new();
            let is_first = |message: &Value| reply(message).is_empty() || replies.insert(reply(message).to_owned());
            process.right(&filtered(step, is_first))
        }))),
    fault("record/refuses-odd-notices", "record/total")
        .that("refuses lists that hold a notice without a subtype")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.280")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let is_odd = |message: &Value| kind(message) == "system" && !message["subtype"].is_string();
            let list = listed(step).and_then(list).unwrap_or_default();
            match list.iter().any(is_odd) {
                true => Err("a notice without a subtype".to_owned()),
                false => process.right(step),
            }
        }))),
    fault("record/passes-over-messages-without-uuid", "record/total")
        .that("leaves out messages without a uuid, and does not report it")
        .by(Wrong::Record(Slip::Step(|process, step| {
            process.right(&filtered(step, |message| !text(message, "uuid").is_empty()))
        }))),
    fault("record/gives-up", "record/total")
        .that("refuses everything once the disk has failed, even when it has room again")
        .by(Wrong::Record(Slip::Step(|process, step| {
            if process.has_failed && listed(step).is_some() {
                return Err("the disk has failed".to_owned());
            }
            let tip = process.right(step);
            process.has_failed |= tip.is_err() && matches!(step, RecordStep::Flush);
            tip
        }))),
    fault("record/ignores-the-hint", "record/starting-parent")
        .that("begins a list without recorded messages at null, although it got a hint of where the list continues")
        .by(Wrong::Record(Slip::Step(|process, step| match step {
            RecordStep::Hints(RecordHints { team, .. }) => {
                process.right(&RecordStep::Hints(RecordHints { starting_parent: None, team: team.clone() }))
            }
            _ => process.right(step),
        }))),
    fault("record/believes-any-hint", "record/starting-parent")
        .that("chains the first new message to the hint although no such line was ever written")
        .by(Wrong::Record(Slip::Parent(|new| {
            let is_first = new.previous().is_none() && text(new.message, "subtype") != "compact_boundary";
            Some(new.hint.filter(|_| is_first && source(new).is_none())?.to_owned())
        }))),
    fault("record/hint-before-prefix", "record/starting-parent")
        .that("continues after the hint although recorded messages begin the list")
        .by(Wrong::Record(Slip::Parent(|new| new.hint.filter(|_| new.message.is_null()).map(str::to_owned)))),
    fault("record/keeps-the-team", "record/team").that("still marks lines with the team of an earlier list").by(
        Wrong::Record(Slip::Step(|process, step| {
            match (step, process.last_hints.clone()) {
                (RecordStep::Hints(hints), _) if hints.team.is_some() => process.last_hints = Some(step.clone()),
                (RecordStep::List(_) | RecordStep::ListBeforeRequest(_), Some(RecordStep::Hints(hints))) => {
                    let hints = RecordHints { starting_parent: None, ..hints };
                    let _ = process.right(&RecordStep::Hints(hints));
                }
                _ => {}
            }
            process.right(step)
        })),
    ),
    fault("record/writes-no-team", "record/team")
        .that("writes what a team says as if the user's own session said it")
        .by(Wrong::Record(Slip::Line(|line| {
            if line.get("agentName").is_some_and(|name| name.get() == "\"scout\"") {
                line.remove("teamName");
                line.remove("agentName");
            }
        }))),
    fault("record/writes-no-agent", "record/team")
        .that("writes the team of a line, and not which of its agents")
        .by(Wrong::Record(Slip::Line(|line| drop(line.remove("agentName"))))),
    fault("record/writes-in-the-order-of-keys", "record/deterministic")
        .that("writes new messages in the order of a map's keys, which differs in each process")
        .by(Wrong::Record(Slip::Append(|file, lines| {
            if !file.is_second_time {
                return file.right(lines);
            }
            let turned: Vec<&[u8]> = lines.split_inclusive(|&byte| byte == b'\n').rev().collect();
            file.right(&turned.concat())
        }))),
    fault("record/first-line-without-a-parent", "record/chain-links")
        .that("leaves out a parentUuid that is null")
        .by(Wrong::Record(Slip::Line(|line| line.retain(|name, value| name != "parentUuid" || value.get() != "null")))),
    fault("record/no-session-of-attachments", "record/chain-links").that("writes attachments without the session").by(
        Wrong::Record(Slip::Line(|members| {
            if said(members, "type") == "attachment" {
                members.remove("sessionId");
            }
        })),
    ),
    fault("record/keeps-a-session-of-a-wrong-type", "record/chain-links")
        .that("keeps the session that a message has, whatever its type")
        .by(Wrong::Record(Slip::Line(|line| {
            // A plan marks a message whose session is a number.
            let is_such = line.get("slug").is_some_and(|slug| slug.get() == "\"no-session\"");
            if let Some(number) = RawValue::from_string("7".to_owned()).ok().filter(|_| is_such) {
                line.insert("sessionId".to_owned(), number);
            }
        }))),
    fault("record/numbers-become-doubles", "record/nothing-lost")
        .that("reads and writes the numbers of a line as doubles")
        .by(Wrong::Record(Slip::Line(|line| {
            for value in line.values_mut() {
                let read = serde_json::from_str::<Value>(value.get()).ok();
                if let Some(again) = read.and_then(|read| to_raw_value(&read).ok()) {
                    *value = again;
                }
            }
        }))),
    fault("record/torn-line-is-cut", "record/whole-lines").that("cuts a torn line off before it appends").by(
        Wrong::Record(Slip::Append(|file, lines| {
            let end = file.bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            file.bytes.truncate(end);
            file.right(lines)
        })),
    ),
    fault("record/microcompaction-begins", "record/prefix-parent")
        .that("gives the boundary of a microcompaction no parent")
        .by(Wrong::Record(Slip::Line(|members| {
            if said(members, "subtype") == "microcompact_boundary" {
                members.insert("parentUuid".to_owned(), RawValue::NULL.to_owned());
            }
        }))),
];

fn listed(step: &RecordStep) -> Option<&str> {
    match step {
        RecordStep::List(json) | RecordStep::ListBeforeRequest(json) => Some(json),
        _ => None,
    }
}

/// The messages and events of a step; none if it has no list, or none that can be read.
fn events(step: &RecordStep) -> Vec<Event> {
    listed(step).and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

/// A step whose list has only the messages for which this holds.
pub(super) fn filtered(step: &RecordStep, mut stays: impl FnMut(&Value) -> bool) -> RecordStep {
    let mut kept = |json: &str| {
        let texts: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
        let messages = list(json).unwrap_or_default().into_iter().zip(texts);
        let kept: Vec<&str> = messages.filter(|(message, _)| stays(message)).map(|(_, text)| text.get()).collect();
        format!("[{}]", kept.join(","))
    };
    match step {
        RecordStep::List(json) => RecordStep::List(kept(json).into()),
        RecordStep::ListBeforeRequest(json) => RecordStep::ListBeforeRequest(kept(json).into()),
        other => other.clone(),
    }
}

/// A step whose messages are changed.
fn changed(step: &RecordStep, mut change: impl FnMut(&mut Value)) -> RecordStep {
    let mut all = |json: &str| {
        let mut messages = list(json).unwrap_or_default();
        messages.iter_mut().for_each(&mut change);
        Value::Array(messages).to_string().into()
    };
    match step {
        RecordStep::List(json) => RecordStep::List(all(json)),
        RecordStep::ListBeforeRequest(json) => RecordStep::ListBeforeRequest(all(json)),
        other => other.clone(),
    }
}

/// Takes a step, and writes messages that should never be written.
fn write_too(process: &mut Process, step: &RecordStep, is_meant: fn(&Value) -> bool) -> Tip {
    let tip = process.right(step);
    for message in listed(step).and_then(list).unwrap_or_default() {
        let (uuid, file) = (text(&message, "uuid"), process.recorder.disk_mut());
        if is_meant(&message) && !is_written(&message) && !uuid.is_empty() && !mentions(&file.bytes, uuid) {
            let _ = file.right(format!("{message}\n").as_bytes());
        }
    }
    tip
}

/// The message whose call a new message answers.
fn source(new: &New<'_>) -> Option<String> {
    let is_result = blocks(new.message).iter().any(|block| kind(block) == "tool_result");
    let source = new.message.get("sourceToolAssistantUUID").filter(|_| is_result)?;
    Some(source.as_str()?.to_owned())
}

/// The uuid of what comes right before a new message, if it is meant. Only written and meant messages count.
fn neighbour(new: &New<'_>, is_meant: fn(&Value) -> bool) -> Option<String> {
    let before = new.before.iter().rev().find(|message| is_written(message) || is_meant(message))?;
    Some(before.get("uuid").filter(|_| is_meant(before))?.as_str()?.to_owned())
}

/// Records each boundary that is meant before it reads what comes after the boundary.
fn boundaries_first(process: &mut Process, step: &RecordStep, is_meant: fn(&Message) -> bool) -> Tip {
    let list = events(step);
    for (index, event) in list.iter().enumerate() {
        if let Event::Message(message) = event
            && message.is_compact_boundary()
            && is_meant(message)
        {
            let _ = process.recorder.record(&list[..=index]);
        }
    }
    process.right(step)
}

/// A member of a line that is a string; empty if it is none.
fn said(members: &Members, name: &str) -> String {
    members.get(name).and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default()
}
