//! What each harmless variant does in its own way.

use std::collections::HashSet;

use turnproof_format::attachments::ATTACHMENTS;
use turnproof_rules::json;
use turnproof_rules::operation::{ResponseRefusal, Value};
use turnproof_suite::scenario::pool::MADE_CALL_ID;

use super::otherwise::{
    clear_in_other_words, each_wrapped, ids, noting, otherwise, rename_all, rename_own, rename_source,
    sources_by_first_name,
};
use super::{Variant, harmless};
use crate::log::{change_messages, yielded};
use crate::recorder::Slip;
use crate::walk::{blocks, blocks_mut, content, content_mut, each, each_call_id, is, kind, text, text_block};
use crate::wrong::Wrong;

pub(super) const VARIANTS: &[Variant] = &[
    harmless(
        "normalize_api/other-json",
        "RFC 8259: white space, escapes and the order of members mean nothing",
        "writes the turns over several lines, and escapes what is not ASCII",
        Wrong::RequestText(|_, turns| Ok(otherwise(&turns))),
    ),
    harmless(
        "normalize_api/other-ids",
        "6.9: the new id is derived from the old one; which one is free",
        "gives other ids in place of refused ones",
        Wrong::List(|asked, turns| {
            // Cases have a call with an id that the reference makes, so that one stays.
            let known: HashSet<&str> = asked.messages.iter().flat_map(blocks).flat_map(ids).collect();
            each_call_id(turns, |id| {
                if let Some(old) = id.as_str().filter(|old| !known.contains(old) && *old != MADE_CALL_ID) {
                    *id = format!("call-{old}-x").into();
                }
            });
        }),
    ),
    harmless(
        "normalize_api/other-tag",
        "6.5.2: the name of the tag is free",
        "wraps what attachments say in another tag",
        Wrong::List(|asked, turns| {
            each_wrapped(asked.messages, turns, |inner| format!("<turnproof_note-1>\n{inner}\n</turnproof_note-1>"));
        }),
    ),
    harmless(
        "normalize_api/other-words",
        "6.17.3: the words around what an attachment says are free",
        "puts a sentence in front of what an attachment says",
        Wrong::List(|asked, turns| {
            each_wrapped(asked.messages, turns, |inner| {
                format!("  <system-reminder>For your information, from the client:\n\n{inner}\n</system-reminder>\n")
            });
        }),
    ),
    harmless(
        "normalize_api/unknown-attachments-are-named",
        "6.5.1: a kind that the table does not have may become one wrapped text",
        "sends to the model attachments of an unknown kind",
        Wrong::EachAttachment(|attachment| {
            let own = kind(attachment).to_owned();
            if !own.is_empty() && !ATTACHMENTS.iter().any(|row| row.kind == own) {
                *attachment = json!({"type": "critical_system_reminder", "content": "There is something else."});
            }
        }),
    ),
    harmless(
        "normalize_api/other-json-of-odd-content",
        "6.17.2: JSON text counts by its value",
        "writes the JSON text of odd content with spaces",
        Wrong::List(|asked, turns| {
            let said: HashSet<&str> =
                asked.messages.iter().flat_map(blocks).map(|block| text(block, "content")).collect();
            each(turns, "user", |block| {
                let own = text(block, "content").to_owned();
                if kind(block) == "tool_result"
                    && !said.contains(own.as_str())
                    && let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str::<Value>(&own)
                {
                    block["content"] = format!(" {value:#} ").into();
                }
            });
        }),
    ),
    harmless(
        "normalize_ui/other-order-of-members",
        "RFC 8259: the order of members means nothing",
        "gives the members of each message in another order",
        Wrong::List(|_, _| {}),
    ),
    harmless(
        "normalize_ui/null-for-none",
        "2.4: a known field may be missing or null",
        "says imagePasteIds: null where a part has none",
        Wrong::UiPart(|part, message| {
            if kind(part.whole) == "user" && kind(message) == "user" && message.get("imagePasteIds").is_none() {
                message["imagePasteIds"] = Value::Null;
            }
        }),
    ),
    harmless(
        "reorder_ui/other-order-of-members",
        "RFC 8259: the order of members means nothing",
        "gives the members of each message in another order",
        Wrong::List(|_, _| {}),
    ),
    harmless(
        "fold/notes-of-its-own",
        "7.6: members for notes of one's own may be added",
        "notes in each group of its own how many calls it has",
        Wrong::List(|asked, folded| {
            let is_own = |group: &&mut Value| kind(group) == "grouped_tool_use" && !asked.messages.contains(group);
            for group in folded.iter_mut().filter(is_own) {
                let count = group["messages"].as_array().map_or(0, Vec::len);
                group["displayNote"] = json!({"calls": count, "open": false});
            }
        }),
    ),
    harmless(
        "record/other-order-of-members",
        "3.5.5: the order of members may differ",
        "writes the members of each line in the order of the alphabet",
        Wrong::Record(Slip::Line(|_| {})),
    ),
    harmless(
        "record/spaces",
        "3.5.2: white space means nothing inside a line",
        "writes a space behind the brace that begins a line",
        Wrong::Record(Slip::Append(|file, lines| {
            // The disk counts what it takes; a space more in each line is counted by nobody.
            let before = file.bytes.len();
            let taken = file.right(lines);
            if taken.is_ok() {
                let own = file.bytes.split_off(before);
                let spaced: Vec<u8> = own
                    .split_inclusive(|&byte| byte == b'\n')
                    .flat_map(|line| if line.starts_with(b"{") { [b"{ ", &line[1..]].concat() } else { line.to_vec() })
                    .collect();
                file.bytes.extend(spaced);
            }
            taken
        })),
    ),
    harmless(
        "record/a-member-of-its-own",
        "2.4: everything else is open; 3.2.6 holds for what was given",
        "writes a member of its own in each line",
        Wrong::Record(Slip::Line(|line| {
            line.extend(serde_json::value::to_raw_value("turnproof").ok().map(|name| ("writtenBy".to_owned(), name)));
        })),
    ),
    harmless(
        "record/other-errors",
        "3.2.6: the caller gets an error; its words are free",
        "says of each error only that there is one",
        Wrong::Record(Slip::Step(|process, step| process.right(step).map_err(|_| "no".to_owned()))),
    ),
    harmless(
        "resume/other-notes",
        "3.3.10: the words of notes are free",
        "says of each note only that there is one",
        Wrong::Resume(|file| noting(file, |notes| notes.iter_mut().for_each(|note| "something".clone_into(note)))),
    ),
    harmless(
        "resume/more-notes",
        "3.3.10: notes on what was bridged, dropped, put back or relinked; their words are free",
        "notes first that it has read the file",
        Wrong::Resume(|file| noting(file, |notes| notes.insert(0, "read the file".to_owned()))),
    ),
    harmless(
        "accumulate/other-ids-and-times",
        "4.5: each has its own uuid and time; 10.1: ids that a subject makes up are compared up to renaming",
        "makes up other uuids and times",
        // Results name its messages by the uuids that it has made up.
        Wrong::ItemsAndOutput(sources_by_first_name, |output| {
            for list in [&mut output.events, &mut output.live, &mut output.slots] {
                for message in list.iter_mut() {
                    if kind(message) == "user" {
                        rename_source(message);
                    } else {
                        rename_own(message);
                        message.get_mut("message").into_iter().for_each(rename_own);
                    }
                }
            }
        }),
    ),
    harmless(
        "accumulate/no-places",
        "10.2: the views and whole messages, if the subject has them",
        "has neither the view with places nor whole messages",
        Wrong::StreamText(|output| {
            output.slots = None;
            output.messages = None;
        }),
    ),
    harmless(
        "accumulate/other-words-for-faults",
        "4.4: a named fault; its words are free",
        "says of a fault its name alone",
        Wrong::StreamText(|output| {
            if let Some(fault) = &mut output.fault {
                fault.message = fault.name.clone();
            }
        }),
    ),
    harmless(
        "accumulate/other-json",
        "RFC 8259: white space, escapes and the order of members mean nothing",
        "writes what comes out over several lines, and escapes what is not ASCII",
        Wrong::StreamText(|output| {
            for json in [&mut output.events, &mut output.live].into_iter().chain(&mut output.slots) {
                *json = otherwise(json);
            }
        }),
    ),
    harmless(
        "accumulate/a-member-of-its-own",
        "2.4: everything else is open",
        "gives each message of a reply its version",
        Wrong::Output(|output| {
            for list in [&mut output.events, &mut output.live] {
                for message in list.iter_mut().filter(|message| kind(message) == "assistant") {
                    message["version"] = "1".into();
                }
            }
            for message in output.slots.iter_mut().filter(|message| kind(message) == "assistant") {
                message["version"] = "1".into();
            }
            let whole = |message: &&mut Value| kind(message) == "tombstone" && message.get("message").is_some();
            for message in output.events.iter_mut().chain(&mut output.slots).filter(whole) {
                message["message"]["version"] = "1".into();
            }
        }),
    ),
    harmless(
        "play/other-words-for-errors",
        "5.9: its text is for people",
        "says in other words that the API gave an error",
        Wrong::Played(|played| {
            change_messages(played, |message| {
                if is(message, "isApiErrorMessage") && text(message, "apiError") == "server_error" {
                    blocks_mut(message).into_iter().for_each(|blocks| *blocks = vec![text_block("It did not work.")]);
                }
            });
        }),
    ),
    harmless(
        "play/other-words-for-cleared-results",
        "5.10: the words that take its place are free",
        "says [gone] in the place of a cleared result",
        Wrong::Played(clear_in_other_words),
    ),
    harmless(
        "play/messages-before-the-end-of-their-block",
        "5.12: a message is on either side of the event that ends its block",
        "yields a message of a reply before the event that ends its block",
        Wrong::Log(|moments| {
            let ends = |event: &Value| kind(&event["event"]) == "content_block_stop";
            for at in 1..moments.len() {
                let is_line =
                    yielded(&moments[at]).is_some_and(|it| kind(it) == "assistant" && !is(it, "isApiErrorMessage"));
                if is_line && yielded(&moments[at - 1]).is_some_and(ends) {
                    moments.swap(at, at - 1);
                }
            }
        }),
    ),
    harmless(
        "play/adds-to-attachments",
        "5.12: other members may be added",
        "says of each attachment that it was attached",
        Wrong::Played(|played| {
            change_messages(played, |message| {
                if let Some(attachment) = message.get_mut("attachment").filter(|attachment| attachment.is_object()) {
                    attachment["isAttached"] = true.into();
                }
            });
        }),
    ),
    harmless(
        "play/other-words-for-notices",
        "2: a system message is a notice; the words of a switch of the model are free",
        "says in other words that it has switched to another model",
        Wrong::Played(|played| {
            change_messages(played, |message| {
                if text(message, "content").starts_with("Switched to ") {
                    message["content"] = "Another model goes on.".into();
                }
            });
        }),
    ),
    harmless(
        "play/other-order-of-members",
        "3.5.5: the order of members may differ",
        "writes the members of each line in the order of the alphabet",
        Wrong::Written(|_| {}),
    ),
    harmless(
        "play/other-ids-on-every-line",
        "5.2: ids made at random count as equal where they stand in the same places",
        "makes up other uuids, on damaged lines too",
        Wrong::Played(rename_all),
    ),
    harmless(
        "play/finer-times",
        "3.7.2: a date-time of RFC 3339, with a zone",
        "says times to the microsecond",
        Wrong::Played(|played| {
            change_messages(played, |message| {
                if let Some(time) =
                    message.get("timestamp").and_then(Value::as_str).and_then(|time| time.strip_suffix('Z'))
                {
                    message["timestamp"] = format!("{time}000Z").into();
                }
            });
        }),
    ),
    harmless(
        "make/flags-that-are-not-set",
        "2.1.1: if an argument is missing, so is its member, or it is null, false or the empty text",
        "says isMeta: false and isVirtual: null of a prompt",
        Wrong::Made(|call, message| {
            if call.factory == "user" {
                for (name, value) in [("isMeta", Value::Bool(false)), ("isVirtual", Value::Null)] {
                    if message.get(name).is_none() {
                        message[name] = value;
                    }
                }
            }
        }),
    ),
    harmless(
        "make/a-plain-text-becomes-a-block",
        "2.1.1: the content stays as it is; a text may also become one text block",
        "makes a block of the text of a prompt, unless it is a text of the protocol",
        Wrong::Made(|call, message| {
            const OWN: [&str; 3] =
                ["[Request interrupted by user", "The user doesn't want to", "No response requested."];
            let said = content(message).as_str().filter(|said| !OWN.iter().any(|own| said.starts_with(own)));
            let said = said.map(str::to_owned);
            if matches!(call.factory.as_str(), "user" | "compact_summary")
                && let (Some(said), Some(content)) = (said, content_mut(message))
            {
                *content = json!([text_block(&said)]);
            }
        }),
    ),
    harmless(
        "make/words-of-its-own",
        "2.1.1: words of a factory's own are not blank, and free",
        "says everything of its own in other words",
        Wrong::Made(|call, message| {
            const OWN: [&str; 5] =
                ["compact_boundary", "microcompact_boundary", "permission_retry", "bridge_status", "agents_killed"];
            if OWN.contains(&call.factory.as_str()) {
                message["content"] = "That is so.".into();
            }
        }),
    ),
    harmless(
        "make/few-predicates",
        "10.2: it leaves out predicates that it does not have",
        "has no predicates but is_meta",
        Wrong::AllMade(|_, made| {
            made.iter_mut().for_each(|one| one.predicates.retain(|name, _| name == "is_meta"));
        }),
    ),
    harmless(
        "parse/blanks-byte-by-byte",
        "10.2: neighbouring blanks need not be joined; 3.5.1",
        "gives each blank byte by itself",
        Wrong::Parsed(|_, parsed| {
            let single = parsed.blank.iter().flat_map(|&(start, end)| (start..end).map(|at| (at, at + 1)));
            parsed.blank = single.collect();
        }),
    ),
    harmless(
        "parse/reports-backwards",
        "3.5.3: each is reported once, in no order that is said",
        "gives the last report first",
        Wrong::Parsed(|_, parsed| parsed.reports.get_or_insert_default().reverse()),
    ),
    harmless(
        "usage/rows-backwards",
        "8.1: the answer is a list of rows, in any order",
        "gives the last row first",
        Wrong::UsageRows(|rows| rows.reverse()),
    ),
    harmless(
        "usage/estimates",
        "8.1: its estimate may stand beside the totals, and is never in them",
        "gives an estimate for unknown replies",
        Wrong::UsageRows(|rows| {
            for row in rows.iter_mut() {
                row.estimated_output_tokens = (row.unknown > 0).then_some(row.unknown * 250);
            }
        }),
    ),
    harmless(
        "check_request/other-words",
        "10.2: the errors; their words are the validator's own",
        "says of each error only that there is one",
        Wrong::Refusals(|_, refusals| refusals.iter_mut().for_each(|refusal| refusal.error = "illegal".to_owned())),
    ),
    harmless(
        "check_request/one-error",
        "10.3: one of the errors names a turn that is wrong",
        "gives the first error that names a turn, else the first",
        Wrong::Refusals(|_, refusals| {
            let at = refusals.iter().position(|refusal| refusal.turn.is_some()).unwrap_or(0);
            if at < refusals.len() {
                refusals.swap(0, at);
            }
            refusals.truncate(1);
        }),
    ),
    harmless(
        "check_response/other-words",
        "10.3.1: the errors; their words are the validator's own",
        "says of each error only that there is one",
        Wrong::ResponseRefusals(|_, refusals| refusals.iter_mut().for_each(|one| one.error = "illegal".to_owned())),
    ),
    harmless(
        "check_response/one-error",
        "10.3.1: one of the errors names an event that is wrong",
        "gives the last error that names an event, else the first",
        Wrong::ResponseRefusals(|_, refusals| {
            let at = refusals.iter().rposition(|refusal| refusal.event.is_some()).unwrap_or(0);
            if at < refusals.len() {
                refusals.swap(0, at);
            }
            refusals.truncate(1);
        }),
    ),
    harmless(
        "check_response/refuses-new-events",
        "10.3.1: a reply that breaks a note alone may be refused or not",
        "refuses events, deltas and blocks of unknown types",
        Wrong::ResponseRefusals(|response, refusals| {
            if response.contains("_of_tomorrow") {
                refusals.push(ResponseRefusal { event: None, error: "an unknown type".to_owned() });
            }
        }),
    ),
];
