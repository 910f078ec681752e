//! *Summaries* of calls come late, and nothing waits for them.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::live::{answered, calls};
use crate::operation::{Moment, Played};
use crate::rules::alike::excerpt;
use crate::rules::value::{is_true, kind, list, reply_id, text};
use crate::rules::{Applies, Place, PlayEvidence, Report, Sentence, applies};
use crate::vocabulary::SYNTHETIC_MODEL;

#[derive(Default)]
struct Order<'a> {
    calls: &'a [String],
    is_requested: bool,
    is_yielded: bool,
    fails: bool,
    is_closed: bool,
}

/// What is known of the calls of a log.
#[derive(Default)]
struct Seen<'a> {
    results: HashSet<&'a str>,
    /// The reply of each call.
    replies: HashMap<&'a str, &'a str>,
}

pub(super) fn summary_late(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    for (at, found) in words_of_nobody(case) {
        report.add(Place::message(at), "other-words", found, "the words that the small model gave, once");
    }
    let mut orders: Vec<Order> = Vec::new();
    let mut seen = Seen::default();
    for (at, moment) in case.moments.iter().enumerate() {
        let mut add = |kind: &'static str, found: Sentence, expected: &'static str| {
            report.add(Place::message(at), kind, found, expected);
        };
        match moment {
            Moment::SummaryOrdered(calls) => {
                orders.push(Order { calls, fails: fails_later(case, at, calls), ..Order::default() });
            }
            Moment::Requested { .. } => orders.iter_mut().for_each(|order| order.is_requested = true),
            Moment::SummaryFailed(calls) if is_reported(case, at + 1) => {
                let calls = format!("{calls:?}");
                add("notice", sentence!("a notice where the summary of {calls} fails", calls), "nothing");
            }
            Moment::Crashed { .. } | Moment::Compacted(_) => orders.iter_mut().for_each(|order| order.is_closed = true),
            Moment::Yielded(event) => match kind(&event.value) {
                "tool_use_summary" => take_summary(&event.value, &mut orders, &seen, &mut add),
                "assistant" if is_of_a_model(&event.value) => {
                    close(&event.value, &mut orders, &seen, &mut add);
                    let id = reply_id(&event.value);
                    seen.replies.extend(calls(&event.value).filter_map(|call| Some((call, id?))));
                }
                _ => seen.results.extend(answered(&event.value)),
            },
            _ => {}
        }
    }
    applies(!orders.is_empty(), "no summary is ordered")
}

/// The summaries that are yielded with words that no input gives, or more often than inputs give them.
fn words_of_nobody(case: &PlayEvidence<'_>) -> Vec<(usize, Sentence)> {
    let Some(inputs) = &case.inputs else { return Vec::new() };
    let mut given: Vec<&Value> = inputs.elements().iter().filter_map(|input| input.get("summary")).collect();
    let mut of_nobody = Vec::new();
    for (at, moment) in case.moments.iter().enumerate() {
        let Moment::Yielded(event) = moment else { continue };
        let Some(words) = event.value.get("summary").filter(|_| kind(&event.value) == "tool_use_summary") else {
            continue;
        };
        match given.iter().position(|given| *given == words) {
            Some(place) => drop(given.swap_remove(place)),
            None => {
                let words = excerpt(words.to_string(), 80);
                of_nobody.push((at, sentence!("a summary of calls with the words {words}", words)));
            }
        }
    }
    of_nobody
}

/// Whether somebody is informed at this moment of what nothing asks for. Where another model takes over, or the disk is
/// full, a notice may say so.
fn is_reported(case: &PlayEvidence<'_>, at: usize) -> bool {
    let Some(Moment::Yielded(event)) = case.moments.get(at) else { return false };
    let mut inputs = case.inputs.iter().flat_map(|inputs| inputs.elements());
    kind(&event.value) == "system"
        && text(&event.value, "subtype") == Some("informational")
        && inputs.all(|input| input.get("fallback").is_none() && input.get("disk").is_none())
        && !case.reported().pairs.iter().any(|(_, reported)| *reported == Some(at))
}

/// Whether a summary that is ordered at this moment fails before another one is ordered for the same calls.
fn fails_later(case: &Played, at: usize, calls: &[String]) -> bool {
    let later = case.moments.iter().skip(at + 1);
    let mut same = later.take_while(|moment| !matches!(moment, Moment::SummaryOrdered(others) if others == calls));
    same.any(|moment| matches!(moment, Moment::SummaryFailed(others) if others == calls))
}

/// Whether an assistant message was made by a model.
fn is_of_a_model(message: &Value) -> bool {
    let model = message.get("message").and_then(|body| text(body, "model"));
    !is_true(message, "isApiErrorMessage") && model != Some(SYNTHETIC_MODEL)
}

fn take_summary(
    summary: &Value,
    orders: &mut [Order],
    seen: &Seen,
    add: &mut impl FnMut(&'static str, Sentence, &'static str),
) {
    let name = if summary.get("precedingToolUseIds").is_some() { "precedingToolUseIds" } else { "toolUseIds" };
    let ids: Vec<&str> = list(summary, name).iter().filter_map(Value::as_str).collect();
    let Some(order) = orders.iter_mut().rfind(|order| order.calls == ids) else {
        let ids = format!("{ids:?}");
        return add("not-ordered", sentence!("a summary of {ids}", ids), "summaries that were ordered");
    };
    let named = || format!("{ids:?}");
    if order.fails {
        add("failed", sentence!("a summary of {ids}, which failed", ids = named()), "nothing");
    } else if order.is_yielded {
        add("twice", sentence!("a second summary of {ids}", ids = named()), "one");
    } else if let Some(id) = ids.iter().find(|id| !seen.results.contains(*id)) {
        let found = sentence!("a summary before the result of {id:?}", id = *id);
        add("early", found, "a summary after the results");
    }
    order.is_yielded = true;
}

/// A reply begins: a summary that was ordered before it has come by now, or never comes.
fn close(
    message: &Value,
    orders: &mut [Order],
    seen: &Seen,
    add: &mut impl FnMut(&'static str, Sentence, &'static str),
) {
    for order in orders.iter_mut().filter(|order| !order.is_closed) {
        let id = reply_id(message);
        let is_own = order.calls.iter().any(|call| id.is_some() && seen.replies.get(call.as_str()).copied() == id);
        if is_own {
            continue;
        }
        order.is_closed = true;
        let calls = || format!("{:?}", order.calls);
        if !order.is_requested {
            let found = sentence!("no request after the summary of {calls} was ordered", calls = calls());
            add("no-request", found, "a request that does not wait");
        } else if !order.is_yielded && !order.fails {
            let found = sentence!("a reply before the summary of {calls}", calls = calls());
            add("late", found, "the summary first");
        }
    }
}
