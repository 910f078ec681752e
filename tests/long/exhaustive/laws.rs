//! The *laws* that the model itself must keep, on all short sequences: its steps must have the properties that
//! normalization needs.

use serde_json::{Value, json};

use super::alphabet::{BLOCKS, EVERYDAY, Letter, ODD, letters};
use super::exhaust::{Sequence, exhaust};
use super::legal::breaches;
use super::naive::{normalize, refused_types};

/// How long the sequences of each alphabet are.
pub(super) const LENGTHS: [(&str, usize); 3] = if cfg!(debug_assertions) {
    [(EVERYDAY, 4), (ODD, 2), (BLOCKS, 3)]
} else {
    [(EVERYDAY, 5), (ODD, 3), (BLOCKS, 4)]
};

fn hold(alphabet: &[Letter], longest: usize) {
    let (_, failures) = exhaust(alphabet, longest, |sequence| {
        let turns = normalize(&sequence.values, None);
        is_legal(&turns)?;
        is_idempotent(&turns)?;
        is_prefix_stable(&sequence.values, &turns)
    });
    if let Some(first) = failures.first() {
        panic!("{} fail; the first is {}\n{}", failures.len(), Sequence::describe(&first.letters), first.why);
    }
}

fn holds(law: bool, name: &str, turns: &[Value], others: &[Value]) -> Result<(), String> {
    let lines = |turns: &[Value]| turns.iter().map(|turn| format!("  {turn}\n")).collect::<String>();
    if law { Ok(()) } else { Err(format!("not {name}:\n{}and\n{}", lines(turns), lines(others))) }
}

fn is_legal(turns: &[Value]) -> Result<(), String> {
    let breaches: Vec<Value> = breaches(turns).into_iter().map(Value::from).collect();
    holds(breaches.is_empty(), "legal", turns, &breaches)
}

fn is_idempotent(turns: &[Value]) -> Result<(), String> {
    let message = |turn: &Value| json!({"type": turn["role"], "message": turn});
    let again = normalize(&turns.iter().map(message).collect::<Vec<_>>(), None);
    holds(again == turns, "idempotent", turns, &again)
}

fn is_prefix_stable(messages: &[Value], longer: &[Value]) -> Result<(), String> {
    let Some((appended, before)) = messages.split_last() else { return Ok(()) };
    let shorter = normalize(before, None);
    let kept = shorter.len().saturating_sub(1);
    let is_kept = longer.len() >= kept && longer[..kept] == shorter[..kept];
    holds(is_kept || may_reach_back(before, &shorter, appended), "prefix-stable", &shorter, longer)
}

/// Whether an appended message may change turns before the last one.
fn may_reach_back(before: &[Value], turns: &[Value], appended: &Value) -> bool {
    match appended["type"].as_str() {
        Some("tombstone") => true,
        Some("assistant") => {
            !refused_types(appended).is_empty() || continues_a_reply(before, appended) || ends_with_placeholder(turns)
        }
        Some("user") => has_late_result(turns, &appended["message"]["content"]),
        Some("attachment") => has_late_result(turns, &appended["attachment"]["prompt"]),
        _ => false,
    }
}

fn continues_a_reply(before: &[Value], appended: &Value) -> bool {
    let reply = &appended["message"]["id"];
    let is_same = |earlier: &Value| earlier["type"] == "assistant" && &earlier["message"]["id"] == reply;
    reply.is_string() && before.iter().any(is_same)
}

fn ends_with_placeholder(turns: &[Value]) -> bool {
    let is_placeholder = |block: &Value| block["content"] == "[Tool result missing due to internal error]";
    turns.last().is_some_and(|last| elements(&last["content"]).iter().any(is_placeholder))
}

fn has_late_result(turns: &[Value], content: &Value) -> bool {
    let last = turns.iter().rfind(|turn| turn["role"] == "assistant");
    let calls = last.map_or(&[][..], |last| elements(&last["content"]));
    let has_call = |id: &Value| calls.iter().any(|call| call["type"] == "tool_use" && &call["id"] == id);
    elements(content).iter().any(|block| block["type"] == "tool_result" && !has_call(&block["tool_use_id"]))
}

fn elements(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn the_model_is_legal_idempotent_and_prefix_stable_on_all_short_conversations() {
    LENGTHS.iter().for_each(|(alphabet, longest)| hold(&letters(alphabet), *longest));
}

#[test]
fn the_model_keeps_its_laws_where_the_alphabets_meet() {
    hold(&[letters(EVERYDAY), letters(ODD)].concat(), LENGTHS[1].1);
}
