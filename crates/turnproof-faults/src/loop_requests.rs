//! Faults in the *requests of a loop*: when it sends one, and what it sends.

use std::collections::HashSet;

use turnproof_reference::message::constants::{INTERRUPTION, INTERRUPTION_FOR_TOOL_USE};
use turnproof_rules::json;
use turnproof_rules::operation::{Moment, Played, RequestOptions, Value};
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::log::{drop_messages, is_prompt, result_id, yielded};
use super::walk::{
    blocks, blocks_mut, is, is_of, is_thinking, kind, list, lists, remove, text, text_block, turn, words,
};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("play/keeps-no-log", "engine/log-of-inputs")
        .that("plays a conversation and gives an empty log")
        .by(Wrong::Played(|played| *played = Played { whole: true, ..Played::default() })),
    fault("play/does-not-log-waiting-input", "engine/log-of-inputs")
        .that("does not say that something was typed while a turn ran")
        .by(Wrong::Log(|moments| moments.retain(|moment| !matches!(moment, Moment::Typed { queued: true, .. })))),
    fault("play/calls-every-file-broken", "engine/log-of-inputs")
        .that("says of each transcript that the disk did not take everything")
        .by(Wrong::Played(|played| played.whole = false)),
    fault("play/reads-the-words-of-a-prompt-alone", "engine/log-of-inputs")
        .that("takes the texts of what was typed, without its images")
        .by(Wrong::Inputs(|inputs| {
            for blocks in inputs.iter_mut().filter_map(|input| input.get_mut("type")?.as_array_mut()) {
                blocks.retain(|block| kind(block) == "text");
            }
        })),
    fault("play/reads-no-content-of-results", "engine/request-of-inputs")
        .that("notes that a tool has run, and drops what it gave")
        .by(Wrong::Inputs(|inputs| each_given(inputs, |result| result["content"] = Value::from("")))),
    fault("play/does-not-see-that-a-tool-failed", "engine/request-of-inputs")
        .that("takes each result for a success")
        .by(Wrong::Inputs(|inputs| each_given(inputs, |result| result["is_error"] = Value::Bool(false)))),
    fault("play/takes-no-attachments", "engine/request-of-inputs")
        .that("passes over what is attached")
        .by(Wrong::Inputs(|inputs| inputs.retain(|input| input.get("attach").is_none()))),
    fault("play/takes-no-output-of-commands", "engine/request-of-inputs")
        .that("passes over what a command of the client put out")
        .by(Wrong::Inputs(|inputs| inputs.retain(|input| input.get("command").is_none()))),
    fault("play/takes-nothing-beside-a-prompt", "engine/request-of-inputs")
        .that("passes over what the client adds for the model to a prompt")
        .by(Wrong::Inputs(|inputs| inputs.retain(|input| input.get("meta").is_none()))),
    fault("play/says-a-prompt-twice", "engine/request-of-inputs")
        .that("lets a prompt join when it is typed, and once more when it is sent")
        .by(Wrong::Log(|moments| {
            let again = |message: &Value| {
                let mut again = message.clone();
                again["uuid"] = Value::from(format!("{}-again", text(message, "uuid")));
                again
            };
            let mut joined: Vec<String> = Vec::new();
            for moment in std::mem::take(moments) {
                let more = match &moment {
                    Moment::Joined { uuid, .. } => {
                        joined.push(uuid.clone());
                        let last = moments.iter().rev().find_map(yielded);
                        last.map(|message| Moment::Yielded(again(message).into()))
                    }
                    _ => None,
                };
                moments.push(moment);
                moments.extend(more);
            }
            for moment in moments {
                let Moment::Requested { messages, turns, .. } = moment else { continue };
                let is_prompt = |message: &Value| joined.iter().any(|uuid| uuid == text(message, "uuid"));
                let twice = |message: &Value| [Some(message.clone()), is_prompt(message).then(|| again(message))];
                let list: Vec<Value> = messages.elements().iter().flat_map(twice).flatten().collect();
                *turns = Value::Array(made_of(&list, |_| true)).into();
                *messages = Value::Array(list).into();
            }
        })),
    fault("play/stops-after-results", "engine/request-when-due")
        .that("waits for somebody to type when the last call is answered")
        .by(Wrong::Log(|moments| {
            let before = |index: &usize| moments[..*index].iter().rev();
            let follows_results = |index: &usize| {
                let mut yielded = before(index).filter_map(yielded);
                matches!(moments[*index], Moment::Requested { .. })
                    && yielded.next().is_some_and(|message| blocks(message).iter().any(|it| result_id(it).is_some()))
            };
            let end = (0..moments.len()).find(follows_results);
            moments.truncate(end.unwrap_or(moments.len()));
        })),
    fault("play/asks-again-after-a-plain-reply", "engine/request-when-due")
        .that("sends a request after a reply that has no calls")
        .by(Wrong::Log(|moments| {
            let mut last: Option<Moment> = None;
            let mut has_calls = false;
            for moment in std::mem::take(moments) {
                has_calls |= yielded(&moment).is_some_and(|it| blocks(it).iter().any(|it| kind(it) == "tool_use"));
                let is_end = yielded(&moment).is_some_and(|event| text(&event["event"], "type") == "message_stop");
                if let Moment::Requested { .. } = &moment {
                    (last, has_calls) = (Some(moment.clone()), false);
                }
                moments.push(moment);
                moments.extend(last.clone().filter(|_| is_end && !has_calls));
            }
        })),
    fault("play/sends-nothing", "engine/request-when-due")
        .that("shows replies to requests that are not in the log")
        .by(Wrong::Log(|moments| moments.retain(|moment| !matches!(moment, Moment::Requested { .. })))),
    fault("play/ends-with-input-in-its-queue", "engine/request-when-due")
        .that("ends a turn without a look at what waits")
        .by(Wrong::Log(|moments| {
            let mut waiting = Vec::new();
            let mut end = moments.len();
            for (index, moment) in moments.iter().enumerate() {
                match moment {
                    Moment::Typed { input, queued: true, .. } => waiting.push(*input),
                    // Its message was yielded just before.
                    Moment::Joined { input, .. } if waiting.contains(input) => {
                        end = index.saturating_sub(1);
                        break;
                    }
                    _ => {}
                }
            }
            moments.truncate(end);
        })),
    fault("play/sends-a-turn-for-each-block", "engine/legal-request")
        .that("sends each block of the user as a turn of its own")
        .by(Wrong::Requests(|_, turns| {
            let each = |one: &Value| match text(one, "role") {
                "user" => blocks(one).iter().map(|block| turn("user", vec![block.clone()])).collect(),
                _ => vec![one.clone()],
            };
            *turns = turns.iter().flat_map(each).collect();
        })),
    fault("play/sends-its-own-members", "engine/legal-request")
        .that("sends the client's own members with each turn")
        .by(Wrong::Requests(|_, turns| turns.iter_mut().for_each(|turn| turn["isMeta"] = Value::Bool(false)))),
    fault("play/sends-the-output-of-tools", "engine/legal-request")
        .that("sends what a tool gave for people inside its result")
        .by(Wrong::Requests(|_, turns| {
            lists(turns, "user", |blocks| {
                let results = blocks.iter_mut().filter(|block| result_id(block).is_some());
                results.for_each(|result| result["toolUseResult"] = json!({"stdout": "done"}));
            });
        })),
    fault("play/hides-the-summary-of-a-compaction", "engine/request-of-live")
        .that("takes the summary of a compaction for a text that people alone see")
        .by(Wrong::Requests(|messages, turns| *turns = made_of(messages, |it| !is(it, "isCompactSummary")))),
    fault("play/sends-the-end-alone", "engine/request-holds-live")
        .that("sends what the user said last, without what came before")
        .by(Wrong::Requests(|_, turns| drop(turns.drain(..turns.len().saturating_sub(1))))),
    fault("play/sends-replies-twice", "engine/request-holds-live")
        .that("takes a reply from the stream and from the list, so that each of its texts is sent twice")
        .by(Wrong::Requests(|_, turns| {
            for turn in turns.iter_mut().filter(|turn| is_of(turn, "assistant")) {
                let again: Vec<Value> = blocks(turn).iter().filter(|it| kind(it) == "text").cloned().collect();
                blocks_mut(turn).into_iter().for_each(|blocks| blocks.splice(0..0, again.clone()).for_each(drop));
            }
        })),
    fault("play/sends-no-replies", "engine/request-holds-live")
        .that("sends what people said, and not what the model said")
        .by(Wrong::Requests(|messages, turns| *turns = made_of(messages, |it| kind(it) != "assistant"))),
    fault("play/sends-no-thinking", "engine/request-holds-live")
        .that("leaves the thinking out of its requests")
        .by(Wrong::Requests(|_, turns| lists(turns, "assistant", |blocks| blocks.retain(|it| !is_thinking(it))))),
    fault("play/sends-no-images", "engine/request-holds-live")
        .that("leaves images out of its requests")
        .by(Wrong::Requests(|_, turns| lists(turns, "user", |blocks| blocks.retain(|it| kind(it) != "image")))),
    fault("play/sends-results-without-content", "engine/request-holds-live")
        .that("sends that a tool has run, and not what it gave")
        .by(Wrong::Requests(|_, turns| each_result(turns, |result| remove(result, "content")))),
    fault("play/sends-failures-as-successes", "engine/request-holds-live")
        .that("does not say which results are errors")
        .by(Wrong::Requests(|_, turns| each_result(turns, |result| remove(result, "is_error")))),
    fault("play/sends-errors-of-the-api", "engine/request-holds-live")
        .that("sends errors of the API as if the model had said them")
        .by(Wrong::Requests(|messages, turns| {
            let errors = messages.iter().filter(|message| is(message, "isApiErrorMessage"));
            let said: Vec<Value> = errors.flat_map(words).map(text_block).collect();
            let last = turns.iter_mut().rfind(|turn| is_of(turn, "assistant")).and_then(blocks_mut);
            last.into_iter().for_each(|blocks| drop(blocks.splice(0..0, said.clone())));
        })),
    fault("play/sends-progress", "engine/request-holds-live")
        .that("sends the live output of tools beside their results")
        .by(Wrong::Requests(|messages, turns| {
            let progress = messages.iter().filter(|message| kind(message) == "progress");
            let said: Vec<Value> = progress.map(|message| text_block(&message["data"].to_string())).collect();
            turns.last_mut().and_then(blocks_mut).into_iter().for_each(|blocks| blocks.extend(said.clone()));
        })),
    fault("play/sends-a-prompt-again-with-a-retry", "engine/request-holds-live")
        .that("adds the prompt once more when it sends a request again")
        .by(Wrong::Log(|moments| {
            let mut before = Value::Null;
            for moment in moments {
                let Moment::Requested { turns, .. } = moment else { continue };
                let is_retry = turns.value == before;
                before = turns.value.clone();
                let last = turns.value.as_array_mut().and_then(|turns| turns.last_mut()).and_then(blocks_mut);
                for blocks in last.into_iter().filter(|_| is_retry) {
                    blocks.extend(blocks.iter().rfind(|block| kind(block) == "text").cloned());
                }
            }
        })),
    fault("play/sends-no-attachments", "engine/request-holds-live")
        .that("shows attachments, and sends nothing of them")
        .by(Wrong::Requests(|messages, turns| *turns = made_of(messages, |it| kind(it) != "attachment"))),
    fault("play/sends-no-meta-messages", "engine/request-holds-live")
        .that("sends what people see, and nothing that is for the model alone")
        .by(Wrong::Requests(|messages, turns| *turns = made_of(messages, |it| !is(it, "isMeta")))),
    fault("play/compacts-to-nothing", "engine/request-holds-live")
        .that("shows the summary of a compaction, and continues without it")
        .by(Wrong::Log(|moments| {
            let is_summary = |message: &Value| is(message, "isCompactSummary");
            for moment in moments {
                match moment {
                    Moment::Compacted(list) => {
                        list.value.as_array_mut().into_iter().for_each(|list| list.retain(|it| !is_summary(it)));
                    }
                    Moment::Requested { messages, turns, .. } if messages.elements().iter().any(is_summary) => {
                        let list: Vec<Value> =
                            messages.elements().iter().filter(|it| !is_summary(it)).cloned().collect();
                        *turns = Value::Array(made_of(&list, |_| true)).into();
                        *messages = Value::Array(list).into();
                    }
                    _ => {}
                }
            }
        })),
    fault("play/names-no-messages", "engine/request-holds-live")
        .that("does not say which messages a request is made of")
        .by(Wrong::Requests(|messages, _| messages.clear())),
    fault("play/no-boundary-in-memory", "engine/request-holds-live")
        .that("begins the live messages after a compaction with the summary")
        .by(Wrong::Log(|moments| {
            for moment in moments {
                if let Moment::Compacted(list) = moment {
                    let list = list.value.as_array_mut().into_iter();
                    list.for_each(|list| list.retain(|message| text(message, "subtype") != "compact_boundary"));
                }
            }
        })),
    fault("play/same-words-are-one-prompt", "engine/request-when-due")
        .that("takes a prompt that says the same as the one before it for a slip of the hand")
        .by(Wrong::Log(|moments| {
            let (mut last, mut again) = (String::new(), HashSet::new());
            for prompt in moments.iter().filter_map(yielded).filter(|it| is_prompt(it)) {
                let said = words(prompt).collect::<Vec<_>>().join("\n");
                if said == INTERRUPTION || said == INTERRUPTION_FOR_TOOL_USE {
                    continue;
                }
                if said == last {
                    again.insert(text(prompt, "uuid").to_owned());
                }
                last = said;
            }
            drop_messages(moments, &again);
        })),
    fault("play/call-is-forgotten", "engine/legal-request")
        .that("sends the results of the first two calls of a reply alone")
        .by(Wrong::Requests(|_, turns| {
            lists(turns, "user", |blocks| {
                let mut results = 0;
                blocks.retain(|block| {
                    results += usize::from(kind(block) == "tool_result");
                    kind(block) != "tool_result" || results <= 2
                });
            });
        })),
];

/// Changes what each tool gives.
fn each_given(inputs: &mut [Value], change: fn(&mut Value)) {
    inputs.iter_mut().filter_map(|input| input.get_mut("result")).for_each(change);
}

fn each_result(turns: &mut [Value], change: fn(&mut Value)) {
    lists(turns, "user", |blocks| blocks.iter_mut().filter(|block| result_id(block).is_some()).for_each(change));
}

/// The turns of those messages that are kept.
fn made_of(messages: &[Value], is_kept: fn(&Value) -> bool) -> Vec<Value> {
    let kept: Value = messages.iter().filter(|message| is_kept(message)).cloned().collect();
    match Reference.normalize_api(&kept.to_string(), &RequestOptions::default()) {
        Outcome::Output(request) => list(&request.turns).unwrap_or_default(),
        _ => Vec::new(),
    }
}
