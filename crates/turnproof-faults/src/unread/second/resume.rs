//! Unread faults in *resuming*: what is withdrawn, relinked, bridged, put back, and where a conversation ends.

use std::collections::{HashMap, HashSet};

use turnproof::operation::Value;
use turnproof::operation::{Conversation, ConversationRecord, Plain};
use turnproof::subject::Outcome;

use super::{Unread, unread};
use crate::log::result_id;
use crate::view::{Seen, View, children, found, leave_out, seeing, view};
use crate::walk::{blocks, blocks_mut, content, is, is_blank, is_thinking, kind, text, words};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "resume/unread-only-replies-supersede",
        "3.3.2: a node is withdrawn when a later record of the conversation names its uuid",
        "reads supersedesUuids of assistant records alone",
        Wrong::EachRecord(|seen| {
            if kind(&seen.value) != "assistant" {
                seen.remove("supersedesUuids");
            }
        }),
    ),
    unread(
        "resume/unread-withdraws-the-first-alone",
        "3.3.2: a node is withdrawn when a later record names its uuid in a list",
        "withdraws the first record of a list of withdrawn ones, and leaves the others",
        Wrong::EachRecord(|seen| {
            for name in ["supersedesUuids", "retractedMessageUuids"] {
                if let Some(list) = seen.value.get_mut(name).and_then(Value::as_array_mut) {
                    list.truncate(1);
                }
            }
        }),
    ),
    unread(
        "resume/unread-results-of-the-withdrawn-stay",
        "3.3.2: with the node, the results of its calls are withdrawn",
        "withdraws a call and brings its result back",
        Wrong::Records(|view| {
            let calls = withdrawn_calls(view);
            for seen in view.iter_mut().filter(|seen| has_result_of(&seen.value, &calls)) {
                seen.value["message"]["content"] = "a result".into();
            }
        }),
    ),
    unread(
        "resume/unread-words-go-with-results",
        "3.3.2: a user participant whose content is a list of results alone is withdrawn with its calls",
        "withdraws what the user said beside the result of a withdrawn call",
        Wrong::Records(|view| {
            let calls = withdrawn_calls(view);
            for seen in view.iter_mut().filter(|seen| has_result_of(&seen.value, &calls)) {
                let blocks = blocks_mut(&mut seen.value).into_iter();
                blocks.for_each(|blocks| blocks.retain(|block| result_id(block).is_some_and(|id| calls.contains(id))));
            }
        }),
    ),
    unread(
        "resume/unread-sidechain-needs-an-agent",
        "3.4.1: records with isSidechain: true are left out before anything else is looked for",
        "takes a sidechain's record without agentId for one of the conversation",
        Wrong::EachRecord(|seen| {
            if text(&seen.value, "agentId").is_empty() {
                seen.remove("isSidechain");
            }
        }),
    ),
    unread(
        "resume/unread-agents-are-sidechains",
        "3.3.1: a record belongs to the conversation if it has neither isSidechain: true nor a teamName",
        "leaves out a record with an agentId that is of no sidechain",
        Wrong::Unindexed(|seen| !text(&seen.value, "agentId").is_empty() && !is(&seen.value, "isSidechain")),
    ),
    unread(
        "resume/unread-any-team-is-a-team",
        "3.3.1: a non-empty string as teamName",
        "leaves out a record whose teamName is empty or null",
        Wrong::Unindexed(|seen| seen.value.get("teamName").is_some_and(|team| team.as_str().is_none_or(str::is_empty))),
    ),
    unread(
        "resume/unread-one-session-alone",
        "3.3.1: a record belongs to the conversation, whatever session it names (siteboon/claudecodeui#1022)",
        "reads the records of the session that the first record names",
        Wrong::Records(|view| {
            let session = |seen: &Seen| text(&seen.value, "sessionId").to_owned();
            let first = view.iter().map(session).find(|session| !session.is_empty()).unwrap_or_default();
            leave_out(view, |seen| !session(seen).is_empty() && session(seen) != first);
        }),
    ),
    unread(
        "resume/unread-longest-branch",
        "3.3.5: the walk starts at the terminal whose leaf comes last in the file",
        "follows the branch with the most messages where the user asked again",
        Wrong::Records(|view| {
            let sizes = sizes(view);
            keep_branches(view, |view, branches| {
                branches.iter().copied().max_by_key(|&at| sizes.get(view[at].uuid()).copied().unwrap_or_default())
            });
        }),
    ),
    unread(
        "resume/unread-first-branch",
        "3.3.6: a branch that the user has left does not come back",
        "walks from the root, and takes the first of several prompts that answer one message",
        Wrong::Records(|view| keep_branches(view, |_, branches| branches.first().copied())),
    ),
    unread(
        "resume/unread-begins-with-the-summary",
        "3.3.6: the walk goes to the root, or to a boundary, which is its last node",
        "begins with the summary of a compaction, and leaves its boundary out",
        Wrong::EachRecord(|seen| {
            if is(&seen.value, "isCompactSummary") {
                seen.set("parentUuid", Value::Null);
            }
        }),
    ),
    unread(
        "resume/unread-cuts-at-the-last-boundary",
        "3.3.6: the walk goes from the start to the root, or to a boundary",
        "drops all that stands before the last boundary of the file, whether the walk comes to it or not",
        Wrong::Records(|view| {
            let is_one = |seen: &Seen| seen.is_boundary() && !is(&seen.value, "isSidechain");
            let last = view.iter().rposition(is_one);
            let Some(start) = last.filter(|&at| !preserves(&view[at].value)).map(|at| view[at].start) else { return };
            leave_out(view, |seen| seen.start < start);
        }),
    ),
    unread(
        "resume/unread-every-boundary-cuts",
        "3.3.1: a boundary has the subtype compact_boundary",
        "begins anew at a microcompact_boundary too",
        Wrong::EachRecord(|seen| {
            if text(&seen.value, "subtype") == "microcompact_boundary" {
                seen.set("subtype", "compact_boundary");
            }
        }),
    ),
    unread(
        "resume/unread-kept-in-file-order",
        "3.3.4: each other of the list gets the one before it in the list as its parent",
        "brings back what was preserved in the order of the file instead of the list",
        Wrong::Records(|view| {
            let places: HashMap<String, usize> =
                view.iter().enumerate().map(|(at, seen)| (seen.uuid().to_owned(), at)).collect();
            for seen in view.iter_mut() {
                if let Some(list) = seen.value.pointer_mut("/compactMetadata/preservedMessages/uuids")
                    && let Some(list) = list.as_array_mut()
                {
                    list.sort_by_key(|uuid| uuid.as_str().and_then(|uuid| places.get(uuid)).copied());
                }
            }
        }),
    ),
    unread(
        "resume/unread-boundary-is-the-anchor",
        "3.3.4: the first of the list gets the anchor as its parent",
        "brings back what was preserved right behind the boundary, before the summary",
        Wrong::EachRecord(|seen| {
            let own = seen.uuid().to_owned();
            for form in ["preservedMessages", "preservedSegment"] {
                if let Some(anchor) = seen.value.pointer_mut(&format!("/compactMetadata/{form}/anchorUuid")) {
                    *anchor = own.as_str().into();
                }
            }
        }),
    ),
    unread(
        "resume/unread-last-boundary-relinks",
        "3.3.4: each boundary relinks, in file order",
        "relinks what the last boundary preserves, as if no boundary before it had preserved anything",
        Wrong::Records(|view| {
            let last = view.iter().rposition(Seen::is_boundary);
            for (at, seen) in view.iter_mut().enumerate().filter(|(_, seen)| seen.is_boundary()) {
                if Some(at) != last {
                    seen.remove("compactMetadata");
                }
            }
        }),
    ),
    unread(
        "resume/unread-segment-without-its-head",
        "3.3.4: the walk goes up to the node whose uuid is headUuid; the list is read from the head to the tail",
        "stops before the head of a preserved segment",
        Wrong::Records(|view| {
            let parents: HashMap<String, String> =
                view.iter().map(|seen| (seen.parent().to_owned(), seen.uuid().to_owned())).collect();
            for seen in view.iter_mut() {
                let segment = seen.value.pointer_mut("/compactMetadata/preservedSegment");
                let Some(segment) = segment.filter(|segment| segment.is_object()) else { continue };
                let (head, tail) = (text(segment, "headUuid").to_owned(), text(segment, "tailUuid").to_owned());
                if let Some(next) = parents.get(&head).filter(|_| head != tail) {
                    segment["headUuid"] = next.as_str().into();
                }
            }
        }),
    ),
    unread(
        "resume/unread-circles-end-it",
        "3.3.3: where parents run in a circle, one node has a gap instead; 3.3.10: every file has an answer",
        "answers that there is no conversation when parents run in a circle",
        Wrong::Resume(|file| {
            let view = view(file);
            Outcome::Output(if has_circle(&view) { None } else { found(&view) })
        }),
    ),
    unread(
        "resume/unread-bridges-to-speakers",
        "3.3.3: the parent becomes the nearest participant before the node in the file with the same sessionId",
        "bridges a gap to the nearest prompt or reply, and loses the notices between",
        Wrong::Records(|view| {
            let known: HashSet<String> = view.iter().map(|seen| seen.uuid().to_owned()).collect();
            for at in 0..view.len() {
                let parent = view[at].parent();
                if parent.is_empty() || known.contains(parent) || is(&view[at].value, "isSidechain") {
                    continue;
                }
                let session = view[at].value.get("sessionId").cloned();
                let is_near = |seen: &&Seen| {
                    is_speaker(&seen.value)
                        && seen.value.get("sessionId") == session.as_ref()
                        && !seen.uuid().is_empty()
                };
                if let Some(uuid) = view[..at].iter().rev().find(is_near).map(|seen| seen.uuid().to_owned()) {
                    view[at].set("parentUuid", uuid);
                }
            }
        }),
    ),
    unread(
        "resume/unread-errors-were-delivered",
        "3.3.7: an assistant participant is put back when it is no API error",
        "puts an API error back that a notice pushed off the chain",
        Wrong::EachRecord(|seen| seen.remove("isApiErrorMessage")),
    ),
    unread(
        "resume/unread-results-behind-their-calls",
        "3.3.8: each goes right before the first of the reply's lines that comes later in the file",
        "puts each result right behind its call, between the lines of a reply",
        Wrong::Resume(|file| {
            changed(file, |records| {
                let mut sorted: Vec<ConversationRecord> = Vec::new();
                for record in std::mem::take(records) {
                    let own = value(&record);
                    let ids: Vec<&str> = blocks(&own).iter().filter_map(result_id).collect();
                    let is_call = |block: &Value| kind(block) == "tool_use" && ids.contains(&text(block, "id"));
                    match sorted.iter().rposition(|before| blocks(&value(before)).iter().any(is_call)) {
                        Some(call) => sorted.insert(call + 1, record),
                        None => sorted.push(record),
                    }
                }
                *records = sorted;
            })
        }),
    ),
    unread(
        "resume/unread-notices-go-to-the-end",
        "3.3.9: its place is right before the first following record that comes later in the file",
        "appends the notices that stand beside the path",
        Wrong::Resume(|file| {
            let children = children(&view(file));
            changed(file, |records| {
                let is_beside = |record: &ConversationRecord| {
                    let own = value(record);
                    matches!(kind(&own), "attachment" | "hook_result" | "system")
                        && !children.contains_key(&record.uuid)
                };
                let (beside, mut rest): (Vec<_>, Vec<_>) = std::mem::take(records).into_iter().partition(is_beside);
                rest.extend(beside);
                *records = rest;
            })
        }),
    ),
    unread(
        "resume/unread-open-calls-go",
        "3.3.6: what was recorded of a conversation comes back whole",
        "leaves out a call that has no result",
        Wrong::Resume(|file| {
            changed(file, |records| {
                let answered: HashSet<String> = records
                    .iter()
                    .flat_map(|record| {
                        blocks(&value(record)).iter().filter_map(result_id).map(str::to_owned).collect::<Vec<_>>()
                    })
                    .collect();
                records.retain(|record| {
                    let own = value(record);
                    let is_open = |block: &Value| kind(block) == "tool_use" && !answered.contains(text(block, "id"));
                    blocks(&own).is_empty() || !blocks(&own).iter().all(is_open)
                });
            })
        }),
    ),
    unread(
        "resume/unread-blank-replies-go",
        "3.3.6: what was recorded of a conversation comes back whole",
        "leaves out a reply that says nothing but white space",
        Wrong::Resume(|file| {
            changed(file, |records| {
                records.retain(|record| {
                    let own = value(record);
                    let is_empty = !blocks(&own).is_empty() && blocks(&own).iter().all(|block| kind(block) == "text");
                    kind(&own) != "assistant" || !is_empty || !words(&own).all(is_blank)
                });
            })
        }),
    ),
    unread(
        "resume/unread-thinking-alone-goes",
        "3.3.8: every line of a reply on the path comes back, the reply in one piece",
        "leaves out lines that hold nothing but thinking",
        Wrong::Resume(|file| {
            changed(file, |records| {
                records.retain(|record| {
                    let own = value(record);
                    blocks(&own).is_empty() || !blocks(&own).iter().all(is_thinking)
                });
            })
        }),
    ),
    unread(
        "resume/unread-unanswered-prompt-goes",
        "3.3.5: the walk starts at the terminal whose leaf comes last in the file",
        "leaves out a last prompt that nobody has answered",
        Wrong::Resume(|file| {
            changed(file, |records| {
                if records.len() > 1 && records.last().is_some_and(|last| is_prompt(&value(last))) {
                    records.pop();
                }
            })
        }),
    ),
];

