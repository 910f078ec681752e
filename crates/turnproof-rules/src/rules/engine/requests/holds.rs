//! What a request *holds*: what the live messages say, all of it once, and nothing else. The rules on normalization are
//! asked of the live messages and of the turns that were sent.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use super::super::live::{Live, answered, is_boundary};
use super::applies_to_whole;
use crate::operation::{ApiNormalized, Moment, Plain, RequestOptions};
use crate::rules::normalize::RULES;
use crate::rules::value::{blocks, is_true, kind, list, result_of, uuid};
use crate::rules::{Applies, Evidence, Judge, Place, PlayEvidence, Report, Verdict, applies};

/// The rules on normalization that compare messages and turns.
const ASKED: [&str; 6] = [
    "normalize/total",
    "normalize/conserves",
    "normalize/no-invention",
    "normalize/keeps-order",
    "normalize/wraps-attachments",
    "thinking/unmodified",
];

pub(in crate::rules::engine) fn request_holds_live(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies_to_whole(case)?;
    let mut live = Live::default();
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        if let Moment::Compacted(list) = moment {
            for (found, expected) in wrongly_compacted(&live.messages(), list.elements()) {
                report.add(Place::message(index), found, expected);
            }
        }
        live.take(moment);
        let Moment::Requested { messages, turns, .. } = moment else { continue };
        judged += 1;
        let standing = live.messages();
        for found in wrongly_made(&standing, messages.elements()) {
            report.add(Place::message(index), found, "a request that is made of what is live, in order");
        }
        let standing = standing.into_iter().cloned().collect();
        let standing = as_cleared(standing, messages.elements());
        compare(standing, turns, index, report);
    }
    applies(judged > 0, "no request is sent")
}

/// What is wrong with the list that a compaction leaves, and what was expected. What it kept was live, and so were its
/// boundary and its summary.
fn wrongly_compacted(live: &[&Value], list: &[Value]) -> Vec<(String, &'static str)> {
    let was_live: HashSet<&str> = live.iter().copied().filter_map(uuid).collect();
    let mut wrong = Vec::new();
    if !list.iter().any(is_boundary) {
        wrong.push(("a compaction leaves no boundary".to_owned(), "the boundary, the summary and what was kept"));
    }
    if !list.iter().any(|message| is_true(message, "isCompactSummary")) {
        wrong.push(("a compaction leaves no summary".to_owned(), "the boundary, the summary and what was kept"));
    }
    let foreign = list.iter().filter_map(uuid).filter(|uuid| !was_live.contains(uuid));
    wrong.extend(foreign.map(|uuid| (format!("a compaction leaves {uuid:?}"), "what was live before it")));
    wrong
}

/// What is wrong with the messages that a request is said to be made of.
fn wrongly_made(live: &[&Value], made_of: &[Value]) -> Vec<String> {
    let named = |message: &&Value| uuid(message).filter(|_| goes_to_the_model(message)).map(str::to_owned);
    let expected: Vec<String> = live.iter().filter_map(named).collect();
    let given: Vec<String> = made_of.iter().filter_map(|message| named(&message)).collect();
    if expected == given {
        return Vec::new();
    }
    let (wanted, there): (HashSet<&String>, HashSet<&String>) = (expected.iter().collect(), given.iter().collect());
    let missing = expected.iter().find(|uuid| !there.contains(uuid));
    let foreign = given.iter().find(|uuid| !wanted.contains(uuid));
    let missing = missing.map(|uuid| format!("{uuid:?} is live, and is not among the messages of the request"));
    let foreign = foreign.map(|uuid| format!("{uuid:?} is among the messages of the request, and is not live"));
    let mut found: Vec<String> = missing.into_iter().chain(foreign).collect();
    if found.is_empty() {
        found.push("the messages of the request are the live ones in another order, or some twice".to_owned());
    }
    found
}

fn goes_to_the_model(message: &Value) -> bool {
    matches!(kind(message), "user" | "assistant" | "attachment") && !is_true(message, "isVirtual")
}

/// The live messages with the results that a microcompaction cleared. The words in their place are the subject's.
fn as_cleared(mut live: Vec<Value>, made_of: &[Value]) -> Vec<Value> {
    let metadata = live.iter().filter_map(|message| message.get("microcompactMetadata"));
    let named = metadata.flat_map(|metadata| list(metadata, "compactedToolIds")).filter_map(Value::as_str);
    let cleared: HashSet<String> = named.map(str::to_owned).collect();
    if cleared.is_empty() {
        return live;
    }
    let has_cleared = |message: &Value| answered(message).any(|call| cleared.contains(call));
    let shown = made_of.iter().filter(|message| has_cleared(message));
    let shown: HashMap<&str, &Value> = shown.filter_map(|message| Some((uuid(message)?, message))).collect();
    for message in live.iter_mut().filter(|message| has_cleared(message)) {
        let Some(shown) = uuid(message).and_then(|uuid| shown.get(uuid)) else { continue };
        let content = message.pointer_mut("/message/content").and_then(Value::as_array_mut);
        for (block, shown) in content.into_iter().flatten().zip(blocks(shown)) {
            let is_cleared = result_of(block).is_some_and(|call| cleared.contains(call));
            if is_cleared && result_of(block) == result_of(shown) {
                block["content"] = shown.get("content").cloned().unwrap_or_default();
            }
        }
    }
    live
}

/// Messages and the turns that were sent for them, as the rules on normalization take them.
pub(super) fn compared(messages: Vec<Value>, turns: &Plain) -> ApiNormalized {
    ApiNormalized {
        messages: Arc::new(Value::Array(messages).into()),
        options: RequestOptions::default(),
        request: Ok(turns.clone()),
        again: None,
        messages_after: None,
        renormalized: None,
        shorter: Vec::new(),
        incremental: None,
    }
}

/// Compares messages and turns by the rules on normalization; the broken rule comes first in what is found.
fn compare(messages: Vec<Value>, turns: &Plain, moment: usize, report: &mut Report<'_>) {
    let normalized = compared(messages, turns);
    let evidence = Evidence::new(&normalized);
    for rule in RULES.iter().filter(|rule| ASKED.contains(&rule.id)) {
        let Judge::NormalizeApi(judge) = rule.judge else { continue };
        let Verdict::Broken(violations) = judge(&evidence) else { continue };
        for violation in violations {
            let found = format!("{}: {} ({})", violation.rule, violation.found, violation.place);
            report.add(Place::message(moment), found, violation.expected);
        }
    }
}
