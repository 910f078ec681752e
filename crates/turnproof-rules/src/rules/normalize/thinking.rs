//! *Thinking* is what a model wrote for itself; the API takes it back only as it was.

use std::collections::HashMap;

use super::account::{Account, Output};
use super::block::{Role, in_words, is_thinking};
use super::expected::thinking;
use super::item::Fate;
use super::{NO_REQUEST, place};
use crate::rules::{ApiEvidence, Judge, RuleEntry, Verdict, Violation};

pub(super) const UNMODIFIED: RuleEntry = rule!("thinking/unmodified", Error, Judge::NormalizeApi(unmodified));

fn unmodified(case: &ApiEvidence<'_>) -> Verdict {
    let Some(account) = case.account() else { return Verdict::NotApplicable(NO_REQUEST) };
    let items = &account.expected.items;
    let sent = thinking(&account.expected);
    let given = given(&account.outputs);
    if sent.is_empty() && given.is_empty() {
        return Verdict::NotApplicable("there is no thinking");
    }
    let mut places: HashMap<(usize, bool), Vec<usize>> = HashMap::new();
    // The last come first, so that the next one is at the end.
    for &index in sent.iter().rev() {
        let key = (items[index].number, items[index].fate == Fate::Kept);
        places.entry(key).or_default().push(index);
    }
    let mut violations = Vec::new();
    let mut next = 0;
    for (output, ends_turn) in given {
        let mut is_known = false;
        let mut later: Option<(usize, bool)> = None;
        // Thinking that ended a turn may do so again, which other rules judge, and stand nowhere else.
        for is_kept in [true, false] {
            let Some(places) = places.get_mut(&(output.number, is_kept)) else { continue };
            is_known = true;
            while places.pop_if(|place| *place < next).is_some() {}
            let found = places.last().filter(|_| is_kept || ends_turn).map(|&place| (place, is_kept));
            later = [later, found].into_iter().flatten().min();
        }
        if let Some((index, _)) = later {
            next = index + 1;
            continue;
        }
        let (what, expected) = match is_known {
            true => ("stands a second time or after later thinking", "it once, in its place"),
            false => ("equals no thinking of the messages that are sent", "thinking as it was received"),
        };
        let what = format!("{} {what}", in_words(&output.value));
        violations.push(Violation::new(UNMODIFIED.id, place(output.turn, Some(output.block)), what, expected));
    }
    violations.extend(lost(account));
    Verdict::from_violations(violations)
}

/// The thinking of a request, each with whether its turn ends with it.
fn given<'e, 'a>(outputs: &'e [Output<'a>]) -> Vec<(&'e Output<'a>, bool)> {
    let mut given = Vec::new();
    let (mut turn, mut is_end) = (None, false);
    for output in outputs.iter().rev() {
        if turn.replace(output.turn) != Some(output.turn) {
            is_end = true;
        }
        is_end &= is_thinking(&output.value);
        if is_thinking(&output.value) {
            given.push((output, is_end));
        }
    }
    given.reverse();
    given
}

/// The thinking of the last assistant turn that the last assistant turn of the request does not have.
fn lost(account: &Account<'_>) -> Vec<Violation> {
    let of_assistant = |output: &&Output<'_>| output.role == Some(Role::Assistant);
    let last = account.outputs.iter().filter(of_assistant).map(|output| output.turn).max();
    let mut there: HashMap<usize, usize> = HashMap::new();
    for output in account.outputs.iter().filter(|output| Some(output.turn) == last) {
        *there.entry(output.number).or_default() += 1;
    }
    let mut violations = Vec::new();
    for item in account.expected.last_thinking.iter().map(|&index| &account.expected.items[index]) {
        match there.get_mut(&item.number) {
            Some(count) if *count > 0 => *count -= 1,
            _ => {
                let found = format!("{} of message {} is lost", in_words(&item.value), item.message);
                let expected = "all thinking of the last assistant turn that does not end it";
                let place = place(item.message, item.block);
                violations.push(Violation::new(UNMODIFIED.id, place, found, expected));
            }
        }
    }
    violations
}