fn value(record: &ConversationRecord) -> Value {
    Plain::read(&String::from_utf8_lossy(&record.bytes)).map(Plain::into_value).unwrap_or_default()
}

/// The conversation of a file, with its records changed.
fn changed(file: &[u8], change: impl FnOnce(&mut Vec<ConversationRecord>)) -> Outcome<Option<Conversation>> {
    let Outcome::Output(Some(mut conversation)) = seeing(file, |_| {}) else { return seeing(file, |_| {}) };
    change(&mut conversation.records);
    Outcome::Output(Some(conversation))
}

fn is_speaker(message: &Value) -> bool {
    matches!(kind(message), "user" | "assistant") && !is(message, "isVirtual") && !is(message, "isSidechain")
}

fn is_prompt(message: &Value) -> bool {
    let has_result = blocks(message).iter().any(|block| result_id(block).is_some());
    kind(message) == "user" && !has_result && !is(message, "isMeta") && !is(message, "isCompactSummary")
}

fn preserves(boundary: &Value) -> bool {
    let metadata = boundary.get("compactMetadata");
    ["preservedMessages", "preservedSegment"].iter().any(|form| metadata.and_then(|all| all.get(form)).is_some())
}

/// The calls of withdrawn replies.
fn withdrawn_calls(view: &[Seen]) -> HashSet<String> {
    let lists = |seen: &Seen| {
        let names = ["supersedesUuids", "retractedMessageUuids"].into_iter();
        let named = names.filter_map(|name| seen.value.get(name)?.as_array()).flatten().filter_map(Value::as_str);
        named.map(str::to_owned).collect::<Vec<_>>()
    };
    let gone: HashSet<String> = view.iter().flat_map(lists).collect();
    let replies = view.iter().filter(|seen| kind(&seen.value) == "assistant" && gone.contains(seen.uuid()));
    let blocks = replies.flat_map(|seen| blocks(&seen.value)).filter(|block| kind(block) == "tool_use");
    blocks.map(|block| text(block, "id").to_owned()).collect()
}

