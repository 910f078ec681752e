//! The same stream *again*, as it was and cut otherwise.

use crate::json::Value;

use super::model::{FAULTS, Fault, Model};
use crate::operation::{Plain, StreamFault, Streamed};
use crate::rules::alike::in_short;
use crate::rules::names::Names;
use crate::rules::{Applies, Report, Sentence, StreamEvidence, applies, refusal};

pub(super) fn chunking_invariant(case: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let otherwise = case.cut_otherwise.as_ref().ok_or("the stream was not cut otherwise")?;
    match (&case.output, otherwise) {
        (Ok(output), Ok(otherwise)) => {
            let name = |fault: &StreamFault| match fault.name.as_str() {
                "" => "a fault without a name".into(),
                name => sentence!("{name}", name),
            };
            if let Some((kind, found, expected)) = difference(output, otherwise, &name) {
                report.whole(kind, found, expected);
            }
        }
        (Err(_), Err(_)) => return Err("there is no output"),
        (Ok(_), Err(why)) => {
            let found = sentence!("cut otherwise there is no output: {why}", why);
            report.whole("no-output-cut", found, "the same output");
        }
        (Err(why), Ok(_)) => {
            let found = sentence!("only cut otherwise there is an output; else {why}", why);
            report.whole("no-output-uncut", found, "the same output");
        }
    }
    Ok(())
}

/// The kinds of outputs in which a list is another one, in the order of [`lists`].
const OTHER_LISTS: [&str; 4] = ["other-events", "other-live", "other-slots", "other-messages"];

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

/// How two outputs differ: the kind, and the first other part of the second and of the first.
type Difference = (&'static str, Sentence, Sentence);

/// The first part in which two outputs differ. Ids are known by their order, and times are not compared.
fn difference(first: &Streamed, second: &Streamed, in_words: &dyn Fn(&StreamFault) -> Sentence) -> Option<Difference> {
    different_list(first, second).or_else(|| {
        let in_words = |output: &Streamed| output.fault.as_ref().map_or("no fault".into(), in_words);
        let (found, expected) = (in_words(second), in_words(first));
        (found != expected).then(|| (kind_of_fault(second.fault.as_ref()), found, expected))
    })
}

/// The kind of a violation in which a fault is wrong: the fault's name.
fn kind_of_fault(fault: Option<&StreamFault>) -> &'static str {
    let Some(fault) = fault else { return "no-fault" };
    FAULTS.into_iter().find(|name| *name == fault.name).unwrap_or("unknown-fault")
}

fn different_list<'a>(first: &'a Streamed, second: &'a Streamed) -> Option<Difference> {
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
    let mut pairs = first_lists.into_iter().zip(second_lists).zip(OTHER_LISTS);
    let (((name, one), (_, other)), kind) = pairs.find(|(((_, one), (_, other)), _)| !is_same(*one, *other))?;
    let in_words = |list: Option<&Value>, names: &Names<'_>| {
        list.map_or_else(|| "nothing".to_owned(), |list| in_short(&names.rename(list)))
    };
    let found = sentence!("`{name}` is {list}", name, list = in_words(other, &other_names));
    Some((kind, found, sentence!("{list}", list = in_words(one, &names))))
}

pub(super) fn total(case: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let output = match &case.output {
        Ok(output) => output,
        Err(why) => {
            report.whole("refused", refusal(why), "an output");
            return Ok(());
        }
    };
    let parts = [Some(&output.events), Some(&output.live), output.slots.as_ref(), output.messages.as_ref()];
    if let Some(part) = parts.into_iter().flatten().find(|part| !part.value.is_array()) {
        let found = sentence!("a part of the output is {part}", part = in_short(&part.value));
        report.whole("no-list", found, "lists");
        return Ok(());
    }
    match &case.again {
        Some(Ok(again)) => {
            if let Some((_, found, expected)) = difference(output, again, &in_words) {
                report.whole("not-deterministic", sentence!("asked again: {found}", found), expected);
            }
        }
        Some(Err(why)) => {
            let found = sentence!("asked again there is no output: {why}", why);
            report.whole("answered-once", found, "the same output");
        }
        None => {}
    }
    wrong_fault(case, output.fault.as_ref(), report);
    applies(!case.items.is_empty(), "nothing comes")
}

fn in_words(fault: &StreamFault) -> Sentence {
    sentence!("{name} at item {item}", name = &fault.name, item = fault.item)
}

/// Reports a fault that is wrong or missing.
fn wrong_fault(case: &StreamEvidence<'_>, fault: Option<&StreamFault>, report: &mut Report<'_>) {
    if let Some(fault) = fault.filter(|fault| !FAULTS.contains(&fault.name.as_str())) {
        let found = sentence!("the fault {name:?}", name = &fault.name);
        return report.whole("unknown-fault", found, "a name of the table");
    }
    let Ok(model) = case.model() else { return };
    let first = model.faults.iter().find(|fault| fault.is_certain);
    if !fault.map_or(first.is_none(), |fault| fits(model, fault)) {
        let expected = first.map_or("no fault".into(), |fault| {
            sentence!("{names} at item {item}", names = fault.names.join(" or "), item = fault.item)
        });
        report.whole(kind_of_fault(fault), fault.map_or("no fault".into(), in_words), expected);
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
