//! The *reason to stop* is one that the API gives, and fits what the reply holds.

use crate::json::Value;
use crate::operation::reply::Reply;
use crate::rules::{Place, Report};
use crate::vocabulary::STOP_REASONS;

/// The reasons of OpenAI's API, each with that of the Messages API.
const OPENAI: &[(&str, &str)] = &[
    ("stop", "end_turn"),
    ("length", "max_tokens"),
    ("tool_calls", "tool_use"),
    ("function_call", "tool_use"),
    ("content_filter", "refusal"),
];

/// A reason that needs a beta header: the model made a summary, and waits.
const PAUSED_FOR_COMPACTION: &str = "compaction";

pub(super) fn stop_reason(reply: &Reply, report: &mut Report<'_>) {
    let assembled = &reply.assembled;
    match assembled.stop_reason() {
        Some((place, Value::String(reason))) => fits(reply, place, reason, report),
        Some((place, reason)) => {
            report.add(place, "no-text", sentence!("stop_reason is {reason}", reason = reason.to_string()), "a text");
        }
        // A stream without its end breaks `reply/order`.
        None if assembled.is_finished => {
            let end = assembled.ends.last().map(|(place, _)| *place);
            let start = assembled.message.as_ref().filter(|_| reply.stream().is_none());
            let Some(place) = end.or(start.map(|(place, _)| place.member("stop_reason"))) else { return };
            report.add(place, "missing", "there is no stop_reason at the end", "why the model stopped");
        }
        None => {}
    }
}

fn fits(reply: &Reply, place: Place, reason: &str, report: &mut Report<'_>) {
    if let Some((_, ours)) = OPENAI.iter().find(|(theirs, _)| *theirs == reason) {
        let found = sentence!("stop_reason {reason} is none of the Messages API, but of OpenAI's", reason);
        return report.add(place, "openai", found, *ours);
    }
    if !STOP_REASONS.contains(&reason) && reason != PAUSED_FOR_COMPACTION {
        let found = sentence!("stop_reason {reason} is none of the Messages API", reason);
        return report.add(place, "unknown", found, sentence!("one of {known}", known = STOP_REASONS.join(", ")));
    }
    let has_call = reply.assembled.blocks.iter().any(|block| block.is_client_call());
    match reason {
        "end_turn" if has_call => {
            let found = "stop_reason end_turn, with a tool_use in the reply";
            report.add(place, "end-turn-with-call", found, "tool_use");
        }
        "tool_use" if !has_call => {
            let found = "stop_reason tool_use, without a tool_use in the reply";
            report.add(place, "no-call", found, "end_turn, or a call");
        }
        _ => {}
    }
}
