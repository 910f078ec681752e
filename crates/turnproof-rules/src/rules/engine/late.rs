//! *Late fields*: why a reply stopped and what it cost reaches its last message, and its line in the file.

use std::collections::HashMap;

use crate::json::Value;

use super::Wrong;
use super::model::{Expected, Late};
use super::reported::UNKNOWN;
use crate::operation::Moment;
use crate::rules::alike::alike;
use crate::rules::value::{kind, text, uuid};
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

pub(super) fn late_fields(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    let reported = case.reported();
    // Each message as it was said last.
    let mut said: HashMap<&str, &Value> = HashMap::new();
    for moment in &case.moments {
        if let Moment::Yielded(event) | Moment::Amended(event) = moment
            && kind(&event.value) == "assistant"
        {
            said.extend(uuid(&event.value).map(|uuid| (uuid, &event.value)));
        }
    }
    let lines = case.file_records().iter().filter(|_| case.whole);
    let written: HashMap<&str, &Value> = lines.filter_map(|line| Some((uuid(&line.value)?, &line.value))).collect();
    let mut judged = 0;
    for (at, (expected, _)) in reported.pairs.iter().enumerate() {
        let Expected::Line(line) = expected else { continue };
        let Some((late, (moment, message))) = line.late.zip(reported.message(&case.moments, at)) else { continue };
        let Some(uuid) = uuid(message) else { continue };
        judged += 1;
        let place = Place::message(moment);
        for (kind, found, expected) in wrong(late, said.get(uuid).copied().unwrap_or(message), SAID) {
            let found = sentence!("the last message of the reply {reply:?} has {found}", reply = line.reply, found);
            report.add(place, kind, found, expected);
        }
        if let Some(record) = written.get(uuid).filter(|_| late.is_in_time) {
            for (kind, found, expected) in wrong(late, record, WRITTEN) {
                let found =
                    sentence!("the line of {uuid:?}, which had to wait for what comes late, has {found}", uuid, found);
                report.add(place, kind, found, expected);
            }
        }
    }
    applies(judged > 0, "no reply ends")
}

/// The kinds of violations in a message, one for each late field.
const SAID: [&str; 2] = ["stop-reason", "output-tokens"];

/// The same in a line of the file.
const WRITTEN: [&str; 2] = ["written-stop-reason", "written-output-tokens"];

/// What is wrong with the late fields of a message.
fn wrong(late: Late<'_>, message: &Value, [of_reason, of_tokens]: [&'static str; 2]) -> Vec<Wrong> {
    let body = message.get("message").unwrap_or(&Value::Null);
    let mut wrong = Vec::new();
    let reason = text(body, "stop_reason");
    if late.stop_reason.is_some() && reason != late.stop_reason {
        let [reason, expected] = [reason, late.stop_reason]
            .map(|reason| reason.map_or_else(|| "null".to_owned(), |reason| format!("{reason:?}")));
        let found = sentence!("the `stop_reason` {reason}", reason);
        wrong.push((of_reason, found, sentence!("{expected}", expected)));
    }
    let tokens = body.get("usage").and_then(|usage| usage.get("output_tokens")).unwrap_or(&Value::Null);
    if let Some(expected) = late.output_tokens.filter(|expected| !alike(expected, tokens)) {
        let found = sentence!("{tokens} as the `output_tokens` of its usage", tokens = tokens.to_string());
        wrong.push((of_tokens, found, sentence!("{expected}", expected = expected.to_string())));
    }
    wrong
}