fn has_result_of(message: &Value, calls: &HashSet<String>) -> bool {
    let is_one = |block: &Value| result_id(block).is_some_and(|id| calls.contains(id));
    kind(message) == "user" && content(message).is_array() && blocks(message).iter().any(is_one)
}

/// How many records hang on each record, itself counted.
fn sizes(view: &[Seen]) -> HashMap<String, usize> {
    let parents: HashMap<&str, &str> = view.iter().map(|seen| (seen.uuid(), seen.parent())).collect();
    let mut sizes = HashMap::new();
    for seen in view {
        let mut at = seen.uuid();
        for _ in 0..view.len() {
            *sizes.entry(at.to_owned()).or_default() += 1;
            match parents.get(at) {
                Some(&parent) if !parent.is_empty() => at = parent,
                _ => break,
            }
        }
    }
    sizes
}

/// Leaves out all prompts that hang on one record but the chosen one, with all that hangs on them.
fn keep_branches(view: &mut View, choose: impl Fn(&[Seen], &[usize]) -> Option<usize>) {
    let mut branches: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, seen) in view.iter().enumerate().filter(|(_, seen)| is_prompt(&seen.value) && !seen.parent().is_empty()) {
        branches.entry(seen.parent()).or_default().push(at);
    }
    let mut gone: HashSet<String> = HashSet::new();
    for several in branches.values().filter(|several| several.len() > 1) {
        let chosen = choose(view, several);
        let others = several.iter().filter(|&&at| Some(at) != chosen);
        gone.extend(others.map(|&at| view[at].uuid().to_owned()));
    }
    for seen in view.iter() {
        if gone.contains(seen.parent()) {
            gone.insert(seen.uuid().to_owned());
        }
    }
    view.retain(|seen| !gone.contains(seen.uuid()));
}

fn has_circle(view: &[Seen]) -> bool {
    let main = || view.iter().filter(|seen| !is(&seen.value, "isSidechain") && !seen.is_boundary());
    let parents: HashMap<&str, &str> = main().map(|seen| (seen.uuid(), seen.parent())).collect();
    main().any(|seen| {
        let mut at = seen.uuid();
        for _ in 0..=view.len() {
            match parents.get(at) {
                Some(&parent) if !parent.is_empty() => at = parent,
                _ => return false,
            }
        }
        true
    })
}
