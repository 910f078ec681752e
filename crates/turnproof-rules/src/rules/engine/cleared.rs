//! What was *cleared* stays so: a result that a microcompaction emptied is not sent again, and does not come back.

use std::collections::{HashMap, VecDeque};

use crate::json::Value;

use crate::operation::Moment;
use crate::rules::value::{blocks, is_blank, kind, list as members, result_of, text, uuid};
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

/// What each call was answered, as it was yielded, with the uuid of the message. Several calls may share an id.
type Said<'a> = HashMap<&'a str, Vec<(&'a str, Option<&'a Value>)>>;

pub(super) fn cleared_stays_cleared(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut said: Said<'_> = HashMap::new();
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        let (kind, list, name) = match moment {
            Moment::Yielded(event) => {
                for block in results(&event.value) {
                    let own = uuid(&event.value).unwrap_or_default();
                    said.entry(result_of(block).unwrap_or_default()).or_default().push((own, block.get("content")));
                }
                continue;
            }
            Moment::Requested { messages, .. } => ("sent", messages, "a request is made of"),
            Moment::Resumed(messages) => ("resumed", messages, "a resume brings back"),
            Moment::Forked(messages) => ("forked", messages, "a fork has"),
            _ => continue,
        };
        for (message, id) in cleared(list.elements(), &said) {
            let own = uuid(message).unwrap_or_default();
            let yielded = said.get(id).map_or(&[][..], Vec::as_slice);
            let old = match yielded {
                [(_, old)] => *old,
                several => several.iter().find(|(uuid, _)| *uuid == own).and_then(|(_, old)| *old),
            };
            let old = old.filter(|old| says_something(old));
            let block = results(message).find(|block| result_of(block) == Some(id));
            let (Some(old), Some(block)) = (old, block) else { continue };
            judged += 1;
            if block.get("content") == Some(old) {
                let place = yielded.iter().position(|(uuid, _)| *uuid == own).map_or(0, |place| place + 1);
                let found = match yielded.len() {
                    0 | 1 => sentence!("{name} the result of {id:?} in {own:?} as it was", name, id, own),
                    count => sentence!(
                        "{name} result {place} of {count} with the id {id:?}, in {own:?}, as it was",
                        name,
                        place,
                        count,
                        id,
                        own
                    ),
                };
                report.add(Place::message(index), kind, found, "the result without what was cleared");
            }
        }
    }
    applies(judged > 0, "no result is cleared before a request or a resume")
}

/// The results of a list that a microcompaction behind them names: the message, and the call. Of results that share an id
/// the oldest that is not cleared yet is meant, which is sure where none of them is missing in the list.
fn cleared<'v>(list: &'v [Value], said: &Said<'_>) -> Vec<(&'v Value, &'v str)> {
    let mut waiting: HashMap<&str, VecDeque<&Value>> = HashMap::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut cleared = Vec::new();
    for message in list {
        let ids = message.get("microcompactMetadata").map_or(&[][..], |metadata| members(metadata, "compactedToolIds"));
        for id in ids.iter().filter_map(Value::as_str) {
            cleared.extend(waiting.get_mut(id).and_then(VecDeque::pop_front).map(|oldest| (oldest, id)));
        }
        for id in results(message).filter_map(result_of) {
            waiting.entry(id).or_default().push_back(message);
            *counts.entry(id).or_default() += 1;
        }
    }
    let is_sure = |id: &str| said.get(id).is_none_or(|said| said.len() == 1 || counts.get(id) == Some(&said.len()));
    cleared.retain(|(_, id)| is_sure(id));
    cleared
}

fn results(message: &Value) -> impl Iterator<Item = &Value> {
    let is_user = kind(message) == "user";
    blocks(message).iter().filter(move |block| is_user && result_of(block).is_some())
}

/// Whether a result holds something that could be cleared.
fn says_something(content: &Value) -> bool {
    match content {
        Value::String(said) => !is_blank(said),
        Value::Array(parts) => parts.iter().any(|part| text(part, "text").is_none_or(|said| !is_blank(said))),
        _ => false,
    }
}
