//! *Thinking* is what a model wrote for itself; the API accepts it only as it was.

use std::collections::HashMap;

use super::NO_REQUEST;
use super::account::{Account, Output};
use super::block::{Role, in_words, is_thinking};
use super::expected::{Fate, thinking};
use crate::rules::{ApiEvidence, Applies, Place, Report, applies};

pub(super) fn unmodified(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let account = case.account().ok_or(NO_REQUEST)?;
    let items = &account.expected.items;
    let sent = thinking(&account.expected);
    let given = given(&account.outputs);
    applies(!sent.is_empty() || !given.is_empty(), "there is no thinking")?;
    let mut places: HashMap<(usize, bool), Vec<usize>> = HashMap::new();
    // The last come first, so that the next one is at the end.
    for &index in sent.iter().rev() {
        let key = (items[index].number, items[index].fate == Fate::Kept);
        places.entry(key).or_default().push(index);
    }
    let mut next = 0;
    for (output, ends_turn) in given {
        let mut is_known = false;
        let mut later: Option<(usize, bool)> = None;
        // Thinking that ended a turn may end one again, which other rules judge; it may stand nowhere else.
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
        let block = in_words(&output.value);
        if is_known {
            let found = sentence!("{block} stands a second time or after later thinking", block);
            report.add(output.place(), "wrong-order", found, "it once, in its place");
        } else {
            let found = sentence!("{block} equals no thinking of the messages that are sent", block);
            report.add(output.place(), "changed", found, "thinking as it was received");
        }
    }
    lost(account, report);
    Ok(())
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

/// Reports the thinking of the last assistant turn that the last assistant turn of the request does not have.
fn lost(account: &Account<'_>, report: &mut Report<'_>) {
    let of_assistant = |output: &&Output<'_>| output.role == Some(Role::Assistant);
    let last = account.outputs.iter().filter(of_assistant).map(|output| output.turn).max();
    let mut there: HashMap<usize, usize> = HashMap::new();
    for output in account.outputs.iter().filter(|output| Some(output.turn) == last) {
        *there.entry(output.number).or_default() += 1;
    }
    for item in account.expected.last_thinking.iter().map(|&index| &account.expected.items[index]) {
        match there.get_mut(&item.number) {
            Some(count) if *count > 0 => *count -= 1,
            _ => {
                let block = in_words(&item.value);
                let found = sentence!("{block} of message {message} is lost", block, message = item.message);
                let expected = "all thinking of the last assistant turn that does not end it";
                report.add(Place::block(item.message, item.block), "missing", found, expected);
            }
        }
    }
}
