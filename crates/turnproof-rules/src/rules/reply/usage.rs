//! *Usage*: the message says what it costs when it begins, and a stream says it again at its end.

use crate::json::Value;
use crate::operation::reply::Reply;
use crate::rules::{Place, Report};

pub(super) fn usage(reply: &Reply, report: &mut Report<'_>) {
    let Some((place, message)) = &reply.assembled.message else { return };
    let what = if reply.stream().is_some() { "`message_start`" } else { "the message" };
    match message.get("usage") {
        Some(usage @ Value::Object(_)) => {
            for (member, path) in [("input_tokens", "usage.input_tokens"), ("output_tokens", "usage.output_tokens")] {
                wrong_count(usage, member, what, place.member(path), report);
            }
        }
        _ => {
            let found = sentence!("{what} without usage", what);
            report.add(place.member("usage"), "no-usage", found, "`usage` with input_tokens and output_tokens");
        }
    }
    let Some((place, event)) = reply.assembled.ends.last() else { return };
    match event.get("usage") {
        Some(usage @ Value::Object(_)) => {
            wrong_count(usage, "output_tokens", "the last `message_delta`", *place, report);
        }
        _ => {
            report.add(*place, "no-final-usage", "the last `message_delta` has no usage", "`usage` with output_tokens")
        }
    }
}

fn wrong_count(usage: &Value, member: &str, what: &str, place: Place, report: &mut Report<'_>) {
    match usage.get(member) {
        Some(count) if count.as_u64().is_some() => {}
        None => {
            let found = sentence!("the usage of {what} has no {member}", what, member);
            report.add(place, "no-count", found, "a whole number");
        }
        Some(count) => {
            let count = count.to_string();
            let found = sentence!("the {member} of {what} is {count}", member, what, count);
            report.add(place, "no-number", found, "a whole number");
        }
    }
}
