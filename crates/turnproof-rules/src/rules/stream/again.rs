//! The same stream *again*, as it was and cut otherwise.

use crate::json::Value;

use super::model::{FAULTS, Fault, Model};
use crate::operation::{Plain, StreamFault, Streamed};
use crate::rules::alike::in_short;
use crate::rules::names::Names;
use crate::rules::{Applies, Report, StreamEvidence, applies, refusal};

pub(super) fn chunking_invariant(case: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let otherwise = case.cut_otherwise.as_ref().ok_or("the stream was not cut otherwise")?;
    match (&case.output, otherwise) {
        (Ok(output), Ok(otherwise)) => {
            if let Some((found, expected)) = difference(output, otherwise, &|fault| fault.name.clone()) {
                report.old_whole(found, expected);
            }
        }
        (Err(_), Err(_)) => return Err("there is no output"),
        (Ok(_), Err(why)) => report.old_whole(format!("cut otherwise there is no output: {why}"), "the same output"),
        (Err(why), Ok(_)) => {
            report.old_whole(format!("only cut otherwise there is an output; else {why}"), "the same output");
        }
    }
    Ok(())
}

/// The lists of an output.
fn lists<'a>(output: &'a Streamed) -> [(&'static str, Option<&'a Value>); 4] {
    let value = |list: Option<&'a Plain>| list.map(|list| &list.value);
    [
        ("events", Some(&output.events.value)),
        ("live", Some(&output.live.value)),
        ("slots", value(output.slots.as_ref())),
        ("messages", value(output.messages.as_ref())),
    ]
}

/// The first part in which two outputs differ, of the second and of the first. Ids are known by their order, and times
/// are not compared.
fn difference(first: &Streamed, second: &Streamed, fault: &dyn Fn(&StreamFault) -> String) -> Option<(String, String)> {
    different_list(first, second).or_else(|| {
        let (first, second) = (first.fault.as_ref().map(fault), second.fault.as_ref().map(fault));
        let in_words = |fault: Option<String>| match fault {
            Some(fault) if fault.is_empty() => "a fault without a name".to_owned(),
            fault => fault.unwrap_or_else(|| "no fault".to_owned()),
        };
        (first != second).then(|| (in_words(second), in_words(first)))
    })
}

fn different_list<'a>(first: &'a Streamed, second: &'a Streamed) -> Option<(String, String)> {
    let (first_lists, second_lists) = (lists(first), lists(second));
    // Mostly they are equal.
    if first_lists.iter().zip(&second_lists).all(|(one, other)| one == other) {
        return None;
    }
    let names = |output: &'a Streamed| Names::of([&output.events.value, &output.live.value]);
    let (names, other_names) = (names(first), names(second));
    let is_same = |one: Option<&Value>, other: Option<&Value>| match (one, other) {
        (Some(one), Some(other)) => names.is_same(one, other, &other_names),
        (one, other) => one.is_none() && other.is_none(),
    };
    let mut pairs = first_lists.into_iter().zip(second_lists);
    let ((name, one), (_, other)) = pairs.find(|((_, one), (_, other))| !is_same(*one, *other))?;
    let in_words = |list: Option<&Value>, names: &Names<'_>| {
        list.map_or_else(|| "nothing".to_owned(), |list| in_short(&names.rename(list)))
    };
    Some((format!("`{name}` is {}", in_words(other, &other_names)), in_words(one, &names)))
}

pub(super) fn total(case: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let output = match &case.output {
        Ok(output) => output,
        Err(why) => {
            report.old_whole(refusal(why), "an output");
            return Ok(());
        }
    };
    let parts = [Some(&output.events), Some(&output.live), output.slots.as_ref(), output.messages.as_ref()];
    if let Some(part) = parts.into_iter().flatten().find(|part| !part.value.is_array()) {
        report.old_whole(format!("a part of the output is {}", in_short(&part.value)), "lists");
        return Ok(());
    }
    match &case.again {
        Some(Ok(again)) => {
            if let Some((found, expected)) = difference(output, again, &in_words) {
                report.old_whole(format!("asked again: {found}"), expected);
            }
        }
        Some(Err(why)) => report.old_whole(format!("asked again there is no output: {why}"), "the same output"),
        None => {}
    }
    wrong_fault(case, output.fault.as_ref(), report);
    applies(!case.items.is_empty(), "nothing comes")
}

fn in_words(fault: &StreamFault) -> String {
    format!("{} at item {}", fault.name, fault.item)
}

/// Reports a fault that is wrong or missing.
fn wrong_fault(case: &StreamEvidence<'_>, fault: Option<&StreamFault>, report: &mut Report<'_>) {
    if let Some(fault) = fault.filter(|fault| !FAULTS.contains(&fault.name.as_str())) {
        return report.old_whole(format!("the fault {:?}", fault.name), "a name of the table");
    }
    let Ok(model) = case.model() else { return };
    let first = model.faults.iter().find(|fault| fault.is_certain);
    if !fault.map_or(first.is_none(), |fault| fits(model, fault)) {
        let none = || "no fault".to_owned();
        let expected = first.map(|fault| format!("{} at item {}", fault.names.join(" or "), fault.item));
        report.old_whole(fault.map_or_else(none, in_words), expected.unwrap_or_else(none));
    }
}

/// Whether a fault may be named as the first.
fn fits(model: &Model, named: &StreamFault) -> bool {
    let is_its = |fault: &Fault| {
        let is_there = fault.item as u64 == named.item || model.is_cut_at_return;
        is_there && fault.names.contains(&named.name.as_str())
    };
    let first = model.faults.iter().position(|fault| fault.is_certain);
    let candidates = model.faults.iter().take(first.map_or(usize::MAX, |first| first + 1));
    if candidates.into_iter().any(is_its) {
        return true;
    }
    // A subject may name a stream that was asked for before its end.
    let is_unfinished = model.replies.is_empty() || model.replies.iter().any(|reply| !reply.is_finished);
    let is_before = first.and_then(|first| model.faults.get(first)).is_none_or(|fault| named.item < fault.item as u64);
    named.name == "unfinished" && is_unfinished && is_before
}
