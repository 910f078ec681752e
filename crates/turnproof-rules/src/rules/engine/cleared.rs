//! What was *cleared* stays so: a result that a microcompaction emptied is not sent again, and does not come back.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use crate::operation::Moment;
use crate::rules::value::{blocks, is_blank, kind, list as members, result_of, text, uuid};
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

pub(super) fn cleared_stays_cleared(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    // What each call was answered, as it was yielded; nothing where several calls share an id.
    let mut said: HashMap<&str, Option<&Value>> = HashMap::new();
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        let (kind, list, name) = match moment {
            Moment::Yielded(event) => {
                for block in results(&event.value) {
                    let content = block.get("content");
                    let id = result_of(block).unwrap_or_default();
                    said.entry(id).and_modify(|said| *said = None).or_insert(content);
                }
                continue;
            }
            Moment::Requested { messages, .. } => ("sent", messages, "a request is made of"),
            Moment::Resumed(messages) => ("resumed", messages, "a resume brings back"),
            Moment::Forked(messages) => ("forked", messages, "a fork has"),
            _ => continue,
        };
        let list = list.elements();
        for (message, id) in cleared(list) {
            let old = said.get(id).copied().flatten().filter(|old| says_something(old));
            let block = results(message).find(|block| result_of(block) == Some(id));
            let (Some(old), Some(block)) = (old, block) else { continue };
            judged += 1;
            if block.get("content") == Some(old) {
                let uuid = uuid(message).unwrap_or_default();
                let found = sentence!("{name} the result of {id:?} in {uuid:?} as it was", name, id, uuid);
                report.add(Place::message(index), kind, found, "the result without what was cleared");
            }
        }
    }
    applies(judged > 0, "no result is cleared before a request or a resume")
}

/// The results of a list that a microcompaction behind them names: the message, and the call.
fn cleared(list: &[Value]) -> Vec<(&Value, &str)> {
    let mut named: HashSet<&str> = HashSet::new();
    let mut cleared = Vec::new();
    for message in list.iter().rev() {
        let ids = message.get("microcompactMetadata").map_or(&[][..], |metadata| members(metadata, "compactedToolIds"));
        named.extend(ids.iter().filter_map(Value::as_str));
        cleared.extend(results(message).filter_map(result_of).filter(|id| named.contains(id)).map(|id| (message, id)));
    }
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
