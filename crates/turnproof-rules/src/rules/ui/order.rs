//! The *order* in which a UI shows messages: each call with its hooks and results, the rest as it was.

use crate::json::Value;

use super::list::{Listed, Lists};
use super::plain::{NOTHING, SEVERAL, output, shown};
use super::story::{Stories, what_it_is};
use crate::rules::alike::{alike, difference};
use crate::rules::{Applies, OrderEvidence, Place, Report, Sentence, applies};

pub(super) fn permutation(case: &OrderEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let lists = case.lists();
    let output = match &lists.output {
        Ok(output) => output,
        Err((kind, why)) => {
            report.whole(kind, why.clone(), "a list of messages");
            return Ok(());
        }
    };
    if output.is_empty() && lists.input.len() >= SEVERAL {
        report.whole("says-nothing", NOTHING, "the messages of the input");
        return Ok(());
    }
    let mut left = counts(&lists.input, lists.numbers);
    for (index, listed) in output.iter().enumerate() {
        if !take(&mut left, listed) {
            let expected = "only the messages of the input, each once";
            let found = sentence!("one message too many: {message}", message = shown(Some(listed.message)));
            report.add(Place::message(index), "extra", found, expected);
        }
    }
    for listed in &lists.input {
        if take(&mut left, listed) {
            let expected = sentence!("{message}, which is in the input", message = shown(Some(listed.message)));
            report.whole("missing", "a message is missing", expected);
        }
    }
    applies(!lists.input.is_empty() || !output.is_empty(), "there are no messages")
}

/// How often each message is in a list, by its number.
fn counts(messages: &[Listed<'_>], numbers: usize) -> Vec<u32> {
    let mut counts = vec![0; numbers];
    for listed in messages {
        if let Some(count) = counts.get_mut(listed.number) {
            *count += 1;
        }
    }
    counts
}

/// Takes a message from those that are left, if it is among them.
fn take(left: &mut [u32], listed: &Listed<'_>) -> bool {
    let count = left.get_mut(listed.number).filter(|count| **count > 0);
    count.map(|count| *count -= 1).is_some()
}

/// The stories of the same messages before and after they were ordered.
#[derive(Debug)]
pub(super) struct BothStories<'a> {
    expected: Stories<'a>,
    found: Stories<'a>,
    output: Vec<Listed<'a>>,
}

impl<'a> BothStories<'a> {
    /// Reads both, if they are of the same messages.
    pub(super) fn read(lists: &Lists<'a>) -> Option<Self> {
        let output = lists.output.as_ref().ok()?;
        let is_same = counts(&lists.input, lists.numbers) == counts(output, lists.numbers);
        is_same.then(|| Self {
            expected: Stories::read(&lists.input),
            found: Stories::read(output),
            output: output.clone(),
        })
    }
}

/// Why a rule on order does not apply.
const OTHER_MESSAGES: &str = "the output does not hold the messages of the input, each once";

pub(super) fn tool_story(case: &OrderEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let BothStories { expected, found, output } = case.stories().ok_or(OTHER_MESSAGES)?;
    // In the order of the input, so that reports are the same each time.
    let mut stories: Vec<_> = expected.followers.iter().collect();
    stories.sort_by_key(|(name, _)| expected.calls.get(*name).copied());
    for (name, followers) in stories {
        let Some(&call) = found.calls.get(name) else { continue };
        let id = name.0;
        let after = output.get(call + 1..).unwrap_or_default();
        let same = after.iter().zip(followers).take_while(|(found, expected)| found == expected).count();
        if let Some(missing) = followers.get(same) {
            let there = what_it_is(after.get(same).map(|listed| listed.message));
            let found = sentence!("in the story of {id:?} comes {there}", id, there);
            let place = output.iter().position(|listed| listed == missing).unwrap_or_default();
            let missing = what_it_is(Some(missing.message));
            let expected = sentence!("{missing}, which is messages.{place}", missing, place);
            report.add(Place::message(call + 1 + same), "wrong-order", found, expected);
        }
    }
    applies(!expected.followers.is_empty(), "no call has a result or a hook")
}

pub(super) fn others_in_order(case: &OrderEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let BothStories { expected, found, output } = case.stories().ok_or(OTHER_MESSAGES)?;
    let (expected, found) = (&expected.others, &found.others);
    if let Some(at) = difference(expected, found, Listed::eq) {
        let listed = found.get(at);
        let place = output.iter().position(|other| Some(other) == listed);
        let [found, expected] =
            [listed, expected.get(at)].map(|listed| what_it_is(listed.map(|listed| listed.message)));
        let found = sentence!("among those that stay comes {found}", found);
        report.add(Place::message(place.unwrap_or(at)), "wrong-order", found, sentence!("first {expected}", expected));
    }
    applies(expected.len() >= 2, "fewer than two messages stay")
}

pub(super) fn reorder_idempotent(case: &OrderEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let (Ok(first), Some(again)) = (output(&case.output), &case.reordered) else {
        return Err("the subject did not order its own output");
    };
    match output(again) {
        Err((kind, why)) => report.whole(kind, why, "the same list again"),
        Ok(second) => {
            if let Some((place, second, first)) = changed(first, second) {
                report.add(place, "changed", sentence!("ordered again {second}", second), first);
            }
        }
    }
    applies(!first.is_empty(), "there are no messages")
}

pub(super) fn reorder_deterministic(case: &OrderEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let again = case.again.as_ref().ok_or("the subject was asked once")?;
    match (output(&case.output), output(again)) {
        (Err(_), Err(_)) => Err("there is no order"),
        (Ok(first), Ok(second)) => {
            if let Some((place, second, first)) = changed(first, second) {
                report.add(place, "not-deterministic", sentence!("asked again {second}", second), first);
            }
            applies(!first.is_empty(), "there are no messages")
        }
        _ => {
            report.whole("answered-once", "there is an order one time and none the other", "the same");
            Ok(())
        }
    }
}

/// The first place where a list is another one now: what is there, and what is expected.
fn changed(first: &[Value], second: &[Value]) -> Option<(Place, String, Sentence)> {
    let at = difference(first, second, alike)?;
    Some((
        Place::message(at),
        what_it_is(second.get(at)),
        sentence!("as before {first}", first = what_it_is(first.get(at))),
    ))
}
