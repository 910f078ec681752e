//! What a request *holds*: what the live messages say, all of it once, and nothing else. The rules on normalization are
//! asked of the live messages and of the turns that were sent.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::super::answered::made;
use super::super::live::{Live, answered, is_boundary};
use super::super::{Wrong, of_asked};
use super::applies_to_whole;
use crate::operation::{ApiNormalized, Moment, Plain, RequestOptions};
use crate::rules::normalize::{RULES, as_sent};
use crate::rules::value::{blocks, call_of, is_true, kind, list, result_of, uuid};
use crate::rules::{Applies, Evidence, Judge, Place, PlayEvidence, Report, Sentence, Verdict, applies};

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
            for (kind, found, expected) in wrongly_compacted(&live.messages(), list.elements()) {
                report.add(Place::message(index), kind, found, expected);
            }
        }
        live.take(moment);
        let Moment::Requested { messages, turns, .. } = moment else { continue };
        judged += 1;
        let standing = live.messages();
        for (kind, found) in wrongly_made(&standing, messages.elements()) {
            report.add(Place::message(index), kind, found, "a request that is made of what is live, in order");
        }
        let standing = standing.into_iter().cloned().collect();
        let standing = as_cleared(standing, messages.elements(), turns.elements());
        compare(standing, turns, index, report);
    }
    applies(judged > 0, "no request is sent")
}

/// What is wrong with the list that a compaction leaves. What it kept was live, and so were its boundary and its
/// summary.
fn wrongly_compacted(live: &[&Value], list: &[Value]) -> Vec<Wrong> {
    let was_live: HashSet<&str> = live.iter().copied().filter_map(uuid).collect();
    let mut wrong = Vec::new();
    let whole = "the boundary, the summary and what was kept";
    if !list.iter().any(is_boundary) {
        wrong.push(("no-boundary", "a compaction leaves no boundary".into(), whole.into()));
    }
    if !list.iter().any(|message| is_true(message, "isCompactSummary")) {
        wrong.push(("no-summary", "a compaction leaves no summary".into(), whole.into()));
    }
    let foreign = list.iter().filter_map(uuid).filter(|uuid| !was_live.contains(uuid));
    let left =
        |uuid: &str| ("compacted", sentence!("a compaction leaves {uuid:?}", uuid), "what was live before it".into());
    wrong.extend(foreign.map(left));
    wrong
}

/// What is wrong with the messages that a request is said to be made of: the kind, and what is found.
fn wrongly_made(live: &[&Value], made_of: &[Value]) -> Vec<(&'static str, Sentence)> {
    let named = |message: &&Value| uuid(message).filter(|_| is_sent_to_the_model(message)).map(str::to_owned);
    let expected: Vec<String> = live.iter().filter_map(named).collect();
    let given: Vec<String> = made_of.iter().filter_map(|message| named(&message)).collect();
    if expected == given {
        return Vec::new();
    }
    let (wanted, there): (HashSet<&String>, HashSet<&String>) = (expected.iter().collect(), given.iter().collect());
    let missing = expected.iter().find(|uuid| !there.contains(uuid));
    let foreign = given.iter().find(|uuid| !wanted.contains(uuid));
    let missing = missing
        .map(|uuid| ("missing", sentence!("{uuid:?} is live, and is not among the messages of the request", uuid)));
    let foreign = foreign
        .map(|uuid| ("extra", sentence!("{uuid:?} is among the messages of the request, and is not live", uuid)));
    let mut found: Vec<_> = missing.into_iter().chain(foreign).collect();
    if found.is_empty() {
        let words = "the messages of the request are the live ones in another order, or some twice";
        found.push(("wrong-order", words.into()));
    }
    found
}

fn is_sent_to_the_model(message: &Value) -> bool {
    matches!(kind(message), "user" | "assistant" | "attachment") && !is_true(message, "isVirtual")
}

/// The live messages with the results that a microcompaction cleared, as they were sent or as the list says them. The
/// words in their place are the subject's, but not what the tool gave.
fn as_cleared(mut live: Vec<Value>, made_of: &[Value], turns: &[Value]) -> Vec<Value> {
    let metadata = live.iter().filter_map(|message| message.get("microcompactMetadata"));
    let named = metadata.flat_map(|metadata| list(metadata, "compactedToolIds")).filter_map(Value::as_str);
    let cleared: HashSet<String> = named.map(str::to_owned).collect();
    if cleared.is_empty() {
        return live;
    }
    let mut sent = sent(&live, turns).into_iter();
    let has_cleared = |message: &Value| answered(message).any(|call| cleared.contains(call));
    let shown = made_of.iter().filter(|message| has_cleared(message));
    let shown: HashMap<&str, &Value> = shown.filter_map(|message| Some((uuid(message)?, message))).collect();
    for message in live.iter_mut().filter(|message| kind(message) == "user") {
        let shown = uuid(message).and_then(|uuid| shown.get(uuid)).map_or(&[][..], |shown| blocks(shown));
        let content = message.pointer_mut("/message/content").and_then(Value::as_array_mut);
        for (at, block) in content.into_iter().flatten().enumerate() {
            let Some(call) = result_of(block).map(str::to_owned) else { continue };
            let sent = sent.next().flatten().filter(|sent| !says_the_same(sent, block));
            let shown = shown.get(at).filter(|shown| result_of(shown) == Some(&call));
            let instead = sent.as_ref().or(shown).and_then(|instead| instead.get("content"));
            if let Some(instead) = instead.filter(|_| cleared.contains(&call)).cloned() {
                block["content"] = instead;
            }
        }
    }
    live
}

/// Whether a result was sent with the content that it has. Of content that is sent as JSON text only the value counts.
fn says_the_same(sent: &Value, own: &Value) -> bool {
    let (sent, wanted) = (as_sent(sent), as_sent(own));
    let (sent, wanted) = (sent.get("content"), wanted.get("content"));
    let is_same_json = || {
        let [sent, wanted] = [sent, wanted].map(|content| content.and_then(Value::as_str).map(Plain::read));
        matches!((sent, wanted), (Some(Ok(sent)), Some(Ok(wanted))) if sent.value == wanted.value)
    };
    sent == wanted || (own.get("content").is_some_and(Value::is_object) && is_same_json())
}

/// For each result of these messages the one that was sent for the same call. Ids that repeat are sent changed, so a
/// call is known by its place among all calls.
fn sent(live: &[Value], turns: &[Value]) -> Vec<Option<Value>> {
    let own: Vec<&str> = made(live.iter()).collect();
    let blocks = || turns.iter().flat_map(|turn| list(turn, "content"));
    let theirs: Vec<&str> = blocks().filter_map(call_of).collect();
    let is_known = own.len() == theirs.len();
    let mut before: HashMap<&str, usize> = HashMap::new();
    let sent = live.iter().flat_map(answered).map(|call| {
        let times = before.entry(call).or_default();
        let place = (0..own.len()).filter(|at| own[*at] == call).nth(*times);
        *times += 1;
        let its = theirs.get(place.filter(|_| is_known)?)?;
        blocks().find(|block| result_of(block) == Some(its)).cloned()
    });
    sent.collect()
}

/// Messages and the turns that were sent for them, as the rules on normalization take them.
pub(super) fn compared(messages: Vec<Value>, turns: &Plain) -> ApiNormalized {
    ApiNormalized {
        messages: Value::Array(messages).into(),
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
        for (kind, found, expected) in violations.into_iter().map(of_asked) {
            report.add(Place::message(moment), kind, found, expected);
        }
    }
}
